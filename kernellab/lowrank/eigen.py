"""The largest eigenvalues of a Gram matrix, and the best approximation of rank r.

**Eckart and Young.** K = Σ μ_j u_j u_jᵀ with μ_1 ≥ μ_2 ≥ … ≥ 0. Among all matrices of
rank r, K_r = Σ_{j≤r} μ_j u_j u_jᵀ is nearest to K, in every unitarily invariant norm:
in the spectral norm the error is μ_{r+1}, in the nuclear norm Σ_{j>r} μ_j. No choice of
landmarks does better on the points themselves; but it needs all of K.

K_r is a projection in the feature space too, on the span of w_j = Σ_i u_ij φ(x_i)/√μ_j:
⟨w_j, w_l⟩ = u_jᵀKu_l/√(μ_jμ_l) = δ_jl. So it extends to new points,

    φ̂_j(x) = ⟨w_j, φ(x)⟩ = Σ_i u_ij k(x_i, x)/√μ_j,

with K̂ ⪯ K there as well. (w_j are the principal directions of the features, not
centred; `kernellab.pca` centres them.)

The largest eigenvectors alone cost less than all of them, but more than one product
with K: `kernellab.lowrank.iteration` counts.

Legend: n points; K (n×n); μ eigenvalues, the largest first; U (n×r) eigenvectors.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.arrays import Array, RandomState, generator, whole
from kernellab.errors import ConvergenceWarning
from kernellab.estimator import Inputs, expand
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, spectrum
from kernellab.lowrank.base import LowRank
from kernellab.lowrank.data_blocks import DataBlocks
from kernellab.lowrank.pivoted import pivoted_cholesky

DENSE_MAX_POINTS = 1000
"""Up to this many points all eigenvalues are found, by LAPACK."""

STORED_MAX_POINTS = 5000
"""Up to this many points K is stored (200 MB); above, each product computes it anew."""


@dataclass(eq=False)
class TruncatedEigen(LowRank):
    """The best approximation of K of rank r, and its extension to new points.

    φ̂(x) = M^{−1/2}Uᵀk(X, x), with the r largest eigenvalues M = diag(μ) of K and their
    eigenvectors U.

    Parameters
    ----------
    kernel : Kernel, on vectors or objects.
    rank : number r of eigenvectors. Fewer are used if K has fewer eigenvalues above
        rounding.
    random_state : seed of the vector with which Lanczos' method starts.

    Attributes
    ----------
    eigenvalues_ : (r,) array μ, the largest first.
    eigenvectors_ : (n, r) array U. Up to sign; for equal eigenvalues, up to a rotation.
    rank_ : r.

    Notes
    -----
    The yardstick for the other maps rather than a tool for large n: `transform` needs
    n values of k for each point, and `fit` looks at all of K. All points are read into
    memory. Up to 1,000 points LAPACK finds everything in 9n³. Beyond, 2r columns of
    pivoted Cholesky are tried: if nothing is left of K after that, the singular vectors
    of that factor are its eigenvectors. Otherwise Lanczos' method, some hundreds of
    products Kv; K is stored up to 5,000 points, and computed anew for each product
    above.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> model = TruncatedEigen(kl.Gaussian(), rank=3).fit(X)
    >>> model.eigenvalues_.round(3)
    array([38.301, 10.153,  1.411])
    >>> round(model.error(X).trace, 3)  # 50 − Σμ
    0.135
    """

    kernel: Kernel
    rank: int = 100
    random_state: RandomState = 0

    def _learn(self, kernel: Kernel, rows: DataBlocks) -> int:
        rank = min(rows.n, whole(self.rank, "rank", 1))
        rng = generator(self.random_state)
        self._X = rows.take(np.arange(rows.n))
        mu, U = _largest(kernel, self._X, rank, rng)
        if not len(mu):  # K = 0, so that every vector is an eigenvector
            mu, U = np.zeros(1), np.eye(rows.n, 1)
        self.eigenvalues_, self.eigenvectors_ = mu, U
        self._A: Array = U / np.sqrt(np.where(mu > 0, mu, 1.0))
        return len(mu)

    def _columns(self, points: Points) -> Array:
        return expand(self._kernel, points, self._X, self._A)


def _largest(
    kernel: Kernel, points: Points, rank: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return the `rank` largest eigenvalues above rounding, and their eigenvectors."""
    n = len(points)
    if n <= DENSE_MAX_POINTS or 4 * rank >= n:
        found = spectrum(
            Inputs(kernel, points, n).gram(), advice=advice_on(kernel), overwrite=True
        )
        return _above_rounding(found.values[::-1], found.vectors[:, ::-1], rank)
    factor = pivoted_cholesky(kernel, points, 2 * rank)
    if factor.rank < 2 * rank:  # nothing is left: K = LLᵀ
        U, s, _ = np.linalg.svd(factor.L, full_matrices=False)
        return _above_rounding(s**2, U, rank)
    return _above_rounding(*_lanczos(kernel, points, rank, rng), rank)


def _above_rounding(mu: Array, U: Array, rank: int) -> tuple[Array, Array]:
    noise = len(U) * EPS * mu.max(initial=0.0)
    r = min(rank, int(np.sum(mu > noise)))
    return mu[:r].copy(), U[:, :r].copy()


def _lanczos(
    kernel: Kernel, points: Points, rank: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh  # here: slow to import

    n = len(points)
    start = rng.normal(size=n)
    try:
        mu, U = eigsh(_operator(kernel, points), rank, which="LA", v0=start)
    except ArpackNoConvergence as stopped:
        mu, U = stopped.eigenvalues, stopped.eigenvectors
        warnings.warn(
            f"Lanczos' method found {len(mu)} of {rank} eigenvectors only; ask for "
            "fewer, or use Nystroem",
            ConvergenceWarning,
            stacklevel=2,
        )
    order = np.argsort(mu)[::-1]
    return mu[order], U[:, order]


def _operator(kernel: Kernel, points: Points) -> Any:
    """Return K, to be multiplied with vectors."""
    from scipy.sparse.linalg import LinearOperator

    n = len(points)
    if n <= STORED_MAX_POINTS:
        return Inputs(kernel, points, n).gram()

    def multiply(V: Array) -> Array:
        return expand(kernel, points, points, V.reshape(n, -1)).reshape(V.shape)

    return LinearOperator((n, n), matvec=multiply, matmat=multiply, dtype=np.float64)
