"""Where single rows of K come from: a matrix, any kernel, or fast, a Gaussian one."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from kernellab.arrays import Array
from kernellab.kernels.base import Kernel
from kernellab.kernels.gaussian import Gaussian
from kernellab.kernels.gram import row
from kernellab.kernels.points import Points
from kernellab.linalg import TILE

Floats = NDArray[Any]
"""Rows may be float32 or float64."""

Indices = NDArray[np.intp]

SINGLE, DOUBLE, LEAST = 8.0, 32.0, 1e4
"""Up to which `Exponents.reach` a product in float32 is good enough for a row; one in
float64 for a certificate; one in float64 for a row."""


class Source(Protocol):
    """What can write a row."""

    def write(self, p: int, out: Floats) -> None:
        """Write k(x_p, x) for the points x of the columns."""


class Given:
    """Rows of a matrix."""

    def __init__(self, K: Array, columns: Indices | None) -> None:
        self.K = K
        self.columns = slice(None) if columns is None else columns

    def write(self, p: int, out: Floats) -> None:
        out[...] = self.K[p, self.columns]


class KernelRows:
    """Rows of any kernel, as blocks of one point and all points."""

    def __init__(self, kernel: Kernel, points: Points, columns: Indices | None) -> None:
        self.kernel = kernel
        self.points = points
        self.others, self.columns = points, slice(None) if columns is None else columns
        if columns is not None and points.width is not None:
            self.others, self.columns = Points(points.X[columns]), slice(None)

    def write(self, p: int, out: Floats) -> None:
        out[...] = row(self.kernel, self.points[p : p + 1], self.others)[self.columns]


class Exponents:
    """−‖x − x'‖²/(2σ²) between points, as a product of two matrices.

    With u = (x − mean)/σ it is the inner product of (u, −½‖u‖², 1), a row of `left`,
    and (u', 1, −½‖u'‖²), a column of `right`. Rounding moves it by about `reach`, the
    largest ½‖u‖², times the last digit.
    """

    def __init__(self, kernel: Gaussian, X: Array) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            U = (X - X.mean(axis=0)) / np.asarray(kernel.sigma)
            halves = 0.5 * np.einsum("ij,ij->i", U, U)
        ones = np.ones(len(U))
        self.reach = float(halves.max())
        self.left = np.column_stack([U, -halves, ones])
        self.right = np.vstack([U.T, ones, -halves])

    def expand(self, support: Indices, a: Array) -> Array:
        """Σ_p a_p k(x, x_p) at all points x, tile by tile."""
        values, right = np.zeros(len(self.left)), self.right[:, support]
        for rows in range(0, len(values), TILE):
            left = self.left[rows : rows + TILE]
            for columns in range(0, len(a), TILE):
                tile = left @ right[:, columns : columns + TILE]
                np.exp(np.minimum(tile, 0.0, out=tile), out=tile)
                values[rows : rows + TILE] += tile @ a[columns : columns + TILE]
        return values


class GaussianRows:
    """Rows of a Gaussian kernel: one product of a vector and a matrix, one exp."""

    def __init__(
        self, exponents: Exponents, columns: Indices | None, dtype: DTypeLike
    ) -> None:
        right = exponents.right if columns is None else exponents.right[:, columns]
        work = dtype if exponents.reach < SINGLE else np.float64
        self.left = exponents.left.astype(work)
        self.right = np.ascontiguousarray(right, dtype=work)

    def write(self, p: int, out: Floats) -> None:
        if self.right.dtype == out.dtype:
            np.matmul(self.left[p], self.right, out=out)
        else:
            out[...] = self.left[p] @ self.right
        np.minimum(out, 0.0, out=out)  # rounding could leave k > 1
        np.exp(out, out=out)
