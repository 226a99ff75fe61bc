"""Gram matrices tile by tile: every temporary array stays in the cache.

A symmetric Gram matrix needs half of its tiles; the others are their mirror
images, so the result is symmetric to the last bit. The reverse pass walks the
same tiles, and never holds an n×n×p array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from kernellab.arrays import Array, Floats, Indices
from kernellab.errors import UndefinedValue
from kernellab.kernels.pairs import CrossPairs, Formula, SelfPairs
from kernellab.kernels.points import Points
from kernellab.threads import limited

TILE = 200
"""Rows and columns of a tile. A few such arrays fit in the cache of one core, and a
stride that is no power of two keeps the mirrored copy fast."""

RowWriter = Callable[[Any, Floats], None]
"""`write(p, out)` sets `out` to k(x_p, x), x running over some points."""


@dataclass(frozen=True, eq=False)
class RowRequest:
    """Rows of K that a solver asks a kernel for.

    Attributes
    ----------
    points : all n points.
    columns : which of them x runs over in k(x_p, x); None for all in order.
    dtype : float32 or float64, the type of the rows.
    tolerance : the largest rounding error allowed, relative to the largest |k|; for a
        sum, to that of each term.
    """

    points: Points
    columns: Indices | None
    dtype: DTypeLike
    tolerance: float


def gram(kernel: Formula, P: Points, Q: Points | None = None) -> tuple[Array, float]:
    """Return k(x,x') for every x in P and x' in Q (or in P). O(n·m) values.

    Also a sum of values, taken while each tile is in the cache: if it is finite, so
    are all of them.
    """
    with limited(TILE):
        if Q is None and kernel.symmetric:
            return _symmetric(kernel, P)
        return _block(kernel, P, P if Q is None else Q)


def _block(kernel: Formula, P: Points, Q: Points) -> tuple[Array, float]:
    K, total = np.empty((len(P), len(Q))), 0.0
    for rows in _tiles(len(P)):
        for columns in _tiles(len(Q)):
            tile = kernel.evaluate(CrossPairs(P[rows], Q[columns]))
            K[rows, columns] = tile
            total += tile.sum()
    return K, total


def row(kernel: Formula, x: Points, Q: Points) -> Array:
    """Return k(x,x') for one point x and every x' in Q. O(m) values."""
    with np.errstate(all="ignore"):
        values: Array = kernel.evaluate(CrossPairs(x, Q))[0]
    if not np.isfinite(values.sum()):
        kernel(x, Q)  # names the pair of points without a value
    return values


def evened(tile: Array) -> Array:
    """Return a tile on the diagonal, symmetric to the last bit: rounding may differ."""
    return 0.5 * tile + 0.5 * tile.T


def _symmetric(kernel: Formula, P: Points) -> tuple[Array, float]:
    K, total = np.empty((len(P), len(P))), 0.0
    for rows in _tiles(len(P)):
        tile = kernel.evaluate(CrossPairs(P[rows], P[rows]))
        K[rows, rows] = evened(tile)
        total += tile.sum()
        for columns in _tiles(len(P), rows.stop):
            tile = kernel.evaluate(CrossPairs(P[rows], P[columns]))
            K[rows, columns] = tile
            K[columns, rows] = tile.T
            total += tile.sum()
    return K, total


def pull(
    kernel: Formula,
    P: Points,
    cotangent: Callable[[slice, slice, bool], Array],
    values: Callable[[slice, slice], Array] | None = None,
) -> Array:
    """Return ⟨G, ∂K/∂θ⟩ for every coordinate of θ, by reverse mode on each tile.

    Parameters
    ----------
    kernel, P : K = k(P, P).
    cotangent : function that returns G[rows, columns]; if its third argument is True,
        G[rows, columns] + G[columns, rows]ᵀ, because the tile of K stands for its
        mirror image as well.
    values : function that returns K[rows, columns], if K is known: then a symmetric
        kernel need not be evaluated again.
    """
    total = np.zeros(len(kernel.theta))
    if not len(total):
        return total
    with np.errstate(all="ignore"), limited(TILE):
        for rows in _tiles(len(P)):
            for columns in _tiles(len(P), rows.start if kernel.symmetric else 0):
                pair = CrossPairs(P[rows], P[columns])
                if values is not None and kernel.symmetric:
                    pair.keep(kernel, values(rows, columns))
                mirrored = kernel.symmetric and rows != columns
                G = cotangent(rows, columns, mirrored)
                total += kernel.evaluate_vjp(pair, G)
    return require_finite(kernel, total, "the derivative in theta number")


def pull_block(kernel: Formula, P: Points, Q: Points, G: Array) -> Array:
    """Return ⟨G, ∂k(P, Q)/∂θ⟩ for every coordinate of θ, by reverse mode on each tile.

    Parameters
    ----------
    kernel, P, Q : the block k(P, Q).
    G : its cotangent, an array of the same shape.
    """
    total = np.zeros(len(kernel.theta))
    with np.errstate(all="ignore"), limited(TILE):
        for rows in _tiles(len(P)):
            for columns in _tiles(len(Q)):
                pair = CrossPairs(P[rows], Q[columns])
                total += kernel.evaluate_vjp(pair, G[rows, columns])
    return require_finite(kernel, total, "the derivative in theta number")


def pull_diagonal(kernel: Formula, P: Points, g: Array) -> Array:
    """Return Σ_i g_i ∂k(x_i, x_i)/∂θ for every coordinate of θ, in O(n)."""
    with np.errstate(all="ignore"):
        total = np.array(kernel.evaluate_vjp(SelfPairs(P), g), dtype=np.float64)
    return require_finite(kernel, total, "the derivative in theta number")


def require_finite(kernel: Formula, K: Array, what: str) -> Array:
    """Return K if all of it is finite; otherwise name a pair without a value."""
    if not np.isfinite(K).all():
        place = np.argwhere(~np.isfinite(K))[0]
        raise UndefinedValue(
            f"{kernel!r} has no finite value for {what} {', '.join(map(str, place))} "
            f"(it came out as {K[tuple(place)]}). A root or a quotient may be "
            "undefined there, or the value too large for a float: restrict or rescale "
            "the points."
        )
    return K


def _tiles(n: int, start: int = 0) -> Iterator[slice]:
    for first in range(start, n, TILE):
        yield slice(first, min(first + TILE, n))
