"""A place in a line: looking at tokens, and stepping over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kernellab.grading.language.lexer import ReadError, Token
from kernellab.grading.language.tree import Expr
from kernellab.grading.language.vocabulary import Vocabulary

MAX_DEPTH = 40
SUM, PRODUCT, FACTOR, POWER, ATOM = range(5)
CLOSING = {"(": ")", "{": "}", "[": "]"}


@dataclass
class Cursor:
    """The tokens of a line, how far they are read, and what they may mean.

    Parameters
    ----------
    stream : the tokens.
    words : the names that the line may use.
    grammar : reads the expression that starts here, at one of the levels SUM, PRODUCT,
        FACTOR, POWER (an atom with its indices and exponents) and ATOM.
    latex : whether the line is written as in a book.
    one_based : whether components are counted from 1.
    bars : the norms ‖ and bars | that are open.
    points : the functions that are written with arguments, J(a), with these arguments.
    """

    stream: list[Token]
    words: Vocabulary
    grammar: Callable[[Cursor, int], Expr]
    latex: bool
    one_based: bool
    at: int = 0
    depth: int = 0
    bars: list[str] = field(default_factory=list)
    points: dict[str, list[tuple[list[str], str]]] = field(default_factory=dict)

    @property
    def token(self) -> Token:
        """The next token."""
        return self.stream[self.at]

    def peek(self, ahead: int = 1) -> Token:
        """Return a token further on."""
        return self.stream[min(self.at + ahead, len(self.stream) - 1)]

    def next(self) -> Token:
        """Return the next token and step over it."""
        token = self.token
        self.at = min(self.at + 1, len(self.stream) - 1)
        return token

    def take(self, *texts: str) -> bool:
        """Step over a sign or name if it is the next one; return whether it was."""
        if self.token.kind in ("sign", "name") and self.token.text in texts:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        """Step over a sign, which must stand here."""
        if not self.take(text):
            raise ReadError(
                f"I expected {Token('sign', text).quoted} before {self.token.quoted}"
            )

    @contextmanager
    def braces(self) -> Iterator[bool]:
        """Step over braces around what is read meanwhile; say if there are any."""
        found = self.take("{")
        yield found
        if found:
            self.need("}")

    def split(self, *parts: str) -> None:
        """Cut the next token into parts, which are read one by one."""
        kinds = ("number" if part.isdigit() else "name" for part in parts)
        self.stream[self.at : self.at + 1] = map(Token, kinds, parts)

    def read(self, level: int = SUM) -> Expr:
        """Read an expression, one level deeper: no text can exhaust the stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ReadError(f"more than {MAX_DEPTH} levels inside each other")
        result = self.grammar(self, level)
        self.depth -= 1
        return result

    def since(self, start: int) -> str:
        """Return the text of the tokens from there to here."""
        return "".join(token.text for token in self.stream[start : self.at])

    def closed(self) -> int:
        """Return where the bracket that opens here is closed, or the end."""
        opening, depth = self.token.text, 0
        for at in range(self.at, len(self.stream)):
            text = self.stream[at].text
            depth += (text == opening) - (text == CLOSING[opening])
            if not depth:
                return at
        return len(self.stream)

    def read_to(self, closing: str) -> Expr:
        """Read an expression and the sign that closes it."""
        inner = self.read()
        self.need(closing)
        return inner

    def size(self, role: str) -> str:
        """Step over the name of a size."""
        name = self.next().text
        if name not in self.words.sizes and not name.isdigit():
            sizes = " or ".join(sorted(self.words.sizes)) or "a numeral"
            raise ReadError(f"{role} {sizes}, not {Token('name', name).quoted}")
        return name
