"""DataBlocks: points that are looked at a block at a time, wherever they are.

Sums over points, such as ΦᵀΦ = Σ_i φ(x_i)φ(x_i)ᵀ, form a monoid: the sum over all
points is the sum of the sums over blocks, however the points are cut and in whatever
order the blocks are added. So one function of one block, together with "+", is the
whole program, and it is the same program

- for an array in memory (the temporary arrays of a block stay in the cache),
- for a memory map on disk (a block is read, used and let go: memory does not grow
  with n), and
- for a Dask array on a cluster (each worker adds up its blocks, and the sums are
  added in a tree; `kernellab.lowrank.dask_blocks`).

Only the order of the additions differs, that is, the last bits of the result.

Legend: n points, d coordinates; a block is some consecutive rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, RowsName
from kernellab.errors import InputError
from kernellab.kernels.points import Points, is_sparse
from kernellab.linalg import TILE
from kernellab.progress import Progress

MAX_BLOCK_ROWS = 10 * TILE
"""DataBlocks of a block, if they are not long: 2,000. Ten tiles of a Gram matrix."""

MAX_BLOCK_COORDINATES = 2**20
"""Coordinates of a block, at most (8 MB)."""

Reader = Callable[[Any, str], Points]
"""Checks a block of points, and is told what to call it in an error message."""


class Addable(Protocol):
    """What `DataBlocks.total` adds up."""

    def __add__(self, other: Any, /) -> Any: ...


Summand = TypeVar("Summand", bound=Addable)


@dataclass(frozen=True, eq=False)
class Column:
    """What goes with each point, such as its target: an array with n rows.

    Parameters
    ----------
    values : array, memory map, or Dask array; its first axis is that of the points.
    name : what error messages call it.
    read : function of a block and its name that checks the block.
    start : the number of its first row, if it is a part of something longer.

    Examples
    --------
    >>> Column([3.0, 4.0, 5.0], "t").block(slice(1, 3))
    array([4., 5.])
    """

    values: Any
    name: str
    read: Callable[[Any, str], Array] = lambda block, name: np.asarray(block)
    start: int = 0

    def __post_init__(self) -> None:
        if not hasattr(self.values, "shape"):
            object.__setattr__(self, "values", np.asarray(self.values))

    @property
    def n(self) -> float:
        """The number of rows; NaN if a Dask array does not know it."""
        return float(self.values.shape[0]) if self.values.shape else 0.0

    def block(self, part: slice) -> Array:
        """These rows, checked."""
        name = _part_of(self.name, part, int(self.n), self.start)
        return self.read(self.values[part], name)

    def in_memory(self) -> Self:
        """Return the same, if it was a Dask array."""
        if not is_dask(self.values):
            return self
        return replace(self, values=self.values.compute())


class DataBlocks(ABC):
    """Points that are looked at a block at a time. Made by `read_blocks`."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of points."""

    @property
    @abstractmethod
    def width(self) -> int | None:
        """The number of coordinates; None for objects."""

    @abstractmethod
    def take(self, index: ArrayLike) -> Points:
        """These rows, in this order, in memory.

        Parameters
        ----------
        index : integers from 0 to n − 1.
        """

    @abstractmethod
    def total(
        self,
        function: Callable[..., Summand],
        *columns: Column,
        what: str = "adding up",
        progress: bool | None = None,
    ) -> Summand:
        """Return Σ function(block of points, block of each column), over all blocks.

        Parameters
        ----------
        function : from a block to something that knows "+". For Dask it must be
            possible to pickle it.
        columns : what else the function takes, a row for each point.
        what, progress : the words and the `show` of the progress bar.
        """

    @abstractmethod
    def stack(self, function: Callable[[Points], Array], columns: int | None) -> Any:
        """Return function(block) of all blocks, one under the other.

        Parameters
        ----------
        function : from a block to an array with a row for each point.
        columns : how many columns that array has; None if it has one axis only.

        Returns
        -------
        (n, columns) or (n,) array; a Dask array, not yet computed, for Dask rows.
        """


