"""How well a process explains its data, and how well it was computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from kernellab.arrays import Array
from kernellab.gp.likelihood import Solution
from kernellab.linalg import Cholesky


class LeaveOneOut(NamedTuple):
    """Predictions of each t_i from all the other points.

    p(t_i | the others) is Gaussian with mean t_i − a_i/[C⁻¹]_ii and variance
    1/[C⁻¹]_ii: conditioning one coordinate of N(m, C) on the rest, by blocks of C⁻¹.
    Rasmussen and Williams (2006), eq. 5.10–5.12.
    """

    mean: Array
    variance: Array
    log_densities: Array

    @property
    def log_density(self) -> float:
        """Σ_i log p(t_i | the others)."""
        return float(self.log_densities.sum())


def leave_one_out(solution: Solution, t: Array) -> LeaveOneOut:
    """n³/3 operations, without a refit."""
    variance = 1 / solution.system.inverse_diagonal()
    error = solution.a * variance
    square = error * solution.a  # error² / variance
    densities = -0.5 * (square + np.log(2 * np.pi * variance))
    return LeaveOneOut(t - error, variance, densities)


def condition(system: Cholesky) -> float:
    """An estimate of the condition number ‖C‖₁‖C⁻¹‖₁, from the factor. O(n²)."""
    A = system.packed
    sums = np.abs(system.diagonal + system.ridge + system.jitter)
    for i in range(1, len(A)):  # what stands above the diagonal is K
        above = np.abs(A[:i, i])
        sums[i] += above.sum()
        sums[:i] += above
    reciprocal, _ = lapack.dpocon(A, sums.max(), uplo="L")
    return float(1 / reciprocal) if reciprocal > 0 else float("inf")
