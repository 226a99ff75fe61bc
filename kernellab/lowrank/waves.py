"""Cosines and sines of many angles at once, from a table and e^{iθ} = e^{iα}e^{iβ}.

Random Fourier features are cos ω⊤x and sin ω⊤x for n·m angles, and NumPy takes 10 to
25 ns for each of the two in float64. Here α is the nearest of TABLE_ANGLES equidistant
angles, whose cosine and sine stand in a table, and the rest
|β| ≤ π/TABLE_ANGLES < 8·10⁻⁴ is so small that

    cos β = 1 − β²/2 + β⁴/24  and  sin β = β − β³/6

are right to within β⁶/720 < 10⁻²¹ and β⁵/120 < 3·10⁻¹⁸. The addition theorem gives
both in a quarter of that time, to a few units of the last place of 1; what is left is
the rounding of the angle itself, some |θ|·10⁻¹⁶. Angles are counted in steps of
2π/TABLE_ANGLES, so that to find α and β is to split a number into an integer and a
fraction, which loses no digit.

Legend: n points X (n×d), a row each; m frequencies ω (m×d), a row each.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import scipy
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.threads import limited

TABLE_ANGLES = 4096
"""Angles in the table: 64 kB, which stay in the cache."""

TABLE_STEP = 2 * math.pi / TABLE_ANGLES

PANEL_ANGLES = 2**15
"""Angles at a time: what is computed on the way stays in the cache (1.3 MB)."""

MAX_ANGLE_STEPS = 2.0**52
"""From here on a float64 has no fraction, and no angle in steps a meaning."""


@limited(1)
def waves(X: Array, omega: Array, amplitude: float) -> Array:
    """Return amplitude·(cos Xω⊤, sin Xω⊤): an (n, 2m) array, the cosines first.

    Examples
    --------
    >>> waves(np.array([[0.0], [1.0]]), np.array([[math.pi / 3]]), 2.0).round(4)
    array([[2.    , 0.    ],
           [1.    , 1.7321]])
    """
    n, m = len(X), len(omega)
    turns = omega.T / TABLE_STEP
    _check(X, turns)
    table = amplitude * _circle()
    result = np.empty((n, 2 * m))
    rows = max(1, PANEL_ANGLES // m)
    work = np.empty((4, min(rows, n), m))
    index = np.empty((min(rows, n), m), dtype=np.int64)
    for start in range(0, n, rows):
        part = X[start : start + rows]
        out = result[start : start + rows]
        angle, *rest = work[:, : len(part)]
        np.matmul(part, turns, out=angle)
        _fill(angle, table, out[:, :m], out[:, m:], rest, index[: len(part)])
    return result


def _fill(
    angle: Array,
    table: Array,
    cos: Array,
    sin: Array,
    work: list[Array],
    index: NDArray[np.int64],
) -> None:
    """cos and sin of angles in steps; every array is overwritten."""
    whole, square, c = work
    np.rint(angle, out=whole)
    beta = np.subtract(angle, whole, out=angle)  # in steps; exact
    np.copyto(index, whole, casting="unsafe")
    index &= TABLE_ANGLES - 1
    np.multiply(beta, beta, out=square)
    np.multiply(square, TABLE_STEP**4 / 24, out=c)
    c -= TABLE_STEP**2 / 2
    c *= square
    c += 1  # cos β
    s = square
    s *= -(TABLE_STEP**3) / 6
    s += TABLE_STEP
    s *= beta  # sin β
    cos_alpha = np.take(table[0], index, out=whole, mode="wrap")
    sin_alpha = np.take(table[1], index, out=beta, mode="wrap")
    np.multiply(cos_alpha, c, out=cos)
    np.multiply(sin_alpha, s, out=sin)
    cos -= sin
    sin_alpha *= c
    cos_alpha *= s
    np.add(sin_alpha, cos_alpha, out=sin)


@cache
def _circle() -> Array:
    """Return the table of cosines and sines, right to the last bit but one: in degrees
    its angles are exact."""
    degrees = np.arange(TABLE_ANGLES) * (360 / TABLE_ANGLES)
    return np.stack([scipy.special.cosdg(degrees), scipy.special.sindg(degrees)])


def _check(X: Array, turns: Array) -> None:
    """Raise an error where the angles are too large to be angles."""
    if not X.size:
        return
    sizes = np.abs(X).max(axis=0)
    with np.errstate(over="ignore"):
        reach = float((sizes @ np.abs(turns)).max())
    if not reach < MAX_ANGLE_STEPS:
        raise InputError(
            f"the angle ω⊤x reaches {reach * TABLE_STEP:.2g}, where float64 cannot "
            "tell its cosine: the points are too large for a kernel this narrow. "
            "Subtract a constant from the points, or measure them in other units."
        )
