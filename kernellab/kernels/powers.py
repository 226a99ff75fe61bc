"""Quotients and powers of kernels: kernels for whole exponents, in general not else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.features import FeatureMap
from kernellab.kernels import parameters as par
from kernellab.kernels.algebra import Constant, print_beside
from kernellab.kernels.base import Kernel
from kernellab.kernels.pairs import Pair
from kernellab.kernels.points import Array
from kernellab.kernels.printing import ATOM, POWER, PRODUCT, Text, enclose, tex_number
from kernellab.kernels.spectral import SpectralMeasure, origin
from kernellab.validity import rules
from kernellab.validity.domains import Domain
from kernellab.validity.rules import Condition, Justification


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
    _no_waves = "no rule makes a quotient of kernels a kernel"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.space

    def _value(self, pair: Pair) -> Array:
        value = self.numerator._value(pair)
        value /= self.denominator._value(pair)
        return value

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        below = pair.value(self.denominator)
        ratio = pair.value(self.numerator) / below
        return [
            *self.numerator._pull(pair, G / below),
            *self.denominator._pull(pair, -G * ratio / below),
        ]

    def _noise(self, pair: Pair) -> Array:
        below = np.abs(pair.value(self.denominator))
        top = self.numerator._noise(pair)
        return top / below * (self.denominator._noise(pair) / below)

    def _print(self) -> Text:
        top = print_beside(self.numerator, self.denominator, PRODUCT)
        return f"{top} / {enclose(self.denominator._print(), POWER)}", PRODUCT

    def _latex(self, x: str, z: str) -> Text:
        top, below = self.numerator._latex(x, z)[0], self.denominator._latex(x, z)[0]
        return rf"\frac{{{top}}}{{{below}}}", PRODUCT

    def _justify(self, domain: Domain) -> Justification:
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
    _no_waves = "p must be 0, 1, 2, …, or the base infinitely divisible (Gaussian, …)"

    def __post_init__(self) -> None:
        super().__post_init__()
        p = par.number(self.exponent, "an exponent")
        object.__setattr__(self, "exponent", int(p) if p == int(p) else p)

    def _value(self, pair: Pair) -> Array:
        return power(self.kernel._value(pair), self.exponent)

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        if self.exponent == 0:
            return self.kernel._pull(pair, np.zeros_like(G))
        slope = self.exponent * power(pair.value(self.kernel), self.exponent - 1)
        return self.kernel._pull(pair, G * slope)

    def _noise(self, pair: Pair) -> Array:
        base, p = np.abs(pair.value(self.kernel)), self.exponent
        slope = abs(p) * power(base, p - 1)
        return power(base, p) + slope * self.kernel._noise(pair)

    def _print(self) -> Text:
        return f"{enclose(self.kernel._print(), ATOM)} ** {self.exponent!r}", POWER

    def _latex(self, x: str, z: str) -> Text:
        base = self.kernel._latex(x, z)
        body = base[0] if base[1] == ATOM else rf"\left({base[0]}\right)"
        return f"{body}^{{{tex_number(self.exponent)}}}", POWER

    def _justify(self, domain: Domain) -> Justification:
        premises = ((self.kernel, domain),)
        p = self.exponent
        if p >= 0 and self.kernel._divisible():
            held = Condition(f"k₁ is infinitely divisible and p = {p} ≥ 0", True)
            return Justification(rules.DIVISIBLE, premises, (held,))
        whole = Condition(
            f"p = {p} is an integer ≥ 0",
            isinstance(p, int) and p >= 0,
            "round p to an integer, or use an infinitely divisible kernel such as "
            "the Gaussian",
        )
        return Justification(rules.POWER, premises, (whole,))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel._positive_diagonal(domain)

    def _divisible(self) -> bool:
        return self.exponent >= 0 and self.kernel._divisible()

    def _raised(self, p: float) -> Kernel | None:
        if self.exponent <= 0:
            return Constant(1.0) if self.exponent == 0 else None
        return self.kernel._raised(self.exponent * p)

    def _spectral(self, d: int) -> SpectralMeasure:
        if self.exponent == 0:
            return origin(d, 1.0)
        measure = self.kernel._spectral(d)  # first, so that it names what is wrong
        if self.exponent < 0:
            return super()._spectral(d)
        raised = measure.to_the(self.exponent)  # an error if k(x, x)ᵖ is no number
        simple = self._raised(1.0)
        if simple:
            return simple._spectral(d)
        return raised if isinstance(self.exponent, int) else super()._spectral(d)

    def _features(self) -> FeatureMap:
        if not isinstance(self.exponent, int) or self.exponent < 0:
            return super()._features()
        return self.kernel._features().to_the(self.exponent)


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
