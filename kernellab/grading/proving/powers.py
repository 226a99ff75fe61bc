"""Powers of numbers: of monomials at once, of sums as atoms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

from kernellab.grading.proving.networks import Algebra, Poly, Rational, Raw, whole

Positive = Callable[[Poly], bool]  # tells whether a number is known to be positive


def power(algebra: Algebra, poly: Poly, exponent: Rational, positive: Positive) -> Poly:
    """Return a power of a number; 0 has no negative one."""
    if exponent.denominator == 1 and exponent >= 0:
        result = algebra.number(1)
        for _ in range(int(exponent)):
            result = algebra.multiply(result, poly)
        return result
    if not poly:
        raise ZeroDivisionError("a power of 0")
    found = _monomial_power(algebra, poly, exponent, positive)
    if found is not None:
        return found
    scale, monic = algebra.monic(poly)
    root = _rational_power(scale, exponent)
    if root is None:
        monic, root = poly, 1
    above = positive(monic)
    atom = algebra.atom(
        "power", frozenset(monic.items()), inner=monic, positive=above, nonneg=above
    )
    return {(((atom, exponent),), ()): root}


def _monomial_power(
    algebra: Algebra, poly: Poly, exponent: Rational, positive: Positive
) -> Poly | None:
    """Return a power of one term, atom by atom; roots only of what is positive."""
    ((powers, networks), c) = next(iter(poly.items()))
    root = _rational_power(c, exponent)
    if len(poly) > 1 or networks or root is None:
        return None
    if exponent.denominator != 1 and not all(
        algebra.atoms[a].positive or positive({(((a, 1),), ()): 1}) for a, _ in powers
    ):
        return None
    return algebra.closed(Raw(root, {a: p * exponent for a, p in powers}, [], {}))


def _rational_power(value: Rational, exponent: Rational) -> Rational | None:
    """Return a power of a rational number, if it is rational."""
    if exponent.denominator == 1:
        return whole(Fraction(value) ** int(exponent))
    if exponent.denominator != 2 or value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        return None
    return whole(Fraction(top, bottom) ** int(exponent * 2))
