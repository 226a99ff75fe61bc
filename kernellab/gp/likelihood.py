"""The log marginal likelihood and its gradient, from one factor of the covariance.

With r = t − m(X), C = K + D and a = C⁻¹r,

    log p(t) = −½ rᵀa − ½ log det C − (n/2) log 2π,
    ∂ log p  = ½ tr(M ∂C),          M = aaᵀ − C⁻¹,

so the gradient in all hyperparameters is *one* reverse pass through the kernel's tree
with the cotangent ½M, and for log σ_n² it is ½ σ_n² tr M. Cost n³ for factor and
inverse together, whatever the number of hyperparameters, in one n×n array: L, C⁻¹ and
then −M live in its lower triangle, and K stays in the upper one. A K of low rank needs
no n³ operations (`low_rank`).

Legend: n points; r (n) centred targets; K, C, M (n×n); L Cholesky factor of C.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.linalg import blas, lapack

from kernellab.arrays import Array
from kernellab.estimator import Inputs
from kernellab.gp.covariance import (
    CovarianceFactor,
    coefficients,
    factorised,
    gram,
    log_density,
)
from kernellab.gp.low_rank import LowRank, low_rank
from kernellab.gp.model import Model
from kernellab.kernels.base import Kernel
from kernellab.kernels.gram import pull
from kernellab.kernels.points import Points
from kernellab.linalg import Cholesky
from kernellab.threads import limited

NOISE_SHARE = 0.1
"""The share of the variance of the targets that a fresh start takes for noise."""

SCORES = 4
"""Gradients over which the Fisher information is averaged."""


def value_and_gradient(model: Model, inputs: Inputs, r: Array) -> tuple[float, Array]:
    """Return log p(t) and its gradient in θ. n³ operations in one n×n array.

    If K has low rank up to rounding, O(n²r).
    """
    with limited(inputs.n):
        K = gram(model, inputs)
        points, diagonal = Points(inputs.X.items), K.diagonal().copy()
        system = low_rank(K, model.noise) or factorised(K, model)
        a, b = coefficients(system, r, model.learns_mean)
        value = log_density(system, a, r - b)
        A = _inverse(system, K)
        gradient = _gradient(model, points, A, diagonal, a)
    points.forget()
    return value, gradient


@dataclass(frozen=True, eq=False)
class Likelihood:
    """θ ↦ log p(t), for one model and its data: what learning maximises."""

    model: Model
    inputs: Inputs
    r: Array
    what: ClassVar[str] = "log marginal likelihood"

    def __len__(self) -> int:
        return len(self.r)

    def __call__(self, theta: Array) -> tuple[float, Array]:
        """Return the value at θ and its gradient. n³ operations."""
        return value_and_gradient(self.model.with_theta(theta), self.inputs, self.r)

    def value(self, theta: Array) -> float:
        """Return the value at θ alone. n³/3 operations."""
        model = self.model.with_theta(theta)
        return CovarianceFactor.of(model, self.inputs, self.r).log_likelihood

    def information(self, theta: Array) -> Array:
        """Estimate the diagonal of the Fisher information at θ: (p,).

        It is the variance of the gradient over data that the model itself generates,
        r = Lz with z ~ N(0, I), so that a = L⁻ᵀz; here, over a few fixed z.
        """
        model = self.model.with_theta(theta)
        system = CovarianceFactor.of(model, self.inputs, self.r).system
        Z = np.random.default_rng(0).standard_normal((SCORES, len(self)))
        points = Points(self.inputs.X.items)
        with limited(len(self)):
            coefficients, _ = lapack.dtrtrs(system.packed, Z.T, lower=1, trans=1)
            A, _ = lapack.dpotri(system.packed, lower=1, overwrite_c=1)
            scores = [
                _gradient(model, points, A.copy(order="F"), system.diagonal, a)
                for a in coefficients.T
            ]
        points.forget()
        information: Array = np.mean(np.square(scores), axis=0)
        return information

    def fresh_start(self, theta: Array) -> Array:
        """Return θ with the noise at a tenth of the variance of the targets."""
        start = theta.copy()
        if self.model.learns_noise:
            spread = float(np.mean((self.r - self.r.mean()) ** 2))
            given = self.model.theta[-1]
            start[-1] = np.log(NOISE_SHARE * spread) if spread > 0 else given
        return start

    def sample(self, size: int) -> Self:
        """Return the likelihood of at most `size` of the points, always the same."""
        n = len(self)
        if n <= size:
            return self
        rows = np.sort(np.random.default_rng(0).permutation(n)[:size])
        noise = self.model.noise
        return replace(
            self,
            model=replace(
                self.model, noise=noise if isinstance(noise, float) else noise[rows]
            ),
            inputs=replace(self.inputs, X=self.inputs.X.take(rows), n=size),
            r=self.r[rows],
        )


def _inverse(system: Cholesky | LowRank, K: Array) -> Array:
    """Return C⁻¹ in the lower triangle of the array of K, which stays above it."""
    if isinstance(system, LowRank):
        return system.write_inverse(K.T)
    A, _ = lapack.dpotri(system.packed, lower=1, overwrite_c=1)
    return np.asarray(A)


def _gradient(model: Model, P: Points, A: Array, diagonal: Array, a: Array) -> Array:
    """Return ½ tr(M ∂C/∂θ).

    A has C⁻¹ in its lower triangle, which −M replaces, and K above; its diagonal apart.
    """
    A = blas.dsyr(-1.0, a, lower=1, a=A, overwrite_a=1)
    gradient = _kernel_gradient(model.kernel, P, A, diagonal)
    if not model.learns_noise:
        return gradient
    return np.append(gradient, -0.5 * A.trace() * model.noise)


def _kernel_gradient(kernel: Kernel, P: Points, A: Array, diagonal: Array) -> Array:
    """Return ½⟨M, ∂K/∂θ⟩; A holds −M in its lower triangle and K above it."""

    def K(rows: slice, columns: slice) -> Array:
        tile = A[rows, columns]
        return _symmetric(tile, diagonal[rows]) if rows == columns else tile

    def minus_half_M(rows: slice, columns: slice, mirrored: bool) -> Array:
        if rows == columns:
            G = _symmetric(A[rows, rows].T, A[rows, rows].diagonal())
        else:
            G = A[columns, rows].T if rows.start < columns.start else A[rows, columns]
        return G if mirrored else 0.5 * G

    return -pull(kernel, P, minus_half_M, K)


def _symmetric(upper: Array, diagonal: Array) -> Array:
    """Return the symmetric matrix with this upper triangle and this diagonal."""
    strict = np.triu(upper, 1)
    result: Array = strict + strict.T
    np.fill_diagonal(result, diagonal)
    return result
