"""The hinge, rounded off: what Newton's method minimises, and how it searches.

See `kernellab.linear_svm.newton` for the problem and the legend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.linalg import EPS
from kernellab.linear_svm.problem import LinearProblem

STEEP_SHARE, FLAT_SHARE = 0.2, 0.02
"""The squared hinge gets proximal steps if 1/(2C) is below this share of ‖z‖²/2, and no
more of them once δ is below this share of 1/(2C)."""

MAX_SPAN_STEPS = 15
"""Newton steps in the span of a few directions, at most."""


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Σ_i ψ_i(u_i): the loss, rounded off around the multipliers a.

    Attributes
    ----------
    a, rate, top : so that α(u) = clip(a + rate·u, 0, top).
    delta : strength of the proximal term for each point; 0 for none.
    bend : 2κ, the curvature of the loss's own conjugate; rate = 1/(bend + delta).

    Examples
    --------
    >>> psi = Smoothed.of(np.ones(3), np.full(3, 0.5), np.zeros(3), np.zeros(3))
    >>> psi.multipliers(np.array([-1.0, 0.25, 3.0]))
    array([0. , 0.5, 1. ])
    >>> psi.value(np.array([0.25, 0.0, 0.0]))  # rate·u²/2
    0.0625
    """

    a: Array
    rate: Array
    top: Array
    delta: Array
    bend: Array

    @classmethod
    def of(cls, top: Array, delta: Array, bend: Array, alpha: Array) -> Self:
        """Return the proximal problem around alpha: −δ(α − alpha)²/2 is added to the
        dual.
        """
        rate = 1 / (bend + delta)
        return cls(alpha * delta * rate, rate, top, delta, bend)

    @classmethod
    def first(cls, problem: LinearProblem) -> Self:
        """Return no multipliers yet; δ so large that the first problem is an easy one.

        α‖z‖² is of the size of a margin, 1: so δ = ‖z‖²/2 is felt, and does not rule.
        For the hinge δC is the width of the part that is rounded off: it must not be
        too narrow. The squared hinge needs no δ, unless its own 1/(2C) is much smaller.
        """
        mean, size = float(problem.cost.mean()), problem.mean_square / 2
        if problem.squared:
            delta = size if 0.5 / mean < STEEP_SHARE * size else 0.0
        else:
            delta = max(size, 0.3 / mean)
        deltas = delta * mean / problem.cost
        return cls.of(problem.top, deltas, problem.curvature, np.zeros(problem.n))

    @property
    def proximal(self) -> bool:
        """Whether this is one of many proximal problems, and not the problem itself."""
        return bool(self.delta[0] > 0)

    def around(self, alpha: Array, factor: float) -> Smoothed:
        """Return the next proximal problem, with δ times a factor."""
        delta = self.delta * factor
        if self.bend[0] > 0 and delta[0] < FLAT_SHARE * self.bend[0]:
            delta = np.zeros_like(delta)
        return Smoothed.of(self.top, delta, self.bend, alpha)

    def multipliers(self, u: Array) -> Array:
        """Return α(u) = clip(a + rate·u, 0, top)."""
        alpha = self.rate * u
        alpha += self.a
        return np.clip(alpha, 0, self.top, out=alpha)

    def free(self, alpha: Array) -> NDArray[np.bool_]:
        """Return where ψ bends."""
        return np.asarray((alpha > 0) & (alpha < self.top))

    def value(self, u: Array) -> float:
        """Return Σψ(u), up to a constant."""
        alpha = self.multipliers(u)
        return float((alpha * (u + (self.a - 0.5 * alpha) / self.rate)).sum())


def minimise_in_span(
    S: Array, Q: Array, w: Array, u: Array, smooth: Smoothed, accuracy: float = 1e-2
) -> Array:
    """Return the c of least ½‖w + Sᵀc‖² + Σψ(u − Qᵀc), for a few directions: rows of S.

    Newton's method in as many variables as there are directions, each step halved
    until it helps, until a step promises less than `accuracy` times the most promising
    one; O(n) operations a turn.
    """
    G, h = S @ S.T, S @ w
    c, value, first = np.zeros(len(S)), smooth.value(u), 0.0
    rounding = 8 * EPS * (0.5 * float(w @ w) + abs(value))
    for _ in range(MAX_SPAN_STEPS):
        alpha = smooth.multipliers(u)
        slope = G @ c + h - Q @ alpha
        H = G + (Q * (smooth.rate * smooth.free(alpha))) @ Q.T
        step = -np.linalg.lstsq(H, slope, rcond=EPS * len(H))[0]
        promise = float(-slope @ step)
        first = max(first, promise)
        if promise <= 0 or (promise <= accuracy * first and c.any()):
            break
        change = step @ Q
        for t in 0.5 ** np.arange(30):
            trial, moved = c + t * step, u - t * change
            new = float(0.5 * trial @ G @ trial + h @ trial) + smooth.value(moved)
            if new <= value - 1e-4 * t * promise + rounding:
                break
        c, u, value = trial, moved, new
    return c
