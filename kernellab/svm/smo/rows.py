"""K between the variables of a problem: rows and products, without holding all of it.

Each variable sits on a point; two may share one. The rows between the points come from
`kernellab.kernels.row_cache`.

Legend: n points; m variables, variable v on point index[v]; K (m×m); β (m).
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from kernellab.arrays import Array, Indices
from kernellab.errors import InputError
from kernellab.estimator import Inputs, expand
from kernellab.kernels.row_cache import (
    CACHE_MEGABYTES,
    GramRows,
    RowCache,
    expand_rows,
)
from kernellab.linalg import EPS

STEP_TOLERANCE = 1e4 * EPS
"""Rounding of the rows that steps are made with, relative to the largest |k|. The
gradient that a solution is judged by does not rest on them."""


class VariableRows:
    """K for the variables of a problem. Made by `VariableRows.of`.

    Attributes
    ----------
    n : number of points.
    index : (m,) array: variable v sits on point index[v]. None if each point has
        one variable, in order.
    diagonal : (m,) array, K_vv.
    whole : (n, n) array, all of K between the points, if it is at hand; else None.
    """

    def __init__(self, inputs: Inputs, index: Indices | None) -> None:
        self.n = inputs.n
        self.index = index
        self._inputs = inputs
        self._gram = GramRows(inputs.kernel, inputs.X, STEP_TOLERANCE)
        self.whole, own = self._gram.whole, self._gram.diagonal
        self.diagonal = own if index is None else own[index]

    @classmethod
    def of(cls, inputs: Inputs, index: ArrayLike | None = None) -> Self:
        """Make rows for training points, for some of them, or with repetitions.

        Parameters
        ----------
        inputs : a kernel and its points, or a precomputed Gram matrix.
        index : (m,) integers, the point of each variable; without it, all in order.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> inputs = Inputs.read(kl.Linear(), [[1.0], [2.0], [3.0]])
        >>> rows = VariableRows.of(inputs, [0, 2, 0, 2])
        >>> len(VariableRows.of(inputs)), len(rows)
        (3, 4)
        >>> rows.product(np.array([1.0, 1.0, 0.0, 0.0]))
        array([ 4., 12.,  4., 12.])
        """
        if index is None:
            return cls(inputs, None)
        points = _checked(index, inputs.n)
        if (points[1:] > points[:-1]).all():
            return cls(_some(inputs, points), None)
        used, place = np.unique(points, return_inverse=True)
        return cls(_some(inputs, used), place)

    def __len__(self) -> int:
        return len(self.diagonal)

    def cache(
        self,
        dtype: DTypeLike,
        megabytes: float = CACHE_MEGABYTES,
        active: Indices | None = None,
    ) -> RowCache:
        """Return a cache of the rows and columns of some variables; None for all."""
        points = active if self.index is None else self.index
        if self.index is not None and active is not None:
            points = self.index[active]
        return RowCache(self._gram, dtype, megabytes, points)

    def product(self, beta: Array) -> Array:
        """Compute Kβ in float64, from the kernel. O(n) values for each β_v ≠ 0."""
        if self.index is None:
            return self._expand(beta)
        a = np.zeros(self.n)
        np.add.at(a, self.index, beta)
        return self._expand(a)[self.index]

    def _expand(self, a: Array) -> Array:
        """Compute Σ_p a_p k(x, x_p) at every point x, as exactly as k allows."""
        support = a.nonzero()[0]
        if not support.size:
            return np.zeros(self.n)
        if self.whole is not None:
            return np.asarray(a[support] @ self.whole[support])
        kernel, points = self._inputs.kernel, self._inputs.X
        assert kernel is not None
        fast = expand_rows(kernel, points, support, a[support])
        if fast is not None:
            return fast
        return expand(kernel, points, points.take(support), a[support, None])[:, 0]


def _checked(index: ArrayLike, n: int) -> Indices:
    v = np.asarray(index)
    if v.ndim != 1 or v.dtype.kind not in "iu" or not v.size:
        raise InputError(
            "index must be a list of one or more integers, the point of each variable; "
            f"got {index!r}"
        )
    if v.min() < 0 or v.max() >= n:
        raise InputError(
            f"index must lie between 0 and {n - 1}; it goes from {v.min()} to {v.max()}"
        )
    return v.astype(np.intp)


def _some(inputs: Inputs, used: Indices) -> Inputs:
    """Return some of the training points."""
    if inputs.kernel is None:
        return Inputs(None, inputs.X[np.ix_(used, used)], len(used))
    return Inputs(inputs.kernel, inputs.X.take(used), len(used))
