"""The Gaussian kernel, its truncated features, and the rational quadratic."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from kernellab.arrays import Array, Floats, number, positive_number
from kernellab.errors import InputError
from kernellab.kernels import parameters as par
from kernellab.kernels.base import Kernel
from kernellab.kernels.dotproduct import Linear
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.functional import Exp
from kernellab.kernels.gram import RowRequest, RowWriter
from kernellab.kernels.maps import Map
from kernellab.kernels.pairs import PointPairs, beside_squares
from kernellab.kernels.points import Points
from kernellab.kernels.printing import PRODUCT, Text, tex_factor
from kernellab.kernels.spectral import SpectralMeasure, normals
from kernellab.kernels.stationary import Stationary, tex_square_of
from kernellab.kernels.weighting import Weighted
from kernellab.validity import rules
from kernellab.validity.domains import Domain
from kernellab.validity.theorems import MIXTURE

SERIES_ROUNDING = 1e-14
"""What the sums of a feature map lose to rounding, relative to their terms."""


@dataclass(frozen=True)
class Bell:
    """f(x) = exp(−‖x/σ‖²/2)."""

    sigma: float | tuple[float, ...]

    def __call__(self, X: Array) -> Array:
        result: Array = np.exp(-0.5 * np.square(X / np.asarray(self.sigma)).sum(axis=1))
        return result


@dataclass(frozen=True, repr=False)
class Gaussian(Stationary):
    """exp(−‖x−x'‖² / (2σ²)).

    Parameters
    ----------
    sigma : width; a number, or one per coordinate.

    Notes
    -----
    It is a kernel because it is e^{−‖x‖²/2σ²} · exp(x⊤x'/σ²) · e^{−‖x'‖²/2σ²}.
    scikit-learn's gamma is 1/(2σ²).

    Examples
    --------
    >>> Gaussian(sigma=2.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    def evaluate(self, pair: PointPairs) -> Array:
        scale, width = self._units
        value = pair.sqdistance(scale) * (-0.5 / width**2)
        return np.exp(value, out=value)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        S = pair.weighted(self, G)
        return [-0.5 * g for g in self._pull_widths(pair, S)]

    def row_writer(self, wanted: RowRequest) -> RowWriter | None:
        """Write a row as exp of one product, −½‖u−u'‖² with u = x/σ.

        Rounding moves the exponent by about the largest ½‖u‖² times the last digit:
        that decides whether the product is in float32, in float64, or impossible.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            A = beside_squares(wanted.points, self.sigma)
            largest = 0.5 * float(A[:, -2].max(initial=0.0))
        for dtype in (wanted.dtype, np.float64):
            if largest * float(np.finfo(dtype).eps) <= wanted.tolerance:
                B = A if wanted.columns is None else A[wanted.columns]
                right = np.empty(B.T.shape, dtype)
                right[:-2], right[-2], right[-1] = B.T[:-2], -0.5, -0.5 * B[:, -2]
                zeros = np.zeros(len(B), wanted.dtype)
                return _exp_of_product(A.astype(dtype, copy=False), right, zeros)
        return None

    def format_latex(self, x: str, z: str) -> Text:
        if isinstance(self.sigma, tuple):
            exponent = rf"-\tfrac12 {self._tex_square(x, z)}"
        else:
            exponent = rf"-\|{x} - {z}\|^2/(2 \cdot {tex_square_of(self.sigma)})"
        return rf"\exp\left({exponent}\right)", PRODUCT

    def _expression(self) -> Kernel:
        """Return f(x) · exp(c x⊤x') · f(x') with f(x) = exp(−c‖x‖²/2) and c = 1/σ²."""
        if isinstance(self.sigma, tuple):
            precision = np.diag(1 / np.square(self.sigma))
            inner: Kernel = Linear(A=precision)  # type: ignore[arg-type]
        else:
            inner = Linear() / self.sigma**2
        return Weighted(Exp(inner), Map(Bell(self.sigma), "f"))

    def justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="‖x−x'‖² = ‖x‖² + ‖x'‖² − 2x⊤x', so k = f(x)·exp(x⊤x'/σ²)·f(x') "
            "with f(x) = exp(−‖x‖²/(2σ²))",
        )

    def is_infinitely_divisible(self) -> bool:
        return True  # its p-th power is the Gaussian of width σ/√p

    def real_power(self, p: float) -> Kernel:
        return self._narrowed(math.sqrt(p))

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        return normals(d, self.sigma, lambda m, rng: np.ones(m))

    def truncated_features(self, degree: int) -> FeatureMap:
        """Return the features of degree ≤ `degree` in exp(x⊤x'/σ²), with an error
        bound.

        k(x,x') = Σ_j f(x) (x⊤x'/σ²)^j/j! f(x'). The rest of the series is at most
        e^{−(|u|−|v|)²/2} P(N > degree) with u = x/σ, v = x'/σ and N Poisson of mean
        |u||v|.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.linspace(-1, 1, 5)[:, None]
        >>> k = Gaussian()
        >>> phi = k.truncated_features(6)
        >>> error = np.abs(phi(X) @ phi(X).T - k(X)).max()
        >>> bool(error <= phi.bound(X, X).max() < 1e-3)
        True
        """
        if number(degree, "the degree") != int(degree) or degree < 0:
            raise InputError(f"the degree must be an integer ≥ 0, got {degree!r}")
        widths = np.array(self.sigma)
        inner = self._expression()
        assert isinstance(inner, Weighted)
        exponent = Linear().pullback(Map(lambda X: X / widths, "x/σ"))
        coefficients = [1 / math.factorial(j) for j in range(int(degree) + 1)]
        phi = exponent.polynomial(coefficients).weighted(inner.f).features()

        def remainder(P: Points, Q: Points) -> Array:
            u = np.linalg.norm(P.X / widths, axis=1)[:, None]
            v = np.linalg.norm(Q.X / widths, axis=1)[None, :]
            # P(N > m) for a Poisson N is the regularised incomplete gamma function.
            tail = scipy.special.gammainc(degree + 1, u * v)
            result: Array = np.exp(-0.5 * (u - v) ** 2) * (tail + SERIES_ROUNDING)
            return result

        return FeatureMap(phi.rows, phi.terms, self.read_points, remainder)


def _exp_of_product(left: Floats, right: Floats, zeros: Floats) -> RowWriter:
    """Return what writes exp of rows of a product whose exact entries are ≤ 0."""

    def write(p: Any, out: Floats) -> None:
        if right.dtype == out.dtype:
            np.matmul(left[p], right, out=out)
        else:
            out[...] = left[p] @ right
        np.minimum(out, zeros, out=out)  # rounding could leave k > 1
        np.exp(out, out=out)

    return write


@dataclass(frozen=True, repr=False)
class RationalQuadratic(Stationary):
    """(1 + ‖x−x'‖²/(2ασ²))^{−α}: a mixture of Gaussians of many widths.

    Examples
    --------
    >>> RationalQuadratic(alpha=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6667],
           [0.6667, 1.    ]])
    """

    alpha: float = par.positive(1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "alpha", positive_number(self.alpha, "alpha"))

    def _excess(self, pair: PointPairs) -> Array:
        """Return u/(2α) with u = ‖x−x'‖²/σ²."""
        scale, width = self._units
        result: Array = pair.sqdistance(scale) * (0.5 / (self.alpha * width**2))
        return result

    def evaluate(self, pair: PointPairs) -> Array:
        value = np.log1p(self._excess(pair))  # a power would lose digits for large α
        value *= -self.alpha
        return np.exp(value, out=value)

    def evaluate_vjp(self, pair: PointPairs, G: Array) -> list[float]:
        excess = self._excess(pair)
        weight = G * pair.value(self)
        widths = self._pull_widths(pair, -0.5 * weight / (1 + excess))
        slope = self.alpha * (excess / (1 + excess) - np.log1p(excess))
        return [*widths, float(np.vdot(weight, slope))]

    def format_latex(self, x: str, z: str) -> Text:
        square = self._tex_square(x, z)
        return (
            rf"\left(1 + {square} / {tex_factor(2 * self.alpha)}\right)"
            rf"^{{-{tex_factor(self.alpha)}}}",
            PRODUCT,
        )

    def justify(self, domain: Domain) -> Justification:
        part = Gaussian(self.sigma)
        return Justification(
            MIXTURE,
            ((part, domain),),
            note="k = ∫ exp(−s u/2) s^{α−1} e^{−αs} ds · α^α/Γ(α) with u = ‖x−x'‖²/σ²: "
            "Gaussians of the widths σ/√s, each a kernel as the one of width σ is",
        )

    def is_infinitely_divisible(self) -> bool:
        return True  # its p-th power is rational quadratic with α·p

    def real_power(self, p: float) -> Kernel:
        return replace(self._narrowed(math.sqrt(p)), alpha=self.alpha * p)

    def build_spectral_measure(self, d: int) -> SpectralMeasure:
        a = self.alpha
        return normals(d, self.sigma, lambda m, rng: rng.gamma(a, 1 / a, m))
