"""The covariance C = K + D where few directions of K matter: no n³ operations.

The Gram matrix of a smooth kernel on a line has a few dozen eigenvalues above rounding.
Then K = LLᵀ with r ≪ n columns, which pivoted Cholesky finds, and by the identities of
Woodbury and Sylvester, with B = I + LᵀD⁻¹L = RRᵀ and W = D⁻¹LR⁻ᵀ,

    C⁻¹ = D⁻¹ − WWᵀ,    log det C = log det D + log det B.

It is the same likelihood, not an approximation of it: what L leaves out, tr(K − LLᵀ),
is known at each step, and log det C changes by no more than tr(K − LLᵀ)/min D.

Legend: n points; K, C (n×n); D diagonal, the noise; L, W (n×r); B, R (r×r).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack

from kernellab.arrays import Array
from kernellab.linalg import EPS, PivotedFactor

FEWEST_POINTS = 200
"""A Cholesky factor of fewer points takes no longer."""

MOST = 1 / 4
"""The largest r/n; beyond it a Cholesky factor is as quick."""

PROBED = 1 / 16
"""The r/n from which on it is asked whether MOST will do."""

NEGLIGIBLE = 1e-8
"""tr(K − LLᵀ)/min D: by how much log det C may be wrong."""


@dataclass(frozen=True, eq=False)
class LowRank:
    """C⁻¹ = D⁻¹ − WWᵀ. Made by `low_rank`.

    Attributes
    ----------
    Wt : (r, n) array Wᵀ.
    D : (n,) array.
    R : (r, r) array, lower triangular.
    """

    Wt: Array
    D: Array
    R: Array

    def solve(self, b: Array) -> Array:
        """Return C⁻¹b. O(nr)."""
        x: Array = b / self.D - (self.Wt @ b) @ self.Wt
        return x

    def logdet(self) -> float:
        """Return log det C."""
        return float(np.log(self.D).sum() + 2 * np.log(self.R.diagonal()).sum())

    def write_inverse(self, A: Array) -> Array:
        """Return A, in Fortran order, with C⁻¹ in its lower triangle. O(n²r)."""
        A = blas.dsyrk(-1.0, self.Wt, c=A, trans=1, lower=1, overwrite_c=1)
        np.fill_diagonal(A, A.diagonal() + 1 / self.D)
        return A


def low_rank(K: Array, noise: float | Array) -> LowRank | None:
    """Return C = K + D by few columns of K; None if a Cholesky factor is better.

    O(nr²), and one product of K with a vector: were K not positive semi-definite, the
    diagonal of K − LLᵀ would say nothing of the rest.
    """
    n, D = len(K), np.broadcast_to(noise, len(K))
    left = NEGLIGIBLE * float(D.min())
    if n < FEWEST_POINTS or left <= 10 * EPS * float(K.trace()):
        return None
    Lt = _columns(K, left)
    if Lt is None or not _is_whole(K, Lt, left):
        return None
    S = Lt / np.sqrt(D)
    B = S @ S.T
    np.fill_diagonal(B, B.diagonal() + 1)
    R, _ = lapack.dpotrf(B, lower=1)
    Wt, _ = lapack.dtrtrs(R, Lt, lower=1)
    return LowRank(Wt / D, D, R)


def _columns(K: Array, left: float) -> Array | None:
    """Return Lᵀ with tr(K − LLᵀ) ≤ left, if few columns do or seem to."""
    n = len(K)
    most = int(MOST * n)
    factor = PivotedFactor(K.diagonal(), most)
    start = rest = float(factor.d.sum())
    while rest > left:
        r = len(factor.pivots)
        # At this rate, r·log(start/left)/log(start/rest) columns would be needed; but
        # the eigenvalues of smooth kernels fall faster and faster.
        slow = r * np.log(start / left) > 2 * most * np.log(start / rest)
        if r == most or (r >= PROBED * n and slow):
            return None
        p = int(factor.d.argmax())
        factor.append(p, factor.remainder(p, K[p]))
        rest = float(factor.d.sum())
    return factor.Lt


def _is_whole(K: Array, Lt: Array, left: float) -> bool:
    """Return whether K − LLᵀ is negligible off the diagonal, too."""
    z = np.random.default_rng(0).standard_normal(len(K))
    rest = K @ z - (Lt @ z) @ Lt
    return bool(np.abs(rest).max() <= 10 * left + 100 * EPS * np.abs(K).max() * len(K))
