"""Gram rows for the perceptron: all of them if they are few, else those it asks for.

A perceptron looks at the Gram row of a point when the point is mistaken, and at no
other. For few points the whole matrix is quickest. For many, rows are computed when
they are needed and kept as long as there is room: n values of k for each point that is
ever mistaken, instead of n²/2.

Legend: n points; K (n×n) Gram matrix, with the constant of a threshold added.
"""

from __future__ import annotations

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import NotPositiveDefinite
from kernellab.estimator import Inputs
from kernellab.kernels.gram import row
from kernellab.kernels.proving.advice import advice
from kernellab.linalg import TILE

WHOLE = 2000
"""Up to this many points the whole Gram matrix is computed."""

ROOM = 2**25
"""Numbers held in rows that are kept (256 MB)."""


class GramRows:
    """Row i of K + c, for a constant c.

    Parameters
    ----------
    inputs : training points and their kernel, or their Gram matrix.
    constant : what to add to every kernel value: 1 for a threshold, else 0.
    """

    def __init__(self, inputs: Inputs, constant: float = 0.0) -> None:
        self.n, self.inputs, self.constant = inputs.n, inputs, constant
        self.K: Array | None = None
        self.kept: dict[int, Array] = {}
        kernel = inputs.kernel
        if kernel is None or not kernel.symmetric or self.n <= WHOLE:
            K = _whole(inputs)
            self.K = K + constant if constant else K
            diagonal = self.K.diagonal().copy()
        else:
            diagonal = kernel.diag(inputs.X) + constant
        self.diagonal: Array = diagonal
        if diagonal.min() < 0:
            i = int(diagonal.argmin())
            raise NotPositiveDefinite(
                f"k(x, x) = {diagonal[i]:.3g} is negative at the point number {i}, so "
                "it is not the square of a length. " + advice(kernel)
            )

    def __getitem__(self, i: int) -> Array:
        """k(x_i, x_j) + c for all j. Read-only."""
        if self.K is not None:
            given: Array = self.K[i]
            return given
        found = self.kept.pop(i) if i in self.kept else self._compute(i)
        self.kept[i] = found  # the last one used is the last one dropped
        if len(self.kept) * self.n > ROOM and len(self.kept) > 1:
            del self.kept[next(iter(self.kept))]
        return found

    def _compute(self, i: int) -> Array:
        kernel, X = self.inputs.kernel, self.inputs.X
        assert kernel is not None
        return row(kernel, X[i : i + 1], X) + self.constant

    def combine(self, a: Array) -> Array:
        """(K + c)a, summed afresh: O(n) for each coefficient that is not 0."""
        if self.K is not None:
            result: Array = self.K @ a
            return result
        total = np.zeros(self.n)
        for i in np.flatnonzero(a).tolist():
            total += a[i] * self[i]
        return total


def _whole(inputs: Inputs) -> Array:
    """K, read-only; a given matrix that is exactly symmetric is not copied."""
    K = inputs.X
    if inputs.kernel is None and K.ndim == 2 and K.shape[0] == K.shape[1]:
        parts = (slice(i, i + TILE) for i in range(0, len(K), TILE))
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(K.sum())
        if finite and all(np.array_equal(K[b], K[:, b].T) for b in parts):
            given: Array = K
            return given
    return inputs.gram()
