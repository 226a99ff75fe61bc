"""A low-rank approximation is a finite feature map.

    k(x, x') ≈ k̂(x, x') = ⟨φ̂(x), φ̂(x')⟩,    φ̂(x) ∈ ℝʳ,    so K ≈ K̂ = Φ̂Φ̂ᵀ.

All maps of this package are `LowRank`: `fit` chooses φ̂, `transform` computes Φ̂,
`error` says how far K̂ is from K, which is never needed as a whole for that.

**Projections.** `Nystroem`, pivoted Cholesky and `TruncatedEigen` project: φ̂(x) holds
the coordinates of Pφ(x), where P is the orthogonal projection of the feature space on
a subspace of dimension r. Then

    (K − K̂)_ij = ⟨φ(x_i), φ(x_j)⟩ − ⟨Pφ(x_i), Pφ(x_j)⟩ = ⟨(I−P)φ(x_i), (I−P)φ(x_j)⟩,

since P = Pᵀ = P². So K − K̂ is a Gram matrix too, of what the projection leaves out:
0 ⪯ K̂ ⪯ K. With the squared distances R_i = k(x_i, x_i) − ‖φ̂(x_i)‖² ≥ 0, which cost
O(nr), it follows that

- tr(K − K̂) = Σ R_i is the sum of the eigenvalues of K − K̂, which are ≥ 0: its nuclear
  norm. It bounds the spectral and the Frobenius norm;
- |k − k̂|(x_i, x_j) ≤ √(R_i R_j) by Cauchy and Schwarz: the largest entry of K − K̂ is
  the largest R_i.

Nothing has to be estimated. Random features do not project, and of a kernel that is not
proven where the points are nothing of this is known: there the error is estimated from
pairs of points, and says so.

Legend: n points X; r columns; R (n) squared distances to the subspace.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kernellab.arrays import Array, describe
from kernellab.errors import InputError, NotPositiveDefinite, not_fitted
from kernellab.estimator import points_as_in_fit, spread_evenly
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.kernels.proving.advice import advice
from kernellab.kernels.proving.data_domain import is_proven_at
from kernellab.lowrank.data_blocks import DataBlocks, read_blocks
from kernellab.protocol import Columns, TransformerProtocol

RESIDUAL_ROUNDING = 1e-7
"""R_i < −RESIDUAL_ROUNDING·k(x_i, x_i) is no rounding error: the kernel is not one."""

PAIR_GROUPS, PAIR_GROUP_SIZE = 64, 16
"""An error is estimated from so many groups of GROUP² pairs."""


@dataclass(frozen=True)
class ApproximationError:
    """How far K̂ is from K on some points.

    Parameters
    ----------
    n : number of points.
    trace : tr(K − K̂) = Σ k(x,x) − ‖φ̂(x)‖². For a projection it is the nuclear norm of
        K − K̂, and bounds its spectral and Frobenius norm.
    total : tr K.
    entry : the largest |k − k̂|: over all pairs for a projection, where it is attained
        at a pair (x, x); else over the pairs that were looked at.
    rms : root mean square of k − k̂ over all pairs, ‖K − K̂‖_F/n: for a projection at
        most trace/n, which is given; else estimated.
    pairs : how many pairs were looked at; 0 if nothing is estimated.
    spread : standard error of an estimated rms.

    Examples
    --------
    >>> ApproximationError(n=10, trace=0.5, total=10.0, entry=0.2, rms=0.05)
    10 points: tr(K − K̂) = 0.5, 0.05 of tr K; |k − k̂| ≤ 0.2, rms ≤ 0.05
    """

    n: int
    trace: float
    total: float
    entry: float
    rms: float
    pairs: int = 0
    spread: float = 0.0

    @property
    def relative(self) -> float:
        """tr(K − K̂)/tr K, between 0 and 1 for a projection."""
        return self.trace / self.total if self.total else 0.0

    @property
    def bound(self) -> bool:
        """Whether `entry` and `rms` are bounds; estimates otherwise."""
        return self.pairs == 0

    def __str__(self) -> str:
        head = (
            f"{self.n} points: tr(K − K̂) = {self.trace:.3g}, "
            f"{self.relative:.2g} of tr K; "
        )
        if self.bound:
            return head + f"|k − k̂| ≤ {self.entry:.3g}, rms ≤ {self.rms:.3g}"
        return head + (
            f"k − k̂ over {self.pairs} pairs: rms {self.rms:.3g} ± {self.spread:.1g}, "
            f"at most {self.entry:.3g}"
        )

    __repr__ = __str__


@dataclass(frozen=True)
class _Residual:
    """Σ R_i, Σ k(x_i,x_i) and max R_i of a block; a summand."""

    n: int
    trace: float
    total: float
    largest: float

    def __add__(self, other: _Residual) -> _Residual:
        return _Residual(
            self.n + other.n,
            self.trace + other.trace,
            self.total + other.total,
            max(self.largest, other.largest),
        )


class LowRank(TransformerProtocol, ABC):
    """A finite feature map φ̂ with ⟨φ̂(x), φ̂(x')⟩ ≈ k(x, x').

    A subclass is a dataclass with the fields `kernel` and `rank`. It writes `_learn`,
    which chooses φ̂ from the points and returns the number of columns, and `_columns`,
    which computes φ̂ of one block of points.

    Attributes
    ----------
    rank_ : the number of columns r, after `fit`.
    """

    kernel: Kernel
    rank: int
    rank_: int

    _projects: ClassVar[bool] = True
    """Whether φ̂ is an orthogonal projection of φ, so that K̂ ⪯ K."""

    _kernel: Kernel
    _columns_of_x: Columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the map.

        Parameters
        ----------
        X : (n, d) array, memory map or Dask array; or n objects.
        y : ignored; it is there so that all `fit` are called alike.
        """
        kernel = read_kernel(self.kernel)
        rows = read_blocks(X, kernel.read_points)
        if rows.n == 0:
            raise InputError("X must have one point or more, got none")
        self.__dict__.pop("rank_", None)  # a fit that fails leaves no half of one
        rank = self._learn(kernel, rows)
        self._kernel, self.rank_ = kernel, rank
        self._columns_of_x = Columns.of(type(self).__name__, X, rows.width)
        return self

    def transform(self, X: Any) -> Any:
        """Return Φ̂: φ̂(x) for every point, one per row.

        Parameters
        ----------
        X : (q, d) array or memory map, or q objects: then the result is an array. Or a
            Dask array: then it is one too, computed block by block when it is needed.

        Returns
        -------
        (q, r) array.
        """
        return self._as_wanted(self._features(X), X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return `fit(X)`, then `transform(X)`."""
        return self.fit(X).transform(X)

    def approximate(self, X: Any, Z: Any = None) -> Any:
        """Return k̂(X, Z) = φ̂(X)φ̂(Z)ᵀ, or k̂(X, X) if Z is not given."""
        A = self._features(X)
        return A @ (A if Z is None else self._features(Z)).T

    def error(self, X: Any) -> ApproximationError:
        """Return how far K̂ is from K on these points: one pass, a bounded amount of
        memory.

        The bounds of a projection follow from K ⪰ 0. Where the kernel is not proven,
        the error is estimated, as it is for random features.

        Parameters
        ----------
        X : (n, d) array, memory map or Dask array; or n objects.

        Raises
        ------
        NotPositiveDefinite
            If a projection comes out longer than what was projected, by more than
            rounding: then k is not a kernel.
        """
        rows = self._rows(X)
        if rows.n == 0:
            return ApproximationError(0, 0.0, 0.0, 0.0, 0.0)
        found = rows.total(self._residual)
        if self._projects and is_proven_on(rows, self._kernel):
            return ApproximationError(
                found.n, found.trace, found.total, found.largest, found.trace / found.n
            )
        return self._estimated(rows, found)

    @abstractmethod
    def _learn(self, kernel: Kernel, rows: DataBlocks) -> int:
        """Choose φ̂ from the points; return the number of columns."""

    @abstractmethod
    def _columns(self, points: Points) -> Array:
        """Return φ̂ of one block of points, a new array in C order."""

    def _raw(self, points: Points) -> Array:
        """Return columns C that are cheaper than φ̂, and from which it follows: Φ̂ =
        CWᵀ.

        Φ̂ᵀΦ̂ = W(CᵀC)Wᵀ, so that sums over many points can be taken of C, and W be
        applied once. A map where that loses digits says so.
        """
        return self._columns(points)

    def _whiten(self, B: Array) -> Array:
        """Return WB; B may be overwritten."""
        return B

    def _residual(self, points: Points) -> _Residual:
        Phi = self._columns(points)
        own = self._kernel.diag(points)
        R = own - np.einsum("ij,ij->i", Phi, Phi)
        if self._projects:
            self._require_shorter(R, own)
            R = np.maximum(R, 0.0)
        return _Residual(len(R), float(R.sum()), float(own.sum()), float(R.max()))

    def _require_shorter(self, R: Array, own: Array) -> None:
        excess = -R - RESIDUAL_ROUNDING * np.abs(own)
        worst = int(np.argmax(excess))
        if excess[worst] > 0:
            raise NotPositiveDefinite(
                f"k(x, x) = {own[worst]:.6g} at some point x, but its projection has "
                f"the squared length {own[worst] - R[worst]:.6g}. "
                + advice(self._kernel)
            )

    def _estimated(self, rows: DataBlocks, found: _Residual) -> ApproximationError:
        """From groups of pairs, drawn independently: so their spread can be seen."""
        rng = np.random.default_rng(0)
        index = rng.integers(rows.n, size=(2 * PAIR_GROUPS * PAIR_GROUP_SIZE))
        points = rows.take(index)
        Phi = self._columns(points)
        squares, largest = np.empty(PAIR_GROUPS), 0.0
        for g in range(PAIR_GROUPS):
            a = slice(2 * g * PAIR_GROUP_SIZE, (2 * g + 1) * PAIR_GROUP_SIZE)
            b = slice(a.stop, a.stop + PAIR_GROUP_SIZE)
            E = self._kernel(points[a], points[b]) - Phi[a] @ Phi[b].T
            squares[g], largest = np.mean(E**2), max(largest, float(np.abs(E).max()))
        rms = float(np.sqrt(squares.mean()))
        error = float(squares.std(ddof=1) / np.sqrt(PAIR_GROUPS))
        spread = error / (2 * rms) if rms else 0.0  # of a root: the delta method
        pairs = PAIR_GROUPS * PAIR_GROUP_SIZE**2
        return ApproximationError(
            found.n, found.trace, found.total, largest, rms, pairs, spread
        )

    def n_columns_out(self) -> int:
        """Return r."""
        self.fitted_columns()
        return self.rank_

    def _features(self, X: Any) -> Any:
        """Return Φ̂, an array or a Dask array."""
        return self._rows(X).stack(self._columns, self.rank_)

    def _rows(self, X: Any) -> DataBlocks:
        self.fitted_columns().require_names(X)
        return read_blocks(X, self._read)

    def _read(self, block: Any, name: str) -> Points:
        """Check a block of points: of the kernel's kind, and as wide as in `fit`."""
        return points_as_in_fit(self._kernel, self._columns_of_x, block, name)

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`."""
        if "rank_" not in self.__dict__:
            raise not_fitted(type(self).__name__)
        return self._columns_of_x


def is_proven_on(rows: DataBlocks, kernel: Kernel) -> bool:
    """Return whether the kernel is proven where the points are, as some show."""
    return is_proven_at(kernel, rows.take(spread_evenly(rows.n)))


def read_kernel(kernel: object) -> Kernel:
    """Return `kernel`, if it is one; a clear error otherwise."""
    if isinstance(kernel, Kernel):
        return kernel
    hint = "; write it with parentheses" if isinstance(kernel, type) else ""
    raise TypeError(
        "kernel must be a Kernel, such as Gaussian(sigma=1.0); "
        f"got {describe(kernel)}{hint}"
    )
