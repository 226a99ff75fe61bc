"""Losses ℓ(y, u), convex in the prediction u, and their conjugates.

The conjugate of ℓ(y, ·) at a slope v is

    ℓ*(y, v) = sup_u  uv − ℓ(y, u),

+∞ where the supremum is. It makes the dual of the representer problem
(`kernellab.erm`), and Fenchel–Young, ℓ(y,u) + ℓ*(y,v) ≥ uv, with equality exactly
if v is a slope of ℓ(y,·) at u, is why that dual proves a fit to be optimal.

Two families: a function ρ of the residual r = u − y, for targets y ∈ ℝ, and a
function h of the margin m = yu, for labels y ∈ {−1, +1}.

    Squared        ½r²                      ℓ* = vy + ½v²
    Huber          ½r², then δ(|r| − ½δ)    ℓ* = vy + ½v²    for |v| ≤ δ
    Logistic       log(1 + e⁻ᵐ)             ℓ* = −H(−yv)     for −1 ≤ yv ≤ 0
    Hinge          max(0, 1−m)              ℓ* = yv          for −1 ≤ yv ≤ 0
    SquaredHinge   ½ max(0, 1−m)²           ℓ* = yv + ½v²    for yv ≤ 0

with the entropy H(p) = −p log p − (1−p) log(1−p). All are convex in u, closed and
bounded below by 0: what strong duality needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, xlog1py, xlogy

from kernellab.arrays import Array, one_column, positive_number, reals, require_target
from kernellab.errors import InputError


@dataclass(frozen=True)
class Loss(ABC):
    """ℓ(y, u): a convex price for predicting u where the truth is y.

    All methods work entry by entry and broadcast, in O(1) an entry.

    Examples
    --------
    >>> loss = Logistic()
    >>> loss.value(1, [-1000.0, 0.0, 1000.0]).round(4)
    array([1.000e+03, 6.931e-01, 0.000e+00])
    >>> loss.slopes([1, -1])
    (array([-1.,  0.]), array([0., 1.]))
    """

    labels: ClassVar[bool]
    """Whether y must be −1 or +1; if not, any real number."""

    smooth: ClassVar[bool] = True
    """Whether u ↦ ℓ(y, u) has a derivative everywhere."""

    rho: ClassVar[float | None] = None
    """ρ, if ℓ*(y, v) = vy + ½ρv² wherever it is finite: then (D) is a quadratic
    programme in a box. None for another conjugate."""

    def value(self, y: ArrayLike, u: ArrayLike) -> Array:
        """Return ℓ(y, u)."""
        return self._value(*_pair(y, u))

    def derivative(self, y: ArrayLike, u: ArrayLike) -> Array:
        """Return ∂ℓ/∂u; at a kink the slope nearest to zero, which is a subgradient."""
        return self._derivative(*_pair(y, u))

    def curvature(self, y: ArrayLike, u: ArrayLike) -> Array:
        """Return ∂²ℓ/∂u²; where it jumps, one of its one-sided limits."""
        return self._curvature(*_pair(y, u))

    def conjugate(self, y: ArrayLike, v: ArrayLike) -> Array:
        """Return ℓ*(y, v) = sup_u uv − ℓ(y, u); +∞ outside `slopes(y)`."""
        y, v = _pair(y, v)
        low, high = self.slopes(y)
        inside = (low <= v) & (v <= high)
        value = self._conjugate(y, np.clip(v, low, high))
        return np.where(inside, value, np.inf)

    def slopes(self, y: ArrayLike) -> tuple[Array, Array]:
        """Return the least and the largest v with ℓ*(y, v) < ∞."""
        return self._slopes(np.asarray(y, dtype=np.float64))

    def fenchel_young(self, y: ArrayLike, u: ArrayLike, v: ArrayLike) -> Array:
        """Return ℓ(y,u) + ℓ*(y,v) − uv ≥ 0; zero exactly if v is a slope of ℓ(y,·) at
        u.

        >>> loss = Hinge()
        >>> loss.fenchel_young(1, 0.5, [-1.0, -0.5, 0.5])
        array([0.  , 0.25,  inf])
        """
        uv = np.asarray(u, dtype=np.float64) * np.asarray(v, dtype=np.float64)
        result: Array = self.value(y, u) + self.conjugate(y, v) - uv
        return result

    def check(self, y: ArrayLike, n: int) -> Array:
        """Return the targets as a vector of n numbers that this loss takes.

        >>> Hinge().check([0, 1], 2)
        Traceback (most recent call last):
        ...
        kernellab.errors.InputError: Hinge() takes the labels -1 and +1; y has 0 and \
