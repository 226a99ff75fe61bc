"""The inner problem of the dual: the least value of a function over Ω."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.optim.domains import Box, Domain, Region
from kernellab.optim.solvers import local_minimum

Value = Callable[[Array], float]
Slope = Callable[[Array], Array]

FAR = 10.0 ** np.arange(9)
"""How far along a ray one looks for an end of the descent."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """The least value found, −∞ if the function falls without end; and where."""

    value: float
    w: Array


def minimise(
    value: Value,
    slope: Slope,
    domain: Domain,
    starts: Sequence[Array] = (),
    rng: np.random.Generator | None = None,
) -> Minimum:
    """The least value over Ω that several descents find.

    Each descent starts at one of `starts`, at the best points of a grid (a bounded box
    of dimension 1 or 2), or at random points of different sizes. From the best result
    rays are followed: if the values fall in proportion to the distance up to 10⁸, the
    function is called unbounded. What is found is a value of the function, so an upper
    bound of the infimum, and in general no more than that.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    points = [*starts, *_starts(value, domain, rng)]
    if not domain.is_bounded:  # a quick look, before any descent
        near = Minimum(value(points[0]), points[0])
        if (fall := _follow_rays(value, slope, domain, near, rng)).value == -math.inf:
            return fall
    results = [_descend(value, slope, domain, np.asarray(w, float)) for w in points]
    best = min(results, key=lambda r: r.value)
    if not domain.is_bounded and best.value < -1e15:
        return Minimum(-math.inf, best.w)
    if not domain.is_bounded:
        best = _follow_rays(value, slope, domain, best, rng)
    return best


def _starts(value: Value, domain: Domain, rng: np.random.Generator) -> list[Array]:
    if isinstance(domain, Box) and domain.is_bounded and len(domain.low) <= 2:
        count = 401 if len(domain.low) == 1 else 33
        sides = [
            np.linspace(a, b, count)
            for a, b in zip(domain.low, domain.high, strict=True)
        ]
        grid = [np.array(p) for p in itertools.product(*sides)]
        return sorted(grid, key=value)[:3]
    return [domain.sample(rng, scale) for scale in (0.1, 1.0, 1.0, 10.0, 100.0)]


def _descend(value: Value, slope: Slope, domain: Domain, w: Array) -> Minimum:
    """One local minimum, by L-BFGS-B in a box and by Nelder–Mead in a region."""
    if isinstance(domain, Region):
        return _simplex(value, domain, w)
    w = domain.project(w)
    bounds = list(zip(domain.low, domain.high, strict=True))
    options = {"ftol": 1e-15, "gtol": 1e-11, "maxiter": 500}
    end = local_minimum(
        lambda v: _finite(value(v)) if np.isfinite(v).all() else 1e300,
        w,
        jac=lambda v: _finite_slope(slope, v),
        method="L-BFGS-B",
        bounds=bounds,
        options=options,
    )
    ends = [domain.project(end), w] if np.isfinite(end).all() else [w]
    return min((Minimum(value(v), v) for v in ends), key=lambda r: r.value)


def _simplex(value: Value, region: Region, w: Array) -> Minimum:
    def inside(v: Array) -> float:
        return value(v) if region.contains(v) else math.inf

    end = local_minimum(inside, w, method="Nelder-Mead", options={"maxiter": 2000})
    return Minimum(inside(end), end)


def _follow_rays(
    value: Value, slope: Slope, domain: Domain, best: Minimum, rng: np.random.Generator
) -> Minimum:
    d = len(best.w)
    downhill = -slope(best.w)
    rays = [downhill, best.w, *np.eye(d), *-np.eye(d), *rng.standard_normal((2 * d, d))]
    for ray in rays:
        length = float(np.linalg.norm(ray))
        if length < 1e-9 or not math.isfinite(length):
            continue
        unit = ray * (1 + float(np.linalg.norm(best.w))) / length
        path = [best.w + t * unit for t in FAR]
        values = [value(w) for w in path if domain.contains(w)]
        if len(values) == len(FAR) and _falls(values, best.value):
            return Minimum(-math.inf, path[-1])
    return best


def _falls(values: Sequence[float], best: float) -> bool:
    """Whether the last values keep falling, in proportion to the distance or faster."""
    last, before = values[-1], values[-2]
    if last == -math.inf:
        return True
    return last < -1e3 * (1 + abs(best)) and last < 5 * before


def _finite_slope(slope: Slope, w: Array) -> Array:
    if not np.isfinite(w).all():
        return np.zeros(len(w))
    with np.errstate(all="ignore"):
        return np.nan_to_num(slope(w), posinf=1e100, neginf=-1e100)


def _finite(x: float) -> float:
    """Infinities as large numbers, which a line search can step back from."""
    return min(max(x, -1e300), 1e300) if not math.isnan(x) else 1e300
