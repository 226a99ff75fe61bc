"""Linear algebra over rows: which combination of them is the target?

Elimination in exact arithmetic, the newest term first. Long fractions take long, so
that work is counted by their digits.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.proving.networks import Poly, Term
from kernellab.grading.proving.rationals import Rational, add_to, whole
from kernellab.grading.work import Work

Vector = dict[int, Rational]  # without zeros


class Elimination:
    """Rows in echelon form, each with the combination of given rows that it is."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.order: dict[Term, int] = {}
        self.pivots: dict[int, tuple[Vector, Vector]] = {}
        self.count = 0  # of the rows given

    def vector(self, poly: Poly) -> Vector:
        """Return a polynomial with numbers for its terms."""
        order = self.order
        return {order.setdefault(term, len(order)): c for term, c in poly.items()}

    def add(self, poly: Poly) -> None:
        """Take another row."""
        row, mix = self._reduced(self.vector(poly), {self.count: 1})
        self.count += 1
        if row:
            lead = max(row)
            c = row[lead]
            self.pivots[lead] = divided(row, c), divided(mix, c)

    def _reduced(self, row: Vector, mix: Vector) -> tuple[Vector, Vector]:
        """Subtract pivots, the newest term first; what is left has no pivot."""
        place = max(row, default=-1)
        while place >= 0:
            if place in row and place in self.pivots:
                pivot, combination = self.pivots[place]
                factor = row[place]
                bits = factor.numerator.bit_length() + factor.denominator.bit_length()
                self.work.do(1 + (len(pivot) + len(combination)) * (8 + bits) // 16)
                add_to(row, pivot, -factor)
                add_to(mix, combination, -factor)
            place -= 1
        return row, mix

    def residue(self, poly: Poly) -> Vector:
        """Return what is left of a polynomial when the rows are taken away."""
        return self._reduced(self.vector(poly), {})[0]

    def combination(self, target: Poly) -> Vector | None:
        """Return coefficients c with Σ c·row = target, or None."""
        if any(term not in self.order for term in target):
            return None
        row, mix = self._reduced(self.vector(target), {})
        return None if row else {k: -c for k, c in mix.items()}


def divided(row: Vector, by: Rational) -> Vector:
    """Return a row divided by a number."""
    back = whole(Fraction(1) / by)
    return row if back == 1 else {k: c * back for k, c in row.items()}
