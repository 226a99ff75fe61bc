"""A constrained problem: objective, constraints, Ω, and all that is defined for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.optim.conditions import (
    KKT,
    Multipliers,
    Qualification,
    fit_multipliers,
)
from kernellab.optim.domains import Box, Domain, read_domain
from kernellab.optim.functions import Smooth, finite_array, weighted_sum
from kernellab.optim.infimum import SEARCH_RADIUS, Infimum, infimum
from kernellab.optim.solutions import (
    DualSolution,
    Infeasible,
    PrimalSolution,
    Unbounded,
    WeakDuality,
)
from kernellab.optim.solvers import HUGE, local_minimum, slsqp

Function = Smooth | Callable[[Any], Any]
Functions = Function | Sequence[Function]

ROUNDING = 1e-7
"""A violation up to this, in units of 1 + |w|, counts as rounding."""


class Problem:
    """Minimise f(w) over w ∈ Ω, subject to g_i(w) ≤ 0 and h_j(w) = 0.

    Parameters
    ----------
    objective : f, a `Smooth` or a function of an array of shape (d,).
    inequalities : the g_i. A plain function gets its gradient by differences.
    equalities : the h_j.
    domain : Ω, a `Box` or a `Region`; or d, for Ω = ℝᵈ.
    dual_function : θ_D(α, β), if a formula is known. Otherwise see `theta_D`.
    name : how the problem prints.

    Notes
    -----
    Meant for problems with few variables. What descents find for a problem that is
    not convex is as good as they are; `theta_D` says what is proved.

    Examples
    --------
    The least w² with w ≥ 1, that is 1 − w ≤ 0:

    >>> p = Problem(lambda w: w[0] ** 2, [lambda w: 1 - w[0]], domain=1)
    >>> p.theta_P([0.5]), p.theta_P([3.0])
    (inf, 9.0)
    >>> round(p.theta_D([0.5]), 6)  # α − α²/4
    0.4375
    >>> p.theta_D([0.5]).certified  # nothing is known of these functions
    False
    >>> solution = p.solve()
    >>> solution.w.round(6), solution.alpha.round(6)
    (array([1.]), array([2.]))
    """

    def __init__(
        self,
        objective: Function,
        inequalities: Functions = (),
        equalities: Functions = (),
        domain: Domain | int = 1,
        dual_function: Callable[[Array, Array], float] | None = None,
        name: str = "",
    ) -> None:
        (self.f,) = _smooth(objective, "f")
        self.inequalities = _smooth(inequalities, "g")
        self.equalities = _smooth(equalities, "h")
        self.omega = read_domain(domain)
        self.dual_function, self.name = dual_function, name

    def g(self, w: ArrayLike) -> Array:
        """Return (g_1(w), …, g_k(w)); admissible points have g ≤ 0."""
        return np.array([g(self._point(w)) for g in self.inequalities], dtype=float)

    def h(self, w: ArrayLike) -> Array:
        """Return (h_1(w), …, h_m(w)); admissible points have h = 0."""
        return np.array([h(self._point(w)) for h in self.equalities], dtype=float)

    # --- the admissible region ---------------------------------------------------

    def violation(self, w: ArrayLike) -> float:
        """Return the largest violation of a constraint or a bound; 0 if admissible."""
        point = self._point(w)
        worst = np.r_[0.0, self.g(point), np.abs(self.h(point))].max()
        if isinstance(self.omega, Box):
            return float(max(worst, np.abs(point - self.omega.project(point)).max()))
        return float(worst) if self.omega.contains(point) else math.inf

    def admissible(self, w: ArrayLike, tol: float = 1e-9) -> bool:
        """Return whether w ∈ Ω violates no constraint by more than `tol`."""
        return self.violation(w) <= tol

    def active(self, w: ArrayLike, tol: float = 1e-6) -> NDArray[np.intp]:
        """Return the indices i with g_i(w) = 0, up to `tol`."""
        return np.flatnonzero(np.abs(self.g(w)) <= tol)

    # --- the Lagrangian and the two value functions ------------------------------

    def lagrangian(
        self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()
    ) -> float:
        """Return L(w, α, β) = f(w) + Σ α_i g_i(w) + Σ β_j h_j(w)."""
        return self._lagrangian(alpha, beta)(self._point(w))

    def lagrangian_gradient(
        self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()
    ) -> Array:
        """Return ∇_w L(w, α, β)."""
        return self._lagrangian(alpha, beta).gradient(self._point(w))

    def theta_P(self, w: ArrayLike, tol: float = 1e-9) -> float:
        """Return sup of L over α ≥ 0 and β: f(w) if w is admissible, else +∞."""
        return self.f(self._point(w)) if self.admissible(w, tol) else math.inf

    def theta_D(self, alpha: ArrayLike = (), beta: ArrayLike = ()) -> Infimum:
        """Return θ_D(α, β) = inf of L over w ∈ Ω, with what is proved of it.

        Certified if `dual_function` is given, if L is quadratic and Ω = ℝᵈ, or if the
        declared curvature of the functions proves the value that descents find.
        """
        L = self._lagrangian(alpha, beta)
        a, b = (np.asarray(z, dtype=np.float64).reshape(-1) for z in (alpha, beta))
        if (a < 0).any():
            place = int(np.argmin(a))
            raise InputError(
                "alpha must be ≥ 0, or theta_D is no bound; "
                f"alpha[{place}] is {a[place]:g}"
            )
        if self.dual_function is not None:
            value = float(self.dual_function(a, b))
            return Infimum(value, lower=value)
        return infimum(L, self._box("theta_D"))

    def check_weak_duality(
        self, rng: np.random.Generator, samples: int = 100
    ) -> WeakDuality:
        """Compare θ_D(α, β) with f(w) at random α ≥ 0, β and admissible w."""
        if samples < 1:
            raise InputError(f"samples must be 1 or more, got {samples}")
        points = [self._admissible_point(rng) for _ in range(samples)]
        primal = [self.f(w) for w in points if self.admissible(w)]
        if not primal:
            raise InputError("no admissible point found: there is nothing to compare")
        dual = [self.theta_D(*self._random_multipliers(rng)) for _ in range(samples)]
        proved = max(value.lower for value in dual)
        return WeakDuality(samples, float(max(dual)), proved, min(primal))

    # --- conditions --------------------------------------------------------------

    def kkt(self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()) -> KKT:
        """Return the residuals of the four conditions at (w, α, β)."""
        point, a = self._point(w), np.atleast_1d(np.asarray(alpha, dtype=np.float64))
        gradient = self.lagrangian_gradient(point, alpha, beta)
        if isinstance(self.omega, Box):  # −∇L may be a normal of the box
            gradient = point - self.omega.project(point - gradient)
        return KKT(
            float(np.linalg.norm(gradient)),
            self.violation(point),
            float(max(0.0, -a.min(initial=0.0))),
            float(np.abs(a * self.g(point)).max(initial=0.0)),
        )

    def qualification(self, w: ArrayLike, tol: float = 1e-6) -> Qualification:
        """Return whether the gradients of the active constraints are independent."""
        active = self.active(w, tol)
        tight = [*(self.inequalities[i] for i in active), *self.equalities]
        rows = _jacobian(tight, self._point(w))
        rank = int(np.linalg.matrix_rank(rows, tol=1e-8)) if len(rows) else 0
        all_affine = all(c.is_affine for c in (*self.inequalities, *self.equalities))
        return Qualification(tuple(map(int, active)), len(rows), rank, all_affine)

    def multipliers(self, w: ArrayLike, tol: float = 1e-6) -> Multipliers:
        """Return the multipliers at w: the best, whether they exist, how many."""
        point = self._point(w)
        return fit_multipliers(
            self.f.gradient(point),
            _jacobian(self.inequalities, point),
            _jacobian(self.equalities, point),
            self.omega.normals(point, tol),
            self.active(point, tol),
            tol,
        )

    # --- solving -----------------------------------------------------------------

    def solve(self, start: ArrayLike | None = None) -> PrimalSolution:
        """Return the best admissible local minimum that SLSQP finds, by several starts.

        Raises `Infeasible` with the smallest violation found, or `Unbounded` if the
        objective falls as far as the search goes.
        """
        box, rng = self._box("solve"), np.random.default_rng(0)
        starts = [] if start is None else [self._point(start)]
        starts += [box.sample(rng, scale) for scale in (0.1, 1.0, 1.0, 3.0, 10.0)]
        found = [self._descend(self.f, self.f.gradient, w) for w in starts]
        good = [w for w in found if self.violation(w) <= ROUNDING * (1 + abs(w).max())]
        if not good:
            raise self._infeasible(starts)
        w = min(good, key=self.f)
        if box.within(SEARCH_RADIUS - 1).contains(w) != box.contains(w):
            raise Unbounded(
                f"the objective falls to {self.f(w):.3g} at w = {w} without leaving "
                "the admissible region: there is no minimum up to this distance. A "
                "constraint is missing, or the sign of the objective is wrong."
            )
        return self._solution(w)

    def solve_dual(self) -> DualSolution:
        """Maximise θ_D over α ≥ 0 and β: Nelder–Mead, from multipliers of the primal.

        θ_D is concave, but it need not have a gradient, and may be −∞.
        """
        k, m = len(self.inequalities), len(self.equalities)
        try:  # for convex problems these multipliers are the answer
            solution = self.solve()
            first = np.r_[solution.alpha, solution.beta]
        except (Infeasible, Unbounded, InputError):
            first = np.zeros(k + m)
        z = local_minimum(
            lambda z: -self.theta_D(z[:k], z[k:]),
            first,
            method="Nelder-Mead",
            bounds=[(0, None)] * k + [(None, None)] * m,
            options={"xatol": 1e-9, "fatol": 1e-12},
        )
        value = self.theta_D(z[:k], z[k:])
        return DualSolution(value, z[:k], z[k:], value.certified)

    def _solution(self, w: Array, tol: float = 1e-6) -> PrimalSolution:
        """Return w with its multipliers, residuals, and the dual value they give."""
        found = self.multipliers(w, tol)
        kkt = self.kkt(w, found.alpha, found.beta)
        dual = self.theta_D(found.alpha, found.beta)
        return PrimalSolution(w, self.f(w), found, kkt, dual)

    def _descend(
        self, value: Any, gradient: Callable[[Array], Array], w: Array
    ) -> Array:
        """Return where SLSQP ends under the constraints."""
        box = self._box("a search").within(SEARCH_RADIUS)
        constraints: list[dict[str, Any]] = []
        if self.inequalities:  # SLSQP wants them ≥ 0
            less = {
                "fun": lambda v: -np.clip(self.g(v), -HUGE, HUGE),
                "jac": lambda v: -_jacobian(self.inequalities, v),
            }
            constraints.append({"type": "ineq", **less})
        if self.equalities:
            equal = {"fun": self.h, "jac": lambda v: _jacobian(self.equalities, v)}
            constraints.append({"type": "eq", **equal})
        return slsqp(value, gradient, box.project(w), constraints, box)

    def _infeasible(self, starts: Sequence[Array]) -> Infeasible:
        """Return the error, with the smallest violation that least squares finds."""

        def residual(w: Array) -> Array:
            over = np.maximum(self.g(w), 0)
            return np.concatenate([over, self.h(w), w - self._box("solve").project(w)])

        ends = [least_squares(residual, w).x for w in starts]
        best = min(ends, key=self.violation)
        return Infeasible(
            "no feasible point found; smallest violation "
            f"{self.violation(best):.3g}, at w = {np.round(best, 6)}. "
            "Check the signs (g ≤ 0), or give a start."
        )

    def _admissible_point(self, rng: np.random.Generator) -> Array:
        """Draw a point of Ω, and move it to the admissible region if that succeeds."""
        scale = float(rng.choice([0.3, 1.0, 3.0]))
        w = self._box("check_weak_duality").sample(rng, scale)
        if self.admissible(w):
            return w
        return self._descend(lambda v: (v - w) @ (v - w) / 2, lambda v: v - w, w)

    def _random_multipliers(self, rng: np.random.Generator) -> tuple[Array, Array]:
        scale = float(rng.choice([0.1, 1.0, 10.0]))
        alpha = scale * rng.exponential(size=len(self.inequalities))
        alpha *= rng.random(len(alpha)) < 0.8  # some constraints at the price 0
        return alpha, scale * rng.standard_normal(len(self.equalities))

    # --- reading -----------------------------------------------------------------

    def _lagrangian(self, alpha: ArrayLike, beta: ArrayLike) -> Smooth:
        a = finite_array(alpha, "alpha", len(self.inequalities))
        b = finite_array(beta, "beta", len(self.equalities))
        functions = (self.f, *self.inequalities, *self.equalities)
        return weighted_sum((1.0, *a, *b), functions)

    def _point(self, w: ArrayLike) -> Array:
        return finite_array(w, "w", self.omega.dimension)

    def _box(self, who: str) -> Box:
        if isinstance(self.omega, Box):
            return self.omega
        raise InputError(
            f"{who} needs a box as its domain; describe the region by inequality "
            "constraints, or give a dual_function"
        )

    def __repr__(self) -> str:
        k, m = len(self.inequalities), len(self.equalities)
        title = self.name or type(self).__name__
        return f"{title}: {k} inequalities, {m} equalities, over {self.omega!r}"


def _smooth(functions: Functions, letter: str) -> tuple[Smooth, ...]:
    """Return the functions as `Smooth`, named by a letter, and a number if many."""
    if callable(functions):
        functions, letters = (functions,), [letter]
    else:
        letters = [f"{letter}_{i + 1}" for i in range(len(functions))]
    return tuple(
        f if isinstance(f, Smooth) else Smooth(f, text=text)
        for f, text in zip(functions, letters, strict=True)
    )


def _jacobian(functions: Sequence[Smooth], w: Array) -> Array:
    """Return the gradients as rows."""
    return np.array([f.gradient(w) for f in functions]).reshape(-1, len(w))
