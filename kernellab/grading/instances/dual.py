"""Dual numbers x + εx′ with ε² = 0: exact derivatives.

An entry of an array is a number of the field, or a `Dual` where a derivative is taken:
sums and products of arrays need no rules of their own. A value is an array whose last
two axes are rows and columns (a number is 1×1); axes before them run over indices, and
over the directions of a derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernellab.grading.instances.fields import Array


class Dual:
    """A number and its derivative."""

    __slots__ = ("slope", "value")

    def __init__(self, value: Any, slope: Any) -> None:
        self.value = value
        self.slope = slope

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            turned = self.value * other.slope + self.slope * other.value
            return Dual(self.value * other.value, turned)
        return Dual(self.value * other, self.slope * other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Dual:
        return self.__neg__().__add__(other)

    def __mod__(self, p: int) -> Dual:
        return Dual(self.value % p, self.slope % p)


def plain(x: Any) -> Any:
    """Return a number without its derivative."""
    return x.value if isinstance(x, Dual) else x


def slope(x: Any) -> Any:
    """Return the derivative of a number."""
    return x.slope if isinstance(x, Dual) else 0


def entrywise(function: Callable[..., Any], *arrays: Any) -> Array:
    """Apply a function of numbers to all entries."""
    found = np.frompyfunc(function, len(arrays), 1)(*arrays)
    return np.asarray(found, dtype=object)


def values(X: Array) -> Array:
    """Return an array without derivatives."""
    return entrywise(plain, X)


def slopes(X: Array) -> Array:
    """Return the derivatives of an array."""
    return entrywise(slope, X)


def is_dual(X: Array) -> bool:
    """Tell whether an array has a derivative."""
    return any(isinstance(x, Dual) for x in X.flat)


def lifted(
    function: Callable[[Any], Any], derivative: Callable[[Any, Any], Any], X: Array
) -> Array:
    """Apply a function g of a number to all entries.

    Parameters
    ----------
    derivative : g′ as a function of x and g(x).
    """

    def at(x: Any) -> Any:
        y = function(plain(x))
        return Dual(y, derivative(x.value, y) * x.slope) if isinstance(x, Dual) else y

    return entrywise(at, X)
