"""K between the points of the variables: rows and products, without holding all of it.

A row of a large K is computed when SMO asks for it. For few points all of K is
computed at once; also for a kernel whose symmetry must be checked.

Legend: n points; m variables, variable v on point index[v]; K (m×m); β (m).
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.estimator import Inputs, expand
from kernellab.kernels.gaussian import Gaussian
from kernellab.linalg import symmetric
from kernellab.svm.smo.sources import (
    DOUBLE,
    LEAST,
    Exponents,
    GaussianRows,
    Given,
    Indices,
    KernelRows,
    Source,
)

WHOLE = 3000
"""Up to this many points, all of K is computed at once (unless k is Gaussian)."""


class Rows:
    """K for the variables of a problem. Made by `Rows.of`.

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
        self.whole = _whole(inputs)
        self._inputs = inputs
        self._exponents: Exponents | None = None
        if isinstance(inputs.kernel, Gaussian):
            self._exponents = Exponents(inputs.kernel, inputs.X.X)
        own = self._own()
        self.diagonal = own if index is None else own[index]

    @classmethod
    def of(cls, inputs: Inputs, index: ArrayLike | None = None) -> Self:
        """Rows for training points, for some of them, or with repetitions.

        Parameters
        ----------
        inputs : a kernel and its points, or a precomputed Gram matrix.
        index : (m,) integers, the point of each variable; without it, all in order.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> inputs = Inputs.read(kl.Linear(), [[1.0], [2.0], [3.0]])
        >>> len(Rows.of(inputs)), len(Rows.of(inputs, [0, 2, 0, 2]))
        (3, 4)
        >>> Rows.of(inputs, [0, 2, 0, 2]).product(np.array([1.0, 1.0, 0.0, 0.0]))
        array([ 4., 12.,  4., 12.])
        """
        if index is None:
            return cls(inputs, None)
        used, place = np.unique(_checked(index, inputs.n), return_inverse=True)
        in_order = np.array_equal(place, np.arange(len(used)))
        return cls(_some(inputs, used), None if in_order else place)

    def __len__(self) -> int:
        return len(self.diagonal)

    def points_of(self, variables: Indices | None) -> Indices | None:
        """The points of some variables, or of all; None for all points in order."""
        if self.index is None or variables is None:
            return variables if self.index is None else self.index
        return self.index[variables]

    def product(self, beta: Array) -> Array:
        """Kβ in float64, from the kernel itself. O(n) values for each β_v ≠ 0."""
        if self.index is None:
            return self._expand(beta)
        a = np.zeros(self.n)
        np.add.at(a, self.index, beta)
        return self._expand(a)[self.index]

    def source(self, dtype: DTypeLike, columns: Indices | None) -> Source:
        """What computes rows over some points (all, if None)."""
        if self.whole is not None:
            return Given(self.whole, columns)
        if self._exponents is not None and self._exponents.reach < LEAST:
            return GaussianRows(self._exponents, columns, dtype)
        assert self._inputs.kernel is not None
        return KernelRows(self._inputs.kernel, self._inputs.X, columns)

    def _own(self) -> Array:
        """k(x, x) for every point."""
        if self.whole is not None:
            return self.whole.diagonal().copy()
        assert self._inputs.kernel is not None
        return self._inputs.kernel.diag(self._inputs.X)

    def _expand(self, a: Array) -> Array:
        """Σ_p a_p k(x, x_p) at every point x."""
        support = np.flatnonzero(a)
        if self.whole is not None:
            return np.asarray(a[support] @ self.whole[support])
        if self._exponents is not None and self._exponents.reach < DOUBLE:
            return self._exponents.expand(support, a[support])
        kernel, points = self._inputs.kernel, self._inputs.X
        assert kernel is not None
        return expand(kernel, points, points.take(support), a[support, None])[:, 0]


def _whole(inputs: Inputs) -> Array | None:
    kernel = inputs.kernel
    few = inputs.n <= WHOLE and not isinstance(kernel, Gaussian)
    if few or kernel is None or not kernel.symmetric:
        return inputs.gram()
    return None


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
    """Some of the training points."""
    if inputs.kernel is None:
        K = symmetric(inputs.X, "the precomputed Gram matrix")
        return Inputs(None, K[np.ix_(used, used)], len(used))
    return Inputs(inputs.kernel, inputs.X.take(used), len(used))
