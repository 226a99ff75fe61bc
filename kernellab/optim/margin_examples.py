"""Small data for a support vector machine, with the solution found by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from kernellab.kernels.points import Array


@dataclass(frozen=True, eq=False)
class MarginExample:
    """Points and labels with the exact solution of their machine.

    Attributes
    ----------
    X, y : the points, one a row, and their labels.
    C : the price of slack; infinite for the hard margin.
    w, b : the solution.
    alpha : optimal multipliers, one for each point.
    value : ½‖w‖² + CΣξ.
    """

    X: Array
    y: Array
    C: float
    w: tuple[Fraction, ...]
    b: Fraction
    alpha: tuple[Fraction, ...]
    value: Fraction


def separable_data() -> MarginExample:
    """Six points in the plane; three of them support the hard margin.

    >>> [str(a) for a in separable_data().alpha]
    ['0', '3/16', '19/32', '25/32', '0', '0']
    """
    X = np.array([[2, 1], [3, -1], [-1, 2], [-1, 0], [-2, 0.5], [0, -1]])
    return _margin_example(
        X, [1, 1, 1, -1, -1, -1], math.inf, "3/4 1", "-1/4", "0 3/16 19/32 25/32 0 0",
        "25/32",
    )  # fmt: skip


def overlapping_data() -> MarginExample:
    """Eight points that no line separates; C = 1.

    >>> e = overlapping_data()
    >>> [str(v) for v in e.w], str(e.value)
    (['1', '1/2'], '23/8')
    """
    X = np.array(
        [[2, 2], [1.5, 0], [0.5, 1], [-0.5, 0], [-1, -2], [-2, -1], [1, 0.5], [3, 1]]
    )  # fmt: skip
    return _margin_example(
        X, [1, 1, 1, -1, -1, -1, -1, 1], 1.0, "1 1/2", "-1/2", "0 3/4 1 3/4 0 0 1 0",
        "23/8",
    )  # fmt: skip


def degenerate_data() -> MarginExample:
    """Four points, all on the margin, and many multipliers.

    α = (½ − 2s, s, s, ½) is optimal for 0 ≤ s ≤ ¼: two, three or four support vectors
    for one and the same machine. Given here: s = 0.

    >>> [str(a) for a in degenerate_data().alpha]
    ['1/2', '0', '0', '1/2']
    """
    X = np.array([[1, 0], [1, 1], [1, -1], [-1, 0]])
    return _margin_example(X, [1, 1, 1, -1], math.inf, "1 0", "0", "1/2 0 0 1/2", "1/2")


def _margin_example(
    X: Any, y: list[int], C: float, w: str, b: str, alpha: str, value: str
) -> MarginExample:
    return MarginExample(
        X.astype(np.float64),
        np.array(y, dtype=np.float64),
        C,
        tuple(map(Fraction, w.split())),
        Fraction(b),
        tuple(map(Fraction, alpha.split())),
        Fraction(value),
    )
