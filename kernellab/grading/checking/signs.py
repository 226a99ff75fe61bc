"""Signs: what is seen from its form to be positive, or positive semi-definite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from kernellab.grading.checking.atoms import Atom
from kernellab.grading.checking.functions import is_positive_atom
from kernellab.grading.checking.labelling import Factor, is_bound
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.squares import Entry, has_square_form
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, Term, opened, scale

DEFINITE, SEMIDEFINITE, UNKNOWN = 2, 1, 0


@dataclass(frozen=True)
class Signs:
    """Signs of sums.

    Parameters
    ----------
    positive_forms : tells whether a number is, by a declaration, positive.
    definite_forms : tells whether a matrix is, by a declaration, definite.
    """

    names: Names
    positive_forms: Callable[[Sum], bool] = field(default=lambda one: False)
    definite_forms: Callable[[Sum], bool] = field(default=lambda one: False)

    # Numbers

    def is_nonneg(self, one: Sum) -> bool:
        """Return True if every term is seen to be ≥ 0."""
        return all(c > 0 and self._nonneg_term(term) for term, c in one.items())

    def is_positive(self, one: Sum) -> bool:
        """Return True if no term is negative and one is positive."""
        if self.positive_forms(one):
            return True
        return self.is_nonneg(one) and any(map(self._positive_term, one))

    def is_nonzero(self, one: Sum) -> bool:
        """Return True if a number is positive, negative, or a product of such."""
        if any(self.is_positive(scale(one, sign)) for sign in (1, -1)):
            return True
        if len(one) != 1:
            return False
        ((powers, nets),) = one
        return not nets and all(self._nonzero_atom(atom) for atom, _ in powers)

    def _nonzero_atom(self, atom: Atom) -> bool:
        one: Sum = {(((atom, Fraction(1)),), ()): Fraction(1)}
        return self.positive_atom(atom) or self.positive_forms(one)

    def _nonneg_term(self, term: Term) -> bool:
        powers, nets = term
        if not all(self._nonneg_power(atom, p) for atom, p in powers):
            return False
        return self._square(opened(((), nets), Fraction(1)).factors)

    def _positive_term(self, term: Term) -> bool:
        powers, nets = term
        return not nets and all(self._nonzero_atom(atom) for atom, _ in powers)

    def positive_atom(self, atom: Atom) -> bool:
        """Return True for a number that is positive by its kind."""
        if is_positive_atom(self.names, atom):
            return True
        if atom.kind == "base":
            return self.is_positive(atom.inner)
        if atom.kind == "entry":
            kind, at = self.names.table[atom.data[0]].kind, atom.data[1]
            return kind == "pd" and len(at) == 2 and bool(at[0] == at[1])
        return atom.kind == "det" and self.definiteness(atom.inner) == DEFINITE

    def _nonneg_power(self, atom: Atom, power: Fraction) -> bool:
        if power % 2 == 0 or power.denominator == 2 or self.positive_atom(atom):
            return True
        if atom.kind == "network":
            return self._square(atom.data)
        if atom.kind == "base":
            return self.is_nonneg(atom.inner)
        if atom.kind == "entry":
            kind, at = self.names.table[atom.data[0]].kind, atom.data[1]
            diagonal = len(at) == 2 and bool(at[0] == at[1])
            return kind == "nonneg" or (kind == "psd" and diagonal)
        if atom.kind == "cov":
            return bool(atom.data[0] == atom.data[1])
        return self._nonneg_entries(atom)

    def _nonneg_entries(self, atom: Atom) -> bool:
        if atom.kind == "symbol" and atom.data in self.names.table:
            return self.names.table[atom.data].kind in ("nonneg", "positive")
        return atom.kind == "exp"

    # Matrices

    def definiteness(self, one: Sum) -> int:
        """Return whether a matrix is seen to be definite, semi-definite, or neither."""
        if self.definite_forms(one):
            return DEFINITE
        found = [self._of_term(term) if c > 0 else UNKNOWN for term, c in one.items()]
        return UNKNOWN if min(found, default=UNKNOWN) == UNKNOWN else max(found)

    def is_semidefinite(self, one: Sum) -> bool:
        """Return True if a matrix is seen to be semi-definite; 0 is."""
        return not one or self.definiteness(one) != UNKNOWN

    def _of_term(self, term: Term) -> int:
        powers, nets = term
        if not all(self._nonneg_power(atom, p) for atom, p in powers):
            return UNKNOWN
        factors = opened(((), nets), Fraction(1)).factors
        if len(factors) == 1 and set(factors[0][1]) == {ROW, COLUMN}:
            sharp = all(self._nonzero_atom(atom) for atom, _ in powers)
            kind = self.matrix_atom(factors[0][0])
            return kind if sharp else min(kind, SEMIDEFINITE)
        return SEMIDEFINITE if self._square(factors, turned=True) else UNKNOWN

    def matrix_atom(self, atom: Atom) -> int:
        """Return the definiteness of a matrix that is an atom."""
        match atom.kind:
            case "eye":
                return DEFINITE
            case "symbol" if len(atom.sizes) == 2 and atom.data in self.names.table:
                kinds = {"psd": SEMIDEFINITE, "pd": DEFINITE}
                return kinds.get(self.names.table[atom.data].kind, UNKNOWN)
            case "inverse":
                return DEFINITE if self.is_semidefinite(atom.inner) else UNKNOWN
            case "cov" if atom.data[0] == atom.data[1] and len(atom.sizes) == 2:
                return SEMIDEFINITE
        return UNKNOWN

    def _square(self, factors: Sequence[Factor], turned: bool = False) -> bool:
        """Return True if a network is a square; `turned`, if vᵀ(…)v is one."""
        entries = [self.entry(atom, indices) for atom, indices in factors]
        start: dict[str, str] = {}
        if turned:
            entries += [Entry("any vector", (ROW,)), Entry("any vector", (COLUMN,))]
            start = {ROW: COLUMN, COLUMN: ROW}
        bound = sorted({i for _, at in factors for i in at if is_bound(i)})
        return has_square_form(entries, bound, start)

    def entry(self, atom: Atom, indices: tuple[str, ...]) -> Entry:
        """Return a factor with what is known of its sign."""
        semidefinite = len(indices) == 2 and self.matrix_atom(atom) != UNKNOWN
        nonneg = self._nonneg_entries(atom)
        return Entry(atom.key, indices, atom.symmetric, semidefinite, nonneg)
