"""Targets and weights that come a block at a time, and R² of them in one pass.

Legend: n points; t (n×m) targets, T as columns; s weights; f predictions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernellab.arrays import Array, columns_of, finite, reals, require_target
from kernellab.errors import InputError
from kernellab.estimator import explained
from kernellab.kernels.points import Points
from kernellab.lowrank.data_blocks import Column, DataBlocks

Predictor = Callable[[Points], Array]
"""From a block of points to f of each."""


def regression_columns(
    y: Any, weights: Any, outputs: tuple[int, ...] | None = None
) -> list[Column]:
    """Return the targets, and the weights if there are any; each block is checked as it
    comes.

    Parameters
    ----------
    y : (n,) or (n, m) array of targets t, memory map or Dask array.
    weights : (n,) array, memory map or Dask array, or None.
    outputs : the shape that a row of y must have: () or (m,); None for any.
    """
    require_target(y)
    T = Column(_shaped(y, "y"), "y", _read_targets)
    shape = T.values.shape
    if len(shape) not in (1, 2) or 0 in shape[1:]:
        raise InputError(
            f"y must have one row for each point, shape (n,) or (n, m); got {shape}"
        )
    if outputs is not None and shape[1:] != outputs:
        wanted = f"(q, {outputs[0]})" if outputs else "(q,)"
        raise InputError(f"y must have shape {wanted}, as in fit; got {shape}")
    if weights is None:
        return [T]
    s = Column(_shaped(weights, "sample_weight"), "sample_weight", _read_weights)
    if len(s.values.shape) != 1:
        raise InputError(f"sample_weight must have shape (n,), got {s.values.shape}")
    return [T, s]


def _shaped(values: Any, name: str) -> Any:
    if hasattr(values, "shape"):
        return values
    return reals(values, f"{name} must be an array of numbers")


def _read_targets(block: Any, name: str) -> Array:
    T = reals(block, f"{name} must be an array of numbers")
    return columns_of(finite(T, name))


def _read_weights(block: Any, name: str) -> Array:
    s = reals(block, f"{name} must be an array of numbers")
    if not (np.isfinite(s).all() and s.min() >= 0):
        raise InputError(
            f"{name} must be finite and nowhere negative; it goes from {s.min():.3g} "
            f"to {s.max():.3g}"
        )
    return s


# --- R² ----------------------------------------------------------------------------


def r_squared_of_rows(
    predict: Predictor, rows: DataBlocks, columns: list[Column], progress: bool | None
) -> float:
    """Return R² of predictions, mean over outputs; of rows of any kind."""
    function = partial(_misses, predict)
    return rows.total(function, *columns, what="score", progress=progress).score


@dataclass(frozen=True, eq=False)
class _Misses:
    """Σ s(t − f)² and Σ s(t − mean)² of a block; a summand, as in `NormalEquations`."""

    missed: Array
    S: float
    u: Array
    Q: Array

    def __add__(self, other: _Misses) -> _Misses:
        S = self.S + other.S
        share = other.S / S if S > 0 else 0.0
        off = other.u - self.u
        Q = self.Q + other.Q + self.S * share * off**2
        return _Misses(self.missed + other.missed, S, self.u + share * off, Q)

    @property
    def score(self) -> float:
        if not self.S > 0:
            raise InputError("sample_weight is zero for every point: nothing is left")
        return explained(self.missed, self.Q)


def _misses(
    predict: Predictor, points: Points, T: Array, s: Array | None = None
) -> _Misses:
    weights = np.ones(len(T)) if s is None else s
    S, f = float(weights.sum()), columns_of(predict(points))
    u = weights @ T / S if S > 0 else np.zeros(T.shape[1])
    return _Misses(weights @ (T - f) ** 2, S, u, weights @ (T - u) ** 2)
