"""Rational numbers, and combinations that have them as coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import TypeVar

K = TypeVar("K")

Rational = int | Fraction  # a whole number is an int, which is quicker


def whole(value: Rational) -> Rational:
    """Return a whole number as an int."""
    return int(value) if value.denominator == 1 else value


def rational_power(value: Rational, exponent: Rational) -> Rational | None:
    """Return a power of a rational number, if it is rational."""
    if exponent.denominator == 1:
        return whole(Fraction(value) ** int(exponent))
    if exponent.denominator != 2 or value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        return None
    return whole(Fraction(top, bottom) ** int(exponent * 2))


def add_to(
    total: dict[K, Rational], other: Mapping[K, Rational], factor: Rational = 1
) -> None:
    """Add a multiple of one combination to another, without what cancels."""
    for key, c in other.items():
        value = total.get(key, 0) + factor * c
        if value:
            total[key] = value
        else:
            total.pop(key, None)
