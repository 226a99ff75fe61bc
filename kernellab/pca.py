"""Kernel PCA: what it means to kernelise an algorithm.

Principal component analysis of the features φ(x_i), written in terms of k alone. Let
φ̄ be their mean and H = I − 11ᵀ/n. The centred features φ(x_i) − φ̄ have the Gram
matrix HKH. If v is one of its unit eigenvectors, with eigenvalue μ > 0, then

    w = Σ_i a_i (φ(x_i) − φ̄),    a = v/√μ,

is a unit eigenvector of their covariance (1/n)Σ(φ(x_i) − φ̄)(φ(x_i) − φ̄)ᵀ, with
eigenvalue μ/n. The score of a point along it is ⟨w, φ(x) − φ̄⟩ = Σ a_i k̃(x, x_i), with

    k̃(x, x_i) = k(x, x_i) − mean_j k(x, x_j) − mean_j k(x_j, x_i) + mean_jl k(x_j, x_l):

new points are centred with the mean of the training points. For the linear kernel all
this is ordinary PCA. Chapter 2.

Legend: n points; K (n×n) Gram matrix; H centring; V (n×m) eigenvectors a column;
μ eigenvalues, the largest first; m components.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.estimator import Estimator
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import EPS, symmetric

TIED_SCORES_TOLERANCE = 1e-8
"""Scores that differ by less, relatively, count as equally large."""


def centre(K: ArrayLike) -> Array:
    """HKH with H = I − 11ᵀ/n: the Gram matrix of the centred features. O(n²).

    Examples
    --------
    >>> centre([[1.0, 0.0], [0.0, 1.0]])
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    G = symmetric(K)
    rows = G.mean(axis=0)
    G -= rows[:, None] + rows[None, :] - rows.mean()
    return G


