"""The linear system of a Newton step: (I + MᵀM)s = t with M = R^½[X B].

[X B] are some rows of the data with the constant feature at the end; the labels have
gone, because y_i² = 1. R is the diagonal matrix of the rates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from kernellab.arrays import Array
from kernellab.linalg import cholesky
from kernellab.linear_svm.problem import Rows

CG_RELATIVE_RESIDUAL = 0.3
"""Conjugate gradients stop at this relative residual."""


def conjugate_gradients(
    X: Rows, bias: float, rate: Array, target: Array, most: int
) -> tuple[Array, int]:
    """s with (I + [X B]ᵀR[X B])s ≈ target, and the number of steps made.

    The labels have gone: y_i² = 1.
    """
    kind = X.dtype.type
    r, rate, bias = target.astype(kind), rate.astype(kind), kind(bias)
    XT = X.T
    s, p, rr = np.zeros_like(r), r.copy(), float(r @ r)
    enough, turns = CG_RELATIVE_RESIDUAL**2 * rr, 0
    while rr > enough and turns < most:
        q = rate * (X @ p[:-1] + bias * p[-1])
        Hp = p.copy()
        Hp[:-1] += XT @ q
        Hp[-1] += bias * q.sum()
        t = kind(rr / float(p @ Hp))
        s += t * p
        r -= t * Hp
        new = float(r @ r)
        p = r + kind(new / rr) * p
        rr, turns = new, turns + 1
    return s.astype(np.float64), turns


def solve_directly(X: Rows, bias: float, rate: Array, target: Array) -> Array:
    """Return (I + MᵀM)⁻¹ target with M = R^½[X B], by the smaller of MᵀM and MMᵀ."""
    root = np.sqrt(rate)
    dense = isinstance(X, np.ndarray)
    scaled: Any = root[:, None] * X if dense else sparse.diags_array(root) @ X
    column = bias * root
    if X.shape[0] <= X.shape[1]:
        outer = _dense(scaled @ scaled.T) + np.outer(column, column)
        Mt = scaled @ target[:-1] + column * target[-1]
        z = cholesky(outer, ridge=1.0, overwrite=True).solve(Mt)
        return np.asarray(target - np.append(scaled.T @ z, column @ z))
    corner = scaled.T @ column
    inner = np.block(
        [[_dense(scaled.T @ scaled), corner[:, None]], [corner, column @ column]]
    )
    return cholesky(inner, ridge=1.0, overwrite=True).solve(target)


def _dense(M: Any) -> Array:
    return np.asarray(M if isinstance(M, np.ndarray) else M.toarray())
