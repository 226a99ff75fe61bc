"""What the estimators share: parameters by name, training points, targets, weights.

Legend: n training points X, q new points Z; t (n×m) targets, one column per output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import (
    Array,
    Indices,
    columns_of,
    describe,
    finite,
    number,
    one_column,
    reals,
    require_target,
)
from kernellab.errors import InputError, not_fitted
from kernellab.kernels.base import Kernel
from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice_on
from kernellab.kernels.proving.data_domain import is_proven_at
from kernellab.linalg import TILE, require_semidefinite, symmetric
from kernellab.protocol import (
    PRECOMPUTED,
    Columns,
    SklearnProtocol,
    column_names,
    is_precomputed,
)
from kernellab.threads import limited

NEGATIVE_EIGENVALUE_TOLERANCE = 1e-6
"""An eigenvalue of K down to minus this, times the mean diagonal, may be rounding: that
much of it comes with a Gram matrix that was computed in single precision."""

TESTED_POINTS = 2000
"""The most points whose Gram matrix is tested, where K is not held as a whole."""

CHUNK_COORDINATES = 2**17
"""Coordinates held at a time in a prediction (1 MB)."""


class Estimator(SklearnProtocol):
    """A model that is fitted to training points, which it keeps as `_inputs`."""

    _inputs: Inputs

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        return self._trained().columns

    def _trained(self) -> Inputs:
        """Return the training points; an error if there are none yet."""
        if "_inputs" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._inputs

    def _read_inputs(self, X: Any, kernel: object) -> Inputs:
        """Check the points of `fit`."""
        return Inputs.read(kernel, X, type(self).__name__)


@dataclass(frozen=True, eq=False)
class Inputs:
    """Training points and their kernel; or, without a kernel, their Gram matrix.

    `owner` is the name of the estimator, `names` those of the columns, if X was a
    data frame: for the messages that new points may cause. `assumes` says what of K
    could not be proven or tested, for certificates.
    """

    kernel: Kernel | None
    X: Any
    n: int
    owner: str = "this model"
    names: tuple[str, ...] | None = None
    assumes: str = ""

    @classmethod
    def read(cls, kernel: object, X: Any, owner: str = "this model") -> Self:
        names = column_names(X)
        if isinstance(kernel, Kernel):
            items = kernel.read_points(X, "X").items  # a copy: the caller may change X
            points = Points(items.copy() if isinstance(items, np.ndarray) else items)
            inputs = cls(kernel, points, len(points), owner, names)
        elif is_precomputed(kernel):
            K = reals(X, "X must be the Gram matrix, a square array of numbers")
            inputs = cls(None, K, len(np.atleast_1d(K)), owner, names)
        else:
            hint = "; write it with parentheses" if isinstance(kernel, type) else ""
            raise TypeError(
                "kernel must be a Kernel, such as Gaussian(sigma=1.0), or the word "
                f"{PRECOMPUTED!r}; got {describe(kernel)}{hint}"
            )
        if inputs.n == 0:
            raise InputError("X must have one point or more, got none")
        return inputs

    def gram(self) -> Array:
        """Return K, a new array that may be overwritten."""
        if self.kernel is None:
            return symmetric(self.X, "the precomputed Gram matrix")
        K = self.kernel(self.X)
        return K if self.kernel.symmetric else symmetric(K, "the Gram matrix")

    @property
    def columns(self) -> Columns:
        """The columns that new points must have."""
        count = self.n if self.kernel is None else self.X.width
        return Columns(self.owner, count, self.names)

    @property
    def proven(self) -> bool:
        """Whether the kernel is proven where the points are, so that K ⪰ 0."""
        return self.kernel is not None and is_proven_at(self.kernel, self.X)

    def require_positive(self, K: Array) -> None:
        """Refuse a K with a negative eigenvalue: no objective has a minimum then.

        Of a proven kernel K needs no test. Else it is factorised: n³/3 operations.
        """
        if self.proven:
            return
        points = None if self.kernel is None else self.X
        require_semidefinite(
            K, NEGATIVE_EIGENVALUE_TOLERANCE, advice_on(self.kernel, points)
        )

    def sampled_positive(self, index: Indices) -> Self:
        """Refuse a K with a negative eigenvalue, where K is never held as a whole.

        Of a kernel that is not proven `TESTED_POINTS` of the points are tested, spread
        evenly; if there are more, the result says what a certificate then assumes.
        """
        if self.proven:
            return self
        some = index[spread_evenly(len(index))]
        if self.kernel is None:
            K = self.X[np.ix_(some, some)]
        else:
            K = symmetric(self.kernel(self.X.take(some)), "the Gram matrix")
        self.require_positive(K)
        return replace(self, assumes=untested(len(some), len(index)))

    def stored(self) -> Self:
        """Return what prediction needs: the points, and nothing remembered of them."""
        return replace(self, X=None if self.kernel is None else Points(self.X.items))

    def block(self, Z: Any) -> Array:
        """Return k(Z, X), all of it."""
        if self.kernel is None:
            return self._given(Z)
        return self.kernel(self._points(Z), self.X)

    def expand(self, Z: Any, A: Array) -> Array:
        """Return k(Z, X)A, in a bounded amount of memory."""
        if self.kernel is None:
            return self._given(Z) @ A
        return expand(self.kernel, self._points(Z), self.X, A)

    def _points(self, Z: Any) -> Points:
        assert self.kernel is not None
        self.columns.require_names(Z)
        return points_as_in_fit(self.kernel, self.columns, Z, "X")

    def _given(self, Z: Any) -> Array:
        """Return a precomputed block."""
        self.columns.require_names(Z)
        what = "X must be the matrix k(X, training points)"
        block = reals(Z, what)
        if block.ndim != 2:
            raise InputError(
                f"{what}, of shape (q, {self.n}); got {block.shape}. Reshape your data."
            )
        self.columns.require_count(block.shape[1])
        return finite(block, "X")


@dataclass(frozen=True, eq=False)
class Data:
    """A checked regression problem: inputs, targets as columns, weights."""

    inputs: Inputs
    T: Array
    s: Array
    shape: tuple[int, ...]

    @classmethod
    def read(cls, inputs: Inputs, y: ArrayLike, weights: Any) -> Self:
        T = read_targets(y, inputs.n)
        return cls(inputs, columns_of(T), read_weights(weights, inputs.n), T.shape)

    def gram(self) -> Array:
        return self.inputs.gram()

    def require_positive(self, K: Array) -> None:
        """Refuse a K with a negative eigenvalue, of the points that have a weight."""
        kept = np.flatnonzero(self.s)
        whole = len(kept) == len(K)
        self.inputs.require_positive(K if whole else K[np.ix_(kept, kept)])

    def centre(self, intercept: bool) -> Array:
        """Return the weighted mean of the targets, if a constant is free; else 0."""
        if not intercept:
            return np.zeros(self.T.shape[1])
        return np.asarray(np.average(self.T, axis=0, weights=self.s))


def spread_evenly(n: int) -> Indices:
    """Return the places of at most `TESTED_POINTS` of n points, spread evenly."""
    return np.linspace(0, n - 1, min(n, TESTED_POINTS)).astype(np.intp)


def untested(count: int, n: int) -> str:
    """Return what a certificate assumes of K if `count` of n points were tested."""
    return "" if count == n else f"K ⪰ 0, which {count} of {n} points were tested for"


def points_as_in_fit(kernel: Kernel, columns: Columns, Z: Any, name: str) -> Points:
    """Check points: of the kernel's kind, and as wide as those of `fit`."""
    points = kernel.read_points(Z, name)
    columns.require_count(points.width, name)
    return points


