"""The penalty of each point: C, times the weight of its class, times its own.

A point of weight 2 counts like two points at its place; a point of weight 0 is left
out, as if it had not been given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.arrays import Array, describe, number, positive_number
from kernellab.errors import InputError
from kernellab.labels import Labels

BALANCED = "balanced"
"""In place of class weights: Σs/(c Σ_k s), the same total weight for every class."""


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


def class_weights(given: object, labels: Labels, s: Array) -> Array:
    """Return (c,) weights, one for each class in the order of `labels.classes`."""
    classes = labels.classes.tolist()
    if given is None:
        return np.ones(len(classes))
    if isinstance(given, str) and given == BALANCED:
        mass = np.bincount(labels.codes, weights=s)
        return np.asarray(mass.sum() / (len(classes) * mass))
    if not isinstance(given, Mapping):
        raise InputError(
            f"class_weight must be a mapping from labels to numbers, {BALANCED!r} or "
            f"None; got {describe(given)}"
        )
    return _by_label(given, classes)


def _by_label(given: Mapping[Any, Any], classes: list[Any]) -> Array:
    unknown = [label for label in given if label not in classes]
    if unknown:
        raise InputError(
            f"class_weight names {unknown[0]!r}, which is no label of y; "
            f"these are {', '.join(map(repr, classes[:6]))}"
        )
    return np.array(
        [
            positive_number(given.get(label, 1.0), f"class_weight[{label!r}]")
            for label in classes
        ]
    )
