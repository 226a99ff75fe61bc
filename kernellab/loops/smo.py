"""Steps of SMO: choose two variables, move them, stop at a bound.

The state is the gradient with its sign changed, held twice, so that the sets I_up and
I_low are built in:

    up_i = −g_i if β_i < upper_i, else −∞;     low_j = −g_j if β_j > lower_j, else +∞.

So max up = m(β) and min low = M(β). A step subtracts t(K_i − K_j) from both, which
leaves the infinities alone; then i and j may enter or leave a set.
`kernellab.svm.smo.step` derives how a pair is chosen and how far it moves.

Legend: m variables; β, lower, upper (m); half_i = ½K_ii, so that half_i + half_j − K_ij
is half of the curvature along e_i − e_j. `blur` is the rounding of K, added to that so
that no step is too long; `noise` is the rounding of g: a slope below it promises
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.blas import daxpy, saxpy

from kernellab.arrays import Array, Floats
from kernellab.loops.compiler import Loop, compiled

CONVERGED, EXHAUSTED, STUCK, ENDLESS, MISSING = range(5)
"""How a run ends: the violation is at most `tol`; all steps were made; no step changes
β any more; a step is longer than `longest` and meets no curvature; a row of K is not
there."""

FLAT = 8.0
"""A curvature of at most this many times its rounding is none."""

BLOCK = 64
"""Numbers that are compared with the largest so far at a time."""


class Run(NamedTuple):
    """What a run of the loop did.

    Attributes
    ----------
    end : CONVERGED, EXHAUSTED, STUCK, ENDLESS or MISSING.
    made : how many steps were made.
    decrease : by how much W fell.
    i, j : the pair at which it ended; if a row is missing, it is that of i.
    t : the length of the last step.
    """

    end: int
    made: int
    decrease: float
    i: int
    j: int
    t: float


# --- one number after the other -------------------------------------------------------


def first_largest(values: Any) -> int:
    """Return the first place of the largest value.

    Whether any of a block is larger is asked of many at once; one by one they are
    looked at only if so.
    """
    best, where = values[0], 0
    for start in range(0, len(values), BLOCK):
        block, larger = values[start : start + BLOCK], 0
        for k in range(len(block)):
            larger |= block[k] > best
        if larger:
            for k in range(len(block)):
                if block[k] > best:
                    best, where = block[k], start + k
    return where


def first_smallest(values: Any) -> int:
    """Return the first place of the smallest value."""
    where = 0
    for k in range(len(values)):
        if values[k] < values[where]:
            where = k
    return where


def partner(
    K_i: Any, top: Any, low: Any, half: Any, own: Any, blur: Any, gain: Any
) -> int:
    """Return the j that promises the largest decrease: slope²/(½ curvature)."""
    none = blur - blur
    for k in range(len(low)):
        slope, bend = top - low[k], half[k] + own - K_i[k]
        slope, bend = max(slope, none), max(bend, blur)
        gain[k] = slope * slope / bend
    return first_largest(gain)


def length(slope: float, curvature: float, room: float) -> float:
    """Return where the parabola −t·slope + ½t²·curvature is lowest, within the room."""
    if curvature <= 0 or room * curvature <= slope:
        return room
    return slope / curvature


def shift(K_i: Any, K_j: Any, t: Any, up: Any, low: Any) -> None:
    """Subtract t(K_i − K_j) from both copies of −g."""
    for k in range(len(up)):
        change = t * (K_i[k] - K_j[k])
        up[k] -= change
        low[k] -= change


def land(
    i: int, j: int, t: float, up: Any, low: Any, beta: Any, lower: Any, upper: Any
) -> bool:
    """Set β_i and β_j, and see which sets they enter or leave; False if none moved.

    A variable reaches its bound by the whole room, or by rounding.
    """
    old_i, old_j = beta[i], beta[j]
    beta[i] = new_i = upper[i] if t == upper[i] - old_i else old_i + t
    beta[j] = new_j = lower[j] if t == old_j - lower[j] else old_j - t
    if new_i == old_i and new_j == old_j:
        return False
    if old_i == lower[i]:
        low[i] = up[i]
    if old_j == upper[j]:
        up[j] = low[j]
    if new_i == upper[i]:
        up[i] = -math.inf
    if new_j == lower[j]:
        low[j] = math.inf
    return True


def use(stamp: Any, where: int) -> None:
    """Note that a row is the one used last; the last number counts the uses."""
    stamp[-1] += 1
    stamp[where] = stamp[-1]


def steps(
    store: Any,
    place: Any,
    stamp: Any,
    up: Any,
    low: Any,
    beta: Any,
    lower: Any,
    upper: Any,
    half: Any,
    noise: Any,
    blur: Any,
    tol: float,
    longest: float,
    most: int,
) -> tuple[int, int, float, int, int, float]:
    """Make up to `most` steps, in place; return the numbers of a `Run`.

    Row v of K is store[place[v]]. Where the place is −1 it is not there, and the loop
    ends to have it computed. `stamp` notes in which order rows were used.
    """
    decrease, t, i, j = 0.0, 0.0, -1, -1
    gain = np.empty_like(low)
    for made in range(most):
        i = first_largest(up)
        a, m = place[i], up[i]
        if a < 0:
            return MISSING, made, decrease, i, j, t
        use(stamp, a)
        K_i = store[a]
        j = partner(K_i, m - noise, low, half, half[i] + blur, blur, gain)
        if m - low[j] <= tol:
            last = first_smallest(low)
            if m - low[last] <= tol:
                return CONVERGED, made, decrease, i, j, t
            if m - low[j] <= noise:  # those that violate have no positive curvature
                j = last
        b = place[j]
        if b < 0:
            return MISSING, made, decrease, j, i, t
        use(stamp, b)
        slope = float(m - low[j])
        bend = float(half[i] + half[j] - K_i[j] + blur)
        room = min(upper[i] - beta[i], beta[j] - lower[j])
        t = length(slope, 2 * bend, room)
        if t > longest and room == math.inf and 2 * bend <= FLAT * blur:
            return ENDLESS, made, decrease, i, j, t
        if not land(i, j, t, up, low, beta, lower, upper):
            return STUCK, made, decrease, i, j, t
        shift(K_i, store[b], up.dtype.type(t), up, low)
        decrease += t * (slope - t * bend)
    return EXHAUSTED, most, decrease, i, j, t


HELPERS = (first_largest, first_smallest, partner, length, shift, land, use)


def compiled_steps() -> Loop | None:
    """Return `steps`, compiled; None without Numba."""
    return compiled(steps, *HELPERS)


# --- whole arrays at a time -----------------------------------------------------------


@np.errstate(divide="ignore", invalid="ignore")  # √ of a negative curvature
def vector_steps(
    row: Callable[[int], Floats],
    both: Floats,
    beta: Array,
    lower: Array,
    upper: Array,
    half: Floats,
    noise: Any,
    blur: Any,
    tol: float,
    longest: float,
    most: int,
) -> Run:
    """Make up to `most` steps, in place; `both` has the rows `up` and `low`.

    `row(v)` returns row v of K, whether or not it was there before.
    """
    up, low = both
    (gain, bends), ends, q = np.empty_like(both), half + blur, len(beta)
    if same := bool((half == half[0]).all()):
        ends = np.asarray(ends[0] + half[0])
    axpy = saxpy if both.dtype == np.float32 else daxpy  # y += ax, in place
    noise, blur = float(noise), float(blur)  # float32 no more: sums of β are exact
    decrease, t, i, j = 0.0, 0.0, -1, -1
    # Numbers that are read one by one come faster out of a memoryview, and those that
    # are taken from an array out of an array.
    u, v, h, level = up.data, low.data, half.data, np.empty((), both.dtype)
    b, bottom, top = beta.data, lower.data, upper.data
    for made in range(most):
        i = int(up.argmax())
        m, K_i = u[i], row(i)
        level[()] = m - noise
        np.subtract(ends if same else ends + half[i], K_i, bends)
        np.subtract(level, low, gain)
        np.divide(gain, np.sqrt(bends, bends), gain)
        j = int(gain.argmax())
        if m - v[j] <= tol:
            last = int(low.argmin())
            if m - v[last] <= tol:
                return Run(CONVERGED, made, decrease, i, j, t)
            if m - v[j] <= noise:  # those that violate have a negative curvature
                j = last
        slope, bend, K_j = m - v[j], h[i] + h[j] - K_i.item(j) + blur, row(j)
        room = min(top[i] - b[i], b[j] - bottom[j])
        t = length(slope, 2 * bend, room)
        if t > longest and room == math.inf and 2 * bend <= FLAT * blur:
            return Run(ENDLESS, made, decrease, i, j, t)
        if not land(i, j, t, u, v, b, bottom, top):
            return Run(STUCK, made, decrease, i, j, t)
        np.subtract(K_i, K_j, bends)
        axpy(bends, up, q, -t)
        axpy(bends, low, q, -t)
        decrease += t * (slope - t * bend)
    return Run(EXHAUSTED, most, decrease, i, j, t)
