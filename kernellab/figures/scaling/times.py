"""What linear algebra costs, by the clock of the processor.

Legend: n size of the matrices; K (n×n) a Gram matrix; L (n×n); y (n).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.kernels import Gaussian
from kernellab.linalg import cholesky, spectrum


@dataclass(frozen=True, eq=False)
class Timings:
    """CPU seconds of some operations, for several sizes.

    Attributes
    ----------
    sizes : (m,) sizes n.
    seconds : for each operation, (m,) seconds.
    slopes : for each operation, the exponent p of the line c·nᵖ through them.
    """

    sizes: Array
    seconds: dict[str, Array]
    slopes: dict[str, float]


OPERATIONS: dict[str, Callable[[Array, Array, Array, Array], object]] = {
    "Ky": lambda X, K, L, y: K @ y,
    "K from X": lambda X, K, L, y: Gaussian(sigma=2.0)(X),
    "KL": lambda X, K, L, y: K @ L,
    "solve": lambda X, K, L, y: cholesky(K).solve(y),
    "inverse": lambda X, K, L, y: cholesky(K).inverse(),
    "eigenvectors": lambda X, K, L, y: spectrum(K),
}
"""What is timed, as functions of the points X, of K, L and y."""

SHORTEST_SECONDS = 1e-3
"""Shorter times are too close to the resolution of the clock."""


def time_operations(
    sizes: Sequence[int],
    operations: Sequence[str] = tuple(OPERATIONS),
    dimension: int = 10,
    repeat: int = 3,
) -> Timings:
    """Run each operation on matrices of each size, and keep its least CPU time.

    CPU time does not count the time that other programs take. It does count every
    thread that the linear algebra library starts.

    Parameters
    ----------
    sizes : the sizes n, two or more.
    operations : keys of `OPERATIONS`.
    dimension : of the points from which K is made.
    repeat : how many runs, after which the fastest counts.

    Examples
    --------
    >>> timings = time_operations([20, 40], operations=["Ky"])
    >>> timings.seconds["Ky"].shape, bool((timings.seconds["Ky"] > 0).all())
    ((2,), True)
    """
    unknown = [name for name in operations if name not in OPERATIONS]
    if unknown:
        known = ", ".join(OPERATIONS)
        raise InputError(f"no operation {unknown[0]!r}; there are {known}")
    seconds = {name: np.empty(len(sizes)) for name in operations}
    for i, n in enumerate(sizes):
        rng = np.random.default_rng(0)
        X, L, y = rng.normal(size=(n, dimension)), rng.normal(size=(n, n)), np.ones(n)
        data = X, Gaussian(sigma=2.0)(X) + np.eye(n), L, y
        for name in operations:
            seconds[name][i] = _seconds(partial(OPERATIONS[name], *data), repeat)
    slopes = {name: slope(sizes, values) for name, values in seconds.items()}
    return Timings(np.asarray(sizes, dtype=float), seconds, slopes)


def slope(x: ArrayLike, y: ArrayLike) -> float:
    """Fit the exponent p of y ≈ c·xᵖ by least squares on logarithms.

    Examples
    --------
    >>> round(slope([1, 2, 4], [3, 24, 192]), 6)
    3.0
    """
    return float(np.polyfit(np.log(np.asarray(x)), np.log(np.asarray(y)), 1)[0])


def _seconds(run: Callable[[], object], repeat: int) -> float:
    """Time one run in CPU seconds; short ones are repeated for a millisecond."""
    best = np.inf
    for _ in range(repeat):
        runs, start = 0, time.process_time()
        while True:
            run()
            runs, passed = runs + 1, time.process_time() - start
            if passed > SHORTEST_SECONDS:
                break
        best = min(best, passed / runs)
    return float(best)
