"""Quadratic programmes: θ_D by a formula, the dual as a programme, exact solutions."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError
from kernellab.optim import programmes
from kernellab.optim.functions import Smooth, affine, finite_vector
from kernellab.optim.inner import Minimum
from kernellab.optim.outcomes import DualSolution, Infeasible, Solution, Unbounded
from kernellab.optim.problem import Problem
from kernellab.optim.solving import measured

NEGLIGIBLE = 1e-10
"""Eigenvalues of Q, and parts of a vector, that are smaller than this are zero."""


class QuadraticProgram(Problem):
    """Minimise ½wᵀQw + qᵀw + c over ℝᵈ, subject to Aw ≤ b and Ew = e.

    Parameters
    ----------
    Q : (d, d) array, symmetric. If it is positive semi-definite the problem is convex.
    q : (d,) array.
    A, b : (k, d) and (k,) arrays; none for no inequalities.
    E, e : (m, d) and (m,) arrays; none for no equalities.
    constant : c.
    name : how the programme prints.

    Notes
    -----
    With r = q + Aᵀα + Eᵀβ the dual function is, for Q ⪰ 0,

        θ_D(α, β) = c − ½ rᵀQ⁺r − αᵀb − βᵀe   if r is in the range of Q, else −∞,

    and −∞ if Q has a negative eigenvalue. `solve` decides by linear programmes whether
    there is a solution, then takes 10 to 30 steps of O((d + m)³ + kd²) operations.

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
        linear = finite_vector(q, "q")
        d = len(linear)
        square = _symmetric(Q, d)
        A_, b_ = _rows(A, b, d, "A", "b")
        E_, e_ = _rows(E, e, d, "E", "e")
        shift = number(constant, "constant")
        parts = {"Q": square, "q": linear, "A": A_, "b": b_, "E": E_, "e": e_}
        for key, value in {**parts, "constant": shift}.items():
            object.__setattr__(self, key, value)
        super().__init__(
            Smooth(self._value, lambda w: square @ w + linear, "f"),
            [affine(a, t) for a, t in zip(A_, b_, strict=True)],
            [affine(a, t) for a, t in zip(E_, e_, strict=True)],
            d,
            name=name,
        )

    Q: Array
    q: Array
    A: Array
    b: Array
    E: Array
    e: Array
    constant: float

    def _value(self, w: Array) -> float:
        return float(0.5 * w @ self.Q @ w + self.q @ w + self.constant)

    def g(self, w: ArrayLike) -> Array:
        """Aw − b."""
        return self.A @ self._point(w) - self.b

    def h(self, w: ArrayLike) -> Array:
        """Ew − e."""
        return self.E @ self._point(w) - self.e

    def g_slopes(self, w: ArrayLike) -> Array:
        """A, at every w."""
        return self.A

    def h_slopes(self, w: ArrayLike) -> Array:
        """E, at every w."""
        return self.E

    @property
    def is_convex(self) -> bool:
        """Whether Q is positive semi-definite, up to rounding."""
        s = self._spectrum[0]
        return bool(s[0] >= -NEGLIGIBLE * max(1.0, s[-1]))

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(self.Q)
        return values, vectors

    @property
    def _curved(self) -> tuple[Array, Array, Array]:
        """Positive eigenvalues, their eigenvectors, and a basis of the kernel of Q."""
        s, V = self._spectrum
        up = s > NEGLIGIBLE * max(1.0, float(s[-1]))
        return s[up], V[:, up], V[:, ~up]

    def theta_D(self, alpha: ArrayLike = (), beta: ArrayLike = ()) -> float:
        """inf over w of L(w, α, β), by the formula."""
        a, c = self._prices(alpha, beta, signs=True)
        return self._least(a, c).value

    def least_lagrangian(
        self, alpha: ArrayLike = (), beta: ArrayLike = (), starts: object = ()
    ) -> Minimum:
        """θ_D and the w where it is attained, −Q⁺r; a direction of descent if −∞."""
        return self._least(*self._prices(alpha, beta))

    def _least(self, alpha: Array, beta: Array) -> Minimum:
        r = self.q + alpha @ self.A + beta @ self.E
        if not self.is_convex:
            return Minimum(-math.inf, self._spectrum[1][:, 0])
        s, V, N = self._curved
        size = np.abs(self.q) + alpha @ np.abs(self.A) + np.abs(beta) @ np.abs(self.E)
        flat = N @ (N.T @ r)
        if np.linalg.norm(flat) > NEGLIGIBLE * max(1.0, float(np.linalg.norm(size))):
            return Minimum(-math.inf, -flat)
        w = -V @ ((V.T @ r) / s)
        value = self.constant + 0.5 * float(r @ w) - alpha @ self.b - beta @ self.e
        return Minimum(float(value), w)

    def dual(self) -> QuadraticProgram:
        """The dual as a quadratic programme in z = (α, β): minimise −θ_D.

        minimise ½ zᵀMQ⁺Mᵀz + (MQ⁺q + (b, e))ᵀz + ½qᵀQ⁺q − c, where M has the rows of
        A and E, subject to −α ≤ 0 and, for a basis N of the kernel of Q,
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
        s, V, N = self._curved
        M = np.vstack([self.A, self.E])
        half, kernel = M @ V / np.sqrt(s), _tidy(N)
        pull = V.T @ self.q / np.sqrt(s)
        return QuadraticProgram(
            half @ half.T,
            half @ pull + np.r_[self.b, self.e],
            A=-np.eye(len(self.b), len(M)),
            b=np.zeros(len(self.b)),
            E=kernel.T @ M.T,
            e=-kernel.T @ self.q,
            constant=0.5 * float(pull @ pull) - self.constant,
            name=f"dual of {self.name}" if self.name else "dual",
        )

    def solve(
        self, start: ArrayLike | None = None, rng: np.random.Generator | None = None
    ) -> Solution:
        """The minimum, exact up to rounding for a convex programme."""
        programmes.refuse_infeasible(self.A, self.b, self.E, self.e)
        if not self.is_convex:
            return super().solve(start, rng)
        N = self._curved[2]
        programmes.refuse_unbounded(self.q, self.A, self.E, N)
        w = programmes.solve(self.Q, self.q, self.A, self.b, self.E, self.e)
        return measured(self, w, tol=1e-7 * (1 + float(np.abs(w).max())))

    def solve_dual(self, max_rounds: int = 0) -> DualSolution:
        """Maximise θ_D exactly; the value is ±∞ if the dual has no solution."""
        k, m = len(self.b), len(self.e)
        nothing = np.zeros(k), np.zeros(m), np.zeros(len(self.q))
        if not self.is_convex or not k + m:
            value = self.theta_D(*nothing[:2])
            return DualSolution(value, value, *nothing)
        try:
            z = self.dual().solve().w
        except Infeasible:
            return DualSolution(-math.inf, -math.inf, *nothing)
        except Unbounded:
            return DualSolution(math.inf, math.inf, *nothing)
        alpha, beta = np.maximum(z[:k], 0), z[k:]
        found = self._least(alpha, beta)
        return DualSolution(found.value, found.value, alpha, beta, found.w)


def _symmetric(Q: ArrayLike, d: int) -> Array:
    matrix = reals(Q, "Q must be a matrix")
    if matrix.shape != (d, d):
        raise InputError(
            f"Q must have shape ({d}, {d}), as q has {d} entries; got \
{matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise InputError("Q must be finite; it holds NaN or infinity")
    if not np.allclose(matrix, matrix.T, atol=1e-12 * np.abs(matrix).max(initial=1)):
        raise InputError(
            "Q must be symmetric; use (Q + Q.T) / 2, which has the same quadratic form"
        )
    return np.asarray((matrix + matrix.T) / 2)


def _rows(
    A: ArrayLike | None, b: ArrayLike | None, d: int, name: str, right: str
) -> tuple[Array, Array]:
    """A matrix of constraints and its right-hand sides, checked."""
    if (A is None) != (b is None):
        raise InputError(f"give both {name} and {right}, or neither")
    if A is None or b is None:
        return np.zeros((0, d)), np.zeros(0)
    matrix = reals(A, f"{name} must be a matrix")
    if matrix.size == 0 and matrix.ndim < 2:
        matrix = matrix.reshape(0, d)
    if matrix.ndim != 2 or matrix.shape[1] != d:
        raise InputError(f"{name} must have {d} columns, got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise InputError(f"{name} must be finite; it holds NaN or infinity")
    return matrix, finite_vector(b, right, len(matrix))


def _tidy(N: Array) -> Array:
    """The same span, by coordinate vectors if it is one of coordinates."""
    P = N @ N.T
    if np.allclose(P, np.diag(np.diag(P)), atol=1e-14):
        return np.eye(len(P))[:, np.diag(P) > 0.5]
    return N
