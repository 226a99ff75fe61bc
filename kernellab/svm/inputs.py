"""What the machines ask of the Gram matrix: that it is one, and values of Kβ.

At its end the solver computes Kβ anew, from the kernel and in double precision; here
that is checked at some of the points, with another program, and done again for all of
them if the two differ.

Legend: `index` (m) the training point that each variable sits on; u = Kβ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kernellab.arrays import Array, Indices
from kernellab.estimator import Inputs, expand
from kernellab.linalg import TILE

RECHECKED_VALUES, RECHECK_TOLERANCE = 64, 1e-9
"""How many values of u are computed twice, and how well they have to agree."""


def read_inputs(kernel: object, X: Any, owner: str) -> Inputs:
    """Return points and kernel, or a Gram matrix, which is checked to be symmetric."""
    inputs = Inputs.read(kernel, X, owner)
    return with_gram(inputs) if inputs.kernel is None else inputs


def with_gram(inputs: Inputs) -> Inputs:
    """Return the same points by their Gram matrix, checked and computed once. O(n²)."""
    return replace(inputs, kernel=None, X=inputs.gram())


def values_of(
    inputs: Inputs, index: Indices, beta: Array, places: Indices | None = None
) -> Array:
    """u_i = Σ_j β_j k(x_i, x_j), j in the index, i in the index or in some `places`.

    From the kernel, tile by tile, in double precision. O(n·n_sv) values of k.
    """
    held = np.flatnonzero(beta)
    rows, columns = index if places is None else places, index[held]
    if inputs.kernel is not None:
        P, Q = inputs.X.take(rows), inputs.X.take(columns)
        return expand(inputs.kernel, P, Q, beta[held, None])[:, 0]
    parts = (rows[start : start + TILE] for start in range(0, len(rows), TILE))
    blocks = [inputs.X[np.ix_(part, columns)] @ beta[held] for part in parts]
    return np.concatenate(blocks)


def checked_values(
    inputs: Inputs, index: Indices, beta: Array, claimed: Array
) -> Array:
    """Return `claimed`, if it is Σ_j β_j k(x_i, x_j) at some of the points; else that.

    O(n_sv) values of k, or O(n·n_sv) if the claim is wrong.
    """
    some = slice(None, None, -(-len(index) // RECHECKED_VALUES))
    u = values_of(inputs, index, beta, index[some])
    size = max(np.abs(u).max(), np.abs(beta).max(initial=0.0))
    if np.abs(u - claimed[some]).max() <= RECHECK_TOLERANCE * size:
        return claimed
    return values_of(inputs, index, beta)
