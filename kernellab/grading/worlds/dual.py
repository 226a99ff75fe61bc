"""Dual numbers x + εx′ with ε² = 0, over scalars and matrices: exact derivatives.

Values are numbers of the field or two-dimensional arrays of them; a `Dual` is a pair.
Each function below does one operation on plain values and on duals alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.grading.worlds.fields import Array, Field

Plain = Any  # a number of the field, or an array of them
Value = Any  # Plain, or a Dual


@dataclass(frozen=True)
class Dual:
    """A value and its derivative along one direction."""

    value: Plain
    tangent: Plain


def value(x: Value) -> Plain:
    """The value alone."""
    return x.value if isinstance(x, Dual) else x


def tangent(x: Value) -> Plain:
    """The derivative; zero if x does not depend on the direction."""
    return x.tangent if isinstance(x, Dual) else x * 0


def lift(f: Field, x: Value, result: Plain, slope: Plain) -> Value:
    """f(x) for a function of one number: its value, and x′ times its slope."""
    if isinstance(x, Dual):
        return Dual(result, f.reduce(x.tangent * slope))
    return result


def add(f: Field, x: Value, y: Value) -> Value:
    """x + y."""
    if isinstance(x, Dual) or isinstance(y, Dual):
        total = f.reduce(tangent(x) + tangent(y))
        return Dual(f.reduce(value(x) + value(y)), total)
    return f.reduce(x + y)


def negate(f: Field, x: Value) -> Value:
    """−x."""
    if isinstance(x, Dual):
        return Dual(f.reduce(-x.value), f.reduce(-x.tangent))
    return f.reduce(-x)


def times(f: Field, x: Value, y: Value) -> Value:
    """Number times anything, or entry by entry."""
    return _product(f, x, y, lambda u, v: u * v)


def matmul(f: Field, x: Value, y: Value) -> Value:
    """The matrix product."""
    return _product(f, x, y, _dot)


def _dot(x: Array, y: Array) -> Array:
    product: Array = np.dot(x, y)
    return product


def _product(f: Field, x: Value, y: Value, op: Any) -> Value:
    if not isinstance(x, Dual) and not isinstance(y, Dual):
        return f.reduce(op(x, y))
    slope = 0
    if isinstance(x, Dual):
        slope = op(x.tangent, value(y))
    if isinstance(y, Dual):
        slope = slope + op(value(x), y.tangent)
    return Dual(f.reduce(op(value(x), value(y))), f.reduce(slope))


def linear(x: Value, op: Any) -> Value:
    """A linear operation that leaves the field alone: transpose, entry, trace, …"""
    if isinstance(x, Dual):
        return Dual(op(x.value), op(x.tangent))
    return op(x)


def reciprocal(f: Field, x: Value) -> Value:
    """1/x for a number."""
    inverse = f.invert(value(x))
    return lift(f, x, inverse, f.reduce(-inverse * inverse))


def matrix_inverse(f: Field, x: Value, inverse: Array) -> Value:
    """X⁻¹ given its value R: the derivative is −R X′ R."""
    if isinstance(x, Dual):
        turned = f.reduce(np.dot(f.reduce(np.dot(inverse, x.tangent)), inverse))
        return Dual(inverse, f.reduce(-turned))
    return inverse
