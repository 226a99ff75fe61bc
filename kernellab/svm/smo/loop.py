"""The state of SMO: β, the gradient and the rows of K, in arrays allocated once.

The steps themselves are `kernellab.loops.smo`, where it is said in which form the
gradient is kept. Here is what surrounds them: rows that are computed when they are
needed, variables that are left out, moves of many variables at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from kernellab.arrays import Array, Indices
from kernellab.loops.smo import (
    CONVERGED,
    ENDLESS,
    EXHAUSTED,
    MISSING,
    Run,
    compiled_steps,
    vector_steps,
)
from kernellab.svm.smo.problem import BoxProblem, BoxSolution

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
    last : (i, j, t), the last pair and by how much it moved.
    compiled : whether steps are compiled: then they take a tenth of the time.
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
        self.last, self.compiled = (-1, -1, 0.0), compiled_steps() is not None
        self._start = self._base = found.beta
        self._take(active, found.beta, -found.gradient)
        self.cache = problem.rows.cache(dtype, megabytes, active)

    def _take(self, active: Indices | None, beta: Array, minus_g: Array) -> None:
        """Set out with these variables, of the whole problem."""
        self.active = active
        chosen = slice(None) if active is None else active
        self.lower, self.upper = self.problem.lower[chosen], self.problem.upper[chosen]
        half = self.problem.rows.diagonal[chosen] / 2
        self._half = half.astype(self.dtype)
        self._blur = 2 * self.eps * float(np.abs(half).max()) or math.ulp(0.0)
        self._both = np.empty((2, len(half)), self.dtype)  # up and low
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

    def _resolution(self) -> float:
        """Return how far rounding may have moved the running gradient by now.

        By the last digits of K, times how far β is from where the gradient was exact.
        (There it was not quite exact, either.)
        """
        beta = self.whole()
        largest = 2 * float(self._half.max())
        drift = float(self.eps * largest * norm(beta - self._start))
        return max(drift, self.problem.noise(beta) / 2)

    def _noise(self) -> float:
        """Return a few last digits of the largest entry of the running gradient."""
        return 4 * self.eps * float(np.abs(self.minus_gradient()).max())

    def run(self, steps: int, tol: float) -> bool:
        """Make up to `steps` steps; return True if the violation is at most `tol`.

        Or as small as rounding lets it be.
        """
        noise = self._noise()
        enough = max(tol, noise, self._resolution())
        numbers = self.dtype(noise), self.dtype(self._blur), enough
        last, longest, make = self.steps + steps, LONG_STEP, self._stepper()
        while self.steps < last:
            run = make(*numbers, longest, last - self.steps)
            self.steps += run.made
            self.objective -= run.decrease
            self.last = run.i, run.j, run.t
            longest = LONG_STEP
            if run.end == MISSING:
                self.cache.row(run.i)
            elif run.end == ENDLESS and not self._endless(run.i, run.j):
                longest = math.inf
            elif run.end != EXHAUSTED:
                self.over = run.end != CONVERGED
                return run.end == CONVERGED
        return False

    def _stepper(self) -> Callable[..., Run]:
        """Return what makes steps, until something else has to be done."""
        box = self.beta, self.lower, self.upper, self._half
        steps, cache = compiled_steps(), self.cache
        if steps is None:
            return partial(vector_steps, cache.reader(), self._both, *box)
        state = cache.store, cache.place, cache.stamp, *self._both, *box
        return lambda *numbers: Run(*steps(*state, *numbers))

    def _endless(self, i: int, j: int) -> bool:
        """Return True if W falls for ever as β_i grows and β_j shrinks."""
        curvature = self._half[i] + self._half[j] - self.cache.row(i)[j] + self._blur
        surely = bool(curvature <= 0)
        return self.falls_along(np.array([i, j]), np.array([0.5, -0.5]), surely)

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
