"""Signs: what is positive, semi-definite or invertible by form or by declaration."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from kernellab.grading.checking.expansion import Expansion, shape_of
from kernellab.grading.checking.functions import common_factor, is_positive_atom
from kernellab.grading.checking.labelling import Atom, is_bound
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.squares import Entry, has_square_form
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, Term, single
from kernellab.grading.language.tree import NUMBER, Expr

UNKNOWN, WEAK, STRICT = 0, 1, 2  # nothing; ≥ 0 or semi-definite; > 0 or definite
MATRICES = {"psd": WEAK, "pd": STRICT}
NUMBERS = {"nonneg": WEAK, "positive": STRICT}
TURNED = {ROW: COLUMN, COLUMN: ROW}


@dataclass(frozen=True)
class Signs:
    """Tells signs, and what may be inverted.

    Parameters
    ----------
    assumed : what is invertible by an assumption, or not 0 in the case at hand.
    """

    names: Names
    assumed: tuple[Expr, ...] = ()

    def readings(self, node: Expr) -> list[Sum]:
        """Return a tree multiplied out with all definitions closed, and all open."""
        defined = self.names.defined
        return [Expansion(self.names, names)(node) for names in (frozenset(), defined)]

    # Sums

    def sign(self, one: Sum, matrix: bool = False) -> int:
        """Return what is seen of a number's sign, or of a matrix's definiteness."""
        if any(one.ratio(two) > 0 for two in self._declared[matrix]):
            return STRICT
        terms = one.terms.items()
        found = [self._of_term(term, matrix) if c > 0 else UNKNOWN for term, c in terms]
        return UNKNOWN if UNKNOWN in found else max(found, default=WEAK)

    def _of_term(self, term: Term, matrix: bool) -> int:
        powers, factors = term
        signs = [self._of_power(atom, p) for atom, p in powers]
        if matrix and len(factors) == 1 and set(factors[0][1]) == {ROW, COLUMN}:
            signs.append(self._of_matrix(factors[0][0]))
        elif matrix or factors:
            signs.append(WEAK * self._is_square(factors, TURNED if matrix else {}))
        return min(signs, default=STRICT)

    def _of_power(self, atom: Atom, power: Fraction) -> int:
        even = power % 2 == 0 or power.denominator == 2
        return self._of_number(atom) or WEAK * even

    def _of_number(self, atom: Atom) -> int:
        if is_positive_atom(self.names, atom):
            return STRICT
        match atom.kind:
            case "symbol":
                return NUMBERS.get(self.names.kind(atom.data), UNKNOWN)
            case "entry":
                (name, at), numbers = atom.data, NUMBERS
                if len(at) == 2 and at[0] == at[1]:
                    numbers = NUMBERS | MATRICES
                return numbers.get(self.names.kind(name), UNKNOWN)
            case "base":
                return self.sign(atom.inner)
            case "net":
                if any(single(atom).ratio(two) > 0 for two in self._declared[False]):
                    return STRICT
                return WEAK * self._is_square(atom.data, {})
            case "det":
                return STRICT * (self.sign(atom.inner, matrix=True) == STRICT)
            case "cov":
                return WEAK * bool(atom.data[0] == atom.data[1])
        return UNKNOWN

    def _of_matrix(self, atom: Atom) -> int:
        match atom.kind:
            case "eye":
                return STRICT
            case "symbol":
                return MATRICES.get(self.names.kind(atom.data), UNKNOWN)
            case "inverse":  # semi-definite and invertible
                return STRICT * bool(self.sign(atom.inner, matrix=True))
            case "cov":
                return WEAK * bool(atom.data[0] == atom.data[1])
        return UNKNOWN

    def _is_square(self, factors: tuple[tuple[Atom, tuple[str, ...]], ...],
                   start: dict[str, str]) -> bool:  # fmt: skip
        """Return True if a product is a square; with row ↔ column, if vᵀ(…)v is one."""
        entries = [Entry("any vector", (index,)) for index in start]
        for atom, at in factors:
            semidefinite = len(at) == 2 and self._of_matrix(atom) != UNKNOWN
            nonneg = self._of_number(atom) != UNKNOWN and atom.kind in ("symbol", "exp")
            entries.append(Entry(atom.key, at, atom.symmetric, semidefinite, nonneg))
        bound = sorted({i for _, at in factors for i in at if is_bound(i)})
        return has_square_form(entries, bound, start)

    @cached_property
    def _declared(self) -> tuple[list[Sum], list[Sum]]:
        """What definitions make of symbols declared to be positive, or definite."""

        def of(kind: str) -> list[Sum]:
            symbols = [s for s in self.names.table.values() if s.kind == kind]
            trees = [s.definition for s in symbols if s.definition is not None]
            return [one for tree in trees for one in self.readings(tree)]

        return of("positive"), of("pd")

    # Licences

    def invertible(self, node: Expr) -> bool:
        """Return True if a matrix may be inverted, or a number divided by."""
        factors = node.args if node.op in ("inv", "mul") else ()
        factors = node.args[:1] if node.op == "pow" else factors
        square = bool(factors) and all(x.shape == node.shape for x in factors)
        if square and all(map(self.invertible, factors)):
            return True
        matrix = shape_of(node) != NUMBER
        return any(self.invertible_sum(x, matrix) for x in self.readings(node))

    def invertible_sum(self, one: Sum, matrix: bool) -> bool:
        """Return True if what was multiplied out may be inverted."""
        if STRICT in (self.sign(one, matrix), self.sign(-one, matrix)):
            return True
        trees = (*self.assumed, *self.names.problem.inverted)
        alike = (tree for tree in trees if (shape_of(tree) != NUMBER) == matrix)
        regular = [x for tree in alike for x in self.readings(tree)]
        return any(self._is_multiple(one, two) for two in regular)

    def _is_multiple(self, one: Sum, two: Sum) -> bool:
        """Return True if a matrix is another or its transpose, times no zero."""
        if not one or not two:
            return False
        if one.ratio(two):
            return True
        factor, core = common_factor(one)
        cores = (common_factor(two)[1], common_factor(two.T)[1])
        return core in cores and STRICT in (self.sign(factor), self.sign(-factor))

    # Expressions

    def nonneg(self, x: Expr) -> bool:
        """Return True if a number is not negative by its form."""
        if shape_of(x) != NUMBER:
            return False
        same = len(x.args) == 2 and x.args[0] == x.args[1]
        match x.op:
            case "add" | "sum":
                seen = all(map(self.nonneg, x.args))
            case "mul" | "div":
                square = same and shape_of(x.args[0]) == NUMBER
                seen = square or all(map(self.nonneg, x.args))
            case "pow":
                seen = x.args[1].data % 2 == 0 or self.nonneg(x.args[0])
            case "transpose":
                seen = self.nonneg(x.args[0])
            case "sym" if (meaning := self.names.definition(x.data)) is not None:
                seen = self.nonneg(meaning)
            case "call":
                seen = x.data in ("norm2", "exp", "sqrt") or (x.data == "dot" and same)
            case _:
                seen = False
        return seen or self._is_form(x) or any(map(self.sign, self.readings(x)))

    def _is_form(self, x: Expr) -> bool:
        """Return True for c·zᵀMz with c ≥ 0, M semi-definite, whatever z is made of."""
        numbers, factors = split_product(x)
        if len(factors) < 2 or not all(map(self.nonneg, numbers)):
            return False
        e, (first, *middle, last) = Expansion(self.names), factors
        return e(first) == e(last).T and (not middle or self.semidefinite(middle))

    def semidefinite(self, factors: list[Expr]) -> bool:
        """Return True if a product of matrices is semi-definite."""
        M = factors[0]
        for factor in factors[1:]:
            M = Expr("mul", (M, factor), "@", (shape_of(M)[0], shape_of(factor)[1]))
        declared = M.op == "sym" and self.names.kind(M.data) in MATRICES
        return declared or any(self.sign(x, matrix=True) for x in self.readings(M))


def split_product(node: Expr) -> tuple[list[Expr], list[Expr]]:
    """Return the numbers, and the matrices in their order, of a product."""
    if node.op != "mul":
        return [], [node]
    pairs = [([x], []) if x.shape == NUMBER else split_product(x) for x in node.args]
    return pairs[0][0] + pairs[1][0], pairs[0][1] + pairs[1][1]
