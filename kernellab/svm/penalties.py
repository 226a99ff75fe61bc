"""The penalty of each point: C, times the weight of its class, times its own.

A point of weight 2 counts like two points at its place; a point of weight 0 is left
out, as if it had not been given.
"""

from __future__ import annotations

import math

import numpy as np

from kernellab.arrays import Array, number
from kernellab.errors import InputError
from kernellab.labels import Labels, class_weights


def read_penalty(C: object, hard: bool = True) -> float:
    """Return C > 0; also ∞, where a hard margin makes sense."""
    endless = isinstance(C, float) and math.isinf(C) and C > 0
    value = math.inf if endless else number(C, "C")
    if value <= 0 or (endless and not hard):
        limit = "; C=np.inf is the hard margin" if hard else " and finite"
        raise InputError(f"C must be positive{limit}; got {C!r}")
    return value


def penalties(C: float, class_weight: object, labels: Labels, s: Array) -> Array:
    """C_i = C · (weight of the class of i) · s_i, for the points that are kept."""
    of_class = class_weights(class_weight, labels, s)
    result: Array = C * of_class[labels.codes] * s
    if not np.all(result > 0) or np.isnan(result).any():
        raise InputError(
            "C times the weights must stay above 0 in floating point; the smallest "
            f"is {result.min():.3g}"
        )
    return result
