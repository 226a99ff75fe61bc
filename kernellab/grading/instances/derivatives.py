"""Gradients and derivatives along θ, exact by dual numbers."""

from __future__ import annotations

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.dual import Dual, Value
from kernellab.grading.instances.evaluate import entry, operation, value
from kernellab.grading.instances.fields import Array
from kernellab.grading.instances.functions import EXPRESSIONS
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import eye
from kernellab.grading.language.tree import Expr


@operation("grad")
def _grad(it: Instance, node: Expr) -> Value:
    function, variable = node.args
    return gradient(it, function, variable)


@operation("diff")
def _diff(it: Instance, node: Expr) -> Value:
    function, component = node.args
    whole = gradient(it, function, component.args[0])
    return entry(it, whole, component.data, True)


def gradient(it: Instance, function: Expr, variable: Expr) -> Array:
    """Return the gradient of a number by a symbol, of the shape of the symbol."""
    J = jacobian(it, function, variable)
    return J.reshape(*J.shape[:-2], *it.extent(variable.shape))


def jacobian(it: Instance, column: Expr, variable: Expr) -> Array:
    """Return the derivatives of a column (rows) by the entries of a symbol (columns).

    All directions are taken at once, along an axis of their own.
    """
    rows, columns = it.extent(variable.shape)
    n = rows * columns
    units = eye(it.field, n).reshape(n, *(1,) * it.depth, rows, columns)
    point = dual.plain(value(it, variable))
    dimensions = it.depth + 3
    with it.differentiating({variable.data: Dual(point, units)}):
        slope = dual.tangent(value(it, column))
    slope = slope.reshape((1,) * (dimensions - slope.ndim) + slope.shape)
    slope = np.broadcast_to(slope, (n, *slope.shape[1:]))
    return np.moveaxis(slope[..., 0], 0, -1)


def _d(it: Instance, inner: Expr) -> Value:
    """Return the derivative along θ, where each C moves along its dC."""
    symbol = it.setting.symbol
    pairs = it.setting.tangents.items()
    seeds = {
        name: Dual(dual.plain(value(it, symbol(name))), _direction(it, symbol(to)))
        for name, to in pairs
    }
    with it.differentiating(seeds):
        slope = dual.tangent(value(it, inner))
    return slope[0] if slope.ndim == it.depth + 3 else slope


def _direction(it: Instance, symbol: Expr) -> Array:
    v = dual.plain(value(it, symbol))
    return v.reshape(1, *(1,) * it.depth, *v.shape)


EXPRESSIONS["d"] = _d
