"""Covariances: cov(Ax, By) = A cov(x, y) Bᵀ, with A and B found as derivatives."""

from __future__ import annotations

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.derivatives import jacobian
from kernellab.grading.instances.dual import Value
from kernellab.grading.instances.evaluate import value
from kernellab.grading.instances.fields import Array, Undecided, is_definite
from kernellab.grading.instances.functions import EXPRESSIONS
from kernellab.grading.instances.instance import Instance
from kernellab.grading.language.tree import Expr


def _cov(it: Instance, one: Expr, two: Expr) -> Value:
    if it.seeds:
        raise Undecided("the derivative of a covariance")
    A, B = (coefficients(it, node) for node in (one, two))
    middle = it.field.reduce(np.matmul(A, joint_covariance(it)))
    product: Array = it.field.reduce(np.matmul(middle, np.swapaxes(B, -1, -2)))
    return product


def coefficients(it: Instance, node: Expr) -> Array:
    """Return how a random column depends on all random variables, side by side."""
    names = it.setting.random_variables
    parts = [jacobian(it, node, it.setting.symbol(name)) for name in names]
    A = np.concatenate(parts, axis=-1)
    x = np.concatenate([it.atom(name) for name in names])
    with it.trying({name: it.atom(name) * 0 for name in names}):
        constant = dual.plain(value(it, node))
    whole = dual.plain(value(it, node))
    if it.field.reduce(np.matmul(A, x) + constant - whole).any():
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
