"""Kernels made of kernels by arithmetic: constant, sum, scale, product.

Each class holds the formula, its derivative, its printed form, and the rule that
keeps it a kernel. A negative scale, and so a difference, may be written down; the
verdict says what becomes of it.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from kernellab.arrays import Array, Floats, number
from kernellab.errors import InputError, NoSpectralMeasure
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.gram import RowRequest, RowWriter
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import (
    ATOM,
    MINUS,
    POWER,
    PRODUCT,
    SUM,
    Text,
    enclose,
    tex_number,
)
from kernellab.kernels.spaces import ANYTHING
from kernellab.kernels.spectral import SpectralMeasure, convolution, mixture, origin
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Objects
from kernellab.validity.rules import Condition
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
    point_space = ANYTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", number(self.c, "the constant c"))

    def evaluate(self, pair: PointPairs) -> Array:
        ones = pair.lift(np.ones(len(pair.left)), np.ones(len(pair.right)))
        result: Array = self.c * ones[0] * ones[1]
        return result

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return [self.c * float(G.sum())] if self.c > 0 else []

    def row_writer(self, wanted: RowRequest) -> RowWriter | None:
        return lambda p, out: out.fill(self.c)

    def format_latex(self, x: str, z: str) -> Text:
        text = tex_number(self.c)
        return text, SUM if self.c < 0 else PRODUCT if "cdot" in text else ATOM

    def natural_domain(self) -> Domain:
        return Objects("anything")

    def justify(self, domain: Domain) -> Justification:
        return Justification(CONSTANT, conditions=(not_negative("c", self.c),))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.c > 0

    def is_infinitely_divisible(self) -> bool:
        return self.c > 0

    def real_power(self, p: float) -> Kernel | None:
        return Constant(self.c**p) if self.c > 0 else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return origin(d, _mass(self.c, self))

    def build_features(self) -> FeatureMap:
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

    def evaluate(self, pair: PointPairs) -> Array:
        total = self.terms[0].evaluate(pair)
        for term in self.terms[1:]:
            total += term.evaluate(pair)
        return total

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return [g for term in self.terms for g in term.evaluate_vjp(pair, G)]

    def row_writer(self, wanted: RowRequest) -> RowWriter | None:
        given = [term.row_writer(wanted) for term in self.terms]
        writers = [write for write in given if write is not None]
        return _add_rows(writers) if len(writers) == len(given) else None

    def rounding_error(self, pair: PointPairs) -> Array:
        return reduce(operator.add, (term.rounding_error(pair) for term in self.terms))

    def format_source(self) -> Text:
        first, *rest = self.terms
        text = print_beside(first, rest[0], SUM)
        for term in rest:
            if isinstance(term, Constant) and term.c != 0:
                text += f" {_sign(term.c)} {abs(term.c)!r}"
            elif isinstance(term, Scale) and term.c < 0:
                text += f" - {term._print_magnitude()}"
            else:
                text += f" + {enclose(term.format_source(), PRODUCT)}"
        return text, SUM

    def format_latex(self, x: str, z: str) -> Text:
        text = self.terms[0].format_latex(x, z)[0]
        for term in self.terms[1:]:
            body = enclose(term.format_latex(x, z), SUM)
            text += f" - {body[1:]}" if body.startswith("-") else f" + {body}"
        return text, SUM

    def justify(self, domain: Domain) -> Justification:
        return Justification(rules.SUM, tuple((term, domain) for term in self.terms))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return any(term.has_positive_diagonal(domain) for term in self.terms)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return mixture([term.build_spectral_measure(d) for term in self.terms])

    def build_features(self) -> FeatureMap:
        return FeatureMap.beside([term.build_features() for term in self.terms])


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
        c = number(self.c, "a factor of a kernel")
        if isinstance(self.kernel, Scale):
            c *= self.kernel.c
            object.__setattr__(self, "kernel", self.kernel.kernel)
        object.__setattr__(self, "c", number(c, "a factor of a kernel"))

    def evaluate(self, pair: PointPairs) -> Array:
        value = self.kernel.evaluate(pair)
        value *= self.c
        return value

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        own = []
        if self.c > 0:
            if pair.knows(self):
                pair.keep(self.kernel, pair.value(self) / self.c)
            own.append(float(pair.weighted(self.kernel, G).sum()))
        return [self.c * g for g in own + self.kernel.evaluate_vjp(pair, G)]

    def row_writer(self, wanted: RowRequest) -> RowWriter | None:
        write = self.kernel.row_writer(wanted)
        return None if write is None else _scale_rows(write, self.c)

    def rounding_error(self, pair: PointPairs) -> Array:
        return abs(self.c) * self.kernel.rounding_error(pair)

    def format_source(self) -> Text:
        if self.c == -1:
            return f"-{enclose(self.kernel.format_source(), POWER)}", MINUS
        return f"{self.c!r} * {enclose(self.kernel.format_source(), MINUS)}", PRODUCT

    def _print_magnitude(self) -> str:
        """Return |c|·k₁, to stand after a minus sign."""
        if self.c == -1:
            return enclose(self.kernel.format_source(), PRODUCT)
        return f"{-self.c!r} * {enclose(self.kernel.format_source(), MINUS)}"

    def format_latex(self, x: str, z: str) -> Text:
        body = enclose(self.kernel.format_latex(x, z), PRODUCT)
        if self.c == -1:
            return f"-{body}", SUM
        dot = r"\cdot" if body[0].isdigit() else r"\,"
        return rf"{tex_number(self.c)} {dot} {body}", PRODUCT if self.c >= 0 else SUM

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.SCALE, ((self.kernel, domain),), (not_negative("c", self.c),)
        )

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.c > 0 and self.kernel.has_positive_diagonal(domain)

    def is_infinitely_divisible(self) -> bool:
        return self.c > 0 and self.kernel.is_infinitely_divisible()

    def real_power(self, p: float) -> Kernel | None:
        inner = self.kernel.real_power(p)
        return Scale(self.c**p, inner) if inner and self.c > 0 else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return self.kernel.build_spectral_measure(d).scaled(_mass(self.c, self))

    def build_features(self) -> FeatureMap:
        return self.kernel.build_features().scaled(_root(self.c, self))


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

    def evaluate(self, pair: PointPairs) -> Array:
        total = self.factors[0].evaluate(pair)
        for factor in self.factors[1:]:
            total *= factor.evaluate(pair)
        return total

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        values = [pair.value(factor) for factor in self.factors]
        grads: list[float] = []
        for i, factor in enumerate(self.factors):
            others = [value for j, value in enumerate(values) if j != i]
            grads += factor.evaluate_vjp(pair, reduce(operator.mul, others, G))
        return grads

    def rounding_error(self, pair: PointPairs) -> Array:
        return reduce(
            operator.mul, (factor.rounding_error(pair) for factor in self.factors)
        )

    def format_source(self) -> Text:
        first, *rest = self.factors
        tail = [enclose(factor.format_source(), POWER) for factor in rest]
        return " * ".join([enclose(first.format_source(), PRODUCT), *tail]), PRODUCT

    def format_latex(self, x: str, z: str) -> Text:
        bodies = [
            enclose(factor.format_latex(x, z), PRODUCT) for factor in self.factors
        ]
        return r" \cdot ".join(bodies), PRODUCT

    def justify(self, domain: Domain) -> Justification:
        return Justification(rules.PRODUCT, tuple((f, domain) for f in self.factors))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return all(factor.has_positive_diagonal(domain) for factor in self.factors)

    def is_infinitely_divisible(self) -> bool:
        return all(factor.is_infinitely_divisible() for factor in self.factors)

    def real_power(self, p: float) -> Kernel | None:
        factors = [factor.real_power(p) for factor in self.factors]
        known = tuple(factor for factor in factors if factor)
        return Product(known) if len(known) == len(factors) else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return convolution(
            [factor.build_spectral_measure(d) for factor in self.factors]
        )

    def build_features(self) -> FeatureMap:
        return reduce(FeatureMap.times, (f.build_features() for f in self.factors))


def _flatten(kind: type[Sum] | type[Product], parts: Any) -> tuple[Kernel, ...]:
    flat: list[Kernel] = []
    for part in (parts,) if isinstance(parts, Kernel) else parts:
        opened = part.children if isinstance(part, kind) else (part,)
        flat += [as_kernel(kernel, "part of") for kernel in opened]
    if len(flat) < 2:
        raise InputError(f"a {kind.__name__.lower()} needs at least two kernels")
    return tuple(flat)


def _add_rows(writers: list[RowWriter]) -> RowWriter:
    def write(p: Any, out: Floats) -> None:
        writers[0](p, out)
        term = np.empty_like(out)
        for add in writers[1:]:
            add(p, term)
            out += term

    return write


def _scale_rows(write_one: RowWriter, c: float) -> RowWriter:
    def write(p: Any, out: Floats) -> None:
        write_one(p, out)
        out *= c

    return write


def as_kernel(thing: object, verb: str) -> Kernel:
    return thing if isinstance(thing, Kernel) else Constant(as_number(thing, verb))


def as_number(thing: object, verb: str) -> float:
    many = not np.isscalar(thing) and np.size(thing) != 1  # type: ignore[arg-type]
    if isinstance(thing, str) or many:
        raise TypeError(
            f"a kernel can be {verb} a kernel or one number, not {thing!r}. For "
            "f(x) k(x,x') f(x') write k.weighted(f); for one width per coordinate, "
            "sigma=(…)."
        )
    try:
        return number(thing, "the number beside a kernel")
    except InputError as error:
        raise TypeError(str(error)) from error


def print_beside(first: Kernel, second: Kernel, binding: int) -> str:
    """Return `first` as a bare number if Python would still read it as this kernel."""
    if isinstance(first, Constant) and not isinstance(second, Constant) and first.c > 0:
        return repr(first.c)
    return enclose(first.format_source(), binding)


def _sign(c: float) -> str:
    return "-" if c < 0 else "+"


def not_negative(name: str, value: float) -> Condition:
    return Condition(f"{name} = {value:g} ≥ 0", value >= 0, f"use {name} ≥ 0")


def _mass(c: float, kernel: Kernel) -> float:
    if c < 0:
        raise NoSpectralMeasure(
            f"no spectral measure for {kernel!r}: the factor {c:g} is negative, and a "
            "measure is not"
        )
    return c


def _root(c: float, kernel: Kernel) -> float:
    if c < 0:
        from kernellab.errors import NoFeatureMap

        raise NoFeatureMap(
            f"{kernel!r} has the negative factor {c:g}: it is not a kernel, so it has "
            "no feature map; k.refute() shows why"
        )
    return math.sqrt(c)
