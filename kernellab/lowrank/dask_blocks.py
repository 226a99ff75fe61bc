"""Blocks of a Dask array: the same sums, on as many machines as there are.

Nothing here schedules anything: that is Dask's work, and any of its schedulers will do
(threads, one thread, or a `distributed.Client` with a cluster behind it). What is said
here is which tasks there are and what depends on what:

- a task for each block, which calls the same NumPy function as on one machine, on
  parts of the block that fit in the cache, and adds the results up. It gets the block
  and the function: not an expression of Dask arrays, which would be cut into many
  small tasks;
- the function, with the fitted map and its landmarks inside, is one key of the graph:
  a worker gets it once, from the scheduler or from another worker, not once a task;
- the sums of the blocks are added in a tree, SUMS_PER_TASK at a time. What travels is
  sums, whose size does not depend on n; the rows stay where they are.

A sum is a function of its block alone, so a task whose worker was lost is done again by
another, and the result is the same. Each pass computes the blocks of X anew, unless
`X.persist()` keeps them.

Legend: n points, one block (chunk) of rows per task.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import dask
import dask.array as da
import numpy as np
from dask.callbacks import Callback
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe
from kernellab.errors import InputError
from kernellab.kernels.points import Points
from kernellab.lowrank.data_blocks import (
    Column,
    DataBlocks,
    LocalBlocks,
    Reader,
    Summand,
    as_they_are,
    is_dask,
    matching,
    rows_named,
    rows_per_block,
)
from kernellab.progress import Progress

SUMS_PER_TASK = 8
"""How many sums a task adds."""

BLOCKS_PER_TASK, MIN_TASKS = 10, 256
"""A task of Dask costs milliseconds, whatever it does. So blocks of much less
than BLOCKS_PER_TASK blocks of the cache are joined, as long as MIN_TASKS of them are
left to be shared out."""

LARGE_GRAPH = "distributed.admin.large-graph-warning-threshold"
"""The name that Dask's configuration gives to it."""


class DaskBlocks(DataBlocks):
    """The rows of a Dask array.

    Parameters
    ----------
    X : Dask array of shape (n, d), in blocks of rows (blocks of columns are joined);
        n may be unknown. Or of shape (n,), of objects.
    read : function that checks a block; it must be possible to pickle it.
    """

    def __init__(self, X: Any, read: Reader) -> None:
        self._X, self._read = _whole_rows(_require_array(X)), read

    @property
    def n(self) -> int:
        return sum(self._sized.chunks[0])

    @property
    def width(self) -> int | None:
        return int(self._X.shape[1]) if self._X.ndim == 2 else None

    @cached_property
    def _sized(self) -> Any:
        """X with the sizes of its blocks; if they are unknown, a pass finds them."""
        return _sized(self._X)

    def take(self, index: ArrayLike) -> Points:
        order = np.asarray(index, dtype=np.intp)
        places, back = np.unique(order, return_inverse=True)
        if places.size and not 0 <= places[0] <= places[-1] < self.n:
            raise IndexError(f"an index must be from 0 to {self.n - 1}")
        blocks = self._sized.to_delayed().ravel()
        starts = np.cumsum([0, *self._sized.chunks[0]])
        cuts = np.searchsorted(places, starts)
        pick = dask.delayed(_pick)
        parts = [
            pick(blocks[i], places[cuts[i] : cuts[i + 1]] - starts[i])
            for i in range(len(blocks))
            if cuts[i] < cuts[i + 1]
        ]
        found = dask.compute(*parts) if parts else (self._X[:0].compute(),)
        return self._read(np.concatenate(found)[back], rows_named(order))

    def total(
        self,
        function: Callable[..., Summand],
        *columns: Column,
        what: str = "adding up",
        progress: bool | None = None,
    ) -> Summand:
        X, values = self._aligned(columns)
        work = _Work(function, self._read, tuple((c.name, c.read) for c in columns))
        shared = dask.delayed(work, traverse=False)
        block_total = dask.delayed(_block_total, pure=False)
        blocks = [array.to_delayed().ravel() for array in (X, *values)]
        sums = [
            block_total(shared, place, *parts)
            for place, *parts in zip(_places(X), *blocks, strict=True)
        ]
        with _room_for(work):
            result: Summand | None = _compute(_tree(sums), what, len(sums), progress)
        if result is None:
            raise InputError("X must have one point or more, got none")
        return result

    def stack(self, function: Callable[[Points], Array], columns: int | None) -> Any:
        tail = () if columns is None else (columns,)
        work = dask.delayed(_Work(function, self._read), traverse=False)
        axes = {(2, 1): {"drop_axis": 1}, (1, 2): {"new_axis": 1}}
        return da.map_blocks(
            _block_stack,
            self._X,
            work=work,
            columns=columns,
            chunks=(self._X.chunks[0], *((c,) for c in tail)),
            meta=np.empty((0,) * (1 + len(tail))),
            **axes.get((self._X.ndim, 1 + len(tail)), {}),
        )

    def _aligned(self, columns: Sequence[Column]) -> tuple[Any, list[Any]]:
        """Return X and the columns, cut into the same blocks of rows."""
        if not _is_sized(self._X) and all(_as_many_blocks(self._X, c) for c in columns):
            return self._X, [_whole_rows(c.values) for c in columns]
        X = _not_too_small(self._sized)
        return X, [_cut_like(X, column, self.n) for column in columns]


