"""Kernel methods for many points: low-rank approximations of the Gram matrix.

A kernel machine looks at all pairs of points: n² numbers, n³/3 operations for ridge
regression. Gram matrices of smooth kernels have few eigenvalues that matter, so K is
nearly a matrix of rank r ≪ n, and that is the way out (chapter 8). One
idea runs through the package: *a low-rank approximation is a finite feature map*,

    k(x, x') ≈ ⟨φ̂(x), φ̂(x')⟩,   φ̂(x) ∈ ℝʳ,     K ≈ K̂ = Φ̂Φ̂ᵀ.

Whoever has one does ridge regression in O(nr²), a block of rows at a time: Φ̂ᵀΦ̂ and Φ̂ᵀt
are sums over blocks, so they can be read from disk or added up by many machines.

`Nystroem`
    Projects φ(x) on the span of r landmarks φ(z_j). Any kernel, strings and graphs
    too; nr values of k. Always below: 0 ⪯ K̂ ⪯ K, so the trace of K − K̂ says it all.
`pivoted_cholesky`
    The same projection as a factor K ≈ LLᵀ, found one column at a time until the
    error, which is known exactly, is as small as asked for.
`TruncatedEigen`
    The best K̂ of rank r there is (Eckart and Young), at the price of looking at all of
    K. `power_method` and `subspace_iteration` count what that takes.
`RandomFourier`
    Averages over random frequencies of a stationary kernel (Bochner). Looks at no
    point to choose φ̂; the error falls like 1/√r only.
`LowRankRidge`
    Ridge regression on any of these, of arrays, memory maps and Dask arrays, with a
    certificate that says how far it can be from exact kernel ridge regression.
`KernelRidgeCG`
    Exact kernel ridge regression all the same, by conjugate gradients, with a low-rank
    factor to speed them up; K is never stored.

>>> import numpy as np
>>> from kernellab import kernels as kl
>>> rng = np.random.default_rng(0)
>>> X = rng.uniform(-3, 3, size=(20_000, 1))
>>> t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=20_000)
>>> model = LowRankRidge(Nystroem(kl.Gaussian(), rank=25), lam=0.1).fit(X, t)
>>> model.predict([[0.5], [1.0]]).round(2)  # sin 1 = 0.84, sin 2 = 0.91
array([0.84, 0.91])
>>> model.features_.error(X).relative < 1e-6  # tr(K − K̂)/tr K, of 20,000 × 20,000
True
"""

from kernellab.lowrank.base import ApproximationError, LowRank
from kernellab.lowrank.eigen import TruncatedEigen
from kernellab.lowrank.explicit import ExplicitFeatures
from kernellab.lowrank.fourier import FourierError, RandomFourier
from kernellab.lowrank.iteration import Iteration, power_method, subspace_iteration
from kernellab.lowrank.landmarks import leverage_scores
from kernellab.lowrank.nystroem import Nystroem
from kernellab.lowrank.pivoted import PivotedCholesky, pivoted_cholesky
from kernellab.lowrank.ridge import LowRankRidge
from kernellab.lowrank.ridge_cg import KernelRidgeCG

__all__ = [
    "ApproximationError",
    "ExplicitFeatures",
    "FourierError",
    "Iteration",
    "KernelRidgeCG",
    "LowRank",
    "LowRankRidge",
    "Nystroem",
    "PivotedCholesky",
    "RandomFourier",
    "TruncatedEigen",
    "leverage_scores",
    "pivoted_cholesky",
    "power_method",
    "subspace_iteration",
]
