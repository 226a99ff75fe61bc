"""The support vector machine as a quadratic program, hard margin and soft.

For small data, as an object of study: the multipliers, the dual and the conditions
can all be looked at. `kernellab.svm.SVC` is the machine for real data, with kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, positive_number
from kernellab.kernels.points import vectors
from kernellab.labels import Labels
from kernellab.optim.quadratic_program import QuadraticProgram


def hard_margin(X: ArrayLike, y: ArrayLike) -> QuadraticProgram:
    """Minimise ½‖w‖² subject to 1 − y_i(wᵀx_i + b) ≤ 0, in the variables (w, b).

    X has one point per row, y the labels −1 and +1. The multipliers are the α_i of
    the machine.

    >>> solution = hard_margin([[1.0], [3.0]], [1, -1]).solve()
    >>> solution.w.round(9), solution.alpha.round(9)  # w = −1, b = 2
    (array([-1.,  2.]), array([0.5, 0.5]))
    """
    rows = _signed_rows(X, y)
    n, d = rows.shape
    Q = np.diag(np.r_[np.ones(d - 1), 0.0])
    return QuadraticProgram(Q, np.zeros(d), -rows, -np.ones(n), name="hard margin")


def soft_margin(X: ArrayLike, y: ArrayLike, C: float) -> QuadraticProgram:
    """Minimise ½‖w‖² + CΣξ_i subject to 1 − ξ_i − y_i(wᵀx_i + b) ≤ 0 and −ξ_i ≤ 0.

    The variables are (w, b, ξ), the multipliers (α, μ) with μ = C − α. C > 0 is the
    price of a unit of slack.

    >>> solution = soft_margin([[1.0], [3.0]], [1, -1], C=0.1).solve()
    >>> solution.alpha.round(9)  # α = C for both, μ = 0
    array([0.1, 0.1, 0. , 0. ])
    """
    rows = _signed_rows(X, y)
    n, d = rows.shape
    return QuadraticProgram(
        np.diag(np.r_[np.ones(d - 1), np.zeros(n + 1)]),
        np.r_[np.zeros(d), np.full(n, positive_number(C, "C"))],
        A=-np.block([[rows, np.eye(n)], [np.zeros((n, d)), np.eye(n)]]),
        b=np.r_[-np.ones(n), np.zeros(n)],
        name="soft margin",
    )


def _signed_rows(X: ArrayLike, y: ArrayLike) -> Array:
    """Return the rows y_i (x_i, 1)."""
    points = vectors(X, "X").X
    signs = Labels.read(y, len(points)).signs
    return np.asarray(signs[:, None] * np.c_[points, np.ones(len(points))])
