"""Rows that were computed are kept, in a bounded amount of memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from kernellab.arrays import Array
from kernellab.svm.smo.rows import Rows
from kernellab.svm.smo.sources import Floats, Indices

MEGABYTES = 200.0
"""Memory for rows."""

CHUNK = 64
"""Rows that are added up at a time."""


class Cache:
    """Rows of K over some variables; those used last are kept.

    Parameters
    ----------
    rows : where they come from.
    dtype : float32 or float64.
    megabytes : how much may be kept; two rows at least, which a step needs.
    active : (q,) the variables; None for all. A number v, and the entries of a row,
        count within these.

    Attributes
    ----------
    capacity : how many rows can be kept.
    """

    def __init__(
        self,
        rows: Rows,
        dtype: DTypeLike,
        megabytes: float = MEGABYTES,
        active: Indices | None = None,
    ) -> None:
        self._made_of = rows, dtype, megabytes
        points = rows.points_of(active)
        size = rows.n if points is None else len(points)
        self._point = range(size) if points is None else points.tolist()
        self._whole = rows.whole if points is None else None
        width = size * np.dtype(dtype).itemsize
        fitting = max(2, int(megabytes * 1e6) // width)
        self.capacity = min(rows.n, fitting) if self._whole is None else rows.n
        self._roomy = self.capacity == rows.n
        self._kept: dict[int, Floats] = {}  # by point; the one used last is last
        if self._whole is None:
            used, self._spread = _columns(points)
            self._source = rows.source(dtype, used)
            self._scratch = np.empty(size if used is None else len(used), dtype)
            self._store = np.empty((self.capacity, size), dtype)

    def row(self, v: int) -> Floats:
        """K_v, not to be changed; it may go when two more were asked for."""
        if self._whole is not None:
            whole_row: Floats = self._whole[v]
            return whole_row
        p = self._point[v]
        found = self._kept.get(p)
        if found is None:
            return self._load(p)
        if not self._roomy:
            self._kept[p] = self._kept.pop(p)
        return found

    def block(self, V: Indices) -> Array:
        """K between some variables, in float64."""
        K = np.empty((len(V), len(V)))
        for place, v in enumerate(V.tolist()):
            K[place] = self.row(v)[V]
        return K

    def combine(self, V: Indices, weights: Array) -> Floats:
        """Σ_v weights_v K_v."""
        total: Floats = np.zeros(len(self._point))
        step = min(CHUNK, self.capacity)
        for start in range(0, len(V), step):
            some = np.array([self.row(v) for v in V[start : start + step].tolist()])
            total += weights[start : start + step].astype(some.dtype) @ some
        return total

    def _load(self, p: int) -> Floats:
        """Compute the row of a point, in the place of the one unused for longest."""
        if len(self._kept) < self.capacity:
            place: Floats = self._store[len(self._kept)]
        else:
            place = self._kept.pop(next(iter(self._kept)))
        if self._spread is None:
            self._source.write(p, place)
        else:
            self._source.write(p, self._scratch)
            np.take(self._scratch, self._spread, out=place)
        self._kept[p] = place
        return place

    def narrowed(self, active: Indices, keep: Indices) -> Cache:
        """For fewer variables: `active` of the problem, `keep` of those here."""
        other = Cache(*self._made_of, active)
        if self._whole is None and other._whole is None:
            wanted = set(other._point)
            kept = [p for p in self._kept if p in wanted][-other.capacity :]
            for p, place in zip(kept, other._store, strict=False):
                np.take(self._kept[p], keep, out=place)
                other._kept[p] = place
        return other


def _columns(points: Indices | None) -> tuple[Indices | None, Indices | None]:
    """Different points, and where each column is among them (None: in order)."""
    if points is None:
        return None, None
    used, spread = np.unique(points, return_inverse=True)
    in_order = len(used) == len(points) and bool((used == points).all())
    return used, None if in_order else spread
