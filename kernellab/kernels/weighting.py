"""Kernels times a function of each point: f(x) k(x,x') f(x'), and the normalisation
k(x,x')/√(k(x,x) k(x',x')), where f is 1/√k(x,x).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import NoSpectralMeasure, UndefinedValue
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.maps import Map, as_map
from kernellab.kernels.pairs import PointPairs, SelfPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, POWER, PRODUCT, Text, enclose
from kernellab.kernels.spaces import Space
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.validity import rules
from kernellab.validity.domains import Domain, PositiveDiagonal
from kernellab.validity.rules import Condition


@dataclass(frozen=True, repr=False)
class Weighted(Kernel):
    """f(x) k₁(x, x') f(x'). A kernel if k₁ is one, for every function f.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = kl.Constant(1.0).weighted(lambda X: X[:, 0])
    >>> k([[2.0], [3.0]])
    array([[4., 6.],
           [6., 9.]])
    """

    kernel: Kernel
    f: Map
    why_not_spectral = (
        "a weight f(x) that changes with x makes it depend on more than x − x'"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "f", as_map(self.f))

    @property
    def space(self) -> Space:
        return self.kernel.space

    def _weights(self, pair: PointPairs) -> tuple[Array, Array]:
        key = ("weights", self.f)
        return pair.lift(
            pair.left.remember(key, self.f.numbers),
            pair.right.remember(key, self.f.numbers),
        )

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.kernel.evaluate(pair)
        left, right = self._weights(pair)
        value *= left
        value *= right
        return value

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        left, right = self._weights(pair)
        return self.kernel.evaluate_vjp(pair, G * left * right)

    def rounding_error(self, pair: PointPairs) -> Array:
        left, right = self._weights(pair)
        return np.abs(left * right) * self.kernel.rounding_error(pair)

    def format_source(self) -> Text:
        return (
            f"{enclose(self.kernel.format_source(), ATOM)}.weighted({self.f!r})",
            ATOM,
        )

    def format_latex(self, x: str, z: str) -> Text:
        f, body = self.f.latex, enclose(self.kernel.format_latex(x, z), PRODUCT)
        return rf"{f}({x}) \, {body} \, {f}({z})", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        return Justification(rules.WEIGHT, ((self.kernel, domain),))

    def build_features(self) -> FeatureMap:
        return self.kernel.build_features().weighted(self.f.numbers, self.f.label())


@dataclass(frozen=True, repr=False)
class Normalized(Kernel):
    """k₁(x,x') / √(k₁(x,x) k₁(x',x')): a cosine between features. Needs k₁(x,x) > 0.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> kl.Linear().normalize()([[1.0, 0.0], [3.0, 3.0]]).round(3)
    array([[1.   , 0.707],
           [0.707, 1.   ]])
    """

    kernel: Kernel

    def _squares(self, points: Points) -> Array:
        """Return k₁(x,x) for the points."""

        def compute(P: Points) -> Array:
            values = self.kernel.evaluate(SelfPairs(P))
            if values.size and not values.min() > 0:
                place = int(np.argmin(values))
                raise UndefinedValue(
                    f"{self!r} needs k(x,x) > 0; at the point number {place} it is "
                    f"{values[place]:g}. Drop such points, or add a constant to the "
                    "kernel first."
                )
            return values

        result: Array = points.remember(("squares", self.kernel), compute)
        return result

    def _lengths(self, pair: PointPairs) -> tuple[Array, Array]:
        return pair.lift(
            np.sqrt(self._squares(pair.left)), np.sqrt(self._squares(pair.right))
        )

    def evaluate(self, pair: PointPairs) -> Array:
        if isinstance(pair, SelfPairs):
            return np.ones_like(self._squares(pair.left))
        value = self.kernel.evaluate(pair)
        left, right = self._lengths(pair)
        value /= left
        value /= right
        return value

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        left, right = self._lengths(pair)
        own = self.kernel.evaluate_vjp(pair, G / left / right)
        rows, columns = pair.sums(G * pair.value(self))
        at_left = self.kernel.evaluate_vjp(
            SelfPairs(pair.left), -0.5 * rows / self._squares(pair.left)
        )
        at_right = self.kernel.evaluate_vjp(
            SelfPairs(pair.right), -0.5 * columns / self._squares(pair.right)
        )
        return [sum(three) for three in zip(own, at_left, at_right, strict=True)]

    def rounding_error(self, pair: PointPairs) -> Array:
        left, right = self._lengths(pair)
        at_left = self.kernel.rounding_error(SelfPairs(pair.left)) / self._squares(
            pair.left
        )
        at_right = self.kernel.rounding_error(SelfPairs(pair.right)) / self._squares(
            pair.right
        )
        u, v = pair.lift(at_left, at_right)
        noise: Array = self.kernel.rounding_error(pair) / left / right
        return noise + np.abs(pair.value(self)) * (u + v)

    def format_source(self) -> Text:
        return f"{enclose(self.kernel.format_source(), ATOM)}.normalize()", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        top = self.kernel.format_latex(x, z)[0]
        left = enclose(self.kernel.format_latex(x, x), POWER)
        right = enclose(self.kernel.format_latex(z, z), POWER)
        return rf"\frac{{{top}}}{{\sqrt{{{left} \; {right}}}}}", PRODUCT

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if self.kernel.has_positive_diagonal(inner):
            return inner
        if isinstance(inner, PositiveDiagonal):
            return PositiveDiagonal(inner.base, (*inner.kernels, self.kernel))
        return PositiveDiagonal(inner, (self.kernel,))

    def justify(self, domain: Domain) -> Justification:
        known = isinstance(domain, PositiveDiagonal) and self.kernel in domain.kernels
        held = Condition(
            f"k₁(x, x) > 0 for every x in {domain}",
            known or self.kernel.has_positive_diagonal(domain),
            "add a constant to k₁, or leave out the points where k₁(x, x) = 0",
        )
        return Justification(rules.NORMALIZE, ((self.kernel, domain),), (held,))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def is_infinitely_divisible(self) -> bool:
        return self.kernel.is_infinitely_divisible()

    def real_power(self, p: float) -> Kernel | None:
        inner = self.kernel.real_power(p)
        return Normalized(inner) if inner else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        measure = self.kernel.build_spectral_measure(d)
        if measure.mass == 0:
            raise NoSpectralMeasure(
                f"no spectral measure for {self!r}: k(x, x) = 0, so that there is "
                "nothing to divide by"
            )
        return measure.scaled(1 / measure.mass)

    def build_features(self) -> FeatureMap:
        def inverse(P: Points) -> Array:
            result: Array = 1 / np.sqrt(self._squares(P))
            return result

        return self.kernel.build_features().weighted(inverse, "k(x,x)^(-1/2)")
