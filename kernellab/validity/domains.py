"""Domains: the set on which a kernel is, or is not, positive definite.

The same formula can be a kernel on one set and not on another: min(x,x') on x ≥ 0
but not on ℝ, cos‖x−x'‖ on ℝ but not on ℝ². So every verdict names its set.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError


class HasDiagonal(Protocol):
    """A function k(x, x') that can be evaluated at pairs of equal points."""

    def diag(self, X: Any) -> Array:
        """Return k(x_i, x_i) for every point."""
        ...


class Domain(ABC):
    """A set of points."""

    @abstractmethod
    def contains(self, point: Any) -> bool:
        """Return whether one point belongs to the set."""

    @abstractmethod
    def within(self, other: Domain) -> bool:
        """Return whether this set is known to be a part of the other."""

    @property
    @abstractmethod
    def latex(self) -> str:
        """The set as a formula."""


@dataclass(frozen=True)
class Box(Domain):
    """The points of ℝᵈ with every coordinate between `low` and `high`.

    Parameters
    ----------
    dimension : int or None
        d, or None for every d at once.
    low, high : float
        Bounds of each coordinate; infinite ones do not bind.
    closed : bool
        Whether finite bounds belong to the set.
    at_most : int or None
        Without a dimension: the largest d that is meant.

    Examples
    --------
    >>> print(Reals(), Reals(2), Orthant(1), Interval(-1, 1, closed=False), sep="; ")
    ℝᵈ for every d; ℝ²; [0, ∞); (-1, 1)
    >>> print(Reals(at_most=3), Reals(2).within(Reals(at_most=3)))
    ℝᵈ for every d ≤ 3 True
    """

    dimension: int | None = None
    low: float = -math.inf
    high: float = math.inf
    closed: bool = True
    at_most: int | None = None

    def __post_init__(self) -> None:
        for d in (self.dimension, self.at_most):
            if d is not None and d < 1:
                raise InputError(f"a dimension is at least 1, got {d}")
        if self.dimension is not None and self.at_most is not None:
            raise InputError("a box has one dimension, or several; not both")
        if not self.low < self.high:
            raise InputError(f"low must be below high, got {self.low} and {self.high}")

    def contains(self, point: Any) -> bool:
        x = np.atleast_1d(np.asarray(point, dtype=np.float64))
        if not self._has(x.size) or not np.isfinite(x).all():
            return False
        if self.closed:
            return bool((x >= self.low).all() and (x <= self.high).all())
        return bool((x > self.low).all() and (x < self.high).all())

    def within(self, other: Domain) -> bool:
        if not isinstance(other, Box):
            return False
        return (
            self._dimensions_within(other)
            and self._end(self.low, other.low, other.closed)
            and self._end(-self.high, -other.high, other.closed)
        )

    def _has(self, dimension: int) -> bool:
        """Return whether points of this dimension are meant."""
        if self.dimension is not None:
            return dimension == self.dimension
        return self.at_most is None or dimension <= self.at_most

    def _dimensions_within(self, other: Box) -> bool:
        largest = self.dimension or self.at_most
        if other.dimension is not None or largest is None:
            return (other.dimension, other.at_most) == (self.dimension, None)
        return other._has(largest)

    def _end(self, mine: float, theirs: float, theirs_closed: bool) -> bool:
        closed_ok = theirs_closed or not self.closed or math.isinf(mine)
        return mine > theirs or (mine == theirs and closed_ok)

    def meet(self, other: Box) -> Box | None:
        """Return the common part; None if there is none."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        dimension = self.dimension or other.dimension
        fits = dimension is None or (self._has(dimension) and other._has(dimension))
        if not (fits and low < high):
            return None
        limits = [box.at_most for box in (self, other) if box.at_most is not None]
        at_most = min(limits) if limits and dimension is None else None
        return Box(dimension, low, high, self.closed and other.closed, at_most)

    def of_dimension(self, dimension: int | None) -> Box:
        """Return the same bounds in another dimension."""
        return replace(self, dimension=dimension, at_most=None)

    def __str__(self) -> str:
        power = "" if self.dimension == 1 else _superscript(self.dimension)
        every = " for every d" if self.dimension is None else ""
        every += "" if self.at_most is None else f" ≤ {self.at_most}"
        return f"{self._line()}{power}{every}"

    def _line(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return "ℝ"
        opening = "[" if self.closed and not math.isinf(self.low) else "("
        closing = "]" if self.closed and not math.isinf(self.high) else ")"
        ends = [f"{end:g}".replace("inf", "∞") for end in (self.low, self.high)]
        return f"{opening}{ends[0]}, {ends[1]}{closing}"

    @property
    def latex(self) -> str:
        line = self._line().replace("ℝ", r"\mathbb{R}").replace("∞", r"\infty")
        if self.dimension == 1:
            return line
        limit = "" if self.at_most is None else rf",\ d \le {self.at_most}"
        return f"{line}^{{{self.dimension or 'd'}}}{limit}"


def Reals(dimension: int | None = None, *, at_most: int | None = None) -> Box:
    """Return ℝᵈ; without a dimension, ℝᵈ for every d, or for every d ≤ at_most."""
    return Box(dimension, at_most=at_most)


def Orthant(dimension: int | None = None) -> Box:
    """Return the points of ℝᵈ with no negative coordinate."""
    return Box(dimension, low=0.0)


def Interval(
    low: float, high: float, *, dimension: int = 1, closed: bool = True
) -> Box:
    """low ≤ x ≤ high, or low < x < high if not closed; a cube in more dimensions."""
    return Box(dimension, float(low), float(high), closed)


@dataclass(frozen=True)
class FiniteSet(Domain):
    """Finitely many points: there a Gram matrix decides.

    Examples
    --------
    >>> print(FiniteSet([[0.0], [0.5]]))
    a set of 2 points
    """

    points: tuple[Any, ...]

    def __init__(self, points: ArrayLike | Sequence[Any]) -> None:
        rows = tuple(
            tuple(map(float, p)) if isinstance(p, list | tuple | np.ndarray) else p
            for p in points  # type: ignore[union-attr]
        )
        if not rows:
            raise InputError("a finite set needs at least one point, got none")
        object.__setattr__(self, "points", rows)

    @property
    def items(self) -> Any:
        """The points as a kernel takes them."""
        if isinstance(self.points[0], tuple):
            return np.array(self.points)
        return list(self.points)

    def contains(self, point: Any) -> bool:
        if isinstance(point, np.ndarray | list):
            point = tuple(map(float, point))
        return point in self.points

    def within(self, other: Domain) -> bool:
        return all(other.contains(point) for point in self.points)

    def __str__(self) -> str:
        n = len(self.points)
        return f"a set of {n} point{'s' if n > 1 else ''}"

    @property
    def latex(self) -> str:
        return rf"\{{x_1, \dots, x_{{{len(self.points)}}}\}}"


@dataclass(frozen=True)
class Objects(Domain):
    """All objects of a kind: strings, sets, graphs, anything."""

    kind: str = "anything"

    def contains(self, point: Any) -> bool:
        return True

    def within(self, other: Domain) -> bool:
        return isinstance(other, Objects) and other.kind in (self.kind, "anything")

    def __str__(self) -> str:
        return "any set" if self.kind == "anything" else f"all {self.kind}"

    @property
    def latex(self) -> str:
        return r"\mathcal{X}" if self.kind == "anything" else rf"\text{{{self}}}"


@dataclass(frozen=True)
class PositiveDiagonal(Domain):
    """The points of `base` at which k(x,x) > 0, for each of some kernels."""

    base: Domain
    kernels: tuple[HasDiagonal, ...]

    def contains(self, point: Any) -> bool:
        if not self.base.contains(point):
            return False
        one = np.atleast_2d(point) if isinstance(self.base, Box) else [point]
        return all(k.diag(one)[0] > 0 for k in self.kernels)

    def within(self, other: Domain) -> bool:
        if isinstance(other, PositiveDiagonal):
            return self.base.within(other.base) and all(
                k in self.kernels for k in other.kernels
            )
        return self.base.within(other)

    def __str__(self) -> str:
        return f"{self.base} where {' and '.join(f'{k} > 0' for k in self._names())}"

    def _names(self) -> list[str]:
        many = len(self.kernels) > 1
        return [f"k{_subscript(i) if many else '₁'}(x, x)" for i in self._numbers()]

    def _numbers(self) -> range:
        return range(1, len(self.kernels) + 1)

    @property
    def latex(self) -> str:
        conditions = ", ".join(f"k_{i}(x, x) > 0" for i in self._numbers())
        return rf"\{{x \in {self.base.latex} : {conditions}\}}"


def common_domain(kind: str, parts: Sequence[Domain]) -> Domain:
    """Return what the domains of the parts have in common; `kind` names the points."""
    diagonals = [part for part in parts if isinstance(part, PositiveDiagonal)]
    bases = [p.base if isinstance(p, PositiveDiagonal) else p for p in parts]
    boxes = [base for base in bases if isinstance(base, Box)]
    vectors = kind == "vectors" or boxes
    base: Domain = _meet(boxes) if vectors else Objects(kind)
    kernels = dict.fromkeys(k for part in diagonals for k in part.kernels)
    return PositiveDiagonal(base, tuple(kernels)) if kernels else base


def _meet(boxes: Sequence[Box]) -> Box:
    result = Reals()
    for box in boxes:
        result = result.meet(box) or result
    return result


def _subscript(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


def _superscript(dimension: int | None) -> str:
    if dimension is None:
        return "ᵈ"
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(dimension))
