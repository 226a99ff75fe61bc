"""A Gaussian process, moved: what it believes between the observations (chapter 7).

Legend: n observations (x_i, t_i); mean and sd of f given these; L log marginal
likelihood; μ, U eigenvalues and eigenvectors of K; σ width, σ_n² noise variance.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kernellab.arrays import Array
from kernellab.figures.contours import level_lines
from kernellab.figures.controls import Choice, Clicks, Point, Slider
from kernellab.figures.families import FAMILIES, STATIONARY
from kernellab.figures.gp import ProcessPicture, process_picture
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.numbers import nice
from kernellab.figures.scene import (
    Band,
    Dots,
    Line,
    Mark,
    Panel,
    Raster,
    Scene,
    Table,
)

SIGMAS, NOISES = np.geomspace(0.02, 1.0, 32), np.geomspace(1e-3, 0.3, 26)
"""Where the likelihood is drawn."""

DEPTH, LEVEL_STEP = 8.0, 1.0
"""How far below the summit it is drawn, and how far its level lines are apart."""

DASHES = ("--", ":")


def data() -> tuple[Array, Array]:
    """Return the seven observations of a sinusoid of chapter 7."""
    rng = np.random.default_rng(12)
    x = np.linspace(0.02, 0.98, 10)
    t = np.sin(2 * np.pi * x) + 0.2 * rng.normal(size=10)
    return x[:7], t[:7]


def gp_scene(
    kernel: str, sigma: float, noise: float, points: tuple[Point, ...] = ()
) -> Scene:
    """Show the process given the observations, and the likelihood of its parameters."""
    x, t = data()
    X = np.append(x, [point[0] for point in points])
    T = np.append(t, [point[1] for point in points])
    picture = process_picture(
        FAMILIES[kernel](sigma), noise, X, T, places=91, draws=len(DASHES)
    )
    surface = likelihoods(kernel, tuple(X.tolist()), tuple(T.tolist()))
    row, column = np.unravel_index(int(surface.argmax()), surface.shape)
    notes = [
        ("log likelihood L", nice(picture.log_likelihood)),
        ("highest L on the map", nice(surface.max())),
        ("its width σ", nice(SIGMAS[column], 2)),
        ("its noise σₙ²", nice(NOISES[row], 2)),
        ("observations", str(len(X))),
    ]
    return Scene(
        [_process(picture, len(x)), _map(surface, sigma, noise)], notes, _table(picture)
    )


@lru_cache(maxsize=32)
def likelihoods(kernel: str, X: tuple[float, ...], T: tuple[float, ...]) -> Array:
    """Compute L per noise (row) and width (column), one eigendecomposition per width.

    L = −½ Σ (uⱼᵀt)²/(μⱼ + σₙ²) − ½ Σ log(μⱼ + σₙ²) − (n/2) log 2π.
    """
    P, t = np.array(X)[:, None], np.array(T)
    columns = []
    for sigma in SIGMAS:
        mu, U = np.linalg.eigh(FAMILIES[kernel](float(sigma))(P))
        total = np.maximum(mu, 0.0) + NOISES[:, None]
        parts = (U.T @ t) ** 2 / total + np.log(2 * np.pi * total)
        columns.append(-0.5 * parts.sum(axis=1))
    return np.stack(columns, axis=1)


def _process(picture: ProcessPicture, given: int) -> Panel:
    x, mean, sd = picture.x, picture.mean, picture.sd
    marks: list[Mark] = [Band(x, mean - 2 * sd, mean + 2 * sd, "sky", "± 2 sd of f")]
    for i, (line, dash) in enumerate(zip(picture.draws, DASHES, strict=True)):
        label = "samples" if i == 0 else ""
        marks.append(Line(x, line, "purple", dash, 1.1, label))
    marks.append(Line(x, mean, "vermillion", label="mean"))
    marks.append(Dots(picture.X[:given], picture.t[:given], "blue", label="data"))
    if len(picture.X) > given:
        added = picture.X[given:], picture.t[given:]
        marks.append(Dots(*added, "ink", "D", 6.5, "added"))
    wide, tall = (0.0, 1.0), (-3.0, 3.0)
    return Panel(marks, "What it believes", "x", "f(x)", wide, tall, width=1.5)


def _map(surface: Array, sigma: float, noise: float) -> Panel:
    """Show L as shades and level lines, the summit, and where the sliders are."""
    top = float(surface.max())
    row, column = np.unravel_index(int(surface.argmax()), surface.shape)
    half = [np.sqrt(v[1] / v[0]) for v in (SIGMAS, NOISES)]  # of a cell, as a factor
    ends = [(v[0] / h, v[-1] * h) for v, h in zip((SIGMAS, NOISES), half, strict=True)]
    shown = np.maximum(surface, top - DEPTH)
    extent = (*ends[0], *ends[1])
    marks: list[Mark] = [
        Raster(shown, extent, top - DEPTH, top, label="L, from 8 below its highest"),
        _levels(surface, top),
        Dots([SIGMAS[column]], [NOISES[row]], "ink", "^", 9, "highest", ring=1.4),
        Dots([sigma], [noise], "vermillion", "D", 8, "here"),
    ]
    limits = (SIGMAS[0], SIGMAS[-1]), (NOISES[0], NOISES[-1])
    names = "Its likelihood", "width σ", "noise σₙ²"
    return Panel(marks, *names, *limits, log=("x", "y"))


def _levels(surface: Array, top: float) -> Line:
    """Find lines of equal L, on logarithmic axes."""
    grid = np.log(SIGMAS), np.log(NOISES), surface
    gap = np.full((1, 2), np.nan)
    lines = [
        part
        for level in np.arange(top - DEPTH + LEVEL_STEP, top, LEVEL_STEP)
        for line in level_lines(*grid, float(level))
        for part in (np.exp(line), gap)
    ]
    whole = np.vstack(lines[:-1]) if lines else np.zeros((0, 2))
    return Line(whole[:, 0], whole[:, 1], "paper", width=0.6)


def _table(picture: ProcessPicture) -> Table:
    places = np.linspace(0, len(picture.x) - 1, 13).round().astype(int)
    columns = (picture.x, picture.mean, picture.sd)
    rows = list(zip(*(column[places] for column in columns), strict=True))
    return Table(("x", "mean of f", "sd of f"), rows)


FIGURE = LiveFigure(
    "gp",
    "A Gaussian process and its likelihood",
    (
        Choice("kernel", "kernel", STATIONARY, "Gaussian"),
        Slider(
            "sigma",
            "width σ",
            (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0),
            0.2,
            log=True,
            along=(1, "x"),
        ),
        Slider(
            "noise",
            "noise σₙ²",
            (0.001, 0.005, 0.04, 0.1, 0.3),
            0.04,
            log=True,
            along=(1, "y"),
        ),
        Clicks("points", "Observe", ("observation",), y="t"),
    ),
    gp_scene,
    "Left: seven observations, the mean of the process given these, a band of two "
    "standard deviations around it, and two sample functions. Right: a map of the "
    "log marginal likelihood over width and noise, with the summit and the chosen "
    "parameters marked.",
)
