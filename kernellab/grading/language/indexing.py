"""Indices and exponents: a[n], K_{nm}, w^T, (…)^{-1}."""

from __future__ import annotations

from difflib import get_close_matches

from kernellab.grading.language.cursor import Cursor
from kernellab.grading.language.lexer import ReadError, Token
from kernellab.grading.language.tree import Expr, num, sym


class Indexing(Cursor):
    """What stands behind an atom."""

    def superscript(self, base: Expr) -> Expr:
        if self.starred(base):
            return self.symbol(f"{base.data}s")
        braces = self.take("{")
        minus = self.take("-")
        if not braces and self.token.kind == "name" and self.token.text[0] == "T":
            self.split_off("T")  # w^Tw is w^T w
        if self.take("top", "T"):
            turned = Expr("transpose", (base,))
            result = Expr("inv", (turned,)) if minus else turned
        elif braces:
            exponent = self.side()
            result = power_of(base, Expr("neg", (exponent,)) if minus else exponent)
        else:
            exponent = self.atom()
            result = power_of(base, Expr("neg", (exponent,)) if minus else exponent)
        if braces:
            self.need("}")
        return result

    def starred(self, base: Expr) -> bool:
        """Step over the star of w^* or w^{*}, if the problem has such a symbol."""
        known = base.op == "sym" and f"{base.data}s" in self.words.symbols
        start = self.at
        braces = self.take("{")
        if known and self.take("*", "star") and (not braces or self.take("}")):
            return True
        self.at = start
        return False

    def split_off(self, first: str) -> None:
        """Cut the next name after its first letters."""
        rest = self.token.text[len(first) :]
        self.stream[self.at] = Token("name", first, True)
        if rest:
            self.stream.insert(self.at + 1, Token("name", rest, True))

    def subscript(self, base: Expr) -> Expr:
        self.need("_")
        indices = self.subscript_list()
        if base.op in ("eye", "ones"):
            return Expr(base.op, data=str(indices[0]))
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


def power_of(base: Expr, exponent: Expr) -> Expr:
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
