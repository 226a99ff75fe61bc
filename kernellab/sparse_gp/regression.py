"""Gaussian process regression through a few landmarks, for a million points.

The exact process needs all n×n covariances. Here the data speak to f through its values
u = f(Z) at m landmarks (*inducing points*): q(f) = ∫ p(f | u) q(u) du with the Gaussian
q(u) for which KL(q ‖ p(f | t)) is smallest (Titsias 2009). In the coordinates
φ̂(x) = L⁻¹k(Z, x), with A = Σ φ̂(x_i)φ̂(x_i)ᵀ and σ² the noise,

    E[f(z)]   = m(z) + φ̂(z)ᵀw,      w = (A + σ²I)⁻¹ Σ φ̂(x_i)(t_i − m(x_i)),
    Var[f(z)] = (k(z, z) − ‖φ̂(z)‖²) + σ² φ̂(z)ᵀ(A + σ²I)⁻¹φ̂(z).

The mean is Nyström ridge regression with λ = σ². The variance has two parts: what the
landmarks cannot see of f(z), and what the data leave open of what they see. Without the
first, which older approximations drop, a point far from all landmarks would have the
variance 0.

Legend: n points X, m landmarks Z; t targets; w (m); A (m×m); σ² = noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import (
    Array,
    RandomState,
    describe,
    generator,
    one_column,
    require_target,
    whole,
)
from kernellab.errors import InputError, not_fitted
from kernellab.estimator import Inputs, points_as_in_fit, spread_evenly, untested
from kernellab.gp.bounds import ByName
from kernellab.gp.learning import maximise
from kernellab.gp.model import Model, mean_values
from kernellab.gp.prediction import half
from kernellab.gp.priors import with_priors
from kernellab.gp.report import SAME, LearningReport
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.lowrank.data_blocks import Column, DataBlocks, matching, read_blocks
from kernellab.lowrank.landmarks import choose
from kernellab.lowrank.targets import r_squared_of_rows, regression_columns
from kernellab.protocol import Columns, SklearnProtocol
from kernellab.sparse_gp.evidence import Evidence, EvidenceBracket
from kernellab.sparse_gp.objective import LowerBound
from kernellab.sparse_gp.projection import Projection

MOVES = 3
"""How often the landmarks are chosen anew for the kernel that was learned, at most."""


@dataclass(eq=False)
class SparseGaussianProcess(SklearnProtocol):
    """Gaussian process regression for many points, by variational inducing points.

    Parameters
    ----------
    kernel : Kernel, the covariance function of f. The noise is not part of it.
    noise : variance σ_n² > 0 of the observations; learned along with the kernel.
    mean : None for 0, a number, a function of all points of a block at once, or
        "constant" for a constant that is learned, as in `GaussianProcess`.
    rank : number m of landmarks. Fewer are used if there are fewer points, or if some
        depend on others.
    landmarks : how to choose them: "pivoted", each where the variance that is left is
        largest, "random-pivoted", "leverage" or "uniform", as in `Nystroem`; or the
        points themselves.
    candidates : the number of points among which they are chosen, drawn at random;
        None for as many as there is room for.
    random_state : seed of whatever is drawn, or a generator.
    progress : True for a progress bar of every pass over the points; None: of one that
        takes more than two seconds, on a terminal.

    Attributes
    ----------
    kernel_, noise_ : what `fit` learned, or what was given.
    mean_ : the constant that was learned; None if `mean` was given.
    landmarks_ : the landmarks, an (m, d) array or a tuple of objects.
    rank_ : m.
    w_ : (m,) the mean of the posterior in the coordinates φ̂.
    certificate_ : an `EvidenceBracket`: between which numbers the log evidence of the
        exact process lies, and what follows for means and variances.
    report_ : a `LearningReport`; None if nothing was learned.
    pilot_ : that of the exact process of some points, where learning began; or None.

    Notes
    -----
    A pass costs nm values of k and 2nm² operations, in m² numbers and m for each of the
    2,000 points of a block. One value of the bound is a pass, its gradient another.
    X may be an array, a memory map or a Dask array, and is not kept.

    Its variances are at least k(z, z) − ‖φ̂(z)‖², and at most those of the prior. They
    are *not* always above the exact ones: at a landmark they are never above, elsewhere
    they may be on either side. `certificate_.variance_range` says how far they can be
    off, at any point. With Z = X all is exact. Chapter 8.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(5000, 1))
    >>> t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=5000)
    >>> gp = SparseGaussianProcess(kl.Gaussian(), noise=0.01, rank=30)
    >>> gp = gp.fit(X, t, optimize=False)
    >>> mean, variance = gp.predict_f([[0.5], [9.0]])
    >>> mean.round(2), variance.round(3)  # sin 1 = 0.84; far away, the prior
    (array([0.84, 0.  ]), array([0., 1.]))
    >>> gp.certificate_.gap < 1e-3
    True
    """

    kernel: Kernel
    noise: float = 0.1
    mean: float | str | Callable[[Any], Any] | None = None
    rank: int = 100
    landmarks: Any = "pivoted"
    candidates: int | None = None
    random_state: RandomState = 0
    progress: bool | None = None

    estimator_type = "regressor"

    # --- fitting ----------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        optimize: bool = True,
        *,
        restarts: int | None = None,
        bounds: ByName | None = None,
        priors: ByName | None = None,
    ) -> Self:
        """Choose the landmarks; learn θ if `optimize` is set; condition on the data.

        Learning maximises the lower bound of the evidence. It begins where the exact
        process of 500 of the points ends, which takes the starts; afterwards the
        landmarks are chosen anew for the kernel that was learned, as long as that
        raises the bound.

        Parameters
        ----------
        X : (n, d) array, memory map or Dask array; or n objects.
        y : (n,) array of targets t, likewise.
        optimize, restarts, bounds, priors : as for `GaussianProcess`.
        """
        model = self._read_model()
        rows = read_blocks(X, model.kernel.read_points)
        if rows.n == 0:
            raise InputError("X must have one point or more, got none")
        t = _target(y, rows.n)
        Z = self._choose(model.kernel, rows)
        assumed = _tested(model.kernel, rows, Z)
        bound = LowerBound(model, rows, t, Z, self.mean, self.progress)
        report: LearningReport | None = None
        self.pilot_: LearningReport | None = None
        if optimize:
            bound, report = self._learn(bound, restarts, bounds, priors)
            report.warn()
        projection, evidence = bound.evidence(bound.model.theta)
        self._columns = Columns.of(type(self).__name__, X, rows.width)
        self._keep(bound.model, projection, evidence)
        self.certificate_: EvidenceBracket = evidence.certify(assumed)
        self.report_ = report
        return self

    def _read_model(self) -> Model:
        model = Model.read(self.kernel, self.noise, self.mean)
        if not model.learns_noise:
            raise InputError(
                "noise must be one variance > 0, the same for every point; got "
                f"{describe(self.noise)}. For noise of each point, or none, use "
                "GaussianProcess."
            )
        return model

    def _choose(self, kernel: Kernel, rows: DataBlocks) -> Points:
        if isinstance(self.landmarks, str):
            rank, rng = whole(self.rank, "rank", 1), generator(self.random_state)
            index = choose(self.landmarks, kernel, rows, rank, self.candidates, rng)
            return rows.take(index)
        given = kernel.read_points(self.landmarks, "landmarks")
        if len(given) == 0 or given.width != rows.width:
            raise InputError(
                f"landmarks must be one point or more with {rows.width or 'no'} "
                f"columns, as X; got {len(given)} with {given.width or 'no'} columns"
            )
        return given

    def _learn(
        self,
        bound: LowerBound,
        restarts: int | None,
        bounds: ByName | None,
        priors: ByName | None,
    ) -> tuple[LowerBound, LearningReport]:
        """Learn θ; choose landmarks for it and learn again, as long as that helps.

        It begins with the exact process of some of the points, which is not misled by
        landmarks that were chosen for another kernel.
        """
        self.pilot_ = maximise(with_priors(bound.pilot, priors), bounds, restarts)
        theta, report = self.pilot_.theta, None
        for _ in range(1 + MOVES * isinstance(self.landmarks, str)):
            kernel = bound.model.with_theta(theta).kernel
            moved = bound.started_at(theta, self._choose(kernel, bound.rows))
            found = maximise(with_priors(moved, priors), bounds, 0)
            if report is not None and found.value <= report.value + SAME:
                break
            bound, report, theta = moved, found, found.theta
        assert report is not None
        return replace(bound, model=bound.model.with_theta(theta)), report

    def _keep(self, model: Model, projection: Projection, evidence: Evidence) -> None:
        assert isinstance(model.noise, float)
        self._projection, self._system = projection, evidence.system
        self.kernel_: Kernel = model.kernel
        self.noise_: float = model.noise
        self.mean_: float | None = evidence.b if model.learns_mean else None
        self.landmarks_: Any = projection.Z.items
        self.rank_: int = len(projection.Z)
        self.w_: Array = evidence.w

    # --- predictions ------------------------------------------------------------------

    def predict(self, X: Any) -> Any:
        """Return the posterior mean of f, (q,); a Dask array for a Dask array."""
        return self._rows(X).stack(self._mean_of, None)

    def predict_f(self, X: Any, *, full: bool = False) -> tuple[Any, Any]:
        """Return the posterior mean and variance of the function f at new points.

        Parameters
        ----------
        X : (q, d) array, memory map or Dask array, or q objects.
        full : whether to return the (q, q) covariance matrix instead of the variances.
        """
        rows = self._rows(X)
        if full:
            return self._joint(rows.take(np.arange(rows.n)))
        found = rows.stack(self._moments, 2)
        return found[:, 0], found[:, 1]

    def predict_y(self, X: Any, *, full: bool = False) -> tuple[Any, Any]:
        """Return the mean and variance of new observations: f's, plus the noise."""
        mean, variance = self.predict_f(X, full=full)
        extra = np.eye(len(mean)) if full else 1.0
        return mean, variance + self.noise_ * extra

    def score(self, X: Any, y: Any) -> float:
        """Return R² = 1 − Σ(t_i − E f(x_i))² / Σ(t_i − mean t)², in one pass."""
        rows = self._rows(X)
        t = _target(y, rows.n)
        return r_squared_of_rows(self._mean_of, rows, [t], self.progress)

    def lower_bound(
        self, X: Any, y: Any, theta: ArrayLike | None = None, gradient: bool = False
    ) -> Any:
        """Return the lower bound of log p(t) with these landmarks, at any data and θ.

        Parameters
        ----------
        X, y : as in `fit`.
        theta : the kernel's parameters, then log σ_n²; None for what was learned.
        gradient : whether to return (value, gradient), in the order of `theta`.
        """
        rows = self._rows(X)
        model = Model(self.kernel_, self.noise_, self.mean_ is not None)
        Z, t = self._projection.Z, _target(y, rows.n)
        bound = LowerBound(model, rows, t, Z, self.mean, self.progress)
        at = model.theta if theta is None else model.with_theta(theta).theta
        return bound(at) if gradient else bound.value(at)

    # --- inside -----------------------------------------------------------------------

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        if "w_" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._columns

    def _rows(self, X: Any) -> DataBlocks:
        self.fitted_columns().require_names(X)
        return read_blocks(X, self._read)

    def _read(self, block: Any, name: str) -> Points:
        return points_as_in_fit(self.kernel_, self._columns, block, name)

    def _shift(self, Z: Points) -> Array:
        return mean_values(self.mean, Z.items, len(Z)) + (self.mean_ or 0.0)

    def _mean_of(self, Z: Points) -> Array:
        mean: Array = self._projection.columns(Z) @ self.w_ + self._shift(Z)
        return mean

    def _moments(self, Z: Points) -> Array:
        """Return means and variances of a block, two columns."""
        Phi = self._projection.columns(Z)
        mean = Phi @ self.w_ + self._shift(Z)
        unseen = self.kernel_.diag(Z) - np.einsum("ij,ij->i", Phi, Phi)
        V = half(self._system, Phi)
        open_ = self.noise_ * np.einsum("ij,ij->j", V, V)
        return np.column_stack([mean, np.maximum(unseen, 0.0) + open_])

    def _joint(self, Z: Points) -> tuple[Array, Array]:
        Phi = self._projection.columns(Z)
        mean = Phi @ self.w_ + self._shift(Z)
        unseen = self.kernel_(Z) - Phi @ Phi.T
        V = half(self._system, Phi)
        covariance = unseen + self.noise_ * (V.T @ V)
        return mean, (covariance + covariance.T) / 2


def _target(y: Any, n: int) -> Column:
    """Return the targets, each block to be checked as it comes."""
    require_target(y)
    shaped = one_column(y if hasattr(y, "shape") else np.asarray(y), n)
    (t,) = regression_columns(shaped, None, ())
    return matching(t.in_memory(), n)


def _tested(kernel: Kernel, rows: DataBlocks, landmarks: Points) -> str:
    """Refuse a K with a negative eigenvalue; return what had to be assumed of it.

    Of a kernel that is not proven where the points are, some of them and the landmarks
    are tested.
    """
    index = spread_evenly(rows.n)
    points = rows.take(index).joined(landmarks)
    inputs = Inputs(kernel, points, len(points))
    if inputs.proven:
        return ""
    inputs.require_positive(inputs.gram())
    return untested(len(index), rows.n)
