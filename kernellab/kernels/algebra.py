"""Kernels made of kernels by arithmetic: sum, scale, product, quotient, power.

Each class holds the formula, its derivative, its printed form, and the rule that
keeps it a kernel. Some of them (a difference, a quotient, a root) can leave the
set of kernels: they may be written down, and the verdict says what happened.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from kernellab.errors import InputError
from kernellab.features import FeatureMap
from kernellab.kernels import parameters as par
from kernellab.kernels.base import (
    ATOM,
    MINUS,
    POWER,
    PRODUCT,
    SUM,
    Kernel,
    Text,
    enclose,
)
from kernellab.kernels.pairs import Pair
from kernellab.kernels.points import Array
from kernellab.kernels.spaces import ANYTHING
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Objects
from kernellab.validity.rules import Condition, Justification
from kernellab.validity.theorems import CONSTANT


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """k(x, x') = c. A kernel if c ≥ 0: the feature map is the number √c.

    Examples
    --------
    >>> Constant(2.0)([[1.0], [5.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    c: float = par.positive(1.0)
    _space = ANYTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", par.number(self.c, "the constant c"))

    def _value(self, pair: Pair) -> Array:
        ones = pair.lift(np.ones(len(pair.left)), np.ones(len(pair.right)))
        result: Array = self.c * ones[0] * ones[1]
        return result

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        return [self.c * float(G.sum())] if self.c > 0 else []

    def _latex(self, x: str, z: str) -> Text:
        text = tex_number(self.c)
        return text, SUM if self.c < 0 else PRODUCT if "cdot" in text else ATOM

    def natural_domain(self) -> Domain:
        return Objects("anything")

    def _justify(self, domain: Domain) -> Justification:
        return Justification(CONSTANT, conditions=(_not_negative("c", self.c),))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return self.c > 0

    def _divisible(self) -> bool:
        return self.c > 0

    def _features(self) -> FeatureMap:
        return FeatureMap.constant(_root(self.c, self))


@dataclass(frozen=True, repr=False)
class Sum(Kernel):
    """k₁ + k₂ + … . Sums within sums are opened.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> kl.Gaussian() + (kl.Linear() + 1) - 2 * kl.Linear()
    Gaussian(sigma=1.0) + Linear() + 1.0 - 2.0 * Linear()
    """

    terms: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", _flatten(Sum, self.terms))
        _ = self.space  # an error now rather than at the first value

    def _value(self, pair: Pair) -> Array:
        total = self.terms[0]._value(pair)
        for term in self.terms[1:]:
            total += term._value(pair)
        return total

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        return [g for term in self.terms for g in term._pull(pair, G)]

    def _noise(self, pair: Pair) -> Array:
        return reduce(operator.add, (term._noise(pair) for term in self.terms))

    def _print(self) -> Text:
        first, *rest = self.terms
        text = _print_beside(first, rest[0], SUM)
        for term in rest:
            if isinstance(term, Constant) and term.c != 0:
                text += f" {_sign(term.c)} {abs(term.c)!r}"
            elif isinstance(term, Scale) and term.c < 0:
                text += f" - {term._print_magnitude()}"
            else:
                text += f" + {enclose(term._print(), PRODUCT)}"
        return text, SUM

    def _latex(self, x: str, z: str) -> Text:
        text = self.terms[0]._latex(x, z)[0]
        for term in self.terms[1:]:
            body = enclose(term._latex(x, z), SUM)
            text += f" - {body[1:]}" if body.startswith("-") else f" + {body}"
        return text, SUM

    def _justify(self, domain: Domain) -> Justification:
        return Justification(rules.SUM, tuple((term, domain) for term in self.terms))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return any(term._positive_diagonal(domain) for term in self.terms)

    def _features(self) -> FeatureMap:
        return FeatureMap.beside([term._features() for term in self.terms])


@dataclass(frozen=True, repr=False)
class Scale(Kernel):
    """c·k₁. A kernel if c ≥ 0. A multiple of a multiple is one multiple.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> 2 * (3 * kl.Linear()), -kl.Linear(), kl.Linear() / 2
    (6.0 * Linear(), -Linear(), 0.5 * Linear())
    """

    c: float = field(metadata=par.LOG)
    kernel: Kernel

    def __post_init__(self) -> None:
        super().__post_init__()
        c = par.number(self.c, "a factor of a kernel")
        if isinstance(self.kernel, Scale):
            c *= self.kernel.c
            object.__setattr__(self, "kernel", self.kernel.kernel)
        object.__setattr__(self, "c", par.number(c, "a factor of a kernel"))

    def _value(self, pair: Pair) -> Array:
        value = self.kernel._value(pair)
        value *= self.c
        return value

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        own = [self.c * float(np.vdot(G, pair.value(self.kernel)))]
        return (own if self.c > 0 else []) + self.kernel._pull(pair, self.c * G)

    def _noise(self, pair: Pair) -> Array:
        return abs(self.c) * self.kernel._noise(pair)

    def _print(self) -> Text:
        if self.c == -1:
            return f"-{enclose(self.kernel._print(), POWER)}", MINUS
        return f"{self.c!r} * {enclose(self.kernel._print(), MINUS)}", PRODUCT

    def _print_magnitude(self) -> str:
        """|c|·k₁, to stand after a minus sign."""
        if self.c == -1:
            return enclose(self.kernel._print(), PRODUCT)
        return f"{-self.c!r} * {enclose(self.kernel._print(), MINUS)}"

    def _latex(self, x: str, z: str) -> Text:
        body = enclose(self.kernel._latex(x, z), PRODUCT)
        if self.c == -1:
            return f"-{body}", SUM
        dot = r"\cdot" if body[0].isdigit() else r"\,"
        return rf"{tex_number(self.c)} {dot} {body}", PRODUCT if self.c >= 0 else SUM

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.SCALE, ((self.kernel, domain),), (_not_negative("c", self.c),)
        )

    def _positive_diagonal(self, domain: Domain) -> bool:
        return self.c > 0 and self.kernel._positive_diagonal(domain)

    def _divisible(self) -> bool:
        return self.c > 0 and self.kernel._divisible()

    def _features(self) -> FeatureMap:
        return self.kernel._features().scaled(_root(self.c, self))


@dataclass(frozen=True, repr=False)
class Product(Kernel):
    """k₁·k₂·… (entry by entry). Products within products are opened.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> (kl.Gaussian() + 1) * kl.Linear() * (2 * kl.Gaussian(sigma=3))
    (Gaussian(sigma=1.0) + 1.0) * Linear() * (2.0 * Gaussian(sigma=3.0))
    """

    factors: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", _flatten(Product, self.factors))
        _ = self.space

    def _value(self, pair: Pair) -> Array:
        total = self.factors[0]._value(pair)
        for factor in self.factors[1:]:
            total *= factor._value(pair)
        return total

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        values = [pair.value(factor) for factor in self.factors]
        grads: list[float] = []
        for i, factor in enumerate(self.factors):
            others = [value for j, value in enumerate(values) if j != i]
            grads += factor._pull(pair, reduce(operator.mul, others, G))
        return grads

    def _noise(self, pair: Pair) -> Array:
        return reduce(operator.mul, (factor._noise(pair) for factor in self.factors))

    def _print(self) -> Text:
        first, *rest = self.factors
        tail = [enclose(factor._print(), POWER) for factor in rest]
        return " * ".join([enclose(first._print(), PRODUCT), *tail]), PRODUCT

    def _latex(self, x: str, z: str) -> Text:
        bodies = [enclose(factor._latex(x, z), PRODUCT) for factor in self.factors]
        return r" \cdot ".join(bodies), PRODUCT

    def _justify(self, domain: Domain) -> Justification:
        return Justification(rules.PRODUCT, tuple((f, domain) for f in self.factors))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return all(factor._positive_diagonal(domain) for factor in self.factors)

    def _divisible(self) -> bool:
        return all(factor._divisible() for factor in self.factors)

    def _features(self) -> FeatureMap:
        return reduce(FeatureMap.times, (f._features() for f in self.factors))


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
        top = _print_beside(self.numerator, self.denominator, PRODUCT)
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

    def _features(self) -> FeatureMap:
        if not isinstance(self.exponent, int) or self.exponent < 0:
            return super()._features()
        return self.kernel._features().to_the(self.exponent)


# --- operators --------------------------------------------------------------------


def add(left: object, right: object) -> Kernel:
    """left + right, where one of them may be a number; 0 + k is k."""
    if _is_zero(left) or _is_zero(right):
        return _kernel(right if _is_zero(left) else left, "added to")
    return Sum((_kernel(left, "added to"), _kernel(right, "added to")))


def negative(thing: object) -> Any:
    """−thing, for a kernel or a number."""
    return -thing if isinstance(thing, Kernel) else -_factor(thing, "subtracted from")


def multiply(left: object, right: object) -> Kernel:
    """left · right, where one of them may be a number."""
    if isinstance(left, Kernel) and isinstance(right, Kernel):
        return Product((left, right))
    if isinstance(left, Kernel):
        left, right = right, left
    return Scale(_factor(left, "multiplied with"), _kernel(right, "multiplied with"))


def divide(left: object, right: object) -> Kernel:
    """left / right, where one of them may be a number."""
    if isinstance(right, Kernel):
        return Quotient(_kernel(left, "divided by"), right)
    divisor = _factor(right, "divided by")
    if divisor == 0:
        raise InputError("a kernel cannot be divided by 0")
    return Scale(1 / divisor, _kernel(left, "divided by"))


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


def tex_number(value: float) -> str:
    """A number in LaTeX, with as many digits as it needs."""
    text = f"{value:.6g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def tex_factor(value: float) -> str:
    """A number in LaTeX, to stand beside others: 10⁻⁷ comes in parentheses."""
    text = tex_number(value)
    return f"({text})" if "cdot" in text else text


def _flatten(kind: type[Sum] | type[Product], parts: Any) -> tuple[Kernel, ...]:
    flat: list[Kernel] = []
    for part in (parts,) if isinstance(parts, Kernel) else parts:
        flat += part.children if isinstance(part, kind) else [_kernel(part, "part of")]
    if len(flat) < 2:
        raise InputError(f"a {kind.__name__.lower()} needs at least two kernels")
    return tuple(flat)


def _kernel(thing: object, verb: str) -> Kernel:
    return thing if isinstance(thing, Kernel) else Constant(_factor(thing, verb))


def _factor(thing: object, verb: str) -> float:
    if isinstance(thing, str) or (not np.isscalar(thing) and np.size(thing) != 1):  # type: ignore[arg-type]
        raise TypeError(
            f"a kernel can be {verb} a kernel or one number, not {thing!r}. For "
            "f(x) k(x,x') f(x') write k.weighted(f); for one width per coordinate, "
            "sigma=(…)."
        )
    try:
        return par.number(thing, "the number beside a kernel")
    except InputError as error:
        raise TypeError(str(error)) from error


def _is_zero(thing: object) -> bool:
    return not isinstance(thing, Kernel) and np.ndim(thing) == 0 and bool(thing == 0)  # type: ignore[arg-type]


def _print_beside(first: Kernel, second: Kernel, binding: int) -> str:
    """`first` as a bare number if Python would still read it as this kernel."""
    if isinstance(first, Constant) and not isinstance(second, Constant) and first.c > 0:
        return repr(first.c)
    return enclose(first._print(), binding)


def _sign(c: float) -> str:
    return "-" if c < 0 else "+"


def _not_negative(name: str, value: float) -> Condition:
    return Condition(f"{name} = {value:g} ≥ 0", value >= 0, f"use {name} ≥ 0")


def _root(c: float, kernel: Kernel) -> float:
    if c < 0:
        from kernellab.errors import NoFeatureMap

        raise NoFeatureMap(
            f"{kernel!r} has the negative factor {c:g}: it is not a kernel, so it has "
            "no feature map; k.refute() shows why"
        )
    return math.sqrt(c)
