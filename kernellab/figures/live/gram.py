"""Gram matrix and feature space: what a kernel sees of the same points (chapter 2).

Legend: n points x_i of the plane; K Gram matrix, μ its eigenvalues; scores of the first
two kernel principal components.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.figures.controls import Choice, Slider
from kernellab.figures.families import FAMILIES, STATIONARY
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.numbers import nice
from kernellab.figures.scene import Dots, Line, Mark, Panel, Raster, Scene, Table
from kernellab.pca import KernelPCA

COUNTS, RADII = (16, 24), (0.3, 1.5)
SMALLEST_SHARE = 1e-4
"""Eigenvalues below this share of the trace are not drawn."""

KERNELS = ("Gaussian", "exponential", "linear", "quadratic")


@lru_cache(maxsize=1)
def data() -> tuple[Array, Array]:
    """Return points on two rings, sorted by ring and angle, and their ring's number."""
    rng = np.random.default_rng(4)
    angles = [2 * np.pi * np.arange(count) / count for count in COUNTS]
    circles = [
        radius * np.column_stack([np.cos(angle), np.sin(angle)])
        for radius, angle in zip(RADII, angles, strict=True)
    ]
    X = np.vstack(circles)
    return X + 0.08 * rng.normal(size=X.shape), np.repeat([1.0, 2.0], COUNTS)


def gram_scene(kernel: str, sigma: float) -> Scene:
    """Show the Gram matrix, its eigenvalues, and the points as k sees them."""
    X, y = data()
    k = FAMILIES[kernel](sigma)
    K = k(X)
    mu = np.maximum(np.linalg.eigvalsh(K)[::-1], 0.0) / np.trace(K)
    model = KernelPCA(k).fit(X)
    scores = _turned(model.scores_[:, :2], X, y)
    share = float(model.explained_variance_ratio_[:2].sum())
    notes = [
        ("nearest in feature space", nice(_distances(K).min())),
        ("farthest", nice(_distances(K).max())),
        ("eigenvalues for 99 % of the trace", str(_needed(mu, 0.99))),
        ("variance in these two directions", f"{100 * share:.0f} %"),
    ]
    rows = list(zip(*X.T, y, *scores.T, strict=True))
    columns = ("x₁", "x₂", "ring", "first score", "second score")
    return Scene(
        [_matrix(K), _spectrum(mu), _plane(scores, y)],
        notes,
        Table(columns, rows),
        height=3.4,
    )


def _turned(scores: Array, X: Array, y: Array) -> Array:
    """Give each direction the sign that keeps it from flipping while σ moves."""
    reference = X[:, 0] + 0.6 * X[:, 1] + y
    signs = np.where(scores.T @ (reference - reference.mean()) < 0, -1.0, 1.0)
    return np.asarray(scores * signs)


def _distances(K: Array) -> Array:
    """Compute ‖φ(x) − φ(x')‖ for all pairs of different points."""
    d = np.diag(K)
    squared = d[:, None] + d - 2 * K
    return np.sqrt(np.maximum(squared[np.triu_indices(len(K), 1)], 0.0))


def _needed(mu: Array, share: float) -> int:
    return int(np.searchsorted(np.cumsum(mu), share)) + 1


def _matrix(K: Array) -> Panel:
    n, size = len(K), float(np.abs(K).max())
    edges, limits = (0.5, n + 0.5, 0.5, n + 0.5), ((0.5, n + 0.5), (n + 0.5, 0.5))
    low, colours = (-size, "diverging") if K.min() < -1e-9 else (0.0, "cividis")
    image = Raster(K, edges, low, size, colours, "k(xᵢ, xⱼ)")
    names = "Gram matrix", "j", "i"
    return Panel([image], *names, *limits, equal=True, ticks=False)


def _spectrum(mu: Array) -> Panel:
    shown = mu > SMALLEST_SHARE
    place = np.arange(1.0, len(mu) + 1)[shown]
    marks: list[Mark] = [
        Line(place, mu[shown], "grey", width=1.0),
        Dots(place, mu[shown], "purple", "o", 4.5),
    ]
    names = "Eigenvalues", "number", "share of the trace"
    return Panel(marks, *names, (0.0, len(mu) + 1.0), (SMALLEST_SHARE, 1.5), log=("y",))


def _plane(scores: Array, y: Array) -> Panel:
    inner, outer = scores[y == y[0]], scores[y != y[0]]
    reach = 1.0
    while reach < 1.02 * np.abs(scores).max():  # in steps: the axes rarely jump
        reach *= 2
    marks: list[Mark] = [
        Dots(inner[:, 0], inner[:, 1], "blue", "o", 5.5, "inner ring"),
        Dots(outer[:, 0], outer[:, 1], "vermillion", "s", 5.5, "outer ring"),
    ]
    names = "As k sees them", "first direction", "second"
    return Panel(marks, *names, (-reach, reach), (-reach, reach), equal=True)


def idle(values: Mapping[str, Any]) -> Collection[str]:
    """Return name the width, if the kernel has none."""
    return [] if values["kernel"] in STATIONARY else ["sigma"]


FIGURE = LiveFigure(
    "gram",
    "Gram matrix and feature space",
    (
        Choice("kernel", "kernel", KERNELS, "Gaussian"),
        Slider(
            "sigma",
            "width σ",
            (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
            0.7,
            log=True,
        ),
    ),
    gram_scene,
    "Forty points on two rings, as a kernel sees them. Left: their Gram matrix, the "
    "inner ring first. Middle: its eigenvalues as shares of the trace. Right: the "
    "points along the first two kernel principal components.",
    idle,
)
