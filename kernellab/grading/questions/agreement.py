"""Do two kernels have the same values? Compared on points, up to rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.kernels import Kernel
from kernellab.kernels.expression import Expression
from kernellab.kernels.pairs import CrossPairs
from kernellab.kernels.points import Points
from kernellab.text import simple

ROUNDING = 1e-11
"""Values agree if they differ by less than this times what may be rounded."""

FLOOR = 1e-13
"""The same, relative to √(k(x,x) k(x',x')), which a kernel's values do not exceed."""

TELLING = 1e-6
"""If rounding may exceed this, relative to the largest value, nothing was compared."""


@dataclass(frozen=True)
class Sample:
    """Points, with the values of the target there and how wrong these may be."""

    items: Any
    T: Array
    error: Array

    @classmethod
    def of(cls, target: Kernel, items: Any) -> Sample:
        """Compute the values of the target."""
        return cls(items, *_values(target, target.read_points(items, "X")))


def first_difference(kernel: Expression, samples: Sequence[Sample]) -> str:
    """Return two points at which the values differ beyond rounding; empty if none
    do.
    """
    for sample in samples:
        P, T = kernel.read_points(sample.items, "X"), sample.T
        K, error = _values(kernel, P)
        bad = ~_agree(K, T, error + sample.error)
        if bad.any():
            i, j = min(np.argwhere(bad), key=lambda pair: (max(pair), min(pair)))
            x, z = _place(P.items[i]), _place(P.items[j])
            return (
                f"the values differ: at x = {x}, x' = {z} your kernel is "
                f"{_number(K[i, j])}, the target {_number(T[i, j])}"
            )
    return ""


def _agree(K: Array, T: Array, error: Array) -> NDArray[np.bool_]:
    """Return where two values are the same up to rounding, and rounding says something.

    An overflow, or an error as large as the values, is no agreement.
    """
    with np.errstate(all="ignore"):
        size = np.sqrt(np.abs(np.diag(T)))
        slack = ROUNDING * error + FLOOR * size[:, None] * size[None, :]
        telling = slack <= TELLING * np.abs(T).max(initial=0)
        return np.asarray((np.abs(K - T) <= slack) & telling)


def is_target(leaf: Expression, samples: Sequence[Sample]) -> bool:
    """Return whether a single kernel has the values of the target."""
    try:
        return not first_difference(leaf, samples)
    except ValueError:
        return False  # a leaf may live on another set, behind a change of variable


def _number(value: float) -> str:
    return simple(value) if np.isfinite(value) else "not a finite number"


def _values(kernel: Expression, points: Points) -> tuple[Array, Array]:
    with np.errstate(all="ignore"):
        pair = CrossPairs(points, points)
        return pair.value(kernel), kernel.rounding_error(pair)


def _place(x: Any) -> str:
    if not isinstance(x, np.ndarray):
        return repr(x)
    parts = [simple(float(np.round(value, 4))) for value in x]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