@dataclass(eq=False)
class KernelPCA(Estimator):
    """The directions of largest variance among the features φ(x_i).

    Parameters
    ----------
    kernel : Kernel, or "precomputed": then X is the Gram matrix k(X, X) in `fit`, and
        k(Z, X) in `transform`.
    n_components : how many directions, the largest variance first; None for all
        that the data have, which is the rank of HKH, at most n − 1. To ask for more
        is an error: beyond the rank there is no variance, and no direction.

    Attributes
    ----------
    eigenvalues_ : (m,) eigenvalues μ of HKH; the variances are μ/n.
    eigenvectors_ : (n, m) unit eigenvectors V of HKH.
    a_ : (n, m) coefficients V/√μ of the directions.
    scores_ : (n, m) scores V√μ of the training points.
    explained_variance_ratio_ : (m,) μ / trace(HKH).
    rank_ : the number of eigenvalues above rounding.

    Notes
    -----
    An eigenvector is determined up to its sign: the entry of largest size is made
    positive (the first of them, if several are equally large). Directions with the
    same eigenvalue are determined only as a plane. Fit costs n²/2 values of k and
    about 9n³ operations; a new point n values of k and O(nm).

    Centring subtracts: with k(x,x) of size S, variances below 10·n·ε·S are lost. For
    a linear or polynomial kernel, move the data to the origin first.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [15.0, 20.0]])  # on a line
    >>> model = KernelPCA(kl.Linear()).fit(X)
    >>> model.rank_, model.scores_.ravel().round(9)
    (1, array([-10.,  -5.,  15.]))
    >>> Z = [[9.0, 12.0], [5.0, 15.0]]
    >>> model.transform(Z).ravel().round(9), model.reconstruction_error(Z).round(9)
    (array([5., 5.]), array([ 0., 25.]))
    """

    kernel: Kernel | str
    n_components: int | None = None

    estimator_type = "transformer"

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the directions.

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : not used; it is there so that all estimators are called alike.
        """
        inputs = self._read_inputs(X, self.kernel)
        K = inputs.gram()
        G = centre(K)
        mu, V, rank = _spectrum(G, _rounding(K), inputs.kernel)
        m = _how_many(self.n_components, rank)
        self._inputs = inputs.stored()
        self._K_mean, self._mean = K.mean(axis=0), float(K.mean())
        self._total = float(np.trace(G))
        self.rank_, self.eigenvalues_ = rank, mu[:m].copy()
        self.eigenvectors_ = V[:, :m] * _signs(V[:, :m])
        self.a_ = self.eigenvectors_ / np.sqrt(self.eigenvalues_)
        self.scores_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        return self

    def transform(self, X: Any) -> Array:
        """Return the scores of the points of X, one column a direction.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.
        """
        result: Array = self._centred(self._trained().block(X)) @ self.a_
        return result

    def fit_transform(self, X: Any, y: object = None) -> Array:
        """Return `fit(X)`, then the scores of X itself."""
        return self.fit(X).scores_

    def reconstruction_error(self, X: Any, diagonal: ArrayLike | None = None) -> Array:
        """Return ‖φ(x) − φ̄ − Σ_j s_j w_j‖² = k̃(x,x) − Σ_j s_j², for scores s. Zero or
        more.

        The squared distance, in feature space, of each point to the plane through φ̄
        that the directions span. Summed over the training points it is the sum of
        the eigenvalues that were left out.

        Parameters
        ----------
        X : as in `transform`.
        diagonal : (q,) values k(x, x); only, and always, with a precomputed matrix.
        """
        block = self._trained().block(X)
        own = self._diagonal(X, diagonal, len(block))
        squares = own - 2 * block.mean(axis=1) + self._mean
        scores = self._centred(block) @ self.a_
        result: Array = np.maximum(0.0, squares - (scores**2).sum(axis=1))
        return result

    @property
    def explained_variance_ratio_(self) -> Array:
        """The share of the total variance along each direction."""
        self._trained()
        result: Array = self.eigenvalues_ / self._total
        return result

    def _centred(self, block: Array) -> Array:
        """Return k̃(x, x_i), with the mean of the training points."""
        own = block.mean(axis=1, keepdims=True)
        result: Array = block - own - self._K_mean + self._mean
        return result

    def _diagonal(self, X: Any, diagonal: ArrayLike | None, q: int) -> Array:
        if self._inputs.kernel is not None:
            return self._inputs.kernel.diag(X)
        values = np.asarray(diagonal, dtype=np.float64)
        if values.shape != (q,):
            raise InputError(
                "with a precomputed kernel, k(x, x) is needed as well: pass "
                f"diagonal, an array of shape ({q},)"
            )
        return values


def _rounding(K: Array) -> float:
    """Return how large an eigenvalue of HKH can be by rounding alone."""
    return 10 * len(K) * EPS * float(np.abs(K).max())


def _spectrum(
    G: Array, rounding: float, kernel: Kernel | None
) -> tuple[Array, Array, int]:
    """Eigenvalues, the largest first; eigenvectors; how many are above rounding."""
    values, vectors = np.linalg.eigh(G)
    if values[0] < -rounding:
        raise NotPositiveDefinite(
            "the centred Gram matrix is not positive semi-definite: its smallest "
            f"eigenvalue is {values[0]:.3g}, its rounding error at most "
            f"{rounding:.1g}. " + advice(kernel)
        )
    return values[::-1], vectors[:, ::-1], int(np.sum(values > rounding))


def _how_many(wanted: int | None, rank: int) -> int:
    if rank == 0:
        raise InputError(
            "all points have the same features, so no direction has any variance; "
            "at least two points with different features are needed"
        )
    if wanted is None:
        return rank
    m = number(wanted, "n_components")
    if m != int(m) or m < 1:
        raise InputError(f"n_components must be an integer ≥ 1, got {wanted!r}")
    if m > rank:
        raise InputError(
            f"n_components = {int(m)}, but these points vary in {rank} directions only "
            f"(the rank of HKH): ask for at most {rank}, or None for all of them"
        )
    return int(m)


def _signs(V: Array) -> Array:
    """Return ±1 for each column, so that its entry of largest size becomes positive."""
    size = np.abs(V)
    first = np.argmax(size >= (1 - TIED_SCORES_TOLERANCE) * size.max(axis=0), axis=0)
    return np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)
