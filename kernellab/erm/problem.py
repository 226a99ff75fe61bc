"""The two problems (P) and (D) for one data set, their values, and a pair of points
with what it proves. The package's docstring states them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, positive_number, reals
from kernellab.certificates import Certificate, rounding_error
from kernellab.errors import InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, cholesky, require_semidefinite, symmetric
from kernellab.losses import Loss, Squared

ZERO_EIGENVALUE_TOLERANCE = 1e-10
"""Eigenvalues of K above minus this, in units of its mean diagonal, may be zero."""


@dataclass(frozen=True, eq=False)
class RepresenterProblem:
    """(P) and (D) for one data set. O(n²) a value."""

    K: Array
    y: Array
    lam: float
    loss: Loss
    kernel: Kernel | None = None

    @classmethod
    def read(cls, K: ArrayLike, y: ArrayLike, lam: float, loss: Loss) -> Self:
        """Check what comes from outside."""
        if not isinstance(loss, Loss):
            raise TypeError(
                "loss must be one of kernellab.losses, such as Logistic(), "
                f"got {loss!r}"
            )
        lam = positive_number(lam, "lam")
        K = symmetric(K, "the Gram matrix")
        return cls(K, loss.check(y, len(K)), lam, loss)

    @property
    def nlam(self) -> float:
        return len(self.y) * self.lam

    def primal(self, a: Array) -> float:
        u = self.K @ a
        return float(self.loss.value(self.y, u).mean() + self.lam / 2 * (a @ u))

    def dual(self, alpha: Array) -> float:
        v = self._snapped(-self.nlam * alpha)
        conjugate = self.loss.conjugate(self.y, v).mean()
        return float(-conjugate - self.lam / 2 * (alpha @ (self.K @ alpha)))

    def rounding(self, a: Array, alpha: Array) -> float:
        """Return how far rounding may move P(a) − D(α): |K_ij| ≤ √K_ii √K_jj. O(n²)."""
        norms = np.sqrt(np.abs(self.K.diagonal()))
        p, d = (float(norms @ np.abs(c)) for c in (a, alpha))
        v = self._snapped(-self.nlam * alpha)
        losses = float(self.loss.value(self.y, self.K @ a).mean())
        conjugates = float(np.abs(self.loss.conjugate(self.y, v)).mean())
        return rounding_error(
            len(a), losses, conjugates, self.lam * p * p, self.lam * d * d
        )

    def slopes(self, a: Array) -> Array:
        """Return ℓ'(y_i, (Ka)_i)."""
        return self.loss.derivative(self.y, self.K @ a)

    def feasible(self, alpha: Array) -> Array:
        """Return the nearest α' with D(α') > −∞."""
        v = np.clip(-self.nlam * alpha, *self.loss.slopes(self.y))
        return np.asarray(-v / self.nlam)

    def _snapped(self, v: Array) -> Array:
        """Return v, put back on the end of its interval if rounding alone left it."""
        inside = np.clip(v, *self.loss.slopes(self.y))
        return np.where(np.abs(v - inside) <= 8 * EPS * np.abs(v), inside, v)

    def require_convex(self) -> None:
        """Refuse a K with a negative eigenvalue: (P) then has no minimum."""
        require_semidefinite(self.K, ZERO_EIGENVALUE_TOLERANCE, advice_on(self.kernel))


@dataclass(frozen=True, eq=False)
class RepresenterSolution:
    """A pair of points, one for (P) and one for (D), and what they prove.

    Attributes
    ----------
    a : (n,) coefficients, for (P).
    alpha : (n,) coefficients, for (D); feasible.
    certificate : P(a), D(alpha), their gap, ‖∇P(a)‖ if the loss is smooth, and the
        largest jitter that a step needed. Jitter can bend a step, not these values.
    iterations : steps that were made.
    """

    a: Array
    alpha: Array
    certificate: Certificate
    iterations: int


def measured(
    problem: RepresenterProblem,
    a: Array,
    alpha: Array,
    iterations: int = 0,
    jitter: float = 0.0,
) -> RepresenterSolution:
    """Return the solution (a, α) with its certificate. O(n²)."""
    primal, dual = problem.primal(a), problem.dual(alpha)
    norm = None
    if problem.loss.smooth:
        rest = problem.slopes(a) / len(a) + problem.lam * a
        norm = float(np.linalg.norm(problem.K @ rest))
    rounding = problem.rounding(a, alpha)
    certificate = Certificate(primal, dual, norm, jitter, rounding=rounding)
    return RepresenterSolution(a, alpha, certificate, iterations)


