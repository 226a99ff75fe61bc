"""Predictions from C = LLᵀ: means, variances, covariances, in bounded memory.

    E[f(z) | t]          = m(z) + k(z, X) a
    Cov[f(z), f(z') | t] = k(z, z') − k(z, X) C⁻¹ k(X, z')

A second kernel k_j in place of k(z, X), k(z, z') predicts the part
f_j of a sum f = Σ f_j of independent processes: Cov[f_j(z), t_i] = k_j(z, x_i).

Legend: n training points X, q new points Z; V = L⁻¹k(X, Z), (n×q).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas

from kernellab.arrays import Array
from kernellab.gp.covariance import CovarianceFactor
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.linalg import Cholesky

BLOCK_ENTRIES = 2**19
"""Entries of k(Z, X) that are held at a time (4 MB)."""


def moments(
    kernel: Kernel, Z: Points, X: Points, a: Array, system: Cholesky
) -> tuple[Array, Array]:
    """Return k(Z, X)a and the variances, block by block. n² operations per point."""
    means, variances = np.empty(len(Z)), kernel.diag(Z)
    for rows in _blocks(len(Z), len(X)):
        block = kernel(Points(Z.items[rows]), X)
        means[rows] = block @ a
        V = half(system, block)
        variances[rows] -= np.einsum("ij,ij->j", V, V)
    return means, np.maximum(variances, 0.0)  # below 0 only by rounding


def joint(
    kernel: Kernel, Z: Points, X: Points, a: Array, system: Cholesky
) -> tuple[Array, Array]:
    """Return k(Z, X)a and the covariance. O(n²q + nq²), in q² and nq numbers."""
    block = kernel(Z, X)
    means = block @ a
    V = half(system, block)
    covariance = kernel(Z)
    covariance -= V.T @ V
    return means, (covariance + covariance.T) / 2


class Component(NamedTuple):
    """One term of a sum of kernels, and what the data say about its function."""

    kernel: Kernel
    mean: Array
    variance: Array


class LeaveOneOut(NamedTuple):
    """The prediction of each t_i from all the other points.

    p(t_i | the others) is Gaussian with mean t_i − a_i/[C⁻¹]_ii and variance
    1/[C⁻¹]_ii: conditioning one coordinate of N(m, C) on the rest, by blocks of C⁻¹.
    Rasmussen and Williams (2006), eq. 5.10–5.12.
    """

    mean: Array
    variance: Array
    log_densities: Array

    @property
    def log_density(self) -> float:
        """Σ_i log p(t_i | the others)."""
        return float(self.log_densities.sum())


def leave_one_out(factor: CovarianceFactor, t: Array) -> LeaveOneOut:
    """Predict each t_i from the others, without a refit. n³/3 operations."""
    variance = 1 / factor.system.inverse_diagonal()
    error = factor.a * variance
    square = error * factor.a  # error² / variance
    densities = -0.5 * (square + np.log(2 * np.pi * variance))
    return LeaveOneOut(t - error, variance, densities)


def half(system: Cholesky, block: Array) -> Array:
    """Return V = L⁻¹k(X, Z), written over k(Z, X)."""
    V = blas.dtrsm(1.0, system.packed, block.T, lower=1, overwrite_b=1)
    return np.asarray(V)


def _blocks(q: int, n: int) -> Iterator[slice]:
    step = max(1, BLOCK_ENTRIES // n)
    for start in range(0, q, step):
        yield slice(start, start + step)
