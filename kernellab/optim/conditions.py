"""The conditions of Karush, Kuhn and Tucker at a point, and the multipliers there."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog, nnls

from kernellab.arrays import Array
from kernellab.optim.functions import finite_array


@dataclass(frozen=True)
class KKT:
    """How far a point (w, α, β) is from each of the four conditions.

    Attributes
    ----------
    stationarity : ‖∇_w L‖, or the part of it that is no normal of the box Ω at w.
    primal : the largest violation of a constraint or of a bound.
    dual : the most negative α_i, as a positive number.
    complementarity : the largest |α_i g_i(w)|.
    """

    stationarity: float
    primal: float
    dual: float
    complementarity: float

    def holds(self, tol: float = 1e-6) -> bool:
        """Return whether all four are at most `tol`."""
        return bool(max(astuple(self)) <= tol)

    def __repr__(self) -> str:
        return (
            f"stationarity {self.stationarity:.2g}, "
            f"primal feasibility {self.primal:.2g}, "
            f"dual feasibility {self.dual:.2g}, "
            f"complementarity {self.complementarity:.2g}"
        )


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
        values = f"alpha = {rounded(self.alpha)}, beta = {rounded(self.beta)}"
        return f"multipliers {values}, {'unique' if self.unique else 'one of many'}"


@dataclass(frozen=True)
class Qualification:
    """The rank of the gradients of the active constraints, equalities included (LICQ).

    No qualification is needed if `all_affine`.
    """

    gradients: int
    rank: int
    all_affine: bool

    @property
    def independent(self) -> bool:
        """Whether the rank is as large as the number of gradients."""
        return self.rank == self.gradients

    def __repr__(self) -> str:
        word = "independent" if self.independent else "dependent"
        rest = "; all constraints are affine" if self.all_affine else ""
        return f"{self.gradients} active gradients of rank {self.rank}: {word}{rest}"


@dataclass(frozen=True, eq=False)
class Alternative:
    """Either `alpha` ≥ 0 with Gᵀα = b, or `direction` v with Gv ≤ 0 and bᵀv > 0."""

    in_cone: bool
    alpha: Array
    direction: Array

    def __repr__(self) -> str:
        if self.in_cone:
            return f"in the cone: alpha = {rounded(self.alpha)}"
        return f"not in the cone: direction {rounded(self.direction)}"


def farkas(G: ArrayLike, b: ArrayLike, tol: float = 1e-9) -> Alternative:
    """Return whether b is a combination of the rows of G with coefficients ≥ 0.

    Non-negative least squares finds the point p = Gᵀα of the cone that is nearest to
    b. With v = b − p, Gv ≤ 0 (or p could move along a row and come nearer) and
    bᵀv = ‖v‖². b counts as in the cone if ‖v‖ is at most tol times ‖b‖.

    >>> farkas([[1.0, 0.0], [1.0, 1.0]], [3.0, 1.0])
    in the cone: alpha = [2. 1.]
    >>> farkas([[1.0, 0.0], [1.0, 1.0]], [0.0, 1.0])
    not in the cone: direction [-0.5  0.5]
    """
    target = finite_array(b, "b", None)
    rows = finite_array(G, "G", None, len(target))
    alpha = nnls(rows.T, target)[0] if len(rows) else np.zeros(0)
    direction = target - rows.T @ alpha
    inside = np.linalg.norm(direction) <= tol * (np.linalg.norm(target) or 1.0)
    return Alternative(bool(inside), alpha, direction)


def fit_multipliers(
    gradient: Array,
    G: Array,
    H: Array,
    normals: Array,
    active: NDArray[np.intp],
    tol: float,
) -> Multipliers:
    """Return α ≥ 0 and β that make ‖∇f + Gᵀα + Hᵀβ + a normal of Ω‖ least.

    By `farkas`, with the active rows of G, H, the outward normals of Ω, and −H. They
    exist if they leave at most 10 tol (1 + ‖∇f‖).
    """
    k, m, rows = len(G), len(H), np.vstack([G[active], H, normals])
    free = slice(len(active), len(active) + m)
    nearest = farkas(np.vstack([rows, -H]), -gradient)
    z = nearest.alpha[: len(rows)].copy()
    z[free] -= nearest.alpha[len(rows) :]
    left, size = (float(np.linalg.norm(v)) for v in (nearest.direction, gradient))
    everywhere = np.zeros((3, k + m))  # the multipliers, their least and largest values
    everywhere[:, [*active, *range(k, k + m)]] = _ranges(rows, z, free)[:, : free.stop]
    both, low, high = everywhere
    exist = left <= 10 * tol * (1 + size)
    return Multipliers(both[:k], both[k:], left / (size or 1.0), exist, low, high)


def _ranges(rows: Array, z: Array, free: slice) -> Array:
    """Return z, and the least and largest z_i with the same Σ z_i rows_i, as rows.

    Entries that are not free must stay ≥ 0. The linear programs are for the change of
    z, so that no change satisfies their constraints without error.
    """
    ends = np.array([z, z, z])
    if not len(z) or np.linalg.matrix_rank(rows, tol=1e-9) == len(z):
        return ends
    bounds: list[tuple[float | None, None]] = [(-x, None) for x in z]
    bounds[free] = [(None, None)] * len(z[free])
    level = np.zeros(rows.shape[1])
    for row, sign in ((1, 1.0), (2, -1.0)):
        for j, unit in enumerate(np.eye(len(z))):
            best = linprog(sign * unit, A_eq=rows.T, b_eq=level, bounds=bounds)
            # 0 is feasible, so a program without a solution is unbounded.
            ends[row, j] += -sign * np.inf if best.x is None else best.x[j]
    return ends


def rounded(values: Array) -> str:
    """Return the values as text, to six decimals, without −0."""
    return str(np.round(values, 6) + 0.0)
