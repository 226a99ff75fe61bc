"""A constrained problem: objective, constraints, Ω, and all that is defined for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, whole
from kernellab.errors import InputError
from kernellab.optim.conditions import KKT, Multipliers, Qualification, fit_multipliers
from kernellab.optim.domains import Box, Region
from kernellab.optim.functions import (
    Quadratic,
    Smooth,
    finite_array,
    jacobian,
    values,
    weighted_sum,
)
from kernellab.optim.infimum import (
    SEARCH_RADIUS,
    Infimum,
    descend,
    descents,
    infimum,
    local_minimum,
)
from kernellab.optim.solutions import (
    DualSolution,
    Infeasible,
    PrimalSolution,
    Unbounded,
    WeakDuality,
)

Function = Smooth | Callable[[Any], Any]

FEASIBILITY_ROUNDING = 1e-7
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
        inequalities: Sequence[Function] = (),
        equalities: Sequence[Function] = (),
        domain: Box | Region | int = 1,
        dual_function: Callable[[Array, Array], float] | None = None,
        name: str = "",
    ) -> None:
        (self.f,) = _smooth([objective])
        self.inequalities, self.equalities = _smooth(inequalities), _smooth(equalities)
        if not isinstance(domain, Box | Region):
            what = "a domain that is not a Box or a Region"
            domain = Box.everywhere(whole(domain, what, 1))
        self.omega, self.dual_function, self.name = domain, dual_function, name

    def g(self, w: ArrayLike) -> Array:
        """Return (g_1(w), …, g_k(w)); admissible points have g ≤ 0."""
        return values(self.inequalities, self._point(w))

    def h(self, w: ArrayLike) -> Array:
        """Return (h_1(w), …, h_m(w)); admissible points have h = 0."""
        return values(self.equalities, self._point(w))

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

    def theta_P(self, w: ArrayLike) -> float:
        """Return sup of L over α ≥ 0 and β: f(w) if w is admissible, else +∞."""
        return self.f(self._point(w)) if self.admissible(w) else math.inf

    def theta_D(self, alpha: ArrayLike = (), beta: ArrayLike = ()) -> Infimum:
        """Return θ_D(α, β) = inf of L over w ∈ Ω; certified if it is proved.

        By `dual_function` if it was given, or the formula for a quadratic L on ℝᵈ.
        Otherwise descents find a value, which is an upper bound of θ_D; it is certified
        if the `curvature` of f, g and h proves it up to 10⁻⁸, in units of 1 + |θ_D|.
        """
        L = self._lagrangian(alpha, beta)
        a, b = (np.asarray(z, dtype=np.float64) for z in (alpha, beta))
        if (a < 0).any():
            raise InputError(f"alpha must be ≥ 0, or theta_D is no bound; got {a}")
        if self.dual_function is not None:
            return Infimum(self.dual_function(a, b), certified=True)
        return infimum(L, self._box)

    def check_weak_duality(
        self, rng: np.random.Generator, samples: int = 100
    ) -> WeakDuality:
        """Compare θ_D(α, β) with f(w) at random α ≥ 0, β and admissible w."""
        trials = range(whole(samples, "samples", 1))
        points = [self._admissible_point(rng) for _ in trials]
        primal = [self.f(w) for w in points if self.admissible(w)]
        if not primal:
            raise InputError("no admissible point found: there is nothing to compare")
        dual = [self.theta_D(*self._random_multipliers(rng)) for _ in trials]
        return WeakDuality(samples, max(dual), min(primal))

    def kkt(self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()) -> KKT:
        """Return the residuals of the four conditions at (w, α, β)."""
        point, a = self._point(w), np.asarray(alpha, dtype=np.float64)
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
        tight = [self.inequalities[i] for i in self.active(w, tol)]
        rows = jacobian([*tight, *self.equalities], self._point(w))
        rank = int(np.linalg.matrix_rank(rows, tol=1e-8)) if len(rows) else 0
        all_affine = all(c.is_affine for c in (*self.inequalities, *self.equalities))
        return Qualification(len(rows), rank, all_affine)

    def multipliers(self, w: ArrayLike, tol: float = 1e-6) -> Multipliers:
        """Return the multipliers at w: the best, whether they exist, how many."""
        point = self._point(w)
        return fit_multipliers(
            self.f.gradient(point),
            jacobian(self.inequalities, point),
            jacobian(self.equalities, point),
            self.omega.normals(point, tol),
            self.active(point, tol),
            tol,
        )

    def solve(self) -> PrimalSolution:
        """Return the best admissible local minimum that several descents find.

        Raises `Infeasible` if they find no admissible point, or `Unbounded` if the
        objective falls as far as they go.
        """
        box = self._box
        found = descents(self.f, box, self.inequalities, self.equalities)
        good = [
            w
            for w in found
            if self.violation(w) <= FEASIBILITY_ROUNDING * (1 + abs(w).max())
        ]
        if not good:
            raise Infeasible("no admissible point found; check the signs (g ≤ 0)")
        w = min(good, key=self.f)
        if not box.within(SEARCH_RADIUS - 1).contains(w):
            raise Unbounded(
                f"the objective falls to {self.f(w):.3g} at w = {w} without leaving "
                "the admissible region: there is no minimum up to this distance"
            )
        return self._solution(w)

    def solve_dual(self) -> DualSolution:
        """Maximise θ_D over α ≥ 0 and β: Nelder–Mead, from multipliers of the primal.

        θ_D is concave, but it need not have a gradient, and may be −∞.
        """
        k, solution = len(self.inequalities), self.solve()
        first = np.r_[solution.alpha, solution.beta]  # the answer if convex
        z = local_minimum(
            lambda z: -self.theta_D(z[:k], z[k:]),
            first,
            method="Nelder-Mead",
            bounds=[(0, None)] * k + [(None, None)] * (len(first) - k),
            options={"xatol": 1e-9, "fatol": 1e-12},
        )
        return DualSolution(self.theta_D(z[:k], z[k:]), z[:k], z[k:])

    def _solution(self, w: Array, tol: float = 1e-6) -> PrimalSolution:
        """Return w with its multipliers, and the residuals of the conditions."""
        found = self.multipliers(w, tol)
        kkt = self.kkt(w, found.alpha, found.beta)
        return PrimalSolution(w, self.f(w), found, kkt)

    def _admissible_point(self, rng: np.random.Generator) -> Array:
        """Draw a point of Ω, and move it to the admissible region if that succeeds."""
        scale = float(rng.choice([0.3, 1.0, 3.0]))
        w = self._box.sample(rng, scale)
        if self.admissible(w):
            return w
        distance = Quadratic(np.eye(len(w)), -w)  # ½‖v − w‖², up to a constant
        return descend(distance, w, self._box, self.inequalities, self.equalities)

    def _random_multipliers(self, rng: np.random.Generator) -> tuple[Array, Array]:
        scale = float(rng.choice([0.1, 1.0, 10.0]))
        alpha = scale * rng.exponential(size=len(self.inequalities))
        alpha *= rng.random(len(alpha)) < 0.8  # some constraints at the price 0
        return alpha, scale * rng.standard_normal(len(self.equalities))

    def _lagrangian(self, alpha: ArrayLike, beta: ArrayLike) -> Smooth:
        a = finite_array(alpha, "alpha", len(self.inequalities))
        b = finite_array(beta, "beta", len(self.equalities))
        functions = (self.f, *self.inequalities, *self.equalities)
        return weighted_sum((1.0, *a, *b), functions)

    def _point(self, w: ArrayLike) -> Array:
        return finite_array(w, "w", self.omega.dimension)

    @property
    def _box(self) -> Box:
        if isinstance(self.omega, Box):
            return self.omega
        raise InputError(
            "a search needs a box as its domain; describe the region by inequality "
            "constraints, or give a dual_function"
        )

    def __repr__(self) -> str:
        k, m = len(self.inequalities), len(self.equalities)
        title = self.name or type(self).__name__
        return f"{title}: {k} inequalities, {m} equalities, over {self.omega!r}"


def _smooth(functions: Sequence[Function]) -> tuple[Smooth, ...]:
    return tuple(f if isinstance(f, Smooth) else Smooth(f) for f in functions)
