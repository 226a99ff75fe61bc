"""Pivoted Cholesky: K ≈ LLᵀ, one column of L at a time, from any row of K.

Let d be the diagonal of K. For a pivot p with d_p > 0,

    e = k_p − L L_pᵀ,  l = e/√d_p,  L ← [L, l],  d ← d − l²,

so d is always the diagonal of K − LLᵀ, and its sum bounds what is missing.

Legend: K (n×n) positive semi-definite, k_p its row p; L (n×r); d (n).
"""

from __future__ import annotations

import numpy as np

from kernellab.arrays import Array
from kernellab.threads import limited

ROOM = 64
"""Columns for which there is memory at first, if the rank is not known before."""


class PivotedFactor:
    """The columns of L so far.

    Parameters
    ----------
    diagonal : (n,) array, the diagonal of K.
    most : how many columns there will be at most.
    room : for how many there is memory at first.

    Attributes
    ----------
    d : (n,) array, the diagonal of K − LLᵀ, as it came out: rounding may leave a small
        negative number.
    pivots : list of the rows that were chosen.

    Examples
    --------
    >>> K = np.array([[4.0, 2.0], [2.0, 3.0]])
    >>> factor = PivotedFactor(K.diagonal(), most=2)
    >>> factor.append(0, factor.remainder(0, K[0]))
    >>> factor.Lt, factor.d
    (array([[2., 1.]]), array([0., 2.]))
    """

    def __init__(self, diagonal: Array, most: int, room: int = ROOM) -> None:
        self.d = diagonal.copy()
        self.most = most
        self.pivots: list[int] = []
        self._rows = np.empty((min(most, room), len(diagonal)))

    @property
    def Lt(self) -> Array:
        """Lᵀ: (r, n) array."""
        return self._rows[: len(self.pivots)]

    def remainder(self, p: int, row: Array) -> Array:
        """Return row p of K − LLᵀ, from row p of K. O(nr)."""
        with limited(1):
            rest: Array = row - self.Lt[:, p] @ self.Lt
        return rest

    def append(self, p: int, remainder: Array) -> None:
        """Take p for a pivot. O(n)."""
        r = len(self.pivots)
        if r == len(self._rows):
            more = np.empty((min(self.most, 2 * r) - r, len(self.d)))
            self._rows = np.concatenate([self._rows, more])
        column = self._rows[r]
        np.divide(remainder, np.sqrt(self.d[p]), out=column)
        column[self.pivots] = 0.0  # they are exact already: L[pivots] is triangular
        column[p] = np.sqrt(self.d[p])
        self.pivots.append(p)
        self.d -= column**2
        self.d[p] = 0.0
