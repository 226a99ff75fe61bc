"""Kernel ridge regression for every λ at once, from one eigendecomposition.

`kernellab.ridge.estimator` states the problem and the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.estimator import Data
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, Spectrum, spectrum


@dataclass(frozen=True, eq=False)
class Eigensystem:
    """The solutions for all λ, by the eigenvectors of S^½KS^½ = U diag(v) Uᵀ.

    In the coordinates c = Uᵀ(a/√s) the conditions (K + D)a + b1 = t, 1ᵀa = 0 read
    (v_k + λ)c_k = τ_k − bζ_k and ζᵀc = 0, with τ = Uᵀ√s t and ζ = Uᵀ√s.
    """

    spectrum: Spectrum
    root: Array
    tau: Array
    zeta: Array | None
    centre: Array

    @classmethod
    def of(cls, data: Data, intercept: bool) -> Self:
        K, root = data.gram(), np.sqrt(data.s)
        data.require_positive(K)
        if (root != 1).any():
            K *= root
            K *= root[:, None]
        S = spectrum(K, advice=advice_on(data.inputs.kernel), overwrite=True)
        centre = data.centre(intercept)
        tau = S.vectors.T @ (root[:, None] * (data.T - centre))
        return cls(S, root, tau, S.vectors.T @ root if intercept else None, centre)

    def solve(self, lams: Array) -> tuple[Array, Array]:
        """Return c, (n, L, m), and b, (L, m)."""
        R = self.spectrum.resolvent(lams)
        C = self.tau[:, None, :] * R[:, :, None]
        b = np.zeros(C.shape[1:])
        if self.zeta is not None:
            b = np.einsum("k,klm->lm", self.zeta, C) / (self.zeta**2 @ R)[:, None]
            C -= (self.zeta[:, None] * R)[:, :, None] * b
        return C, self.centre + b

    def points(self, c: Array) -> Array:
        """a from its coordinates: √s Uc."""
        result: Array = self.root[:, None] * (self.spectrum.vectors @ c)
        return result

    def measure(self, lams: Array) -> tuple[Array, Array, Array, Array]:
        """Leave-one-out errors, residual norms, norms of f, and degrees of freedom.

        The residual is √s(t − f) = λUc, and ‖f‖² = Σ v_k c_k².
        """
        step = max(1, 64 // self.tau.shape[1])
        blocks = [lams[i : i + step] for i in range(0, len(lams), step)]
        with np.errstate(over="ignore", invalid="ignore"):
            columns = [self._measure(block) for block in blocks]
        loo, residuals, norms, dof = map(np.concatenate, zip(*columns, strict=True))
        return np.where(np.isfinite(loo), loo, np.inf), residuals, norms, dof

    def _measure(self, lams: Array) -> tuple[Array, Array, Array, Array]:
        v, U = self.spectrum.values, self.spectrum.vectors
        C, _ = self.solve(lams)
        R, M = self.spectrum.resolvent(lams), self.spectrum.inverse_diagonal(lams)
        P, dof = M, v @ R
        if self.zeta is not None:
            Z = self.zeta[:, None] * R
            total = self.zeta @ Z
            P = M - (U @ Z) ** 2 / total
            dof = dof + lams * (Z**2).sum(axis=0) / total
        require_determined(M, P)
        errors = (U @ C.reshape(len(v), -1)).reshape(C.shape) / P[:, :, None]
        loo = (errors**2).sum(axis=(0, 2)) / ((self.root**2).sum() * C.shape[2])
        residuals = lams * np.sqrt((C**2).sum(axis=(0, 2)))
        return loo, residuals, np.sqrt(np.einsum("k,klm->l", v, C**2)), dof


def require_determined(M: Array, P: Array) -> None:
    """Leaving a point out must leave enough to determine the intercept."""
    lost = np.argwhere(len(M) * EPS * M >= P)
    if len(lost):
        raise InputError(
            f"leave-one-out is not defined at point {lost[0][0]}: without it nothing "
            "determines the intercept. Fit two or more points of positive weight, or "
            "without intercept."
        )
