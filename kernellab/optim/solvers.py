"""SciPy's optimisers, with types that say what is used of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernellab.arrays import Array
from kernellab.optim.domains import Box

HUGE = 1e150
"""Values are cut off here; their squares are still finite."""


def local_minimum(value: Any, start: Array, **settings: Any) -> Array:
    """Return where a descent from `start` ends; infinities on the way do no harm."""
    if not len(start):
        return start
    search: Any = minimize

    def cut(w: Array) -> float:
        return float(np.clip(value(w), -HUGE, HUGE))

    with np.errstate(all="ignore"):
        end = np.asarray(search(cut, start, **settings).x, dtype=np.float64)
    return end if np.isfinite(end).all() else start


def slsqp(
    value: Any,
    gradient: Callable[[Array], Array],
    start: Array,
    constraints: list[dict[str, Any]],
    box: Box,
) -> Array:
    """Return where sequential quadratic programming ends, a point of the box."""
    end = local_minimum(
        value,
        start,
        jac=gradient,
        method="SLSQP",
        bounds=box.sides,
        constraints=constraints,
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return box.project(end)
