"""Kernels of the minimum, Brownian and histogram intersection, and the Dirac delta."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InfiniteDimensional, InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, PRODUCT, Text
from kernellab.kernels.spaces import ANYTHING
from kernellab.validity.domains import Domain, Objects, Orthant
from kernellab.validity.rules import Condition
from kernellab.validity.theorems import DELTA, MINIMUM


@dataclass(frozen=True, repr=False)
class HistogramIntersection(Kernel):
    """Σ_c min(x_c, x'_c) for x ≥ 0: the intersection of two histograms.

    Examples
    --------
    >>> HistogramIntersection()([[1.0, 3.0], [2.0, 0.0]])
    array([[4., 1.],
           [1., 2.]])
    """

    why_not_spectral = "it is not stationary, as k(x, x) changes with x"

    def evaluate(self, pair: PointPairs) -> Array:
        for points in (pair.left.root, pair.right.root):
            points.remember_whole("≥ 0", partial(self._check, points))
        first, *rest = range(pair.left.X.shape[1])
        total = self._minimum(pair, first)
        for c in rest:
            total += self._minimum(pair, c)
        return total

    def _minimum(self, pair: PointPairs, c: int) -> Array:
        result: Array = np.minimum(*pair.lift(pair.left.X[:, c], pair.right.X[:, c]))
        return result

    def _check(self, points: Points) -> bool:
        if points.X.size and points.X.min() < 0:
            row, column = np.argwhere(points.X < 0)[0]
            raise InputError(
                f"{self!r} is defined for coordinates ≥ 0; row {row}, column {column} "
                f"is {points.X[row, column]:g}. Shift the data, or map it first "
                "(.pullback)."
            )
        return True

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\sum_c \min({x}_c, {z}_c)", PRODUCT

    def natural_domain(self) -> Domain:
        return Orthant()

    def justify(self, domain: Domain) -> Justification:
        needed = self.natural_domain()
        held = Condition(
            f"{domain} lies in {needed}", domain.within(needed), f"keep to {needed}"
        )
        return Justification(MINIMUM, conditions=(held,))

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"the features of {self!r} are indicator functions 1[s ≤ x], one for every "
            "s: infinitely many"
        )


@dataclass(frozen=True, repr=False)
class Brownian(HistogramIntersection):
    """min(x, x') for x ≥ 0 on the line: the covariance of Brownian motion.

    Examples
    --------
    >>> Brownian()([[1.0], [2.5]])
    array([[1. , 1. ],
           [1. , 2.5]])
    """

    def dimension_error(self, dimension: int) -> str | None:
        if dimension == 1:
            return None
        return "Brownian() takes points on the line, one column"

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\min({x}, {z})", ATOM

    def natural_domain(self) -> Domain:
        return Orthant(1)


@dataclass(frozen=True, repr=False)
class Delta(Kernel):
    """1 if x = x', else 0; on any set (for objects, equality of Python).

    Examples
    --------
    >>> Delta()(["a", "b", "a"])
    array([[1., 0., 1.],
           [0., 1., 0.],
           [1., 0., 1.]])
    """

    point_space = ANYTHING
    why_not_spectral = "it is stationary but not continuous, and mixtures of waves are"

    def evaluate(self, pair: PointPairs) -> Array:
        left, right = pair.lift(*pair.joint("codes", _codes))
        return np.equal(left, right).astype(np.float64)

    def format_latex(self, x: str, z: str) -> Text:
        return rf"1_{{[{x} = {z}]}}", ATOM

    def natural_domain(self) -> Domain:
        return Objects("anything")

    def justify(self, domain: Domain) -> Justification:
        return Justification(DELTA)

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            "Delta() has one feature for every point of the set, 1[x = s]; on an "
            "infinite set these are infinitely many"
        )


def _codes(left: Points, right: Points) -> tuple[Array, Array]:
    """Return a number for each point, the same for equal points."""
    codes: dict[Any, int] = {}

    def code(points: Points) -> Array:
        items = points.listed
        if isinstance(items, np.ndarray):
            items = tuple(map(tuple, items.tolist()))
        try:
            return np.array([codes.setdefault(item, len(codes)) for item in items])
        except TypeError as error:
            raise InputError(
                f"Delta() compares vectors or objects that can be hashed ({error}); "
                "make sets frozenset, lists tuple"
            ) from error

    return code(left), code(right)
