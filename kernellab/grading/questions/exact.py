"""Real numbers that can be compared: exact sums of square roots, else intervals.

Formulas of questions are written with `Real`, so that a claim such as cᵀKc < 0 is
decided by arithmetic that cannot err: in fractions and square roots where the
formula allows it, else by 80-digit intervals that enclose the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kernellab.grading.questions.intervals import Interval, NoValue, pi
from kernellab.grading.questions.surds import MOST_BITS, Surd, TooLarge

LARGEST_POWER = 512
SAME = Fraction(1, 10**40)
"""Numbers that are not exact count as equal if they are this close, relatively."""


class Real:
    """A real number: exact while it is a sum of square roots, else enclosed.

    Examples
    --------
    >>> x = sqrt(Real(2)) / 2
    >>> print(x, x * x - Fraction(1, 2), (x - 1).sign(), exp(x))
    √2/2 0 -1 2.02811498…
    """

    __slots__ = ("_surd", "interval")
    _surd: Surd | None
    interval: Interval

    def __init__(self, value: Real | Surd | Interval | Fraction | int) -> None:
        if isinstance(value, int | Fraction):
            value = Surd.of(value)
        if isinstance(value, Real):
            self._surd, self.interval = value._surd, value.interval
        elif isinstance(value, Surd):
            self._surd, self.interval = value, value.enclose()
        elif isinstance(value, Interval):
            self._surd, self.interval = None, value
        else:
            raise TypeError(f"a Real is made of an int or a Fraction, not {value!r}")

    @property
    def exact(self) -> bool:
        """Whether the exact form is known."""
        return self._surd is not None

    @property
    def rational(self) -> Fraction | None:
        """The number as a fraction, if it is known to be one."""
        return None if self._surd is None else self._surd.rational

    def sign(self) -> int | None:
        """Return −1, 0 or 1; None if 80 digits do not tell."""
        if self._surd is not None and not self._surd.terms:
            return 0
        return self.interval.sign()

    def same(self, other: Real | Fraction | int) -> bool:
        """Return whether the two are equal: exactly, or else to forty digits."""
        difference = self - other
        if difference.exact:
            return difference.sign() == 0
        return difference.size() <= SAME * max(self.size(), Fraction(1))

    def size(self) -> Fraction:
        """Return the largest that |x| can be."""
        return Fraction(max(abs(self.interval.low), abs(self.interval.high)))

    def __add__(self, other: Real | Fraction | int) -> Real:
        return _combine(self, Real(other), "__add__")

    def __mul__(self, other: Real | Fraction | int) -> Real:
        return _combine(self, Real(other), "__mul__")

    def __neg__(self) -> Real:
        return Real(-self.interval if self._surd is None else -self._surd)

    def __sub__(self, other: Real | Fraction | int) -> Real:
        return self + -Real(other)

    def __truediv__(self, other: Real | Fraction | int) -> Real:
        return self * Real(other)._inverse()

    def __rsub__(self, other: Fraction | int) -> Real:
        return -self + other

    def __rtruediv__(self, other: Fraction | int) -> Real:
        return self._inverse() * other

    __radd__ = __add__
    __rmul__ = __mul__

    def _inverse(self) -> Real:
        if self._surd is not None:
            try:
                return Real(self._surd.inverse())
            except TooLarge:
                pass
        return Real(self.interval.inverse())

    def __pow__(self, exponent: Real | Fraction | int) -> Real:
        p = exponent.rational if isinstance(exponent, Real) else Fraction(exponent)
        if p is not None and p.denominator == 1:
            return self._whole_power(int(p))
        if p is not None and p.denominator == 2:
            return sqrt(self._whole_power(p.numerator))
        return exp(log(self) * exponent)

    def _whole_power(self, n: int) -> Real:
        if abs(n) > LARGEST_POWER or _bits(self) * abs(n) > 4 * MOST_BITS:
            raise NoValue("a power that is too large")
        if n < 0:
            return self._whole_power(-n)._inverse()
        result, base = Real(1), self
        while n:
            result = result * base if n & 1 else result
            base, n = (base * base if n > 1 else base), n >> 1
        return result

    def __abs__(self) -> Real:
        return -self if _known_sign(self) < 0 else self

    def __float__(self) -> float:
        value = self.rational
        try:
            return float(self.interval.middle() if value is None else value)
        except OverflowError as error:
            raise NoValue("a number that is too large") from error

    def __str__(self) -> str:
        if self._surd is not None:
            text = str(self._surd)
            return text if len(text) <= 40 else f"{float(self):.9g}…"
        return f"{float(self):.9g}…"

    def __repr__(self) -> str:
        return f"Real({self})"


Number = Real | Fraction | int
Point = tuple[Real, ...]


def sqrt(x: Number) -> Real:
    """Return √x."""
    x = Real(x)
    value = x.rational
    if value is not None:
        try:
            return Real(Surd.sqrt(value))
        except TooLarge:
            pass
    return Real(x.interval.sqrt())


def exp(x: Number) -> Real:
    """eˣ; exact at 0."""
    x = Real(x)
    return Real(1) if x.exact and x.sign() == 0 else Real(x.interval.exp())


def log(x: Number) -> Real:
    """ln x; exact at 1."""
    x = Real(x)
    return Real(0) if x.rational == 1 else Real(x.interval.log())


def cos(x: Number) -> Real:
    """cos x; exact at 0."""
    x = Real(x)
    return Real(1) if x.exact and x.sign() == 0 else Real(x.interval.cos())


def sin(x: Number) -> Real:
    """sin x = cos(x − π/2); exact at 0."""
    x = Real(x)
    return Real(0) if x.exact and x.sign() == 0 else cos(x - Real(pi()) / 2)


def tan(x: Number) -> Real:
    """tan x = sin x / cos x; exact at 0."""
    return sin(x) / cos(x)


def sinh(x: Number) -> Real:
    """sinh x = (eˣ − e⁻ˣ)/2; exact at 0."""
    return (exp(x) - exp(-Real(x))) / 2


def cosh(x: Number) -> Real:
    """cosh x = (eˣ + e⁻ˣ)/2; exact at 0."""
    return (exp(x) + exp(-Real(x))) / 2


def tanh(x: Number) -> Real:
    """tanh x = sinh x / cosh x; exact at 0."""
    return sinh(x) / cosh(x)


def minimum(x: Number, *others: Number) -> Real:
    """Return the smallest of the numbers."""
    least = Real(x)
    for y in others:
        least = least if _known_sign(least - y) <= 0 else Real(y)
    return least


def maximum(x: Number, *others: Number) -> Real:
    """Return the largest of the numbers."""
    return -minimum(-Real(x), *(-Real(y) for y in others))


def dot(x: Sequence[Number], y: Sequence[Number]) -> Real:
    """Return Σ x_c y_c."""
    total = Real(0)
    for a, b in zip(x, y, strict=True):
        total = total + Real(a) * b
    return total


def norm2(x: Sequence[Number]) -> Real:
    """Return ‖x‖²."""
    return dot(x, x)


def minus(x: Sequence[Number], y: Sequence[Number]) -> Point:
    """Return x − y, coordinate by coordinate."""
    return tuple(Real(a) - b for a, b in zip(x, y, strict=True))


def quadratic_form(c: Sequence[Number], K: Sequence[Sequence[Number]]) -> Real:
    """Return cᵀKc."""
    return dot(c, [dot(row, c) for row in K])


def is_psd(K: Sequence[Sequence[Real]]) -> bool | None:
    """Return whether a symmetric matrix is positive semi-definite; None if undecided.

    Elimination: a pivot below 0 says no; a pivot 0 needs a row of zeros; a pivot
    above 0 leaves its Schur complement.
    """
    if not K:
        return True
    pivot, row = K[0][0], K[0][1:]
    sign = pivot.sign()
    if sign is None or sign < 0:
        return None if sign is None else False
    if sign == 0:
        signs = [x.sign() for x in row]
        if any(signs):
            return False
        return None if None in signs else is_psd([line[1:] for line in K[1:]])
    rest = [
        [K[i + 1][j + 1] - row[i] * row[j] / pivot for j in range(len(row))]
        for i in range(len(row))
    ]
    return is_psd(rest)


def _combine(x: Real, y: Real, operation: str) -> Real:
    if x._surd is not None and y._surd is not None:
        try:
            return Real(getattr(x._surd, operation)(y._surd))
        except TooLarge:
            pass
    zero = next((z for z in (x, y) if z.exact and z.sign() == 0), None)
    if operation == "__mul__" and zero is not None:
        return zero
    result: Interval = getattr(x.interval, operation)(y.interval)
    return Real(result)


def _bits(x: Real) -> int:
    value = x.rational
    if value is None:
        return 8
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _known_sign(x: Real) -> int:
    sign = x.sign()
    if sign is None:
        raise NoValue("two numbers that agree to eighty digits")
    return sign
