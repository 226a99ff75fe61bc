"""Sums of square roots with rational coefficients, exactly: 3/2 − √2 + √6/5.

The square roots of different squarefree integers are linearly independent over the
rationals. So in the form Σ q_r √r, r squarefree, a sum is zero only if it has no
terms, and equality is decided, not estimated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from kernellab.grading.questions.intervals import Interval, NoValue

MOST_TERMS = 64
MOST_BITS = 4096
LARGEST_RADICAND = 10**9


class TooLarge(ArithmeticError):
    """The exact form would grow beyond its bounds."""


@dataclass(frozen=True)
class Surd:
    """Σ q_r √r as pairs (r, q_r) with increasing squarefree r and q_r ≠ 0.

    Examples
    --------
    >>> root = Surd.sqrt(Fraction(1, 2))
    >>> print(root, root * root, (Surd.of(1) + root).inverse())
    √2/2 1/2 2 - √2
    """

    terms: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, value: Fraction | int) -> Surd:
        """Return a rational number."""
        return cls._collect([(1, Fraction(value))])

    @classmethod
    def sqrt(cls, value: Fraction) -> Surd:
        """Return √value, for a rational number ≥ 0."""
        if value < 0:
            raise NoValue("the square root of a negative number")
        outside, inside = _squarefree(value.numerator * value.denominator)
        return cls._collect([(inside, Fraction(outside, value.denominator))])

    @classmethod
    def _collect(cls, terms: Iterable[tuple[int, Fraction]]) -> Surd:
        found: dict[int, Fraction] = {}
        for radicand, q in terms:
            found[radicand] = found.get(radicand, Fraction(0)) + q
        kept = tuple(sorted((r, q) for r, q in found.items() if q))
        if len(kept) > MOST_TERMS or any(_bits(q) > MOST_BITS for _, q in kept):
            raise TooLarge
        return cls(kept)

    @property
    def rational(self) -> Fraction | None:
        """The number as a fraction, if it is one."""
        if not self.terms:
            return Fraction(0)
        (radicand, q), *rest = self.terms
        return q if radicand == 1 and not rest else None

    def __add__(self, other: Surd) -> Surd:
        return Surd._collect((*self.terms, *other.terms))

    def __neg__(self) -> Surd:
        return Surd(tuple((r, -q) for r, q in self.terms))

    def __mul__(self, other: Surd) -> Surd:
        products = []
        for r, p in self.terms:
            for s, q in other.terms:
                common = math.gcd(r, s)  # √r√s = gcd·√(rs/gcd²)
                radicand = (r // common) * (s // common)
                if radicand > LARGEST_RADICAND**2:
                    raise TooLarge
                products.append((radicand, p * q * common))
        return Surd._collect(products)

    def inverse(self) -> Surd:
        """Return 1/x: one prime after the other is removed from under the roots."""
        if not self.terms:
            raise NoValue("a division by zero")
        if (value := self.rational) is not None:
            return Surd.of(1 / value)
        prime = _a_prime(next(r for r, _ in self.terms if r > 1))
        conjugate = Surd(tuple((r, -q if r % prime == 0 else q) for r, q in self.terms))
        return conjugate * (self * conjugate).inverse()

    def enclose(self) -> Interval:
        """Return an interval around it."""
        total = Interval.of(0)
        for r, q in self.terms:
            total = total + Interval.of(q) * Interval.of(r).sqrt()
        return total

    def __str__(self) -> str:
        text = ""
        for r, q in self.terms:
            sign = "-" if q < 0 else "+"
            text += f" {sign} {_term(r, abs(q))}" if text else _first(r, q)
        return text or "0"


def _first(r: int, q: Fraction) -> str:
    return ("-" if q < 0 else "") + _term(r, abs(q))


def _term(r: int, q: Fraction) -> str:
    if r == 1:
        return str(q)
    top = f"√{r}" if q.numerator == 1 else f"{q.numerator}√{r}"
    return top if q.denominator == 1 else f"{top}/{q.denominator}"


def _bits(q: Fraction) -> int:
    return max(q.numerator.bit_length(), q.denominator.bit_length())


@lru_cache(maxsize=4096)
def _squarefree(n: int) -> tuple[int, int]:
    """Return (a, b) with n = a²b and b squarefree."""
    root = math.isqrt(n)
    if root * root == n:
        return (root, 1) if n else (0, 1)
    if n > LARGEST_RADICAND:
        raise TooLarge
    outside, p = 1, 2
    rest, inside = n, 1
    while p * p <= rest:
        while rest % (p * p) == 0:
            rest, outside = rest // (p * p), outside * p
        if rest % p == 0:
            rest, inside = rest // p, inside * p
        p += 1
    return outside, inside * rest


@lru_cache(maxsize=4096)
def _a_prime(n: int) -> int:
    """Return the smallest prime factor of n > 1."""
    p = 2
    while p * p <= n:
        if n % p == 0:
            return p
        p += 1
        if p > LARGEST_RADICAND**0.5:
            raise TooLarge
    return n
