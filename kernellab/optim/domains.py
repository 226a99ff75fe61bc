"""The set Ω over which a problem is posed: a box (ℝᵈ by default), or any region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe, reals
from kernellab.errors import InputError


class Box:
    """Ω = {w : low ≤ w ≤ high}, entry by entry; infinite bounds are allowed.

    Parameters
    ----------
    low, high : arrays of shape (d,), or numbers if `dimension` is given.
    dimension : d.

    Examples
    --------
    >>> Box(0.0, 1.0, dimension=2).contains([0.5, 1.5])
    False
    >>> Box.everywhere(3)
    ℝ^3
    """

    def __init__(
        self, low: ArrayLike, high: ArrayLike, dimension: int | None = None
    ) -> None:
        bounds = [reals(b, "a bound of a box must be numbers") for b in (low, high)]
        shape = np.broadcast_shapes(*(b.shape for b in bounds), (dimension or 1,))
        self.low, self.high = (np.array(np.broadcast_to(b, shape)) for b in bounds)
        if self.low.ndim != 1 or np.isnan([self.low, self.high]).any():
            raise InputError(
                "low and high must be vectors of the same length, without NaN; "
                f"got {low!r} and {high!r}"
            )
        empty = (self.low > self.high) | (self.low == np.inf) | (self.high == -np.inf)
        if empty.any():
            raise InputError(f"the box is empty: low = {self.low}, high = {self.high}")
        self.dimension = len(self.low)

    @classmethod
    def everywhere(cls, dimension: int) -> Box:
        """Return Ω = ℝᵈ."""
        return cls(-np.inf, np.inf, dimension)

    @property
    def is_everything(self) -> bool:
        """Whether Ω = ℝᵈ."""
        return bool(np.isinf(self.low).all() and np.isinf(self.high).all())

    @property
    def is_bounded(self) -> bool:
        """Whether all bounds are finite."""
        return bool(np.isfinite(self.low).all() and np.isfinite(self.high).all())

    @property
    def sides(self) -> list[tuple[float, float]]:
        """The bounds (low, high) of each coordinate."""
        return list(zip(self.low, self.high, strict=True))

    def contains(self, w: ArrayLike) -> bool:
        """Return whether w ∈ Ω."""
        point = np.asarray(w, dtype=np.float64)
        return bool((point >= self.low).all() and (point <= self.high).all())

    def project(self, w: Array) -> Array:
        """Return the nearest point of Ω."""
        return np.clip(w, self.low, self.high)

    def within(self, radius: float) -> Box:
        """Return the part of Ω that is within `radius` of its point nearest to 0."""
        centre = self.project(np.zeros(self.dimension))
        return Box(self.project(centre - radius), self.project(centre + radius))

    def normals(self, w: Array, tol: float) -> Array:
        """Return the outward normals of the sides that w lies on, as rows."""
        unit, near = np.eye(self.dimension), tol * (1 + np.abs(w))
        return np.vstack([-unit[w <= self.low + near], unit[w >= self.high - near]])

    def sample(self, rng: np.random.Generator, scale: float = 1.0) -> Array:
        """Draw a point: uniform between finite bounds, else around a bound or 0."""
        far = scale * rng.standard_normal(self.dimension)
        share = rng.random(self.dimension)
        below, above = np.isfinite(self.low), np.isfinite(self.high)
        start, end = np.where(below, self.low, 0.0), np.where(above, self.high, 0.0)
        uniform = start + (end - start) * share
        one_sided = np.where(
            below, start + abs(far), np.where(above, end - abs(far), far)
        )
        return np.where(below & above, uniform, one_sided)

    def __repr__(self) -> str:
        if self.is_everything:
            return f"ℝ^{self.dimension}"
        sides = [f"[{a:g}, {b:g}]" for a, b in self.sides]
        return " × ".join(sides)


@dataclass(frozen=True)
class Region:
    """Ω = {w ∈ ℝᵈ : inside(w)}: any set that can be recognised point by point.

    No search is made in it, so a problem over it needs a formula for its θ_D.

    Parameters
    ----------
    inside : function of an array of shape (d,) that returns True or False.
    dimension : d.
    text : how the region prints.

    Examples
    --------
    >>> disc = Region(lambda w: w @ w <= 1, 2, "unit disc")
    >>> disc.contains([0.9, 0.9]), disc.contains([0.6, 0.6])
    (False, True)
    """

    inside: Callable[[Array], Any]
    dimension: int
    text: str = "region"

    def contains(self, w: ArrayLike) -> bool:
        """Return whether w ∈ Ω."""
        return bool(self.inside(np.asarray(w, dtype=np.float64)))

    def normals(self, w: Array, tol: float) -> Array:
        """Return no normals: nothing is known of the boundary."""
        return np.zeros((0, self.dimension))

    def __repr__(self) -> str:
        return self.text


Domain = Box | Region


def read_domain(value: object) -> Domain:
    """Return a box or a region as it is, and ℝᵈ for a number d."""
    if isinstance(value, Box | Region):
        return value
    if isinstance(value, int | np.integer) and value is not True and value > 0:
        return Box.everywhere(int(value))
    raise InputError(
        "domain must be a Box, a Region, or the number of variables; "
        f"got {describe(value)}"
    )
