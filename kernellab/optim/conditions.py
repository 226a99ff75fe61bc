"""The conditions of Karush, Kuhn and Tucker at a point, and the multipliers there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls

from kernellab.arrays import Array
from kernellab.optim.domains import Box
from kernellab.optim.solvers import linear_programme

if TYPE_CHECKING:
    from kernellab.optim.problem import Problem


@dataclass(frozen=True)
class KKT:
    """How far a point (w, α, β) is from each of the four conditions.

    Attributes
    ----------
    stationarity : ‖∇_w L‖, or its part that Ω does not explain: at a bound of a box
        the gradient may point out of the box (E3-40).
    primal : the largest violation of a constraint or of a bound.
    dual : the most negative α_i, as a positive number.
    complementarity : the largest |α_i g_i(w)|.

    Examples
    --------
    >>> KKT(0.0, 0.0, 0.0, 0.5)
    stationarity 0, primal feasibility 0, dual feasibility 0, complementarity 0.5
    >>> KKT(0.0, 0.0, 0.0, 0.5).holds()
    False
    """

    stationarity: float
    primal: float
    dual: float
    complementarity: float

    @property
    def worst(self) -> float:
        """The largest of the four."""
        return max(self.stationarity, self.primal, self.dual, self.complementarity)

    def holds(self, tol: float = 1e-6) -> bool:
        """Whether all four are at most `tol`."""
        return self.worst <= tol

    @property
    def named(self) -> dict[str, float]:
        """The four with their names, as `Certificate` takes them."""
        return {
            "stationarity": self.stationarity,
            "primal feasibility": self.primal,
            "dual feasibility": self.dual,
            "complementarity": self.complementarity,
        }

    def __repr__(self) -> str:
        return ", ".join(f"{name} {value:.2g}" for name, value in self.named.items())


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Multipliers at a point: α ≥ 0 on active constraints, β, and how they fit.

    Attributes
    ----------
    alpha, beta : those that make ‖∇_w L‖ least.
    residual : that least ‖∇_w L‖, in units of ‖∇f‖.
    exist : whether it vanishes, up to a tolerance.
    low, high : the least and the largest value of each of (α, β) among all multipliers
        that do as well. Infinite where there is no bound.
    """

    alpha: Array
    beta: Array
    residual: float
    exist: bool
    low: Array
    high: Array

    @property
    def unique(self) -> bool:
        """Whether there is exactly one vector of multipliers."""
        size = 1 + float(np.abs(np.r_[self.alpha, self.beta, 0]).max())
        return self.exist and bool((self.high - self.low <= 1e-7 * size).all())

    def __repr__(self) -> str:
        if not self.exist:
            return f"no multipliers; the best leave {self.residual:.2g} of the gradient"
        values = f"alpha = {_short(self.alpha)}, beta = {_short(self.beta)}"
        return f"multipliers {values}, {'unique' if self.unique else 'one of many'}"


@dataclass(frozen=True, eq=False)
class Qualification:
    """Are the gradients of the active constraints linearly independent (LICQ)?

    Attributes
    ----------
    active : indices i with g_i(w) = 0, up to the tolerance.
    gradients : number of active constraints, equalities included.
    rank : of their gradients.
    all_affine : whether all constraints are affine; then no qualification is needed.
    """

    active: tuple[int, ...]
    gradients: int
    rank: int
    all_affine: bool

    @property
    def independent(self) -> bool:
        return self.rank == self.gradients

    def __repr__(self) -> str:
        word = "independent" if self.independent else "dependent"
        rest = "; all constraints are affine" if self.all_affine else ""
        return f"{self.gradients} active gradients of rank {self.rank}: {word}{rest}"


def kkt(problem: Problem, w: Array, alpha: Array, beta: Array) -> KKT:
    """The four residuals at (w, α, β)."""
    slope = problem.lagrangian_gradient(w, alpha, beta)
    if isinstance(problem.domain, Box):  # −∇L in the normal cone of the box
        slope = w - problem.domain.project(w - slope)
    g = problem.g(w)
    return KKT(
        float(np.linalg.norm(slope)),
        problem.violation(w),
        float(max(0.0, -alpha.min(initial=0.0))),
        float(np.abs(alpha * g).max(initial=0.0)),
    )


def qualification(problem: Problem, w: Array, tol: float) -> Qualification:
    """LICQ at w."""
    active = problem.active(w, tol)
    rows = np.vstack([problem.g_slopes(w)[active], problem.h_slopes(w)])
    rank = int(np.linalg.matrix_rank(rows, tol=1e-8)) if len(rows) else 0
    return Qualification(tuple(map(int, active)), len(rows), rank, problem.all_affine)


def multipliers(problem: Problem, w: Array, tol: float) -> Multipliers:
    """α ≥ 0 on the active constraints, and β, that make ‖∇_w L‖ least.

    Non-negative least squares with the columns ∇g_i (active), ∇h_j, −∇h_j, and the
    outward normals of a box at w. Then a linear programme for each multiplier.
    """
    active = problem.active(w, tol)
    G, H = problem.g_slopes(w)[active], problem.h_slopes(w)
    N = _normals(problem, w, tol)
    rows, target = np.vstack([G, H, -H, N]), -problem.f.slope(w)
    found = nnls(rows.T, target)[0] if len(rows) else np.zeros(0)
    k, m = len(active), len(H)
    left = float(np.linalg.norm(target - rows.T @ found))
    size = float(np.linalg.norm(target))
    alpha = np.zeros(len(problem.inequalities))
    alpha[active] = found[:k]
    beta = found[k : k + m] - found[k + m : k + 2 * m]
    low, high = _ranges(
        np.vstack([G, N]), H, np.r_[found[:k], found[k + 2 * m :]], beta
    )
    full_low, full_high = alpha.copy(), alpha.copy()
    full_low[active], full_high[active] = low[:k], high[:k]
    return Multipliers(
        alpha,
        beta,
        left / (size or 1.0),
        left <= 10 * tol * (1 + size),
        np.r_[full_low, low[len(low) - m :]],
        np.r_[full_high, high[len(high) - m :]],
    )


def _normals(problem: Problem, w: Array, tol: float) -> Array:
    """The outward normals of the sides of the box that w lies on."""
    if not isinstance(problem.domain, Box):
        return np.zeros((0, len(w)))
    size = tol * (1 + np.abs(w))
    unit = np.eye(len(w))
    at_low, at_high = w <= problem.domain.low + size, w >= problem.domain.high - size
    return np.vstack([-unit[at_low], unit[at_high]])


def _ranges(G: Array, H: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Least and largest value of each entry of (a, b), a ≥ 0, with this Gᵀa + Hᵀb.

    They are found for the change z: Gᵀz_a + Hᵀz_b = 0 and z_a ≥ −a, so that the
    present values satisfy the constraints without error.
    """
    size, A = len(a) + len(b), np.vstack([G, H]).T
    now = np.r_[a, b]
    if not size or np.linalg.matrix_rank(A, tol=1e-9) == size:
        return now, now.copy()
    bounds = [(-x, None) for x in a] + [(None, None)] * len(b)
    ends = np.empty((2, size))
    for row, sign in enumerate((1.0, -1.0)):
        for j, unit in enumerate(np.eye(size)):
            z = linear_programme(
                sign * unit, A_eq=A, b_eq=np.zeros(len(A)), bounds=bounds
            )
            # Unbounded is the only way to fail: z = 0 is feasible.
            ends[row, j] = now[j] + (-sign * np.inf if z is None else z[j])
    return ends[0], ends[1]


def _short(values: Array) -> str:
    return str(np.round(values, 6) + 0.0)
