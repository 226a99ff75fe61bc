"""Quotients and powers of kernels: kernels for whole exponents, in general not else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array, number
from kernellab.kernels.algebra import Constant, print_beside
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import ATOM, POWER, PRODUCT, Text, enclose, tex_number
from kernellab.kernels.spectral import SpectralMeasure, origin
from kernellab.validity import rules
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Condition


@dataclass(frozen=True, repr=False)
class Quotient(Kernel):
    """k₁/k₂: in general not a kernel, even if k₁ and k₂ are.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> (1 / kl.sqrt(kl.Gaussian())).verdict()
    REFUTED
    """

    numerator: Kernel
    denominator: Kernel
    why_not_spectral = "no rule makes a quotient of kernels a kernel"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.space

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.numerator.evaluate(pair)
        value /= self.denominator.evaluate(pair)
        return value

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        below = pair.value(self.denominator)
        ratio = pair.value(self.numerator) / below
        return [
            *self.numerator.evaluate_vjp(pair, G / below),
            *self.denominator.evaluate_vjp(pair, -G * ratio / below),
        ]

    def rounding_error(self, pair: PointPairs) -> Array:
        below = np.abs(pair.value(self.denominator))
        top = self.numerator.rounding_error(pair)
        return top / below * (self.denominator.rounding_error(pair) / below)

    def format_source(self) -> Text:
        top = print_beside(self.numerator, self.denominator, PRODUCT)
        return f"{top} / {enclose(self.denominator.format_source(), POWER)}", PRODUCT

    def format_latex(self, x: str, z: str) -> Text:
        top, below = (
            self.numerator.format_latex(x, z)[0],
            self.denominator.format_latex(x, z)[0],
        )
        return rf"\frac{{{top}}}{{{below}}}", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        missing = Condition(
            "a rule for quotients of kernels",
            False,
            "there is none; if k₁(x,x')/√(k₁(x,x) k₁(x',x')) was meant, that is "
            "k.normalize()",
        )
        return Justification(rules.PRODUCT, conditions=(missing,))


@dataclass(frozen=True, repr=False)
class Power(Kernel):
    """k₁ᵖ (entry by entry). A kernel for p = 0, 1, 2, …; in general not for other p.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> ((kl.Linear() + 1) ** 2).verdict(), ((kl.Linear() + 1) ** 0.5).verdict()
    (PROVEN, REFUTED)
    """

    kernel: Kernel
    exponent: float | int
    why_not_spectral = (
        "p must be 0, 1, 2, …, or the base infinitely divisible (Gaussian, …)"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        p = number(self.exponent, "an exponent")
        object.__setattr__(self, "exponent", int(p) if p == int(p) else p)

    def evaluate(self, pair: PointPairs) -> Array:
        return power(self.kernel.evaluate(pair), self.exponent)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        if self.exponent == 0:
            return self.kernel.evaluate_vjp(pair, np.zeros_like(G))
        slope = self.exponent * power(pair.value(self.kernel), self.exponent - 1)
        return self.kernel.evaluate_vjp(pair, G * slope)

    def rounding_error(self, pair: PointPairs) -> Array:
        base, p = np.abs(pair.value(self.kernel)), self.exponent
        slope = abs(p) * power(base, p - 1)
        return power(base, p) + slope * self.kernel.rounding_error(pair)

    def format_source(self) -> Text:
        return (
            f"{enclose(self.kernel.format_source(), ATOM)} ** {self.exponent!r}",
            POWER,
        )

    def format_latex(self, x: str, z: str) -> Text:
        base = self.kernel.format_latex(x, z)
        body = base[0] if base[1] == ATOM else rf"\left({base[0]}\right)"
        return f"{body}^{{{tex_number(self.exponent)}}}", POWER

    def justify(self, domain: Domain) -> Justification:
        premises = ((self.kernel, domain),)
        p = self.exponent
        if p >= 0 and self.kernel.is_infinitely_divisible():
            held = Condition(f"k₁ is infinitely divisible and p = {p} ≥ 0", True)
            return Justification(rules.DIVISIBLE, premises, (held,))
        whole = Condition(
            f"p = {p} is an integer ≥ 0",
            isinstance(p, int) and p >= 0,
            "round p to an integer, or use an infinitely divisible kernel such as "
            "the Gaussian",
        )
        return Justification(rules.POWER, premises, (whole,))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel.has_positive_diagonal(domain)

    def is_infinitely_divisible(self) -> bool:
        return self.exponent >= 0 and self.kernel.is_infinitely_divisible()

    def real_power(self, p: float) -> Kernel | None:
        if self.exponent <= 0:
            return Constant(1.0) if self.exponent == 0 else None
        return self.kernel.real_power(self.exponent * p)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        if self.exponent == 0:
            return origin(d, 1.0)
        measure = self.kernel.build_spectral_measure(
            d
        )  # first, so that it names what is wrong
        if self.exponent < 0:
            return super().build_spectral_measure(d)
        raised = measure.to_the(self.exponent)  # an error if k(x, x)ᵖ is no number
        simple = self.real_power(1.0)
        if simple:
            return simple.build_spectral_measure(d)
        return (
            raised
            if isinstance(self.exponent, int)
            else super().build_spectral_measure(d)
        )

    def build_features(self) -> FeatureMap:
        if not isinstance(self.exponent, int) or self.exponent < 0:
            return super().build_features()
        return self.kernel.build_features().to_the(self.exponent)


def power(base: Array, exponent: float) -> Array:
    """baseᵖ entry by entry; by repeated multiplication for small integers."""
    if isinstance(exponent, int) and 1 <= exponent <= 64:
        result: Array | None = None
        while True:
            if exponent & 1:
                result = base.copy() if result is None else result * base
            exponent >>= 1
            if not exponent:
                assert result is not None
                return result
            base = base * base
    return np.power(base, float(exponent))
