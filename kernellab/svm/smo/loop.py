"""SMO in place: the step of `step`, on arrays that are allocated once.

The gradient is kept twice, with its sign changed and the sets I_up and I_low built in:

    up_i = −g_i if β_i < upper_i, else −∞;     low_j = −g_j if β_j > lower_j, else +∞.

So max up = m(β) and min low = M(β), and to choose needs no indexing. A step subtracts
t(K_i − K_j) from both, which leaves the infinities alone; then i and j may enter or
leave a set.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from kernellab.arrays import Array, Indices
from kernellab.svm.smo.problem import BoxProblem, BoxSolution
from kernellab.svm.smo.step import Step, best_step

StepCallback = Callable[[Step], object]

SHRINK_MARGIN = 3.0
"""How far from moving a variable must be to be left out, in units of the violation."""

LONG_STEP = 1e6
"""From this length on a step is tested for having no end."""

SHRINK_MAX_FRACTION = 0.7
"""Variables are left out if at most this fraction of them remains."""


class Loop:
    """The state of SMO over some of the variables; the others stay where they are.

    Parameters
    ----------
    problem : what is solved.
    found : a feasible point and its gradient.
    active : (q,) the variables that may move; None for all.
    dtype : float32 or float64, of the rows and of the running gradient.
    megabytes : memory for rows.

    Attributes
    ----------
    beta, lower, upper : (q,) arrays.
    objective : W, kept up to date.
    steps : how many were made, those that led to `found` included.
    over : whether no step can be made any more, at this precision.
    direction : (m,) array, if W was found to have no minimum along it.
    """

    def __init__(
        self,
        problem: BoxProblem,
        found: BoxSolution,
        active: Indices | None,
        dtype: Any,
        megabytes: float,
    ) -> None:
        self.problem, self.dtype, self.megabytes = problem, dtype, megabytes
        self.eps = float(np.finfo(dtype).eps)
        self.objective = found.objective
        self.steps, self.over = found.iterations, False
        self.direction: Array | None = None
        self._start = self._base = found.beta
        self._take(active, found.beta, -found.gradient)
        self.cache = problem.rows.cache(dtype, megabytes, active)

    def _take(self, active: Indices | None, beta: Array, minus_g: Array) -> None:
        """Set out with these variables, of the whole problem."""
        self.active = active
        chosen = slice(None) if active is None else active
        self.lower, self.upper = self.problem.lower[chosen], self.problem.upper[chosen]
        # Numbers that are read one by one are kept in lists: these are faster.
        self._lower, self._upper = self.lower.tolist(), self.upper.tolist()
        halves = self.problem.rows.diagonal[chosen] / 2
        self._halves, self._half = halves.astype(self.dtype), halves.tolist()
        self._blur = 2 * self.eps * float(np.abs(halves).max()) or math.ulp(0.0)
        self._constant = bool(np.ptp(halves) == 0)
        self._both = np.empty((2, len(halves)), self.dtype)  # up and low
        self._gain, self._work = np.empty((2, len(halves)), self.dtype)
        self._reset(beta[chosen].copy(), minus_g[chosen])

    def _reset(self, beta: Array, minus_g: Array) -> None:
        """Set β and −g, and see which variables can move which way."""
        self.beta = beta
        up, low = self._both
        up[...] = np.where(beta < self.upper, minus_g, -np.inf)
        low[...] = np.where(beta > self.lower, minus_g, np.inf)

    def whole(self) -> Array:
        """Return β of all variables."""
        beta = self._base.copy()
        beta[slice(None) if self.active is None else self.active] = self.beta
        return beta

    def minus_gradient(self) -> Array:
        """Return −g in float64; 0 where lower = upper, as it is not kept there."""
        up, low = self._both
        shrinks = np.where(low < np.inf, low, 0.0)
        return np.asarray(np.where(up > -np.inf, up, shrinks), dtype=np.float64)

    def extremes(self) -> tuple[float, float]:
        """Return m(β) and M(β), by the running gradient."""
        up, low = self._both
        return float(up.max()), float(low.min())

    def defect(self) -> float:
        """Return total − Σβ: what rounding has left of the equation."""
        return self.problem.total - float(self.whole().sum())

    def violation(self) -> float:
        """Return m(β) − M(β)."""
        m, M = self.extremes()
        return m - M

    def resolution(self) -> float:
        """Return how far rounding may have moved the running gradient by now.

        By a few last digits of its largest entry; and by those of K, times how far β
        is from where the gradient was exact. (There it was not quite exact, either.)
        """
        beta = self.whole()
        drift = float(self.eps * 2 * max(self._half) * norm(beta - self._start))
        return max(self._noise(), drift, self.problem.noise(beta) / 2)

    def _noise(self) -> float:
        """Return a few last digits of the largest entry of the running gradient."""
        return 4 * self.eps * float(np.abs(self.minus_gradient()).max())

    @np.errstate(divide="ignore", invalid="ignore")  # √ of a negative curvature
    def run(self, steps: int, tol: float, callback: StepCallback | None = None) -> bool:
        """Make up to `steps` steps; return True if the violation is at most `tol`.

        half_i = ½K_ii, so ½ curvature = half_i + half_j − K_ij. `blur` is the rounding
        of K, added to it so that no step is too long; `noise` is that of g: a slope
        below it promises nothing.
        """
        up, low = self._both
        beta, lower, upper = self.beta, self._lower, self._upper
        gain, work, half, row = self._gain, self._work, self._half, self.cache.row
        blur, two_halves = self._blur, 2 * half[0] + self._blur
        noise, violation, constant = self._noise(), math.nan, self._constant
        subtract, multiply = np.subtract, np.multiply
        for _ in range(steps):
            # i ∈ I_up violates most.
            i = int(up.argmax())
            m = up.item(i)
            K_i = row(i)
            # j ∈ I_low promises most: the largest slope/√(½ curvature).
            subtract(m - noise, low, gain)
            if constant:
                subtract(two_halves, K_i, work)
            else:
                subtract(self._halves, K_i, work)
                work += half[i] + blur
            np.divide(gain, np.sqrt(work, work), gain)
            j = int(gain.argmax())
            slope = m - low.item(j)
            if slope <= tol:
                if m - float(low.min()) <= tol:
                    return True
                if slope <= noise:  # those that violate have a negative curvature
                    j = int(low.argmin())
                    slope = m - low.item(j)
            K_j = row(j)
            # They move by t, or until one of them is at its bound.
            beta_i, beta_j = beta.item(i), beta.item(j)
            room_i, room_j = upper[i] - beta_i, beta_j - lower[j]
            curvature = 2 * (half[i] + half[j] - K_i.item(j) + blur)
            t = best_step(slope, curvature, room_i if room_i < room_j else room_j)
            if t > LONG_STEP and self._endless(curvature, i, j):
                return False
            new_i = upper[i] if t == room_i else beta_i + t
            new_j = lower[j] if t == room_j else beta_j - t
            if new_i == beta_i and new_j == beta_j:
                self.over = True
                return False
            if callback is not None:
                violation = m - float(low.min())
            beta[i], beta[j] = new_i, new_j
            subtract(K_i, K_j, work)
            multiply(work, t, work)
            subtract(up, work, up)
            subtract(low, work, low)
            # Who enters or leaves I_up and I_low?
            if beta_i == lower[i]:
                low[i] = up[i]
            if beta_j == upper[j]:
                up[j] = low[j]
            if t == room_i:
                up[i] = -math.inf
            if t == room_j:
                low[j] = math.inf
            self.steps += 1
            self.objective -= t * (slope - 0.5 * t * curvature)
            if callback is not None:
                callback(Step(self.steps, i, j, t, violation, self.objective))
        return False

    def _endless(self, curvature: float, i: int, j: int) -> bool:
        """Return True if nothing stops β_i and β_j: no bound, a curvature of 0."""
        bounded = self.upper[i] < math.inf or self.lower[j] > -math.inf
        if bounded or curvature > 8 * self._blur:
            return False
        return self.falls_along(np.array([i, j]), np.array([0.5, -0.5]), curvature <= 0)

    def falls_along(self, V: Indices, delta: Array, surely: bool = False) -> bool:
        """Return True if W has no minimum along a flat δ of some variables: sᵀδ > 0."""
        v = V if self.active is None else self.active[V]
        s = self.problem.s[v]
        if not surely and s @ delta <= 1e-9 * (np.abs(s) @ np.abs(delta)):
            return False
        self.over = True
        self.direction = np.zeros(len(self._base))
        self.direction[v] = delta
        return True

    def move(self, F: Indices, x: Array, decrease: float) -> None:
        """Set β_F, several variables at once; W falls by `decrease`."""
        beta = self.beta.copy()
        change = self.cache.combine(F, x - beta[F])
        beta[F] = x
        self._reset(beta, self.minus_gradient() - change)
        self.objective -= decrease
        self.steps += 1

    def narrow(self) -> None:
        """Shrink: leave out variables at a bound that do not want to leave it."""
        y, (m, M) = self.minus_gradient(), self.extremes()
        keep = np.flatnonzero(
            busy(self.beta, self.lower, self.upper, y, SHRINK_MARGIN * (m - M))
        )
        if len(keep) > SHRINK_MAX_FRACTION * len(y):
            return
        active = keep if self.active is None else self.active[keep]
        self._base = self.whole()
        minus_g = np.zeros(len(self._base))
        minus_g[active] = y[keep]
        self._take(active, self._base, minus_g)
        self.cache = self.cache.narrowed(keep)


def busy(
    beta: Array, lower: Array, upper: Array, minus_g: Array, margin: float
) -> NDArray[np.bool_]:
    """Find the free variables, and those at a bound that may have to leave it.

    A variable at its lower bound joins no violating pair as long as −g_i < M(β), one
    at its upper bound as long as −g_i > m(β); `margin` is kept from both.
    """
    up, low = beta < upper, beta > lower
    m, M = minus_g[up].max(initial=-np.inf), minus_g[low].min(initial=np.inf)
    rises, falls = up & (minus_g >= M - margin), low & (minus_g <= m + margin)
    return np.asarray((up & low) | rises | falls)
