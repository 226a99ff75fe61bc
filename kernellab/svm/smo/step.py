"""One step of SMO, plainly: choose two variables, move them, stop at a bound.

Moving β_i up and β_j down by t keeps Σβ. Along this line W is a parabola,

    W(β + t(e_i − e_j)) = W(β) − t·slope + ½t²·curvature,

    slope     = g_j − g_i               > 0 if the pair violates optimality,
    curvature = K_ii + K_jj − 2K_ij     = ‖φ(x_i) − φ(x_j)‖² ≥ 0 for a kernel.

`kernellab.loops.smo` does the same in place; this is the version to read first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array

Mask = NDArray[np.bool_]


class Step(NamedTuple):
    """What one step did.

    Attributes
    ----------
    iteration : its number, from 1.
    i, j : the variables: β_i grew and β_j shrank. Both are −1 for a Newton step.
    step : by how much; for a Newton step, what part of it was taken.
    violation : m(β) − M(β) before the step.
    objective : W(β) after it.
    """

    iteration: int
    i: int
    j: int
    step: float
    violation: float
    objective: float


def choose_pair(K: Array, g: Array, up: Mask, low: Mask) -> tuple[int, int]:
    """Return the pair (i, j) that SMO moves, by the second-order rule. O(m).

    i ∈ I_up violates most: its −g_i is largest. Then j ∈ I_low, among those with a
    positive slope, promises the largest decrease along e_i − e_j if no bound stopped
    it, which is

        slope²/(2·curvature).

    Parameters
    ----------
    K : (m, m) Gram matrix.
    g : (m,) gradient Kβ − s.
    up, low : (m,) which variables are in I_up and in I_low.

    Examples
    --------
    The slopes are 2 and 1.5, but x₂ is closer to x₀ and promises more:

    >>> x, g = np.array([0.0, 3.0, 1.0]), np.array([-1.0, 1.0, 0.5])
    >>> choose_pair(np.outer(x, x), g, up=g < 0, low=g > 0)
    (0, 2)
    """
    i = int(np.where(up, -g, -np.inf).argmax())
    slope = np.where(low, g - g[i], 0.0)
    curvature = K[i, i] + K.diagonal() - 2 * K[i]
    tiny = 1e-15 * np.abs(K.diagonal()).max() or math.ulp(0.0)
    gain = np.maximum(slope, 0.0) ** 2 / (2 * np.maximum(curvature, tiny))
    return i, int(gain.argmax())


def best_step(slope: float, curvature: float, room: float) -> float:
    """Return the t in [0, room] with the smallest −t·slope + ½t²·curvature, for slope >
    0.

    The bottom of the parabola is at slope/curvature; if it is beyond `room`, stop at
    the bound. If the curvature is not positive (two points with one image, or a K that
    is not positive semi-definite) there is no bottom: W falls all the way to the bound.
    Without a bound the answer is infinite: W has no minimum.

    Examples
    --------
    >>> best_step(slope=2.0, curvature=4.0, room=1.0)
    0.5
    >>> best_step(slope=2.0, curvature=4.0, room=0.1)
    0.1
    >>> best_step(slope=2.0, curvature=0.0, room=1.0)
    1.0
    """
    if curvature <= 0 or room * curvature <= slope:
        return room
    return slope / curvature


def plain_smo(
    K: Array,
    s: Array,
    lower: Array,
    upper: Array,
    beta: Array,
    tol: float = 1e-3,
    max_iter: int = 100_000,
) -> tuple[Array, int]:
    """SMO from a feasible β, as on paper: the last β and the number of steps.

    Parameters
    ----------
    K, s, lower, upper : the problem, as arrays.
    beta : (m,) where to start, inside the box and with the right sum.
    tol : the violation at which to stop.
    max_iter : the number of steps after which to stop.

    Examples
    --------
    The points −1 and 1 on the line with their signs as labels, and C = 1:

    >>> x = np.array([-1.0, 1.0])
    >>> low, high = np.minimum(x, 0), np.maximum(x, 0)
    >>> plain_smo(np.outer(x, x), x, low, high, beta=np.zeros(2))
    (array([-0.5,  0.5]), 1)
    """
    beta = beta.copy()
    g = K @ beta - s
    for steps in range(max_iter):
        up, low = beta < upper, beta > lower
        if violation(g, up, low) <= tol:
            return beta, steps
        i, j = choose_pair(K, g, up, low)
        slope, curvature = g[j] - g[i], K[i, i] + K[j, j] - 2 * K[i, j]
        room_i, room_j = upper[i] - beta[i], beta[j] - lower[j]
        t = best_step(slope, curvature, min(room_i, room_j))
        beta[i] = upper[i] if t == room_i else beta[i] + t
        beta[j] = lower[j] if t == room_j else beta[j] - t
        g += t * (K[i] - K[j])
    return beta, max_iter


def violation(g: Array, up: Mask, low: Mask) -> float:
    """Return m(β) − M(β); −∞ if nothing can be moved.

    >>> violation(np.array([-1.0, 1.0]), np.array([True, False]), np.array([True] * 2))
    2.0
    """
    m, M = extremes(-g, up, low)
    return m - M


def extremes(minus_g: Array, up: Any, low: Any) -> tuple[float, float]:
    """Return m(β) and M(β)."""
    m = float(minus_g[up].max(initial=-np.inf))
    return m, float(minus_g[low].min(initial=np.inf))
