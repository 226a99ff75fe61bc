"""The problem of a linear machine, its dual, and the gap between them.

    primal   minimise  P(w) = ½‖w‖² + Σ_i C_i ℓ(z_i·w),
    dual     maximise  D(α) = Σ_i α_i − ½‖Zᵀα‖² − Σ_i κ_i α_i²,   0 ≤ α_i ≤ top_i,

    hinge           ℓ(m) = max(0, 1−m)     top_i = C_i    κ_i = 0
    squared hinge   ℓ(m) = max(0, 1−m)²    top_i = ∞      κ_i = 1/(4C_i)

z_i = y_i (x_i, B) is a row of data times its label, with a constant feature B at its
end, whose weight w_B makes the bias b = B·w_B. The bias is therefore penalised with
the other weights, as in LIBLINEAR: then no constraint Σ y_i α_i = 0 ties the α_i
together, each of them may move alone, and every α in its box is feasible.

For all w and all feasible α, P(w) ≥ D(α), and the gap is a sum of terms ≥ 0:

    P(w) − D(α) = ½‖w − Zᵀα‖² + Σ_i [C_i ℓ(m_i) + α_i m_i − α_i + κ_i α_i²],  m = Zw.

So a small gap proves a good w, and nobody has to trust the method that found it.

With λ = 1/(nC) and C_i = C s_i, P/(nC) is (λ/2)‖w‖² + (1/n) Σ s_i ℓ(z_i·w), the form in
which stochastic gradients are usually written.

Legend: n points x_i in R^d, rows of X; labels y; s weights; w (d+1 numbers, the last
one for the constant); m margins; u = 1 − m; α multipliers; v = Zᵀα.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.kernels.points import vectors

Rows = Any
"""A SciPy CSR array, or an (n, d) NumPy array, of floats."""

MAX_ENTRY = 1e100
"""Entries above this have squares that may overflow."""


def read_matrix(X: Any) -> Rows:
    """Check the points: a dense array, or a sparse matrix of any of SciPy's formats.

    Sparse input becomes CSR in double precision with sorted indices and no duplicates;
    if it is that already, nothing is copied.

    >>> read_matrix(sparse.coo_array([[0, 2], [1, 0]])).dtype
    dtype('float64')
    >>> read_matrix(sparse.csr_array([[1.0, np.inf]]))
    Traceback (most recent call last):
    ...
    kernellab.errors.InputError: X must be finite; X[0, 1] is inf. Drop or impute such \
rows first.
    """
    rows: Rows
    if sparse.issparse(X):
        rows = _read_sparse(X)
    else:
        rows = np.ascontiguousarray(vectors(X, "X").X)
    if not rows.shape[0]:
        raise InputError("X must have one row or more, got none")
    entries = rows.ravel() if isinstance(rows, np.ndarray) else rows.data
    if entries.size and max(entries.max(), -entries.min()) > MAX_ENTRY:
        raise InputError(
            f"X is too large: its entries must not exceed {MAX_ENTRY:g}, because their "
            "squares are needed; divide the features by their size"
        )
    return rows


def _read_sparse(X: Any) -> Rows:
    if X.ndim != 2 or X.shape[1] == 0:
        raise InputError(
            "X must have shape (n, d) with at least one column, one point per row; "
            f"got a sparse array of shape {X.shape}"
        )
    if X.dtype.kind not in "fiub":
        raise InputError(f"X must be real numbers, got a sparse array of {X.dtype}")
    given = X.tocsr()
    rows = sparse.csr_array(given.astype(np.float64, copy=False))
    if not rows.has_canonical_format:
        rows = rows.copy()  # the caller's matrix is not to be changed
        rows.sum_duplicates()
    if not np.isfinite(rows.data).all():
        k = int(np.argmin(np.isfinite(rows.data)))
        i = int(np.searchsorted(rows.indptr, k, side="right")) - 1
        raise InputError(
            f"X must be finite; X[{i}, {rows.indices[k]}] is {rows.data[k]}. "
            "Drop or impute such rows first."
        )
    return rows


def whole_number(value: object, what: str) -> None:
    """Raise an error unless `value` is an integer ≥ 1."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise InputError(f"{what} must be an integer ≥ 1, got {value!r}")


