"""Eigenpairs of the centred Gram matrix HKH: all of them, or the leading ones.

Few of many eigenpairs come from Lanczos' method, which needs products HKHv only: O(n²)
each, and HKH is never formed. It starts from a fixed vector, so it repeats itself; and
as a single Krylov sequence can miss one of two equal eigenvalues, a second one, from
another vector, looks for a larger eigenvalue in what is left.

Legend: K (n×n) Gram matrix; H = I − 11ᵀ/n; G = HKH; μ eigenvalues, the largest first;
V (n×m) unit eigenvectors, one per column.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import blas, eigh, lapack

from kernellab.arrays import Array
from kernellab.errors import NotPositiveDefinite
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import EPS, symmetric
from kernellab.threads import limited

LANCZOS_MIN_POINTS = 300
"""For fewer points a dense method is as fast."""

LANCZOS_MAX_SHARE = 0.05
"""Of n eigenpairs, the share up to which Lanczos' method is faster."""

MISSED_TOLERANCE = 1e-8
"""A larger eigenvalue among the rest was missed if it exceeds μ_m by this share."""

Product = Callable[[Array], Array]


def centre(K: ArrayLike) -> Array:
    """HKH with H = I − 11ᵀ/n: the Gram matrix of the centred features. O(n²).

    Examples
    --------
    >>> centre([[1.0, 0.0], [0.0, 1.0]])
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    return _centred(symmetric(K))


def _centred(G: Array) -> Array:
    """Overwrite a symmetric G by HGH."""
    rows = G.mean(axis=0)
    G -= rows[:, None] + rows[None, :] - rows.mean()
    return G


def rounding_of(K: Array) -> float:
    """Return how large an eigenvalue of HKH can be by rounding alone."""
    return 10 * len(K) * EPS * float(max(K.max(), -K.min()))


def all_pairs(K: Array, kernel: Kernel | None) -> tuple[Array, Array]:
    """Return every eigenvalue above rounding, and its eigenvector. About 9n³.

    Raises
    ------
    NotPositiveDefinite
        If an eigenvalue is negative, beyond rounding.
    """
    rounding = rounding_of(K)
    with limited(len(K)):
        values, vectors = np.linalg.eigh(_centred(K.copy()))
    if values[0] < -rounding:
        raise NotPositiveDefinite(
            "the centred Gram matrix is not positive semi-definite: its smallest "
            f"eigenvalue is {values[0]:.3g}, its rounding error at most "
            f"{rounding:.1g}. " + advice(kernel)
        )
    rank = int(np.sum(values > rounding))
    return values[::-1][:rank], vectors[:, ::-1][:, :rank]


def leading_pairs(
    K: Array, m: int, kernel: Kernel | None, proven: bool
) -> tuple[Array, Array]:
    """Return the m < n largest eigenvalues and their eigenvectors.

    O(n²m) as a rule, for a few of many; else a third of `all_pairs`. That no eigenvalue
    is negative is `proven` of the kernel, or takes a Cholesky factor.
    """
    n = len(K)
    with limited(n):
        if not proven:
            _require_semidefinite(K, kernel)
        if n >= LANCZOS_MIN_POINTS and m <= LANCZOS_MAX_SHARE * n:
            found = _lanczos(K, m)
            if found is not None:
                return found
        values, vectors = eigh(
            _centred(K.copy()), subset_by_index=(n - m, n - 1), overwrite_a=True
        )
    return values[::-1], vectors[:, ::-1]


def _require_semidefinite(K: Array, kernel: Kernel | None) -> None:
    shifted = _centred(K.copy())
    shifted[np.diag_indices(len(K))] += rounding_of(K)
    _, minor = lapack.dpotrf(shifted.T, overwrite_a=1)
    if minor:
        all_pairs(K, kernel)  # says how negative, unless rounding explains it


def _lanczos(K: Array, m: int) -> tuple[Array, Array] | None:
    """Return the leading pairs; None if the iteration did not settle, or missed one."""
    from scipy.sparse.linalg import ArpackNoConvergence

    columns = np.asfortranarray(K.T)  # as BLAS wants them; no copy, as a rule

    def product(v: Array) -> Array:
        u = blas.dsymv(1.0, columns, v - v.mean())  # reads one half of K
        result: Array = u - u.mean()
        return result

    try:
        mu, V = _largest(product, len(K), m, seed=0)

        def rest(v: Array) -> Array:
            result: Array = product(v) - V @ (mu * (V.T @ v))
            return result

        # The error of an eigenvalue is the square of its vector's.
        (next_,), _ = _largest(rest, len(K), 1, seed=1, tol=np.sqrt(MISSED_TOLERANCE))
    except ArpackNoConvergence:
        return None
    missed = next_ > mu[-1] + MISSED_TOLERANCE * mu[0]
    return None if missed else (mu, V)


def _largest(
    product: Product, n: int, m: int, seed: int, tol: float = 0.0
) -> tuple[Array, Array]:
    """Return the m largest eigenpairs of v ↦ product(v), the largest first."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    start = np.random.default_rng(seed).normal(size=n)
    size = 20 if tol else max(2 * m + 1, 32)  # of the space searched before it restarts
    values, vectors = eigsh(operator, m, which="LA", v0=start, ncv=size, tol=tol)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order]
