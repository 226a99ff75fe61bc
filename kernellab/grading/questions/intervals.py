"""Intervals of decimals: each operation encloses every value that it may have.

The ends are computed with 80 digits and rounded outwards, so that a number whose
interval lies below zero is below zero.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

DIGITS = 80

_TRAPS = [decimal.Overflow, decimal.InvalidOperation, decimal.DivisionByZero]
DOWN = decimal.Context(DIGITS, decimal.ROUND_FLOOR, -9999, 9999, traps=_TRAPS)
UP = decimal.Context(DIGITS, decimal.ROUND_CEILING, -9999, 9999, traps=_TRAPS)
PI = (
    "3.14159265358979323846264338327950288419716939937510"
    "58209749445923078164062862089986280348253421170679"
)
ZERO, ONE = Decimal(0), Decimal(1)
LARGEST_ANGLE = Decimal(100)


class NoValue(ArithmeticError):
    """An operation has no real value here, or none that could be computed."""


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high`, both included.

    Examples
    --------
    >>> third = Interval.of(Fraction(1, 3))
    >>> third.low < third.high, (third * third - Interval.of(1)).sign()
    (True, -1)
    """

    low: Decimal
    high: Decimal

    @classmethod
    def of(cls, value: Fraction | int) -> Interval:
        """Return the narrowest interval around a rational number."""
        top, below = Decimal(value.numerator), Decimal(value.denominator)
        return _safe(lambda: cls(DOWN.divide(top, below), UP.divide(top, below)))

    def sign(self) -> int | None:
        """Return −1, 0 or 1; None if the interval does not tell."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high == 0 else None

    def __add__(self, other: Interval) -> Interval:
        return _safe(
            lambda: Interval(
                DOWN.add(self.low, other.low), UP.add(self.high, other.high)
            )
        )

    def __neg__(self) -> Interval:
        return Interval(self.high.copy_negate(), self.low.copy_negate())

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        pairs = [(a, b) for a in self._ends for b in other._ends]
        return _safe(
            lambda: Interval(
                min(DOWN.multiply(a, b) for a, b in pairs),
                max(UP.multiply(a, b) for a, b in pairs),
            )
        )

    def inverse(self) -> Interval:
        """Return 1/x."""
        if self.sign() in (0, None):
            raise NoValue("a division by zero")
        return _safe(
            lambda: Interval(DOWN.divide(ONE, self.high), UP.divide(ONE, self.low))
        )

    def sqrt(self) -> Interval:
        """Return √x, for x ≥ 0."""
        if self.low < 0:
            raise NoValue("the square root of a negative number")
        # Correctly rounded to the nearest whatever the context says: one step out.
        return _safe(
            lambda: Interval(
                max(ZERO, DOWN.sqrt(self.low).next_minus(DOWN)),
                UP.sqrt(self.high).next_plus(UP),
            )
        )

    def exp(self) -> Interval:
        """eˣ."""
        return _safe(
            lambda: Interval(
                max(ZERO, DOWN.exp(self.low).next_minus(DOWN)),
                UP.exp(self.high).next_plus(UP),
            )
        )

    def log(self) -> Interval:
        """Return the natural logarithm, for x > 0."""
        if self.low <= 0:
            raise NoValue("the logarithm of a number that is not positive")
        return _safe(
            lambda: Interval(
                DOWN.ln(self.low).next_minus(DOWN), UP.ln(self.high).next_plus(UP)
            )
        )

    def cos(self) -> Interval:
        """cos x = Σ (−1)ᵏ x²ᵏ/(2k)!, with the first term left out as the error."""
        if max(map(abs, self._ends)) > LARGEST_ANGLE:
            raise NoValue("the cosine of an angle beyond 100")
        middle = Interval(self.low, self.low)
        square, term, total = middle * middle, Interval(ONE, ONE), Interval(ZERO, ZERO)
        k = 0
        while term.high > Decimal(10) ** -DIGITS or 2 * k < abs(self.low):
            total = total + term if k % 2 == 0 else total - term
            k += 1
            term = term * square * Interval.of(Fraction(1, (2 * k) * (2 * k - 1)))
        slack = UP.add(UP.subtract(self.high, self.low), term.high)
        return total + Interval(-slack, slack)

    @property
    def _ends(self) -> tuple[Decimal, Decimal]:
        return self.low, self.high

    def middle(self) -> Decimal:
        """Return a number near the middle."""
        return DOWN.divide(DOWN.add(self.low, self.high), Decimal(2))


def pi() -> Interval:
    """Return π."""
    digits = Decimal(PI)
    return Interval(DOWN.plus(digits), UP.plus(digits))


def _safe(compute: Callable[[], Interval]) -> Interval:
    try:
        return compute()
    except decimal.DecimalException as error:
        raise NoValue("a number that is too large") from error
