"""What may be given where a Gaussian vector is made: means, roots, noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array, number, reals
from kernellab.errors import InputError
from kernellab.gp.support import root_of
from kernellab.linalg import symmetric


def vector(value: Any, what: str, size: int | None = None) -> Array:
    """Return a vector of numbers; if its size is given, a number will do."""
    v = np.atleast_1d(reals(value, f"{what} must be an array of numbers"))
    fits = size is None or len(v) in (1, size)
    if v.ndim != 1 or not v.size or not fits or not np.isfinite(v).all():
        wanted = "a vector" if size is None else f"a number or a vector of {size}"
        raise InputError(f"{what} must be {wanted}, finite; got shape {v.shape}")
    return v


def matrix(value: ArrayLike, rows: int, what: str) -> Array:
    """Return a matrix of numbers with so many rows."""
    M = reals(value, f"{what} must be a matrix of numbers")
    if M.ndim != 2 or len(M) != rows or not np.isfinite(M).all():
        raise InputError(f"{what} must be finite, of shape ({rows}, r); got {M.shape}")
    return M


def noise_root(noise: ArrayLike, m: int) -> Array:
    """Return R with RRᵀ the covariance of the noise: a variance, or a matrix."""
    given = reals(noise, "noise must be a variance or a covariance matrix")
    if given.ndim == 0:
        variance = number(noise, "the variance of the noise")
        if variance < 0:
            raise InputError(f"the variance of the noise must be ≥ 0, got {variance}")
        return np.diag(np.full(m, math.sqrt(variance)))
    if given.shape != (m, m):
        raise InputError(
            f"noise must be a number or have shape ({m}, {m}), got {given.shape}"
        )
    return root_of(symmetric(given, "noise"), what="noise")
