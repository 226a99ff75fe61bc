"""SciPy's optimisers, with types that say what is used of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize

from kernellab.arrays import Array


def local_minimum(value: Any, start: Array, **settings: Any) -> Array:
    """Where a descent from `start` ends; infinite values on the way do no harm."""
    search: Any = minimize
    with np.errstate(all="ignore"):
        return np.asarray(search(value, start, **settings).x, dtype=np.float64)


def linear_programme(objective: Array, **settings: Any) -> Array | None:
    """The minimiser of a linear programme; None if it has none."""
    search: Any = linprog
    found = search(objective, method="highs", **settings)
    return np.asarray(found.x, dtype=np.float64) if found.status == 0 else None
