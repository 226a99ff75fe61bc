"""Kernels of transformed points: k(φ(x), φ(x')), and of some coordinates of x."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.maps import Affine, Map, as_map
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, Text, enclose
from kernellab.kernels.spaces import ANYTHING, Space
from kernellab.kernels.spectral import SpectralMeasure
from kernellab.validity import rules
from kernellab.validity.domains import Box, Domain, FiniteSet, PositiveDiagonal, Reals


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
    why_not_spectral = (
        "the map is not known to be linear, so it is not known to be a function of "
        "x − x'; for φ(x) = Ax + b write pullback(Affine(A, b))"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phi", as_map(self.phi))

    @property
    def space(self) -> Space:
        return ANYTHING

    def dimension_error(self, dimension: int) -> str | None:
        return None  # known only after φ was applied

    def _images(self, pair: PointPairs) -> PointPairs:
        images = pair.mapped(self.phi, self.phi.rows)
        self.kernel.read_points(images.left, f"{self.phi.name}(X)")
        return images

    def evaluate(self, pair: PointPairs) -> Array:
        return self.kernel.evaluate(self._images(pair))

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return self.kernel.evaluate_vjp(self._images(pair), G)

    def rounding_error(self, pair: PointPairs) -> Array:
        return self.kernel.rounding_error(self._images(pair))

    def format_source(self) -> Text:
        return (
            f"{enclose(self.kernel.format_source(), ATOM)}.pullback({self.phi!r})",
            ATOM,
        )

    def format_latex(self, x: str, z: str) -> Text:
        name = self.phi.latex
        return self.kernel.format_latex(f"{name}({x})", f"{name}({z})")

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if isinstance(inner, PositiveDiagonal):
            return PositiveDiagonal(
                Reals(), tuple(Pullback(k, self.phi) for k in kernels_of(inner))
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

    def justify(self, domain: Domain) -> Justification:
        image = self._image_domain(domain)
        return Justification(
            rules.PULLBACK,
            ((self.kernel, image),),
            note=f"{self.phi.name} maps into {image}",
        )

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel.has_positive_diagonal(self._image_domain(domain))

    def is_infinitely_divisible(self) -> bool:
        return self.kernel.is_infinitely_divisible()

    def real_power(self, p: float) -> Kernel | None:
        inner = self.kernel.real_power(p)
        return Pullback(inner, self.phi) if inner else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        if not isinstance(self.phi.function, Affine):
            return super().build_spectral_measure(d)
        A = self.phi.function.matrix
        if A.shape[1] != d:
            raise InputError(
                f"{self!r} takes points with {A.shape[1]} columns; the dimension asked "
                f"for is {d}"
            )
        return self.kernel.spectral_measure(len(A)).through(A)

    def build_features(self) -> FeatureMap:
        inner = self.kernel.build_features()
        return FeatureMap(
            lambda P: inner.rows(P.mapped(self.phi, self.phi.rows)),
            lambda d: inner.renamed(self.phi.label).terms(self._image_width(d)),
        )

    def _image_width(self, dimension: int) -> int:
        return len(self.phi.rows(Points(np.ones((1, dimension))))[0])


@dataclass(frozen=True, repr=False)
class OnColumns(Kernel):
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

    def dimension_error(self, dimension: int) -> str | None:
        if dimension <= max(self.index):
            return f"{self!r} needs points with at least {max(self.index) + 1} columns"
        return self.kernel.dimension_error(len(self.index))

    def evaluate(self, pair: PointPairs) -> Array:
        return self.kernel.evaluate(pair.columns(self.index))

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        return self.kernel.evaluate_vjp(pair.columns(self.index), G)

    def rounding_error(self, pair: PointPairs) -> Array:
        return self.kernel.rounding_error(pair.columns(self.index))

    def format_source(self) -> Text:
        return f"{enclose(self.kernel.format_source(), ATOM)}.on({self.index!r})", ATOM

    def format_latex(self, x: str, z: str) -> Text:
        part = ",".join(str(i + 1) for i in self.index)
        return self.kernel.format_latex(_with_part(x, part), _with_part(z, part))

    def natural_domain(self) -> Domain:
        inner = self.kernel.natural_domain()
        if isinstance(inner, PositiveDiagonal):
            box = inner.base.of_dimension(None) if isinstance(inner.base, Box) else None
            kernels = tuple(OnColumns(k, self.index) for k in kernels_of(inner))
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
                if isinstance(k, OnColumns) and k.index == self.index
            )
            base = self._part_domain(domain.base)
            return PositiveDiagonal(base, inner) if inner else base
        return domain

    def justify(self, domain: Domain) -> Justification:
        return Justification(rules.PARTS, ((self.kernel, self._part_domain(domain)),))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return self.kernel.has_positive_diagonal(self._part_domain(domain))

    def is_infinitely_divisible(self) -> bool:
        return self.kernel.is_infinitely_divisible()

    def real_power(self, p: float) -> Kernel | None:
        inner = self.kernel.real_power(p)
        return OnColumns(inner, self.index) if inner else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        c = len(self.index)
        chosen = sparse.csr_array((np.ones(c), (range(c), self.index)), shape=(c, d))
        return self.kernel.build_spectral_measure(c).through(chosen)

    def build_features(self) -> FeatureMap:
        inner = self.kernel.build_features()
        named = inner.renamed(lambda j: f"x{self.index[j - 1] + 1}")
        return FeatureMap(
            lambda P: inner.rows(Points(P.X[:, list(self.index)])),
            lambda d: named.terms(len(self.index)),
        )


def _with_part(x: str, part: str) -> str:
    """Return {x_{1,2}} for x, {x'_{1,2}} for x'."""
    return rf"{{{x}_{{{part}}}}}"  # in braces: a power or an index may follow


def kernels_of(domain: PositiveDiagonal) -> list[Kernel]:
    """Return the kernels whose diagonal is positive on the domain."""
    return [k for k in domain.kernels if isinstance(k, Kernel)]
