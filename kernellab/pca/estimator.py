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

from kernellab.arrays import Array, finite, reals, whole
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs
from kernellab.kernels.base import Kernel
from kernellab.pca.preimage import PreimageReport, Preimages, learn_preimages
from kernellab.pca.spectrum import all_pairs, leading_pairs, rounding_of
from kernellab.protocol import TransformerProtocol
from kernellab.threads import limited

TIED_SCORES_TOLERANCE = 1e-8
"""Scores that differ by less, relatively, count as equally large."""


@dataclass(eq=False)
class KernelPCA(Estimator, TransformerProtocol):
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
    rank_ : the number of eigenvalues above rounding; None if `n_components` are asked
        for, as the others are not computed then.
    preimage_report_ : how well points come back from their scores.

    Notes
    -----
    An eigenvector is determined up to its sign: the entry of largest size is made
    positive (the first of them, if several are equally large). Directions with the
    same eigenvalue are determined only as a plane. Fit costs n²/2 values of k and, for
    a few directions of many, O(n²m) operations, for all about 9n³; a new point n values
    of k and O(nm).

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
    >>> model.inverse_transform([[5.0], [-5.0]]).round(2)  # points on the line
    array([[ 9., 12.],
           [ 3.,  4.]])
    """

    kernel: Kernel | str
    n_components: int | None = None

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the directions.

        Parameters
        ----------
        X : (n, d) array, or n objects; the (n, n) Gram matrix if it is precomputed.
        y : not used; it is there so that all estimators are called alike.
        """
        inputs = self._read_inputs(X, self.kernel)
        K = inputs.gram()
        mu, V, self.rank_ = _directions(inputs, K, self.n_components)
        self._inputs = inputs.stored()
        self._K_mean, self._mean = K.mean(axis=0), float(K.mean())
        self._total = float(np.sum(K.diagonal() - 2 * self._K_mean + self._mean))
        self._inverse: Preimages | None = None
        self.eigenvalues_, self.eigenvectors_ = mu, V * _signs(V)
        self.a_ = self.eigenvectors_ / np.sqrt(self.eigenvalues_)
        self.scores_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        return self

    def transform(self, X: Any) -> Any:
        """Return the scores of the points of X, one column a direction.

        Parameters
        ----------
        X : (q, d) array, or q objects; the (q, n) matrix k(X, training points) if it
            is precomputed.
        """
        return self._as_wanted(self._scores(X), X)

    def fit_transform(self, X: Any, y: object = None) -> Any:
        """Return `fit(X)`, then the scores of X itself."""
        return self._as_wanted(self.fit(X).scores_, X)

    def n_columns_out(self) -> int:
        """Return the number of directions."""
        self._trained()
        return len(self.eigenvalues_)

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

    def inverse_transform(
        self, scores: ArrayLike, return_error: bool = False
    ) -> Array | tuple[Array, Array]:
        """Return a point for each row of scores: a pre-image, learned from the others.

        Parameters
        ----------
        scores : (q, m) array, such as `transform` returns.
        return_error : whether to return, besides, the squared distances in feature
            space ‖φ(x̂) − φ̄ − Σ_j s_j w_j‖², which are the `reconstruction_error` of x̂
            plus ‖s(x̂) − s‖². They tell how far from a pre-image each x̂ is.

        Notes
        -----
        The map is learned at the first call, in about 9n³ operations
        (`kernellab.pca.preimage`); `preimage_report_` has its leave-one-out error.
        """
        S = self._read_scores(scores)
        points = self._preimages()(S)
        if not return_error:
            return points
        moved = ((self._scores(points) - S) ** 2).sum(axis=1)
        return points, self.reconstruction_error(points) + moved

    @property
    def preimage_report_(self) -> PreimageReport:
        """How well training points that are left out come back from their scores."""
        return self._preimages().report

    def _preimages(self) -> Preimages:
        inputs = self._trained()
        if inputs.kernel is None or inputs.X.width is None:
            raise InputError(
                "inverse_transform returns vectors: it needs a kernel on vectors and "
                "the points themselves in fit, not a precomputed matrix or objects"
            )
        if self._inverse is None:
            self._inverse = learn_preimages(self.scores_, inputs.X.X)
        return self._inverse

    def _read_scores(self, scores: ArrayLike) -> Array:
        self._trained()
        m = len(self.eigenvalues_)
        S = reals(scores, "scores must be an array of numbers")
        if S.ndim != 2 or S.shape[1] != m:
            raise InputError(
                f"scores must have shape (q, {m}), one column per direction; got "
                f"{S.shape}"
            )
        return finite(S, "scores")

    @property
    def explained_variance_ratio_(self) -> Array:
        """The share of the total variance along each direction."""
        self._trained()
        result: Array = self.eigenvalues_ / self._total
        return result

    def _scores(self, X: Any) -> Array:
        block = self._centred(self._trained().block(X))
        with limited(len(block)):
            scores: Array = block @ self.a_
        return scores

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


def _directions(
    inputs: Inputs, K: Array, wanted: int | None
) -> tuple[Array, Array, int | None]:
    """Return the eigenvalues and eigenvectors that are wanted, and the rank of HKH."""
    m = None if wanted is None else whole(wanted, "n_components", 1)
    if m is not None and m < len(K):
        mu, V = leading_pairs(K, m, inputs.kernel, inputs.proven)
        if mu[-1] > rounding_of(K):
            return mu.copy(), V, None
    mu, V = all_pairs(K, inputs.kernel)
    if not len(mu):
        raise InputError(
            "all points have the same features, or there is one sample only, so no "
            "direction has any variance; give two points with different features"
        )
    if m is not None and m > len(mu):
        raise InputError(
            f"n_components = {m}, but these points vary in {len(mu)} directions only "
            f"(the rank of HKH): ask for at most {len(mu)}, or None for all of them"
        )
    return mu[:m].copy(), V[:, :m], len(mu)


def _signs(V: Array) -> Array:
    """Return ±1 for each column, so that its entry of largest size becomes positive."""
    size = np.abs(V)
    first = np.argmax(size >= (1 - TIED_SCORES_TOLERANCE) * size.max(axis=0), axis=0)
    return np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)
