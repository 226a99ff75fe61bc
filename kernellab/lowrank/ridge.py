"""Ridge regression on a low-rank feature map: O(nr²) time, and memory without n.

    minimise  Σ_i s_i (t_i − φ̂(x_i)ᵀw − b)² + λ‖w‖²

is kernel ridge regression with k̂ = ⟨φ̂, φ̂⟩ in the place of k. Its normal equations are
sums over points (`kernellab.lowrank.normal_equations`), taken a block at a time
(`kernellab.lowrank.data_blocks`): of an array, of a memory map that is larger than
memory, or of a Dask array on a cluster.

**Half of the work can wait.** Nyström's features are Φ̂ = CWᵀ: the columns C = k(X, Z)
and W = L⁻¹, which costs as much as the sums themselves. But ΦᵀΦ = W(CᵀC)Wᵀ, so W can
be applied once, to the sum. That is worse rounded: an error of relative size ε in CᵀC
becomes E in A with ‖E‖ ≈ ε‖W‖²‖CᵀC‖. What it does to the fit is bounded: with
(A + E + λI)ŵ = B the gap of ŵ is ‖Eŵ‖²/λ, and λ‖ŵ‖² ≤ J(ŵ), so that

    (J(ŵ) − J*) / J(ŵ) ≤ (‖E‖/λ)².

A block shows beforehand whether this is below HARMLESS², and the sum afterwards. If it
is not, the features are whitened row by row.

Legend: n points X; r columns of φ̂; C (n×r) raw columns; W (r×r) with φ̂ = Wc;
t (n×m) targets; s weights; λ = lam; ε the relative precision of a float.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from kernellab.arrays import Array, describe
from kernellab.certificates import Certificate
from kernellab.errors import InputError, NotPositiveDefinite, not_fitted
from kernellab.estimator import Estimator, intercept_of, positive_penalty
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import EPS
from kernellab.lowrank.base import RESIDUAL_ROUNDING, LowRank, is_proven_on
from kernellab.lowrank.data_blocks import (
    MAX_BLOCK_ROWS,
    Column,
    DataBlocks,
    read_blocks,
)
from kernellab.lowrank.explicit import ExplicitFeatures
from kernellab.lowrank.normal_equations import (
    FullProblemCertificate,
    NormalEquations,
    RidgeSolution,
)
from kernellab.lowrank.targets import r_squared_of_rows, regression_columns
from kernellab.protocol import Columns
from kernellab.threads import limited

HARMLESS_PERTURBATION = 1e-4
"""‖E‖/λ up to this is harmless: the relative gap that it causes is at most 1e-8."""

POINTS_PER_COLUMN = 10
"""With fewer than POINTS_PER_COLUMN·r points there is no time to be saved."""


@dataclass(eq=False)
class LowRankRidge(Estimator):
    """Ridge regression on φ̂: minimise Σ s_i (t_i − φ̂(x_i)ᵀw − b)² + λ‖w‖².

    Parameters
    ----------
    features : the map φ̂: a `Nystroem`, `RandomFourier` or other `LowRank`. It is left
        as it is: one that is not fitted is copied, and the copy fitted to X. Or a
        kernel with finitely many features, such as `Polynomial`.
    lam : number λ > 0. The loss is a sum, as in `KernelRidge`.
    intercept : whether to add a constant b that is not penalised.
    progress : True for a progress bar, False for none; None: for a fit that takes more
        than two seconds, on a terminal.

    Attributes
    ----------
    w_ : (r,) or (r, m) array of weights.
    intercept_ : b, a number or an (m,) array; 0 without intercept.
    features_ : the fitted map φ̂.
    rank_ : the number of its columns r.
    certificate_ : J, its Lagrange dual, their gap, ‖∇J‖ and the jitter, for φ̂.
    full_problem_ : the same for exact kernel ridge regression, which is never solved:
        how much J and f̂ can be off because φ̂ is not φ (`FullProblemCertificate`).
        None if φ̂ is not a projection, as for random features, or if the kernel is
        not proven where the points are.

    Notes
    -----
    One pass over the points after φ̂ is fitted: nr values of k and about nr²
    operations, r² numbers and a block of rows in memory, at any n. `predict` costs r
    values of k per point. Chapter 8.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> from kernellab.lowrank.nystroem import Nystroem
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(5000, 1))
    >>> t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=5000)
    >>> model = LowRankRidge(Nystroem(kl.Gaussian(), rank=30), lam=0.1).fit(X, t)
    >>> model.predict([[0.5], [1.0]]).round(2)
    array([0.84, 0.91])
    >>> model.certificate_.relative_gap < 1e-10
    True
    >>> model.full_problem_.relative_gap < 1e-6
    True
    """

    features: LowRank | Kernel
    lam: float = 1.0
    intercept: bool = False
    progress: bool | None = None

    estimator_type = "regressor"
    takes_several_outputs = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the map if it is not fitted, then the weights.

        Parameters
        ----------
        X : (n, d) array, memory map or Dask array; or n objects.
        y : (n,) targets t, or (n, m) for m outputs: an array, memory map or Dask array.
        sample_weight : (n,) weights s ≥ 0, likewise; all 1 if it is not given.

        Returns
        -------
        The estimator itself.
        """
        lam = positive_penalty(self.lam, "lam")
        columns = regression_columns(y, sample_weight)
        phi = fitted_map(self.features, X)
        rows = read_blocks(X, phi._read)
        equations = _Equations(phi, rows, columns, bool(self.intercept))
        found = equations.found(lam, self.progress)
        if not found.S > 0:
            raise InputError("sample_weight is zero for every point: nothing is left")
        if phi._projects:
            _require_projection(found, phi._kernel)
        self._columns = Columns.of(type(self).__name__, X, rows.width)
        exact = phi._projects and is_proven_on(rows, phi._kernel)
        self._keep(found.solve(lam), phi, columns[0].values.shape, exact)
        return self

    def predict(self, X: Any) -> Any:
        """Return f(x) = φ̂(x)ᵀw + b for every point.

        Parameters
        ----------
        X : (q, d) array or memory map, or q objects: then the result is an array. Or a
            Dask array: then it is one too, computed block by block when it is needed.

        Returns
        -------
        (q,) or (q, m) array.
        """
        rows = self._rows(X)
        columns = None if self._beta.ndim == 1 else self._beta.shape[1]
        return rows.stack(self._function(), columns)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² = 1 − Σ s_i (t_i − f(x_i))² / Σ s_i (t_i − mean t)², mean over
        outputs.

        In one pass, for all kinds of X and y. As in scikit-learn, constant targets
        score 1 if they are met exactly, else 0.
        """
        rows = self._rows(X)
        columns = regression_columns(y, sample_weight, self.w_.shape[1:])
        return r_squared_of_rows(self._function(), rows, columns, self.progress)

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        if "_beta" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._columns

    def _rows(self, X: Any) -> DataBlocks:
        """Return new points, checked a block at a time."""
        self.fitted_columns().require_names(X)
        return read_blocks(X, self.features_._read)

    def _function(self) -> Raw:
        """Return f, from a block of points to their values; it can be pickled."""
        return partial(_predict, self.features_._raw, self._beta, self.intercept_)

    def _keep(
        self, solution: RidgeSolution, phi: LowRank, shape: tuple[int, ...], exact: bool
    ) -> None:
        self.features_, self.rank_ = phi, phi.rank_
        self.w_: Array = solution.w.reshape(-1, *shape[1:])
        self.intercept_: float | Array = intercept_of(solution.b, shape)
        self.certificate_: Certificate = solution.certificate
        self.full_problem_: FullProblemCertificate | None = (
            solution.full_problem if exact else None
        )
        self._beta: Array = whitener(phi).T @ self.w_  # φ̂ᵀw = (Wc)ᵀw = cᵀ(Wᵀw)


def _predict(raw: Raw, beta: Array, b: float | Array, points: Points) -> Array:
    values: Array = raw(points) @ beta + b
    return values


# --- the map ------------------------------------------------------------------------


def fitted_map(features: object, X: Any) -> LowRank:
    """Return the map if it is fitted; else a copy of it, fitted to X."""
    if isinstance(features, Kernel):
        return ExplicitFeatures(features).fit(X)
    if not isinstance(features, LowRank):
        raise TypeError(
            "features must be a low-rank map, such as Nystroem(kernel, rank=500), or a "
            f"kernel with finitely many features; got {describe(features)}"
        )
    return features if "rank_" in features.__dict__ else _copy(features).fit(X)


def _copy(phi: LowRank) -> LowRank:
    return type(phi)(**phi.get_params(deep=False))


def whitener(phi: LowRank) -> Array:
    """Return W with φ̂(x) = Wc(x). O(r³)."""
    return phi._whiten(np.eye(phi.rank_, order="F"))


# --- the sums -----------------------------------------------------------------------

Raw = Callable[[Points], Array]
"""From a block of points to columns."""


@dataclass(frozen=True, eq=False)
class _Equations:
    """How the normal equations in φ̂ are summed up."""

    phi: LowRank
    rows: DataBlocks
    columns: list[Column]
    centred: bool

    def found(self, lam: float, progress: bool | None) -> NormalEquations:
        phi = self.phi
        if self._may_wait(lam):
            raw = self._total(phi._raw, progress)
            error = self._stretch * _norm(raw.A + np.tril(raw.A, -1).T)
            if error <= HARMLESS_PERTURBATION * lam:
                return raw.whitened(phi._whiten, error)
        return self._total(phi._columns, progress)

    def _total(self, features: Raw, progress: bool | None) -> NormalEquations:
        function = partial(_summand, features, self.phi._kernel.diag, self.centred)
        return self.rows.total(
            function, *self.columns, what="normal equations", progress=progress
        )

    def _may_wait(self, lam: float) -> bool:
        """Return whether a block suggests that W can be applied to the sums."""
        phi = self.phi
        if type(phi)._whiten is LowRank._whiten:  # there is nothing to apply
            return False
        n = self.rows.n
        if n < POINTS_PER_COLUMN * phi.rank_:
            return False
        C = phi._raw(self.rows.take(np.arange(min(MAX_BLOCK_ROWS, n))))
        with limited(len(C)):
            size = _norm(C.T @ C) * n / len(C)
        return self._stretch * size <= HARMLESS_PERTURBATION * lam

    @cached_property
    def _stretch(self) -> float:
        """‖E‖/‖CᵀC‖ ≈ ε‖W‖²."""
        W = whitener(self.phi)
        return EPS * _norm(W.T @ W)


def _summand(
    features: Raw,
    diagonal: Raw,
    centred: bool,
    points: Points,
    T: Array,
    s: Array | None = None,
) -> NormalEquations:
    """Return the normal equations of one block."""
    weights = np.ones(len(T)) if s is None else s
    own = diagonal(points)
    return NormalEquations.of(features(points), T, weights, own, centred)


def _require_projection(found: NormalEquations, kernel: Kernel) -> None:
    excess = found.kept - found.trace - found.rounding
    if excess > RESIDUAL_ROUNDING * abs(found.trace):
        raise NotPositiveDefinite(
            f"Σ s·k(x, x) = {found.trace:.6g}, but the squared lengths of the "
            f"projections have the sum {found.kept:.6g}. " + advice(kernel)
        )


@limited(1)
def _norm(A: Array) -> float:
    """About the largest eigenvalue of a positive semi-definite A, by powers; O(r²)."""
    v, size = np.random.default_rng(0).normal(size=len(A)), 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(20):
            size = float(np.linalg.norm(v))
            v = A @ (v / size) if size else v
    return size