1. Write np.where(y == 1, 1, -1).
        """
        require_target(y)
        t = one_column(reals(y, "y must be an array of numbers, one for each point"), n)
        if t.shape != (n,):
            raise InputError(
                f"y must have shape ({n},), one number for each point; "
                f"got shape {t.shape}"
            )
        if not np.isfinite(t).all():
            place = int(np.argmin(np.isfinite(t)))
            raise InputError(
                f"y must be finite; y[{place}] is {t[place]}. Drop such points first."
            )
        if self.labels and not np.isin(t, (-1, 1)).all():
            raise InputError(_which_labels(self, t))
        return t

    @abstractmethod
    def _value(self, y: Array, u: Array) -> Array: ...

    @abstractmethod
    def _derivative(self, y: Array, u: Array) -> Array: ...

    @abstractmethod
    def _curvature(self, y: Array, u: Array) -> Array: ...

    @abstractmethod
    def _conjugate(self, y: Array, v: Array) -> Array:
        """Return ℓ*(y, v) where it is finite."""

    @abstractmethod
    def _slopes(self, y: Array) -> tuple[Array, Array]: ...


# --- functions of the residual ------------------------------------------------------


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


# --- functions of the margin --------------------------------------------------------


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
        result: Array = -expit(-m)
        return result

    def _bend(self, m: Array) -> Array:
        result: Array = expit(m) * expit(-m)
        return result

    def _star(self, s: Array) -> Array:
        return np.asarray(xlogy(-s, -s) + xlog1py(1 + s, s), dtype=np.float64)


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


@dataclass(frozen=True, eq=False)
class WeightedLoss(Loss):
    """s_i ℓ(y_i, u_i): a loss of n points, each with its weight s_i > 0.

    Its conjugate is s_i ℓ*(y_i, v_i/s_i). A point of weight 2 counts like two.

    Examples
    --------
    >>> loss = WeightedLoss(Squared(), np.array([1.0, 3.0]))
    >>> loss.value([0.0, 0.0], [2.0, 2.0]), loss.conjugate([0.0, 0.0], [3.0, 3.0])
    (array([2., 6.]), array([4.5, 1.5]))
    """

    loss: Loss
    s: Array

    def __post_init__(self) -> None:
        for name in ("labels", "smooth"):
            object.__setattr__(self, name, getattr(self.loss, name))

    def _value(self, y: Array, u: Array) -> Array:
        return self.s * self.loss.value(y, u)

    def _derivative(self, y: Array, u: Array) -> Array:
        return self.s * self.loss.derivative(y, u)

    def _curvature(self, y: Array, u: Array) -> Array:
        return self.s * self.loss.curvature(y, u)

    def _conjugate(self, y: Array, v: Array) -> Array:
        low, high = self.loss.slopes(y)
        return self.s * self.loss.conjugate(y, np.clip(v / self.s, low, high))

    def _slopes(self, y: Array) -> tuple[Array, Array]:
        low, high = self.loss.slopes(y)
        return self.s * low, self.s * high


def _pair(y: ArrayLike, u: ArrayLike) -> tuple[Array, Array]:
    return np.asarray(y, dtype=np.float64), np.asarray(u, dtype=np.float64)


def _which_labels(loss: Loss, y: Array) -> str:
    """Return what is wrong with labels that are not ±1, and how to repair it."""
    found = np.unique(y)
    some = " and ".join(f"{value:g}" for value in found[:2])
    wanted = f"{loss!r} takes the labels -1 and +1; y has"
    if len(found) == 2:
        return f"{wanted} {some}. Write np.where(y == {found[1]:g}, 1, -1)."
    if len(found) == 1:
        return f"{wanted} only {some}."
    return (
        f"{wanted} {len(found)} different values, {some} among them. For numbers to be "
        "predicted use Squared() or Huber(); for several classes, one class against "
        "the others."
    )
