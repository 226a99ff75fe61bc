"""The set Ω over which a problem is posed: a box (ℝᵈ by default), or any region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, reals
from kernellab.errors import InputError


class Box:
    """Ω = {w : low ≤ w ≤ high}, entry by entry; infinite bounds are allowed.

    >>> Box([0.0, 0.0], [1.0, 1.0]).contains([0.5, 1.5])
    False
    >>> Box.everywhere(3)
    ℝ^3
    """

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        self.low, self.high = (
            reals(b, "a bound of a box must be numbers") for b in (low, high)
        )
        vectors = self.low.ndim == 1 and self.low.shape == self.high.shape
        if not vectors or not (self.low <= self.high).all():
            raise InputError(
                "low and high must be vectors of the same length, low ≤ high; "
                f"got {low!r} and {high!r}"
            )
        self.dimension = len(self.low)

    @classmethod
    def everywhere(cls, dimension: int) -> Box:
        """Return Ω = ℝᵈ."""
        return cls(np.full(dimension, -np.inf), np.full(dimension, np.inf))

    @property
    def is_everything(self) -> bool:
        """Whether Ω = ℝᵈ."""
        return bool(np.isinf(self.low).all() and np.isinf(self.high).all())

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
        """Draw a point: uniform between finite bounds, else normal, moved into Ω."""
        far = scale * rng.standard_normal(self.dimension)
        share = rng.random(self.dimension)
        with np.errstate(invalid="ignore"):
            uniform = self.low + (self.high - self.low) * share
        return np.where(np.isfinite(uniform), uniform, self.project(far))

    def __repr__(self) -> str:
        if self.is_everything:
            return f"ℝ^{self.dimension}"
        sides = zip(self.low, self.high, strict=True)
        return " × ".join(f"[{a:g}, {b:g}]" for a, b in sides)


@dataclass(frozen=True)
class Region:
    """Ω = {w ∈ ℝᵈ : inside(w)}: any set that can be recognised point by point.

    No search is made in it, so a problem over it needs a formula for its θ_D.

    >>> disc = Region(lambda w: w @ w <= 1, dimension=2, text="unit disc")
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