@limited(1)
def expand(kernel: Kernel, Z: Points, X: Points, A: Array) -> Array:
    """Return k(Z, X)A, tile by tile: O(qnd) operations, in a bounded amount of
    memory.
    """
    values = np.zeros((len(Z), A.shape[1]))
    for rows in _chunks(Z):
        for columns in _chunks(X):
            P, Q = Points(Z.items[rows]), Points(X.items[columns])
            _add_product(kernel, P, Q, A[columns], values[rows])
    return values


def _add_product(kernel: Kernel, P: Points, Q: Points, A: Array, out: Array) -> None:
    with np.errstate(all="ignore"):
        for i in range(0, len(P), TILE):
            for j in range(0, len(Q), TILE):
                pair = CrossPairs(P[i : i + TILE], Q[j : j + TILE])
                out[i : i + TILE] += kernel.evaluate(pair) @ A[j : j + TILE]
    if not np.isfinite(out).all():
        kernel(P, Q)  # names the pair of points without a value


def _chunks(P: Points) -> Iterator[slice]:
    """Yield parts of the points small enough for what a kernel remembers of them."""
    step = len(P) if P.width is None else max(TILE, CHUNK_COORDINATES // P.width)
    for start in range(0, len(P), max(step, 1)):
        yield slice(start, start + step)


def positive_penalty(value: object, what: str) -> float:
    lam = number(value, what)
    if lam < sys.float_info.min:
        raise InputError(
            f"{what} must be positive, got {value!r}: without a penalty the solution "
            "need not be unique; for almost none use a small number such as 1e-8"
        )
    return lam


def read_targets(y: ArrayLike, n: int, name: str = "y") -> Array:
    """Check targets t, one row for each of n points."""
    require_target(y)
    T = reals(y, f"{name} must be an array of numbers").copy()
    if T.ndim not in (1, 2) or len(T) != n or not T.size:
        raise InputError(
            f"{name} must have one row for each of the {n} points, shape ({n},) or "
            f"({n}, m); got {T.shape}"
        )
    return finite(T, name)


def read_target(y: ArrayLike, n: int, advice: str) -> Array:
    """Check targets t of a model with one output, one for each of n points."""
    T: Array = one_column(read_targets(y, n), n)
    if T.ndim != 1:
        raise InputError(f"y must have shape ({n},); got {T.shape}. {advice}")
    return T


def read_weights(weights: ArrayLike | None, n: int) -> Array:
    if weights is None:
        return np.ones(n)
    s = reals(weights, "sample_weight must be an array of numbers").copy()
    if s.shape != (n,):
        raise InputError(f"sample_weight must have shape ({n},), got {s.shape}")
    if not (np.isfinite(s).all() and s.min() >= 0):
        raise InputError(
            "sample_weight must be finite and nowhere negative; "
            f"it goes from {s.min():.3g} to {s.max():.3g}"
        )
    if s.max() == 0:
        raise InputError("sample_weight is zero for every point: nothing is left")
    return s


def r_squared(T: Array, F: Array, s: Array) -> float:
    """Return R² = 1 − Σ s_i (t_i − f_i)² / Σ s_i (t_i − mean t)², mean over the
    columns.

    >>> r_squared(np.array([[0.0], [2.0]]), np.array([[0.5], [2.0]]), np.ones(2))
    0.875
    """
    total = s @ (T - np.average(T, axis=0, weights=s)) ** 2
    return explained(s @ (T - F) ** 2, total)


def explained(missed: Array, total: Array) -> float:
    """Return 1 − missed/total, mean over outputs; for total = 0, 1 if nothing is
    missed.
    """
    ratio = missed / np.where(total > 0, total, 1.0)
    return float(np.where(total > 0, 1 - ratio, missed == 0).mean())


def intercept_of(b: Array, shape: tuple[int, ...]) -> float | Array:
    return b.copy() if len(shape) == 2 else float(b[0])
