"""What a user says about θ beforehand: bounds, and priors.

Both are given by name, for the parameter itself, not for its logarithm.

Legend: p parameters θ; box (p×2) their bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.arrays import Array, describe, reals
from kernellab.errors import InputError
from kernellab.gp.model import Model

LOG_REACH = math.log(1e5)
"""By default a positive parameter may grow or shrink by a factor of 10⁵."""

ByName = Mapping[str, tuple[float, float]]
"""Two numbers for some of the names of θ."""


def read_bounds(bounds: Any, model: Model) -> Array:
    """Return (p, 2) array in the coordinates of θ."""
    theta, names = model.theta, model.theta_names
    reach = np.where(model.positive, LOG_REACH, np.inf)
    box = np.stack([theta - reach, theta + reach], axis=1).reshape(-1, 2)
    for name, given in _items(bounds, names, "bounds"):
        i = names.index(name)
        pair = reals(given, f"the bounds of {name} must be two numbers")
        if pair.shape != (2,) or np.isnan(pair).any() or pair[0] > pair[1]:
            raise InputError(
                f"the bounds of {name} must be two numbers, the smaller one first; "
                f"got {describe(given)}"
            )
        if model.positive[i] and pair[0] <= 0:
            raise InputError(
                f"{name} is positive, and learned as its logarithm: its lower bound "
                f"must be positive, got {pair[0]:g}. (Bounds are for the parameter "
                "itself, not for theta.)"
            )
        box[i] = np.log(pair) if model.positive[i] else pair
    return box


def read_priors(priors: Any, model: Model) -> tuple[Array, Array]:
    """Return the means and standard deviations of θ; NaN and ∞ where nothing is said.

    (v, s) says of a positive parameter that its logarithm is N(log v, (log s)²): two
    times out of three it lies within a factor s of v. Of another it says N(v, s²).
    """
    names = model.theta_names
    centre, spread = np.full(len(names), np.nan), np.full(len(names), np.inf)
    for name, given in _items(priors, names, "priors"):
        i = names.index(name)
        pair = reals(given, f"the prior of {name} must be two numbers")
        least = 1.0 if model.positive[i] else 0.0
        if pair.shape != (2,) or not np.isfinite(pair).all() or pair[1] <= least:
            raise InputError(
                f"the prior of {name} must be two numbers, a typical value and "
                + ("a factor > 1" if least else "a standard deviation > 0")
                + f"; got {describe(given)}"
            )
        if model.positive[i] and pair[0] <= 0:
            raise InputError(f"{name} is positive, so its prior cannot have {pair[0]}")
        centre[i], spread[i] = np.log(pair) if model.positive[i] else pair
    return centre, spread


def _items(given: Any, names: tuple[str, ...], what: str) -> list[tuple[str, Any]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise InputError(
            f'{what} must be a mapping such as {{"noise": (1e-6, 1.0)}}; got '
            f"{describe(given)}"
        )
    unknown = [name for name in given if name not in names]
    if unknown:
        raise InputError(
            f"{what} are given for {', '.join(map(str, unknown))}, but the parameters "
            f"that are learned are {', '.join(names) or 'none'}"
        )
    return list(given.items())
