"""Kernels that repeat: the periodic kernel, and the cosine of one frequency."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array, numbers, positive_number
from kernellab.errors import InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.bespoke import FromFeatures
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.gaussian import Gaussian
from kernellab.kernels.maps import Map
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.printing import PRODUCT, Text, tex_factor
from kernellab.kernels.spectral import SpectralMeasure, independent, skellam, wave
from kernellab.kernels.stationary import Stationary, tex_square_of
from kernellab.kernels.transforms import Pullback
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Reals


@dataclass(frozen=True)
class Circle:
    """γ(x) = (cos, sin)(2πx/period), for each coordinate."""

    period: float

    def __call__(self, X: Array) -> Array:
        angle = (2 * math.pi / self.period) * X
        return np.hstack([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True, repr=False)
class Periodic(Stationary):
    """exp(−2 Σ_c sin²(π(x_c−x'_c)/period)/σ²): a Gaussian on the circle.

    On ℝᵈ it is the product over the coordinates. (With the Euclidean norm inside the
    sine it would not be a kernel on ℝ².)

    Examples
    --------
    >>> Periodic(period=2.0)([[0.0], [1.0], [2.0]]).round(4)
    array([[1.    , 0.1353, 1.    ],
           [0.1353, 1.    , 0.1353],
           [1.    , 0.1353, 1.    ]])
    """

    period: float = par.positive(1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "period", positive_number(self.period, "period"))
        if isinstance(self.sigma, tuple):
            raise InputError(
                "Periodic takes one sigma; for one per coordinate multiply "
                "Periodic(…).on(0) * Periodic(…).on(1)"
            )

    def _chords(self, pair: PointPairs) -> Array:
        """Squared chords of the circle, 4 Σ_c sin²(π(x_c−x'_c)/period)."""
        circle = Map(Circle(self.period), "circle")
        return pair.mapped(circle, circle.rows).sqdistance()

    def evaluate(self, pair: PointPairs) -> Array:
        value: Array = self._chords(pair) * (-0.5 / self._width**2)
        return np.exp(value, out=value)

    @property
    def _width(self) -> float:
        assert isinstance(self.sigma, float)
        return self.sigma

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        weight = G * pair.value(self) / self._width**2
        slope = np.zeros_like(weight)
        for c in range(pair.left.X.shape[1]):
            u, v = pair.lift(pair.left.X[:, c], pair.right.X[:, c])
            angle = (2 * math.pi / self.period) * (u - v)
            slope += angle * np.sin(angle)
        return [
            float(np.vdot(weight, self._chords(pair))),
            float(np.vdot(weight, slope)),
        ]

    def format_latex(self, x: str, z: str) -> Text:
        return (
            rf"\exp\left(-2 \sum_c \sin^2(\pi ({x}_c - {z}_c)"
            rf"/{tex_factor(self.period)})/{tex_square_of(self._width)}\right)",
            PRODUCT,
        )

    def _expression(self) -> Kernel:
        circle = Map(Circle(self.period), "γ", latex=r"\gamma")
        return Pullback(Gaussian(self._width), circle)

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="the Gaussian of the chord: ‖γ(x)−γ(x')‖² = 4 Σ_c sin²(π(x_c−x'_c)/p) "
            "with γ(x) = (cos, sin)(2πx/p)",
        )

    def is_infinitely_divisible(self) -> bool:
        return True  # as the Gaussian

    def real_power(self, p: float) -> Kernel:
        return self._narrowed(math.sqrt(p))

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        unit = self.period / (2 * math.pi)
        return independent(d, unit, skellam(self._width**-2))


@dataclass(frozen=True)
class Wave:
    """φ(x) = (cos ω⊤x, sin ω⊤x)."""

    omega: float | tuple[float, ...]

    def __call__(self, X: Array) -> Array:
        angle = X @ np.atleast_1d(np.asarray(self.omega))
        return np.column_stack([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True, repr=False)
class Cosine(Kernel):
    """cos(ω⊤(x−x')): one frequency, two features.

    Parameters
    ----------
    omega : frequency; a number for the line, or one per coordinate.

    Examples
    --------
    >>> import numpy as np
    >>> Cosine(omega=np.pi)([[0.0], [1.0]]).round(4)
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    omega: float | tuple[float, ...] = par.unbounded(1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "omega", numbers(self.omega, "omega"))

    @property
    def _frequency(self) -> Array:
        return np.atleast_1d(np.asarray(self.omega))

    def dimension_error(self, dimension: int) -> str | None:
        size = self._frequency.size
        if size == dimension:
            return None
        return (
            f"{self!r} has {size} frequencies, so it takes points with {size} columns"
        )

    def natural_domain(self) -> Domain:
        return Reals(self._frequency.size)

    def _angle(self, pair: PointPairs) -> Array:
        w = self._frequency
        left, right = pair.lift(pair.left.X @ w, pair.right.X @ w)
        result: Array = left - right
        return result

    def evaluate(self, pair: PointPairs) -> Array:
        angle = self._angle(pair)
        return np.cos(angle, out=angle)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        S = -G * np.sin(self._angle(pair))
        rows, columns = pair.sums(S)
        gradient: list[float] = (rows @ pair.left.X - columns @ pair.right.X).tolist()
        return gradient

    def format_latex(self, x: str, z: str) -> Text:
        if isinstance(self.omega, tuple):
            return rf"\cos\left(\omega^\top({x} - {z})\right)", PRODUCT
        return rf"\cos\left({tex_factor(self.omega)} ({x} - {z})\right)", PRODUCT

    def _expression(self) -> FromFeatures:
        return FromFeatures(Map(Wave(self.omega), "wave"))

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="cos(a−b) = cos a cos b + sin a sin b",
        )

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return wave(self._frequency)

    def build_features(self) -> FeatureMap:
        phi = self._expression().build_features()
        return FeatureMap(
            phi.rows, lambda d: [(1.0, ("cos(ω⊤x)",)), (1.0, ("sin(ω⊤x)",))]
        )
