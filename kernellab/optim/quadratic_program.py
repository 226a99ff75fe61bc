"""Convex quadratic programs: the dual as a program, and exact solutions.

Two linear programs decide whether there is a solution: some w must satisfy
the constraints, and no v may have Qv = 0, Av ≤ 0, Ev = 0 and qᵀv < 0 (then the infimum
is attained: Frank and Wolfe). A descent finds which constraints are active, and a
linear system gives all digits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lstsq, null_space
from scipy.optimize import linprog

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.optim.conditions import rounded
from kernellab.optim.domains import Box
from kernellab.optim.functions import Quadratic, affine, finite_array
from kernellab.optim.infimum import NEGLIGIBLE, Infimum, descend, infimum
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
    Q, q : (d, d) and (d,) arrays; Q symmetric and positive semi-definite.
    A, b : (k, d) and (k,) arrays; none for no inequalities.
    E, e : (m, d) and (m,) arrays; none for no equalities.
    constant : c.
    name : how the program prints.

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
        f = Quadratic(Q, q, constant)
        self.Q, self.q, self.constant = f.Q, f.q, f.constant
        self.A, self.b = _rows(A, b, len(f.q), "A", "b")
        self.E, self.e = _rows(E, e, len(f.q), "E", "e")
        less = _affine_functions(self.A, self.b)
        equal = _affine_functions(self.E, self.e)
        super().__init__(f, less, equal, len(f.q), name=name)
        if infimum(Quadratic(f.Q, np.zeros(len(f.q))), self._box) < 0:
            raise InputError(
                "Q must be positive semi-definite; take a Problem with a Quadratic f"
            )

    def dual(self) -> QuadraticProgram:
        """Return the dual as a quadratic program in z = (α, β): minimise −θ_D.

        −θ_D = ½ zᵀMQ⁺Mᵀz + (MQ⁺q + (b, e))ᵀz + ½qᵀQ⁺q − c, where M has the rows of A
        and E, if α ≥ 0 and NᵀMᵀz = −Nᵀq, for a basis N of the null space of Q.

        >>> p = QuadraticProgram([[2.0]], [0.0], A=[[-1.0]], b=[-1.0])
        >>> p.dual().Q, p.dual().q  # −θ_D(α) = ¼α² − α
        (array([[0.5]]), array([-1.]))
        """
        if not len(self.b) + len(self.e):
            raise InputError("without constraints there are no multipliers and no dual")
        M, N = np.vstack([self.A, self.E]), self._flat_directions()
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

    def solve(self) -> PrimalSolution:
        """Return the minimum, exact up to rounding."""
        self._require_feasible()
        self._require_bounded()
        w = self._polish(self._approximate_minimum())
        return self._solution(w, tol=1e-7 * (1 + float(np.abs(w).max())))

    def solve_dual(self) -> DualSolution:
        """Maximise θ_D exactly; the value is ±∞ if the dual has no solution."""
        k, dual = len(self.b), self.dual()
        try:
            z = dual.solve().w
        except (Infeasible, Unbounded) as reason:
            value = math.inf if isinstance(reason, Unbounded) else -math.inf
            z = np.zeros(len(dual.q))
            return DualSolution(Infimum(value, certified=True), z[:k], z[k:])
        alpha, beta = np.maximum(z[:k], 0), z[k:]
        return DualSolution(self.theta_D(alpha, beta), alpha, beta)

    def _require_feasible(self) -> None:
        """Raise `Infeasible` if no w satisfies Aw ≤ b and Ew = e."""
        zero = np.zeros(len(self.q))
        if linprog(zero, self.A, self.b, self.E, self.e, (None, None)).status == 2:
            raise Infeasible("no point satisfies all the constraints")

    def _require_bounded(self) -> None:
        """Raise `Unbounded` if some v has Qv = 0, Av ≤ 0, Ev = 0 and qᵀv < 0."""
        N = self._flat_directions()
        if not N.size:
            return
        rows = np.vstack([self.A, self.E, -self.E]) @ N
        found = linprog(N.T @ self.q, rows, np.zeros(len(rows)), bounds=(-1, 1))
        if found.x is not None and found.fun < -1e-8 * (1 + np.abs(self.q).max()):
            raise Unbounded(
                "the objective falls without end along the direction "
                f"{rounded(N @ found.x)}, which no constraint stops"
            )

    def _flat_directions(self) -> Array:
        """Return a basis of the null space of Q ⪰ 0, of unit vectors if possible."""
        s, V = np.linalg.eigh(self.Q)
        N = V[:, s <= NEGLIGIBLE * max(1.0, float(s[-1]))]
        P = N @ N.T
        if np.allclose(P, np.diag(np.diag(P)), atol=1e-14):
            return np.eye(len(P))[:, np.diag(P) > 0.5]
        return N

    def _approximate_minimum(self) -> Array:
        """Descend in coordinates u with w = w₀ + Nu, Ew₀ = e and EN = 0.

        Without equalities, because SLSQP fails if they are dependent.
        """
        w, N = np.zeros(len(self.q)), np.eye(len(self.q))
        if len(self.e):
            w, N = lstsq(self.E, self.e)[0], null_space(self.E)
        if not N.size:
            return w
        f = Quadratic(N.T @ self.Q @ N, N.T @ (self.Q @ w + self.q))
        less = _affine_functions(self.A @ N, self.b - self.A @ w)
        u = np.zeros(N.shape[1])
        return np.asarray(w + N @ descend(f, u, Box.everywhere(len(u)), less))

    def _polish(self, w: Array) -> Array:
        """Solve the conditions for the constraints that are active at w, near w."""
        tight = self.b - self.A @ w <= 1e-6 * (1 + np.abs(w).max())
        R, r = np.vstack([self.A[tight], self.E]), np.r_[self.b[tight], self.e]
        system = np.block([[self.Q, R.T], [R, np.zeros((len(R), len(R)))]])
        better = w
        for _ in range(2):  # the second time for the last digits
            residual = np.r_[-self.q - self.Q @ better, r - R @ better]
            better = better + lstsq(system, residual)[0][: len(w)]
        over = (self.A @ better - self.b).max(initial=0.0)
        return better if over <= 1e-9 * (1 + np.abs(better).max()) else w


def _affine_functions(A: Array, b: Array) -> list[Quadratic]:
    """Return the entries of Aw − b as functions of w."""
    return [affine(*row) for row in zip(A, b, strict=True)]


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
