"""Pre-images: from scores back to points, by kernel ridge regression.

The point φ̄ + Σ_j s_j w_j of feature space is rarely φ(x) for any x. To look for the x
that comes nearest is a problem with many local minima. Instead the map from scores to
points is learned from the training points, of which both are known (Bakır, Weston &
Schölkopf 2004): it works for every kernel on vectors, and has one answer,

    x̂(s) = x̄ + k_s(s, S)(K_s + λI)⁻¹(X − x̄),  k_s(s, s') = c s⊤s'/v + e^(−‖s−s'‖²/2σ²).

The linear part inverts ordinary PCA; c is large, so that it is hardly penalised. The
Gaussian part bends the rest. v is the mean of ‖s‖², σ the median distance of the
scores, and λ has the smallest leave-one-out error,

    x_i − x̂₍₋ᵢ₎(s_i) = A_i / [(K_s + λI)⁻¹]_ii,   A = (K_s + λI)⁻¹(X − x̄).

Legend: n points X (n×d) with scores S (n×m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.base import Kernel
from kernellab.kernels.dotproduct import Linear
from kernellab.kernels.gaussian import Gaussian
from kernellab.kernels.widths import median_heuristic
from kernellab.linalg import spectrum

LINEAR_WEIGHT = 100.0
"""c, how much less the linear part is penalised than the Gaussian part."""

LAMS = 10.0 ** np.arange(-5, 5)
"""Values of λ that are compared, in units of the Gaussian part."""


@dataclass(frozen=True)
class PreimageReport:
    """How well points come back from their scores.

    Attributes
    ----------
    lam : the λ with the smallest leave-one-out error.
    error : root mean square distance ‖x_i − x̂₍₋ᵢ₎(s_i)‖ of the training points, each
        left out.
    spread : root mean square distance of the points from their mean: what `error` would
        be, about, without any scores.

    Examples
    --------
    >>> PreimageReport(lam=1e-3, error=0.5, spread=2.0)
    left-out points come back within 0.5 (their spread is 2), λ = 0.001
    """

    lam: float
    error: float
    spread: float

    def __repr__(self) -> str:
        return (
            f"left-out points come back within {self.error:.3g} (their spread is "
            f"{self.spread:.3g}), λ = {self.lam:.3g}"
        )


@dataclass(frozen=True, eq=False)
class Preimages:
    """The learned map from scores to points."""

    kernel: Kernel
    S: Array
    A: Array
    mean: Array
    report: PreimageReport

    def __call__(self, scores: Array) -> Array:
        result: Array = self.mean + self.kernel(scores, self.S) @ self.A
        return result


def learn_preimages(S: Array, X: Array) -> Preimages:
    """Fit the map from the scores S to the points X. About 9n³."""
    mean = X.mean(axis=0)
    T = X - mean
    v = float(np.mean((S**2).sum(axis=1)))
    k = LINEAR_WEIGHT / v * Linear() + Gaussian(sigma=median_heuristic(S))
    eigen = spectrum(k(S), overwrite=True)
    projected = eigen.vectors.T @ T
    diagonals = eigen.inverse_diagonal(LAMS)
    errors = [
        np.sum((eigen.vectors @ (r[:, None] * projected) / d[:, None]) ** 2)
        for r, d in zip(eigen.resolvent(LAMS).T, diagonals.T, strict=True)
    ]
    best = int(np.argmin(errors))
    A = eigen.vectors @ (eigen.resolvent(LAMS[best]) * projected)
    sizes = np.sqrt(np.array([errors[best], np.sum(T**2)]) / len(X)).tolist()
    return Preimages(k, S, A, mean, PreimageReport(float(LAMS[best]), *sizes))
