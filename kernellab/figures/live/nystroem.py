"""Nyström's approximation, moved: rank, width, and the choice of landmarks (chapter 8).

Legend: n points X; r landmarks; K̂ of rank r; R(x) = k(x, x) − k̂(x, x) is the squared
distance of φ(x) from the span of the landmarks' images; μ eigenvalues of K.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kernellab.arrays import Array
from kernellab.data import moons
from kernellab.figures.controls import Choice, Slider
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.numbers import nice
from kernellab.figures.scaling.lowrank import (
    LANDMARKS,
    landmark_errors,
    spectra,
    tails,
)
from kernellab.figures.scene import Dots, Line, Mark, Panel, Raster, Scene, Table
from kernellab.kernels import Gaussian
from kernellab.lowrank.nystroem import Nystroem

POINTS = 200
RANKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
SMALLEST_ERROR = 1e-10
"""Errors are drawn down to here."""

LEFT, RIGHT, BOTTOM, TOP = -1.7, 2.7, -1.2, 1.7
COLUMNS, ROWS = 31, 20
"""Cells of the map of R."""


@lru_cache(maxsize=1)
def data() -> Array:
    """Return the points: two moons."""
    return moons(POINTS, noise=0.12, random_state=0)[0]


def nystroem_scene(rank: int, sigma: float, landmarks: str) -> Scene:
    """Show what r landmarks leave out, and how that falls with r, in O(nr²)."""
    X, k = data(), Gaussian(sigma=sigma)
    fitted = Nystroem(k, rank=rank, landmarks=landmarks).fit(X)
    error = float(fitted.error(X).relative)
    errors, best = curve(sigma, landmarks)
    tail = tail_of(sigma)
    wanted = int(np.argmax(tail <= max(error, 1e-15)))
    notes = [
        ("left out of the trace", nice(error, 2)),
        ("the best of rank r", nice(tail[fitted.rank_], 2)),
        ("landmarks in use", str(fitted.rank_)),
        ("eigenvectors as good", str(wanted)),
        ("numbers stored, of n²", f"{100 * fitted.rank_ / POINTS:.3g} %"),
    ]
    rows = list(zip(RANKS, errors, best, strict=True))
    return Scene(
        [_map(fitted, X), _errors(errors, best, rank, error)],
        notes,
        Table(("rank r", "landmarks leave out", "eigenvectors leave out"), rows),
        height=3.6,
    )


@lru_cache(maxsize=64)
def curve(sigma: float, landmarks: str) -> tuple[Array, Array]:
    """Return the shares of the trace that landmarks and eigenvectors leave out."""
    errors = landmark_errors(Gaussian(sigma=sigma), data(), RANKS, landmarks)[0]
    return errors, tail_of(sigma)[list(RANKS)]


@lru_cache(maxsize=16)
def tail_of(sigma: float) -> Array:
    """Compute Σ_{j>r} μ_j/tr K for every r: no matrix of rank r leaves out less."""
    return tails(spectra({"k": Gaussian(sigma=sigma)}, data())["k"])


def _map(fitted: Nystroem, X: Array) -> Panel:
    """Show R(x) over the plane, the points, and the landmarks among them."""
    across = LEFT + (np.arange(COLUMNS) + 0.5) * (RIGHT - LEFT) / COLUMNS
    up = BOTTOM + (np.arange(ROWS) + 0.5) * (TOP - BOTTOM) / ROWS
    places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    rest = 1.0 - (fitted.transform(places) ** 2).sum(axis=1)  # k(x, x) = 1
    chosen = np.asarray(fitted.landmarks_, dtype=float)
    extent = (LEFT, RIGHT, BOTTOM, TOP)
    marks: list[Mark] = [
        Raster(rest.reshape(ROWS, COLUMNS), extent, 0.0, 1.0, label="R(x)"),
        Dots(X[:, 0], X[:, 1], "paper", "o", 2.5),
        Dots(chosen[:, 0], chosen[:, 1], "ink", "o", 9.5),
        Dots(chosen[:, 0], chosen[:, 1], "vermillion", "o", 7.0, "landmarks"),
    ]
    limits = (LEFT, RIGHT), (BOTTOM, TOP)
    names = "What the landmarks miss", "", ""
    return Panel(marks, *names, *limits, equal=True, ticks=False, width=1.3)


def _errors(errors: Array, best: Array, rank: int, error: float) -> Panel:
    above, below = (np.maximum(v, SMALLEST_ERROR) for v in (errors, best))
    marks: list[Mark] = [
        Line(RANKS, above, "blue", label="landmarks leave out"),
        Line(RANKS, below, "green", "--", label="eigenvectors leave out"),
        Dots([rank], [max(error, SMALLEST_ERROR)], "ink", "D", 7.5, "this rank"),
    ]
    limits = (0.0, RANKS[-1] + 1.0), (SMALLEST_ERROR, 2.0)
    names = "Share left out", "rank r", ""
    return Panel(marks, *names, *limits, log=("y",))


FIGURE = LiveFigure(
    "nystroem",
    "Landmarks against eigenvectors",
    (
        Slider("rank", "rank r", RANKS, 12),
        Slider("sigma", "width σ", (0.15, 0.3, 0.5, 1.0, 2.0), 0.5, log=True),
        Choice("landmarks", "landmarks", LANDMARKS, "pivoted"),
    ),
    nystroem_scene,
    "Left: two moons of points, the chosen landmarks among them, and as shades how far "
    "every place of the plane is from their span in feature space. Right: the share of "
    "the trace of K that the landmarks leave out, against the rank, above the least "
    "that any matrix of that rank leaves out.",
)
