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

Legend: as in `problem`; g gradient of F; s step; S directions as columns, Q = ZS;
δ_i the strength of the proximal term, r_i = 1/(δ_i + 2κ_i), a_i = r_i δ_i α_old,i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernellab.kernels.points import Array
from kernellab.linalg import EPS, cholesky
from kernellab.stochastic.problem import LinearProblem, Rows
from kernellab.stochastic.watch import Watch

DIRECT = {"dense": 1000, "sparse": 300}
"""Up to this size the Newton system is solved by Cholesky."""

FORCING, CG_STEPS = 0.3, 12
"""Conjugate gradients stop at this relative residual, or after so many steps; more of
them are allowed when many Newton steps have not been enough."""

SOLVED = 0.5
"""A proximal problem is solved when its gap is below this share of the whole gap."""

SHRINK, EASY = 0.8, 6
"""Factor on δ from one proximal problem to the next. When more than so many of them in
a row took one Newton step only, δ falls faster."""

STEEP, DONE = 0.2, 0.02
"""The squared hinge gets proximal steps if 1/(2C) is below this share of ‖z‖²/2, and no
more of them once δ is below this share of 1/(2C)."""

SINGLE = 1e-6
"""Down to this tolerance conjugate gradients run in single precision."""

TURNS = 15
"""Newton steps in the span of a few directions, at most."""

PATIENCE = 100
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
        self, problem: LinearProblem, watch: Watch, rng: np.random.Generator
    ) -> None:
        """Run until `watch` says stop, or until rounding ends all progress."""
        state, smooth = _State.start(problem, watch.tol), Smoothed.first(problem)
        state.first_step(smooth)
        steps, easy, idle, gap = 0, 0, 0, 1.0  # steps in this proximal problem
        while idle < PATIENCE:
            alpha = smooth.multipliers(state.u)
            v = state.combine(alpha)
            if watch.see(state.passes, state.w, alpha, 1 - state.u, v):
                return
            idle, gap = (0, watch.gap) if watch.gap < 0.99 * gap else (idle + 1, gap)
            gradient = state.w - v
            whole = problem.primal(state.w, 1 - state.u) - problem.dual(alpha, v)
            if steps and smooth.proximal and gradient @ gradient <= 2 * SOLVED * whole:
                easy = easy + 1 if steps == 1 else 0
                factor = max(SHRINK ** max(1, easy - EASY), 0.1)
                smooth, steps = smooth.around(alpha, factor), 0
                continue
            steps += 1
            step = state.newton_step(gradient, smooth, smooth.free(alpha))
            state.improve(smooth, step)


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
        """The proximal problem around alpha: −δ(α − alpha)²/2 is added to the dual."""
        rate = 1 / (bend + delta)
        return cls(alpha * delta * rate, rate, top, delta, bend)

    @classmethod
    def first(cls, problem: LinearProblem) -> Self:
        """No multipliers yet; δ so large that the first problem is an easy one.

        α‖z‖² is of the size of a margin, 1: so δ = ‖z‖²/2 is felt, and does not rule.
        For the hinge δC is the width of the part that is rounded off: it must not be
        too narrow. The squared hinge needs no δ, unless its own 1/(2C) is much smaller.
        """
        mean, size = float(problem.cost.mean()), problem.mean_square / 2
        if problem.squared:
            delta = size if 0.5 / mean < STEEP * size else 0.0
        else:
            delta = max(size, 0.3 / mean)
        deltas = delta * mean / problem.cost
        return cls.of(problem.top, deltas, problem.curvature, np.zeros(problem.n))

    @property
    def proximal(self) -> bool:
        """Whether this is one of many proximal problems, and not the problem itself."""
        return bool(self.delta[0] > 0)

    def around(self, alpha: Array, factor: float) -> Smoothed:
        """The next proximal problem, with δ times a factor."""
        delta = self.delta * factor
        if self.bend[0] > 0 and delta[0] < DONE * self.bend[0]:
            delta = np.zeros_like(delta)
        return Smoothed.of(self.top, delta, self.bend, alpha)

    def multipliers(self, u: Array) -> Array:
        """α(u) = clip(a + rate·u, 0, top)."""
        alpha = self.rate * u
        alpha += self.a
        return np.clip(alpha, 0, self.top, out=alpha)

    def free(self, alpha: Array) -> NDArray[np.bool_]:
        """Where ψ bends."""
        return np.asarray((alpha > 0) & (alpha < self.top))

    def value(self, u: Array) -> float:
        """Σψ(u), up to a constant."""
        alpha = self.multipliers(u)
        return float((alpha * (u + (self.a - 0.5 * alpha) / self.rate)).sum())


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
        precise = tol < SINGLE or not 1e-6 < problem.mean_square < 1e6
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
        """−H⁻¹g, with H = I + Z_AᵀRZ_A."""
        A = np.flatnonzero(free)
        if not len(A):
            return -gradient
        rate, bias = smooth.rate[A], self.problem.bias
        kind = "dense" if isinstance(self.problem.X, np.ndarray) else "sparse"
        if min(len(A), self.problem.d) <= DIRECT[kind]:
            self.passes += len(A) / self.problem.n
            return -_solve_directly(self.problem.X[A], bias, rate, gradient)
        self.steps += 1
        most = max(CG_STEPS, self.steps)
        step, turns = conjugate_gradients(self.light[A], bias, rate, -gradient, most)
        self.passes += 2 * turns * len(A) / self.problem.n
        return step


