"""Kernels with finitely many features: the low-rank map that leaves nothing out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.lowrank.base import LowRank
from kernellab.lowrank.data_blocks import DataBlocks


@dataclass(eq=False)
class ExplicitFeatures(LowRank):
    """The features of a kernel that has finitely many: k̂ = k, with nothing left out.

    Parameters
    ----------
    kernel : Kernel with a finite map, `kernel.features()`: a polynomial, say.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> phi = ExplicitFeatures(kl.Polynomial(degree=2)).fit(X)
    >>> phi.rank_, phi.error(X).trace < 1e-12
    (3, True)
    """

    kernel: Kernel

    def _learn(self, kernel: Kernel, rows: DataBlocks) -> int:
        self._map = kernel.features()
        return int(self._map.rows(rows.take([0])).shape[1])

    def _columns(self, points: Points) -> Array:
        return np.array(self._map.rows(points), order="C")
