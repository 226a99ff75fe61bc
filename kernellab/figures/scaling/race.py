"""Accuracy against time: several methods, each at several sizes, on one problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.figures.style import CYCLE, MARKERS, PALETTE

if TYPE_CHECKING:
    import matplotlib.axes

TICK_SECONDS = (1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Seconds that the time axis may show."""

Method = Callable[[int], ArrayLike]
"""Fits a model of the given size; returns its error, or several errors."""


@dataclass(frozen=True, eq=False)
class Curve:
    """What one method reached.

    Attributes
    ----------
    sizes : (m,) what was varied: points, rank, passes.
    seconds : (m,) CPU time of each run.
    errors : (m, e) test errors of each run, e of them.
    """

    sizes: Array
    seconds: Array
    errors: Array

    def in_words(self, column: int = 0, form: str = ".3g") -> str:
        """Write sizes, seconds and one of the errors in a line.

        Examples
        --------
        >>> curve = Curve(np.array([50.0]), np.array([0.25]), np.array([[0.1, 7.0]]))
        >>> curve.in_words(1, form=".1f")
        '50: 0.25 s 7.0'
        """
        rows = zip(self.sizes, self.seconds, self.errors[:, column], strict=True)
        return ",  ".join(f"{n:.0f}: {s:.2f} s {e:{form}}" for n, s, e in rows)


def race(methods: Mapping[str, tuple[Method, tuple[int, ...]]]) -> dict[str, Curve]:
    """Run every method at each of its sizes, and take the CPU time.

    Parameters
    ----------
    methods : for each name, a function of the size, and the sizes.

    Examples
    --------
    >>> found = race({"halving": (lambda n: 1 / n, (1, 2, 4))})
    >>> found["halving"].errors.ravel()
    array([1.  , 0.5 , 0.25])
    """
    return {name: _curve(run, sizes) for name, (run, sizes) in methods.items()}


def _curve(run: Method, sizes: tuple[int, ...]) -> Curve:
    seconds, errors = [], []
    for size in sizes:
        start = time.process_time()
        errors.append(np.atleast_1d(np.asarray(run(size), dtype=float)))
        seconds.append(time.process_time() - start)
    return Curve(np.array(sizes, dtype=float), np.array(seconds), np.array(errors))


def draw_race(
    ax: matplotlib.axes.Axes, curves: Mapping[str, Curve], column: int = 0
) -> None:
    """Draw one column of the errors against seconds, on a logarithmic time axis."""
    for i, (name, curve) in enumerate(curves.items()):
        colour, dash = CYCLE[i % len(CYCLE)]
        style = {"color": PALETTE[colour], "marker": MARKERS[i % len(MARKERS)]}
        y = curve.errors[:, column]
        ax.semilogx(curve.seconds, y, linestyle=dash, label=name, **style)
    low, high = ax.get_xlim()
    ticks = [t for t in TICK_SECONDS if low <= t <= high]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()
    ax.set_xlabel("CPU seconds")
