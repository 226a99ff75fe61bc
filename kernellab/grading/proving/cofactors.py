"""Linear algebra over rows: which combination of them is the target?

Elimination is modulo a prime with 61 bits, the newest term first; the coefficients are
then found as fractions and checked exactly.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.proving.networks import Poly, Term

PRIME = 2**61 - 1

Vector = dict[int, int]


class Elimination:
    """Rows in echelon form, each with the combination of given rows that it is."""

    def __init__(self) -> None:
        self.order: dict[Term, int] = {}
        self.pivots: dict[int, tuple[Vector, Vector]] = {}
        self.given: list[Poly] = []
        self.touched: set[Term] = set()

    def vector(self, poly: Poly) -> Vector:
        """Return a polynomial as a sparse vector modulo the prime."""
        found = {}
        for term, c in poly.items():
            place = self.order.setdefault(term, len(self.order))
            found[place] = c.numerator * _back(c.denominator) % PRIME
        return found

    def add(self, poly: Poly) -> None:
        """Take another row."""
        self.given.append(poly)
        self.touched.update(poly)
        row, mix = self._reduced(self.vector(poly), {len(self.given) - 1: 1})
        if not row:
            return
        lead = max(row)
        back = pow(row[lead], -1, PRIME)
        self.pivots[lead] = (
            {k: v * back % PRIME for k, v in row.items()},
            {k: v * back % PRIME for k, v in mix.items()},
        )

    def _reduced(self, row: Vector, mix: Vector) -> tuple[Vector, Vector]:
        done: set[int] = set()
        while True:
            lead = max((k for k in row if k not in done), default=None)
            if lead is None:
                return row, mix
            if lead not in self.pivots:
                done.add(lead)
                continue
            factor = row[lead]
            pivot, combination = self.pivots[lead]
            _subtract(row, pivot, factor)
            _subtract(mix, combination, factor)

    def residue(self, poly: Poly) -> dict[int, Fraction]:
        """Return what is left of a polynomial when the rows are taken away."""
        row, _ = self._reduced(self.vector(poly), {})
        return {k: _fraction(v) for k, v in row.items()}

    def combination(self, target: Poly) -> dict[int, Fraction] | None:
        """Return coefficients c with Σ c·row = target, or None."""
        row, mix = self._reduced(self.vector(target), {})
        if row:
            return None
        found = {k: _fraction(-v % PRIME) for k, v in mix.items() if v}
        return found if self._exact(found, target) else None

    def _exact(self, mix: dict[int, Fraction], target: Poly) -> bool:
        total = dict(target)
        for k, c in mix.items():
            for term, value in self.given[k].items():
                total[term] = total.get(term, Fraction(0)) - c * value
        return not any(total.values())


def _back(value: int) -> int:
    return 1 if value == 1 else pow(value, -1, PRIME)


def _subtract(row: Vector, other: Vector, factor: int) -> None:
    for k, v in other.items():
        value = (row.get(k, 0) - factor * v) % PRIME
        if value:
            row[k] = value
        else:
            row.pop(k, None)


def _fraction(value: int) -> Fraction:
    """Return the fraction with small numerator and denominator of that residue."""
    if value > PRIME - (1 << 30):
        return Fraction(value - PRIME)
    bound = 1 << 30
    a, b, x, y = PRIME, value, 0, 1
    while b > bound:
        q = a // b
        a, b, x, y = b, a - q * b, y, x - q * y
    return Fraction(b, y)
