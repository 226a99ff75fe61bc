"""Quadratic programs: θ_D by a formula, the dual as a program, exact solutions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.optim import convex_quadratic
from kernellab.optim.functions import Quadratic, affine, finite_array
from kernellab.optim.infimum import NEGLIGIBLE
from kernellab.optim.problem import Problem
from kernellab.optim.solutions import (
    DualSolution,
    Infeasible,
    PrimalSolution,
    Unbounded,
)


class QuadraticProgram(Problem):
    """Minimise ½wᵀQw + qᵀw + c over ℝᵈ, subject to Aw ≤ b and Ew = e.

    Parameters
    ----------
    Q : (d, d) array, symmetric. If it is positive semi-definite the problem is convex.
    q : (d,) array.
    A, b : (k, d) and (k,) arrays; none for no inequalities.
    E, e : (m, d) and (m,) arrays; none for no equalities.
    constant : c.
    name : how the program prints.

    Notes
    -----
    With r = q + Aᵀα + Eᵀβ the dual function is, for Q ⪰ 0,

        θ_D(α, β) = c − ½ rᵀQ⁺r − αᵀb − βᵀe   if r is in the range of Q, else −∞,

    and −∞ if Q has a negative eigenvalue.

    Examples
    --------
    >>> p = QuadraticProgram([[2.0]], [0.0], A=[[-1.0]], b=[-1.0])  # w², w ≥ 1
    >>> p.theta_D([0.5])
    0.4375
    >>> p.solve()
    value 1 at w = [1.]
    multipliers alpha = [2.], beta = [], unique
    stationarity 0, primal feasibility 0, dual feasibility 0, complementarity 0
    """

    def __init__(
        self,
        Q: ArrayLike,
        q: ArrayLike,
        A: ArrayLike | None = None,
        b: ArrayLike | None = None,
        E: ArrayLike | None = None,
        e: ArrayLike | None = None,
        constant: float = 0.0,
        name: str = "",
    ) -> None:
        f = Quadratic(Q, q, constant, "f")
        self.Q, self.q, self.constant = f.Q, f.q, f.constant
        self.A, self.b = _rows(A, b, len(f.q), "A", "b")
        self.E, self.e = _rows(E, e, len(f.q), "E", "e")
        less = [affine(*row) for row in zip(self.A, self.b, strict=True)]
        equal = [affine(*row) for row in zip(self.E, self.e, strict=True)]
        super().__init__(f, less, equal, len(f.q), name=name)

    @property
    def is_convex(self) -> bool:
        """Whether Q is positive semi-definite, up to rounding."""
        m, M = self.f.curvature
        return m >= -NEGLIGIBLE * max(1.0, M)

    def dual(self) -> QuadraticProgram:
        """Return the dual as a quadratic program in z = (α, β): minimise −θ_D.

        minimise ½ zᵀMQ⁺Mᵀz + (MQ⁺q + (b, e))ᵀz + ½qᵀQ⁺q − c, where M has the rows of
        A and E, subject to −α ≤ 0 and, for a basis N of the null space of Q,
        NᵀMᵀz = −Nᵀq. Its value is minus the dual value.

        Examples
        --------
        >>> p = QuadraticProgram([[2.0]], [0.0], A=[[-1.0]], b=[-1.0])
        >>> p.dual().Q, p.dual().q  # −θ_D(α) = ¼α² − α
        (array([[0.5]]), array([-1.]))
        """
        if not self.is_convex:
            raise InputError(
                "Q is not positive semi-definite: theta_D is −∞ everywhere"
            )
        if not len(self.b) + len(self.e):
            raise InputError("without constraints there are no multipliers and no dual")
        M, N = np.vstack([self.A, self.E]), convex_quadratic.flat_directions(self.Q)
        Q_plus = np.linalg.pinv(self.Q, rcond=NEGLIGIBLE, hermitian=True)
        return QuadraticProgram(
            M @ Q_plus @ M.T,
            M @ Q_plus @ self.q + np.r_[self.b, self.e],
            A=-np.eye(len(self.b), len(M)),
            b=np.zeros(len(self.b)),
            E=N.T @ M.T,
            e=-N.T @ self.q,
            constant=0.5 * float(self.q @ Q_plus @ self.q) - self.constant,
            name=f"dual of {self.name}" if self.name else "dual",
        )

    def solve(self, start: ArrayLike | None = None) -> PrimalSolution:
        """Return the minimum, exact up to rounding for a convex program."""
        convex_quadratic.require_feasible(self.A, self.b, self.E, self.e)
        if not self.is_convex:
            return super().solve(start)
        convex_quadratic.require_bounded(self.Q, self.q, self.A, self.E)
        w = convex_quadratic.minimize(self.Q, self.q, self.A, self.b, self.E, self.e)
        return self._solution(w, tol=1e-7 * (1 + float(np.abs(w).max())))

    def solve_dual(self) -> DualSolution:
        """Maximise θ_D exactly; the value is ±∞ if the dual has no solution."""
        k, m = len(self.b), len(self.e)
        nothing = np.zeros(k), np.zeros(m)
        if not self.is_convex or not k + m:
            return DualSolution(self.theta_D(*nothing), *nothing)
        try:
            z = self.dual().solve().w
        except Infeasible:
            return DualSolution(-math.inf, *nothing)
        except Unbounded:
            return DualSolution(math.inf, *nothing)
        alpha, beta = np.maximum(z[:k], 0), z[k:]
        return DualSolution(self.theta_D(alpha, beta), alpha, beta)


def _rows(
    A: ArrayLike | None, b: ArrayLike | None, d: int, name: str, right: str
) -> tuple[Array, Array]:
    """Return a matrix of constraints and its right-hand sides, checked."""
    if (A is None) != (b is None):
        raise InputError(f"give both {name} and {right}, or neither")
    if A is None or b is None:
        return np.zeros((0, d)), np.zeros(0)
    matrix = finite_array(A, name, None, d)
    return matrix, finite_array(b, right, len(matrix))
