"""Newton's method for a linear machine, made to fit sparse data.

The squared hinge has a gradient, and piecewise constant second derivatives. The hinge
has a kink, which a proximal step on the dual rounds off (Rockafellar's method of
multipliers): with α_old in hand, maximise D(α) − Σ_i (δ_i/2)(α_i − α_old,i)².
Both problems then are, on the primal side, of one form,

    minimise  F(w) = ½‖w‖² + Σ_i ψ_i(u_i),     u = 1 − Zw,
              ψ_i(u) = max over 0 ≤ α ≤ top_i of  αu − (α − a_i)²/(2r_i),

with the maximiser α_i(u) = clip(a_i + r_i u, 0, top_i) = ψ_i'(u). The squared hinge
itself is a = 0, r_i = 2C_i, top = ∞. Newton's step solves

    (I + Z_Aᵀ R Z_A) s = −(w − Zᵀα),           A = {i : 0 < α_i < top_i},

in which only the rows of A occur: conjugate gradients, in single precision, with two
passes over those rows each; or Cholesky, if that matrix, or the one of A, is small.
α(u) lies in the box, and F exceeds its own dual there by exactly ½‖w − Zᵀα‖²: every
gradient brings a certificate.

The step is not only taken along s. Data that are all positive, and the constant
feature, stretch the problem in a few directions; so F is minimised over the span of s,
the last displacement, w, the mean row, and the constant. The products of Z with all of
them are known, so this costs O(n), no pass over the data.

Legend: as in `problem`; g gradient of F; s step; S directions as rows, Q = SZᵀ;
δ_i the strength of the proximal term, r_i = 1/(δ_i + 2κ_i), a_i = r_i δ_i α_old,i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernellab.arrays import Array
from kernellab.linear_svm.gap_monitor import GapMonitor
from kernellab.linear_svm.problem import LinearProblem, Rows
from kernellab.linear_svm.smoothed import Smoothed, minimise_in_span
from kernellab.linear_svm.systems import conjugate_gradients, solve_directly

CHOLESKY_MAX_SIZE = {"dense": 1000, "sparse": 300}
"""Up to this size the Newton system is solved by Cholesky."""

CG_STEPS = 12
"""Conjugate gradients stop after so many steps; more of them are allowed when many
Newton steps have not been enough."""

PROXIMAL_GAP_SHARE = 0.5
"""A proximal problem is solved when its gap is below this share of the whole gap."""

PROXIMAL_DECAY, MAX_EASY_PROBLEMS = 0.8, 6
"""Factor on δ from one proximal problem to the next. When more than so many of them in
a row took one Newton step only, δ falls faster."""

FLOAT32_MIN_TOL = 1e-6
"""Down to this tolerance conjugate gradients run in single precision."""

MAX_STALLED_STEPS = 100
"""Steps in a row without a smaller gap, before the method gives up."""


@dataclass(frozen=True)
class Newton:
    """Newton's method, with proximal steps for the hinge.

    Parameters
    ----------
    max_passes : passes over the data after which to stop.

    Notes
    -----
    The default, and the fastest: 10 to 200 passes to a relative gap of 1e-3. Memory:
    a copy of the non-zeros in single precision, and one of the rows of A.
    """

    max_passes: int = 10_000

    def solve(
        self, problem: LinearProblem, watch: GapMonitor, rng: np.random.Generator
    ) -> None:
        """Run until `watch` says stop, or until rounding ends all progress."""
        state, smooth = _State.start(problem, watch.tol), Smoothed.first(problem)
        state.first_step(smooth)
        steps, easy, idle, gap = 0, 0, 0, 1.0  # steps in this proximal problem
        while idle < MAX_STALLED_STEPS:
            alpha = smooth.multipliers(state.u)
            v = state.combine(alpha)
            if watch.see(state.passes, state.w, alpha, 1 - state.u, v):
                return
            idle, gap = (0, watch.gap) if watch.gap < 0.99 * gap else (idle + 1, gap)
            gradient = state.w - v
            whole = problem.primal(state.w, 1 - state.u) - problem.dual(alpha, v)
            if (
                steps
                and smooth.proximal
                and gradient @ gradient <= 2 * PROXIMAL_GAP_SHARE * whole
            ):
                easy = easy + 1 if steps == 1 else 0
                factor = max(PROXIMAL_DECAY ** max(1, easy - MAX_EASY_PROBLEMS), 0.1)
                smooth, steps = smooth.around(alpha, factor), 0
                continue
            steps += 1
            step = state.newton_step(gradient, smooth, smooth.free(alpha))
            state.improve(smooth, step)


class _State:
    """w, u = 1 − Zw, and directions whose products with Z are known."""

    def __init__(self, problem: LinearProblem, light: Rows) -> None:
        self.problem, self.light = problem, light
        self.w, self.u = np.zeros(problem.d), np.ones(problem.n)
        self.passes, self.steps = 0.0, 0
        self.fixed: list[tuple[Array, Array]] = []
        self.last: list[tuple[Array, Array]] = []

    @classmethod
    def start(cls, problem: LinearProblem, tol: float) -> Self:
        precise = tol < FLOAT32_MIN_TOL or not 1e-6 < problem.mean_square < 1e6
        state = cls(problem, problem.X if precise else _single(problem.X))
        if problem.bias:
            constant = np.append(np.zeros(problem.d - 1), 1.0)
            state.fixed.append((constant, problem.y * problem.bias))
        return state

    def combine(self, alpha: Array) -> Array:
        self.passes += 1
        return self.problem.combine(alpha)

    def with_product(self, s: Array) -> tuple[Array, Array]:
        """s and Zs."""
        self.passes += 1
        return s, self.problem.margins(s)

    def first_step(self, smooth: Smoothed) -> None:
        """From w = 0, along what all rows have in common and along the gradient."""
        mean = self.combine(self.problem.y / self.problem.n)
        mean[-1] = 0.0
        self.fixed.append(self.with_product(mean))
        self.improve(smooth, self.combine(smooth.multipliers(self.u)))

    def improve(self, smooth: Smoothed, step: Array) -> None:
        """Minimise F over the span of the step and the known directions."""
        pairs = [self.with_product(step), *self.fixed, *self.last, (self.w, 1 - self.u)]
        sizes = [float(np.linalg.norm(s)) for s, _ in pairs]
        kept = [(s / z, q / z) for (s, q), z in zip(pairs, sizes, strict=True) if z > 0]
        if not kept:  # all rows are zero: so is the best w
            return
        S, Q = (np.array(part) for part in zip(*kept, strict=True))
        c = minimise_in_span(S, Q, self.w, self.u, smooth)
        move, change = c @ S, c @ Q
        self.last = [(move, change)]
        self.w, self.u = self.w + move, self.u - change

    def newton_step(
        self, gradient: Array, smooth: Smoothed, free: NDArray[np.bool_]
    ) -> Array:
        """Return −H⁻¹g, with H = I + Z_AᵀRZ_A."""
        A = np.flatnonzero(free)
        if not len(A):
            return -gradient
        rate, bias = smooth.rate[A], self.problem.bias
        kind = "dense" if isinstance(self.problem.X, np.ndarray) else "sparse"
        if min(len(A), self.problem.d) <= CHOLESKY_MAX_SIZE[kind]:
            self.passes += len(A) / self.problem.n
            return -solve_directly(self.problem.X[A], bias, rate, gradient)
        self.steps += 1
        most = max(CG_STEPS, self.steps)
        step, turns = conjugate_gradients(self.light[A], bias, rate, -gradient, most)
        self.passes += 2 * turns * len(A) / self.problem.n
        return step


def _single(X: Rows) -> Rows:
    """Return the same rows in single precision; a sparse array shares its indices."""
    if isinstance(X, np.ndarray):
        return X.astype(np.float32)
    parts = (X.data.astype(np.float32), X.indices, X.indptr)
    return sparse.csr_array(parts, shape=X.shape)
