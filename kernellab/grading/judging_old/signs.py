"""Which numbers are ≥ 0 or > 0, and which matrices are positive (semi-)definite.

The rules are those of a textbook: squares, sums, products, quadratic forms, Gram
matrices. The answer True is a proof; False only means that no rule applies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds.world import Symbol

Rule = Callable[["Signs", Expr], bool]


def _remembered(rule: Rule) -> Rule:
    """Decide each expression once: nested rules would ask again and again."""

    @wraps(rule)
    def decide(self: Signs, node: Expr) -> bool:
        key = (rule.__name__, node.text)
        if key not in self.known:
            self.known[key] = rule(self, node)
        return self.known[key]

    return decide


class Signs:
    """The rules, for the symbols of one derivation.

    Parameters
    ----------
    symbols : the declared symbols.
    invertible : matrices that were assumed to be invertible.
    elementary : whether sums of semi-definite matrices must be written out as sums
        of quadratic forms; True where that is what has to be shown.
    """

    def __init__(
        self,
        symbols: Mapping[str, Symbol],
        invertible: tuple[Expr, ...] = (),
        elementary: bool = False,
    ) -> None:
        self.symbols = symbols
        self.invertible = invertible
        self.elementary = elementary
        self.declared = _declared_positive(symbols)
        self.known: dict[tuple[str, str], bool] = {}

    def kind(self, node: Expr) -> str:
        """The declared kind of a symbol."""
        symbol = self.symbols.get(node.data) if node.op == "sym" else None
        return symbol.kind if symbol else "any"

    # Numbers

    @_remembered
    def positive(self, node: Expr) -> bool:
        """Whether the number is > 0."""
        if _as_product(node) in self.declared:
            return True
        match node.op:
            case "num":
                return bool(node.data > 0)
            case "sym":
                return (
                    node.data == "pi"
                    or self.kind(node) in ("positive",)
                    or (node.data not in self.symbols)
                )
            case "add":
                one, two = node.args
                return (self.positive(one) and self.nonneg(two)) or (
                    self.nonneg(one) and self.positive(two)
                )
            case "mul" | "div":
                return node.shape == NUMBER and all(map(self.positive, node.args))
            case "pow" | "inv":
                return self.positive(node.args[0])
            case "call":
                return self._positive_call(node)
        return False

    def _positive_call(self, node: Expr) -> bool:
        (first, *_) = node.args
        match node.data:
            case "exp":
                return True
            case "sqrt":
                return self.positive(first)
            case "det":
                return self.definite(first)
        return False

    @_remembered
    def nonneg(self, node: Expr) -> bool:
        """Whether the number is ≥ 0."""
        if self.positive(node):
            return True
        match node.op:
            case "num":
                return bool(node.data >= 0)
            case "sym":
                return self.kind(node) == "nonneg"
            case "index":  # an entry of a column whose entries are all ≥ 0
                return self.kind(node.args[0]) == "nonneg"
            case "add" | "div":
                return all(map(self.nonneg, node.args))
            case "sum":
                return self.nonneg(node.args[0])
            case "transpose":
                return self.nonneg(node.args[0])
            case "pow":
                even = Fraction(node.args[1].data) % 2 == 0
                return even or self.nonneg(node.args[0])
            case "mul":
                return self._nonneg_product(node)
            case "call":
                return self._nonneg_call(node)
        return False

    def _nonneg_product(self, node: Expr) -> bool:
        if node.data == "*" and all(a.shape == NUMBER for a in node.args):
            one, two = node.args
            if all(map(self.nonneg, node.args)) or str(one) == str(two):
                return True
        numbers, matrices = self.factors(node)
        return self._nonneg_numbers(numbers) and (
            not matrices or self.palindrome(matrices)
        )

    def _nonneg_numbers(self, numbers: list[Expr]) -> bool:
        """Numbers whose product is ≥ 0: each of them, or in equal pairs."""
        odd: list[str] = []
        for number in numbers:
            if self.nonneg(number):
                continue
            text = str(number)
            if text in odd:
                odd.remove(text)
            else:
                odd.append(text)
        return not odd

    def _nonneg_call(self, node: Expr) -> bool:
        first = node.args[0]
        match node.data:
            case "norm2" | "sqrt":
                return True
            case "trace" | "det":
                return self.semidefinite(first)
            case "dot":
                return str(first) == str(node.args[1])
            case "total":
                return self.kind(first) == "nonneg"
        return False

    # Matrices

    def factors(
        self, node: Expr, turned: bool = False
    ) -> tuple[list[Expr], list[Expr]]:
        """A product taken apart: its numbers, and its matrices in order."""
        if node.op == "mul":
            parts = node.args[::-1] if turned else node.args
            numbers: list[Expr] = []
            matrices: list[Expr] = []
            for part in parts:
                more_numbers, more_matrices = self.factors(part, turned)
                numbers += more_numbers
                matrices += more_matrices
            return numbers, matrices
        if node.shape == NUMBER and not self._is_product(node):
            return [node], []
        if node.op == "transpose":
            return self.factors(node.args[0], not turned)
        if node.op == "neg":
            minus = Expr("num", data=Fraction(-1), shape=NUMBER)
            numbers, matrices = self.factors(node.args[0], turned)
            return [minus, *numbers], matrices
        if node.op == "div":
            numbers, matrices = self.factors(node.args[0], turned)
            return [*numbers, Expr("inv", (node.args[1],), shape=NUMBER)], matrices
        if turned and not self.symmetric(node):
            shape = (node.shape or NUMBER)[::-1]
            return [], [Expr("transpose", (node,), shape=shape)]
        return [], [node]

    def _is_product(self, node: Expr) -> bool:
        return (node.op == "transpose" and self._is_product(node.args[0])) or (
            node.op == "mul"
        )

    @_remembered
    def symmetric(self, node: Expr) -> bool:
        """Whether the matrix equals its transpose, as far as declared."""
        match node.op:
            case "eye":
                return True
            case "sym":
                return self.kind(node) in ("symmetric", "psd", "pd")
            case "add" | "sub":
                return all(map(self.symmetric, node.args))
            case "inv" | "pow" | "neg" | "div":
                return self.symmetric(node.args[0])
            case "call" if node.data == "diag":
                return True
            case "call" if node.data == "had":
                return all(map(self.symmetric, node.args))
            case "mul":
                return self.semidefinite(node)
        return False

    def palindrome(self, matrices: list[Expr]) -> bool:
        """Whether a product is BᵀB, or BᵀSB with S positive semi-definite."""
        texts = [str(m) for m in matrices]
        mirror = [
            str(m.args[0]) if m.op == "transpose" else
            str(m) if self.symmetric(m) else f"{_wrapped(m)}.T"
            for m in reversed(matrices)
        ]  # fmt: skip
        if texts != mirror:
            return False
        if len(matrices) % 2 == 0:
            return True
        return self.semidefinite(matrices[len(matrices) // 2])

    @_remembered
    def semidefinite(self, node: Expr) -> bool:
        """Whether the matrix is symmetric positive semi-definite."""
        if node.shape == NUMBER:
            return self.nonneg(node)
        match node.op:
            case "eye":
                return True
            case "sym":
                return self.kind(node) in ("psd", "pd")
            case "add":
                written = not self.elementary
                return written and all(map(self.semidefinite, node.args))
            case "transpose":
                return self.semidefinite(node.args[0])
            case "div":
                return self.semidefinite(node.args[0]) and self.positive(node.args[1])
            case "inv":
                return self.definite(node.args[0])
            case "pow":
                even = Fraction(node.args[1].data) % 2 == 0
                base = node.args[0]
                return self.semidefinite(base) or (even and self.symmetric(base))
            case "mul":
                numbers, matrices = self.factors(node)
                return self._nonneg_numbers(numbers) and self.palindrome(matrices)
        return False

    @_remembered
    def definite(self, node: Expr) -> bool:
        """Whether the matrix is symmetric positive definite."""
        if node.shape == NUMBER:
            return self.positive(node)
        if self.semidefinite(node) and self._assumed(node):
            return True
        match node.op:
            case "eye":
                return True
            case "sym":
                return self.kind(node) == "pd"
            case "add":
                one, two = node.args
                return (self.definite(one) and self.semidefinite(two)) or (
                    self.semidefinite(one) and self.definite(two)
                )
            case "div":
                return self.definite(node.args[0]) and self.positive(node.args[1])
            case "transpose" | "inv" | "pow":
                return self.definite(node.args[0])
            case "mul":
                numbers, matrices = self.factors(node)
                return (
                    all(map(self.positive, numbers))
                    and all(map(self.regular, matrices))
                    and self.palindrome(matrices)
                )
        return False

    @_remembered
    def regular(self, node: Expr) -> bool:
        """Whether the matrix (or number) surely has an inverse."""
        if node.shape == NUMBER:
            return self.positive(node) or self._nonzero(node)
        if self.definite(node) or self._assumed(node):
            return True
        match node.op:
            case "mul":
                return all(map(self.regular, node.args))
            case "transpose" | "inv" | "neg" | "pow":
                return self.regular(node.args[0])
            case "div":
                return self.regular(node.args[0])
        return False

    def _nonzero(self, node: Expr) -> bool:
        match node.op:
            case "num":
                return bool(node.data != 0)
            case "neg" | "pow" | "inv":
                return self.regular(node.args[0])
            case "mul" | "div":
                return all(map(self.regular, node.args))
        return False

    def _assumed(self, node: Expr) -> bool:
        return any(str(node) == str(other) for other in self.invertible)


def _wrapped(node: Expr) -> str:
    return str(Expr("transpose", (node,)))[:-2]


def _declared_positive(symbols: Mapping[str, Symbol]) -> frozenset[str]:
    """What positive numbers stand for: if s > 0 is w.T@w, then that is positive."""
    return frozenset(
        _as_product(symbol.definition)
        for symbol in symbols.values()
        if symbol.kind == "positive" and symbol.definition is not None
    )


def _as_product(node: Expr) -> str:
    """The text of a number; a squared norm, or w with itself, as w.T@w."""
    if node.op == "call" and node.data in ("norm2", "dot"):
        one, two = node.args[0], node.args[-1]
        if str(one) == str(two) and one.shape and one.shape[1] == "1":
            return f"{_wrapped(one)}.T@{_wrapped(one)}"
    return str(node)
