"""Functions of the value of a kernel: exp(k), q(k), tanh(k)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab.arrays import Array, numbers
from kernellab.errors import InfiniteDimensional
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.powers import power
from kernellab.kernels.printing import ATOM, PRODUCT, SUM, Text, enclose, tex_number
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.kernels.weighting import Normalized
from kernellab.validity import rules
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Condition


@dataclass(frozen=True, repr=False)
class Exp(Kernel):
    """exp(k₁). A kernel if k₁ is one.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> kl.exp(kl.Linear())([[0.0], [1.0]]).round(3)
    array([[1.   , 1.   ],
           [1.   , 2.718]])
    """

    kernel: Kernel

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.kernel.evaluate(pair)
        return np.exp(value, out=value)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return self.kernel.evaluate_vjp(pair, G * pair.value(self))

    def rounding_error(self, pair: PointPairs) -> Array:
        return pair.value(self) * (1 + self.kernel.rounding_error(pair))

    def format_source(self) -> Text:
        return f"exp({self.kernel!r})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\exp\left({self.kernel.format_latex(x, z)[0]}\right)", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        return Justification(rules.EXP, ((self.kernel, domain),))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def is_infinitely_divisible(self) -> bool:
        return True  # exp(k₁)^{1/m} = exp(k₁/m)

    def real_power(self, p: float) -> Kernel:
        return Exp(p * self.kernel)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return self.kernel.build_spectral_measure(d).exp()

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} contains every power of its argument: its feature space has "
            "infinite dimension in general. A polynomial of low degree approximates it."
        )


@dataclass(frozen=True, repr=False)
class Tanh(Kernel):
    """tanh(k₁), the "sigmoid kernel": in general not a kernel.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> kl.tanh(kl.Linear() - 1).verdict()
    REFUTED
    """

    kernel: Kernel
    why_not_spectral = "tanh has negative coefficients, and a measure is not negative"

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.kernel.evaluate(pair)
        return np.tanh(value, out=value)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return self.kernel.evaluate_vjp(pair, G * (1 - pair.value(self) ** 2))

    def rounding_error(self, pair: PointPairs) -> Array:
        value = pair.value(self)
        return np.abs(value) + (1 - value**2) * self.kernel.rounding_error(pair)

    def format_source(self) -> Text:
        return f"tanh({self.kernel!r})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\tanh\left({self.kernel.format_latex(x, z)[0]}\right)", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        missing = Condition(
            "coefficients ≥ 0 in the power series of tanh",
            False,
            "its series is t − t³/3 + …; use exp(k) or a polynomial with coefficients "
            "≥ 0",
        )
        return Justification(rules.POLYNOMIAL, conditions=(missing,))


@dataclass(frozen=True, repr=False)
class PolynomialOf(Kernel):
    """q(k₁) = q₀ + q₁k₁ + q₂k₁² + … . A kernel if every q_j ≥ 0.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = kl.Linear().polynomial((1, 0, 2))
    >>> k([[1.0], [3.0]])
    array([[  3.,  19.],
           [ 19., 163.]])
    """

    kernel: Kernel
    coefficients: tuple[float, ...] = field(metadata=par.LOG)
    why_not_spectral = "a coefficient is negative, and a measure is not"

    def __post_init__(self) -> None:
        super().__post_init__()
        q = numbers(np.atleast_1d(self.coefficients), "the coefficients of q")
        object.__setattr__(self, "coefficients", q)

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.kernel.evaluate(pair)
        total = np.full_like(value, self.coefficients[-1])
        for q in reversed(self.coefficients[:-1]):
            total *= value
            total += q
        return total

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        value = pair.value(self.kernel)
        own = [
            q * float(np.vdot(G, power(value, j)))
            for j, q in enumerate(self.coefficients)
            if q > 0
        ]
        slope = np.polynomial.polynomial.polyval(
            value, np.polynomial.polynomial.polyder(self.coefficients)
        )
        return own + self.kernel.evaluate_vjp(pair, G * slope)

    def rounding_error(self, pair: PointPairs) -> Array:
        sizes = np.abs(self.coefficients)
        noise = self.kernel.rounding_error(pair)
        return np.asarray(np.polynomial.polynomial.polyval(noise, sizes), np.float64)

    def format_source(self) -> Text:
        body = enclose(self.kernel.format_source(), ATOM)
        return f"{body}.polynomial({self.coefficients!r})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        body = rf"\left({self.kernel.format_latex(x, z)[0]}\right)"
        powers = [
            "",
            body,
            *(f"{body}^{{{j}}}" for j in range(2, len(self.coefficients))),
        ]
        terms = [
            power if q == 1 and power else rf"{tex_number(q)} \, {power}"
            for q, power in zip(self.coefficients, powers, strict=False)
            if q != 0
        ]
        return " + ".join(terms).replace("+ -", "- ") or "0", SUM

    def justify(self, domain: Domain) -> Justification:
        bad = [f"q{j} = {q:g}" for j, q in enumerate(self.coefficients) if q < 0]
        held = Condition(
            f"the coefficients {self.coefficients} are ≥ 0"
            + (f" (but {', '.join(bad)})" if bad else ""),
            not bad,
            "use coefficients ≥ 0",
        )
        return Justification(rules.POLYNOMIAL, ((self.kernel, domain),), (held,))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.coefficients[0] > 0 or (
            any(q > 0 for q in self.coefficients)
            and self.kernel.has_positive_diagonal(domain)
        )

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        measure = self.kernel.build_spectral_measure(d)
        if min(self.coefficients) < 0:
            return super().build_spectral_measure(d)
        return measure.polynomial(self.coefficients)

    def build_features(self) -> FeatureMap:
        phi = self.kernel.build_features()
        if min(self.coefficients) < 0:
            return super().build_features()
        return FeatureMap.beside(
            [
                phi.to_the(j).scaled(float(np.sqrt(q)))
                for j, q in enumerate(self.coefficients)
                if q > 0 or j == 0
            ]
        )


def exp(kernel: Kernel) -> Kernel:
    """Return exp(k)."""
    return Exp(_a_kernel(kernel, "exp"))


def tanh(kernel: Kernel) -> Kernel:
    """Return tanh(k)."""
    return Tanh(_a_kernel(kernel, "tanh"))


def sqrt(kernel: Kernel) -> Kernel:
    """Return √k, entry by entry."""
    return _a_kernel(kernel, "sqrt") ** 0.5


def normalize(kernel: Kernel) -> Kernel:
    """Return k(x,x') / √(k(x,x) k(x',x'))."""
    return Normalized(_a_kernel(kernel, "normalize"))


def _a_kernel(thing: Any, name: str) -> Kernel:
    if not isinstance(thing, Kernel):
        raise TypeError(f"kernels.{name} takes a kernel, got {thing!r}")
    return thing
