"""Linear algebra of a symmetric matrix: factorise once, then everything is cheap.

A Gram matrix K is symmetric, so LAPACK needs one triangle of it and leaves the
other alone. `cholesky` writes the factor over the lower triangle; the upper one
still holds K. So K is stored once, residuals t − Ka cost O(n²) and no memory, and a
failed attempt can be undone.

Jitter is honest: nothing is added unless a factorisation has failed; then as little
as works, in units of the diagonal, and the amount is kept on the result.

Legend: K (n×n) symmetric; D = diag(ridge) + jitter·I; L lower triangular with
LLᵀ = K + D; s, U eigenvalues and eigenvectors of K = U diag(s) Uᵀ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import blas, eigh, lapack

from kernellab.arrays import Array, reals
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.threads import limited

EPS = float(np.finfo(np.float64).eps)
"""The relative precision of a float."""

JITTERS = EPS * 10.0 ** np.arange(9)
"""What is tried after a failure, in units of the mean diagonal entry."""

REMEDY = "raise lam (or the noise), or drop duplicate points"

TILE = 200
"""Rows of a block of work: small enough for the cache."""

ASYMMETRY = 1e-10
"""|K − Kᵀ| beyond ASYMMETRY·max|K| is no rounding error."""


def general_advice() -> str:
    """Say what to do when a matrix is not positive definite in floating point."""
    return (
        f"If it is the Gram matrix of a kernel, it is ill-conditioned: {REMEDY}. "
        "If that function is not proven to be a kernel, try k.refute()."
    )


# --- symmetric matrices -----------------------------------------------------------


def symmetric(K: ArrayLike, name: str = "K") -> Array:
    """Return a copy of a matrix that is checked to be finite and symmetric up to
    rounding.

    The copy, (K + Kᵀ)/2, is exactly symmetric. O(n²).

    Examples
    --------
    >>> symmetric([[2, 1], [1, 2]])
    array([[2., 1.],
           [1., 2.]])
    >>> symmetric([[2, 1], [0, 2]])
    Traceback (most recent call last):
    ...
    kernellab.errors.InputError: K must be symmetric; K[0, 1] is 1 and K[1, 0] is 0
    """
    A = reals(K, f"{name} must be a square array of numbers")
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not A.size:
        raise InputError(f"{name} must be a square array, got shape {A.shape}")
    if not np.isfinite(A).all():
        i, j = np.argwhere(~np.isfinite(A))[0]
        raise InputError(f"{name} must be finite; {name}[{i}, {j}] is {A[i, j]}")
    copy, largest = np.empty_like(A, order="C"), max(A.max(), -A.min())
    for b in _blocks(len(A)):
        _require_equal(A[b], A[:, b].T, b.start, ASYMMETRY * largest, name)
        copy[b] = A[b] / 2 + A[:, b].T / 2
    return copy


def _require_equal(A: Array, B: Array, start: int, most: float, name: str) -> None:
    difference = np.abs(A - B)
    i, j = np.unravel_index(difference.argmax(), A.shape)
    if difference[i, j] > most:
        raise InputError(
            f"{name} must be symmetric; {name}[{start + i}, {j}] is {A[i, j]:.6g} and "
            f"{name}[{j}, {start + i}] is {B[i, j]:.6g}"
        )


def _blocks(n: int) -> Iterator[slice]:
    for start in range(0, n, TILE):
        yield slice(start, min(start + TILE, n))


def _mirror_upper(A: Array) -> None:
    """Write the strict upper triangle over the lower one."""
    for rows in _blocks(len(A)):
        upper = np.triu(A[rows, rows], 1)
        A[rows, rows] = upper + np.triu(A[rows, rows]).T
        A[rows.stop :, rows] = A[rows, rows.stop :].T


# --- Cholesky ---------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Cholesky:
    """LLᵀ = K + diag(ridge) + jitter·I, together with K itself. Made by `cholesky`.

    Attributes
    ----------
    packed : (n, n) array, L in its lower triangle, K strictly above it.
    diagonal : (n,) array, the diagonal of K.
    ridge : number or (n,) array, what was asked to be added to the diagonal.
    jitter : number, what had to be added besides; 0 unless an attempt failed.

    Examples
    --------
    >>> C = cholesky([[4.0, 2.0], [2.0, 3.0]], ridge=1.0)
    >>> C
    Cholesky factor of a 2×2 matrix, jitter 0
    >>> C.solve([7.0, 6.0])  # (K + I)⁻¹ b
    array([1., 1.])
    >>> C.multiply([1.0, 1.0])  # K b
    array([6., 5.])
    >>> round(C.logdet(), 4)  # log 16
    2.7726
    """

    packed: Array
    diagonal: Array
    ridge: float | Array
    jitter: float

    def __repr__(self) -> str:
        n = len(self.packed)
        return f"Cholesky factor of a {n}×{n} matrix, jitter {self.jitter:.2g}"

    @property
    def L(self) -> Array:
        """The factor, as a new array."""
        return np.tril(self.packed)

    def solve(self, B: ArrayLike) -> Array:
        """Return (K + D)⁻¹B, by two triangular systems. O(n²) for each column of B."""
        B = self._read(B)
        with limited(len(B)):
            X, _ = lapack.dpotrs(self.packed, B.reshape(len(B), -1), lower=1)
        return np.asarray(X).reshape(B.shape)

    def multiply(self, B: ArrayLike) -> Array:
        """Return KB, without the ridge, from the triangle that L left alone. O(n²) a
        column.

        It makes t − Ka independent of how a was found.
        """
        B = self._read(B)
        columns, A = B.reshape(len(B), -1), self.packed
        factor = A.diagonal().copy()
        np.fill_diagonal(A, self.diagonal)
        with limited(len(A)):
            try:  # a matrix of few columns is read faster column by column
                if columns.shape[1] < 10:
                    each = [blas.dsymv(1.0, A, b) for b in columns.T]
                    product = np.stack(each, axis=1)
                else:
                    product = blas.dsymm(1.0, A, columns)
            finally:
                np.fill_diagonal(A, factor)
        return np.asarray(product).reshape(B.shape)

    def logdet(self) -> float:
        """log det(K + D) = 2 Σ log L_ii. O(n)."""
        return 2 * float(np.log(self.packed.diagonal()).sum())

    def inverse(self) -> Array:
        """Return (K + D)⁻¹, exactly symmetric. O(n³): two thirds of it after the
        factor.
        """
        with limited(len(self.packed)):
            inverse, _ = lapack.dpotri(self.packed, lower=1)
        inverse = np.asarray(inverse).T
        _mirror_upper(inverse)
        return inverse

    def inverse_diagonal(self, *, overwrite: bool = False) -> Array:
        """Return [(K + D)⁻¹]_ii = Σ_j (L⁻¹)_ji², half the work of the whole inverse.

        With `overwrite` no memory is needed, but the factor is gone afterwards.
        """
        with limited(len(self.packed)):
            inverse, _ = lapack.dtrtri(self.packed, lower=1, overwrite_c=overwrite)
        if overwrite:
            self.packed = np.empty((0, 0))
        panels = (np.tril(inverse[b.start :, b]) for b in _blocks(len(inverse)))
        return np.concatenate([np.einsum("ij,ij->j", T, T) for T in panels])

    def _read(self, B: ArrayLike) -> Array:
        array = reals(B, "the right-hand side must be an array of numbers")
        n = len(self.packed)
        if n == 0:
            raise InputError("this factor was used up: factorise the matrix again")
        if array.ndim not in (1, 2) or len(array) != n:
            raise InputError(
                f"the right-hand side must have shape ({n},) or ({n}, m), "
                f"got {array.shape}"
            )
        return array


def cholesky(
    K: ArrayLike,
    *,
    ridge: float | Array = 0.0,
    advice: Callable[[], str] = general_advice,
    overwrite: bool = False,
) -> Cholesky:
    """Factorise K + diag(ridge); with jitter only if that fails.

    Parameters
    ----------
    K : (n, n) symmetric array. Only finite, symmetric matrices make sense; use
        `symmetric` for one that comes from outside.
    ridge : number, or one for each point (λ, or the noise variance).
    advice : what to do if all fails, for the error message.
    overwrite : do the work inside K, an array of floats in C or Fortran order; no
        other memory is used, and K is destroyed.

    Returns
    -------
    Cholesky, with the jitter that was used: 0, or the first of ε·10ʲ·trace(K)/n,
    j = 0, …, 8, that makes it work. Cost n³/3 (multiplications and additions).

    Raises
    ------
    NotPositiveDefinite
        If all that fails. The message says what to do.

    Examples
    --------
    >>> cholesky([[1.0, 1.0], [1.0, 1.0]]).jitter > 0  # singular
    True
    >>> cholesky([[1.0, 2.0], [2.0, 1.0]])
    Traceback (most recent call last):
    ...
    kernellab.errors.NotPositiveDefinite: the matrix is not positive definite: ...
    """
    A = _workspace(K, overwrite)
    if np.shape(ridge) not in ((), (len(A),)):
        raise InputError(
            f"ridge must be a number or have shape ({len(A)},), got {np.shape(ridge)}"
        )
    diagonal = A.diagonal().copy()
    scale = float(np.abs(diagonal).mean())
    for attempt, jitter in enumerate((0.0, *(JITTERS * scale))):
        if attempt:
            _mirror_upper(A)
        with np.errstate(over="ignore"):
            np.fill_diagonal(A, diagonal + ridge + jitter)
        if not np.isfinite(A.diagonal()).all():
            raise InputError("the diagonal of K + ridge must be finite; rescale it")
        with limited(len(A)):
            _, minor = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        if minor == 0:
            return Cholesky(A, diagonal, ridge, float(jitter))
    tried = f"even with {jitter:.2g} added to" if jitter else "with zeros on"
    raise NotPositiveDefinite(
        "the matrix is not positive definite: its leading minor of order "
        f"{minor} is negative or zero, {tried} the diagonal. " + advice()
    )


def _workspace(K: ArrayLike, overwrite: bool) -> Array:
    """Return K in Fortran order: its own memory if it may be overwritten, else a
    copy.
    """
    A = reals(K, "K must be a square array of numbers")
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not A.size:
        raise InputError(f"K must be a square array, got shape {A.shape}")
    if not (overwrite and A.flags.writeable):
        return np.array(A, order="F")
    return A.T if A.flags.c_contiguous else np.asfortranarray(A)


def require_semidefinite(
    K: Array, tolerance: float, advice: Callable[[], str] = general_advice
) -> None:
    """Refuse a K with an eigenvalue below −tolerance times its mean diagonal. O(n³).

    Without a diagonal, only K = 0 is positive semi-definite.

    >>> require_semidefinite(np.array([[0.0, 0.5], [0.5, 0.0]]), 1e-6)
    Traceback (most recent call last):
    ...
    kernellab.errors.NotPositiveDefinite: the matrix is not positive definite: ...
    """
    size = float(np.abs(K.diagonal()).mean())
    if size or K.any():
        cholesky(K, ridge=tolerance * size, advice=advice)


# --- eigenvalues --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spectrum:
    """K = U diag(s) Uᵀ, from which (K + λI)⁻¹ follows for every λ. Made by `spectrum`.

    Attributes
    ----------
    values : (n,) array s ≥ 0, in increasing order.
    vectors : (n, n) array U, one eigenvector a column.
    clipped : how far below 0 an eigenvalue was before it was set to 0.

    Examples
    --------
    >>> S = spectrum([[1.0, 1.0], [1.0, 1.0]])
    >>> S.values.round(12)
    array([0., 2.])
    >>> S.inverse_diagonal([1.0, 2.0])  # of (K + λI)⁻¹, a column for each λ
    array([[0.66666667, 0.375     ],
           [0.66666667, 0.375     ]])
    """

    values: Array
    vectors: Array
    clipped: float = 0.0

    def resolvent(self, lams: ArrayLike) -> Array:
        """Return 1/(s_k + λ): the eigenvalues of (K + λI)⁻¹, a column for each λ."""
        result: Array = 1 / (self.values[:, None] + np.atleast_1d(lams))
        return result

    def inverse_diagonal(self, lams: ArrayLike) -> Array:
        """Return [(K + λI)⁻¹]_ii = Σ_k U_ik²/(s_k + λ), a column for each λ. O(n²)
        a λ.
        """
        R = self.resolvent(lams)
        return np.vstack([self.vectors[b] ** 2 @ R for b in _blocks(len(R))])


def spectrum(
    K: ArrayLike, *, advice: Callable[[], str] = general_advice, overwrite: bool = False
) -> Spectrum:
    """Eigenvalues and eigenvectors of a positive semi-definite K. About 9 n³.

    Eigenvalues up to n·ε·max s are rounding errors, and set to 0. So are those below
    0, down to the largest jitter that `cholesky` would add; `clipped` says how far.

    Raises
    ------
    NotPositiveDefinite
        If an eigenvalue is lower. The message says what to do.
    """
    A = _workspace(K, overwrite)
    lowest = -JITTERS[-1] * float(np.abs(A.diagonal()).mean())
    with limited(len(A)):
        s, U = eigh(A, driver="evd", overwrite_a=True, check_finite=False)
    if s[0] < lowest:
        raise NotPositiveDefinite(
            "the matrix is not positive semi-definite: its smallest eigenvalue is "
            f"{s[0]:.3g}, more than rounding explains. " + advice()
        )
    s0 = np.where(s > len(s) * EPS * s[-1], s, 0.0)
    return Spectrum(s0, U, max(0.0, -float(s[0])))
