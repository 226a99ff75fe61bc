"""Every kernel once more: one pair of points at a time, in plain Python.

Slow and short, straight from the definition. Nothing here is imported by kernellab,
and nothing here imports it.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

Point = Sequence[float]


def gram(k: Callable[[Point, Point], float], X, Z) -> np.ndarray:
    """k(x, z) for every pair, in two loops."""
    K = np.empty((len(X), len(Z)))
    for i, x in enumerate(X):
        for j, z in enumerate(Z):
            K[i, j] = k(list(x), list(z))
    return K


def widths(sigma, d: int) -> list[float]:
    """One width for each coordinate."""
    return [sigma] * d if isinstance(sigma, int | float) else list(sigma)


def inner(x: Point, z: Point) -> float:
    return math.fsum(a * b for a, b in zip(x, z, strict=True))


def distance(x: Point, z: Point, sigma=1.0) -> float:
    s = widths(sigma, len(x))
    return math.hypot(*((a - b) / c for a, b, c in zip(x, z, s, strict=True)))


def cityblock(x: Point, z: Point, sigma=1.0) -> float:
    s = widths(sigma, len(x))
    return math.fsum(abs(a - b) / c for a, b, c in zip(x, z, s, strict=True))


def bilinear(x: Point, z: Point, A) -> float:
    rows = range(len(x))
    return math.fsum(x[i] * A[i][j] * z[j] for i in rows for j in rows)


def polynomial(x: Point, z: Point, degree: int, c: float) -> float:
    return (inner(x, z) + c) ** degree


def gaussian(x: Point, z: Point, sigma=1.0) -> float:
    return math.exp(-(distance(x, z, sigma) ** 2) / 2)


def exponential(x: Point, z: Point, sigma=1.0) -> float:
    return math.exp(-distance(x, z, sigma))


def laplacian(x: Point, z: Point, sigma=1.0) -> float:
    return math.exp(-cityblock(x, z, sigma))


def matern(x: Point, z: Point, nu: float, sigma=1.0) -> float:
    """2^{1−ν}/Γ(ν) (√(2ν) r)^ν K_ν(√(2ν) r), for any ν."""
    from scipy.special import gamma, kv

    s = math.sqrt(2 * nu) * distance(x, z, sigma)
    return 1.0 if s == 0 else 2 ** (1 - nu) / gamma(nu) * s**nu * kv(nu, s)


def rational_quadratic(x: Point, z: Point, alpha: float, sigma=1.0) -> float:
    return (1 + distance(x, z, sigma) ** 2 / (2 * alpha)) ** -alpha


def periodic(x: Point, z: Point, period: float, sigma=1.0) -> float:
    turns = [(a - b) / period for a, b in zip(x, z, strict=True)]
    return math.prod(math.exp(-2 * (math.sin(math.pi * t) / sigma) ** 2) for t in turns)


def cosine(x: Point, z: Point, omega) -> float:
    w = [omega] if isinstance(omega, int | float) else list(omega)
    return math.cos(math.fsum(c * (a - b) for c, a, b in zip(w, x, z, strict=True)))


def histogram_intersection(x: Point, z: Point) -> float:
    return math.fsum(min(a, b) for a, b in zip(x, z, strict=True))


def delta(x: Point, z: Point) -> float:
    return float(x == z)
