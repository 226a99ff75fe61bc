"""The support vector machine, moved: C, σ, the kernel, and points by hand (chapter 6).

Legend: n points x_i of the plane with labels y_i; α multipliers; f decision function.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.data import moons
from kernellab.figures.controls import Choice, Clicks, Point, Slider
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.numbers import nice
from kernellab.figures.scene import Dots, Line, Mark, Panel, Scene, Table
from kernellab.figures.svm import SVMPicture, svm_panel, svm_picture

BOX = (-2.2, 2.2, -2.0, 2.0)
RESOLUTION = 71
KERNELS = ("Gaussian", "linear", "quadratic", "cubic")
CLASSES = ("+1", "−1")
SMALLEST_GAP = 1e-14
"""A relative gap below this is rounding."""


@lru_cache(maxsize=1)
def data() -> tuple[Array, Array]:
    """Return the sixty points of chapter 6, their mean at the origin, and labels."""
    X, y = moons(60, noise=0.22, random_state=3)
    return X - X.mean(axis=0), y


def svm_scene(
    kernel: str, margin: str, C: float, sigma: float, points: tuple[Point, ...] = ()
) -> Scene:
    """Train a machine on the points, and show it with its certificate."""
    X, y = data()
    X = np.vstack([X, *([[px, py]] for px, py, _ in points)])
    y = np.append(y, [1.0 if kind == CLASSES[0] else -1.0 for _, _, kind in points])
    bound = math.inf if margin == "hard" else C
    picture = svm_picture(
        X, y, bound, sigma, kernel, box=BOX, resolution=RESOLUTION, tol=1e-6
    )
    return Scene(
        [_plane(picture), _multipliers(picture, bound)],
        _notes(picture),
        _table(picture),
        picture.note,
        height=4.2,
    )


def _plane(picture: SVMPicture) -> Panel:
    panel = svm_panel(picture)
    return replace(panel, title="The machine", x="x₁", y="x₂", ticks=True, width=1.5)


def _multipliers(picture: SVMPicture, bound: float) -> Panel:
    """Show α in decreasing order, with C as a line."""
    alpha = np.sort(picture.alpha)[::-1]
    places = np.arange(1.0, len(alpha) + 1)
    positive = alpha > 0
    largest = float(alpha.max()) if positive.any() else 1.0
    low = float(10.0 ** math.floor(math.log10(max(largest * 1e-4, 1e-12))))
    stems = _stems(places[positive], alpha[positive], low)
    marks: list[Mark] = [
        Line(*stems, "grey", width=0.8),
        Dots(places[positive], alpha[positive], "purple", "o", 4.5, "multipliers α"),
    ]
    if math.isfinite(bound):
        marks.append(Line([0, len(alpha) + 1], [bound, bound], "green", "-.", 1.4, "C"))
    limits = (0.0, float(len(alpha) + 1)), (low, 4 * max(largest, low))
    names = "Multipliers", "point", "α"
    return Panel(marks, *names, *limits, log=("y",))


def _stems(x: Array, y: Array, low: float) -> tuple[Array, Array]:
    """Join upright lines from the bottom to each value into one."""
    gap = np.full(len(x), np.nan)
    across = np.column_stack([x, x, gap]).ravel()[:-1]
    return across, np.column_stack([np.full(len(x), low), y, gap]).ravel()[:-1]


def _notes(picture: SVMPicture) -> list[tuple[str, str]]:
    gap = abs(picture.relative_gap)
    return [
        ("support vectors", f"{picture.support} of {len(picture.labels)}"),
        ("at the bound C", str(len(picture.at_bound))),
        ("margin 1/‖w‖", nice(picture.margin)),
        ("primal", nice(picture.primal, 5)),
        ("dual", nice(picture.dual, 5)),
        ("relative gap", nice(0.0 if gap < SMALLEST_GAP else gap, 1)),
    ]


def _table(picture: SVMPicture) -> Table:
    labels = ["+1" if label > 0 else "−1" for label in picture.labels]
    x1, x2 = picture.points.T
    rows = list(zip(x1, x2, labels, picture.alpha, strict=True))
    return Table(("x₁", "x₂", "y", "α"), rows)


def idle(values: Mapping[str, Any]) -> Collection[str]:
    """Name what has no effect: the width without a Gaussian, C of a hard margin."""
    names = [] if values["kernel"] == "Gaussian" else ["sigma"]
    return [*names, "C"] if values["margin"] == "hard" else names


FIGURE = LiveFigure(
    "svm",
    "A machine to play with",
    (
        Choice("kernel", "kernel", KERNELS, "Gaussian"),
        Choice("margin", "margin", ("soft", "hard"), "soft"),
        Slider(
            "C", "C", (0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1000.0), 1.0, log=True
        ),
        Slider(
            "sigma", "width σ", (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 3.0), 0.5, log=True
        ),
        Clicks("points", "Add a point", CLASSES, x="x₁", y="x₂"),
    ),
    svm_scene,
    "Left: sixty points of two classes, circles and squares, the region where the "
    "machine says +1, its boundary and its margins; support vectors are ringed. Right: "
    "the multipliers of the points in decreasing order, below the bound C.",
    idle,
)
