"""Named functions of a point: the φ of k(φ(x), φ(x')), the f of f(x) k(x,x') f(x')."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab.arrays import Array, describe, numbers, reals
from kernellab.errors import InputError
from kernellab.kernels.points import Points
from kernellab.validity.domains import Domain, Reals


@dataclass(frozen=True)
class Map:
    """A function that takes all points at once, with a name to print.

    Parameters
    ----------
    function : takes the (n, d) array of points (or one object, for points that are not
        vectors) and returns one row, or one number, for each point.
    name : how it prints; the function's own name by default.
    into : the set that it maps into, if that matters (min(x,x') needs x ≥ 0).
        It is taken as declared.
    latex : how it prints in formulas.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> squares = Map(lambda X: X**2, "squares", into=kl.Orthant())
    >>> kl.HistogramIntersection().pullback(squares)([[-1.0], [2.0]])
    array([[1., 1.],
           [1., 4.]])
    """

    function: Callable[[Any], Any]
    name: str = ""
    into: Domain = field(default_factory=Reals)
    latex: str = ""

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(
                f"expected a function of the points, got {self.function!r}"
            )
        object.__setattr__(self, "name", self.name or name_of(self.function, "f"))
        object.__setattr__(self, "latex", self.latex or _tex_name(self.name))

    def __repr__(self) -> str:
        return self.name

    def label(self, number: int | str = "") -> str:
        """Return φ2(x) for the second coordinate of the image; (x/σ)2 if φ is a
        formula.
        """
        if self.name.isidentifier():
            return f"{self.name}{number}(x)"
        return f"({self.name}){number}" if number else self.name

    def rows(self, points: Points) -> Array:
        """Return the images, one row per point."""
        values = self._values(points)
        return values[:, None] if values.ndim == 1 else values

    def numbers(self, points: Points) -> Array:
        """Return the images, one number per point."""
        values = self._values(points)
        if values.size != len(points):
            raise InputError(
                f"{self.name} must return one number for each of the {len(points)} "
                f"points; it returned shape {values.shape}"
            )
        return values.reshape(len(points))

    def _values(self, points: Points) -> Array:
        if points.width is not None:
            images = self.function(points.X)
        else:
            images = [self.function(item) for item in points.items]
        values = reals(images, f"{self.name} must return numbers")
        if values.ndim not in (1, 2) or len(values) != len(points):
            raise InputError(
                f"{self.name} must return an array with one row for each of the "
                f"{len(points)} points; it returned shape {values.shape}. It is called "
                "with all points at once: write it for arrays."
            )
        if not np.isfinite(values).all():
            raise InputError(f"{self.name} returned a value that is not finite")
        return values


@dataclass(frozen=True)
class Affine:
    """x ↦ Ax + b. Of the maps, a pullback by this one leaves k stationary.

    Parameters
    ----------
    A : (c, d) array.
    b : c numbers; 0 if not given.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> shear = Affine([[1.0, 0.5], [0.0, 1.0]])
    >>> kl.Gaussian().pullback(shear)([[0.0, 0.0], [1.0, -2.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    A: tuple[tuple[float, ...], ...]
    b: float | tuple[float, ...] = 0.0

    def __post_init__(self) -> None:
        A = reals(self.A, "A must be a matrix of numbers")
        if A.ndim != 2 or A.size == 0 or not np.isfinite(A).all():
            raise InputError(
                f"A must be a finite (c, d) matrix, got {describe(self.A)}"
            )
        b = numbers(self.b, "b")
        if isinstance(b, tuple) and len(b) != len(A):
            raise InputError(f"b must have {len(A)} entries, one per row of A; got {b}")
        object.__setattr__(self, "A", tuple(map(tuple, A.tolist())))
        object.__setattr__(self, "b", b)

    @property
    def matrix(self) -> Array:
        """A, as an array."""
        return np.array(self.A)

    def __call__(self, X: Array) -> Array:
        A = self.matrix
        if X.shape[1] != A.shape[1]:
            raise InputError(
                f"x ↦ Ax + b with A of {A.shape[0]}×{A.shape[1]} takes points with "
                f"{A.shape[1]} columns, got {X.shape[1]}"
            )
        image: Array = X @ A.T + np.array(self.b)
        return image


def as_map(function: Map | Callable[[Any], Any]) -> Map:
    """Return a function, named."""
    return function if isinstance(function, Map) else Map(function)


def name_of(function: Callable[..., Any], otherwise: str) -> str:
    """Return the name under which a function was defined, if it has one."""
    name: str = getattr(function, "__name__", otherwise)
    return otherwise if name == "<lambda>" else name


def _tex_name(name: str) -> str:
    return name if len(name) == 1 else rf"\mathrm{{{name.replace('_', ' ')}}}"
