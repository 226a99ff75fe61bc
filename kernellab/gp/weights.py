"""The weight-space view: Bayesian linear regression, a Gaussian process in disguise.

    t_i = wᵀφ(x_i) + ε_i,    w ~ N(0, τ²I),    ε_i ~ N(0, σ_n²).

The posterior of the p weights is Gaussian,

    w | t ~ N(S Φᵀt/σ_n², S),    S = (ΦᵀΦ/σ_n² + I/τ²)⁻¹,

and f(x) = wᵀφ(x) is a Gaussian process with the kernel τ²φ(x)ᵀφ(x'). Both views
predict the same, this one by a p×p system, that one by an n×n system. The posterior
mean is also the ridge estimate, with λ = σ_n²/τ².

Legend: n points; p features; Φ (n×p); w (p) weights; S (p×p).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from kernellab.arrays import Array, RandomState, positive_number
from kernellab.errors import InputError, not_fitted
from kernellab.estimator import Estimator, r_squared
from kernellab.gp.model import read_observations
from kernellab.gp.normal import Normal
from kernellab.gp.regression import GaussianProcess
from kernellab.kernels.base import Kernel
from kernellab.kernels.bespoke import FromFeatures
from kernellab.kernels.points import vectors
from kernellab.linalg import Cholesky, cholesky
from kernellab.protocol import Columns


@dataclass(eq=False)
class BayesianLinearRegression(Estimator):
    """Linear regression on features, with a Gaussian prior on the weights.

    Parameters
    ----------
    features : function of all points at once, (n, d) array to (n, p) array; or None
        for φ(x) = x.
    noise : variance σ_n² > 0 of the observations.
    variance : prior variance τ² > 0 of each weight.

    Attributes
    ----------
    weights_ : Normal, the law of w given the data.

    Notes
    -----
    `fit` costs np² + p³ operations, a prediction p² per point.

    Examples
    --------
    >>> model = BayesianLinearRegression(noise=1.0).fit([[1.0], [2.0]], [1.0, 2.0])
    >>> model.weights_
    N(mean [0.83333333], covariance [[0.16666667]])
    >>> model.predict_f([[3.0]])
    (array([2.5]), array([1.5]))
    >>> model.process().fit([[1.0], [2.0]], [1.0, 2.0], optimize=False).predict([[3.0]])
    array([2.5])
    """

    features: Callable[[Any], Any] | None = None
    noise: float = 0.1
    variance: float = 1.0

    estimator_type = "regressor"

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Compute the posterior of the weights."""
        noise, variance = self._variances()
        Phi = self._rows(X)
        if not len(Phi):
            raise InputError("X must have one point or more, got none")
        T = read_observations(y, len(Phi))
        # In units of σ_n: S = σ_n² (ΦᵀΦ + λI)⁻¹ with λ = σ_n²/τ².
        system = cholesky(Phi.T @ Phi, ridge=noise / variance, overwrite=True)
        self._columns = Columns.of(type(self).__name__, X, self._width(X))
        self.weights_ = Normal.image(
            system.solve(Phi.T @ T), math.sqrt(noise) * _inverse_root(system)
        )
        return self

    def prior(self, p: int) -> Normal:
        """Return the law of p weights before any data: N(0, τ²I)."""
        return Normal.image(np.zeros(p), math.sqrt(self._variances()[1]) * np.eye(p))

    def predict(self, X: Any) -> Array:
        """Return the posterior mean of f, (q,)."""
        return self._rows_as_in_fit(X) @ self._weights().mean

    def predict_f(self, X: Any) -> tuple[Array, Array]:
        """Return the posterior mean and variance of f(x) = wᵀφ(x), (q,) each."""
        Phi, w = self._rows_as_in_fit(X), self._weights()
        half = Phi @ w.root
        return Phi @ w.mean, np.einsum("ij,ij->i", half, half)

    def predict_y(self, X: Any) -> tuple[Array, Array]:
        """Return the mean and variance of new observations."""
        mean, variance = self.predict_f(X)
        return mean, variance + self._variances()[0]

    def score(self, X: Any, y: ArrayLike) -> float:
        """Return R² = 1 − Σ(t_i − E f(x_i))² / Σ(t_i − mean t)²; 1 or 0 for Σ = 0."""
        f = self.predict(X)
        return r_squared(read_observations(y, len(f)), f, np.ones(len(f)))

    def sample(self, X: Any, size: int = 1, random_state: RandomState = None) -> Array:
        """Draw f at the points, (size, q): w, then wᵀφ(x). O(p) per value."""
        if "weights_" in self.__dict__:
            Phi, w = self._rows_as_in_fit(X), self._weights()
        else:
            Phi = self._rows(X)
            w = self.prior(Phi.shape[1])
        return w.sample(size, random_state) @ Phi.T

    def process(self) -> GaussianProcess:
        """Return the same model as a Gaussian process, with the kernel τ²φ(x)ᵀφ(x')."""
        noise, variance = self._variances()
        phi: Any = _coordinates if self.features is None else self.features
        kernel: Kernel = variance * FromFeatures(phi)
        return GaussianProcess(kernel, noise=noise)

    def _variances(self) -> tuple[float, float]:
        return (
            positive_number(self.noise, "noise, a variance,"),
            positive_number(self.variance, "the prior variance of a weight"),
        )

    def _rows(self, X: Any) -> Array:
        if self.features is None:
            return vectors(X, "X").X
        rows = vectors(self.features(X), "what features returns").X
        return rows

    def _width(self, X: Any) -> int | None:
        """Return the number of columns of X; None if `features` takes objects."""
        if self.features is None:
            return vectors(X, "X").width
        return int(X.shape[1]) if getattr(X, "ndim", 0) == 2 else None

    def _rows_as_in_fit(self, X: Any) -> Array:
        """Return Φ for new points, with the columns of `fit`."""
        columns, p = self.fitted_columns(), len(self.weights_.mean)
        columns.require_names(X)
        columns.require_count(self._width(X))
        Phi = self._rows(X)
        if Phi.shape[1] != p:
            raise InputError(
                f"features returned {p} columns in fit, and {Phi.shape[1]} now"
            )
        return Phi

    def _weights(self) -> Normal:
        self.fitted_columns()
        return self.weights_

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        if "weights_" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._columns


def _coordinates(X: Array) -> Array:
    return X


def _inverse_root(system: Cholesky) -> Array:
    """Return L⁻ᵀ, a root of (LLᵀ)⁻¹."""
    inverse, _ = lapack.dtrtri(system.L, lower=1)
    return np.asarray(inverse).T
