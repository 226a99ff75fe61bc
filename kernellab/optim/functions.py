"""Smooth functions of a vector, with their gradients: given, or by differences."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe, number, reals
from kernellab.errors import InputError

Gradient = Callable[[Array], ArrayLike] | Literal["central", "complex"]
"""A function that returns the gradient, or the way to approximate it."""

STEP = float(np.finfo(np.float64).eps) ** (1 / 3)
"""Balances the error of a central difference, O(s²), against rounding, O(eps/s)."""


@dataclass(frozen=True, eq=False)
class Smooth:
    """A real function of a vector w, and its gradient.

    Parameters
    ----------
    value : function of an array of shape (d,) that returns one number.
    gradient : function that returns the d partial derivatives; or "central", for
        central differences (about ten digits); or "complex", for
        Im value(w + is e_j)/s (all digits, if `value` is analytic and takes complex
        arrays: no abs, no comparisons).
    text : how the function prints.
    is_affine : whether it is known to be affine.

    Notes
    -----
    A gradient by differences costs 2d values ("central") or d values ("complex").

    Examples
    --------
    >>> f = Smooth(lambda w: w[0] ** 3 - w[1], gradient="complex")
    >>> f([2.0, 1.0]), f.slope([2.0, 1.0])
    (7.0, array([12., -1.]))
    """

    value: Callable[[Any], Any]
    gradient: Gradient = "central"
    text: str = ""
    is_affine: bool = False

    def __post_init__(self) -> None:
        if not callable(self.value):
            raise InputError(
                "a function must be something that can be called with an array w; "
                f"got {describe(self.value)}"
            )
        if not callable(self.gradient) and self.gradient not in ("central", "complex"):
            raise InputError(
                "gradient must be a function, 'central' or 'complex'; "
                f"got {describe(self.gradient)}"
            )

    def __call__(self, w: ArrayLike) -> float:
        """The value at w: one real number, +∞ and −∞ included."""
        point = np.asarray(w, dtype=np.float64)
        given = _quiet(self.value, point)
        if isinstance(given, float) and given == given:  # the common case, quickly
            return float(given)
        result = reals(given, f"{self} must return one number")
        if result.size != 1 or math.isnan(float(result.item())):
            raise InputError(
                f"{self} must return one number; at w = {point} it returned "
                f"{describe(result)}"
            )
        return float(result.item())

    def slope(self, w: ArrayLike) -> Array:
        """∇f(w), of shape (d,)."""
        point = np.asarray(w, dtype=np.float64)
        if callable(self.gradient):
            slope = _quiet(self.gradient, point)
            given = reals(slope, f"the gradient of {self}").reshape(-1)
            if given.shape != point.shape:
                raise InputError(
                    f"the gradient of {self} must have shape {point.shape}, "
                    f"got {given.shape}"
                )
            return given
        if self.gradient == "complex":
            return self._complex(point)
        return self._central(point)

    def _central(self, w: Array) -> Array:
        steps = STEP * np.maximum(1.0, np.abs(w))
        rises = [self(w + move) - self(w - move) for move in np.diag(steps)]
        return np.asarray(np.array(rises) / (2 * steps))

    def _complex(self, w: Array) -> Array:
        tiny = 1e-30  # no difference is taken, so nothing cancels
        moves = 1j * tiny * np.eye(len(w))
        try:
            with warnings.catch_warnings():  # the imaginary part must not get lost
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                parts = [np.imag(np.asarray(self.value(w + m)).item()) for m in moves]
        except (TypeError, ValueError, np.exceptions.ComplexWarning) as error:
            raise InputError(
                f"{self} does not take complex numbers ({error}); "
                "use gradient='central'"
            ) from error
        return np.array(parts, dtype=np.float64) / tiny

    def __str__(self) -> str:
        return self.text or getattr(self.value, "__name__", "function")


def affine(a: ArrayLike, b: float = 0.0, text: str = "") -> Smooth:
    """The affine function aᵀw − b, with its exact gradient a.

    Examples
    --------
    >>> g = affine([1.0, 2.0], 3.0)  # w₁ + 2w₂ ≤ 3 as a constraint g ≤ 0
    >>> g([1.0, 1.0]), g.slope([0.0, 0.0])
    (0.0, array([1., 2.]))
    """
    slope = finite_vector(a, "a")
    offset = number(b, "b")
    return Smooth(
        lambda w: slope @ w - offset,
        lambda w: slope,
        text or f"affine function with slope {slope}",
        is_affine=True,
    )


def smooth(function: Smooth | Callable[[Any], Any], text: str) -> Smooth:
    """`function` as a `Smooth`; a plain function gets central differences."""
    return function if isinstance(function, Smooth) else Smooth(function, text=text)


def finite_vector(value: ArrayLike, what: str, size: int | None = None) -> Array:
    """`value` as a vector of finite numbers, of a given length if there is one."""
    vector = reals(value, f"{what} must be a vector of numbers")
    vector = vector.reshape(1) if vector.ndim == 0 else vector
    if vector.ndim != 1 or (size is not None and len(vector) != size):
        wanted = "(d,)" if size is None else f"({size},)"
        raise InputError(f"{what} must have shape {wanted}, got {vector.shape}")
    if not np.isfinite(vector).all():
        place = int(np.argmin(np.isfinite(vector)))
        raise InputError(f"{what} must be finite; entry {place} is {vector[place]}")
    return vector


def _quiet(function: Callable[[Any], Any], w: Array) -> Any:
    """The value; far away it may overflow, which is an infinity and no accident."""
    with np.errstate(all="ignore"):
        try:
            return function(w)
        except OverflowError:  # from the math module
            return math.inf
