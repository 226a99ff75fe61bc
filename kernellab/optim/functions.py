"""Smooth functions of a vector: value, gradient, and bounds (m, M) of the curvature.

m ≤ every eigenvalue of the Hessian ≤ M, everywhere. These bounds decide what can be
proved of an infimum, and weighted sums keep them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe, number, reals
from kernellab.errors import InputError

CONVEX = (0.0, math.inf)
"""The curvature of a function that is known to be convex, and no more."""

UNKNOWN = (-math.inf, math.inf)
"""The curvature of a function of which nothing is known."""

STEP = float(np.finfo(np.float64).eps) ** (1 / 3)
"""Balances the error of a central difference, O(s²), against rounding, O(eps/s)."""


class Smooth:
    """A real function of a vector w, with its gradient.

    Parameters
    ----------
    value : function of an array of shape (d,) that returns one number.
    gradient : function that returns the d partial derivatives. Without it they are
        approximated by central differences, at 2d values; about ten digits are right.
    text : how the function prints.
    curvature : (m, M), bounds of the eigenvalues of the Hessian on all of ℝᵈ. Declare
        `CONVEX`, or (1.0, inf) for strong convexity, and infima can be certified.

    Examples
    --------
    >>> f = Smooth(lambda w: w[0] ** 3 - w[1])
    >>> f([2.0, 1.0]), f.gradient([2.0, 1.0]).round(6)
    (7.0, array([12., -1.]))
    """

    def __init__(
        self,
        value: Callable[[Any], Any],
        gradient: Callable[[Any], Any] | None = None,
        text: str = "",
        curvature: tuple[float, float] = UNKNOWN,
    ) -> None:
        for function in (value, value if gradient is None else gradient):
            if not callable(function):
                raise InputError(
                    "value and gradient must be functions of an array w; "
                    f"got {describe(function)}"
                )
        if not curvature[0] <= curvature[1]:
            raise InputError(f"curvature must be (m, M) with m ≤ M, got {curvature}")
        self.text = text or getattr(value, "__name__", "function")
        self.curvature = curvature
        self._value, self._gradient = value, gradient

    @property
    def has_gradient(self) -> bool:
        """Whether the gradient was given, so that it is exact up to rounding."""
        return self._gradient is not None

    @property
    def is_affine(self) -> bool:
        """Whether the function is known to be affine."""
        return self.curvature == (0.0, 0.0)

    def __call__(self, w: ArrayLike) -> float:
        """Return the value at w: one real number, +∞ and −∞ included."""
        point = np.asarray(w, dtype=np.float64)
        given = _quiet(self._value, point)
        if isinstance(given, float) and given == given:  # the common case, quickly
            return float(given)
        result = reals(given, f"{self} must return one number")
        if result.size != 1 or math.isnan(float(result.item())):
            raise InputError(
                f"{self} must return one number; at w = {point} it returned "
                f"{describe(result)}"
            )
        return float(result.item())

    def gradient(self, w: ArrayLike) -> Array:
        """Return ∇f(w), of shape (d,)."""
        point = np.asarray(w, dtype=np.float64)
        if self._gradient is None:
            steps = STEP * np.maximum(1.0, np.abs(point))
            rises = [self(point + s) - self(point - s) for s in np.diag(steps)]
            return np.asarray(np.array(rises) / (2 * steps))
        given = reals(_quiet(self._gradient, point), f"the gradient of {self}")
        if given.size != point.size:
            shapes = f"{point.shape}, got {given.shape}"
            raise InputError(f"the gradient of {self} must have shape {shapes}")
        return given.reshape(-1)

    def __str__(self) -> str:
        return self.text


class Quadratic(Smooth):
    """The function ½wᵀQw + qᵀw + c.

    Parameters
    ----------
    Q : symmetric (d, d) array; None for zeros.
    q : (d,) array.
    constant : c.
    text : how the function prints.
    q_scale : size of the terms that were added up in q, to tell rounding from zero.
    """

    def __init__(
        self,
        Q: ArrayLike | None,
        q: ArrayLike,
        constant: float = 0.0,
        text: str = "",
        q_scale: float | None = None,
    ) -> None:
        self.q = finite_array(q, "q", None)
        d, self.constant = len(self.q), number(constant, "constant")
        zeros = np.broadcast_to(0.0, (d, d))  # takes no memory
        self.Q = zeros if Q is None else finite_array(Q, "Q", d, d)
        if not np.allclose(self.Q, self.Q.T, rtol=1e-12):
            raise InputError(
                "Q must be symmetric; use (Q + Q.T) / 2, which has the same quadratic "
                "form"
            )
        self.q_scale = float(np.linalg.norm(self.q)) if q_scale is None else q_scale
        s = np.zeros(1) if Q is None else np.linalg.eigvalsh(self.Q)
        super().__init__(
            lambda w: (self.Q @ w / 2 + self.q) @ w + self.constant,
            lambda w: self.Q @ w + self.q,
            text or "quadratic function",
            (float(s[0]), float(s[-1])),
        )


def affine(a: ArrayLike, b: float = 0.0, text: str = "") -> Quadratic:
    """Return the affine function aᵀw − b.

    Examples
    --------
    >>> g = affine([1.0, 2.0], 3.0)  # w₁ + 2w₂ ≤ 3 as a constraint g ≤ 0
    >>> g([1.0, 1.0]), g.gradient([0.0, 0.0])
    (0.0, array([1., 2.]))
    """
    q = finite_array(a, "a", None)
    text = text or f"affine function with gradient {q}"
    return Quadratic(None, q, -number(b, "b"), text)


def weighted_sum(weights: Sequence[float], functions: Sequence[Smooth]) -> Smooth:
    """Return Σ p_i f_i, with its curvature; a `Quadratic` if every f_i is one."""
    terms = [(float(p), f) for p, f in zip(weights, functions, strict=True) if p]
    quadratic = [(p, f) for p, f in terms if isinstance(f, Quadratic)]
    if len(quadratic) == len(terms):
        return _weighted_quadratic(quadratic)

    def value(w: Array) -> float:
        total = sum(p * f(w) for p, f in terms)
        return math.inf if math.isnan(total) else total  # ∞ − ∞: not a minimum

    def gradient(w: Array) -> Array:
        return np.asarray(sum(p * f.gradient(w) for p, f in terms))

    exact = all(f.has_gradient for _, f in terms)
    ends = [sorted(p * c for c in f.curvature) for p, f in terms]
    curvature = (sum(m for m, _ in ends), sum(M for _, M in ends))
    return Smooth(value, gradient if exact else None, "L", curvature)


def _weighted_quadratic(terms: Sequence[tuple[float, Quadratic]]) -> Quadratic:
    curved = [p * f.Q for p, f in terms if not f.is_affine]
    return Quadratic(
        np.sum(curved, axis=0) if curved else None,
        np.sum([p * f.q for p, f in terms], axis=0),
        sum(p * f.constant for p, f in terms),
        q_scale=sum(abs(p) * f.q_scale for p, f in terms),
    )


def finite_array(value: ArrayLike, what: str, *shape: int | None) -> Array:
    """Return `value` as finite numbers of this shape, in which None is any length."""
    array = reals(value, f"{what} must be an array of numbers")
    array = array.reshape([1] * len(shape)) if array.ndim == 0 else array
    fits = len(shape) == array.ndim and all(
        n in (None, size) for n, size in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = str(tuple("·" if n is None else n for n in shape)).replace("'", "")
        raise InputError(f"{what} must have shape {wanted}, got {array.shape}")
    if not np.isfinite(array).all():
        place = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            f"{what} must be finite; entry {', '.join(map(str, place))} is "
            f"{array[tuple(place)]}"
        )
    return array


def _quiet(function: Callable[[Any], Any], w: Array) -> Any:
    """Call the function; an overflow far away is an infinity, not an error."""
    with np.errstate(all="ignore"):
        try:
            return function(w)
        except OverflowError:  # from the math module
            return math.inf
