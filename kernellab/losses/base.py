"""What every loss ℓ(y, u) can answer: its value, its slopes, its conjugate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, one_column, reals, require_target
from kernellab.errors import InputError


@dataclass(frozen=True)
class Loss(ABC):
    """ℓ(y, u): a convex price for predicting u where the truth is y.

    All methods work entry by entry and broadcast, in O(1) an entry.

    Examples
    --------
    >>> from kernellab.losses import Logistic
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

        >>> from kernellab.losses import Hinge
        >>> loss = Hinge()
        >>> loss.fenchel_young(1, 0.5, [-1.0, -0.5, 0.5])
        array([0.  , 0.25,  inf])
        """
        uv = np.asarray(u, dtype=np.float64) * np.asarray(v, dtype=np.float64)
        result: Array = self.value(y, u) + self.conjugate(y, v) - uv
        return result

    def check(self, y: ArrayLike, n: int) -> Array:
        """Return the targets as a vector of n numbers that this loss takes.

        >>> from kernellab.losses import Hinge
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


@dataclass(frozen=True, eq=False)
class WeightedLoss(Loss):
    """s_i ℓ(y_i, u_i): a loss of n points, each with its weight s_i > 0.

    Its conjugate is s_i ℓ*(y_i, v_i/s_i). A point of weight 2 counts like two.

    Examples
    --------
    >>> from kernellab.losses import Squared
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
