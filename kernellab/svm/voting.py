"""Several classes from machines for two: every pair votes (one against one).

With c classes there are p = c(c−1)/2 machines, in the order (0,1), (0,2), …, (1,2), ….
Machine (i,j) has seen only the points of these two classes; D > 0 is a vote for i.
As in LIBSVM, the class with most votes wins, the first of them if several have as
many. Cost: with n/c points a class, each machine solves a problem of 2n/c points.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array


def pairs(c: int) -> list[tuple[int, int]]:
    """Return all pairs of classes.

    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(c), 2))


def winners(D: Array, c: int) -> NDArray[np.intp]:
    """Return the class with most votes for every row of D (q×p). O(qp)."""
    result: NDArray[np.intp] = np.argmax(_votes(D > 0, c), axis=1)
    return result


def one_against_rest(D: Array, c: int) -> Array:
    """Return (q, c) array: the votes for a class, plus its confidence within ±1/3.

    The confidence is S/(3(|S| + 1)), where S sums the values D of the machines that
    know the class, with the sign that speaks for it. So the largest entry has most
    votes, and among classes with as many the most confident comes first: the form
    that scikit-learn calls "ovr".
    """
    S = np.zeros((len(D), c))
    for k, (i, j) in enumerate(pairs(c)):
        S[:, i] += D[:, k]
        S[:, j] -= D[:, k]
    result: Array = _votes(D >= 0, c) + S / (3 * (np.abs(S) + 1))
    return result


def _votes(first: NDArray[np.bool_], c: int) -> Array:
    """Return (q, c) number of votes; `first` says where machine (i,j) votes for i."""
    votes = np.zeros((len(first), c))
    for k, (i, j) in enumerate(pairs(c)):
        votes[:, i] += first[:, k]
        votes[:, j] += ~first[:, k]
    return votes
