"""Losses of the residual r = u − y, for targets y ∈ ℝ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array, positive_number
from kernellab.losses.base import Loss


@dataclass(frozen=True)
class Huber(Loss):
    """½r² for |r| ≤ δ, δ(|r| − ½δ) beyond, with r = u − y. Convex, derivative in r.

    Squared for small residuals, so that it is smooth; absolute for large ones, so
    that no single point pulls harder than δ. Its conjugate is that of the squared
    loss, cut off: vy + ½v² for |v| ≤ δ.

    Parameters
    ----------
    delta : where the parabola ends; positive.

    Examples
    --------
    >>> loss = Huber(delta=1.0)
    >>> loss.value(0, [0.5, 1.0, 10.0]), loss.derivative(0, [0.5, 1.0, 10.0])
    (array([0.125, 0.5  , 9.5  ]), array([0.5, 1. , 1. ]))
    >>> loss.conjugate(2, [1.0, 1.5])
    array([2.5, inf])
    """

    delta: float = 1.0
    labels = False
    rho = 1.0

    def __post_init__(self) -> None:
        delta = positive_number(self.delta, "delta of the Huber loss")
        object.__setattr__(self, "delta", delta)

    def _value(self, y: Array, u: Array) -> Array:
        r = np.abs(u - y)
        near = np.minimum(r, self.delta)
        result: Array = near * (r - near / 2)  # ½r² if near = r
        return result

    def _derivative(self, y: Array, u: Array) -> Array:
        return np.clip(u - y, -self.delta, self.delta)

    def _curvature(self, y: Array, u: Array) -> Array:
        return np.where(np.abs(u - y) <= self.delta, 1.0, 0.0)

    def _conjugate(self, y: Array, v: Array) -> Array:
        result: Array = v * y + v**2 / 2
        return result

    def _slopes(self, y: Array) -> tuple[Array, Array]:
        high = np.full(y.shape, self.delta)
        return -high, high


@dataclass(frozen=True)
class Squared(Loss):
    """½(y − u)²: least squares. Convex and smooth.

    The conjugate is vy + ½v² on all of ℝ, so that g(u) = ‖y−u‖²/(2n) has
    g*(v) = vᵀy + (n/2)‖v‖². Who completes the square and drops
    ‖y‖²/(2n) loses strong duality with it.

    Examples
    --------
    >>> Squared().value(1, [1.0, 3.0]), Squared().conjugate(1, [0.0, -1.0])
    (array([0., 2.]), array([ 0. , -0.5]))
    """

    labels = False
    rho = 1.0

    def _value(self, y: Array, u: Array) -> Array:
        result: Array = (u - y) ** 2 / 2
        return result

    def _derivative(self, y: Array, u: Array) -> Array:
        return u - y

    def _curvature(self, y: Array, u: Array) -> Array:
        return np.ones_like(u - y)

    def _conjugate(self, y: Array, v: Array) -> Array:
        result: Array = v * y + v**2 / 2
        return result

    def _slopes(self, y: Array) -> tuple[Array, Array]:
        high = np.full(y.shape, np.inf)
        return -high, high
