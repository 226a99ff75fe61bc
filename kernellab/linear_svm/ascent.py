"""Dual coordinate ascent, block by block.

D is a concave quadratic, and its box has one side for each α_i. With all others fixed,
D as a function of α_i is a parabola with slope 1 − m_i − 2κ_i α_i and second
derivative −(‖z_i‖² + 2κ_i). Its maximum on [0, top_i] is the free maximum, clipped:

    α_i ← clip(α_i + (1 − m_i − 2κ_i α_i) / (‖z_i‖² + 2κ_i), 0, top_i).

No step size has to be chosen, and no step can fail: D never falls. This is what
LIBLINEAR does, row by row (Hsieh et al. 2008); SMO must move two α_i at a time, because
there the bias is free and Σ y_i α_i = 0 has to hold.

Here a block of rows is taken at a time. With the small matrix Z_B Z_Bᵀ the slopes of
the block follow every step in O(|B|) operations, and w is brought up to date once a
block.

Legend: as in `problem`; B a block; G = Z_B Z_Bᵀ + diag(2κ); e the slopes of D.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.linear_svm.gap_monitor import GapMonitor
from kernellab.linear_svm.problem import LinearProblem, whole_number
from kernellab.loops.ascent import compiled_ascend, coordinate_step, vector_ascend

__all__ = ["DualAscent", "climb", "coordinate_step", "gram"]


@dataclass(frozen=True)
class DualAscent:
    """Block dual coordinate ascent.

    Parameters
    ----------
    block : rows in a block; in each pass they are drawn anew.
    sweeps : how often each α_i of the block is visited before the next block.
    max_passes : passes over the data after which to stop.

    Notes
    -----
    A pass costs O(nnz) for the products, what Z_B Z_Bᵀ costs for each block (for sparse
    rows, the number of pairs of non-zeros that meet in a column), and n·sweeps steps in
    O(block). It converges linearly, quickly at first; the more so, the smaller C.
    """

    block: int = 128
    sweeps: int = 2
    max_passes: int = 1_000

    def __post_init__(self) -> None:
        whole_number(self.block, "block")
        whole_number(self.sweeps, "sweeps")

    def solve(
        self, problem: LinearProblem, watch: GapMonitor, rng: np.random.Generator
    ) -> None:
        """Run until `watch` says stop."""
        alpha, passes = np.zeros(problem.n), 0
        while True:
            w = problem.combine(alpha)  # anew: sums of small steps lose digits
            if passes and watch.see(passes, w, alpha, combined=w):
                return
            order = rng.permutation(problem.n)
            for start in range(0, problem.n, self.block):
                rows = order[start : start + self.block]
                part = problem.take(rows)
                new = climb(part, w, alpha[rows], self.sweeps)
                w += part.combine(new - alpha[rows])
                alpha[rows] = new
            passes += 1


def climb(part: LinearProblem, w: Array, alpha: Array, sweeps: int) -> Array:
    """Return new α of a block, by coordinate steps on D with all other α fixed."""
    G = gram(part)
    G[np.diag_indices(part.n)] += part.curvature
    slopes = 1 - part.margins(w) - part.curvature * alpha
    ascend, new = compiled_ascend() or vector_ascend, alpha.copy()
    ascend(G, slopes, new, part.top, sweeps)
    return new


def gram(part: LinearProblem) -> Array:
    """Return ZZᵀ, dense."""
    K = part.X @ part.X.T
    K = K if isinstance(K, np.ndarray) else K.toarray()
    return np.asarray(np.outer(part.y, part.y) * (K + part.bias**2))
