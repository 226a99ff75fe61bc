"""Losses of the margin m = yu, for labels y ∈ {−1, +1}."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from kernellab.arrays import Array
from kernellab.losses.base import Loss


@dataclass(frozen=True)
class MarginLoss(Loss):
    """h(yu) for labels y = ±1, with h convex and not increasing.

    As y² = 1, the slope is yh'(m), the curvature h''(m) and the conjugate h*(yv).
    A new loss of this kind writes h, its two derivatives and its conjugate.
    """

    labels = True
    steepest: ClassVar[float]
    """The least slope of h: h* is finite on [steepest, 0]."""

    def _value(self, y: Array, u: Array) -> Array:
        return self._h(y * u)

    def _derivative(self, y: Array, u: Array) -> Array:
        return y * self._slope(y * u)

    def _curvature(self, y: Array, u: Array) -> Array:
        return self._bend(y * u)

    def _conjugate(self, y: Array, v: Array) -> Array:
        return self._star(y * v)

    def _slopes(self, y: Array) -> tuple[Array, Array]:
        zero, end = np.zeros(y.shape), np.where(y > 0, 1, -1) * self.steepest
        return np.minimum(end, zero), np.maximum(end, zero)

    @abstractmethod
    def _h(self, m: Array) -> Array:
        """Return h(m)."""

    @abstractmethod
    def _slope(self, m: Array) -> Array:
        """Return h'(m)."""

    @abstractmethod
    def _bend(self, m: Array) -> Array:
        """Return h''(m)."""

    @abstractmethod
    def _star(self, s: Array) -> Array:
        """Return h*(s) for steepest ≤ s ≤ 0."""


@dataclass(frozen=True)
class Logistic(MarginLoss):
    """log(1 + e^(−yu)). Convex and smooth; −log of P(y | u) = 1/(1 + e^(−yu)).

    With p = −yv, the conjugate is p log p + (1−p) log(1−p) for 0 ≤ p ≤ 1: minus the
    entropy of a coin that shows heads with probability p.

    Examples
    --------
    >>> Logistic().derivative(1, [-1000.0, 0.0, 1000.0])
    array([-1. , -0.5, -0. ])
    >>> Logistic().conjugate(1, [-1.0, -0.5, 0.0, 0.1]).round(4)
    array([ 0.    , -0.6931,  0.    ,     inf])
    """

    steepest = -1.0

    def _h(self, m: Array) -> Array:
        return np.logaddexp(0.0, -m)

    def _slope(self, m: Array) -> Array:
        result: Array = -scipy.special.expit(-m)
        return result

    def _bend(self, m: Array) -> Array:
        result: Array = scipy.special.expit(m) * scipy.special.expit(-m)
        return result

    def _star(self, s: Array) -> Array:
        return np.asarray(
            scipy.special.xlogy(-s, -s) + scipy.special.xlog1py(1 + s, s),
            dtype=np.float64,
        )


@dataclass(frozen=True)
class Hinge(MarginLoss):
    """max(0, 1 − yu): the support vector machine's loss. Convex, with a kink at yu = 1.

    The conjugate is yv for −1 ≤ yv ≤ 0: linear, so the dual is a quadratic
    programme in a box.

    Examples
    --------
    >>> Hinge().value(-1, [-2.0, 0.0, 2.0]), Hinge().derivative(-1, [-2.0, 0.0, 2.0])
    (array([0., 1., 3.]), array([-0.,  1.,  1.]))
    """

    smooth = False
    steepest = -1.0
    rho = 0.0

    def _h(self, m: Array) -> Array:
        return np.maximum(0.0, 1 - m)

    def _slope(self, m: Array) -> Array:
        return np.where(m < 1, -1.0, 0.0)

    def _bend(self, m: Array) -> Array:
        return np.zeros_like(m)

    def _star(self, s: Array) -> Array:
        return s


@dataclass(frozen=True)
class SquaredHinge(MarginLoss):
    """½ max(0, 1 − yu)². Convex, with a derivative; its curvature jumps at yu = 1.

    The conjugate is yv + ½v² for yv ≤ 0.

    Examples
    --------
    >>> SquaredHinge().value(1, [-1.0, 1.0, 2.0])
    array([2., 0., 0.])
    >>> SquaredHinge().conjugate(1, [-3.0, 1.0])
    array([1.5, inf])
    """

    steepest = -np.inf
    rho = 1.0

    def _h(self, m: Array) -> Array:
        result: Array = np.maximum(0.0, 1 - m) ** 2 / 2
        return result

    def _slope(self, m: Array) -> Array:
        return np.minimum(0.0, m - 1)

    def _bend(self, m: Array) -> Array:
        return np.where(m < 1, 1.0, 0.0)

    def _star(self, s: Array) -> Array:
        result: Array = s + s**2 / 2
        return result
