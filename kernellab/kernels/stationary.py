"""Kernels of the difference x − x': Gaussian, exponential, Matérn, periodic, ….

A width σ may be one number, or one for each coordinate: then distances are measured
in units of σ_c along coordinate c.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc

from kernellab.errors import InfiniteDimensional, InputError
from kernellab.features import FeatureMap
from kernellab.kernels import parameters as par
from kernellab.kernels.algebra import tex_factor
from kernellab.kernels.base import PRODUCT, Kernel, Text
from kernellab.kernels.bespoke import FromFeatures
from kernellab.kernels.dotproduct import Linear
from kernellab.kernels.functional import Exp, Pullback, Weighted
from kernellab.kernels.maps import Map
from kernellab.kernels.pairs import Pair
from kernellab.kernels.points import Array, Points
from kernellab.validity import rules
from kernellab.validity.domains import Domain, Reals
from kernellab.validity.rules import Justification
from kernellab.validity.theorems import BOCHNER, MIXTURE

ROUNDING = 1e-14
"""What the sums of a feature map lose to rounding, relative to their terms."""


@dataclass(frozen=True, repr=False)
class Stationary(Kernel):
    """q(r), a function of a distance r with r(x,x) = 0 and q(0) = 1."""

    sigma: float | tuple[float, ...] = par.positive(1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", par.positive_numbers(self.sigma, "sigma"))
        if not 1e-150 < np.min(self.sigma) <= np.max(self.sigma) < 1e150:
            raise InputError(
                f"sigma must lie between 1e-150 and 1e150, so that σ² is a number; got "
                f"{self.sigma!r}. Rescale the points."
            )

    def _misfit(self, dimension: int) -> str | None:
        if not isinstance(self.sigma, tuple) or len(self.sigma) == dimension:
            return None
        return (
            f"{self!r} has one width for each of {len(self.sigma)} coordinates, so it "
            f"takes points with {len(self.sigma)} columns"
        )

    def natural_domain(self) -> Domain:
        return Reals(len(self.sigma) if isinstance(self.sigma, tuple) else None)

    def _positive_diagonal(self, domain: Domain) -> bool:
        return True

    def _features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"the feature space of {self!r} has infinite dimension: its Gram matrix on "
            "n distinct points has rank n, for every n. Use k(X, Z), or "
            "kernellab.features for a truncated map of the Gaussian."
        )

    @property
    def _units(self) -> tuple[float | tuple[float, ...] | None, float]:
        """(σ, 1) for several widths; (None, σ) for one: then distances are shared."""
        if isinstance(self.sigma, tuple):
            return self.sigma, 1.0
        return None, self.sigma

    def _pull_widths(self, pair: Pair, S: Array) -> list[float]:
        """Σ S·∂u/∂log σ, where u = ‖(x−x')/σ‖² and S is the cotangent of u."""
        scale, width = self._units
        if scale is None:
            return [-2 * float(np.vdot(S, pair.sqdistance())) / width**2]
        moments: list[float] = (-2 * pair.moments(S, scale)).tolist()
        return moments

    def _tex_square(self, x: str, z: str) -> str:
        """‖x−x'‖²/σ²."""
        if isinstance(self.sigma, tuple):
            return rf"\sum_c ({x}_c - {z}_c)^2/\sigma_c^2"
        return rf"\|{x} - {z}\|^2/{_tex_square_of(self.sigma)}"


@dataclass(frozen=True, repr=False)
class Gaussian(Stationary):
    """exp(−‖x−x'‖² / (2σ²)).

    Parameters
    ----------
    sigma : width; a number, or one per coordinate.

    Notes
    -----
    S0 l. 629–725, S2 l. 273–277, S3 l. 399–406. Its proof is
    e^{−‖x‖²/2σ²} · exp(x⊤x'/σ²) · e^{−‖x'‖²/2σ²} (S0 prints a wrong sign there).
    scikit-learn's gamma is 1/(2σ²).

    Examples
    --------
    >>> Gaussian(sigma=2.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    def _value(self, pair: Pair) -> Array:
        scale, width = self._units
        value = pair.sqdistance(scale) * (-0.5 / width**2)
        return np.exp(value, out=value)

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        return self._pull_widths(pair, -0.5 * G * pair.value(self))

    def _latex(self, x: str, z: str) -> Text:
        if isinstance(self.sigma, tuple):
            exponent = rf"-\tfrac12 {self._tex_square(x, z)}"
        else:
            exponent = rf"-\|{x} - {z}\|^2/(2 \cdot {_tex_square_of(self.sigma)})"
        return rf"\exp\left({exponent}\right)", PRODUCT

    def _expression(self) -> Kernel:
        """f(x) · exp(c x⊤x') · f(x') with f(x) = exp(−c‖x‖²/2) and c = 1/σ²."""
        if isinstance(self.sigma, tuple):
            precision = np.diag(1 / np.square(self.sigma))
            inner: Kernel = Linear(A=precision)  # type: ignore[arg-type]
        else:
            inner = Linear() / self.sigma**2
        return Weighted(Exp(inner), Map(Bell(self.sigma), "f"))

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="‖x−x'‖² = ‖x‖² + ‖x'‖² − 2x⊤x', so k = f(x)·exp(x⊤x'/σ²)·f(x') "
            "with f(x) = exp(−‖x‖²/(2σ²)); S0 l. 629–725, sign and constant put right",
        )

    def _divisible(self) -> bool:
        return True  # its p-th power is the Gaussian of width σ/√p

    def truncated_features(self, degree: int) -> FeatureMap:
        """The features of degree ≤ `degree` in exp(x⊤x'/σ²), with an error bound.

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
        if par.number(degree, "the degree") != int(degree) or degree < 0:
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
            tail = gammainc(degree + 1, u * v)
            result: Array = np.exp(-0.5 * (u - v) ** 2) * (tail + ROUNDING)
            return result

        return FeatureMap(phi.rows, phi.terms, self._read, remainder)


@dataclass(frozen=True, repr=False)
class Radial(Stationary):
    """A kernel of r = ‖x−x'‖/σ that is proved by its Fourier transform."""

    @abstractmethod
    def _profile(self, r: Array) -> tuple[Array, Array]:
        """q(r), and q'(r)/r."""

    @property
    @abstractmethod
    def _transform(self) -> str:
        """The Fourier transform of q, which is positive."""

    def _radius(self, pair: Pair) -> Array:
        scale, width = self._units
        result: Array = pair.distance(scale) / width
        return result

    def _value(self, pair: Pair) -> Array:
        return self._profile(self._radius(pair))[0]

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        slope = self._profile(self._radius(pair))[1]
        return self._pull_widths(pair, 0.5 * G * slope)

    def _tex_radius(self, x: str, z: str) -> str:
        if isinstance(self.sigma, tuple):
            return rf"\sqrt{{{self._tex_square(x, z)}}}"
        return rf"\|{x} - {z}\|{_tex_over(self.sigma)}"

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            BOCHNER, note=f"the Fourier transform is proportional to {self._transform}"
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

    def _profile(self, r: Array) -> tuple[Array, Array]:
        q = np.exp(-r)
        return q, _divide(-q, r)

    @property
    def _transform(self) -> str:
        return "(1 + σ²‖ω‖²)^(−(d+1)/2) > 0"

    def _latex(self, x: str, z: str) -> Text:
        return rf"\exp\left(-{self._tex_radius(x, z)}\right)", PRODUCT

    def _divisible(self) -> bool:
        return True  # its p-th power has the width σ/p


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

    def _profile(self, r: Array) -> tuple[Array, Array]:
        s = math.sqrt(2 * self.nu) * r
        e = np.exp(-s)
        if self.nu == 0.5:
            return e, _divide(-e, r)
        if self.nu == 1.5:
            return (1 + s) * e, -3 * e
        return (1 + s + s**2 / 3) * e, -5 / 3 * (1 + s) * e

    @property
    def _transform(self) -> str:
        return f"(2ν + σ²‖ω‖²)^(−ν−d/2) > 0, ν = {self.nu:g}"

    def _latex(self, x: str, z: str) -> Text:
        s = rf"\sqrt{{{2 * self.nu:g}}} \, {self._tex_radius(x, z)}"
        front = {0.5: "", 1.5: "(1 + s)", 2.5: "(1 + s + s^2/3)"}[self.nu]
        return rf"{front} \, e^{{-s}} \big|_{{s = {s}}}", PRODUCT

    def _divisible(self) -> bool:
        return self.nu == 0.5


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
        object.__setattr__(self, "alpha", par.positive_number(self.alpha, "alpha"))

    def _excess(self, pair: Pair) -> Array:
        """u/(2α) with u = ‖x−x'‖²/σ²."""
        scale, width = self._units
        result: Array = pair.sqdistance(scale) * (0.5 / (self.alpha * width**2))
        return result

    def _value(self, pair: Pair) -> Array:
        value = np.log1p(self._excess(pair))  # a power would lose digits for large α
        value *= -self.alpha
        return np.exp(value, out=value)

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        excess = self._excess(pair)
        weight = G * pair.value(self)
        widths = self._pull_widths(pair, -0.5 * weight / (1 + excess))
        slope = self.alpha * (excess / (1 + excess) - np.log1p(excess))
        return [*widths, float(np.vdot(weight, slope))]

    def _latex(self, x: str, z: str) -> Text:
        square = self._tex_square(x, z)
        return (
            rf"\left(1 + {square} / {tex_factor(2 * self.alpha)}\right)"
            rf"^{{-{tex_factor(self.alpha)}}}",
            PRODUCT,
        )

    def _justify(self, domain: Domain) -> Justification:
        part = Gaussian(self.sigma)
        return Justification(
            MIXTURE,
            ((part, domain),),
            note="k = ∫ exp(−s u/2) s^{α−1} e^{−αs} ds · α^α/Γ(α) with u = ‖x−x'‖²/σ²: "
            "Gaussians of the widths σ/√s, each a kernel as the one of width σ is",
        )

    def _divisible(self) -> bool:
        return True  # its p-th power is rational quadratic with α·p


@dataclass(frozen=True, repr=False)
class Laplacian(Stationary):
    """exp(−Σ_c |x_c−x'_c|/σ): a product of exponentials, one for each coordinate.

    Examples
    --------
    >>> Laplacian()([[0.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    def _value(self, pair: Pair) -> Array:
        scale, width = self._units
        value = pair.cityblock(scale) * (-1 / width)
        return np.exp(value, out=value)

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        scale, width = self._units
        weight = G * pair.value(self)
        if scale is None:
            return [float(np.vdot(weight, pair.cityblock())) / width]
        return [
            float(np.vdot(weight, pair.columns((c,)).cityblock(s)))
            for c, s in enumerate(self.sigma)  # type: ignore[arg-type]
        ]

    def _latex(self, x: str, z: str) -> Text:
        if isinstance(self.sigma, tuple):
            distance = rf"\sum_c |{x}_c - {z}_c|/\sigma_c"
        else:
            distance = rf"\|{x} - {z}\|_1{_tex_over(self.sigma)}"
        return rf"\exp\left(-{distance}\right)", PRODUCT

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            BOCHNER,
            note="the Fourier transform is proportional to Π_c 1/(1 + σ²ω_c²) > 0",
        )

    def _divisible(self) -> bool:
        return True  # its p-th power has the width σ/p


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
        object.__setattr__(self, "period", par.positive_number(self.period, "period"))
        if isinstance(self.sigma, tuple):
            raise InputError(
                "Periodic takes one sigma; for one per coordinate multiply "
                "Periodic(…).on(0) * Periodic(…).on(1)"
            )

    def _chords(self, pair: Pair) -> Array:
        """Squared chords of the circle, 4 Σ_c sin²(π(x_c−x'_c)/period)."""
        circle = Map(Circle(self.period), "circle")
        return pair.mapped(circle, circle.rows).sqdistance()

    def _value(self, pair: Pair) -> Array:
        value: Array = self._chords(pair) * (-0.5 / self._width**2)
        return np.exp(value, out=value)

    @property
    def _width(self) -> float:
        assert isinstance(self.sigma, float)
        return self.sigma

    def _pull(self, pair: Pair, G: Array) -> list[float]:
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

    def _latex(self, x: str, z: str) -> Text:
        return (
            rf"\exp\left(-2 \sum_c \sin^2(\pi ({x}_c - {z}_c)"
            rf"/{tex_factor(self.period)})/{_tex_square_of(self._width)}\right)",
            PRODUCT,
        )

    def _expression(self) -> Kernel:
        circle = Map(Circle(self.period), "γ", latex=r"\gamma")
        return Pullback(Gaussian(self._width), circle)

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="the Gaussian of the chord: ‖γ(x)−γ(x')‖² = 4 Σ_c sin²(π(x_c−x'_c)/p) "
            "with γ(x) = (cos, sin)(2πx/p)",
        )

    def _divisible(self) -> bool:
        return True  # as the Gaussian


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
        object.__setattr__(self, "omega", par.numbers(self.omega, "omega"))

    @property
    def _frequency(self) -> Array:
        return np.atleast_1d(np.asarray(self.omega))

    def _misfit(self, dimension: int) -> str | None:
        size = self._frequency.size
        if size == dimension:
            return None
        return (
            f"{self!r} has {size} frequencies, so it takes points with {size} columns"
        )

    def natural_domain(self) -> Domain:
        return Reals(self._frequency.size)

    def _angle(self, pair: Pair) -> Array:
        w = self._frequency
        left, right = pair.lift(pair.left.X @ w, pair.right.X @ w)
        result: Array = left - right
        return result

    def _value(self, pair: Pair) -> Array:
        angle = self._angle(pair)
        return np.cos(angle, out=angle)

    def _pull(self, pair: Pair, G: Array) -> list[float]:
        S = -G * np.sin(self._angle(pair))
        rows, columns = pair.sums(S)
        gradient: list[float] = (rows @ pair.left.X - columns @ pair.right.X).tolist()
        return gradient

    def _latex(self, x: str, z: str) -> Text:
        if isinstance(self.omega, tuple):
            return rf"\cos\left(\omega^\top({x} - {z})\right)", PRODUCT
        return rf"\cos\left({tex_factor(self.omega)} ({x} - {z})\right)", PRODUCT

    def _expression(self) -> FromFeatures:
        return FromFeatures(Map(Wave(self.omega), "wave"))

    def _justify(self, domain: Domain) -> Justification:
        return Justification(
            rules.IDENTITY,
            ((self._expression(), domain),),
            note="cos(a−b) = cos a cos b + sin a sin b",
        )

    def _positive_diagonal(self, domain: Domain) -> bool:
        return True

    def _features(self) -> FeatureMap:
        phi = self._expression()._features()
        return FeatureMap(
            phi.rows, lambda d: [(1.0, ("cos(ω⊤x)",)), (1.0, ("sin(ω⊤x)",))]
        )


@dataclass(frozen=True)
class Bell:
    """f(x) = exp(−‖x/σ‖²/2)."""

    sigma: float | tuple[float, ...]

    def __call__(self, X: Array) -> Array:
        result: Array = np.exp(-0.5 * np.square(X / np.asarray(self.sigma)).sum(axis=1))
        return result


@dataclass(frozen=True)
class Circle:
    """γ(x) = (cos, sin)(2πx/period), for each coordinate."""

    period: float

    def __call__(self, X: Array) -> Array:
        angle = (2 * math.pi / self.period) * X
        return np.hstack([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True)
class Wave:
    """φ(x) = (cos ω⊤x, sin ω⊤x)."""

    omega: float | tuple[float, ...]

    def __call__(self, X: Array) -> Array:
        angle = X @ np.atleast_1d(np.asarray(self.omega))
        return np.column_stack([np.cos(angle), np.sin(angle)])


def _divide(above: Array, below: Array) -> Array:
    """above/below, and 0 where below is 0 (there the pair adds nothing)."""
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)


def _tex_square_of(sigma: float) -> str:
    return "1" if sigma == 1 else f"{tex_factor(sigma)}^2"


def _tex_over(sigma: float) -> str:
    return "" if sigma == 1 else f"/{tex_factor(sigma)}"
