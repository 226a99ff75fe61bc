"""Gradients, derivatives along θ, and covariances, exact by dual numbers.

cov(Ax, By) = A cov(x, y) Bᵀ, where A and B are found as derivatives.
"""

from __future__ import annotations

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.dual import Dual
from kernellab.grading.instances.evaluate import entry, rule, value
from kernellab.grading.instances.fields import Array, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import is_definite
from kernellab.grading.language.tree import Expr, grad


@rule("grad")
def _grad(it: Instance, node: Expr) -> Array:
    """Return the gradient of a number by a symbol, of the shape of the symbol."""
    function, variable = node.args
    J = jacobian(it, function, variable)
    return J.reshape(*J.shape[:-2], *it.extent(variable.shape))


@rule("diff")
def _diff(it: Instance, node: Expr) -> Array:
    function, component = node.args
    whole = _grad(it, grad(function, component.args[0]))
    return entry(it, whole, component.data, True)


def jacobian(it: Instance, column: Expr, variable: Expr) -> Array:
    """Return the derivatives of a column (rows) by the entries of a symbol (columns).

    All directions are taken at once, along an axis of their own.
    """
    point, (rows, columns) = value(it, variable), it.extent(variable.shape)
    n, dimensions = rows * columns, it.depth + 3
    point = point.reshape((1,) * (dimensions - 1 - point.ndim) + point.shape)
    seeds = np.repeat(point[None], n, axis=0)
    for k in range(n):
        place = (k, ..., *divmod(k, columns))
        seeds[place] = dual.entrywise(Dual, seeds[place], it.field.number(1))
    with it.differentiating({variable.data: seeds}):
        slope = dual.slopes(value(it, column))
    slope = slope.reshape((1,) * (dimensions - slope.ndim) + slope.shape)
    slope = np.broadcast_to(slope, (n, *slope.shape[1:]))
    return np.moveaxis(slope[..., 0], 0, -1)


@rule("d")
def _d(it: Instance, node: Expr) -> Array:
    """Return the derivative along θ, where each C moves along its dC."""
    symbol, seeds = it.setting.symbol, {}
    for name, tangent in it.setting.problem.tangents.items():
        moving = dual.entrywise(Dual, *(value(it, symbol(n)) for n in (name, tangent)))
        seeds[name] = moving.reshape(1, *(1,) * it.depth, *moving.shape)
    dimensions = it.depth + 3
    with it.differentiating(seeds):
        slope = dual.slopes(value(it, node.args[0]))
    return slope[0] if slope.ndim == dimensions else slope


# Covariances


@rule("cov")
def _cov(it: Instance, node: Expr) -> Array:
    if it.seeds or not it.setting.random_variables:
        raise Undecided("a derivative of a covariance, or nothing random")
    A, B = (coefficients(it, arg) for arg in node.args)
    middle = it.field.reduce(np.matmul(A, joint_covariance(it)))
    product: Array = it.field.reduce(np.matmul(middle, np.swapaxes(B, -1, -2)))
    return product


def coefficients(it: Instance, node: Expr) -> Array:
    """Return how a random column depends on all random variables, side by side.

    The derivatives are taken where all random variables differ from 0 and from each
    other; there they do not fit a function that is not linear.
    """
    names = it.setting.random_variables
    symbols = [it.setting.symbol(name) for name in names]
    lengths = [it.extent(symbol.shape)[0] for symbol in symbols]
    x = np.concatenate([it.number(i + 1) for i in range(sum(lengths))])
    parts = np.split(x, np.cumsum(lengths)[:-1])
    with it.trying(dict(zip(names, parts, strict=True))):
        A = np.concatenate([jacobian(it, node, s) for s in symbols], axis=-1)
        whole = value(it, node)
    with it.trying({name: part * 0 for name, part in zip(names, parts, strict=True)}):
        constant = value(it, node)
    rest = it.field.reduce(np.matmul(A, x) + constant - whole)
    if not all(map(it.field.is_zero, rest.flat)):
        raise Undecided(f"{node} is not linear in the random variables")
    return A


def joint_covariance(it: Instance) -> Array:
    """Return the covariance matrix of all random variables together."""
    names = it.setting.random_variables
    return np.block([[_covariance(it, x, y) for y in names] for x in names])


def _covariance(it: Instance, one: str, two: str) -> Array:
    known = it.setting.problem.covariance_of
    if (one, two) in known:
        return value(it, known[one, two])
    if (two, one) in known or one > two:
        return _covariance(it, two, one).T
    rows, columns = (it.extent(it.setting.symbols[n].shape)[0] for n in (one, two))
    return it.opaque(("cov", one, two), rows, columns, "psd" if one == two else "any")


def is_possible(it: Instance) -> bool:
    """Tell whether the random variables can have these covariances."""
    if not it.setting.random_variables:
        return True
    return is_definite(it.field, joint_covariance(it), strictly=False)
