"""The covariance C = K + D of the targets, factorised: what every answer comes from.

Legend: n points; r (n) centred targets; K (n×n) Gram matrix; D diagonal, the noise;
L Cholesky factor of C; a = C⁻¹r.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from scipy.linalg import blas, lapack

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.estimator import Inputs
from kernellab.gp.model import Model
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import Cholesky, cholesky


class System(Protocol):
    """C, ready to be solved with."""

    def solve(self, B: Array, /) -> Array: ...

    def logdet(self) -> float: ...


@dataclass(eq=False)
class CovarianceFactor:
    """C = LLᵀ and a = C⁻¹r, for one model; b is what was subtracted to obtain r."""

    system: Cholesky
    a: Array
    r: Array
    b: float = 0.0

    @classmethod
    def of(cls, model: Model, inputs: Inputs, r: Array) -> Self:
        """Factorise C: n²/2 values of k and n³/3 operations, in one n×n array."""
        return cls.solved(factorised(gram(model, inputs), model), r, model.learns_mean)

    @classmethod
    def solved(cls, system: Cholesky, r: Array, learns_mean: bool) -> Self:
        """Solve for a; if the mean is a free constant b, for the best one."""
        a, b = coefficients(system, r, learns_mean)
        return cls(system, a, r - b, b)

    def grown(self, model: Model, inputs: Inputs, r: Array, new: Array) -> Self:
        """Return the factor of more points: these first, then the new ones.

        O(n²) for each new point; if the larger matrix is singular in floating point, it
        is factorised anew, with jitter.

        Parameters
        ----------
        model, inputs, r : of all points.
        new : the noise of the new ones.
        """
        old, kernel = slice(0, len(self.r)), model.kernel
        X, Z = inputs.X[old], inputs.X[len(self.r) :]
        system = grow(self.system, kernel(X, Z), kernel(Z), model.noise, new)
        if system is None:
            return type(self).of(model, inputs, r)
        return type(self).solved(system, r, model.learns_mean)

    @property
    def log_likelihood(self) -> float:
        """−½ rᵀa − ½ log det C − (n/2) log 2π."""
        return log_density(self.system, self.a, self.r)

    def certify(self) -> Certificate:
        """Return two bounds of rᵀC⁻¹r, which agree at the solution, and ‖Ca − r‖.

        It is the minimum of Σ(r_i − f(x_i))²/σ_i² + ‖f‖² over the RKHS (where σ_i is
        0, over the f with f(x_i) = r_i), and the maximum of 2aᵀr − aᵀCa over a.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            Ka = self.system.multiply(self.a)
            D = self.system.ridge + self.system.jitter + np.zeros(len(self.r))
            residual, penalty = self.r - Ka, float(self.a @ Ka)
            noisy = D > 0
            primal = float((residual[noisy] ** 2 / D[noisy]).sum()) + penalty
            dual = float(self.a @ (2 * self.r - Ka - D * self.a))
            rest = float(np.abs(residual - D * self.a).max())
            norm = float(np.sqrt(np.abs(self.system.diagonal)) @ np.abs(self.a))
            terms = float(np.abs(self.a) @ (2 * np.abs(self.r) + D * np.abs(self.a)))
            rounding = rounding_error(len(self.r), primal, terms, 4 * norm * norm)
        size = max(float(np.abs(self.r).max()), np.finfo(float).tiny)
        kkt = {"residual": rest / size}
        return Certificate(
            primal, dual, jitter=self.system.jitter, kkt=kkt, rounding=rounding
        )


def gram(model: Model, inputs: Inputs) -> Array:
    """Return K. n²/2 values of k."""
    # New points: what a kernel remembers of the old ones belongs to another θ.
    fresh = Points(inputs.X.items)
    K = replace(inputs, kernel=model.kernel, X=fresh).gram()
    fresh.forget()
    return K


def factorised(K: Array, model: Model) -> Cholesky:
    """Factorise C in the memory of K. n³/3 operations."""
    advice = advice_on(model.kernel)
    return cholesky(K, ridge=model.noise, advice=advice, overwrite=True)


def coefficients(system: System, r: Array, learns_mean: bool) -> tuple[Array, float]:
    """Return a and b: C⁻¹r and 0 or, if the mean is a free constant, with the best one.

    −½(r − b1)ᵀC⁻¹(r − b1) is largest at b = 1ᵀC⁻¹r / 1ᵀC⁻¹1. As nothing changes with b
    there, the gradient in θ is that with b fixed.
    """
    a = system.solve(r)
    if not learns_mean:
        return a, 0.0
    c = system.solve(np.ones(len(r)))
    b = float(a.sum() / c.sum())
    return a - b * c, b


def log_density(system: System, a: Array, r: Array) -> float:
    """Return −½ rᵀa − ½ log det C − (n/2) log 2π, where a = C⁻¹r."""
    with np.errstate(over="ignore"):
        square = float(r @ a)
    return -0.5 * (square + system.logdet() + len(r) * math.log(2 * math.pi))


def grow(
    system: Cholesky, B: Array, E: Array, ridge: float | Array, new: Array
) -> Cholesky | None:
    """Return the factor with m more points; None if E − VᵀV is not positive definite.

    With C' = [[C, B], [Bᵀ, E]] and C = LLᵀ,

        L' = [[L, 0], [Vᵀ, S]],    V = L⁻¹B,    SSᵀ = E − VᵀV,

    n² operations per new point, where a new factor costs n³/3. E − VᵀV is the
    covariance of the new observations given the old ones.

    Parameters
    ----------
    system : the factor of K + D.
    B : (n, m) array k(X, Z).
    E : (m, m) array k(Z, Z).
    ridge : the whole of D, for old and new points.
    new : (m,) the noise of the new points.
    """
    n, m = B.shape
    A = np.empty((n + m, n + m), order="F")
    A[:n, :n] = system.packed
    A[:n, n:] = B
    V = blas.dtrsm(1.0, system.packed, np.asfortranarray(B), lower=1)
    A[n:, :n] = V.T
    S = E - V.T @ V
    np.fill_diagonal(S, S.diagonal() + new + system.jitter)
    S, minor = lapack.dpotrf(S, lower=1, clean=1)
    if minor:
        return None
    A[n:, n:] = np.triu(E, 1) + S
    diagonal = np.concatenate([system.diagonal, E.diagonal()])
    return Cholesky(A, diagonal, ridge, system.jitter)


def condition(system: Cholesky) -> float:
    """Estimate the condition number ‖C‖₁‖C⁻¹‖₁ from the factor. O(n²)."""
    A = system.packed
    sums = np.abs(system.diagonal + system.ridge + system.jitter)
    for i in range(1, len(A)):  # what stands above the diagonal is K
        above = np.abs(A[:i, i])
        sums[i] += above.sum()
        sums[:i] += above
    reciprocal, _ = lapack.dpocon(A, sums.max(), uplo="L")
    return float(1 / reciprocal) if reciprocal > 0 else float("inf")
