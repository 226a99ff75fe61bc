"""The perceptron at work in the plane: its decision function, mistake by mistake.

`perceptron_steps` maps parameters to plain data, `step_panel` shows one moment of it.

Legend: n points; M mistakes; g decision function on a grid of h × w places.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array, number
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.figures.contours import level_line, region
from kernellab.figures.scene import Dots, Mark, Panel
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import vectors
from kernellab.labels import Labels
from kernellab.perceptron import KernelPerceptron, MistakeLog

MARGIN = 0.15
"""How much wider the picture is than the points, on each side."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The perceptron before any mistake, and after each.

    Attributes
    ----------
    X, y : (n, 2) points and (n,) signs.
    across, up : (w,) and (h,) coordinates of the grid.
    values : (M + 1, h, w) decision function g after 0, 1, …, M mistakes.
    mistakes : (M,) the points that were misclassified.
    epochs : (M,) in which epoch, counted from 1.
    converged : whether the last epoch was without mistakes.
    """

    X: Array
    y: Array
    across: Array
    up: Array
    values: Array
    mistakes: NDArray[np.int64]
    epochs: NDArray[np.int64]
    converged: bool

    def __len__(self) -> int:
        """Return M + 1 moments."""
        return len(self.values)

    def alpha(self, moment: int) -> NDArray[np.int64]:
        """Count the mistakes on each point, (n,), among the first `moment`."""
        return np.bincount(self.mistakes[:moment], minlength=len(self.y))


def perceptron_steps(
    kernel: Kernel,
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_epochs: int = 100,
    resolution: int = 61,
) -> Steps:
    """Train a kernel perceptron and evaluate g on a grid after every mistake.

    g after m mistakes is g after m − 1 plus one section ±k(·, x_i): M·h·w additions
    and one kernel value per mistake and place.

    Parameters
    ----------
    kernel : Kernel; with a threshold, k + 1.
    X : (n, 2) array.
    y : (n,) labels of two classes.
    max_epochs : as for `KernelPerceptron`, without its warning.
    resolution : places of the grid in each direction.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
    >>> steps = perceptron_steps(kl.Gaussian(sigma=0.5), X, y, resolution=21)
    >>> steps.values.shape, steps.mistakes
    ((5, 21, 21), array([0, 1, 2, 3]))
    """
    P = vectors(X).X
    if P.shape[1] != 2:
        raise InputError(f"X must be points of the plane, shape (n, 2); got {P.shape}")
    signs = Labels.read(y, len(P)).signs
    run = _quietly(KernelPerceptron(kernel, max_epochs), P, signs)
    across, up = (_axis(column, resolution) for column in P.T)
    places = np.column_stack([part.ravel() for part in np.meshgrid(across, up)])
    sections = kernel(P[run.mistakes], places) * signs[run.mistakes, None]
    values = np.vstack([np.zeros(len(places)), np.cumsum(sections, axis=0)])
    return Steps(
        P,
        signs,
        across,
        up,
        values.reshape(-1, len(up), len(across)),
        run.mistakes,
        (run.times - 1) // len(P) + 1,
        run.converged,
    )


def step_panel(steps: Steps, moment: int) -> Panel:
    """Show where g is positive after `moment` mistakes, and the points.

    Class +1 is circles, −1 squares; a point is the larger the more often it was
    misclassified, and the last mistake is ringed.
    """
    grid = steps.across, steps.up, steps.values[moment]
    sizes = np.sqrt(26 + 16 * np.minimum(steps.alpha(moment), 8))
    marks: list[Mark] = [
        region(*grid, colour="sky", label="g > 0"),
        level_line(*grid, colour="ink", width=1.6, label="g = 0"),
    ]
    for sign, colour, marker, label in (
        (1, "blue", "o", "y = +1"),
        (-1, "vermillion", "s", "y = −1"),
    ):
        x1, x2 = steps.X[steps.y == sign].T
        marks.append(Dots(x1, x2, colour, marker, sizes[steps.y == sign], label))
    x1, x2 = steps.X[steps.mistakes[:moment][-1:]].T
    marks.append(Dots(x1, x2, "ink", "o", 17, "last mistake", ring=1.4))
    xlim, ylim = ((float(v[0]), float(v[-1])) for v in (steps.across, steps.up))
    return Panel(marks, xlim=xlim, ylim=ylim, equal=True, ticks=False)


def _quietly(model: KernelPerceptron, X: Array, y: Array) -> MistakeLog:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        run = model.fit(X, y).run_
    assert isinstance(run, MistakeLog)
    return run


def _axis(x: Array, resolution: int) -> Array:
    count = number(resolution, "resolution")
    if count != int(count) or count < 2:
        raise InputError(f"resolution must be an integer ≥ 2, got {resolution!r}")
    width = MARGIN * (float(np.ptp(x)) or 1.0)
    return np.linspace(x.min() - width, x.max() + width, int(count))