def done(found: RepresenterSolution, tol: float) -> bool:
    """Return whether the gap is small; one far below zero is rounding, and proves
    nothing.
    """
    return abs(found.certificate.relative_gap) <= tol


def primal_value(
    K: ArrayLike, y: ArrayLike, a: ArrayLike, lam: float, loss: Loss
) -> float:
    """Return P(a) = (1/n) Σ ℓ(y_i, (Ka)_i) + (λ/2) aᵀKa. O(n²).

    Parameters
    ----------
    K : (n, n) Gram matrix.
    y : (n,) targets; −1 and +1 for a loss on labels.
    a : (n,) coefficients.
    lam : number λ > 0.
    loss : the loss ℓ.

    Examples
    --------
    >>> primal_value([[1.0]], [1.0], [0.5], lam=2.0, loss=Squared())
    0.375
    """
    problem = RepresenterProblem.read(K, y, lam, loss)
    return problem.primal(_coefficients(a, len(problem.y), "a"))


def dual_value(
    K: ArrayLike, y: ArrayLike, alpha: ArrayLike, lam: float, loss: Loss
) -> float:
    """Return D(α) = −(1/n) Σ ℓ*(y_i, −nλα_i) − (λ/2) αᵀKα ≤ P(a) for every a. O(n²).

    −∞ if some −nλα_i is no slope of the loss; to be a slope up to the last bits is
    enough.

    Parameters
    ----------
    K, y, lam, loss : as in `primal_value`.
    alpha : (n,) coefficients.

    Examples
    --------
    >>> optimum = dual_value([[1.0]], [1.0], [1 / 3], lam=2.0, loss=Squared())
    >>> round(optimum, 9)
    0.333333333
    >>> from kernellab.losses import Hinge
    >>> dual_value([[1.0]], [1.0], [0.6], lam=2.0, loss=Hinge())  # nλα > 1
    -inf
    """
    problem = RepresenterProblem.read(K, y, lam, loss)
    return problem.dual(_coefficients(alpha, len(problem.y), "alpha"))


def least_squares(K: ArrayLike, y: ArrayLike, lam: float) -> tuple[Array, float]:
    """Return α = (K + nλI)⁻¹y, the one solution of (D), and P* = D* = (λ/2) yᵀα.

    The solutions of (P) are α + ker K; all predict Kα. O(n³).

    Examples
    --------
    >>> alpha, value = least_squares([[1.0, 1.0], [1.0, 1.0]], [1.0, 3.0], lam=1.0)
    >>> alpha.round(12), round(value, 12)
    (array([0., 1.]), 1.5)
    >>> K, y, z = np.ones((2, 2)), [1.0, 3.0], np.array([1.0, -1.0])  # Kz = 0
    >>> round(primal_value(K, y, alpha + z, 1.0, Squared()), 12)
    1.5
    >>> round(dual_value(K, y, alpha + z, 1.0, Squared()), 12)
    -0.5
    """
    problem = RepresenterProblem.read(K, y, lam, Squared())
    alpha = cholesky(problem.K, ridge=problem.nlam).solve(problem.y)
    return alpha, float(problem.lam / 2 * (problem.y @ alpha))


def least_squares_dual(
    K: ArrayLike, y: ArrayLike, alpha: ArrayLike, lam: float
) -> float:
    """Return D(α) = λαᵀy − (nλ²/2)‖α‖² − (λ/2)αᵀKα, for the squared loss.

    −(λ/2)αᵀKα − ‖y − nλα‖²/(2n), which is smaller by ‖y‖²/(2n), has the same
    maximiser, but not the value of (P).

    Examples
    --------
    >>> round(least_squares_dual([[1.0]], [1.0], [1 / 3], lam=2.0), 9)
    0.333333333
    """
    problem = RepresenterProblem.read(K, y, lam, Squared())
    b = _coefficients(alpha, len(problem.y), "alpha")
    quadratic = problem.nlam * (b @ b) + b @ (problem.K @ b)
    return float(problem.lam * (b @ problem.y) - problem.lam / 2 * quadratic)


def _coefficients(values: ArrayLike, n: int, name: str) -> Array:
    array = reals(values, f"{name} must be an array of numbers")
    if array.shape != (n,) or not np.isfinite(array).all():
        raise InputError(
            f"{name} must be a finite array of shape ({n},), got shape {array.shape}"
        )
    return array
