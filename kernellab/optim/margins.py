"""The support vector machine as a quadratic program, hard margin and soft.

For small data, as an object of study: the multipliers, the dual and the conditions
can all be looked at. `kernellab.svm.SVC` is the machine for real data, with kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, positive_number, reals
from kernellab.errors import InputError
from kernellab.kernels.points import vectors
from kernellab.optim.quadratic_program import QuadraticProgram


def hard_margin(X: ArrayLike, y: ArrayLike) -> QuadraticProgram:
    """Minimise ½‖w‖² subject to 1 − y_i(wᵀx_i + b) ≤ 0, in the variables (w, b).

    X has one point per row, y the labels −1 and +1. The multipliers are the α_i of
    the machine.

    Examples
    --------
    >>> p = hard_margin([[1.0], [3.0]], [1, -1])
    >>> solution = p.solve()
    >>> solution.w.round(9), solution.alpha.round(9)  # w = −1, b = 2
    (array([-1.,  2.]), array([0.5, 0.5]))
    """
    points, labels = _data(X, y)
    n, d = points.shape
    return QuadraticProgram(
        np.diag(np.r_[np.ones(d), 0.0]),
        np.zeros(d + 1),
        A=-labels[:, None] * np.c_[points, np.ones(n)],
        b=-np.ones(n),
        name="hard margin",
    )


def soft_margin(X: ArrayLike, y: ArrayLike, C: float) -> QuadraticProgram:
    """Minimise ½‖w‖² + CΣξ_i subject to 1 − ξ_i − y_i(wᵀx_i + b) ≤ 0 and −ξ_i ≤ 0.

    The variables are (w, b, ξ), d + 1 + n of them; the multipliers are
    (α, μ) with μ = C − α. C > 0 is the price of a unit of slack.

    Examples
    --------
    >>> solution = soft_margin([[1.0], [3.0]], [1, -1], C=0.1).solve()
    >>> solution.alpha.round(9)  # α = C for both, μ = 0
    array([0.1, 0.1, 0. , 0. ])
    """
    points, labels = _data(X, y)
    n, d = points.shape
    price = positive_number(C, "C")
    margins = np.c_[-labels[:, None] * np.c_[points, np.ones(n)], -np.eye(n)]
    slacks = np.c_[np.zeros((n, d + 1)), -np.eye(n)]
    return QuadraticProgram(
        np.diag(np.r_[np.ones(d), np.zeros(n + 1)]),
        np.r_[np.zeros(d + 1), np.full(n, price)],
        A=np.vstack([margins, slacks]),
        b=np.r_[-np.ones(n), np.zeros(n)],
        name="soft margin",
    )


def _data(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    points = vectors(X, "X").X
    labels = reals(y, "y must be labels −1 and +1")
    if labels.shape != (len(points),) or not np.isin(labels, (-1, 1)).all():
        raise InputError(
            f"y must be {len(points)} labels, each −1 or +1; got shape {labels.shape} "
            f"with values {np.unique(labels)[:5]}"
        )
    return points, labels