@dataclass(frozen=True, eq=False)
class _Work:
    """What is done with a block: one key of the graph, so it is sent once a worker."""

    function: Callable[..., Any]
    read: Reader
    columns: tuple[tuple[str, Callable[[Any, str], Array]], ...] = ()


def _block_total(work: _Work, place: tuple[str, int], block: Any, *values: Any) -> Any:
    """Return the sum over a block, in parts that fit in the cache; None if it is
    empty.
    """
    where, start = place
    rows = _local(block, work.read, where, start)
    columns = [
        Column(v, name + where, read, start)
        for v, (name, read) in zip(values, work.columns, strict=True)
    ]
    return rows.total(work.function, *columns, progress=False) if rows.n else None


def _block_stack(block: Any, work: _Work, columns: int | None) -> Array:
    return _local(block, work.read).stack(work.function, columns)


def _local(block: Any, read: Reader, where: str = "", start: int = 0) -> LocalBlocks:
    """Return the rows of one block, on the machine that holds it."""
    if block.ndim == 1:  # of objects
        return LocalBlocks(read(block, "X" + where).items, as_they_are)
    return LocalBlocks(block, read, "X" + where, start)


def _pick(block: Any, index: Any) -> Any:
    return block[index]


def _add(summands: Sequence[Any]) -> Any:
    """Their sum; None stands for an empty block."""
    kept = [s for s in summands if s is not None]
    return reduce(add, kept) if kept else None


def _tree(summands: list[Any]) -> Any:
    """Return Σ, SUMS_PER_TASK summands per task."""
    join = dask.delayed(_add, pure=False)
    while len(summands) > 1:
        summands = [
            join(summands[i : i + SUMS_PER_TASK])
            for i in range(0, len(summands), SUMS_PER_TASK)
        ]
    return summands[0]


def _room_for(work: _Work) -> Any:
    """So that Dask does not warn of a large graph: the work is in it once, and must."""
    usual = dask.config.get(LARGE_GRAPH, "10MB")
    size = dask.utils.parse_bytes(usual) + len(cloudpickle.dumps(work))
    return dask.config.set({LARGE_GRAPH: f"{size} B"})


def _compute(result: Any, what: str, blocks: int, progress: bool | None) -> Any:
    """Return the result. A bar counts the blocks, if the scheduler says when one is
    done.

    Those on this machine do; a cluster has Dask's dashboard.
    """
    with Progress(what, blocks, progress) as bar:

        def done(key: Any, *rest: Any) -> None:
            if str(key).startswith(_block_total.__name__):
                bar.advance()

        with Callback(posttask=done):
            value = result.compute()
        bar.reach(blocks)
    return value


# --- how an array is cut ------------------------------------------------------------


def _require_array(X: Any) -> Any:
    if not isinstance(X, da.Array):
        raise InputError(
            "X must be a Dask array; for a Dask dataframe write X.to_dask_array(); got "
            f"{describe(X)}"
        )
    if X.ndim == 2 or (X.ndim == 1 and X.dtype.kind in "OSUT"):
        return X
    raise InputError(
        f"X must have shape (n, d), one point per row; got shape {X.shape}. "
        "For n points on the line write X[:, None], for one point X[None, :]."
    )


def _whole_rows(X: Any) -> Any:
    """Return X in blocks of rows only."""
    return X.rechunk({1: -1}) if X.ndim == 2 and len(X.chunks[1]) > 1 else X


def _is_sized(X: Any) -> bool:
    return not any(math.isnan(size) for size in X.chunks[0])


def _sized(X: Any) -> Any:
    """Return X, with the sizes of its blocks found out if they are unknown: one
    pass.
    """
    if _is_sized(X):
        return X
    return da.Array(X.dask, X.name, X.chunks, meta=X._meta).compute_chunk_sizes()


def _as_many_blocks(X: Any, column: Column) -> bool:
    """Return whether blocks of unknown size can be taken to belong together, one by
    one.
    """
    return is_dask(column.values) and len(column.values.chunks[0]) == len(X.chunks[0])


def _not_too_small(X: Any) -> Any:
    """Return X, with neighbouring blocks joined if a task would take longer than its
    work.
    """
    n, least = X.shape[0], rows_per_block(X.shape[1] if X.ndim == 2 else None)
    rows = max(least, min(BLOCKS_PER_TASK * least, n // MIN_TASKS))
    return X.rechunk({0: rows}) if len(X.chunks[0]) * rows > 2 * max(n, rows) else X


def _cut_like(X: Any, column: Column, n: int) -> Any:
    """Return the column, in the blocks of rows that X has."""
    values = column.values
    if not is_dask(values):
        rest = (-1,) * (len(values.shape) - 1)
        matching(column, n)
        return da.from_array(values, chunks=(X.chunks[0], *rest))
    values = _sized(_whole_rows(values))
    matching(replace(column, values=values), n)
    return values.rechunk({0: X.chunks[0]})


def _places(X: Any) -> list[tuple[str, int]]:
    """Return what messages call each block, and the number of its first row."""
    sizes = X.chunks[0]
    if not _is_sized(X):
        return [(f".blocks[{i}]", 0) for i in range(len(sizes))]
    return [("", int(start)) for start in np.cumsum([0, *sizes[:-1]])]
