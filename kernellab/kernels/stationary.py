"""Kernels of a distance: exponential, Matérn, Laplacian, and what they share.

A width σ may be one number, or one for each coordinate: then distances are measured
in units of σ_c along coordinate c.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from kernellab.arrays import Array, positive_numbers
from kernellab.errors import InfiniteDimensional, InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import PRODUCT, Text, tex_factor
from kernellab.kernels.spectral import SpectralMeasure, independent, normals, student
from kernellab.validity.domains import Domain, Reals
from kernellab.validity.theorems import BOCHNER


@dataclass(frozen=True, repr=False)
class Stationary(Kernel):
    """q(r), a function of a distance r with r(x,x) = 0 and q(0) = 1."""

    sigma: float | tuple[float, ...] = par.positive(1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive_numbers(self.sigma, "sigma"))
        if not 1e-150 < np.min(self.sigma) <= np.max(self.sigma) < 1e150:
            raise InputError(
                f"sigma must lie between 1e-150 and 1e150, so that σ² is a number; got "
                f"{self.sigma!r}. Rescale the points."
            )

    def dimension_error(self, dimension: int) -> str | None:
        if not isinstance(self.sigma, tuple) or len(self.sigma) == dimension:
            return None
        return (
            f"{self!r} has one width for each of {len(self.sigma)} coordinates, so it "
            f"takes points with {len(self.sigma)} columns"
        )

    def natural_domain(self) -> Domain:
        return Reals(len(self.sigma) if isinstance(self.sigma, tuple) else None)

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"the feature space of {self!r} has infinite dimension: its Gram matrix on "
            "n distinct points has rank n, for every n. Use k(X, Z); for the Gaussian, "
            "truncated_features(degree) gives a finite map and its error bound."
        )

    @property
    def _units(self) -> tuple[float | tuple[float, ...] | None, float]:
        """(σ, 1) for several widths; (None, σ) for one: then distances are shared."""
        if isinstance(self.sigma, tuple):
            return self.sigma, 1.0
        return None, self.sigma

    def _narrowed(self, factor: float) -> Self:
        """Return the same kernel with the widths σ/factor."""
        if isinstance(self.sigma, tuple):
            return replace(self, sigma=tuple(s / factor for s in self.sigma))
        return replace(self, sigma=self.sigma / factor)

    def _pull_widths(self, pair: PointPairs, S: Array) -> list[float]:
        """Return Σ S·∂u/∂log σ, where u = ‖(x−x')/σ‖² and S is the cotangent of u."""
        scale, width = self._units
        if scale is None:
            return [-2 * float(np.vdot(S, pair.sqdistance())) / width**2]
        moments: list[float] = (-2 * pair.moments(S, scale)).tolist()
        return moments

    def _tex_square(self, x: str, z: str) -> str:
        """Return ‖x−x'‖²/σ²."""
        if isinstance(self.sigma, tuple):
            return rf"\sum_c ({x}_c - {z}_c)^2/\sigma_c^2"
        return rf"\|{x} - {z}\|^2/{tex_square_of(self.sigma)}"


@dataclass(frozen=True, repr=False)
class Radial(Stationary):
    """A kernel of r = ‖x−x'‖/σ that is proved by its Fourier transform."""

    @abstractmethod
    def profile(self, r: Array) -> tuple[Array, Array]:
        """Return q(r), and q'(r)/r."""

    @property
    @abstractmethod
    def fourier_transform(self) -> str:
        """The Fourier transform of q, which is positive."""

    def _radius(self, pair: PointPairs) -> Array:
        scale, width = self._units
        result: Array = pair.distance(scale) / width
        return result

    def evaluate(self, pair: PointPairs) -> Array:
        return self.profile(self._radius(pair))[0]

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        slope = self.profile(self._radius(pair))[1]
        return self._pull_widths(pair, 0.5 * G * slope)

    def _tex_radius(self, x: str, z: str) -> str:
        if isinstance(self.sigma, tuple):
            return rf"\sqrt{{{self._tex_square(x, z)}}}"
        return rf"\|{x} - {z}\|{_tex_over(self.sigma)}"

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            BOCHNER,
            note=f"the Fourier transform is proportional to {self.fourier_transform}",
        )


