"""Covariances: cov(Ax, By) = A cov(x, y) Bᵀ, with A and B found as derivatives."""

from __future__ import annotations

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.derivatives import jacobian
from kernellab.grading.instances.dual import Value
from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.fields import Array, Undecided
from kernellab.grading.instances.functions import EXPRESSIONS
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import is_definite
from kernellab.grading.language.tree import Expr


def _cov(it: Instance, one: Expr, two: Expr) -> Value:
    if it.seeds or not it.setting.random_variables:
        raise Undecided("a derivative of a covariance, or nothing random")
    A, B = (coefficients(it, node) for node in (one, two))
    middle = it.field.reduce(np.matmul(A, joint_covariance(it)))
    product: Array = it.field.reduce(np.matmul(middle, np.swapaxes(B, -1, -2)))
    return product


def coefficients(it: Instance, node: Expr) -> Array:
    """Return how a random column depends on all random variables, side by side.

    The derivatives are taken where all random variables differ from 0 and from each
    other; there they do not fit a function that is not linear.
    """
    symbols = [it.setting.symbol(name) for name in it.setting.random_variables]
    lengths = [it.extent(symbol.shape)[0] for symbol in symbols]
    x = np.concatenate([it.number(i + 1) for i in range(sum(lengths))])
    parts = np.split(x, np.cumsum(lengths)[:-1])
    names = it.setting.random_variables
    with it.trying(dict(zip(names, parts, strict=True))):
        A = np.concatenate([jacobian(it, node, s) for s in symbols], axis=-1)
        whole = dual.plain(value(it, node))
    with it.trying({name: part * 0 for name, part in zip(names, parts, strict=True)}):
        constant = dual.plain(value(it, node))
    rest = it.field.reduce(np.matmul(A, x) + constant - whole)
    if not all(map(it.field.is_zero, rest.flat)):
        raise Undecided(f"{node} is not linear in the random variables")
    return A


def joint_covariance(it: Instance) -> Array:
    """Return the covariance matrix of all random variables together."""
    names = it.setting.random_variables
    return np.block([[_covariance(it, x, y) for y in names] for x in names])


def _covariance(it: Instance, one: str, two: str) -> Array:
    known = it.setting.covariances
    if (one, two) in known:
        return dual.plain(value(it, known[one, two]))
    if (two, one) in known:
        return dual.plain(value(it, known[two, one])).T
    if one > two:
        return _covariance(it, two, one).T
    rows, columns = (it.extent(it.setting.symbols[n].shape)[0] for n in (one, two))
    if one == two:
        return it.opaque(("cov", one, two), rows, columns, "psd")
    return it.opaque(("cov", one, two), rows, columns)


def is_possible(it: Instance) -> bool:
    """Tell whether the random variables can have these covariances."""
    if not it.setting.random_variables:
        return True
    return is_definite(it.field, joint_covariance(it), strictly=False)


EXPRESSIONS["cov"] = _cov
