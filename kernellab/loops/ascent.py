"""Coordinate ascent on a concave quadratic in a box, one α_i after the other.

With all others fixed, D is a parabola in α_i; its maximum on [0, top_i] is
the free maximum, clipped. `kernellab.linear_svm.ascent` says what D is.

Legend: G (m×m) minus the second derivatives of D; `slopes` (m) the first; α, top (m).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.loops.compiler import Loop, compiled


def coordinate_step(alpha: float, slope: float, curvature: float, top: float) -> float:
    """Return the best α_i when all others are fixed, in closed form.

    Parameters
    ----------
    alpha : α_i now.
    slope : ∂D/∂α_i.
    curvature : −∂²D/∂α_i² ≥ 0.
    top : upper bound of α_i.

    Examples
    --------
    >>> coordinate_step(0.5, slope=1.0, curvature=4.0, top=1.0)
    0.75
    >>> coordinate_step(0.5, slope=1.0, curvature=1.0, top=1.0)  # clipped
    1.0
    >>> coordinate_step(0.5, slope=0.0, curvature=0.0, top=1.0)  # a flat line: stay
    0.5
    """
    if curvature > 0:
        return min(max(alpha + slope / curvature, 0.0), top)
    if slope == 0:
        return alpha
    return top if slope > 0 else 0.0


# --- one number after the other -------------------------------------------------------


def ascend(G: Any, slopes: Any, alpha: Any, top: Any, sweeps: int) -> None:
    """Visit every α_i so many times; α and the slopes are changed in place."""
    for _ in range(sweeps):
        for i in range(len(alpha)):
            old = alpha[i]
            new = coordinate_step(old, slopes[i], G[i, i], top[i])
            if new != old:
                alpha[i] = new
                for k in range(len(alpha)):
                    slopes[k] -= (new - old) * G[i, k]


def compiled_ascend() -> Loop | None:
    """Return `ascend`, compiled; None without Numba."""
    return compiled(ascend, coordinate_step)


# --- whole arrays at a time -----------------------------------------------------------


def vector_ascend(
    G: Array, slopes: Array, alpha: Array, top: Array, sweeps: int
) -> None:
    """Do the same; an α_i that its slope holds at a bound is not visited."""
    diagonal, tops = G.diagonal().tolist(), top.tolist()
    for _ in range(sweeps):
        held = ((alpha <= 0) & (slopes <= 0)) | ((alpha >= top) & (slopes >= 0))
        for i in np.flatnonzero(~held).tolist():
            old = alpha.item(i)
            new = coordinate_step(old, slopes.item(i), diagonal[i], tops[i])
            if new != old:
                alpha[i] = new
                slopes -= (new - old) * G[i]
