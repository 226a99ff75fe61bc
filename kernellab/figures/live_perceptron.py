"""The kernel perceptron, mistake by mistake (chapter 5).

Legend: n points; M mistakes; g decision function; α mistake counts.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kernellab.data import moons
from kernellab.figures.contours import level_line, region
from kernellab.figures.controls import Choice, Slider
from kernellab.figures.live import LiveFigure
from kernellab.figures.perceptron import Steps, perceptron_steps
from kernellab.figures.scene import Bars, Dots, Mark, Panel, Scene, Table
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.kernels.base import Kernel

MOST = 40
"""Mistakes that the slider goes through."""

EPOCHS, RESOLUTION = 30, 81

KERNELS: dict[str, Kernel] = {
    "Gaussian, σ = 0.5": Gaussian(sigma=0.5),
    "Gaussian, σ = 0.25": Gaussian(sigma=0.25),
    "cubic": Polynomial(degree=3, c=1.0),
    "linear + 1": Linear() + 1.0,
}


@lru_cache(maxsize=8)
def run(kernel: str) -> Steps:
    """The perceptron on the fifty points of chapter 5."""
    X, y = moons(50, noise=0.12, rng=0)
    return perceptron_steps(
        KERNELS[kernel], X, y, max_epochs=EPOCHS, resolution=RESOLUTION
    )


def perceptron_scene(kernel: str, mistakes: int) -> Scene:
    """The decision function after so many mistakes, or after the last."""
    steps = run(kernel)
    last = len(steps) - 1
    moment = min(mistakes, last)
    alpha = steps.alpha(moment)
    wrong = int(np.sum(steps.y * _values_at_points(kernel, alpha) <= 0))
    message = ""
    if mistakes > last and steps.converged:
        message = f"All points are right after {last} mistakes: nothing more happens."
    notes = [
        ("mistakes so far", str(moment)),
        ("the last in epoch", str(steps.epochs[moment - 1]) if moment else "–"),
        ("it added", _section(steps, moment)),
        ("points wrong now", f"{wrong} of {len(steps.y)}"),
        ("points ever mistaken", str(int(np.sum(alpha > 0)))),
    ]
    x1, x2 = steps.X.T
    labels = ["+1" if sign > 0 else "−1" for sign in steps.y]
    rows = list(zip(x1, x2, labels, alpha, strict=True))
    return Scene(
        [_plane(steps, moment), _counts(steps, moment)],
        notes,
        Table(("x₁", "x₂", "y", "α"), rows),
        message,
        height=3.6,
    )


def _values_at_points(kernel: str, alpha: np.ndarray) -> np.ndarray:
    steps = run(kernel)
    return np.asarray(KERNELS[kernel](steps.X) @ (alpha * steps.y))


def _section(steps: Steps, moment: int) -> str:
    if not moment:
        return "nothing yet"
    i = int(steps.mistakes[moment - 1])
    return f"{'+' if steps.y[i] > 0 else '−'} k(·, x{str(i + 1).translate(_LOW)})"


_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _plane(steps: Steps, moment: int) -> Panel:
    grid = steps.across, steps.up, steps.values[moment]
    sizes = np.sqrt(26 + 16 * np.minimum(steps.alpha(moment), 8))
    marks: list[Mark] = [
        region(*grid, colour="sky", label="g > 0"),
        level_line(*grid, colour="ink", width=1.6, label="g = 0"),
    ]
    for sign, colour, marker in ((1, "blue", "o"), (-1, "vermillion", "s")):
        mine = steps.y == sign
        x1, x2 = steps.X[mine].T
        label = f"y = {'+' if sign > 0 else '−'}1"
        marks.append(Dots(x1, x2, colour, marker, sizes[mine], label))
    last = steps.X[steps.mistakes[moment - 1 : moment]] if moment else np.zeros((0, 2))
    x1, x2 = last.T
    marks.append(Dots(x1, x2, "ink", "o", 17, "last mistake", ring=1.4))
    limits = (steps.across[0], steps.across[-1]), (steps.up[0], steps.up[-1])
    names = "The function g", "x₁", "x₂"
    return Panel(marks, *names, *limits, equal=True, width=1.5)


def _counts(steps: Steps, moment: int) -> Panel:
    alpha, place = steps.alpha(moment), np.arange(1.0, len(steps.y) + 1)
    marks: list[Mark] = [
        Bars(place[steps.y == 1], alpha[steps.y == 1], "blue"),
        Bars(place[steps.y == -1], alpha[steps.y == -1], "vermillion", hatch=True),
    ]
    highest = steps.alpha(min(MOST, len(steps) - 1)).max() + 1.0
    limits = (0.0, len(alpha) + 1.0), (0.0, float(highest))
    return Panel(marks, "Mistakes on each point", "point i", "αᵢ", *limits)


FIGURE = LiveFigure(
    "perceptron",
    "Mistake by mistake",
    (
        Choice("kernel", "kernel", tuple(KERNELS), "Gaussian, σ = 0.5"),
        Slider("mistakes", "mistakes", tuple(range(MOST + 1)), 8),
    ),
    perceptron_scene,
    "Left: fifty points of two classes, circles and squares, larger the more often "
    "they were mistaken, the region where the perceptron says +1, and the last mistake "
    "in a ring. Right: how often each point was mistaken.",
)
