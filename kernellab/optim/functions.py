"""Functions of a vector with their gradients: smooth ones, quadratic ones, sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, describe, finite, number, reals
from kernellab.errors import InputError

CONVEX = 0.0
"""The curvature to declare for a function that is known to be convex."""

STEP = float(np.finfo(np.float64).eps) ** (1 / 3)
"""Balances the error of a central difference, O(s²), against rounding, O(eps/s)."""


class Smooth:
    """A real function of a vector w, with its gradient.

    Parameters
    ----------
    value : function of an array of shape (d,) that returns one number.
    gradient : function that returns the d partial derivatives. Without it they are
        approximated by central differences, at 2d values; about ten digits are right.
    curvature : a number m with ∇²f(w) ⪰ mI for all w ∈ Ω, if one is known: `CONVEX`,
        or m > 0 for strong convexity. It allows infima to be certified, but not
        without a gradient: differences prove nothing.

    Examples
    --------
    >>> f = Smooth(lambda w: w[0] ** 3 - w[1])
    >>> f([2.0, 1.0]), f.gradient([2.0, 1.0]).round(6)
    (7.0, array([12., -1.]))
    """

    is_affine = False

    def __init__(
        self,
        value: Callable[[Any], Any],
        gradient: Callable[[Any], Any] | None = None,
        curvature: float | None = None,
    ) -> None:
        self._value, self._gradient = value, gradient
        self._curvature = None if curvature is None else number(curvature, "curvature")

    @property
    def curvature(self) -> float | None:
        """The lower bound m of the Hessian; None if unknown, or of no use."""
        return None if self._gradient is None else self._curvature

    def __call__(self, w: ArrayLike) -> float:
        """Return the value at w: one real number, +∞ and −∞ included."""
        point = np.asarray(w, dtype=np.float64)
        result = reals(_quiet(self._value, point), "a function must return one number")
        if result.size != 1 or np.isnan(result).any():
            raise InputError(
                f"a function must return one number; at w = {point} it returned "
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
        given = reals(_quiet(self._gradient, point), "a gradient must be numbers")
        if given.shape != point.shape:
            raise InputError(f"a gradient has shape {point.shape}, not {given.shape}")
        return given


class Quadratic(Smooth):
    """The function ½wᵀQw + qᵀw + c, with a symmetric Q.

    `q_scale` is the size of the terms that were added up in q, to tell rounding from
    zero.
    """

    def __init__(
        self, Q: ArrayLike, q: ArrayLike, constant: float = 0.0, q_scale: float = 0.0
    ) -> None:
        self.q, self.constant = finite_array(q, "q", None), number(constant, "constant")
        self.Q = finite_array(Q, "Q", len(self.q), len(self.q))
        if not np.allclose(self.Q, self.Q.T, rtol=1e-12):
            raise InputError("Q must be symmetric; (Q + Q.T) / 2 has the same values")
        self.q_scale = max(q_scale, float(np.linalg.norm(self.q)))
        self.is_affine = not self.Q.any()
        super().__init__(
            lambda w: (self.Q @ w / 2 + self.q) @ w + self.constant,
            lambda w: self.Q @ w + self.q,
        )

    @property
    def curvature(self) -> float:
        """A lower bound of the eigenvalues of Q, in spite of rounding.

        Gershgorin's, min over i of Q_ii − Σ_{j≠i} |Q_ij|, is exact if Q is diagonal.
        """
        diagonal, sizes = np.diag(self.Q), np.abs(self.Q).sum(axis=1)
        discs = diagonal + np.abs(diagonal) - sizes
        error = len(sizes) * float(np.finfo(np.float64).eps) * sizes.max()
        return float(max(np.linalg.eigvalsh(self.Q)[0] - error, discs.min()))


def affine(a: ArrayLike, b: float = 0.0) -> Quadratic:
    """Return the affine function aᵀw − b.

    >>> g = affine([1.0, 2.0], 3.0)  # w₁ + 2w₂ ≤ 3 as a constraint g ≤ 0
    >>> g([1.0, 1.0]), g.gradient([0.0, 0.0])
    (0.0, array([1., 2.]))
    """
    q = finite_array(a, "a", None)
    return Quadratic(np.zeros((len(q), len(q))), q, -number(b, "b"))


def weighted_sum(weights: Sequence[float], functions: Sequence[Smooth]) -> Smooth:
    """Return Σ p_i f_i, with its curvature; a `Quadratic` if all the terms are."""
    terms = [(float(p), f) for p, f in zip(weights, functions, strict=True) if p]
    quadratic = [(p, f) for p, f in terms if isinstance(f, Quadratic)]
    if len(quadratic) == len(terms):
        return Quadratic(
            np.sum([p * f.Q for p, f in quadratic], axis=0),
            np.sum([p * f.q for p, f in quadratic], axis=0),
            sum(p * f.constant for p, f in quadratic),
            q_scale=sum(abs(p) * f.q_scale for p, f in quadratic),
        )

    def value(w: Array) -> float:
        total = sum(p * f(w) for p, f in terms)
        return math.inf if math.isnan(total) else total  # ∞ − ∞: not a minimum

    def gradient(w: Array) -> Any:
        return sum(p * f.gradient(w) for p, f in terms)

    return Smooth(value, gradient, _curvature(terms))


def _curvature(terms: Sequence[tuple[float, Smooth]]) -> float | None:
    """Return Σ p_i m_i, in which the quadratic terms count as one.

    None if it is not known, as for p_i < 0: m_i does not bound a Hessian from above.
    """
    others = [(p, f) for p, f in terms if not isinstance(f, Quadratic)]
    known = [p * f.curvature for p, f in others if p > 0 and f.curvature is not None]
    if len(known) < len(others):
        return None
    Q = sum((p * f.Q for p, f in terms if isinstance(f, Quadratic)), np.zeros((1, 1)))
    return sum(known) + Quadratic(Q, np.zeros(len(Q))).curvature


def values(functions: Sequence[Smooth], w: Array) -> Array:
    """Return the values at w as a vector."""
    return np.array([f(w) for f in functions], dtype=np.float64)


def jacobian(functions: Sequence[Smooth], w: Array) -> Array:
    """Return the gradients at w as rows."""
    return np.array([f.gradient(w) for f in functions]).reshape(-1, len(w))


def finite_array(value: ArrayLike, what: str, *shape: int | None) -> Array:
    """Return `value` as finite numbers of this shape, in which None is any length."""
    array = finite(reals(value, f"{what} must be an array of numbers"), what)
    same = (n in (None, size) for n, size in zip(shape, array.shape, strict=False))
    if array.ndim != len(shape) or not all(same):
        wanted = str(shape).replace("None", "·")
        raise InputError(f"{what} must have shape {wanted}, got {array.shape}")
    return array


def _quiet(function: Callable[[Any], Any], w: Array) -> Any:
    """Call the function; an overflow far away is an infinity, not an error."""
    with np.errstate(all="ignore"):
        try:
            return function(w)
        except OverflowError:  # from the math module
            return math.inf
