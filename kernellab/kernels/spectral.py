"""Spectral measures: a continuous stationary kernel is a mixture of waves.

Bochner: k(x, x') = q(x − x') with a continuous q is a kernel on ℝᵈ if and only if

    q(δ) = ∫ cos(ω⊤δ) dμ(ω)    for a finite measure μ ≥ 0, symmetric about 0,

and μ is the only one. Its mass is
μ(ℝᵈ) = q(0) = k(x, x). A measure is built along the kernel's expression:

    c·k           c·μ
    k₁ + k₂       μ₁ + μ₂, a mixture
    k₁·k₂         μ₁ * μ₂: independent frequencies are added
    kᵖ, q(k), eᵏ  as many frequencies are added as a random number says
    k(Ax + b)     the image of μ under A⊤

and the leaves know theirs; so a sampler of μ is written in a few lines, with no
integral and no density.

Legend: d dimension of the points; δ = x − x'; ω (d) frequency, in radians per unit;
m number of frequencies drawn; ω = Aω₀ with ω₀ (c) in the coordinates where μ is
simple (rotation invariant, for instance).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kernellab.arrays import Array, RandomState, Scalars, generator, reals
from kernellab.errors import InputError, NoSpectralMeasure

Draw = Callable[[int, Generator], Array]
"""From (m, rng) to an (m, c) array: m independent draws, −ω₀ as likely as ω₀."""

Matrix = Any
"""A sparse (d, c) matrix; SciPy's types differ from version to version."""

MIN_CHI_SQUARE = 1e-290
"""No χ² variable is taken to be smaller: frequencies stay finite."""

NORMAL_MIN_MEAN = 2.0**40
"""From here on the Skellam distribution is the rounded normal one, to 12 digits."""


