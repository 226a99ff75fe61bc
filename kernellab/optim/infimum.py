"""The infimum of a function over Ω: the least value found, and whether it is proved.

A descent finds a point w, hence an *upper* bound of the infimum. That there is nothing
below needs a proof. For a quadratic function on ℝᵈ it is a formula, exact up to
rounding:

    inf ½wᵀQw + qᵀw + c  =  c − ½qᵀQ⁺q   if Q ⪰ 0 and q is in the range of Q, else −∞.

Otherwise it is a parabola below L, if the curvature ∇²L ⪰ mI is known: for all v ∈ Ω

    L(v)  ≥  L(w) + ∇L(w)ᵀ(v − w) + ½m‖v − w‖².

On a box its least value is found coordinate by coordinate; on ℝᵈ it is
L(w) − ‖∇L(w)‖²/(2m) for m > 0.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.optimize import Bounds, minimize

from kernellab.arrays import Array
from kernellab.optim.domains import Box
from kernellab.optim.functions import Quadratic, Smooth, jacobian, values

NEGLIGIBLE = 1e-10
"""Eigenvalues and components below this, in units of the largest or of 1, are zero."""

CERTIFIED_GAP = 1e-8
"""A value v is certified if a lower bound is nearer than this, in units of 1 + |v|."""

SEARCH_RADIUS = 1e8
"""No descent looks for a minimum farther away."""

HUGE = 1e150
"""Values are cut off here; their squares are still finite."""


class Infimum(float):
    """The least value found, a number; `certified` if it is proved to be the infimum.

    >>> Infimum(2.0, certified=True)
    2.0
    >>> Infimum(2.0)
    2.0, not certified (an upper bound)
    """

    certified: bool
    """Whether the value is proved, up to `CERTIFIED_GAP`."""

    def __new__(cls, value: float, certified: bool = False) -> Infimum:
        self = super().__new__(cls, value)
        self.certified = certified
        return self

    def __repr__(self) -> str:
        number = float.__repr__(self)
        return number if self.certified else f"{number}, not certified (an upper bound)"


def infimum(L: Smooth, box: Box) -> Infimum:
    """Return the infimum of L over a box, certified by the formula or a parabola."""
    if isinstance(L, Quadratic) and box.is_everything:
        return Infimum(_quadratic(L), certified=True)
    ends = descents(L, box)
    value = min(map(L, ends))
    gap = abs(value - max(_lower_bound(L, w, box) for w in ends))
    return Infimum(value, certified=gap < CERTIFIED_GAP * (1 + abs(value)))


def _lower_bound(L: Smooth, w: Array, box: Box) -> float:
    """Return the least value over the box of the parabola that touches L at w."""
    if (m := L.curvature) is None:
        return -math.inf
    g, low, high = L.gradient(w), box.low - w, box.high - w
    with np.errstate(all="ignore"):
        steps = np.array([low, high, np.clip(-g / m, low, high) if m > 0 else low])
        rises = steps * (g + (m / 2 * steps if m else 0.0))
    rises[np.isnan(rises) & (g == 0)] = 0.0  # 0·∞: flat, without an end
    return L(w) + float(rises.min(axis=0).sum())


def _quadratic(L: Quadratic) -> float:
    """Return the infimum over ℝᵈ, by the formula."""
    s, V = np.linalg.eigh(L.Q)
    size = max(1.0, float(np.abs(s).max()))
    curved = s > NEGLIGIBLE * size
    p = V.T @ L.q
    falls = np.linalg.norm(p[~curved]) > NEGLIGIBLE * max(1.0, L.q_scale)
    if falls or s[0] < -NEGLIGIBLE * size:
        return -math.inf
    return L.constant - 0.5 * float(np.sum(p[curved] ** 2 / s[curved]))


def descents(f: Smooth, box: Box, *constraints: Sequence[Smooth]) -> list[Array]:
    """Return where descents from several points end, which are always the same."""
    rng = np.random.default_rng(0)
    starts = [box.sample(rng, scale) for scale in (0.1, 1.0, 1.0, 10.0, 100.0)]
    return [descend(f, start, box, *constraints) for start in starts]


def descend(
    f: Smooth,
    start: Array,
    box: Box,
    inequalities: Sequence[Smooth] = (),
    equalities: Sequence[Smooth] = (),
) -> Array:
    """Return where sequential quadratic programming ends, a point of the box."""
    near = box.within(SEARCH_RADIUS)
    kinds = (("ineq", -1.0, inequalities), ("eq", 1.0, equalities))  # SLSQP: −g ≥ 0
    constraints = [
        {
            "type": kind,
            "fun": lambda w, s=sign, c=c: s * np.clip(values(c, w), -HUGE, HUGE),
            "jac": lambda w, s=sign, c=c: s * jacobian(c, w),
        }
        for kind, sign, c in kinds
        if c
    ]
    end = local_minimum(
        f,
        near.project(start),
        method="SLSQP",
        jac=lambda w: np.nan_to_num(f.gradient(w), posinf=HUGE, neginf=-HUGE),
        bounds=Bounds(near.low, near.high),
        constraints=constraints,
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return near.project(end)


def local_minimum(value: Callable[[Array], Any], start: Array, **how: Any) -> Array:
    """Return where SciPy's descent ends; infinities on the way do no harm."""
    if not len(start):
        return start
    search: Any = minimize

    def cut(w: Array) -> float:
        return float(np.clip(value(w), -HUGE, HUGE))

    with np.errstate(all="ignore"), warnings.catch_warnings():
        # Before SciPy 1.16, SLSQP steps beyond its bounds and says that it steps back.
        warnings.filterwarnings("ignore", "Values in x were outside bounds")
        end = np.asarray(search(cut, start, **how).x, dtype=np.float64)
    return end if np.isfinite(end).all() else start