def minimise_in_span(
    S: Array, Q: Array, w: Array, u: Array, smooth: Smoothed, accuracy: float = 1e-2
) -> Array:
    """The c of least ½‖w + Sᵀc‖² + Σψ(u − Qᵀc), for a few directions: rows of S.

    Newton's method in as many variables as there are directions, each step halved
    until it helps, until a step promises less than `accuracy` times the most promising
    one; O(n) operations a turn.
    """
    G, h = S @ S.T, S @ w
    c, value, first = np.zeros(len(S)), smooth.value(u), 0.0
    rounding = 8 * EPS * (0.5 * float(w @ w) + abs(value))
    for _ in range(TURNS):
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


def conjugate_gradients(
    X: Rows, bias: float, rate: Array, target: Array, most: int
) -> tuple[Array, int]:
    """s with (I + [X B]ᵀR[X B])s ≈ target, and the number of steps made.

    The labels have gone: y_i² = 1.
    """
    kind = X.dtype.type
    r, rate, bias = target.astype(kind), rate.astype(kind), kind(bias)
    XT = X.T
    s, p, rr = np.zeros_like(r), r.copy(), float(r @ r)
    enough, turns = FORCING**2 * rr, 0
    while rr > enough and turns < most:
        q = rate * (X @ p[:-1] + bias * p[-1])
        Hp = p.copy()
        Hp[:-1] += XT @ q
        Hp[-1] += bias * q.sum()
        t = kind(rr / float(p @ Hp))
        s += t * p
        r -= t * Hp
        new = float(r @ r)
        p = r + kind(new / rr) * p
        rr, turns = new, turns + 1
    return s.astype(np.float64), turns


def _solve_directly(X: Rows, bias: float, rate: Array, target: Array) -> Array:
    """(I + MᵀM)⁻¹ target with M = R^½[X B], by the smaller of MᵀM and MMᵀ."""
    root = np.sqrt(rate)
    dense = isinstance(X, np.ndarray)
    scaled: Any = root[:, None] * X if dense else sparse.diags_array(root) @ X
    column = bias * root
    if X.shape[0] <= X.shape[1]:
        outer = _dense(scaled @ scaled.T) + np.outer(column, column)
        Mt = scaled @ target[:-1] + column * target[-1]
        z = cholesky(outer, ridge=1.0, overwrite=True).solve(Mt)
        return np.asarray(target - np.append(scaled.T @ z, column @ z))
    corner = scaled.T @ column
    inner = np.block(
        [[_dense(scaled.T @ scaled), corner[:, None]], [corner, column @ column]]
    )
    return cholesky(inner, ridge=1.0, overwrite=True).solve(target)


def _dense(M: Any) -> Array:
    return np.asarray(M if isinstance(M, np.ndarray) else M.toarray())


def _single(X: Rows) -> Rows:
    """The same rows in single precision; a sparse array shares its indices."""
    if isinstance(X, np.ndarray):
        return X.astype(np.float32)
    parts = (X.data.astype(np.float32), X.indices, X.indptr)
    return sparse.csr_array(parts, shape=X.shape)