@dataclass(frozen=True, repr=False)
class Exponential(Radial):
    """exp(−‖x−x'‖/σ), the Matérn kernel of order 1/2.

    Examples
    --------
    >>> Exponential()([[0.0], [1.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    def profile(self, r: Array) -> tuple[Array, Array]:
        q = np.exp(-r)
        return q, _divide(-q, r)

    @property
    def fourier_transform(self) -> str:
        return "(1 + σ²‖ω‖²)^(−(d+1)/2) > 0"

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\exp\left(-{self._tex_radius(x, z)}\right)", PRODUCT

    def is_infinitely_divisible(self) -> bool:
        return True  # its p-th power has the width σ/p

    def real_power(self, p: float) -> Kernel:
        return self._narrowed(p)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return normals(d, self.sigma, student(0.5))


@dataclass(frozen=True, repr=False)
class Matern(Radial):
    """Matérn kernels of order ν = 1/2, 3/2, 5/2: functions with ⌈ν⌉−1 derivatives.

    ν = 3/2: (1+s)e^{−s} with s = √3 r; ν = 5/2: (1+s+s²/3)e^{−s} with s = √5 r;
    r = ‖x−x'‖/σ. (Of the L1 distance, ν = 3/2 and 5/2 are not kernels on ℝ².)

    Examples
    --------
    >>> Matern(nu=1.5)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.4834],
           [0.4834, 1.    ]])
    """

    nu: float = 1.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nu not in (0.5, 1.5, 2.5):
            raise InputError(
                f"nu must be 0.5, 1.5 or 2.5 (the orders with a closed form), got "
                f"{self.nu!r}; as nu grows the kernel tends to the Gaussian"
            )
        object.__setattr__(self, "nu", float(self.nu))

    def profile(self, r: Array) -> tuple[Array, Array]:
        s = math.sqrt(2 * self.nu) * r
        e = np.exp(-s)
        if self.nu == 0.5:
            return e, _divide(-e, r)
        if self.nu == 1.5:
            return (1 + s) * e, -3 * e
        return (1 + s + s**2 / 3) * e, -5 / 3 * (1 + s) * e

    @property
    def fourier_transform(self) -> str:
        return f"(2ν + σ²‖ω‖²)^(−ν−d/2) > 0, ν = {self.nu:g}"

    def format_latex(self, x: str, z: str) -> Text:
        s = rf"\sqrt{{{2 * self.nu:g}}} \, {self._tex_radius(x, z)}"
        front = {0.5: "", 1.5: "(1 + s)", 2.5: "(1 + s + s^2/3)"}[self.nu]
        return rf"{front} \, e^{{-s}} \big|_{{s = {s}}}", PRODUCT

    def is_infinitely_divisible(self) -> bool:
        return self.nu == 0.5

    def real_power(self, p: float) -> Kernel | None:
        return self._narrowed(p) if self.nu == 0.5 else None

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return normals(d, self.sigma, student(self.nu))


@dataclass(frozen=True, repr=False)
class Laplacian(Stationary):
    """exp(−Σ_c |x_c−x'_c|/σ): a product of exponentials, one for each coordinate.

    Examples
    --------
    >>> Laplacian()([[0.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    def evaluate(self, pair: PointPairs) -> Array:
        scale, width = self._units
        value = pair.cityblock(scale) * (-1 / width)
        return np.exp(value, out=value)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        scale, width = self._units
        weight = G * pair.value(self)
        if scale is None:
            return [float(np.vdot(weight, pair.cityblock())) / width]
        return [
            float(np.vdot(weight, pair.columns((c,)).cityblock(s)))
            for c, s in enumerate(self.sigma)  # type: ignore[arg-type]
        ]

    def format_latex(self, x: str, z: str) -> Text:
        if isinstance(self.sigma, tuple):
            distance = rf"\sum_c |{x}_c - {z}_c|/\sigma_c"
        else:
            distance = rf"\|{x} - {z}\|_1{_tex_over(self.sigma)}"
        return rf"\exp\left(-{distance}\right)", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            BOCHNER,
            note="the Fourier transform is proportional to Π_c 1/(1 + σ²ω_c²) > 0",
        )

    def is_infinitely_divisible(self) -> bool:
        return True  # its p-th power has the width σ/p

    def real_power(self, p: float) -> Kernel:
        return self._narrowed(p)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return independent(d, self.sigma, lambda shape, rng: rng.standard_cauchy(shape))


def _divide(above: Array, below: Array) -> Array:
    """Return above/below, and 0 where below is 0 (there the pair adds nothing)."""
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)


def tex_square_of(sigma: float) -> str:
    return "1" if sigma == 1 else f"{tex_factor(sigma)}^2"


def _tex_over(sigma: float) -> str:
    return "" if sigma == 1 else f"/{tex_factor(sigma)}"
