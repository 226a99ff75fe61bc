"""What linear algebra costs, counted: numbers that count their own multiplications.

The textbook algorithms run on them as they do on floats, so that a count is not a
formula but an observation. For a symmetric positive definite K (n×n), L (n×n), y (n):

    Ky                      n²
    KL                      n³
    solve by Cholesky       (n³ − n)/6 + n(n − 1)       K = CCᵀ, then two triangles
    solve by elimination    n(n − 1)(2n − 1)/6 + n(n − 1)
    K⁻¹ by Cholesky         n²(n + 1)/2                 C, C⁻¹, and C⁻ᵀC⁻¹

multiplications exactly, as many additions up to O(n²), and O(n²) divisions.

Legend: n size; C lower triangular with CCᵀ = K; s a sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Number = Any
Rows = list[list[Number]]


class Counted:
    """A number that counts the multiplications it takes part in.

    Parameters
    ----------
    value : the number.
    tally : list of one integer, shared by all numbers that count together.

    Examples
    --------
    >>> tally = [0]
    >>> x, y = Counted(2.0, tally), Counted(3.0, tally)
    >>> (x * y + x).value, tally
    (8.0, [1])
    """

    __slots__ = ("tally", "value")

    def __init__(self, value: float, tally: list[int]) -> None:
        self.value, self.tally = value, tally

    def __mul__(self, other: Counted) -> Counted:
        self.tally[0] += 1
        return Counted(self.value * other.value, self.tally)

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.value + other.value, self.tally)

    def __sub__(self, other: Counted) -> Counted:
        return Counted(self.value - other.value, self.tally)

    def __truediv__(self, other: Counted) -> Counted:
        return Counted(self.value / other.value, self.tally)

    def sqrt(self) -> Counted:
        """Take the square root."""
        return Counted(math.sqrt(self.value), self.tally)


def _dot(a: Sequence[Number], b: Sequence[Number], start: Number = None) -> Number:
    """Compute start − Σ a_i b_i, or Σ a_i b_i without start."""
    products = [x * y for x, y in zip(a, b, strict=True)]
    if start is not None:
        for p in products:
            start = start - p
        return start
    total = products[0]
    for p in products[1:]:
        total = total + p
    return total


def _product(K: Rows, L: Rows, y: list[Number]) -> Rows:
    columns = list(zip(*L, strict=True))
    return [[_dot(row, column) for column in columns] for row in K]


def _apply(K: Rows, L: Rows, y: list[Number]) -> list[Number]:
    return [_dot(row, y) for row in K]


def _cholesky(K: Rows) -> Rows:
    C: Rows = [[] for _ in K]
    for i, row in enumerate(K):
        for j in range(i):
            C[i].append(_dot(C[i], C[j][:j], row[j]) / C[j][j])
        C[i].append(_dot(C[i], C[i], row[i]).sqrt())
    return C


def _solve(K: Rows, L: Rows, y: list[Number]) -> list[Number]:
    C, z = _cholesky(K), list(y)
    for i, row in enumerate(C):  # Cz = y
        z[i] = _dot(row[:i], z[:i], z[i]) / row[i]
    for i in reversed(range(len(C))):  # Cᵀa = z
        below = [C[m][i] for m in range(i + 1, len(C))]
        z[i] = _dot(below, z[i + 1 :], z[i]) / C[i][i]
    return z


def _eliminate(K: Rows, L: Rows, y: list[Number]) -> list[Number]:
    A, z, n = [list(row) for row in K], list(y), len(K)
    for j in range(n):
        for i in range(j + 1, n):
            factor = A[i][j] / A[j][j]
            for m in range(j + 1, n):
                A[i][m] = A[i][m] - factor * A[j][m]
            z[i] = z[i] - factor * z[j]
    for i in reversed(range(n)):
        z[i] = _dot(A[i][i + 1 :], z[i + 1 :], z[i]) / A[i][i]
    return z


def _invert(K: Rows, L: Rows, y: list[Number]) -> Rows:
    C, n = _cholesky(K), len(K)
    zero, one = y[0] - y[0], y[0] / y[0]
    inverse = [[zero] * n for _ in K]  # of C
    for j in range(n):
        inverse[j][j] = one / C[j][j]
        for i in range(j + 1, n):
            known = [inverse[m][j] for m in range(j, i)]
            inverse[i][j] = _dot(C[i][j:i], known, zero) / C[i][i]
    columns = list(zip(*inverse, strict=True))
    result = [[zero] * n for _ in K]
    for i in range(n):
        for j in range(i + 1):
            value = _dot(columns[i][i:], columns[j][i:])
            result[i][j] = result[j][i] = value
    return result


OPERATIONS: dict[str, Callable[[Rows, Rows, list[Number]], Any]] = {
    "Ky": _apply,
    "KL": _product,
    "solve, Cholesky": _solve,
    "solve, elimination": _eliminate,
    "inverse": _invert,
}
"""The textbook algorithms, each a function of K, L and y."""


def count_multiplications(n: int, random_state: int = 0) -> dict[str, int]:
    """Run every operation once on numbers that count their multiplications.

    Parameters
    ----------
    n : size of the matrices; a few dozen at most, as n³ Python objects are made.
    random_state : seed of the random matrices. The counts do not depend on it.

    Examples
    --------
    >>> count_multiplications(6)
    {'Ky': 36, 'KL': 216, 'solve, Cholesky': 65, \
'solve, elimination': 85, 'inverse': 126}
    """
    rng = np.random.default_rng(random_state)
    A, L, y = rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)
    found = {}
    for name, operation in OPERATIONS.items():
        tally = [0]
        operation(*(counted(M, tally) for M in (A @ A.T + np.eye(n), L, y)))
        found[name] = tally[0]
    return found


def counted(values: Any, tally: list[int]) -> Any:
    """Turn an array into nested lists of numbers that count together."""
    if np.ndim(values) > 1:
        return [counted(row, tally) for row in values]
    return [Counted(float(v), tally) for v in values]
