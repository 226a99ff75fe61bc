"""Single rows of a Gram matrix: computed when they are asked for, and kept.

A solver that moves one or two coefficients per step reads one or two rows of K. For
few points all of K is computed at once. For many, a row is computed at its first use,
n values of k, and kept in a bounded amount of memory; the least recently used row
makes room for the next.

Legend: n points; K (n×n) their Gram matrix; q rows and columns of a cache, each of
which belongs to a point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from kernellab.arrays import Array, Floats, Indices
from kernellab.kernels.expression import Expression
from kernellab.kernels.gram import RowRequest, RowWriter, row
from kernellab.kernels.points import Points
from kernellab.linalg import EPS, TILE, symmetric
from kernellab.threads import limited

WHOLE_MAX_POINTS = 3000
"""Up to this many points all of K is computed at once …"""

FAST_ROWS_MIN_POINTS = 800
"""… unless there are more than these and the kernel has a row writer."""

COPIED_MAX_COLUMNS = 2000
"""Up to this many columns of a matrix that is at hand are copied at once."""

CACHE_MEGABYTES = 200.0
"""Memory for the rows that are kept."""

ROW_TOLERANCE = 32 * EPS
"""Rounding of a row, relative to the largest |k|, that is as small as that of k(X)."""

FLOAT32_ROW_TOLERANCE = 8 * float(np.finfo(np.float32).eps)
"""The same for rows that are kept in float32."""

ROWS_PER_SUM, COORDINATES_PER_SUM = 64, 2**15
"""Rows that are added up at a time; coordinates of the points that they run over, if
the rows are not kept."""


class GramRows:
    """The rows of K, from a kernel and its points or from a given matrix.

    Parameters
    ----------
    kernel : Expression, or None for a given matrix.
    X : Points; without a kernel, the (n, n) symmetric matrix K.
    tolerance : the rounding error that a fast row writer may make, relative to the
        largest |k|; for rows in float32 at least `FLOAT32_ROW_TOLERANCE`.

    Attributes
    ----------
    n : number of points.
    whole : (n, n) array, all of K, if it is at hand; else None. Read-only.
    diagonal : (n,) array, k(x, x).

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> rows = GramRows(kl.Linear(), Points(np.array([[1.0], [2.0]])))
    >>> rows.whole, rows.diagonal
    (array([[1., 2.],
           [2., 4.]]), array([1., 4.]))
    """

    def __init__(
        self, kernel: Expression | None, X: Any, tolerance: float = ROW_TOLERANCE
    ) -> None:
        self.kernel, self.tolerance = kernel, tolerance
        self.whole: Array | None = None
        if kernel is None:
            self.whole = _given(X)
        elif not kernel.symmetric:
            self.whole = symmetric(kernel(X), "the Gram matrix")
        elif len(X) <= FAST_ROWS_MIN_POINTS:
            self.whole = _all_rows(kernel, X)
        elif len(X) <= WHOLE_MAX_POINTS and not self._has_writer(X):
            self.whole = kernel(X)
        if self.whole is not None:
            self.diagonal = self.whole.diagonal().copy()
        elif kernel is not None:
            self.diagonal = kernel.diag(X)
        self.n, self._points = len(self.diagonal), X

    def writer(self, columns: Indices | None, dtype: DTypeLike) -> RowWriter:
        """Return what writes single rows over some points (all, if None)."""
        if self.whole is not None:
            return _matrix_rows(self.whole, columns)
        assert self.kernel is not None
        fast = self._fast(self._points, columns, dtype)
        return fast or _kernel_rows(self.kernel, self._points, columns)

    def _has_writer(self, points: Points) -> bool:
        """Return whether there is a row writer: one for no columns costs little."""
        return self._fast(points, np.empty(0, np.intp), np.float64) is not None

    def _fast(
        self, points: Points, columns: Indices | None, dtype: DTypeLike
    ) -> RowWriter | None:
        assert self.kernel is not None
        tolerance = self.tolerance
        if np.dtype(dtype) == np.float32:
            tolerance = max(tolerance, FLOAT32_ROW_TOLERANCE)
        return self.kernel.row_writer(RowRequest(points, columns, dtype, tolerance))


class RowCache:
    """Rows of K over some points; those used last are kept.

    Parameters
    ----------
    gram : where the rows come from.
    dtype : float32 or float64.
    megabytes : how much may be kept; two rows at least.
    points : (q,) the point of each row and column, with repetitions if need be; None
        for all in order. Rows, and their entries, are numbered from 0 to q − 1.

    Attributes
    ----------
    capacity : how many rows can be kept.
    store : (capacity, q) array, the rows.
    place : (q,) where in `store` each row is; −1 if it is not there.
    stamp : (capacity + 1,) numbers that grow with each use of a row; the last one is
        the largest, for the row used last.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> gram = GramRows(kl.Linear(), Points(np.array([[1.0], [2.0], [3.0]])))
    >>> RowCache(gram).row(1), RowCache(gram, points=np.array([2, 0, 2])).row(0)
    (array([2., 4., 6.]), array([9., 3., 9.]))
    """

    def __init__(
        self,
        gram: GramRows,
        dtype: DTypeLike = np.float64,
        megabytes: float = CACHE_MEGABYTES,
        points: Indices | None = None,
    ) -> None:
        self.gram, self._points = gram, points
        self._options: tuple[DTypeLike, float] = dtype, megabytes
        self.store: Floats
        whole = self._at_hand()
        self._whole = whole is not None
        if whole is not None:
            self.capacity, self.store = len(whole), whole
            self.place: Indices = np.arange(gram.n) if points is None else points
        else:
            self._allocate(dtype, megabytes)
        self._holds_all = self.capacity == gram.n
        self.stamp = np.zeros(self.capacity + 1, np.int64)

    def _at_hand(self) -> Array | None:
        """Return the rows of all points, if K is there and not too large; else None."""
        K, points = self.gram.whole, self._points
        if K is None or points is None:
            return K
        fits = 8 * len(K) * len(points) <= 1e6 * self._options[1]
        few = fits and len(points) <= COPIED_MAX_COLUMNS
        return np.take(K, points, axis=1) if few else None

    def _allocate(self, dtype: DTypeLike, megabytes: float) -> None:
        """Make room for rows, in one piece: that is faster than row by row."""
        columns, self._spread = _columns(self._points)
        self._write = self.gram.writer(columns, dtype)
        width = self.gram.n if columns is None else len(columns)
        size = width if self._points is None else len(self._points)
        fitting = int(megabytes * 1e6) // (size * np.dtype(dtype).itemsize)
        self.capacity = min(self.gram.n, max(2, fitting))
        self.store = np.empty((self.capacity, size), dtype)
        self.place, self._filled = np.full(size, -1), 0
        self._scratch = np.empty(width, dtype)

    def row(self, v: int) -> Floats:
        """Return K_v. Read-only, and overwritten after `capacity` other rows."""
        where = self.place.item(v)
        if where < 0:
            where = self._load(v)
        if not self._holds_all:
            self.stamp[[where, -1]] = self.stamp[-1] + 1
        found: Floats = self.store[where]
        return found

    def reader(self) -> Callable[[int], Floats]:
        """Return `row`, or what does the same faster if all of K is there."""
        if not self._whole:
            return self.row
        if self._points is None:
            return self.store.__getitem__
        rows = list(self.store)
        return [rows[p] for p in self._points.tolist()].__getitem__

    def _load(self, v: int) -> int:
        """Compute a row, in the place of the one unused for longest; return where."""
        if self._filled < self.capacity:
            where, self._filled = self._filled, self._filled + 1
        else:
            where = int(self.stamp[:-1].argmin())
            self.place[self.place == where] = -1
        p = v if self._points is None else int(self._points[v])
        if self._spread is None:
            self._write(p, self.store[where])
            self.place[v] = where
        else:
            self._write(p, self._scratch)
            np.take(self._scratch, self._spread, out=self.store[where])
            self.place[self._points == p] = where
        return where

    def rows(self, V: Indices) -> Indices:
        """Compute those of some rows that are not there; return where they all are.

        There must be room for them.
        """
        there = self.place[V]
        if not self._holds_all:
            self.stamp[-1] += 1
            self.stamp[there[there >= 0]] = self.stamp[-1]
        for v in V[there < 0].tolist():
            self.row(v)
        return self.place[V]

    def block(self, V: Indices) -> Array:
        """Return K between some rows and the same columns, in float64."""
        K = np.empty((len(V), len(V)))
        for some in _tiles(len(V), min(TILE, self.capacity)):
            K[some] = self.store[self.rows(V[some])[:, None], V]
        return K

    def combine(self, V: Indices, weights: Array) -> Floats:
        """Return Σ_v weights_v K_v. O(q) per row."""
        total: Floats = np.zeros(self.store.shape[1])
        for some in _tiles(len(V), min(ROWS_PER_SUM, self.capacity)):
            rows = self.store[self.rows(V[some])]
            total += weights[some].astype(rows.dtype) @ rows
        return total

    def narrowed(self, keep: Indices) -> RowCache:
        """Return a cache of some rows and the same columns, with what is known."""
        points = keep if self._points is None else self._points[keep]
        other = RowCache(self.gram, *self._options, points)
        if self._whole:
            return other
        known = np.unique(self.place[keep])
        known = known[known >= 0]
        known = known[np.argsort(self.stamp[known], kind="stable")][-other.capacity :]
        for old, new in zip(known.tolist(), other.store, strict=False):
            np.take(self.store[old], keep, out=new)
        moved = np.full(self.capacity + 1, -1)  # the last one for rows not there
        moved[known] = np.arange(len(known))
        other.place, other._filled = moved[self.place[keep]], len(known)
        other.stamp[: len(known)], other.stamp[-1] = np.arange(len(known)), len(known)
        return other


@limited(1)
def expand_rows(
    kernel: Expression, points: Points, support: Indices, a: Array
) -> Array | None:
    """Compute Σ_p a_p k(x_p, x) at all points x, p in the support, by row writers.

    A few rows at a time, within `ROW_TOLERANCE`; None if the kernel has no such writer.
    """
    total = np.zeros(len(points))
    if not len(support):
        return total
    every, some = np.arange(len(points)), COORDINATES_PER_SUM // (points.width or 1)
    for columns in _tiles(len(points), max(TILE, some)):
        wanted = RowRequest(points, every[columns], np.float64, ROW_TOLERANCE)
        write = kernel.row_writer(wanted)
        if write is None:
            return None
        width = len(every[columns])
        rows = np.empty((_rows_in_cache(width), width))
        for part in _tiles(len(support), len(rows)):
            written = rows[: len(support[part])]
            write(support[part], written)
            total[columns] += a[part] @ written
    return total


@limited(1)
def _all_rows(kernel: Expression, points: Points) -> Array:
    """Compute all of K: by row writers within `ROW_TOLERANCE`, if there are any.

    They write the rows of a tile from its diagonal on; the columns below it are the
    mirror image.
    """
    n = len(points)
    K, every = np.empty((n, n)), np.arange(n)
    for rows in _tiles(n):
        columns = every[rows.start :] if rows.start else None
        wanted = RowRequest(points, columns, np.float64, ROW_TOLERANCE)
        write = kernel.row_writer(wanted)
        if write is None:
            return kernel(points)
        write(every[rows], K[rows, rows.start :])
        K[rows.stop :, rows] = K[rows, rows.stop :].T
    return K


def _rows_in_cache(n: int) -> int:
    """Return how many rows of n numbers are as large as a tile."""
    return TILE**2 // n + 1


def _tiles(n: int, step: int = TILE) -> list[slice]:
    return [slice(start, start + step) for start in range(0, n, step)]


def _matrix_rows(K: Array, columns: Indices | None) -> RowWriter:
    """Return what copies rows of a matrix."""
    chosen = slice(None) if columns is None else columns

    def write(p: Any, out: Floats) -> None:
        out[...] = K[p][..., chosen]

    return write


def _kernel_rows(
    kernel: Expression, points: Points, columns: Indices | None
) -> RowWriter:
    """Return what evaluates one row of any kernel, a block of one point and many."""
    others, chosen = points, slice(None) if columns is None else columns
    if columns is not None and points.width is not None:
        others, chosen = points.take(columns), slice(None)

    def write(p: int, out: Floats) -> None:
        out[...] = row(kernel, points[p : p + 1], others)[chosen]

    return write


def _columns(points: Indices | None) -> tuple[Indices | None, Indices | None]:
    """Return the distinct points, and the place of each column (None: in order)."""
    if points is None:
        return None, None
    used, spread = np.unique(points, return_inverse=True)
    in_order = len(used) == len(points) and bool((used == points).all())
    return used, None if in_order else spread


def _given(K: Any) -> Array:
    """Return a symmetric matrix; one that is exactly so, and finite, is not copied."""
    if isinstance(K, np.ndarray) and K.ndim == 2 and K.shape[0] == K.shape[1]:
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(K.sum())
        if finite and all(np.array_equal(K[b], K[:, b].T) for b in _tiles(len(K))):
            return K
    return symmetric(K, "the precomputed Gram matrix")