@dataclass(frozen=True, eq=False)
class LinearProblem:
    """P and D for rows that have been checked.

    Parameters
    ----------
    X : (n, d) array, or CSR array.
    y : (n,) array of −1 and +1.
    cost : (n,) array of the C_i > 0.
    squared : whether the hinge is squared.
    bias : B, the constant feature; 0 for none.

    Examples
    --------
    >>> X, y = np.array([[1.0], [3.0]]), np.array([-1.0, 1.0])
    >>> problem = LinearProblem(X, y, cost=np.array([10.0, 10.0]), bias=10.0)
    >>> w = np.array([1.0, -0.2])  # f(x) = x − 2, with b = 10·(−0.2)
    >>> problem.margins(w)
    array([1., 1.])
    >>> problem.primal(w, problem.margins(w))
    0.52
    """

    X: Rows
    y: Array
    cost: Array
    squared: bool = False
    bias: float = 1.0

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.y)

    @property
    def d(self) -> int:
        """The number of coordinates of w: those of the data, and one."""
        return int(self.X.shape[1]) + 1

    @property
    def top(self) -> Array:
        """The upper bound of each α_i."""
        return np.full(self.n, np.inf) if self.squared else self.cost

    @property
    def curvature(self) -> Array:
        """2κ_i, what the loss adds to the diagonal of ZZᵀ in the dual."""
        return 0.5 / self.cost if self.squared else np.zeros(self.n)

    def margins(self, w: Array) -> Array:
        """Zw: y_i f(x_i). One pass over the data."""
        return np.asarray(self.y * (self.X @ w[:-1] + self.bias * w[-1]))

    def combine(self, alpha: Array) -> Array:
        """Return Zᵀα. One pass over the data."""
        signed = self.y * alpha
        return np.append(self.X.T @ signed, self.bias * signed.sum())

    @cached_property
    def mean_square(self) -> float:
        """The mean of ‖z_i‖²."""
        dense = isinstance(self.X, np.ndarray)
        entries = self.X.ravel() if dense else self.X.data
        return float(entries @ entries) / self.n + self.bias**2

    def take(self, rows: NDArray[Any]) -> Self:
        """Return the problem with some of the points."""
        X = self.X[rows]
        return replace(self, X=X, y=self.y[rows], cost=self.cost[rows])

    def with_labels(self, y: Array) -> Self:
        """Return the problem with other labels."""
        return replace(self, y=y)

    def primal(self, w: Array, m: Array) -> float:
        """Return P(w), given its margins."""
        u = np.maximum(1 - m, 0)
        return float(0.5 * w @ w + self.cost @ (u * u if self.squared else u))

    def dual(self, alpha: Array, v: Array) -> float:
        """Return D(α), given v = Zᵀα; −∞ outside the box."""
        if alpha.min() < 0 or (alpha > self.top).any():
            return -np.inf
        return float(alpha.sum() - 0.5 * (v @ v + self.curvature @ alpha**2))

    def clip(self, alpha: Array) -> Array:
        """Return the nearest point of the box."""
        return np.clip(alpha, 0, self.top)

    def best_scale(self, alpha: Array, v: Array) -> float:
        """Return the c with cα in the box and D(cα) largest, in closed form.

        D(cα) = c Σα − ½c²(‖v‖² + Σ 2κα²) is a parabola in c.

        >>> problem = LinearProblem(np.eye(2), np.ones(2), np.ones(2), bias=0.0)
        >>> problem.best_scale(np.array([0.1, 0.5]), np.array([0.1, 0.5]))
        2.0
        """
        largest = np.inf
        if not self.squared:
            ratio = float((alpha / self.cost).max())
            largest = 1 / ratio if ratio > 0 else 0.0
        bend = float(v @ v + self.curvature @ alpha**2)
        rise = float(alpha.sum())
        return min(rise / bend, largest) if bend > 0 else min(largest, 1.0)