@dataclass(frozen=True)
class SpectralMeasure:
    """μ with k(x, x') = ∫ cos(ω⊤(x−x')) dμ(ω). Made by `Kernel.spectral_measure`.

    Parameters
    ----------
    mass : μ(ℝᵈ) = k(x, x).
    draw : sampler of ω₀, where Aω₀ has the distribution μ/mass.
    A : sparse (d, c) matrix.
    radial : whether the distribution of ω₀ is known to be rotation invariant.

    Examples
    --------
    >>> import numpy as np
    >>> from kernellab import kernels as kl
    >>> mu = (3 * kl.Gaussian(sigma=0.5)).spectral_measure(2)
    >>> mu
    SpectralMeasure on ℝ²: mass 3, radial
    >>> omega = mu.sample(10_000, np.random.default_rng(0))
    >>> omega.shape, omega.std(axis=0).round(1)  # normal, 1/σ
    ((10000, 2), array([2., 2.]))
    """

    mass: float
    draw: Draw
    A: Matrix
    radial: bool = False

    def __post_init__(self) -> None:
        if not math.isfinite(self.mass):
            raise NoSpectralMeasure(
                "k(x, x) is too large to be a number: scale the kernel down"
            )
        # On the line, to be symmetric is to be invariant under rotations.
        object.__setattr__(self, "radial", self.radial or self.A.shape[1] < 2)

    @property
    def dimension(self) -> int:
        """d: the measure lives on ℝᵈ."""
        return int(self.A.shape[0])

    def sample(self, m: int, rng: Generator) -> Array:
        """m independent frequencies with the distribution μ/mass, an (m, d) array."""
        return self._image(self.draw(m, rng))

    def sample_orthogonal(self, m: int, rng: Generator) -> Array:
        """m frequencies, each distributed as μ/mass, orthogonal c by c (before A).

        Each is r·u with a random direction u and an independent radius r = ‖ω₀‖; as
        ω₀ is rotation invariant, that is its distribution. Directions of one block
        are the columns of a random orthogonal matrix (Yu et al. 2016), so the waves
        of a block differ more than chance would make them.
        """
        if not self.radial:
            raise NoSpectralMeasure(
                "orthogonal frequencies need a spectral measure that is rotation "
                "invariant, or the image of one under a linear map, as for a Gaussian, "
                "exponential, Matérn or rational quadratic kernel; this one is not "
                "known to be. Use independent frequencies."
            )
        radii = np.linalg.norm(self.draw(m, rng), axis=1)
        return self._image(radii[:, None] * _directions(m, self.A.shape[1], rng))

    def characteristic(
        self, delta: ArrayLike, m: int = 10_000, random_state: RandomState = 0
    ) -> tuple[Array, Array]:
        """Return ∫ cos(ω⊤δ) dμ(ω) = q(δ) from m samples, and its standard error.

        Parameters
        ----------
        delta : (n, d) array of differences x − x'.

        Examples
        --------
        >>> from kernellab import kernels as kl
        >>> mu = kl.Laplacian().spectral_measure(1)
        >>> value, error = mu.characteristic([[0.0], [1.0]])
        >>> value.round(2), error.round(3)  # exp(−|δ|)
        (array([1.  , 0.36]), array([0.   , 0.007]))
        """
        differences = reals(delta, "delta must be an array of numbers")
        if differences.ndim != 2 or differences.shape[1] != self.dimension:
            raise InputError(
                f"delta must have shape (n, {self.dimension}), one difference a row; "
                f"got {differences.shape}"
            )
        omega = self.sample(m, generator(random_state))
        waves = self.mass * np.cos(differences @ omega.T)
        return waves.mean(axis=1), waves.std(axis=1) / math.sqrt(m)

    def _image(self, W: Array) -> Array:
        return np.ascontiguousarray((self.A @ W.T).T)

    # --- rules ------------------------------------------------------------------

    def scaled(self, c: float) -> SpectralMeasure:
        """cμ, for c·k."""
        return replace(self, mass=c * self.mass)

    def through(self, B: Matrix) -> SpectralMeasure:
        """Return the image under B⊤, for k(Bx): ω⊤(Bδ) = (B⊤ω)⊤δ."""
        return replace(self, A=sparse.csr_array(B.T @ self.A))

    def repeated(
        self, mass: float, number: Callable[[int, Generator], NDArray[np.int64]]
    ) -> SpectralMeasure:
        """Return Σ_j P(N = j) μ^⊛j, times a mass: sums of N independent frequencies."""

        def draw(m: int, rng: Generator) -> Array:
            left = number(m, rng)
            W = np.zeros((m, self.A.shape[1]))
            while (active := np.flatnonzero(left)).size:
                W[active] += self.draw(active.size, rng)
                left[active] -= 1
            return W

        return replace(self, mass=mass, draw=draw)

    def to_the(self, p: float) -> SpectralMeasure:
        """Return μ * … * μ, for kᵖ with an integer p."""
        with np.errstate(over="ignore"):
            mass = float(np.float64(self.mass) ** p)
        return self.repeated(mass, lambda m, rng: np.full(m, p))

    def polynomial(self, coefficients: Sequence[float]) -> SpectralMeasure:
        """Return Σ_j q_j μ^⊛j, for q(k) with q_j ≥ 0."""
        with np.errstate(over="ignore"):
            q = np.asarray(coefficients)
            parts = q * np.power(self.mass, np.arange(q.size))
        return self.repeated(float(parts.sum()), lambda m, rng: _choose(parts, m, rng))

    def exp(self) -> SpectralMeasure:
        """Return Σ_j μ^⊛j/j!, for eᵏ: a Poisson number of frequencies."""
        with np.errstate(over="ignore"):
            mass = float(np.exp(self.mass))
        return self.repeated(mass, lambda m, rng: rng.poisson(self.mass, m))

    def __repr__(self) -> str:
        power = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(self.dimension))
        radial = ", radial" if self.radial else ""
        return f"SpectralMeasure on ℝ{power}: mass {self.mass:g}{radial}"


def mixture(parts: Sequence[SpectralMeasure]) -> SpectralMeasure:
    """Return μ₁ + μ₂ + …, for k₁ + k₂ + …: each draw comes from one of them."""
    A, draws, radial = _aligned(parts)
    masses = np.array([part.mass for part in parts])

    def draw(m: int, rng: Generator) -> Array:
        which = _choose(masses, m, rng)
        W = np.empty((m, A.shape[1]))
        for j, one in enumerate(draws):
            W[which == j] = one(int((which == j).sum()), rng)
        return W

    return SpectralMeasure(float(masses.sum()), draw, A, radial)


def convolution(parts: Sequence[SpectralMeasure]) -> SpectralMeasure:
    """Return μ₁ * μ₂ * …, for k₁·k₂·…: cos a cos b = ½cos(a + b) + ½cos(a − b)."""
    A, draws, radial = _aligned(parts)

    def draw(m: int, rng: Generator) -> Array:
        total: Array = np.add.reduce([one(m, rng) for one in draws])
        return total

    return SpectralMeasure(math.prod(part.mass for part in parts), draw, A, radial)


