"""Two machines for one loop: weights w, or values g at all training points.

Both search for the next mistake in windows, which double in size as long as there is
none: a stretch of m points without a mistake costs O(log m) calls of NumPy, and a
mistake close by costs one.

Legend: n points; y signs; w (d) weights; g (n) values at the points; R radius.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import NotPositiveDefinite
from kernellab.kernels.proving.advice import advice
from kernellab.kernels.row_cache import RowCache
from kernellab.linalg import EPS
from kernellab.loops.mistakes import compiled_dual_pass, compiled_primal_pass
from kernellab.perceptron.runs import Integers


class MistakeSearch(ABC):
    """The search for mistakes, and what a certificate needs to know.

    Attributes
    ----------
    counts : (n,) α, how often each point was learned.
    """

    window = 64

    def __init__(self, y: Array) -> None:
        self.y, self.n = y, len(y)
        self.signs: list[float] = y.tolist()
        self.counts: Array = np.zeros(self.n)

    def one_pass(self, order: Integers | None) -> Integers:
        """Show every point once; return the places in the order of the mistakes."""
        loop = self.compiled_pass()
        if loop is not None:
            every = np.arange(self.n) if order is None else order
            places = loop(every)
            np.add.at(self.counts, every[places], 1)
            return places
        found, place = [], self.next_mistake(order, 0)
        while place < self.n:
            self.learn(place if order is None else int(order[place]))
            found.append(place)
            place = self.next_mistake(order, place + 1)
        return np.array(found, np.int64)

    def next_mistake(self, order: Integers | None, start: int) -> int:
        """Return the first place ≥ start in the order with y g ≤ 0; n if there is
        none.
        """
        width = self.window
        while start < self.n:
            stop = start + width
            places = slice(start, stop) if order is None else order[start:stop]
            wrong = self.margins(places) <= 0
            first = int(wrong.argmax())
            if wrong[first]:
                return start + first
            start, width = stop, 2 * width
        return self.n

    @abstractmethod
    def compiled_pass(self) -> Callable[[Integers], Integers] | None:
        """Return what makes one pass, but for the counts; None without Numba."""

    @abstractmethod
    def learn(self, i: int) -> None:
        """w ← w + y_i φ(x_i)."""

    @abstractmethod
    def margins(self, places: Any = slice(None)) -> Array:
        """y_i g(x_i) at some points, or at all."""

    @abstractmethod
    def length(self, c: Array) -> float:
        """Return ‖Σ c_i y_i φ(x_i)‖, rounded up; 0 only if it is exactly 0."""


class DualLearner(MistakeSearch):
    """g at all points: one Gram row for each mistake, nothing recomputed."""

    def __init__(self, rows: RowCache, y: Array) -> None:
        super().__init__(y)
        self.rows, self.state = rows, np.zeros(self.n)
        self.unit = float(rows.gram.diagonal.max())
        self.radius = np.sqrt(self.unit)
        self.row_error = 0.0 if rows.gram.whole is not None else rows.gram.tolerance

    def margins(self, places: Any = slice(None)) -> Array:
        result: Array = self.y[places] * self.state[places]
        return result

    def compiled_pass(self) -> Callable[[Integers], Integers] | None:
        loop, rows = compiled_dual_pass(), self.rows
        if loop is None:
            return None
        stored = rows.store, rows.place, rows.stamp, self.y

        def run(order: Integers) -> Integers:
            mistakes, shown, count = np.empty_like(order), 0, 0
            while True:
                shown, count = loop(*stored, order, self.state, mistakes, shown, count)
                if shown == self.n:
                    return mistakes[:count]
                rows.row(int(order[shown]))

        return run

    def learn(self, i: int) -> None:
        g, row = self.state, self.rows.row(i)
        if self.signs[i] > 0:
            np.add(g, row, out=g)
        else:
            np.subtract(g, row, out=g)
        self.counts[i] += 1

    def confirms(self) -> bool:
        """Sum g afresh, without the rounding of the steps; is no point wrong?"""
        self.state = self._values(self.counts * self.y)
        return bool((self.margins() > 0).all())

    @property
    def norm(self) -> float:
        """‖w‖ = √(Σ α_i y_i g(x_i))."""
        square = float(self.counts @ self.margins())
        if square < -self._rounding(self.counts):
            raise NotPositiveDefinite(
                f"‖w‖² = Σ α_i y_i g(x_i) came out as {square:.3g}, which is negative: "
                "the Gram matrix is not positive semi-definite. "
                + advice(self.rows.gram.kernel)
            )
        return float(np.sqrt(max(square, 0.0)))

    def length(self, c: Array) -> float:
        v = self._values(c * self.y)
        if not v.any() and self._exact(c):
            return 0.0
        square = max(float(c @ (self.y * v)), 0.0)
        return float(np.sqrt(square + self._rounding(c)))

    def _values(self, a: Array) -> Array:
        """Sum g(x_j) = Σ_i a_i k(x_i, x_j) afresh. O(n) for each a_i ≠ 0."""
        used = np.flatnonzero(a)
        return self.rows.combine(used, a[used])

    def _rounding(self, c: Array) -> float:
        """Bound the rounding in Σ c_i c_j y_i y_j K_ij."""
        relative = max(np.count_nonzero(c) * EPS, self.row_error)
        return 2 * relative * self.unit * float(np.abs(c).sum()) ** 2

    def _exact(self, c: Array) -> bool:
        used = np.flatnonzero(c).tolist()
        return sums_exactly(np.array([self.rows.row(i).copy() for i in used]), c[used])


class PrimalLearner(MistakeSearch):
    """The weights w alone; O(d) for each point that is looked at."""

    window = 32

    def __init__(self, X: Array, y: Array) -> None:
        super().__init__(y)
        self.X, self.state = X, np.zeros(X.shape[1])
        self.unit = self.radius = float(np.sqrt(np.einsum("ij,ij->i", X, X).max()))

    def margins(self, places: Any = slice(None)) -> Array:
        result: Array = self.y[places] * (self.X[places] @ self.state)
        return result

    def compiled_pass(self) -> Callable[[Integers], Integers] | None:
        loop = compiled_primal_pass()
        if loop is None:
            return None

        def run(order: Integers) -> Integers:
            mistakes = np.empty_like(order)
            count = loop(self.X, self.y, order, self.state, mistakes)
            return mistakes[:count]

        return run

    def learn(self, i: int) -> None:
        w, x = self.state, self.X[i]
        if self.signs[i] > 0:
            np.add(w, x, out=w)
        else:
            np.subtract(w, x, out=w)
        self.counts[i] += 1

    def confirms(self) -> bool:
        """Return whether no point is wrong, all computed at once."""
        return bool((self.margins() > 0).all())

    @property
    def norm(self) -> float:
        """‖w‖."""
        return float(np.linalg.norm(self.state))

    def length(self, c: Array) -> float:
        used = np.flatnonzero(c)
        X, a = self.X[used], (c * self.y)[used]
        v = a @ X
        if not v.any() and sums_exactly(X, a):
            return 0.0
        rounding = len(used) * EPS * (np.abs(a) @ np.abs(X))
        return float(np.linalg.norm(v) + np.linalg.norm(rounding))


def sums_exactly(A: Array, c: Array) -> bool:
    """Return whether cᵀA is free of rounding, for whole numbers c, in any order of
    summation.

    It is if all entries of A are multiples of one power of two, u, and no partial
    sum can reach 2⁵³u. So it is for small integers, halves, quarters, …

    >>> sums_exactly(np.array([[0.5], [3.0]]), np.array([2.0, -1.0]))
    True
    >>> sums_exactly(np.array([[0.1], [0.2]]), np.array([2.0, -1.0]))
    False
    """
    entries = A[A != 0]
    if not entries.size:
        return True
    mantissa, exponent = np.frexp(entries)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    unit = np.ldexp((whole & -whole).astype(float), exponent - 53).min()
    largest = float((np.abs(c) @ np.abs(A)).max())
    return bool(largest < 2.0**53 * unit)
