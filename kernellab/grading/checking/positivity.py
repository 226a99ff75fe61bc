"""Positivity: pieces of a bound that are not negative by their form."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.grading.certificates import Factor, Piece, Proven
from kernellab.grading.checking.atoms import Refused
from kernellab.grading.checking.expansion import Expansion, axes, matmul, shape_of
from kernellab.grading.checking.facts import (
    Axes,
    Known,
    relation_axes,
    relation_of,
)
from kernellab.grading.checking.functions import index_sizes
from kernellab.grading.checking.licences import Licences
from kernellab.grading.checking.signs import Signs
from kernellab.grading.checking.squares import Entry, is_square
from kernellab.grading.checking.sums import (
    Sum,
    multiply,
    number,
    scale,
    subtract,
    text,
    transpose,
)
from kernellab.grading.checking.uses import factor_sum, placed
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr


@dataclass(frozen=True)
class Positivity:
    """Multiplies out pieces that are not negative.

    Parameters
    ----------
    known : the bounds that may be cited.
    e : how trees are multiplied out.
    """

    known: Known
    e: Expansion
    licences: Licences

    @property
    def signs(self) -> Signs:
        return self.licences.signs

    def piece_sum(self, piece: Piece, where: Axes) -> Sum:
        """Return coefficient × context × piece.

        Raises
        ------
        Refused
            If it may be negative.
        """
        if piece.coefficient <= 0:
            raise Refused("the coefficient of a piece is not positive")
        for factor in piece.context:
            square = piece.context.count(factor) % 2 == 0
            if not square and not self.nonneg_factor(factor):
                raise Refused(f"the factor {factor.tree} may be negative")
        if piece.what[0] == "mirror":
            value, at, names = self._mirror(piece, where)
        else:
            value, at = self._value(piece)
            names = piece.names
            if piece.what[0] == "square":
                names = names or tuple(at)  # its indices are the claim's own
        sums = piece.sums
        value = placed(self.e, value, at, piece.context, names, sums, where)
        return scale(value, piece.coefficient)

    def is_strict(self, piece: Piece) -> bool:
        """Return True for a strict bound that stands, times positive numbers."""
        if piece.what[0] not in ("line", "given", "chain"):
            return False
        stated = relation_of(self.known, piece.what)
        return stated.sign in ("<", ">") and all(
            not factor.indices and self.signs.is_positive(self.e(factor.tree))
            for factor in piece.context
        )

    def _value(self, piece: Piece) -> tuple[Sum, Axes]:
        match piece.what:
            case ("line" | "given" | "chain", *_):
                return self._bound(relation_of(self.known, piece.what))
            case ("square", x):
                if not self.nonneg(x):
                    raise Refused(f"{x} is not seen to be a square")
                value = self.e(x)
                sizes = index_sizes(value)
                return value, {name: sizes[name] for name in sorted(sizes)}
            case ("cauchy", u, v, M):
                return self._cauchy(u, v, M), {}
        raise Refused(f"“{piece.what[0]}” is no piece of a bound")

    def _bound(self, stated: Proven) -> tuple[Sum, Axes]:
        """Return the larger side minus the smaller one."""
        if stated.sign[:1] not in ("<", ">"):
            raise Refused("an equation is cited as a bound")
        sides = (self.e(stated.left), self.e(stated.right))
        large, small = sides if stated.sign[0] == ">" else sides[::-1]
        at = relation_axes(stated.left, stated.right, stated.free)
        return subtract(large, small), at

    # Squares

    def nonneg(self, x: Expr) -> bool:
        """Return True if a number is not negative by its form."""
        if shape_of(x) != NUMBER:
            return False
        match x.op:
            case "add":
                good = all(map(self.nonneg, x.args))
            case "sum":
                good = self.nonneg(x.args[0])
            case "pow":
                good = x.args[1].data % 2 == 0 or self.nonneg(x.args[0])
            case "call" if x.data in ("norm2", "exp", "sqrt"):
                good = True
            case "call" if x.data == "dot":
                good = x.args[0] == x.args[1]
            case "mul" | "div" if all(shape_of(arg) == NUMBER for arg in x.args):
                good = x.args[0] == x.args[1] or all(map(self.nonneg, x.args))
            case _:
                good = False
        return good or self._quadratic(x) or self._nonneg_sum(x)

    def _nonneg_sum(self, x: Expr) -> bool:
        """Return True if every term is a square, once multiplied out."""
        return any(map(self.signs.is_nonneg, self.licences.forms(x, self.e.opened)))

    def _quadratic(self, x: Expr) -> bool:
        """Return True for c·zᵀMz with c ≥ 0, M semi-definite, whatever z is made of."""
        numbers, factors = split_product(x)
        if len(factors) < 2 or self.e(factors[0]) != transpose(self.e(factors[-1])):
            return False
        if not all(map(self.nonneg, numbers)):
            return False
        return len(factors) == 2 or self.semidefinite(matrix_product(factors[1:-1]))

    def semidefinite(self, M: Expr) -> bool:
        """Return True if a matrix is semi-definite by its form or by declaration."""
        symbol = self.e.names.table.get(M.data) if M.op == "sym" else None
        if symbol is not None and symbol.kind in ("psd", "pd"):
            return True
        forms = self.licences.forms(M, self.e.opened)
        return any(map(self.signs.is_semidefinite, forms))

    def nonneg_factor(self, factor: Factor) -> bool:
        """Return True if a factor of a context is not negative, entry by entry."""
        if shape_of(factor.tree) == NUMBER:
            return factor.power % 2 == 0 or self.nonneg(factor.tree)
        forms = self.licences.forms(factor.tree, self.e.opened)
        if any(map(self.signs.is_nonneg, forms)):
            return True
        diagonal = len(factor.indices) == 2 and len(set(factor.indices)) == 1
        return diagonal and self.semidefinite(factor.tree)

    def _cauchy(self, u: Expr, v: Expr, M: Expr | None) -> Sum:
        """Return (uᵀMu)(vᵀMv) − (uᵀMv)²."""
        if M is not None and not self.semidefinite(M):
            raise Refused(f"{M} is not seen to be semi-definite")
        if shape_of(u) != shape_of(v) or shape_of(u)[1] != "1":
            raise Refused("Cauchy's inequality is about two columns")

        def form(x: Expr, y: Expr) -> Sum:
            image = self.e(y)
            if M is not None:
                image = matmul(self.e(M), image, shape_of(M)[1])
            return multiply(self.e(x), image, axes(shape_of(x)))

        mixed = form(u, v)
        return subtract(multiply(form(u, u), form(v, v)), multiply(mixed, mixed))

    def _mirror(self, piece: Piece, where: Axes) -> tuple[Sum, Axes, tuple[str, ...]]:
        """Return the product of the factors, if the exchange shows a square."""
        _, factors, exchange = piece.what
        pairs = dict(exchange)
        moved = {i for i, j in pairs.items() if i != j}
        if not moved <= {name for name, _ in piece.sums}:
            raise Refused("an exchange moves an index that is not summed over")
        for factor in piece.context:
            if moved & {*factor.indices, *factor.tree.indices}:
                raise Refused("an exchange moves an index of the context")
        entries = [entry for f in factors for entry in self._entries(f)]
        if not is_square(entries, pairs):
            raise Refused("the exchange does not show a square")
        sizes = {**where, **dict(piece.sums)}
        value = number(1)
        for factor in factors:
            value = multiply(value, factor_sum(self.e, factor, sizes))
        found = {name: sizes[name] for name in sorted(index_sizes(value))}
        return value, found, tuple(found)

    def _entries(self, factor: Factor) -> list[Entry]:
        """Return a factor of a mirrored network, once for each power."""
        value, count = self.e(factor.tree), factor.power
        nonneg = self.nonneg_factor(factor)
        if factor.tree.indices or (count.denominator != 1 and not nonneg):
            raise Refused(f"{factor.tree} in a mirrored network has indices, or a root")
        if not factor.indices:
            if not nonneg:
                raise Refused(f"the number {factor.tree} may be negative")
            return []
        matrix = len(factor.indices) == 2
        symmetric = matrix and value == transpose(value)
        semidefinite = matrix and self.semidefinite(factor.tree)
        return [Entry(text(value), factor.indices, symmetric, semidefinite, nonneg)]


def split_product(node: Expr) -> tuple[list[Expr], list[Expr]]:
    """Return the numbers, and the matrices in their order, of a product."""
    if node.op != "mul":
        return [], [node]
    numbers: list[Expr] = []
    matrices: list[Expr] = []
    for arg in node.args:
        found = ([arg], []) if shape_of(arg) == NUMBER else split_product(arg)
        numbers += found[0]
        matrices += found[1]
    return numbers, matrices


def matrix_product(factors: list[Expr]) -> Expr:
    """Return the matrix product of some factors."""
    result = factors[0]
    for factor in factors[1:]:
        shape = (shape_of(result)[0], shape_of(factor)[1])
        result = Expr("mul", (result, factor), "@", shape)
    return result