def _aligned(parts: Sequence[SpectralMeasure]) -> tuple[Matrix, list[Draw], bool]:
    """Common coordinates: those of ω₀ if all have the same A, else those of ω."""
    spread = [part for part in parts if part.A.shape[1]]
    if not spread:
        return parts[0].A, [part.draw for part in parts], True
    A = spread[0].A
    if any(A.shape != part.A.shape or (A != part.A).nnz for part in spread):
        return _diagonal(np.ones(A.shape[0])), [part.sample for part in parts], False
    # The atom at 0 is the same in all coordinates.
    draws = [part.draw if part.A.shape[1] else _nothing(A.shape[1]) for part in parts]
    return A, draws, all(part.radial for part in spread)


# --- leaves ---------------------------------------------------------------------------


def origin(dimension: int, mass: float) -> SpectralMeasure:
    """Return all mass at ω = 0, for a constant: the image of a measure on ℝ⁰."""
    return SpectralMeasure(mass, _nothing(0), sparse.csr_array((dimension, 0)))


def wave(omega: Array) -> SpectralMeasure:
    """Return half of the mass at ω and half at −ω, for cos(ω⊤δ)."""

    def draw(m: int, rng: Generator) -> Array:
        return rng.choice([-1.0, 1.0], (m, 1))

    return SpectralMeasure(1.0, draw, sparse.csr_array(omega[:, None]))


def normals(
    dimension: int, sigma: Scalars, variance: Callable[[int, Generator], Array]
) -> SpectralMeasure:
    """Return ω = √s·z/σ with z standard normal and s random: a mixture of Gaussian
    kernels.

    E exp(−s‖δ/σ‖²/2) is the kernel. By Schoenberg, every continuous kernel of ‖δ‖
    that is one in every dimension has this form.
    """

    def draw(m: int, rng: Generator) -> Array:
        z = rng.standard_normal((m, dimension))
        return z * np.sqrt(variance(m, rng))[:, None]

    return _in_units(sigma, draw, dimension, radial=True)


def student(nu: float) -> Callable[[int, Generator], Array]:
    """Return s = 2ν/χ²_{2ν}: then √s·z is Student's t with 2ν degrees of freedom
    (Matérn).
    """

    def variance(m: int, rng: Generator) -> Array:
        return 2 * nu / np.maximum(rng.chisquare(2 * nu, m), MIN_CHI_SQUARE)

    return variance


def independent(
    dimension: int,
    unit: Scalars,
    draw: Callable[[tuple[int, int], Generator], Array],
) -> SpectralMeasure:
    """Independent coordinates, each drawn/unit, for a product over coordinates."""
    return _in_units(unit, lambda m, rng: draw((m, dimension), rng), dimension)


def skellam(kappa: float) -> Callable[[tuple[int, int], Generator], Array]:
    """Integers j with the probabilities e^{−κ}I_j(κ), the Fourier coefficients of
    e^{κ(cos t − 1)}: the difference of two Poisson variables of mean κ/2.
    """

    def draw(shape: tuple[int, int], rng: Generator) -> Array:
        if kappa > NORMAL_MIN_MEAN:
            return np.rint(math.sqrt(kappa) * rng.standard_normal(shape))
        difference = rng.poisson(kappa / 2, shape) - rng.poisson(kappa / 2, shape)
        return difference.astype(np.float64)

    return draw


def _in_units(
    unit: Scalars, draw: Draw, dimension: int, radial: bool = False
) -> SpectralMeasure:
    """Return ω = ω₀/unit. One unit for all leaves a radial measure radial by itself."""
    if isinstance(unit, tuple):
        return SpectralMeasure(1.0, draw, _diagonal(1 / np.array(unit)), radial)
    return SpectralMeasure(
        1.0, lambda m, rng: draw(m, rng) / unit, _diagonal(np.ones(dimension)), radial
    )


def _diagonal(values: Array) -> Matrix:
    return sparse.diags_array(values, format="csr")


def _nothing(width: int) -> Draw:
    return lambda m, rng: np.zeros((m, width))


def _choose(weights: Array, m: int, rng: Generator) -> NDArray[np.int64]:
    """m times an index, in proportion to the weights; 0 if they are all 0."""
    total = weights.sum()
    if not total > 0:
        return np.zeros(m, dtype=np.int64)
    return rng.choice(weights.size, m, p=weights / total)


def _directions(m: int, width: int, rng: Generator) -> Array:
    """m unit vectors, each uniform on the sphere, orthonormal `width` by `width`."""
    if width == 0:
        return np.zeros((m, 0))
    size, blocks = min(width, m), -(-m // width)
    Q, R = np.linalg.qr(rng.standard_normal((blocks, width, size)))
    # With R's diagonal made positive, Q is distributed uniformly (Haar).
    signs = np.sign(np.einsum("bii->bi", R))
    rows: Array = (Q * signs[:, None, :]).transpose(0, 2, 1).reshape(-1, width)[:m]
    return rows
