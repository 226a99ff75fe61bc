"""Kernels of transformed points: f(x) k f(x'), k(φ(x), φ(x')), parts of x, and the
normalisation k(x,x')/√(k(x,x) k(x',x')).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernellab.errors import InputError, NoSpectralMeasure, UndefinedValue
from kernellab.features import FeatureMap
from kernellab.kernels.base import Kernel
from kernellab.kernels.maps import Affine, Map, as_map
from kernellab.kernels.pairs import Diagonal, Pair
from kernellab.kernels.points import Array, Points
from kernellab.kernels.printing import ATOM, POWER, PRODUCT, Text, enclose
from kernellab.kernels.spaces import ANYTHING, Space
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.validity import rules
from kernellab.validity.domains import Box, Domain, FiniteSet, PositiveDiagonal, Reals
from kernellab.validity.rules import Condition, Justification


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
    _no_waves = "a weight f(x) that changes with x makes it depend on more than x − x'"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "f", as_map(self.f))

    @property
    def space(self) -> Space:
        return self.kernel.space

    def _weights(self, pair: Pair) -> tuple[Array, Array]:
        key = ("weights", self.f)
        return pair.lift(
            pair.left.remember(key, self.f.numbers),
            pair.right.remember(key, self.f.numbers),
        )

    def _value(self, pair: Pair) -> Array:
        value = self.kernel._value(pair)
        left, right = self._weights(pair)
        value *= left
        value *= right
        return value

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        left, right = self._weights(pair)
        return self.kernel._pull(pair, G * left * right)

    def _noise(self, pair: Pair) -> Array:
        left, right = self._weights(pair)
        return np.abs(left * right) * self.kernel._noise(pair)

    def _print(self) -> Text:
        return f"{enclose(self.kernel._print(), ATOM)}.weighted({self.f!r})", ATOM

    def _latex(self, x: str, z: str) -> Text:
        f, body = self.f.latex, enclose(self.kernel._latex(x, z), PRODUCT)
        return rf"{f}({x}) \, {body} \, {f}({z})", PRODUCT

    def _justify(self, domain: Domain) -> Justification:
        return Justification(rules.WEIGHT, ((self.kernel, domain),))

    def _features(self) -> FeatureMap:
        return self.kernel._features().weighted(self.f.numbers, self.f.label())


@dataclass(frozen=True, repr=False)
class Pullback(Kernel):
    """k₁(φ(x), φ(x')). A kernel if k₁ is one where φ maps to.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> import numpy as np
    >>> circle = lambda X: np.hstack([np.cos(X), np.sin(X)])
    >>> kl.Linear().pullback(circle)([[0.0], [np.pi / 3]]).round(3)
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    kernel: Kernel
    phi: Map
    _no_waves = (
        "the map is not known to be linear, so it is not known to be a function of "
        "x − x'; for φ(x) = Ax + b write pullback(Affine(A, b))"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phi", as_map(self.phi))

    @property
    def space(self) -> Space:
        return ANYTHING

    def _misfit(self, dimension: int) -> str | None:
        return None  # known only after φ was applied

    def _images(self, pair: Pair) -> Pair:
        images = pair.mapped(self.phi, self.phi.rows)
        self.kernel._read(images.left, f"{self.phi.name}(X)")
        return images

    def _value(self, pair: Pair) -> Array:
        return self.kernel._value(self._images(pair))

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        return self.kernel._pull(self._images(pair), G)

    def _noise(self, pair: Pair) -> Array:
        return self.kernel._noise(self._images(pair))

    def _print(self) -> Text:
        return f"{enclose(self.kernel._print(), ATOM)}.pullback({self.phi!r})", ATOM

    def _latex(self, x: str, z: str) -> Text:
        name = self.phi.latex
        return self.kernel._latex(f"{name}({x})", f"{name}({z})")

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if isinstance(inner, PositiveDiagonal):
            return PositiveDiagonal(
                Reals(), tuple(Pullback(k, self.phi) for k in inner.kernels)
            )
        return Reals()

    def _image_domain(self, domain: Domain) -> Domain:
        if isinstance(domain, FiniteSet):
            points = self.space.read(domain.items, "the finite set")
            return FiniteSet(self.phi.rows(points))
        if isinstance(domain, PositiveDiagonal):
            inner = tuple(
                k.kernel
                for k in domain.kernels
                if isinstance(k, Pullback) and k.phi == self.phi
            )
            return PositiveDiagonal(self.phi.into, inner) if inner else self.phi.into
        return self.phi.into

    def _justify(self, domain: Domain) -> Justification:
        image = self._image_domain(domain)
        return Justification(
            rules.PULLBACK,
            ((self.kernel, image),),
            note=f"{self.phi.name} maps into {image}",
        )

    def _positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel._positive_diagonal(self._image_domain(domain))

    def _divisible(self) -> bool:
        return self.kernel._divisible()

    def _raised(self, p: float) -> Kernel | None:
        inner = self.kernel._raised(p)
        return Pullback(inner, self.phi) if inner else None

    def _spectral(self, d: int) -> SpectralMeasure:
        if not isinstance(self.phi.function, Affine):
            return super()._spectral(d)
        A = self.phi.function.matrix
        if A.shape[1] != d:
            raise InputError(
                f"{self!r} takes points with {A.shape[1]} columns; the dimension asked "
                f"for is {d}"
            )
        return self.kernel.spectral_measure(len(A)).through(A)

    def _features(self) -> FeatureMap:
        inner = self.kernel._features()
        return FeatureMap(
            lambda P: inner.rows(P.mapped(self.phi, self.phi.rows)),
            lambda d: inner.renamed(self.phi.label).terms(self._image_width(d)),
        )

    def _image_width(self, dimension: int) -> int:
        return len(self.phi.rows(Points(np.ones((1, dimension))))[0])


@dataclass(frozen=True, repr=False)
class Parts(Kernel):
    """k₁(x_a, x_a'), where x_a are some coordinates of x.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> k = kl.Gaussian().on(0) * kl.Linear().on([1, 2])
    >>> k
    Gaussian(sigma=1.0).on((0,)) * Linear().on((1, 2))
    >>> k([[0.0, 1.0, 1.0], [1.0, 2.0, 0.0]]).round(3)
    array([[2.   , 1.213],
           [1.213, 4.   ]])
    """

    kernel: Kernel
    index: tuple[int, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        given = np.atleast_1d(np.asarray(self.index))
        if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
            raise InputError(
                f"coordinates are integers counted from 0, got {self.index!r}"
            )
        index = tuple(int(i) for i in given)
        if min(index) < 0 or len(set(index)) < len(index):
            raise InputError(
                f"coordinates are distinct integers counted from 0, got {self.index!r}"
            )
        object.__setattr__(self, "index", index)

    def _misfit(self, dimension: int) -> str | None:
        if dimension <= max(self.index):
            return f"{self!r} needs points with at least {max(self.index) + 1} columns"
        return self.kernel._misfit(len(self.index))

    def _value(self, pair: Pair) -> Array:
        return self.kernel._value(pair.columns(self.index))

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        return self.kernel._pull(pair.columns(self.index), G)

    def _noise(self, pair: Pair) -> Array:
        return self.kernel._noise(pair.columns(self.index))

    def _print(self) -> Text:
        return f"{enclose(self.kernel._print(), ATOM)}.on({self.index!r})", ATOM

    def _latex(self, x: str, z: str) -> Text:
        part = ",".join(str(i + 1) for i in self.index)
        return self.kernel._latex(_with_part(x, part), _with_part(z, part))

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if isinstance(inner, PositiveDiagonal):
            box = inner.base.of_dimension(None) if isinstance(inner.base, Box) else None
            kernels = tuple(Parts(k, self.index) for k in inner.kernels)
            return PositiveDiagonal(box or Reals(), kernels)
        return inner.of_dimension(None) if isinstance(inner, Box) else inner

    def _part_domain(self, domain: Domain) -> Domain:
        if isinstance(domain, Box):
            return domain.of_dimension(len(self.index))
        if isinstance(domain, FiniteSet):
            return FiniteSet(domain.items[:, list(self.index)])
        if isinstance(domain, PositiveDiagonal):
            inner = tuple(
                k.kernel
                for k in domain.kernels
                if isinstance(k, Parts) and k.index == self.index
            )
            base = self._part_domain(domain.base)
            return PositiveDiagonal(base, inner) if inner else base
        return domain

    def _justify(self, domain: Domain) -> Justification:
        return Justification(rules.PARTS, ((self.kernel, self._part_domain(domain)),))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel._positive_diagonal(self._part_domain(domain))

    def _divisible(self) -> bool:
        return self.kernel._divisible()

    def _raised(self, p: float) -> Kernel | None:
        inner = self.kernel._raised(p)
        return Parts(inner, self.index) if inner else None

    def _spectral(self, d: int) -> SpectralMeasure:
        c = len(self.index)
        chosen = sparse.csr_array((np.ones(c), (range(c), self.index)), shape=(c, d))
        return self.kernel._spectral(c).through(chosen)

    def _features(self) -> FeatureMap:
        inner = self.kernel._features()
        named = inner.renamed(lambda j: f"x{self.index[j - 1] + 1}")
        return FeatureMap(
            lambda P: inner.rows(Points(P.X[:, list(self.index)])),
            lambda d: named.terms(len(self.index)),
        )


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
        """k₁(x,x) for the points."""

        def compute(P: Points) -> Array:
            values = self.kernel._value(Diagonal(P))
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

    def _lengths(self, pair: Pair) -> tuple[Array, Array]:
        return pair.lift(
            np.sqrt(self._squares(pair.left)), np.sqrt(self._squares(pair.right))
        )

    def _value(self, pair: Pair) -> Array:
        if isinstance(pair, Diagonal):
            return np.ones_like(self._squares(pair.left))
        value = self.kernel._value(pair)
        left, right = self._lengths(pair)
        value /= left
        value /= right
        return value

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        left, right = self._lengths(pair)
        own = self.kernel._pull(pair, G / left / right)
        rows, columns = pair.sums(G * pair.value(self))
        at_left = self.kernel._pull(
            Diagonal(pair.left), -0.5 * rows / self._squares(pair.left)
        )
        at_right = self.kernel._pull(
            Diagonal(pair.right), -0.5 * columns / self._squares(pair.right)
        )
        return [sum(three) for three in zip(own, at_left, at_right, strict=True)]

    def _noise(self, pair: Pair) -> Array:
        left, right = self._lengths(pair)
        at_left = self.kernel._noise(Diagonal(pair.left)) / self._squares(pair.left)
        at_right = self.kernel._noise(Diagonal(pair.right)) / self._squares(pair.right)
        u, v = pair.lift(at_left, at_right)
        noise: Array = self.kernel._noise(pair) / left / right
        return noise + np.abs(pair.value(self)) * (u + v)

    def _print(self) -> Text:
        return f"{enclose(self.kernel._print(), ATOM)}.normalize()", ATOM

    def _latex(self, x: str, z: str) -> Text:
        top = self.kernel._latex(x, z)[0]
        left = enclose(self.kernel._latex(x, x), POWER)
        right = enclose(self.kernel._latex(z, z), POWER)
        return rf"\frac{{{top}}}{{\sqrt{{{left} \; {right}}}}}", PRODUCT

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if self.kernel._positive_diagonal(inner):
            return inner
        if isinstance(inner, PositiveDiagonal):
            return PositiveDiagonal(inner.base, (*inner.kernels, self.kernel))
        return PositiveDiagonal(inner, (self.kernel,))

    def _justify(self, domain: Domain) -> Justification:
        known = isinstance(domain, PositiveDiagonal) and self.kernel in domain.kernels
        held = Condition(
            f"k₁(x, x) > 0 for every x in {domain}",
            known or self.kernel._positive_diagonal(domain),
            "add a constant to k₁, or leave out the points where k₁(x, x) = 0",
        )
        return Justification(rules.NORMALIZE, ((self.kernel, domain),), (held,))

    def _positive_diagonal(self, domain: Domain) -> bool:
        return True

    def _divisible(self) -> bool:
        return self.kernel._divisible()

    def _raised(self, p: float) -> Kernel | None:
        inner = self.kernel._raised(p)
        return Normalized(inner) if inner else None

    def _spectral(self, d: int) -> SpectralMeasure:
        measure = self.kernel._spectral(d)
        if measure.mass == 0:
            raise NoSpectralMeasure(
                f"no spectral measure for {self!r}: k(x, x) = 0, so that there is "
                "nothing to divide by"
            )
        return measure.scaled(1 / measure.mass)

    def _features(self) -> FeatureMap:
        def inverse(P: Points) -> Array:
            result: Array = 1 / np.sqrt(self._squares(P))
            return result

        return self.kernel._features().weighted(inverse, "k(x,x)^(-1/2)")


def _with_part(x: str, part: str) -> str:
    """{x_{1,2}} for x, {x'_{1,2}} for x'."""
    return rf"{{{x}_{{{part}}}}}"  # in braces: a power or an index may follow