class LocalBlocks(DataBlocks):
    """Blocks that this machine can slice: an array, a memory map, a list of objects.

    Parameters
    ----------
    items : (n, d) array or anything that can be sliced like one, or a tuple.
    read : function that checks a block.
    name : what error messages call it.
    start : the number of its first row, if it is a part of something longer.
    """

    def __init__(
        self, items: Any, read: Reader, name: str = "X", start: int = 0
    ) -> None:
        self._items, self._read = items, read
        self._name, self._start = name, start

    @property
    def n(self) -> int:
        return len(self._items) if self.width is None else int(self._items.shape[0])

    @property
    def width(self) -> int | None:
        return None if isinstance(self._items, tuple) else int(self._items.shape[1])

    def take(self, index: ArrayLike) -> Points:
        order = np.asarray(index, dtype=np.intp)
        if isinstance(self._items, tuple):
            return Points(self._items).take(order)
        if isinstance(self._items, np.ndarray) or is_sparse(self._items):
            return self._read(self._items[order].copy(), rows_named(order))
        places, back = np.unique(order, return_inverse=True)  # files want them sorted
        return self._read(np.asarray(self._items[places])[back], rows_named(order))

    def total(
        self,
        function: Callable[..., Summand],
        *columns: Column,
        what: str = "adding up",
        progress: bool | None = None,
    ) -> Summand:
        partners = [matching(column.in_memory(), self.n) for column in columns]
        result: Any = None
        with Progress(what, self.n, progress) as bar:
            for part in self.parts():
                blocks = (column.block(part) for column in partners)
                summand = function(self._block(part), *blocks)
                result = summand if result is None else result + summand
                bar.advance(part.stop - part.start)
        if result is None:
            raise InputError("X must have one point or more, got none")
        total: Summand = result
        return total

    def stack(self, function: Callable[[Points], Array], columns: int | None) -> Array:
        result = np.empty((self.n,) if columns is None else (self.n, columns))
        for part in self.parts():
            result[part] = function(self._block(part))
        return result

    def parts(self) -> Iterator[slice]:
        """Yield the blocks, as slices."""
        step = rows_per_block(self.width)
        for start in range(0, self.n, step):
            yield slice(start, min(start + step, self.n))

    def _block(self, part: slice) -> Points:
        name = _part_of(self._name, part, self.n, self._start)
        return self._read(self._items[part], name)


def read_blocks(X: Any, read: Reader) -> DataBlocks:
    """Return the points of X, to be looked at a block at a time.

    Parameters
    ----------
    X : (n, d) array in memory; a memory map, or anything else with a shape, a type
        and slices, which is never read as a whole; a list of objects; a Dask array.
    read : function of a block and its name that checks the block: `kernel.read_points`.

    Returns
    -------
    DataBlocks

    Examples
    --------
    >>> from kernellab.kernels.points import vectors
    >>> rows = read_blocks(np.arange(6.0).reshape(3, 2), vectors)
    >>> rows.n, rows.width, rows.take([2]).X
    (3, 2, array([[4., 5.]]))
    >>> rows.total(lambda points: points.X.sum())
    np.float64(15.0)
    """
    if is_dask(X):
        from kernellab.lowrank.dask_blocks import DaskBlocks

        return DaskBlocks(X, read)
    if isinstance(X, Points):
        return LocalBlocks(X.items, as_they_are)
    if _is_matrix(X) and not is_sparse(X):
        return LocalBlocks(X, read)
    return LocalBlocks(read(X, "X").items, as_they_are)


def is_dask(X: object) -> bool:
    """Return whether X belongs to Dask; found out without importing it."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr")


def rows_per_block(width: int | None) -> int:
    """Return how many rows of this width are a block: their arrays should fit in the
    cache.
    """
    return max(TILE, min(MAX_BLOCK_ROWS, MAX_BLOCK_COORDINATES // (width or 1)))


def rows_named(index: NDArray[np.intp]) -> str:
    """Return what to call these rows in a message: `X[5:9]`, or `X[index]`."""
    if len(index) and (np.diff(index) == 1).all():
        return RowsName.of("X", range(index[0], index[-1] + 1))
    return RowsName.of("X", index.tolist())


def matching(column: Column, n: int) -> Column:
    """Return the column; an error if it has not n rows."""
    if column.n != n:
        raise InputError(
            f"{column.name} must have one row for each of the {n} points; got shape "
            f"{column.values.shape}"
        )
    return column


def _part_of(name: str, part: slice, n: int, start: int) -> str:
    """Return what to call some rows in a message: `X`, or `X[2000:4000]`."""
    if start == 0 and part.start == 0 and part.stop == n:
        return name
    return RowsName.of(name, range(start + part.start, start + part.stop))


def _is_matrix(X: Any) -> bool:
    """Return whether X is a matrix of numbers that can be sliced, in memory or on
    disk.
    """
    kind = getattr(getattr(X, "dtype", None), "kind", "none")
    return len(getattr(X, "shape", ())) == 2 and kind in "fiub" and X.shape[1] > 0


def as_they_are(block: Any, name: str) -> Points:
    """Return the reader of points that were read before."""
    return Points(block)
