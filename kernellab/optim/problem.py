"""A constrained problem: objective, constraints, Ω, and all that S3 defines for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, describe
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.optim import conditions, cutting, solving, weak
from kernellab.optim.conditions import KKT, Multipliers, Qualification
from kernellab.optim.domains import Box, Domain, Region
from kernellab.optim.functions import Smooth, finite_vector, smooth
from kernellab.optim.inner import Minimum, minimise
from kernellab.optim.outcomes import DualSolution, Solution

Function = Smooth | Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise f(w) over w ∈ Ω, subject to g_i(w) ≤ 0 and h_j(w) = 0.

    Parameters
    ----------
    objective : f, a `Smooth` or a function of an array of shape (d,).
    inequalities : the g_i. A plain function gets its gradient by differences.
    equalities : the h_j.
    domain : Ω, a `Box` or a `Region`; or d, for Ω = ℝᵈ.
    dual_function : θ_D(α, β), if a formula is known. Otherwise it is found numerically.
    name : how the problem prints.

    Notes
    -----
    S3, l. 493–681. Meant for problems with few variables: what is found numerically is
    found by several descents (`theta_D`, `solve`), and for a problem that is not convex
    it is as good as they are. `QuadraticProgram` is exact.

    Examples
    --------
    The least w² with w ≥ 1, that is 1 − w ≤ 0:

    >>> p = Problem(lambda w: w[0] ** 2, [lambda w: 1 - w[0]], domain=1)
    >>> p.theta_P([0.5]), p.theta_P([3.0])
    (inf, 9.0)
    >>> round(p.theta_D([0.5]), 6)  # α − α²/4
    0.4375
    >>> solution = p.solve()
    >>> solution.w.round(6), solution.alpha.round(6)
    (array([1.]), array([2.]))
    """

    objective: Function
    inequalities: Sequence[Function] = ()
    equalities: Sequence[Function] = ()
    domain: Domain | int = 1
    dual_function: Callable[[Array, Array], float] | None = None
    name: str = ""
    f: Smooth = field(init=False, repr=False)

    def __post_init__(self) -> None:
        named: dict[str, Any] = {"f": smooth(self.objective, "f")}
        for field_name, letter in (("inequalities", "g"), ("equalities", "h")):
            given = getattr(self, field_name)
            if isinstance(given, Smooth) or callable(given):
                given = (given,)
            functions = [smooth(c, f"{letter}_{i + 1}") for i, c in enumerate(given)]
            named[field_name] = tuple(functions)
        named["domain"] = _domain(self.domain)
        for key, value in named.items():
            object.__setattr__(self, key, value)

    # --- the parts ---------------------------------------------------------------

    @property
    def omega(self) -> Domain:
        """Ω."""
        assert isinstance(self.domain, Box | Region)
        return self.domain

    @property
    def dimension(self) -> int:
        """d, the number of variables."""
        size = self.omega.dimension
        assert size is not None
        return size

    @property
    def all_affine(self) -> bool:
        """Whether every constraint is known to be affine."""
        return all(c.is_affine for c in (*self._gs, *self._hs))

    @property
    def _gs(self) -> tuple[Smooth, ...]:
        return self.inequalities  # type: ignore[return-value]

    @property
    def _hs(self) -> tuple[Smooth, ...]:
        return self.equalities  # type: ignore[return-value]

    def g(self, w: ArrayLike) -> Array:
        """(g_1(w), …, g_k(w)); admissible points have g ≤ 0."""
        point = self._point(w)
        return np.array([g(point) for g in self._gs], dtype=np.float64)

    def h(self, w: ArrayLike) -> Array:
        """(h_1(w), …, h_m(w)); admissible points have h = 0."""
        point = self._point(w)
        return np.array([h(point) for h in self._hs], dtype=np.float64)

    def g_slopes(self, w: ArrayLike) -> Array:
        """The gradients of the g_i as rows, of shape (k, d)."""
        return _stack([g.slope(w) for g in self._gs], self.dimension)

    def h_slopes(self, w: ArrayLike) -> Array:
        """The gradients of the h_j as rows, of shape (m, d)."""
        return _stack([h.slope(w) for h in self._hs], self.dimension)

    # --- the admissible region -----------------------------------------------------

    def violation(self, w: ArrayLike) -> float:
        """The largest violation of a constraint or a bound; 0 if w is admissible."""
        point = self._point(w)
        worst = max(0.0, self.g(point).max(initial=0.0))
        worst = max(worst, float(np.abs(self.h(point)).max(initial=0.0)))
        if isinstance(self.omega, Box):
            outside = np.abs(point - self.omega.project(point)).max()
            return float(max(worst, outside))
        return float(worst) if self.omega.contains(point) else math.inf

    def admissible(self, w: ArrayLike, tol: float = 1e-9) -> bool:
        """Whether w is in Ω and violates no constraint by more than `tol`."""
        return self.violation(w) <= tol

    def active(self, w: ArrayLike, tol: float = 1e-6) -> NDArray[np.intp]:
        """The indices i with g_i(w) = 0, up to `tol`."""
        return np.flatnonzero(np.abs(self.g(w)) <= tol)

    # --- the Lagrangian and its two games ----------------------------------------

    def lagrangian(
        self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()
    ) -> float:
        """L(w, α, β) = f(w) + Σ α_i g_i(w) + Σ β_j h_j(w) (S3, l. 576–580)."""
        a, b = self._prices(alpha, beta)
        return float(self.f(self._point(w)) + a @ self.g(w) + b @ self.h(w))

    def lagrangian_gradient(
        self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()
    ) -> Array:
        """∇_w L(w, α, β)."""
        a, b = self._prices(alpha, beta)
        return self.f.slope(w) + a @ self.g_slopes(w) + b @ self.h_slopes(w)

    def theta_P(self, w: ArrayLike, tol: float = 1e-9) -> float:
        """sup of L over α ≥ 0 and β: f(w) if w is admissible, else +∞ (l. 596–603)."""
        return self.f(self._point(w)) if self.admissible(w, tol) else math.inf

    def theta_D(self, alpha: ArrayLike = (), beta: ArrayLike = ()) -> float:
        """inf of L over w ∈ Ω, −∞ if L falls without end (S3, l. 610–615)."""
        a, b = self._prices(alpha, beta, signs=True)
        if self.dual_function is not None:
            return float(self.dual_function(a, b))
        return self.least_lagrangian(a, b).value

    def least_lagrangian(
        self,
        alpha: ArrayLike = (),
        beta: ArrayLike = (),
        starts: Sequence[Array] = (),
    ) -> Minimum:
        """The least value of L(·, α, β) over Ω that descents find, and where."""
        a, b = self._prices(alpha, beta)
        priced = [*zip(a, self._gs, strict=True), *zip(b, self._hs, strict=True)]
        return minimise(
            lambda w: _plain(self.f(w) + sum(p * c(w) for p, c in priced)),
            lambda w: self.lagrangian_gradient(w, a, b),
            self.omega,
            starts,
        )

    def check_weak_duality(
        self, rng: np.random.Generator, samples: int = 100
    ) -> weak.WeakDuality:
        """θ_D(α, β) ≤ f(w), tried on random α ≥ 0, β and admissible w (l. 622–642)."""
        return weak.check(self, rng, samples)

    # --- conditions ---------------------------------------------------------------

    def kkt(self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()) -> KKT:
        """The residuals of the four conditions at (w, α, β) (S3, l. 661–668)."""
        return conditions.kkt(self, self._point(w), *self._prices(alpha, beta))

    def certificate(
        self, w: ArrayLike, alpha: ArrayLike = (), beta: ArrayLike = ()
    ) -> Certificate:
        """f(w), θ_D(α, β), their gap, the KKT residuals: a proof for admissible w."""
        primal, dual = self.f(self._point(w)), self.theta_D(alpha, beta)
        return Certificate(primal, dual, kkt=self.kkt(w, alpha, beta).named)

    def qualification(self, w: ArrayLike, tol: float = 1e-6) -> Qualification:
        """Whether the gradients of the active constraints are independent (E3-34)."""
        return conditions.qualification(self, self._point(w), tol)

    def multipliers(self, w: ArrayLike, tol: float = 1e-6) -> Multipliers:
        """The multipliers at w: the best ones, whether they exist, and how many."""
        return conditions.multipliers(self, self._point(w), tol)

    # --- solving ------------------------------------------------------------------

    def solve(
        self, start: ArrayLike | None = None, rng: np.random.Generator | None = None
    ) -> Solution:
        """The best admissible local minimum found from several starts.

        Raises `Infeasible` with the smallest violation found, or `Unbounded`.
        """
        first = None if start is None else self._point(start)
        return solving.solve(self, first, rng)

    def solve_dual(self, max_rounds: int = 60) -> DualSolution:
        """Maximise θ_D over α ≥ 0 and β, by cutting planes; see `DualSolution`."""
        return cutting.solve_dual(self, max_rounds)

    # --- reading --------------------------------------------------------------------

    def _point(self, w: ArrayLike) -> Array:
        return finite_vector(w, "w", self.dimension)

    def _prices(
        self, alpha: ArrayLike, beta: ArrayLike, signs: bool = False
    ) -> tuple[Array, Array]:
        a = finite_vector(alpha, "alpha", len(self.inequalities))
        b = finite_vector(beta, "beta", len(self.equalities))
        if signs and (a < 0).any():
            place = int(np.argmin(a))
            raise InputError(
                "alpha must be ≥ 0, or theta_D is no bound; "
                f"alpha[{place}] is {a[place]:g}"
            )
        return a, b

    def __repr__(self) -> str:
        k, m = len(self.inequalities), len(self.equalities)
        title = self.name or type(self).__name__
        return f"{title}: {k} inequalities, {m} equalities, over {self.omega!r}"


def _domain(value: object) -> Domain:
    if isinstance(value, Box | Region):
        return value
    if (
        isinstance(value, int | np.integer)
        and not isinstance(value, bool)
        and value > 0
    ):
        return Box.everywhere(int(value))
    raise InputError(
        "domain must be a Box, a Region, or the number of variables; "
        f"got {describe(value)}"
    )


def _stack(rows: Sequence[Array], d: int) -> Array:
    return np.vstack(rows) if rows else np.zeros((0, d))


def _plain(value: Any) -> float:
    """A number, with ∞ − ∞ read as +∞: such a point is no minimum."""
    return math.inf if math.isnan(value) else float(value)
