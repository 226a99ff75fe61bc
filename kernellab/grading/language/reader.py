"""From tokens to trees: a recursive-descent reader for the language of derivations.

    relation  :=  side ((= | >= | <=) side)*
    side      :=  product ((+ | -) product)*
    product   :=  factor ((* | @ | / | nothing) factor)*
    factor    :=  - factor  |  sum  |  gradient  |  power
    power     :=  postfix (** | ^) exponent
    postfix   :=  atom (.T | [i, j] | _i)*

The whitelist is the grammar itself: what it does not name cannot be said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from kernellab.grading.language.lexer import ReadError, Token, is_latex, number, tokens
from kernellab.grading.language.tree import Expr, Relation, num, sym

MAX_DEPTH = 40
SIGNS = {"=": "=", "==": "=", ">=": ">=", "<=": "<="}

# Functions of one or two arguments, with the ways in which they are spelt.
_FUNCTIONS = {
    "sqrt": ("sqrt", 1), "exp": ("exp", 1), "log": ("log", 1), "ln": ("log", 1),
    "det": ("det", 1), "trace": ("trace", 1), "tr": ("trace", 1), "Tr": ("trace", 1),
    "norm2": ("norm2", 1), "had": ("had", 2), "hadamard": ("had", 2),
    "diag": ("diag", 1), "dot": ("dot", 2), "inner": ("dot", 2), "cov": ("cov", 2),
    "Cov": ("cov", 2), "loss": ("loss", 1),
}  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """The names that a line may use.

    Parameters
    ----------
    symbols : names of the problem and of the student's own definitions.
    sizes : names of the sizes, such as N and M.
    rows : a name with an index → the matrix whose row it is: phi → Phi.
    applied : names that may be written with arguments: J(a) is J.
    aliases : other spellings: sigma → s.
    variable : what a gradient is taken by if the student does not say.
    """

    symbols: frozenset[str]
    sizes: frozenset[str] = frozenset({"N", "M"})
    rows: Mapping[str, str] = field(default_factory=dict)
    applied: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    variable: str | None = None

    def knows(self, name: str) -> bool:
        """Whether the name means something."""
        known: tuple[Collection[str], ...] = (
            self.symbols, self.sizes, self.rows, self.aliases, _FUNCTIONS, _SPECIAL,
        )  # fmt: skip
        return any(name in names for names in known)


_PREFIXES = ("np", "numpy", "linalg")
_SPECIAL = {
    "I", "Id", "eye", "sum", "grad", "gradient", "diff", "d", "inv", "vec", "norm",
    "unique", "invertible", "not", "pi", "np", "numpy", "ones", "transpose", "solve",
    "nabla", "var", "Var", "for", "in",
}  # fmt: skip


def read(text: str, vocabulary: Vocabulary, one_based: bool = False) -> Relation:
    """Read one relation, or one claim; raises `ReadError` with words for the student.

    Examples
    --------
    >>> words = Vocabulary(frozenset({"K", "a", "t", "lam"}))
    >>> print(read("(K + lam*I)@a = t", words))
    (K + lam*I)@a = t
    >>> print(read(r"a = (K+\\lambda I_N)^{-1} t", words))
    a = inv(K + lam@I(N))@t
    """
    return _Parser(tokens(text), vocabulary, is_latex(text), one_based).relation()


class _Parser:
    def __init__(
        self, stream: list[Token], words: Vocabulary, latex: bool, one_based: bool
    ) -> None:
        self.stream = stream
        self.words = words
        self.latex = latex
        self.one_based = one_based
        self.at = 0
        self.depth = 0

    # Walking along the tokens

    @property
    def token(self) -> Token:
        return self.stream[self.at]

    def peek(self, ahead: int = 1) -> Token:
        return self.stream[min(self.at + ahead, len(self.stream) - 1)]

    def next(self) -> Token:
        token = self.token
        self.at = min(self.at + 1, len(self.stream) - 1)
        return token

    def take(self, *texts: str) -> bool:
        """Step over a sign or name if it is the next one."""
        if self.token.kind in ("sign", "name") and self.token.text in texts:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.take(text):
            came = self.token.text or "the end of the line"
            raise ReadError(f"I expected “{text}” before “{came}”")

    # Relations

    def relation(self) -> Relation:
        if self.take("not"):
            return Relation((Expr("not", (self.side(),)),), ())
        sides, signs = [self.side()], []
        while self.token.text in SIGNS and self.token.kind == "sign":
            signs.append(SIGNS[self.next().text])
            sides.append(self.side())
        if self.token.kind != "end":
            raise ReadError(f"I cannot continue at “{self.token.text}”")
        return Relation(tuple(sides), tuple(signs))

    # Sums and products

    def side(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ReadError(f"more than {MAX_DEPTH} brackets inside each other")
        left = self.product()
        while self.token.text in ("+", "-") and self.token.kind == "sign":
            op = "add" if self.next().text == "+" else "sub"
            left = Expr(op, (left, self.product()))
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.factor()
        while True:
            if self.take("*", "@"):
                sign = self.stream[self.at - 1].text
                left = Expr("mul", (left, self.factor()), sign)
            elif self.take("/"):
                left = Expr("div", (left, self.factor()))
            elif self.take("odot"):
                left = Expr("call", (left, self.factor()), "had")
            elif self.take("cdot") or self.starts_factor():
                left = Expr("mul", (left, self.factor()), "")
            else:
                return left

    def starts_factor(self) -> bool:
        """Whether two factors stand side by side, as in 2 K or (K + I) a."""
        kind, text = self.token.kind, self.token.text
        if kind == "name":
            return text not in ("for", "in")
        if kind == "number":
            return self.latex
        opening = ("(", "{", "[", "frac", "nabla", "partial", "<")
        return kind == "sign" and (text in opening or (text == "||" and not self.bars))

    bars = 0  # how many norms are open

    def factor(self) -> Expr:
        if self.take("-"):
            return Expr("neg", (self.nested(self.factor),))
        if self.take("+"):
            return self.nested(self.factor)
        if self.is_latex_sum():
            return self.latex_sum()
        if self.token.text == "nabla":
            return self.nabla()
        return self.power()

    def is_latex_sum(self) -> bool:
        """\\sum_n, also written with the Greek capital letter."""
        name = self.token.text
        greek = name == "Sigma" and "Sigma" not in self.words.symbols
        return (name == "sum" or greek) and self.peek().text == "_"

    def nested(self, rule: Callable[[], Expr]) -> Expr:
        """Follow a rule one level deeper, so that no text can exhaust the stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ReadError(f"more than {MAX_DEPTH} levels inside each other")
        result = rule()
        self.depth -= 1
        return result

    # Powers, transposes and indices

    def power(self) -> Expr:
        base = self.postfix(self.atom())
        if self.take("**"):
            return _power(base, self.nested(self.exponent))
        return base

    def exponent(self) -> Expr:
        if self.take("-"):
            return Expr("neg", (self.exponent(),))
        return self.power()

    def postfix(self, base: Expr) -> Expr:
        for _ in range(MAX_DEPTH):
            if self.take(".T", "'"):
                base = Expr("transpose", (base,))
            elif self.token.text == "[" and self.index_ahead():
                base = self.indexed(base, self.bracketed_indices())
            elif self.token.text == "_":
                base = self.subscript(base)
            elif self.take("^"):
                base = self.superscript(base)
            else:
                return base
        raise ReadError(f"more than {MAX_DEPTH} marks behind one symbol")

    def superscript(self, base: Expr) -> Expr:
        braces = self.take("{")
        minus = self.take("-")
        if not braces and self.token.kind == "name" and self.token.text[0] == "T":
            self.split_off("T")  # w^Tw is w^T w
        if self.take("top", "T"):
            turned = Expr("transpose", (base,))
            result = Expr("inv", (turned,)) if minus else turned
        elif braces:
            exponent = self.side()
            result = _power(base, Expr("neg", (exponent,)) if minus else exponent)
        else:
            exponent = self.atom()
            result = _power(base, Expr("neg", (exponent,)) if minus else exponent)
        if braces:
            self.need("}")
        return result

    def split_off(self, first: str) -> None:
        """Cut the next name after its first letters."""
        rest = self.token.text[len(first) :]
        self.stream[self.at] = Token("name", first, True)
        if rest:
            self.stream.insert(self.at + 1, Token("name", rest, True))

    def subscript(self, base: Expr) -> Expr:
        self.need("_")
        indices = self.subscript_list()
        if base.op == "eye":
            return Expr("eye", data=str(indices[0]))
        if base.op == "call" and base.data == "norm":
            return base  # the 2 of ‖x‖₂
        if indices == ("*",) and base.op == "sym":
            return self.symbol(f"{base.data}s")
        if indices == ("**",) and base.op == "sym":
            return self.symbol(f"{base.data}ss")
        shift = int(self.one_based)
        return self.indexed(
            base, tuple(i - shift if isinstance(i, int) else i for i in indices)
        )

    def subscript_list(self) -> tuple[str | int, ...]:
        if not self.take("{"):
            return self.index_names(self.next())
        found: list[str | int] = []
        while not self.take("}"):
            if not self.take(","):
                found += self.index_names(self.next())
        if not found:
            raise ReadError("an index is empty")
        return tuple(found)

    def index_names(self, token: Token) -> tuple[str | int, ...]:
        if token.kind == "number" and token.text.isdigit():
            return tuple(map(int, token.text))  # K_{11} is K[1,1]
        if token.text in ("*", "star", "**"):
            return ("**" if token.text == "**" else "*",)
        if token.kind != "name":
            raise ReadError(f"“{token.text}” is not an index")
        return (token.text,) if token.text in self.words.sizes else tuple(token.text)

    def index_ahead(self) -> bool:
        """Whether [ opens a list of indices; in LaTeX it may be a bracket."""
        at = self.at + 1
        while self.stream[at].kind in ("name", "number") or self.stream[at].text == ",":
            at += 1
        return not self.latex or self.stream[at].text == "]"

    def bracketed_indices(self) -> tuple[str | int, ...]:
        self.need("[")
        found: list[str | int] = []
        while True:
            token = self.next()
            if token.kind == "number" and token.text.isdigit():
                found.append(int(token.text))
            elif token.kind == "name":
                found.append(token.text)
            else:
                raise ReadError(f"“{token.text}” is not an index")
            if self.take("]"):
                return tuple(found)
            self.need(",")

    def indexed(self, base: Expr, indices: tuple[str | int, ...]) -> Expr:
        if base.op == "sym" and base.data in self.words.rows:
            return Expr("index", (sym(self.words.rows[base.data]),), indices)
        if base.op == "index" and len(base.data) == 1 and len(indices) == 1:
            return Expr("index", base.args, base.data + indices)  # phi[n][i]
        return Expr("index", (base,), indices)

    # Atoms

    def atom(self) -> Expr:
        token = self.next()
        if token.kind == "number":
            return num(number(token.text))
        if token.kind == "name":
            return self.named(token.text)
        match token.text:
            case "(" | "{" | "[":
                inner = self.side()
                self.need({"(": ")", "{": "}", "[": "]"}[token.text])
                return inner
            case "||":
                return self.norm()
            case "<":
                return self.bracket()
            case "frac":
                return self.fraction()
            case "partial":
                return self.inline_derivative()
            case "":
                raise ReadError("the line ends where an expression is needed")
        raise ReadError(f"I did not expect “{token.text}” here")

    def named(self, name: str) -> Expr:
        while name in _PREFIXES and self.take("."):
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
                return _gradient(*self.arguments(2))
            case "diff":
                return _gradient(*self.arguments(2))
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
        if name in _FUNCTIONS and name not in self.words.symbols:
            spelt, count = _FUNCTIONS[name]
            if spelt == "diag" or self.token.text in ("(", "{"):
                return Expr("call", self.arguments(count), spelt)
            if count == 1:  # \log x, \det C, \sqrt 2
                return Expr("call", (self.nested(self.power),), spelt)
            raise ReadError(f"{name} needs {count} arguments in brackets")
        if name == "e" and self.token.text == "^" and "e" not in self.words.symbols:
            self.need("^")
            return Expr("call", (self.atom(),), "exp")
        if self.latex and (not self.words.knows(name) or name in _PREFIXES):
            name = self.split(name)
        return self.applied(name)

    def split(self, name: str) -> str:
        """In LaTeX Ka is K a: keep the first known part, put the rest back."""
        for length in range(len(name) - 1, 0, -1):
            if self.words.knows(name[:length]):
                self.stream.insert(self.at, Token("name", name[length:], True))
                return name[:length]
        return name

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

    def symbol(self, name: str) -> Expr:
        name = self.words.aliases.get(name, name)
        if name in self.words.symbols or name in self.words.sizes:
            return sym(name)
        if name in self.words.rows:
            if self.token.text in ("[", "_"):
                return sym(name)
            raise ReadError(f"{name} needs an index: {name}[n]")
        raise ReadError(self.unknown(name))

    def unknown(self, name: str) -> str:
        known = sorted(self.words.symbols | set(self.words.aliases))
        letters = [letter for letter in name if letter in known]
        if len(letters) == len(name) > 1:
            return f"I do not know “{name}”; did you mean {'@'.join(letters)}?"
        close = get_close_matches(name, known, 1, 0.6)
        if close:
            return f"I do not know “{name}”; did you mean {close[0]}?"
        return f"I do not know “{name}”; this problem has {', '.join(known)}"

    # Pieces with a form of their own

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

    def norm(self) -> Expr:
        self.bars += 1
        inner = self.side()
        self.bars -= 1
        self.need("||")
        return Expr("call", (inner,), "norm")

    def bracket(self) -> Expr:
        left = self.side()
        if not self.take(",", "|"):
            raise ReadError("an inner product needs two arguments: ⟨u, v⟩")
        right = self.side()
        self.need(">")
        return Expr("call", (left, right), "dot")

    def fraction(self) -> Expr:
        top_start = self.at
        if self.derivative_ahead():
            return self.latex_derivative()
        self.at = top_start
        top = self.group()
        return Expr("div", (top, self.group()))

    def group(self) -> Expr:
        """One argument of \\frac: {…}, or a single digit or letter."""
        if self.take("{"):
            inner = self.side()
            self.need("}")
            return inner
        token = self.token
        if token.kind == "number" and len(token.text) > 1 and token.text.isdigit():
            self.stream[self.at] = Token("number", token.text[1:])  # \frac12
            return num(int(token.text[0]))
        return self.atom()

    def derivative_ahead(self) -> bool:
        texts = (self.token.text, self.peek().text)
        return texts == ("{", "partial")

    def latex_derivative(self) -> Expr:
        self.next()
        self.next()
        function = None if self.token.text == "}" else self.side()
        self.need("}")
        self.need("{")
        self.need("partial")
        variable = None if self.take("theta") else self.postfix(self.atom())
        self.need("}")
        if function is None:
            function = self.nested(self.factor)
        if variable is None:
            return Expr("call", (function,), "d")
        return _gradient(function, variable)

    def inline_derivative(self) -> Expr:
        """∂J/∂a and ∂J/∂a_k; ∂C alone is the derivative along θ."""
        function = self.nested(self.power)
        if self.token.text != "/" or self.peek().text != "partial":
            return Expr("call", (function,), "d")
        self.next()
        self.next()
        if self.take("theta"):
            return Expr("call", (function,), "d")
        return _gradient(function, self.postfix(self.atom()))

    def nabla(self) -> Expr:
        self.need("nabla")
        variable: Expr | None = None
        if self.take("_") or self.peek().text in self.words.applied:  # ∇w J
            variable = self.group()
        function = self.nested(self.power)
        if variable is None:
            if self.words.variable is None:
                raise ReadError("say by what the gradient is taken: grad(J, a)")
            variable = sym(self.words.variable)
        return _gradient(function, variable)

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

    def latex_sum(self) -> Expr:
        """\\sum_{n=1}^{N} body: the body is the product that follows."""
        self.next()
        self.need("_")
        names, size = self.lower_limit()
        if self.take("^"):
            braces = self.take("{")
            size = self.next().text
            if braces:
                self.need("}")
            if size not in self.words.sizes:
                sizes = " or ".join(sorted(self.words.sizes))
                raise ReadError(f"a sum runs up to {sizes}, not to “{size}”")
        body = self.nested(self.product)
        for name in reversed(names):
            body = Expr("sum", (body,), (name, size))
        return body

    def lower_limit(self) -> tuple[list[str], str | None]:
        names: list[str] = []
        if not self.take("{"):
            return list(self.next().text), None
        while not self.take("}"):
            if self.take("="):
                if self.next().text not in ("0", "1"):
                    raise ReadError("a sum starts at 1 (or 0)")
            elif not self.take(","):
                token = self.next()
                if token.kind != "name":
                    raise ReadError(f"“{token.text}” is not an index")
                names += list(token.text)
        return names, None


def _power(base: Expr, exponent: Expr) -> Expr:
    minus_one = exponent == Expr("neg", (num(1),)) or exponent == num(-1)
    if base.op == "call" and base.data == "norm":
        if exponent == num(2):
            return Expr("call", base.args, "norm2")
        raise ReadError("only the squared norm is used here: norm2(x) or ‖x‖²")
    if minus_one:
        return Expr("inv", (base,))
    if exponent.op == "sym" and exponent.data == "T":
        return Expr("transpose", (base,))
    return Expr("pow", (base, exponent))


def _gradient(function: Expr, variable: Expr) -> Expr:
    if variable.op == "index":
        return Expr("diff", (function, variable))
    if variable.op != "sym":
        raise ReadError("a gradient is taken by a symbol: grad(J, a)")
    return Expr("grad", (function, variable))
