"""Gaussian process regression: a prior over functions, conditioned on data.

    t_i = m(x_i) + f(x_i) + ε_i,   f ~ GP(0, k),   ε_i ~ N(0, σ_n²),

so t ~ N(m, C) with C = K + σ_n²I: the noise *variance* stands on the diagonal. Given t,
f at any points is Gaussian again, with

    E[f(z)] = m(z) + k(z, X)a,   a = C⁻¹(t − m),
    Cov[f(z), f(z')] = k(z, z') − k(z, X)C⁻¹k(X, z'),

and a new observation at z has the variance of f(z) plus σ_n². The mean is that of
kernel ridge regression with λ = σ_n².

Legend: n training points X, targets t; q new points Z; K, C (n×n); a (n) coefficients;
θ hyperparameters, those of the kernel and then log σ_n².
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, RandomState
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.estimator import Estimator, Inputs, r_squared
from kernellab.gp import prediction
from kernellab.gp.bounds import ByName
from kernellab.gp.covariance import CovarianceFactor, condition
from kernellab.gp.learning import maximise
from kernellab.gp.likelihood import Likelihood, value_and_gradient
from kernellab.gp.model import Model, mean_values, read_observations, whole
from kernellab.gp.normal import Normal
from kernellab.gp.prediction import Component, LeaveOneOut, leave_one_out
from kernellab.gp.priors import with_priors
from kernellab.gp.report import LearningReport
from kernellab.gp.support import root_of
from kernellab.kernels.algebra import Sum
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points

LEARNED = ("_fitted", "_inputs", "_t", "_factor", "_loo")


@dataclass(eq=False)
class GaussianProcess(Estimator):
    """Gaussian process regression.

    Parameters
    ----------
    kernel : Kernel, the covariance function of f. The noise is not part of it.
    noise : variance σ_n² ≥ 0 of the observations; or an (n,) array, one variance for
        each point of `fit`. A positive number is learned along with the kernel; 0 and
        an array are fixed.
    mean : the mean function m: None for 0, a number, or a function of all points at
        once; "constant" for a constant that is learned with θ. Its uncertainty is no
        part of the variances of predictions.

    Attributes
    ----------
    kernel_, noise_ : what `fit` learned, or what was given.
    mean_ : the constant that was learned; None if `mean` was given.
    a_ : (n,) coefficients C⁻¹(t − m).
    certificate_ : two bounds that agree at the factor, the residual, the jitter.
    report_ : a `LearningReport`; None if nothing was learned.
    condition_ : an estimate of the condition number of C.

    Notes
    -----
    `fit` costs n²/2 values of k and n³/3 operations, in one n×n array;
    learning n³ for each evaluation of the likelihood with its gradient, whatever the
    number of hyperparameters. A mean costs n values of k per point, a variance also n²
    operations. Nothing is centred or scaled: give a `mean`, or centre t, yourself.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, t = [[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0]
    >>> gp = GaussianProcess(kl.Gaussian(sigma=1.0), noise=0.1)
    >>> gp = gp.fit(X, t, optimize=False)
    >>> mean, variance = gp.predict_f([[1.0], [3.0]])
    >>> mean.round(3), variance.round(3)
    (array([ 0.802, -0.333]), array([0.08 , 0.606]))
    >>> gp.predict_y([[1.0], [3.0]])[1].round(3)  # of an observation
    array([0.18 , 0.706])
    >>> round(gp.log_marginal_likelihood(), 4)
    -3.4936
    """

    kernel: Kernel
    noise: float | ArrayLike = 0.1
    mean: float | str | Callable[[Any], Any] | None = None

    estimator_type = "regressor"

    # --- hyperparameters --------------------------------------------------------------

    @property
    def theta(self) -> Array:
        """θ: the kernel's, then log σ_n². What was learned, once it was.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> gp = GaussianProcess(4.0 * kl.Gaussian(sigma=1.0), noise=0.01)
        >>> gp.theta.round(3), gp.theta_names
        (array([ 1.386,  0.   , -4.605]), ('scale.c', 'gaussian.sigma', 'noise'))
        """
        return self._model().theta

    @property
    def theta_names(self) -> tuple[str, ...]:
        """A readable name for each entry of `theta`."""
        return self._model().theta_names

    def with_theta(self, theta: ArrayLike) -> Self:
        """Return the same process with other hyperparameters, not fitted."""
        model = self._model().with_theta(theta)
        return replace(self, kernel=model.kernel, noise=model.noise)

    # --- fitting ----------------------------------------------------------------------

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
        """Condition on data; before that, learn θ from them if `optimize` is set.

        Parameters
        ----------
        X : (n, d) array, or n objects.
        y : (n,) array of targets t.
        optimize : whether to maximise the marginal likelihood over θ.
        restarts : number of further starts that ascend to the end, besides the given
            parameters; 0 for these alone. By default 32 further starts are compared,
            and the most promising ones ascend; if a default bound holds the best back,
            the search starts anew from elsewhere. The starts are the same every time.
        bounds : for some of `theta_names`, the smallest and the largest value of the
            parameter itself, such as ``{"noise": (1e-4, 1.0)}``; equal ones fix it. By
            default a positive parameter may change by a factor of 10⁵, and there is a
            warning if it ends there.
        priors : for some of `theta_names`, a typical value and a factor: of a positive
            parameter ``{"noise": (0.1, 2.0)}`` says that two times out of three it
            lies within a factor 2 of 0.1, log σ_n² ~ N(log 0.1, (log 2)²); of another,
            a mean and a standard deviation. log p(t) + log p(θ) is then maximised.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> X = np.linspace(0, 6, 30)[:, None]
        >>> gp = GaussianProcess(kl.Gaussian(), noise=0.1)
        >>> gp = gp.fit(X, np.sin(X[:, 0]), bounds={"noise": (1e-6, 1.0)})
        >>> gp.report_.at_bound
        {'noise': 'lower'}
        """
        model = Model.read(self.kernel, self.noise, self.mean)
        inputs = Inputs.read(model.kernel, X, type(self).__name__)
        model.require_fit(inputs.n)
        t = read_observations(y, inputs.n)
        r = t - mean_values(self.mean, inputs.X.items, inputs.n)
        self._forget()
        report = None
        if optimize:
            objective = with_priors(Likelihood(model, inputs, r), priors)
            report = maximise(objective, bounds, restarts)
            report.warn()
            model = model.with_theta(report.theta)
        self._settle(model, inputs.stored(), t, CovarianceFactor.of(model, inputs, r))
        self.report_: LearningReport | None = report
        return self

    def add(self, X: Any, y: ArrayLike, noise: Any = None) -> Self:
        """Condition on further data as well, with the hyperparameters as they are.

        The factor grows by rows: O(n²) for each new point, where a new fit would
        cost O(n³).

        Parameters
        ----------
        X : (m, d) array, or m objects.
        y : (m,) array of targets, or a number if m = 1.
        noise : the variances of these observations, if `noise` was given for each
            point; otherwise not needed.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> gp = GaussianProcess(kl.Gaussian(), noise=0.1)
        >>> gp = gp.fit([[0.0]], [1.0], optimize=False).add([[2.0]], [0.0])
        >>> gp.predict([[1.0]]).round(4)
        array([0.491])
        """
        inputs, model = self._trained(), self._model()
        Z = inputs._points(X)
        if not len(Z):
            return self
        new = read_observations(np.atleast_1d(np.asarray(y)), len(Z))
        extra = model.noise_of(noise, len(Z))
        if not isinstance(model.noise, float):
            model = replace(model, noise=np.concatenate([model.noise, extra]))
        both = replace(inputs, X=inputs.X.joined(Z), n=inputs.n + len(Z))
        targets = np.concatenate([self._t, new])
        r = targets - mean_values(self.mean, both.X.items, both.n)
        factor = self._factor.grown(model, both, r, extra)
        self._settle(model, both.stored(), targets, factor)
        return self

    def _settle(
        self, model: Model, inputs: Inputs, t: Array, factor: CovarianceFactor
    ) -> None:
        for name in ("condition_", "_loo"):
            self.__dict__.pop(name, None)
        inputs = replace(inputs, kernel=model.kernel)
        if not inputs.proven:
            inputs.require_positive(inputs.gram())
        self._fitted, self._inputs = model, inputs
        self._t, self._factor = t, factor
        self.kernel_: Kernel = model.kernel
        self.noise_: float | Array = model.noise
        self.a_: Array = factor.a
        self.mean_: float | None = factor.b if model.learns_mean else None
        self.certificate_: Certificate = factor.certify()

    # --- predictions ------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """Return the posterior mean of f, (q,). n values of k per point."""
        inputs = self._trained()
        Z = inputs._points(X)
        return self._mean(Z) + inputs.expand(Z, self.a_[:, None])[:, 0]

    def predict_f(self, X: Any, *, full: bool = False) -> tuple[Array, Array]:
        """Return the posterior mean and variance of the function f at new points.

        Parameters
        ----------
        X : (q, d) array, or q objects.
        full : whether to return the (q, q) covariance matrix instead of the variances.

        Returns
        -------
        mean : (q,) array.
        variance : (q,) array, or the (q, q) covariance.
        """
        self._trained()
        return self._predict(self.kernel_, X, full)

    def predict_y(
        self, X: Any, *, full: bool = False, noise: Any = None
    ) -> tuple[Array, Array]:
        """Return the mean and variance of new observations: f's, plus the noise.

        Parameters
        ----------
        X, full : as in `predict_f`.
        noise : the variances of the new observations, a number or (q,), if `noise`
            was given for each training point.
        """
        mean, variance = self.predict_f(X, full=full)
        extra = self._model().noise_of(noise, len(mean))
        return mean, variance + (np.diag(extra) if full else extra)

    def decompose(self, X: Any) -> list[Component]:
        """Return the posterior of the function of each term of a sum of kernels.

        f = Σ f_j with independent f_j ~ GP(0, k_j). The means add up to that of f,
        without m; the variances do not: what the data say about the terms is
        correlated.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> k = kl.Gaussian(sigma=3.0) + kl.Gaussian(sigma=0.3)
        >>> gp = GaussianProcess(k, 0.1).fit([[0.0], [1.0]], [1.0, 2.0], optimize=False)
        >>> slow, fast = gp.decompose([[0.5]])
        >>> (slow.mean + fast.mean).round(4), gp.predict([[0.5]]).round(4)
        (array([1.2154]), array([1.2154]))
        """
        self._trained()
        kernel = self.kernel_
        terms = kernel.terms if isinstance(kernel, Sum) else (kernel,)
        found = [(term, *self._predict(term, X, False)) for term in terms]
        shift = self._mean(self._trained()._points(X))
        return [Component(term, mean - shift, var) for term, mean, var in found]

    def score(self, X: Any, y: ArrayLike) -> float:
        """Return R² = 1 − Σ(t_i − E f(x_i))² / Σ(t_i − mean t)²; 1 or 0 for Σ = 0."""
        f = self.predict(X)
        return r_squared(read_observations(y, len(f)), f, np.ones(len(f)))

    # --- laws and samples -------------------------------------------------------------

    def prior(self, X: Any) -> Normal:
        """Return the law of (f(x_1), …, f(x_q)) before any data. O(q³)."""
        model = self._model()
        P = model.kernel.read_points(X, "X")
        if model.learns_mean and "mean_" not in self.__dict__:
            raise InputError(
                'with mean="constant" the mean is not known before any data: fit '
                "first, or give a number"
            )
        return Normal.image(self._mean(P), root_of(model.kernel(P)))

    def posterior(self, X: Any) -> Normal:
        """Return the law of (f(x_1), …, f(x_q)) given the data. O(n²q + q³)."""
        mean, covariance = self.predict_f(X, full=True)
        return Normal.image(mean, root_of(covariance, self.kernel_.diag(X)))

    def sample_prior(
        self, X: Any, size: int = 1, random_state: RandomState = None
    ) -> Array:
        """Draw f at the points, before any data: (size, q)."""
        return self.prior(X).sample(whole(size, "size"), random_state)

    def sample_posterior(
        self, X: Any, size: int = 1, random_state: RandomState = None
    ) -> Array:
        """Draw f at the points, given the data: (size, q)."""
        return self.posterior(X).sample(whole(size, "size"), random_state)

    # --- how well it explains the data ------------------------------------------------

    def log_marginal_likelihood(
        self, theta: ArrayLike | None = None, gradient: bool = False
    ) -> Any:
        """Return log p(t), at the fitted θ or another; its gradient in θ if asked for.

        −½ rᵀC⁻¹r − ½ log det C − (n/2) log 2π with r = t − m. n³/3
        operations (none at the fitted θ), n³ with the gradient.

        Returns
        -------
        value, or (value, gradient); the gradient in the order of `theta`.
        """
        inputs, model = self._trained(), self._model()
        if theta is not None:
            model = model.with_theta(theta)
        elif not gradient:
            return self._factor.log_likelihood
        r = self._factor.r + self._factor.b
        if gradient:
            return value_and_gradient(model, inputs, r)
        return CovarianceFactor.of(model, inputs, r).log_likelihood

    def leave_one_out(self) -> LeaveOneOut:
        """Predict every t_i from the n − 1 others, without a refit.

        mean t_i − a_i/[C⁻¹]_ii, variance 1/[C⁻¹]_ii (with the noise): n³/3 operations
        the first time. Rasmussen and Williams (2006), eq. 5.12.
        """
        self._trained()
        return self._loo

    @cached_property
    def _loo(self) -> LeaveOneOut:
        return leave_one_out(self._factor, self._t)

    @cached_property
    def condition_(self) -> float:
        """An estimate of ‖C‖₁‖C⁻¹‖₁; at 10ᵏ, about k digits of a_ are lost. O(n²)."""
        self._trained()
        return condition(self._factor.system)

    # --- inside -----------------------------------------------------------------------

    def _model(self) -> Model:
        if "_fitted" in self.__dict__:
            return self._fitted
        return Model.read(self.kernel, self.noise, self.mean)

    def _forget(self) -> None:
        """Drop an earlier fit, so that two Gram matrices are never held at once."""
        for name in tuple(self.__dict__):
            if name.endswith("_") or name in LEARNED:
                del self.__dict__[name]

    def _mean(self, Z: Points) -> Array:
        shift = self.mean_ or 0.0 if "mean_" in self.__dict__ else 0.0
        return mean_values(self.mean, Z.items, len(Z)) + shift

    def _predict(self, kernel: Kernel, X: Any, full: bool) -> tuple[Array, Array]:
        inputs = self._trained()
        Z = inputs._points(X)
        compute = prediction.joint if full else prediction.moments
        mean, second = compute(kernel, Z, inputs.X, self.a_, self._factor.system)
        return self._mean(Z) + mean, second
