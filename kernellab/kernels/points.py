"""Points: the inputs of a kernel, checked once, with what is computed from them kept.

A Gram matrix is filled tile by tile. What depends on one point only (its squared
norm, its image under a map, √k(x,x)) is computed once for all points and sliced.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse, vstack

from kernellab.arrays import Array, describe, place, reals
from kernellab.errors import InputError

T = TypeVar("T")


class Points:
    """A list of points: the rows of a matrix, or arbitrary objects.

    Parameters
    ----------
    items : (n, d) array, dense or sparse (CSR), or a tuple of objects.
    """

    def __init__(self, items: Any) -> None:
        self.items = items
        matrix = hasattr(items, "shape")
        self._length: int = items.shape[0] if matrix else len(items)
        self._whole: Points | None = None  # itself: no cycle, so it is freed at once
        self.rows = slice(0, self._length)
        self._memo: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, rows: slice) -> Points:
        """Return some of the points; they share what is remembered of all."""
        first, last, _ = rows.indices(len(self))
        if last - first == len(self):
            return self
        part = Points(self.items[rows])
        part._whole = self.root
        part.rows = slice(self.rows.start + first, self.rows.start + last)
        part._memo = self._memo
        return part

    @property
    def X(self) -> Array:
        """The points as the rows of a matrix."""
        if isinstance(self.items, np.ndarray):
            return self.items
        if is_sparse(self.items):
            raise InputError(
                "this kernel needs a dense array, X is sparse: write X.toarray(). "
                "Kernels of the inner product, such as Linear and Polynomial, take "
                "sparse points."
            )
        raise InputError(
            "this kernel takes vectors, an array of shape (n, d); it was given "
            f"{len(self)} objects such as {self.items[:1]!r}"
        )

    @property
    def listed(self) -> Array | tuple[Any, ...]:
        """The points one by one: dense vectors, or objects."""
        return self.items if isinstance(self.items, tuple) else self.X

    @property
    def matrix(self) -> Any:
        """The points as the rows of a matrix, dense or sparse as they came."""
        return self.items if is_sparse(self.items) else self.X

    @property
    def width(self) -> int | None:
        """The number of coordinates; None for objects."""
        return None if isinstance(self.items, tuple) else int(self.items.shape[1])

    def take(self, index: NDArray[np.intp]) -> Points:
        """Return some of the points, in the order of the index; nothing is
        remembered.
        """
        if self.width is not None:
            return Points(self.items[index])
        return Points(tuple(self.items[i] for i in index.tolist()))

    def joined(self, other: Points) -> Points:
        """Return these points, and then the others."""
        if self.width is None:
            return Points((*self.items, *other.items))
        stack = vstack if is_sparse(self.items) else np.vstack
        return Points(stack([self.items, other.matrix]))

    @property
    def root(self) -> Points:
        """All the points that this is a slice of."""
        return self if self._whole is None else self._whole

    def remember(self, key: Hashable, compute: Callable[[Points], T]) -> T:
        """Return `compute(all points)`, done once, restricted to these points."""
        if key not in self._memo:
            self._memo[key] = compute(self.root)
        found: T = self._memo[key][self.rows]
        return found

    def remember_whole(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return `compute()`, done once: one object for all the points."""
        if key not in self._memo:
            self._memo[key] = compute()
        found: T = self._memo[key]
        return found

    def forget(self) -> None:
        """Drop what is remembered now: it may refer to the points themselves."""
        self._memo.clear()

    def joint(
        self,
        key: Hashable,
        other: Points,
        build: Callable[[Points, Points], tuple[Any, Any]],
    ) -> tuple[Any, Any]:
        """Return `build(these, others)`, done once; holds `other`, so that its id
        stays.
        """
        _, built = self.remember_whole(
            ("joint", key), lambda: (other, build(self, other))
        )
        return built

    def mapped(self, key: Hashable, function: Callable[[Points], Any]) -> Points:
        """Return the images of the points under a function of all of them."""
        return self.remember(("mapped", key), lambda all_: Points(function(all_)))


def is_sparse(X: object) -> bool:
    """Return whether X is one of SciPy's sparse arrays or matrices."""
    return bool(issparse(X))


def vectors(X: ArrayLike, name: str = "X") -> Points:
    """Check a matrix of points.

    >>> vectors([1.0, 2.0])
    Traceback (most recent call last):
    ...
    kernellab.errors.InputError: X must have shape (n, d), one point per row; got \
shape (2,). Reshape your data: for n points on the line write X[:, None], for one \
point X[None, :].
    """
    if is_sparse(X):
        return Points(_sparse_vectors(X, name))
    array = reals(
        X, f"{name} must be an array of numbers of shape (n, d), one point per row"
    )
    if array.ndim != 2:
        raise InputError(
            f"{name} must have shape (n, d), one point per row; got shape "
            f"{array.shape}. Reshape your data: for n points on the line write "
            f"{name}[:, None], for one point {name}[None, :]."
        )
    if array.shape[1] == 0:
        raise InputError(
            f"{name} must have at least one column: it has 0 feature(s) "
            f"(shape={array.shape}) while a minimum of 1 is required."
        )
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        value = "NaN" if np.isnan(array[row, column]) else array[row, column]
        raise InputError(
            f"{name} must be finite; {place(name, row, column)} is {value}. "
            "Drop or impute such rows first."
        )
    return Points(array)


def _sparse_vectors(X: Any, name: str) -> csr_array[np.float64]:
    """Return a copy of a sparse matrix, checked, in rows (CSR)."""
    if X.ndim != 2 or X.shape[1] == 0:
        raise InputError(
            f"{name} must have shape (n, d), one point per row and at least one "
            f"column; got a sparse array of shape {X.shape}"
        )
    if X.dtype.kind not in "fiub":
        raise InputError(f"{name} must hold real numbers, got a sparse {X.dtype} array")
    rows = csr_array(X, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    if not np.isfinite(rows.data).all():
        first = int(np.argmin(np.isfinite(rows.data)))
        row = int(np.searchsorted(rows.indptr, first, side="right")) - 1
        raise InputError(
            f"{name} must be finite; {place(name, row, rows.indices[first])} is "
            f"{rows.data[first]}. Drop or impute such rows first."
        )
    return rows


def objects(X: Sequence[Any], name: str = "X") -> Points:
    """Check a list of objects (strings, sets, graphs, …)."""
    if isinstance(X, str | bytes | Set | Mapping) or not hasattr(X, "__len__"):
        raise InputError(
            f"{name} must be a list of objects, got {describe(X)}; "
            "for one object write a list of length one"
        )
    return Points(tuple(X))
