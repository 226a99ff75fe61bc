"""Products with a Gram matrix that is never stored, and with an approximate inverse.

`kernellab.lowrank.ridge_cg` says what they are for.

Legend: n points; K (n×n), never stored; D (n) diagonal; L (n×r) with LLᵀ ≈ K; κ
condition number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.kernels import gram
from kernellab.kernels.base import Kernel
from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points
from kernellab.linalg import ASYMMETRY, TILE, Cholesky, cholesky
from kernellab.lowrank.pivoted import pivoted_cholesky
from kernellab.progress import Progress
from kernellab.threads import limited

WELL_CONDITIONED = 2.0
"""When the bound on κ is this, more columns of L are not worth their cost."""


@dataclass(eq=False)
class TiledGram:
    """The Gram matrix of some points, known by its products: `TiledGram(...)(A)` is KA.

    n²/2 values of k a product, in memory for a tile.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> K, k = TiledGram(kl.Gaussian(), Points(X)), kl.Gaussian()
    >>> bool(np.allclose(K(np.ones((500, 1))), k(X).sum(axis=1, keepdims=True)))
    True
    """

    kernel: Kernel
    points: Points
    bar: Progress | None = None
    checked: bool = False

    def __call__(self, A: Array) -> Array:
        product = np.zeros_like(A)
        n = len(self.points)
        with np.errstate(all="ignore"):
            for i in range(0, n, TILE):
                self._add_row_of_tiles(i, A, product)
                if self.bar is not None:
                    self.bar.advance(_share(i, n))
        if not np.isfinite(product).all():
            self._name_what_is_undefined()
        self.checked = True
        return product

    def _add_row_of_tiles(self, i: int, A: Array, product: Array) -> None:
        """Add the tiles from the diagonal to the right, and their mirror images."""
        rows, n = slice(i, i + TILE), len(self.points)
        tile = self._tile(rows, rows)
        product[rows] += gram.evened(tile) @ A[rows]
        for j in range(i + TILE, n, TILE):
            columns = slice(j, j + TILE)
            tile = self._tile(rows, columns)
            product[rows] += tile @ A[columns]
            product[columns] += tile.T @ A[rows]

    def _tile(self, rows: slice, columns: slice) -> Array:
        P, Q = self.points[rows], self.points[columns]
        tile = self.kernel.evaluate(CrossPairs(P, Q))
        if not (self.kernel.symmetric or self.checked):
            mirror = self.kernel.evaluate(CrossPairs(Q, P)).T
            if np.abs(tile - mirror).max() > ASYMMETRY * np.abs(tile).max():
                raise InputError(
                    f"k must be symmetric: {self.kernel!r} has k(x, x') ≠ k(x', x) for "
                    f"some x in X[{rows.start}:{rows.stop}] and x' in "
                    f"X[{columns.start}:{columns.stop}]"
                )
        return tile

    def _name_what_is_undefined(self) -> None:
        for i in range(0, len(self.points), TILE):
            block = self.kernel.gram_unchecked(self.points[i : i + TILE], self.points)
            what = f"X[{i}:{i + TILE}] and X, there the points number"
            gram.require_finite(self.kernel, block, what)
        raise InputError("the coefficients became infinite: rescale t, or raise lam")


def _share(i: int, n: int) -> float:
    """Return which part of all tiles is in the row of tiles that starts at i."""
    rows = -(-n // TILE)
    return (rows - i // TILE) / (rows * (rows + 1) / 2)


@dataclass(frozen=True, eq=False)
class Preconditioner:
    """P⁻¹ for P = LLᵀ + D, by Woodbury's formula; `P(R)` is P⁻¹R, O(nr) per column.

    Attributes
    ----------
    root : (n, 1) array, D^−½.
    V : (n, r) array, D^−½L.
    core : factor of I + VᵀV.
    condition_bound : 1 + tr(K − LLᵀ)/min D ≥ κ(P⁻¹(K + D)).

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, D = np.linspace(0, 1, 50)[:, None], np.full(50, 0.1)
    >>> P = Preconditioner.of(kl.Gaussian(), Points(X), D, rank=10)
    >>> t = np.ones((50, 1))
    >>> bool(np.allclose((kl.Gaussian()(X) + np.diag(D)) @ P(t), t, atol=0.1))
    True
    >>> P.rank, P.condition_bound <= 2
    (3, True)
    """

    root: Array
    V: Array
    core: Cholesky | None
    condition_bound: float

    @classmethod
    def of(cls, kernel: Kernel, points: Points, D: Array, rank: int) -> Self:
        """Return as many columns as are worth it, but at most `rank`."""
        root, least = 1 / np.sqrt(D)[:, None], float(D.min())
        trace = float(np.abs(kernel.diag(points)).sum())
        good = (WELL_CONDITIONED - 1) * least
        if rank == 0 or trace <= good:
            return cls(root, np.empty((len(D), 0)), None, 1 + trace / least)
        factor = pivoted_cholesky(kernel, points, rank=rank, tol=good / trace)
        V = np.ascontiguousarray(factor.L)
        V *= root
        with limited(len(V)):
            core = cholesky(V.T @ V, ridge=1.0, overwrite=True)
        return cls(root, V, core, 1 + float(factor.errors[-1]) / least)

    @property
    def rank(self) -> int:
        """The number of columns r."""
        return int(self.V.shape[1])

    def __call__(self, R: Array) -> Array:
        Y = self.root * R
        if self.core is not None:
            with limited(1):
                Y -= self.V @ self.core.solve(self.V.T @ Y)
        Y *= self.root
        return Y
