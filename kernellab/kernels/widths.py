"""A first guess at the width of a kernel of distances."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from kernellab.errors import InputError
from kernellab.kernels.points import vectors

HEURISTIC_POINTS = 1000
"""Points whose pairs are enough for a median: 499,500 distances."""


def median_heuristic(
    X: ArrayLike, random_state: int | np.random.Generator | None = 0
) -> float:
    """Return σ, the median of ‖x_i − x_j‖ over the pairs of different points.

    With this σ a typical value of the Gaussian kernel is e^(−1/2): neither are all
    points alike nor all unlike. It is a start for a search, in units of the data, not
    its end. Of more than 1000 points a random 1000 are used, O(10⁶·d) at most.

    Parameters
    ----------
    X : (n, d) array, at least two different points. Bring the columns to one scale
        first: a distance adds them up.
    random_state : seed, or generator, that chooses among more than 1000 points.

    Examples
    --------
    >>> median_heuristic([[0.0], [1.0], [4.0]])  # distances 1, 3 and 4
    3.0
    """
    points = vectors(X).X
    if len(points) > HEURISTIC_POINTS:
        rng = np.random.default_rng(random_state)
        points = rng.choice(points, HEURISTIC_POINTS, replace=False)
    distances = scipy.spatial.distance.pdist(points)
    distances = distances[distances > 0]
    if not len(distances):
        raise InputError(
            "the median distance needs at least two different points; all of these "
            f"{len(points)} are equal"
        )
    return float(np.median(distances))
