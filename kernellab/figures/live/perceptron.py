"""The kernel perceptron, mistake by mistake (chapter 5).

Legend: n points; M mistakes; g decision function; α mistake counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from kernellab.data import moons
from kernellab.figures.controls import Choice, Slider
from kernellab.figures.live.figure import LiveFigure
from kernellab.figures.perceptron import Steps, perceptron_steps, step_panel
from kernellab.figures.scene import Bars, Mark, Panel, Scene, Table
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.kernels.base import Kernel

MAX_MISTAKES = 40
"""How far the slider goes."""

MAX_EPOCHS, RESOLUTION = 30, 81

KERNELS: dict[str, Kernel] = {
    "Gaussian, σ = 0.5": Gaussian(sigma=0.5),
    "Gaussian, σ = 0.25": Gaussian(sigma=0.25),
    "cubic": Polynomial(degree=3, c=1.0),
    "linear + 1": Linear() + 1.0,
}


@lru_cache(maxsize=8)
def run(kernel: str) -> Steps:
    """Train the perceptron on the fifty points of chapter 5."""
    X, y = moons(50, noise=0.12, random_state=0)
    return perceptron_steps(
        KERNELS[kernel], X, y, max_epochs=MAX_EPOCHS, resolution=RESOLUTION
    )


def perceptron_scene(kernel: str, mistakes: int) -> Scene:
    """Show the decision function after so many mistakes, or after the last."""
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
        ("points ever misclassified", str(int(np.sum(alpha > 0)))),
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
    panel = step_panel(steps, moment)
    return replace(panel, title="The function g", x="x₁", y="x₂", ticks=True, width=1.5)


def _counts(steps: Steps, moment: int) -> Panel:
    alpha, place = steps.alpha(moment), np.arange(1.0, len(steps.y) + 1)
    marks: list[Mark] = [
        Bars(place[steps.y == 1], alpha[steps.y == 1], "blue"),
        Bars(place[steps.y == -1], alpha[steps.y == -1], "vermillion", hatch=True),
    ]
    highest = steps.alpha(min(MAX_MISTAKES, len(steps) - 1)).max() + 1.0
    limits = (0.0, len(alpha) + 1.0), (0.0, float(highest))
    return Panel(marks, "Mistakes on each point", "point i", "αᵢ", *limits)


FIGURE = LiveFigure(
    "perceptron",
    "Mistake by mistake",
    (
        Choice("kernel", "kernel", tuple(KERNELS), "Gaussian, σ = 0.5"),
        Slider("mistakes", "mistakes", tuple(range(MAX_MISTAKES + 1)), 8),
    ),
    perceptron_scene,
    "Left: fifty points of two classes, circles and squares, larger the more often "
    "they were misclassified, the region where the perceptron says +1, and the last "
    "mistake in a ring. Right: how often each point was misclassified.",
)
