"""Gaussian process classification: probabilities that know how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array
from kernellab.certificates import Certificate
from kernellab.estimator import Estimator, Inputs
from kernellab.gp.bounds import ByName
from kernellab.gp.laplace import LaplacePosterior, probabilities
from kernellab.gp.learning import low_discrepancy, maximise
from kernellab.gp.model import Model
from kernellab.gp.priors import with_priors
from kernellab.gp.report import LearningReport
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.labels import Labels, accuracy
from kernellab.threads import limited

DRAWS = 1024
"""Values of the functions over which probabilities are averaged; and their mirrors."""

POINTS_AT_A_TIME = 64
"""New points whose draws are held at a time."""

SCORES = 4
"""Gradients over which the Fisher information is averaged."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """θ ↦ the approximate log p(y): what learning maximises."""

    model: Model
    inputs: Inputs
    Y: Array
    what: ClassVar[str] = "log marginal likelihood"

    def __len__(self) -> int:
        return len(self.Y)

    def posterior(self, theta: Array) -> tuple[Kernel, LaplacePosterior]:
        """Return the kernel and the posterior at θ. O(cn³) for each Newton step."""
        kernel = self.model.with_theta(theta).kernel
        with limited(len(self)):
            return kernel, LaplacePosterior.find(self._gram(kernel), self.Y, kernel)

    def _gram(self, kernel: Kernel) -> Array:
        # New points: what a kernel remembers of the old ones belongs to another θ.
        fresh = Points(self.inputs.X.items)
        return replace(self.inputs, kernel=kernel, X=fresh).gram()

    def __call__(self, theta: Array) -> tuple[float, Array]:
        """Return the value at θ and its gradient."""
        kernel, found = self.posterior(theta)
        with limited(len(self)):
            G = found.cotangent()
        return found.log_evidence, kernel.vjp(Points(self.inputs.X.items), G)

    def value(self, theta: Array) -> float:
        """Return the value at θ alone."""
        return self.posterior(theta)[1].log_evidence

    def information(self, theta: Array) -> Array:
        """Estimate the Fisher information, over labels that the model generates."""
        K = self._gram(self.model.with_theta(theta).kernel)
        with limited(len(self)):
            values, U = np.linalg.eigh(K)
        root = U * np.sqrt(np.maximum(values, 0))
        rng = np.random.default_rng(0)
        squares = []
        for _ in range(SCORES):
            P = probabilities(root @ rng.normal(size=self.Y.shape))
            u = rng.random((len(P), 1))
            chosen = (u < P) if P.shape[1] == 1 else _categorical(P, u)
            squares.append(replace(self, Y=chosen.astype(float))(theta)[1] ** 2)
        information: Array = np.mean(squares, axis=0)
        return information

    def fresh_start(self, theta: Array) -> Array:
        """Return θ: nothing is known of a better place."""
        return theta.copy()

    def sample(self, size: int) -> Self:
        """Return the same for at most `size` of the points, always the same."""
        n = len(self)
        if n <= size:
            return self
        rows = np.sort(np.random.default_rng(0).permutation(n)[:size])
        inputs = replace(self.inputs, X=self.inputs.X.take(rows), n=size)
        return replace(self, inputs=inputs, Y=self.Y[rows])


@dataclass(eq=False)
class GaussianProcessClassifier(Estimator):
    """Labels from functions with a Gaussian process prior, by Laplace's approximation.

    Two classes: f ~ GP(0, k) and P(larger label | x) = 1/(1 + e^(−f(x))). More: one
    f_j ~ GP(0, k) for each, and P(class j | x) = e^(f_j(x)) / Σ_l e^(f_l(x)).
    `predict_proba` averages this over what the data leave open about f, so that far
    from all data it returns to equal shares.

    Parameters
    ----------
    kernel : Kernel, the covariance function. Give it a scale, as in
        ``1.0 * Gaussian()``: how large f may become is how sure it may be.

    Attributes
    ----------
    classes_ : (c,) labels, in increasing order: the columns of `predict_proba`.
    kernel_ : the kernel that `fit` learned, or what was given.
    a_ : (n, c) coefficients of the mode, f_j = Σ a_ij k(·, x_i); (n, 1) for two
        classes.
    certificate_ : two bounds that agree at the mode, the gradient's norm, and half the
        squared Newton decrement: how far Newton's method is from the mode.
    report_ : a `LearningReport`; None if nothing was learned.

    Notes
    -----
    The posterior is not Gaussian, and Laplace's approximation has an error of its own,
    which no certificate here measures; it grows with the scale of f. One evaluation of
    log p(y) takes about ten Newton steps of n³ operations (c + 1 times as many for
    c > 2 classes).

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, y = [[-2.0], [-1.0], [1.0], [2.0]], ["a", "a", "b", "b"]
    >>> gpc = GaussianProcessClassifier(4.0 * kl.Gaussian(sigma=1.0))
    >>> gpc = gpc.fit(X, y, optimize=False)
    >>> gpc.predict_proba([[-1.5], [0.0], [100.0]]).round(2)
    array([[0.75, 0.25],
           [0.5 , 0.5 ],
           [0.5 , 0.5 ]])
    """

    kernel: Kernel

    estimator_type = "classifier"

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        optimize: bool = True,
        *,
        restarts: int | None = None,
        bounds: ByName | None = None,
        priors: ByName | None = None,
    ) -> Self:
        """Find the posterior; before that, learn θ if `optimize` is set.

        Parameters
        ----------
        X : (n, d) array, or n objects.
        y : (n,) labels of any type that can be sorted, of two classes or more.
        optimize, restarts, bounds, priors : as for `GaussianProcess`.
        """
        model = Model.read(self.kernel, 0.0)
        inputs = Inputs.read(model.kernel, X, type(self).__name__)
        labels = Labels.read(y, inputs.n)
        c = len(labels.classes)
        Y = np.eye(c)[labels.codes][:, 1:] if c == 2 else np.eye(c)[labels.codes]
        evidence = Evidence(model, inputs, Y)
        self.report_: LearningReport | None = None
        if optimize:
            self.report_ = maximise(with_priors(evidence, priors), bounds, restarts)
            self.report_.warn()
        theta = model.theta if self.report_ is None else self.report_.theta
        self.kernel_, self._posterior = evidence.posterior(theta)
        self._evidence = replace(evidence, model=replace(model, kernel=self.kernel_))
        self._inputs = replace(inputs.stored(), kernel=self.kernel_)
        self._inputs.require_positive(self._posterior.K)
        self.classes_: NDArray[Any] = labels.classes
        self.a_: Array = self._posterior.A
        self.certificate_: Certificate = self._posterior.certify()
        return self

    def log_marginal_likelihood(
        self, theta: ArrayLike | None = None, gradient: bool = False
    ) -> Any:
        """Return Laplace's log p(y), at the fitted θ or another; its gradient if asked.

        Returns
        -------
        value, or (value, gradient); the gradient in the order of `kernel_.theta`.
        """
        self._trained()
        if theta is None and not gradient:
            return self._posterior.log_evidence
        model = self._evidence.model
        at = model.theta if theta is None else model.with_theta(theta).theta
        return self._evidence(at) if gradient else self._evidence.value(at)

    def predict_f(self, X: Any) -> tuple[Array, Array]:
        """Return the mean (q, c) and covariances (q, c, c) of the functions; c is 1 for
        two classes.
        """
        inputs = self._trained()
        Z = inputs._points(X)
        B = self.kernel_(Z, inputs.X)
        S = self._posterior.curvature.covariances(self.kernel_.diag(Z), B)
        return B @ self.a_, S

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each of `classes_`, averaged over f: (q, c)."""
        mean, S = self.predict_f(X)
        P = np.empty_like(mean)
        for start in range(0, len(mean), POINTS_AT_A_TIME):
            part = slice(start, start + POINTS_AT_A_TIME)
            P[part] = _averaged(mean[part], S[part])
        return np.hstack([1 - P, P]) if P.shape[1] == 1 else P

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest label for every point of X; the larger one for f = 0."""
        inputs = self._trained()
        F = inputs.expand(X, self.a_)
        codes = (F[:, 0] >= 0).astype(np.intp) if F.shape[1] == 1 else F.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of right labels, each point with its weight."""
        return accuracy(self.predict(X), y, sample_weight)


def _categorical(P: Array, u: Array) -> NDArray[np.bool_]:
    """Return one-hot rows, drawn with the probabilities P from uniform u."""
    codes = np.minimum((np.cumsum(P, axis=1) < u).sum(axis=1), P.shape[1] - 1)
    return np.asarray(np.eye(P.shape[1], dtype=bool)[codes])


def _averaged(mean: Array, S: Array) -> Array:
    """Return E P(class | F) for F ~ N(mean, S), over draws that are always the same."""
    c = mean.shape[1]
    even = (np.arange(DRAWS)[:, None] + 0.5) / DRAWS
    uniform = even if c == 1 else (low_discrepancy(DRAWS, c) + 1) / 2
    half = scipy.special.ndtri(np.clip(uniform, 1e-12, 1 - 1e-12))
    Z = np.vstack([half, -half])
    values, U = np.linalg.eigh(S)
    root = U * np.sqrt(np.maximum(values, 0))[:, None, :]
    F = mean[:, None, :] + np.einsum("qab,rb->qra", root @ U.transpose(0, 2, 1), Z)
    P = probabilities(F.reshape(-1, c)).reshape(len(mean), len(Z), c)
    result: Array = P.mean(axis=1)
    return result
