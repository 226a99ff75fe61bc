"""The kernels that enter the contract: add yours to SAMPLES, and nowhere else.

Every kernel class that `kernellab.kernels` exports needs one sample at least; a test
fails for one that has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernellab import kernels as kl
from kernellab.kernels import Kernel
from kernellab.kernels.gram import TILE

Rng = np.random.Generator


# --- points -------------------------------------------------------------------------


def box(dimension: int, low: float = -2.0) -> Callable[[Rng, int], np.ndarray]:
    """Vectors in a cube, on a grid of 1/64 so that float32 holds them exactly."""

    def points(rng: Rng, n: int) -> np.ndarray:
        return np.round(64 * rng.uniform(low, 2.0, (n, dimension))) / 64

    return points


def words(rng: Rng, n: int) -> list[str]:
    return ["".join(rng.choice(list("abc"), size=rng.integers(2, 7))) for _ in range(n)]


def baskets(rng: Rng, n: int) -> list[frozenset[int]]:
    return [
        frozenset(rng.integers(0, 9, size=rng.integers(6)).tolist()) for _ in range(n)
    ]


def nodes(rng: Rng, n: int) -> list[int]:
    return rng.integers(0, 6, size=n).tolist()


def graphs(rng: Rng, n: int) -> list[kl.Graph]:
    def one(size: int) -> kl.Graph:
        pairs = np.argwhere(np.triu(rng.random((size, size)) < 0.5, 1)).tolist()
        return kl.Graph(size, map(tuple, pairs), rng.integers(2, size=size).tolist())

    return [one(int(rng.integers(1, 6))) for _ in range(n)]


# --- functions ------------------------------------------------------------------------


def circle(X: np.ndarray) -> np.ndarray:
    return np.hstack([np.cos(X), np.sin(X)])


def slope(X: np.ndarray) -> np.ndarray:
    return 1 + 0.5 * X[:, 0]


def length(word: str) -> float:
    return float(len(word))


def parabola(x: np.ndarray, z: np.ndarray) -> float:
    return float(1 - (x[0] - z[0]) ** 2)


def lopsided(x: np.ndarray, z: np.ndarray) -> float:
    return float(x[0] * z[1])


def product(x: np.ndarray, z: np.ndarray) -> float:
    return float(x[0] * z[0])


def bell(r: np.ndarray) -> np.ndarray:
    return np.exp(-(r**2))


def slope_of_bell(r: np.ndarray) -> np.ndarray:
    return -2 * r * np.exp(-(r**2))


def power(x: np.ndarray, z: np.ndarray, shift: float) -> float:
    return float((x @ z + shift) ** 2)


def slope_of_power(x: np.ndarray, z: np.ndarray, shift: float) -> float:
    return float(2 * (x @ z + shift))


def compound(m: int) -> Kernel:
    return (1 + kl.Linear() / m) ** m


def plain(m: int) -> Kernel:
    return kl.Linear() / 2 + 1 / m


squares = kl.Map(lambda X: X**2, "squares", into=kl.Orthant())
NAMES = {
    f.__name__: f
    for f in (
        *(circle, slope, length, parabola, lopsided, product, bell, compound, plain),
        *(slope_of_bell, power, slope_of_power),
    )
} | {"squares": squares}


# --- samples ------------------------------------------------------------------------

FINITE, INFINITE, NONE = "finite", "infinite", "none"
LINE, PLANE, ORTHANT = box(1), box(2), box(2, low=0.0)


@dataclass(frozen=True)
class Sample:
    """A kernel, and what is to be expected of it.

    Attributes
    ----------
    points : function of a generator and n, to n points that the kernel takes.
    features : whether `features()` is finite, infinite, or not known.
    proven : whether the verdict on the natural domain is PROVEN.
    many : a number of points above the size of a tile; fewer for a slow kernel.
    tol : how far two ways to the same value may differ, relative to the largest.
    """

    kernel: Kernel
    points: Callable[[Rng, int], Any] = PLANE
    features: str = INFINITE
    proven: bool = True
    many: int = TILE + 44
    tol: float = 1e-12
    pickles: bool = True
    names: dict[str, Any] = field(default_factory=lambda: NAMES)

    def __str__(self) -> str:
        return repr(self.kernel)


HOUSE = kl.Graph(6, [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (3, 4)])
A = [[2.0, 0.5], [0.5, 1.0]]

LEAVES = [
    Sample(kl.Constant(2.5), features=FINITE),
    Sample(kl.Constant(2.5), words, FINITE),
    Sample(kl.Constant(-1.0), features=NONE, proven=False),
    Sample(kl.Linear(), features=FINITE),
    Sample(kl.Linear(), box(7), FINITE),
    Sample(kl.Linear(A=A), features=FINITE),
    Sample(kl.Linear(A=[[1, 2], [0, 1]]), features=NONE, proven=False),
    Sample(kl.Polynomial(degree=3, c=0.7), features=FINITE),
    Sample(kl.Polynomial(degree=2, c=0.0), box(3), FINITE),
    Sample(kl.Gaussian(sigma=0.8)),
    Sample(kl.Gaussian(sigma=3.0), box(6)),
    Sample(kl.Gaussian(sigma=(0.5, 2.0))),
    Sample(kl.Gaussian(sigma=(0.5, 2.0, 1.0, 3.0, 4.0)), box(5)),
    Sample(kl.Exponential(sigma=1.5)),
    Sample(kl.Exponential(sigma=(1.5, 0.5))),
    Sample(kl.Laplacian(sigma=1.5)),
    Sample(kl.Laplacian(sigma=(1.5, 0.5))),
    Sample(kl.Matern(nu=0.5)),
    Sample(kl.Matern(nu=1.5, sigma=0.7)),
    Sample(kl.Matern(nu=2.5, sigma=(1.5, 0.5))),
    Sample(kl.Matern(nu=2.5, sigma=2.0), box(9)),
    Sample(kl.RationalQuadratic(alpha=0.3, sigma=0.7)),
    Sample(kl.RationalQuadratic(alpha=5.0, sigma=(1.5, 0.5))),
    Sample(kl.Periodic(period=1.3, sigma=0.9), LINE),
    Sample(kl.Periodic(period=2.0, sigma=1.7), box(3)),
    Sample(kl.Cosine(omega=1.7), LINE, FINITE),
    Sample(kl.Cosine(omega=(1.0, -2.0)), features=FINITE),
    Sample(kl.Brownian(), box(1, low=0.0)),
    Sample(kl.HistogramIntersection(), ORTHANT),
    Sample(kl.Delta()),
    Sample(kl.Delta(), words),
    Sample(kl.FromFeatures(circle), features=FINITE),
    Sample(kl.FromFeatures(length), words, FINITE),
    Sample(kl.FromFunction(parabola), LINE, NONE, proven=False),
    Sample(kl.FromFunction(lopsided, domain=kl.Reals(2)), features=NONE, proven=False),
    Sample(
        kl.FromFunction(product, domain=kl.Interval(-2, 2)), LINE, NONE, proven=False
    ),
    Sample(kl.FromDistance(bell), features=NONE, proven=False),
    Sample(kl.FromDistance(bell, "cityblock"), features=NONE, proven=False),
    Sample(kl.FromDistance(bell, "circle"), LINE, NONE, proven=False),
    Sample(
        kl.from_function(power, gradient=slope_of_power, shift=0.7),
        features=NONE,
        proven=False,
    ),
    Sample(
        kl.from_function(power, proof="a polynomial", shift=0.7),
        features=NONE,
        many=60,
    ),
    Sample(
        kl.from_profile(bell, slope_of_bell, sigma=(0.5, 2.0), proof="Schoenberg"),
        features=NONE,
    ),
    Sample(
        kl.PointwiseLimit(compound, tol=1e-5), features=NONE, proven=False, tol=1e-4
    ),
    Sample(kl.PointwiseLimit(plain), features=NONE, proven=False, tol=1e-8),
]

DISCRETE = [
    Sample(kl.Spectrum(p=2), words, NONE),
    Sample(kl.Spectrum(p=2, alphabet="abc"), words, FINITE),
    Sample(kl.Spectrum(1, 3, alphabet="abc", ends=True), words, FINITE),
    Sample(kl.PositionalSpectrum(p=2, sigma=1.3), words),
    Sample(kl.PositionalSpectrum(1, 2, sigma=0.05), words),
    Sample(kl.Diffusion(HOUSE, beta=0.4), nodes, FINITE),
    Sample(kl.Mismatch(p=3, m=1, alphabet="abc"), words, FINITE),
    Sample(kl.Subsequence(p=2, decay=0.6), words, NONE, many=60),
    Sample(kl.Intersection(), baskets),
    Sample(kl.Jaccard(), baskets),
    Sample(kl.WeisfeilerLehman(h=2), graphs),
    Sample(2 * kl.Jaccard() * kl.exp(0.1 * kl.Intersection()) + kl.Delta(), baskets),
    Sample((kl.Spectrum(p=1) + 1).normalize(), words, NONE),
]

k1, k2, k3 = kl.Gaussian(sigma=0.9), kl.Linear(), kl.Polynomial(degree=2, c=0.5)

COMPOSITES = [
    Sample(k2 + k3 + 1, features=FINITE),
    Sample(k1 + 2 * k2 + 3),
    Sample(k1 - 0.5 * k2, proven=False),
    Sample(0.3 * k3, features=FINITE),
    Sample(-k1, features=INFINITE, proven=False),
    Sample(-k2, features=NONE, proven=False),
    Sample(k2 * k3, features=FINITE),
    Sample((k1 + 1) * (2 * k2) * (k3 + k1)),
    Sample(k2 / (k1 + 1), features=NONE, proven=False),
    Sample(1 / kl.sqrt(k1), features=NONE, proven=False),
    Sample((k2 + 0.5) ** 3, features=FINITE),
    Sample((3 * k2) ** 0, features=FINITE),
    Sample(k1**2.5, features=NONE),
    Sample((k3 + 1) ** -0.5, features=NONE, proven=False),
    Sample(kl.exp(0.3 * k2 + k1)),
    Sample(kl.tanh(0.5 * k2 - 1), features=NONE, proven=False),
    Sample((2 * k2).polynomial((0.5, 0.0, 2.0)), features=FINITE),
    Sample((2 * k2).polynomial((1.0, -3.0)), features=NONE, proven=False),
    Sample((2 * k1).weighted(slope)),
    Sample(k3.weighted(slope), features=FINITE),
    Sample(kl.Constant(2.0).weighted(length), words, FINITE),
    Sample(k1.pullback(circle)),
    Sample(k3.pullback(circle), features=FINITE),
    Sample(kl.HistogramIntersection().pullback(squares), pickles=False),
    Sample(k1.pullback(length), words),
    Sample(k1.on(1) * k2.on([2, 0]) + kl.Gaussian(sigma=(1.0, 2.0)).on((0, 2)), box(3)),
    Sample(k3.on((2, 0)), box(3), FINITE),
    Sample((k1 + 0.5 * k2).normalize()),
    Sample((k3 + 1).normalize(), features=FINITE),
    Sample((k2.normalize() + k1).normalize()),
    Sample(
        (kl.exp(k1.on(0) * 2) + (3 * k2 + 1) ** 2 / 4)
        .weighted(slope)
        .pullback(circle)
        .polynomial((0.0, 1.0, 0.1)),
        LINE,
    ),
]

SAMPLES = LEAVES + DISCRETE + COMPOSITES
