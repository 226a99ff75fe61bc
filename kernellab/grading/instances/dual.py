"""Dual numbers x + εx′ with ε² = 0, over arrays of matrices: exact derivatives.

A value is an array whose last two axes are rows and columns (a number is 1×1); axes
before them run over indices. A `Dual` adds derivatives, along one more axis of
directions. Each function below does one operation on plain arrays and on duals alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.grading.instances.fields import Array, Field


@dataclass(frozen=True)
class Dual:
    """A value and its derivatives."""

    value: Array
    tangent: Array


Value = Array | Dual


def plain(x: Value) -> Array:
    """Return the value alone."""
    return x.value if isinstance(x, Dual) else x


def tangent(x: Value) -> Array:
    """Return the derivatives; zero if x depends on no direction."""
    return x.tangent if isinstance(x, Dual) else x * 0


def lift(f: Field, x: Value, result: Array, slope: Array) -> Value:
    """Return g(x) for a function of a number: its value, and x′ times its slope."""
    if isinstance(x, Dual):
        return Dual(result, f.reduce(x.tangent * slope))
    return result


def add(f: Field, x: Value, y: Value) -> Value:
    """Return x + y."""
    if isinstance(x, Dual) or isinstance(y, Dual):
        total = f.reduce(tangent(x) + tangent(y))
        return Dual(f.reduce(plain(x) + plain(y)), total)
    return f.reduce(x + y)  # type: ignore[no-any-return]


def times(f: Field, x: Value, y: Value) -> Value:
    """Return a number times anything, or the product entry by entry."""
    return _product(f, x, y, np.multiply)


def matmul(f: Field, x: Value, y: Value) -> Value:
    """Return the matrix product."""
    return _product(f, x, y, np.matmul)


def _product(f: Field, x: Value, y: Value, op: Callable[..., Array]) -> Value:
    if not isinstance(x, Dual) and not isinstance(y, Dual):
        return f.reduce(op(x, y))  # type: ignore[no-any-return]
    slope: Array | int = 0
    if isinstance(x, Dual):
        slope = op(x.tangent, plain(y))
    if isinstance(y, Dual):
        slope = slope + op(plain(x), y.tangent)
    return Dual(f.reduce(op(plain(x), plain(y))), f.reduce(slope))


def linear(f: Field, x: Value, op: Callable[[Array], Array]) -> Value:
    """Return a linear operation on the last axes: transpose, entry, trace, …"""
    if isinstance(x, Dual):
        return Dual(f.reduce(op(x.value)), f.reduce(op(x.tangent)))
    return f.reduce(op(x))  # type: ignore[no-any-return]


def entrywise(function: Callable[[Any], Any], x: Array) -> Array:
    """Apply a function of a number to all entries."""
    return np.asarray(np.frompyfunc(function, 1, 1)(x), dtype=object)


def reciprocal(f: Field, x: Value) -> Value:
    """Return 1/x for a number."""
    inverse = entrywise(f.invert, plain(x))
    return lift(f, x, inverse, f.reduce(-inverse * inverse))


def matrix_inverse(f: Field, x: Value, inverse: Array) -> Value:
    """Return X⁻¹ given its value R: the derivative is −R X′ R."""
    if isinstance(x, Dual):
        turned = np.matmul(f.reduce(np.matmul(inverse, x.tangent)), inverse)
        return Dual(inverse, f.reduce(-turned))
    return inverse
