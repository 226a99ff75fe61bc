"""Kernel ridge regression for one λ, by the Cholesky factor of K + D, with its proof.

`kernellab.ridge` states the problem and the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.errors import NotPositiveDefinite
from kernellab.estimator import Data
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice, advice_on
from kernellab.linalg import JITTERS, Cholesky, cholesky
from kernellab.ridge.eigensystem import require_determined

ZERO_WEIGHT_RIDGE = 1e100
"""λ/s for a point of weight 0, in units of the other entries: it has no influence."""


@dataclass(eq=False)
class CholeskySolution:
    """The solution for one λ, by the Cholesky factor of K + D."""

    a: Array
    b: Array
    M1: Array | None
    D: Array
    system: Cholesky
    certificate: Certificate

    @classmethod
    def of(cls, data: Data, lam: float, intercept: bool) -> Self:
        """Return a = M(t − b1) with M = (K + D)⁻¹; b = 1ᵀMt / 1ᵀM1, so that 1ᵀa = 0."""
        K = data.gram()
        data.require_positive(K)
        D = _weighted_ridge(lam, data.s, K)
        system = cholesky(
            K, ridge=D, advice=advice_on(data.inputs.kernel), overwrite=True
        )
        centre = data.centre(intercept)  # exact for b, and t − centre loses no digits
        T = data.T - centre
        a, b, M1 = system.solve(T), np.zeros(T.shape[1]), None
        if intercept:
            M1 = system.solve(np.ones(len(T)))
            b = a.sum(axis=0) / M1.sum()
            a -= np.outer(M1, b)
        fit = cls(a, centre + b, M1, D, system, Certificate(0.0, 0.0))
        fit.certificate = fit._certify(T - b, data, lam)
        return fit

    def _certify(self, T: Array, data: Data, lam: float) -> Certificate:
        """Return J, its dual and ∇J = 2K(λa − Sr), −2·1ᵀSr, from K and a; T is t −
        b1.
        """
        a, s = self.a, data.s[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            Ka = self.system.multiply(a)
            r = T - Ka
            penalty = float((a * Ka).sum())
            self._require_convex(penalty, data.inputs.kernel)
            primal = float((s * r * r).sum()) + lam * penalty
            parts = [self.system.multiply(lam * a - s * r)]
            if self.M1 is not None:
                parts.append((s * r).sum(axis=0))
            gradient = 2 * float(np.linalg.norm(np.concatenate(parts, axis=None)))
            dual = lam * self._dual(T, s)
            rounding = rounding_error(len(a), primal, lam * self._sizes(T))
        return Certificate(
            primal, dual, gradient, self.system.jitter, rounding=rounding
        )

    def _dual(self, T: Array, s: Array) -> float:
        """Return 2aᵀt − aᵀKa − aᵀDa, with a moved by its rounding error so that 1ᵀa =
        0.
        """
        a = self.a
        if self.M1 is not None:
            a = a - s * (a.sum(axis=0) / s.sum())
        curved = self.system.multiply(a) + self.D[:, None] * a
        return float((a * (2 * T - curved)).sum())

    def _sizes(self, T: Array) -> float:
        """Return the terms of aᵀt, aᵀKa and aᵀDa in absolute value; |K_ij| ≤ √K_ii
        √K_jj.
        """
        size = np.abs(self.a)
        squares = (np.sqrt(np.abs(self.system.diagonal)) @ size) ** 2
        rest = size * (np.abs(T) + self.D[:, None] * size)
        return 4 * float(squares.sum()) + 2 * float(rest.sum())

    def _require_convex(self, penalty: float, kernel: Kernel | None) -> None:
        trace = float(np.abs(self.system.diagonal).sum())
        if penalty < -JITTERS[-1] * trace * float((self.a * self.a).sum()):
            raise NotPositiveDefinite(
                f"aᵀKa = {penalty:.3g} < 0: K is not positive semi-definite, and the "
                f"objective has no minimum. {advice(kernel)}"
            )

    @cached_property
    def diagonal(self) -> tuple[Array, Array]:
        """M_ii and P_ii = M_ii − (M1)_i²/(1ᵀM1). Uses the factor up, and frees it."""
        M = self.system.inverse_diagonal(overwrite=True)
        return M, M if self.M1 is None else M - self.M1**2 / self.M1.sum()

    @cached_property
    def loo_residuals(self) -> Array:
        M, P = self.diagonal
        require_determined(M, P)
        return self.a / P[:, None]

    @cached_property
    def dof(self) -> float:
        return float((1 - self.D * self.diagonal[1]).sum())


def _weighted_ridge(lam: float, s: Array, K: Array) -> Array:
    """Return D = λ/s. Where s = 0, a number so large that the point has no influence.

    Then a_i/P_ii still is t_i − f(x_i), and 1 − H_ii is 1.
    """
    with np.errstate(divide="ignore", over="ignore"):
        D = lam / s
    finite = np.isfinite(D)
    if not finite.all():
        scale = max(D[finite].max(initial=0.0), np.abs(K.diagonal()).mean(), lam)
        D[~finite] = ZERO_WEIGHT_RIDGE * scale
    return D
