"""Linear algebra over rows: which combination of them is the target?

Elimination is modulo a prime with 61 bits, the newest term first; the coefficients are
then found as fractions and checked exactly.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.proving.networks import Poly, Term
from kernellab.grading.work import Work

PRIME = 2**61 - 1
LARGEST = 1 << 30  # numerator or denominator of a coefficient

Vector = dict[int, int]


class Elimination:
    """Rows in echelon form, each with the combination of given rows that it is."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.order: dict[Term, int] = {}
        self.pivots: dict[int, tuple[Vector, Vector]] = {}
        self.given: list[Poly] = []

    def vector(self, poly: Poly) -> Vector:
        """Return a polynomial as a sparse vector modulo the prime."""
        found = {}
        for term, c in poly.items():
            place = self.order.setdefault(term, len(self.order))
            back = 1 if c.denominator == 1 else pow(c.denominator, -1, PRIME)
            found[place] = c.numerator * back % PRIME
        return found

    def add(self, poly: Poly) -> None:
        """Take another row."""
        self.given.append(poly)
        row, mix = self._reduced(self.vector(poly), {len(self.given) - 1: 1})
        if row:
            lead = max(row)
            back = pow(row[lead], -1, PRIME)
            self.pivots[lead] = _scaled(row, back), _scaled(mix, back)

    def _reduced(self, row: Vector, mix: Vector) -> tuple[Vector, Vector]:
        """Subtract pivots, the newest term first; what is left has no pivot."""
        place = max(row, default=-1)
        while place >= 0:
            if place in row and place in self.pivots:
                pivot, combination = self.pivots[place]
                factor = row[place]
                self.work.do(1 + (len(pivot) + len(combination)) // 3)
                _subtract(row, pivot, factor)
                _subtract(mix, combination, factor)
            place -= 1
        return row, mix

    def residue(self, poly: Poly) -> dict[int, Fraction]:
        """Return what is left of a polynomial when the rows are taken away."""
        row, _ = self._reduced(self.vector(poly), {})
        return {k: _fraction(v) for k, v in row.items()}

    def combination(self, target: Poly) -> dict[int, Fraction] | None:
        """Return coefficients c with Σ c·row = target, or None."""
        if any(term not in self.order for term in target):
            return None
        row, mix = self._reduced(self.vector(target), {})
        if row:
            return None
        found = {k: _fraction(-v % PRIME) for k, v in mix.items() if v}
        return found if self._exact(found, target) else None

    def _exact(self, mix: dict[int, Fraction], target: Poly) -> bool:
        total = dict(target)
        for k, c in mix.items():
            for term, value in self.given[k].items():
                total[term] = total.get(term, 0) - c * value
        return not any(total.values())


def _scaled(row: Vector, by: int) -> Vector:
    return row if by == 1 else {k: v * by % PRIME for k, v in row.items()}


def _subtract(row: Vector, other: Vector, factor: int) -> None:
    for k, v in other.items():
        value = (row.get(k, 0) - factor * v) % PRIME
        if value:
            row[k] = value
        else:
            row.pop(k, None)


def _fraction(value: int) -> Fraction:
    """Return the fraction with small numerator and denominator of that residue."""
    if value > PRIME - LARGEST:
        return Fraction(value - PRIME)
    a, b, x, y = PRIME, value, 0, 1
    while b > LARGEST:
        q = a // b
        a, b, x, y = b, a - q * b, y, x - q * y
    return Fraction(b, y)
