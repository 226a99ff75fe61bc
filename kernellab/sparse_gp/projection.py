"""What a few landmarks see of a function: φ̂(x) = L⁻¹k(Z, x).

Legend: m landmarks Z (the *inducing points*); L (m×m) with LLᵀ = k(Z, Z); b points of a
block; C = k(X, Z) and Φ = CL⁻ᵀ, both (b×m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.linalg import blas

from kernellab.arrays import Array
from kernellab.estimator import Inputs
from kernellab.kernels import gram
from kernellab.kernels.base import Kernel
from kernellab.kernels.points import Points
from kernellab.lowrank.nystroem import independent
from kernellab.threads import limited


@dataclass(frozen=True, eq=False)
class Projection:
    """The orthogonal projection of φ(x) on the span of the landmarks, as coordinates.

    Landmarks that depend on the others add nothing, and are left out of Z.
    """

    kernel: Kernel
    Z: Points
    L: Array

    @classmethod
    def on(cls, kernel: Kernel, landmarks: Points) -> Self:
        """Factorise k(Z, Z). m³/3 operations."""
        # New points: what a kernel remembers of the old ones belongs to another θ.
        K = Inputs(kernel, Points(landmarks.items), len(landmarks)).gram()
        L, kept = independent(K, kernel)
        if not len(kept):  # k(z, z) = 0 for all of them: one column of zeros
            L, kept = np.eye(1), np.arange(1)
        return cls(kernel, landmarks.take(kept), L)

    def columns(self, points: Points) -> Array:
        """Return Φ, a new array in C order: m values of k and m² operations a point."""
        C = self.kernel(points, self.Z)
        # The transpose of a C array is in Fortran order, and solved in its own memory.
        with limited(len(C)):
            half = blas.dtrsm(1.0, self.L, C.T, lower=1, overwrite_b=1)
        return np.asarray(half).T

    def pull_columns(self, points: Points, G: Array) -> Array:
        """Return ⟨G, ∂Φ/∂θ⟩ for a block, L held fixed; G (b×m) is overwritten."""
        with limited(len(G)):
            back = blas.dtrsm(1.0, self.L, G.T, lower=1, trans_a=1, overwrite_b=1)
        return gram.pull_block(self.kernel, points, self.Z, np.asarray(back).T)

    def pull_gram(self, S: Array) -> Array:
        """Return ⟨L⁻ᵀSL⁻¹, ∂k(Z, Z)/∂θ⟩ for a symmetric S (m×m)."""
        with limited(len(S)):
            for _ in range(2):
                S = np.asarray(blas.dtrsm(1.0, self.L, S, lower=1, trans_a=1)).T
        return self.kernel.vjp(self.Z, S)
