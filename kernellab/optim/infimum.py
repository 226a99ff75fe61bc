"""The infimum of a function over Ω: the value found, and the value that is proved.

A descent finds a point w, hence an *upper* bound of the infimum. A lower bound needs
a reason. Here there are two, each exact up to rounding (`NEGLIGIBLE`):

1. A quadratic function on ℝᵈ: −½qᵀQ⁺q + c if Q ⪰ 0 and q is in the range of Q, and
   −∞ otherwise, with a direction along which the function falls without end.
2. Curvature. If the eigenvalues of the Hessian lie in [m, M], then between v and w

       m/2 ‖v − w‖²  ≤  L(v) − L(w) − ∇L(w)ᵀ(v − w)  ≤  M/2 ‖v − w‖².

   The least value of the left parabola over a box, which is found coordinate by
   coordinate, bounds inf L from below; if that of the right one is −∞, so is inf L.

Gradients by differences prove nothing: far away they can vanish by rounding.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import Bounds, direct

from kernellab.arrays import Array
from kernellab.optim.domains import Box
from kernellab.optim.functions import Quadratic, Smooth
from kernellab.optim.solvers import HUGE, local_minimum

CERTIFIED_GAP = 1e-8
"""An infimum is certified if its bounds differ by at most this, relative to 1 + |·|."""

NEGLIGIBLE = 1e-10
"""Eigenvalues and components below this, in units of the largest or of 1, are zero."""

SEARCH_RADIUS = 1e8
"""No descent looks for a minimum farther away."""


class Infimum(float):
    """An infimum over Ω: the least value found, with the lower bound that is proved.

    Parameters
    ----------
    value : the least value found, an upper bound of the infimum. −∞ is returned only
        if it is proved.
    w : where that value is taken; if it is −∞, a direction of endless descent.
    lower : the lower bound that is proved; −∞ if there is none.

    Examples
    --------
    >>> Infimum(2.0, np.zeros(1), lower=2.0)
    2.0
    >>> Infimum(2.0, np.zeros(1), lower=1.0)
    2.0, not certified (an upper bound); at least 1
    """

    w: Array
    lower: float

    def __new__(
        cls, value: float, w: Array | None = None, lower: float = -math.inf
    ) -> Infimum:
        self = super().__new__(cls, value)
        self.w = np.zeros(0) if w is None else w
        self.lower = float(lower)
        return self

    @property
    def certified(self) -> bool:
        """Whether the value is proved, up to `CERTIFIED_GAP`."""
        gap = 0.0 if self == self.lower else self - self.lower
        return gap <= CERTIFIED_GAP * (1 + abs(self))

    def __repr__(self) -> str:
        number = float.__repr__(self)
        if self.certified:
            return number
        known = f"; at least {self.lower:g}" if math.isfinite(self.lower) else ""
        return f"{number}, not certified (an upper bound){known}"


def infimum(L: Smooth, box: Box) -> Infimum:
    """Return the infimum of L over a box, certified if one of the reasons holds."""
    if isinstance(L, Quadratic) and box.is_everything:
        return _quadratic(L)
    w = _search(L, box)
    if not L.has_gradient:
        return Infimum(L(w), w)
    (m, M), gradient = L.curvature, _gradient(L, w, box)
    fall, step = _parabola(gradient, M, box.low - w, box.high - w)
    if fall == -math.inf:
        return Infimum(fall, np.where(np.isinf(step), np.sign(step), 0.0))
    return Infimum(L(w), w, L(w) + _parabola(gradient, m, box.low - w, box.high - w)[0])


def _quadratic(L: Quadratic) -> Infimum:
    """Return the infimum over ℝᵈ, by the formula."""
    s, V = np.linalg.eigh(L.Q)
    size = max(1.0, float(np.abs(s).max()))
    if s[0] < -NEGLIGIBLE * size:
        return Infimum(-math.inf, V[:, 0])
    curved = s > NEGLIGIBLE * size
    flat = V[:, ~curved] @ (V[:, ~curved].T @ L.q)
    if np.linalg.norm(flat) > NEGLIGIBLE * max(1.0, L.q_scale):
        return Infimum(-math.inf, -flat)
    w = -V[:, curved] @ (V[:, curved].T @ L.q / s[curved])
    value = L.constant + 0.5 * float(L.q @ w)
    return Infimum(value, w, value)


def _gradient(L: Smooth, w: Array, box: Box) -> Array:
    """Return ∇L(w), without rounding errors that an unbounded side would magnify."""
    gradient = L.gradient(w)
    if not isinstance(L, Quadratic):
        return gradient
    small = np.abs(gradient) <= NEGLIGIBLE * max(1.0, L.q_scale)
    return np.where(small & np.isinf(box.high - box.low), 0.0, gradient)


def _parabola(g: Array, m: float, low: Array, high: Array) -> tuple[float, Array]:
    """Minimise gᵀt + ½m‖t‖² over low ≤ t ≤ high, where low ≤ 0 ≤ high."""
    t = np.zeros(len(g))
    if math.isinf(m):
        return min(0.0, m), t
    ends = [low, high, np.clip(-g / m, low, high) if m > 0 else t]
    with np.errstate(invalid="ignore"):
        values = np.array([t * (g + (m / 2 * t if m else 0)) for t in ends])
    values[np.isnan(values)] = 0.0  # 0·∞: a flat side
    return float(values.min(axis=0).sum()), np.choose(values.argmin(axis=0), ends)


def _search(L: Smooth, box: Box) -> Array:
    """Return the best point that descents from several starts find."""
    near, rng = box.within(SEARCH_RADIUS), np.random.default_rng(0)
    starts = [box.sample(rng, scale) for scale in (0.1, 1.0, 1.0, 10.0, 100.0)]
    if box.is_bounded and L.curvature[0] < 0 and (box.low < box.high).all():
        starts.append(direct(L, Bounds(box.low, box.high), maxfun=400).x)
    settings = {
        "jac": lambda w: np.nan_to_num(L.gradient(w), posinf=HUGE, neginf=-HUGE),
        "bounds": near.sides,
        "options": {"ftol": 1e-15, "gtol": 1e-11},
    }
    ends = [local_minimum(L, w, method="L-BFGS-B", **settings) for w in starts]
    return min([*ends, *starts], key=L)
