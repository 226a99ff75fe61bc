"""Names: functions, symbols, and symbols written with arguments."""

from __future__ import annotations

from kernellab.grading.language.indexing import Indexing
from kernellab.grading.language.lexer import ReadError, Token
from kernellab.grading.language.tree import Expr, sym
from kernellab.grading.language.vocabulary import FUNCTIONS, PREFIXES


class Naming(Indexing):
    """What a name stands for."""

    def named(self, name: str) -> Expr:
        while name in PREFIXES and self.take("."):
            name = self.next().text
        match name:
            case "I" | "Id" | "eye" if name not in self.words.symbols:
                return self.identity()
            case "sum":
                return self.python_sum()
            case "inv":
                return Expr("inv", self.arguments(1))
            case "transpose":
                return Expr("transpose", self.arguments(1))
            case "solve":
                matrix, right = self.arguments(2)
                return Expr("mul", (Expr("inv", (matrix,)), right), "@")
            case "grad" | "gradient":
                return gradient_of(*self.arguments(2))
            case "diff":
                return gradient_of(*self.arguments(2))
            case "unique" | "invertible":
                return Expr(name, self.arguments(1))
            case "vec":
                return Expr("call", self.arguments(None), "vec")
            case "norm":
                return Expr("call", self.arguments(1), "norm")
            case "ones":
                return Expr("ones", data=self.size_argument())
            case "var" | "Var" if self.token.text == "(":
                (x,) = self.arguments(1)
                return Expr("call", (x, x), "cov")
            case "d" if self.token.text == "(" and "d" not in self.words.symbols:
                return Expr("call", self.arguments(1), "d")
            case "pi" if "pi" not in self.words.symbols:
                return sym("pi")
        return self.function_or_symbol(name)

    def function_or_symbol(self, name: str) -> Expr:
        if name in FUNCTIONS and name not in self.words.symbols:
            spelt, count = FUNCTIONS[name]
            if spelt == "diag" or self.token.text in ("(", "{"):
                return Expr("call", self.arguments(count), spelt)
            if count == 1:  # \log x, \det C, \sqrt 2
                return Expr("call", (self.nested(self.power),), spelt)
            raise ReadError(f"{name} needs {count} arguments in brackets")
        if name == "e" and self.token.text == "^" and "e" not in self.words.symbols:
            self.need("^")
            return Expr("call", (self.atom(),), "exp")
        if self.leibniz_ahead(name):
            return self.leibniz(name[1:])
        if self.latex and (not self.words.knows(name) or name in PREFIXES):
            name = self.split(name)
        return self.applied(name)

    def leibniz_ahead(self, name: str) -> bool:
        """Whether dL/dw stands here, for a function L that the problem knows."""
        below = self.peek().text
        return (
            name not in self.words.symbols
            and name[:1] == below[:1] == "d"
            and name[1:] in self.words.applied
            and below[1:] in self.words.symbols
            and self.token.text == "/"
        )

    def leibniz(self, function: str) -> Expr:
        self.need("/")
        variable = self.symbol(self.next().text[1:])
        return gradient_of(sym(function), self.postfix(variable))

    def split(self, name: str) -> str:
        """In LaTeX Ka is K a: keep the first known part, put the rest back."""
        parts = self.parts(name)
        if parts is None:
            return name
        for part in reversed(parts[1:]):
            self.stream.insert(self.at, Token("name", part, True))
        return parts[0]

    def parts(self, name: str) -> list[str] | None:
        """A name as a product of known ones, the longest first; None if it is not."""
        for length in range(len(name), 0, -1):
            first, rest = name[:length], name[length:]
            if self.words.knows(first) and first not in PREFIXES:
                following = self.parts(rest) if rest else []
                if following is not None:
                    return [first, *following]
        return None

    def applied(self, name: str) -> Expr:
        """J(a) is J, φ(xₙ) is row n, k(xₙ, xₘ) is K[n,m]; otherwise a symbol."""
        start = self.at
        if self.token.text == "(" and not self.token.spaced:
            if name in self.words.rows:
                indices = self.points()
                if indices == ("*",):
                    return self.symbol(f"{name}s")
                if indices is not None:
                    return self.indexed(sym(name), indices)
            elif name == "k" and "K" in self.words.symbols:
                indices = self.points()
                if indices is not None and len(indices) == 2 and "*" not in indices:
                    return self.indexed(sym("K"), indices)
            self.at = start
            if name in self.words.applied and self.only_names():
                return self.symbol(name)
            self.at = start
        return self.symbol(name)

    def points(self) -> tuple[str | int, ...] | None:
        """The indices of (x_n) or (x_n, x_m); None if it is something else."""
        self.need("(")
        found: list[str | int] = []
        while self.take("x"):
            if self.token.text == "_":
                self.next()
                found += self.subscript_list()
            elif self.token.text == "[":
                found += self.bracketed_indices()
            elif self.take("star", "*"):
                found.append("*")
            if self.take(")"):
                return tuple(found) if found else None
            if not self.take(","):
                return None
        return None

    def only_names(self) -> bool:
        """Step over (a), (w, b, alpha); False if it is not a list of names."""
        self.need("(")
        while self.token.kind == "name":
            self.next()
            self.take("'")
            if self.token.text == "_":
                self.next()
                self.subscript_list()
            if self.take(")"):
                return True
            if not self.take(",", ";"):
                return False
        return False

    def arguments(self, count: int | None) -> tuple[Expr, ...]:
        closing = {"(": ")", "{": "}"}.get(self.token.text)
        if closing is None:
            raise ReadError(f"I expected “(” before “{self.token.text}”")
        self.next()
        found = [self.side()]
        while self.take(","):
            found.append(self.side())
        self.need(closing)
        if count is not None and len(found) != count:
            raise ReadError(f"I expected {count} argument(s) and found {len(found)}")
        return tuple(found)

    def size_argument(self) -> str | None:
        if not self.take("("):
            return None
        name = self.next().text
        if name not in self.words.sizes:
            sizes = " or ".join(sorted(self.words.sizes))
            raise ReadError(f"a size is {sizes}, not “{name}”")
        self.need(")")
        return name

    def identity(self) -> Expr:
        """I, I(N), np.eye(N); but I(K + …) is a product."""
        if self.token.text == "(" and self.peek().text in self.words.sizes:
            return Expr("eye", data=self.size_argument())
        return Expr("eye")

    def python_sum(self) -> Expr:
        """sum(body for n in N for m in N), or sum(x) for the sum of all entries."""
        if self.token.text != "(":
            raise ReadError("a sum is written sum(… for n in N)")
        self.need("(")
        body = self.side()
        loops: list[tuple[str, str | None]] = []
        while self.take("for"):
            names = [self.next().text]
            while self.take(","):
                names.append(self.next().text)
            self.need("in")
            size = self.range()
            loops += [(name, size) for name in names]
        self.need(")")
        if not loops:
            return Expr("call", (body,), "total")
        for loop in reversed(loops):
            body = Expr("sum", (body,), loop)
        return body

    def range(self) -> str:
        if self.take("range"):
            self.need("(")
            size = self.next().text
            self.need(")")
        else:
            size = self.next().text
        if size not in self.words.sizes:
            sizes = " or ".join(sorted(self.words.sizes))
            raise ReadError(f"an index runs in {sizes}, not in “{size}”")
        return size


def gradient_of(function: Expr, variable: Expr) -> Expr:
    if variable.op == "index":
        return Expr("diff", (function, variable))
    if variable.op != "sym":
        raise ReadError("a gradient is taken by a symbol: grad(J, a)")
    return Expr("grad", (function, variable))
