"""The set Ω over which a problem is posed: a box (ℝᵈ by default), or any region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, reals
from kernellab.errors import InputError


@dataclass(frozen=True, eq=False)
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

    low: Any
    high: Any
    dimension: int | None = None

    def __post_init__(self) -> None:
        bounds = [_bound(b, self.dimension) for b in (self.low, self.high)]
        low, high = np.broadcast_arrays(*bounds)
        if low.ndim != 1 or np.isnan(low).any() or np.isnan(high).any():
            raise InputError(
                "low and high must be vectors of the same length, without NaN; "
                f"got {self.low!r} and {self.high!r}"
            )
        if (low > high).any() or (low == np.inf).any() or (high == -np.inf).any():
            raise InputError(f"the box is empty: low = {low}, high = {high}")
        object.__setattr__(self, "low", low.copy())
        object.__setattr__(self, "high", high.copy())
        object.__setattr__(self, "dimension", len(low))

    @classmethod
    def everywhere(cls, dimension: int) -> Box:
        """Ω = ℝᵈ."""
        return cls(-np.inf, np.inf, dimension)

    @property
    def is_everything(self) -> bool:
        return bool(np.isinf(self.low).all() and np.isinf(self.high).all())

    @property
    def is_bounded(self) -> bool:
        return bool(np.isfinite(self.low).all() and np.isfinite(self.high).all())

    def contains(self, w: ArrayLike, tol: float = 0.0) -> bool:
        point = np.asarray(w, dtype=np.float64)
        return bool(
            (point >= self.low - tol).all() and (point <= self.high + tol).all()
        )

    def project(self, w: Array) -> Array:
        """The nearest point of Ω."""
        return np.clip(w, self.low, self.high)

    def sample(self, rng: np.random.Generator, scale: float = 1.0) -> Array:
        """A random point: uniform between finite bounds, else around the bound or 0."""
        normal = scale * rng.standard_normal(len(self.low))
        inside = np.isfinite(self.low) & np.isfinite(self.high)
        one_sided = np.where(np.isfinite(self.low), self.low + abs(normal), normal)
        one_sided = np.where(np.isfinite(self.high), self.high - abs(normal), one_sided)
        width = np.where(inside, self.high, 0) - np.where(inside, self.low, 0)
        uniform = np.where(inside, self.low, 0) + width * rng.random(len(self.low))
        return np.where(inside, uniform, one_sided)

    def __repr__(self) -> str:
        if self.is_everything:
            return f"ℝ^{self.dimension}"
        sides = [f"[{a:g}, {b:g}]" for a, b in zip(self.low, self.high, strict=True)]
        return " × ".join(sides)


@dataclass(frozen=True, eq=False)
class Region:
    """Ω = {w in a box : inside(w)}: any set that can be recognised point by point.

    Parameters
    ----------
    inside : function of an array of shape (d,) that returns True or False.
    box : a box that contains Ω, from which points are drawn.
    text : how the region prints.

    Examples
    --------
    >>> disc = Region(lambda w: w @ w <= 1, Box(-1.0, 1.0, dimension=2), "unit disc")
    >>> disc.contains([0.9, 0.9]), disc.contains([0.6, 0.6])
    (False, True)
    """

    inside: Callable[[Array], Any]
    box: Box
    text: str = "region"

    @property
    def dimension(self) -> int:
        return len(self.box.low)

    is_everything = False
    is_bounded = False

    def contains(self, w: ArrayLike, tol: float = 0.0) -> bool:
        point = np.asarray(w, dtype=np.float64)
        return self.box.contains(point, tol) and bool(self.inside(point))

    def sample(self, rng: np.random.Generator, scale: float = 1.0) -> Array:
        """A random point of Ω, by rejection."""
        for attempt in range(1000):
            point = self.box.sample(rng, scale * 2.0 ** (attempt // 100))
            if self.inside(point):
                return point
        raise InputError(
            f"found no point of {self.text} among 1000 random ones; "
            "give a box that fits it better"
        )

    def __repr__(self) -> str:
        return self.text


Domain = Box | Region


def _bound(value: Any, dimension: int | None) -> Array:
    bound = reals(value, "a bound of a box must be numbers")
    return (
        np.broadcast_to(bound, (dimension,))
        if bound.ndim == 0 and dimension
        else (bound.reshape(1) if bound.ndim == 0 else bound)
    )
