"""One more observation without starting over: a Cholesky factor grows by rows.

With C' = [[C, B], [Bᵀ, E]] and C = LLᵀ,

    L' = [[L, 0], [Vᵀ, S]],    V = L⁻¹B,    SSᵀ = E − VᵀV,

n² operations a new point, where a new factor costs n³/3. E − VᵀV is the covariance of
the new observations given the old ones.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import blas, lapack

from kernellab.arrays import Array
from kernellab.linalg import Cholesky


def grow(
    system: Cholesky, B: Array, E: Array, ridge: float | Array, new: Array
) -> Cholesky | None:
    """The factor with m further points; None if E − VᵀV is not positive definite.

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
