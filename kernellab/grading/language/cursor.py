"""A place in a line: looking at tokens, and stepping over them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from kernellab.grading.language.lexer import ReadError, Token
from kernellab.grading.language.tree import Expr
from kernellab.grading.language.vocabulary import Vocabulary

MAX_DEPTH = 40


class Cursor(ABC):
    """Walks along the tokens; the rules of the grammar are in the classes above it."""

    bars = 0  # how many norms are open

    def __init__(
        self, stream: list[Token], words: Vocabulary, latex: bool, one_based: bool
    ) -> None:
        self.stream = stream
        self.words = words
        self.latex = latex
        self.one_based = one_based
        self.at = 0
        self.depth = 0

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

    def nested(self, rule: Callable[[], Expr]) -> Expr:
        """Follow a rule one level deeper, so that no text can exhaust the stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ReadError(f"more than {MAX_DEPTH} levels inside each other")
        result = rule()
        self.depth -= 1
        return result

    @abstractmethod
    def side(self) -> Expr:
        """One side of a relation: a sum."""

    @abstractmethod
    def product(self) -> Expr:
        """A product."""

    @abstractmethod
    def factor(self) -> Expr:
        """A factor, perhaps with a sign."""

    @abstractmethod
    def power(self) -> Expr:
        """An atom with what stands behind it."""

    @abstractmethod
    def postfix(self, base: Expr) -> Expr:
        """Transposes, indices and powers behind an atom."""

    @abstractmethod
    def atom(self) -> Expr:
        """The smallest expression: a number, a name, a bracket."""
