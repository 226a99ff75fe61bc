"""Laplace's approximation to a posterior that is not Gaussian: labels given f.

Each class has a function f_j ~ GP(0, k), and P(class j | f) = e^(f_j) / Σ_l e^(f_l).
For two classes one function is enough, with P(1 | f) = 1/(1 + e^(−f)). The mode F = KA
of log p(y | F) − ½ Σ_j f_jᵀK⁻¹f_j is found by Newton's method, and the posterior
replaced by the Gaussian with the same mode and the same curvature there:

    log p(y) ≈ log p(y | F) − ½ tr AᵀF − ½ log det(I + W^½ K W^½),
    W = −∇∇ log p(y | F),   M = (K + W⁻¹)⁻¹,   covariance K − KMK.

With p the probabilities, D_j = diag(p_·j) and E_j = D_j^½(I + D_j^½KD_j^½)⁻¹D_j^½,

    M_ab = δ_ab E_a − E_a (Σ_j E_j)⁻¹ E_b;    for one function D = diag(p(1−p)), M = E.

The gradient in θ comes from one reverse pass through the kernel, with the cotangent

    ½ Σ_j (a_j a_jᵀ − M_jj) + Σ_j u_j a_jᵀ,    u = s − MKs,    s = −½ ∂ log det / ∂F,

the last term because the mode moves with θ. Rasmussen & Williams (2006), chapters 3, 5.

Legend: n points; c functions, 1 for two classes; Y (n×c) indicators of the classes;
F, A, P (n×c) mode, coefficients, probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import scipy

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.errors import NotPositiveDefinite
from kernellab.gp.prediction import half
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, Cholesky, cholesky

NEWTON_STEPS = 100
"""Steps after which the search for the mode is given up; it takes about ten."""

DECREMENT = 1e-13
"""It ends when half the squared Newton decrement is below this, times n."""

SMALLEST_SHARE = 1e-12
"""A probability counts as this, at least, where a Newton step divides by it."""


@dataclass(frozen=True, eq=False)
class Part:
    """E = D^½(I + D^½KD^½)⁻¹D^½ of one function, by D^½ and the factor in between."""

    root: Array
    system: Cholesky

    @classmethod
    def of(cls, K: Array, d: Array, kernel: Kernel | None) -> Self:
        """Factorise. n³/3 operations."""
        root = np.sqrt(d)
        B = root[:, None] * K * root
        advice = advice_on(kernel)
        return cls(root, cholesky(B, ridge=1.0, advice=advice, overwrite=True))

    def apply(self, v: Array) -> Array:
        """Return Ev. O(n²)."""
        return self.root * self.system.solve(self.root * v)

    def squares(self, B: Array) -> Array:
        """Return bᵀEb for every row b of B (q×n). n²q operations."""
        V = half(self.system, B * self.root)
        return np.asarray(np.einsum("nq,nq->q", V, V))

    @cached_property
    def E(self) -> Array:
        """The whole matrix. Twice the operations of the factor, once."""
        inverse: Array = self.root[:, None] * self.system.inverse() * self.root
        return inverse


@dataclass(frozen=True, eq=False)
class Curvature:
    """M = (K + W⁻¹)⁻¹ at one F, by its factors."""

    parts: list[Part]
    F: Cholesky | None
    logdet: float

    @classmethod
    def at(cls, K: Array, P: Array, kernel: Kernel | None) -> Self:
        """Factorise: c + 1 Cholesky factors of n×n, or one for two classes."""
        D = np.maximum(P * (1 - P) if P.shape[1] == 1 else P, SMALLEST_SHARE)
        parts = [Part.of(K, d, kernel) for d in D.T]
        logdet = sum(part.system.logdet() for part in parts)
        if len(parts) == 1:
            return cls(parts, None, logdet)
        total = np.sum([part.E for part in parts], axis=0)
        F = cholesky(total, advice=advice_on(kernel), overwrite=True)
        return cls(parts, F, logdet + F.logdet())

    def apply(self, V: Array) -> Array:
        """Return MV for V (n×c)."""
        if self.F is None:
            return self.parts[0].apply(V[:, 0])[:, None]
        columns = [part.E @ v for part, v in zip(self.parts, V.T, strict=True)]
        z = self.F.solve(np.sum(columns, axis=0))
        both = zip(self.parts, columns, strict=True)
        return np.stack([column - part.E @ z for part, column in both], axis=1)

    def trace_part(self) -> Array:
        """Return Σ_j M_jj, n×n."""
        total: Array = np.sum([part.E for part in self.parts], axis=0)
        if self.F is not None:
            total -= sum(part.E @ self.F.solve(part.E) for part in self.parts)
        return total

    def covariances(self, kzz: Array, B: Array) -> Array:
        """Return k(z,z)I − B_zMB_zᵀ for every row B_z = k(z, X): (q, c, c)."""
        if self.F is None:
            return (kzz - self.parts[0].squares(B))[:, None, None]
        c = len(self.parts)
        images = [part.E @ B.T for part in self.parts]
        halves = [half(self.F, image.T.copy()) for image in images]
        result = np.zeros((len(B), c, c))
        for a in range(c):
            result[:, a, a] = kzz - np.einsum("qn,nq->q", B, images[a])
            for b in range(c):
                result[:, a, b] += np.einsum("nq,nq->q", halves[a], halves[b])
        return result


@dataclass(frozen=True, eq=False)
class LaplacePosterior:
    """The mode and the curvature there, for one kernel and its labels."""

    K: Array
    Y: Array
    A: Array
    curvature: Curvature
    decrement: float
    iterations: int

    @classmethod
    def find(cls, K: Array, Y: Array, kernel: Kernel | None = None) -> Self:
        """Take damped Newton steps from F = 0 to the mode. O(cn³) per step."""
        A = np.zeros_like(Y)
        for step in range(NEWTON_STEPS):
            F = K @ A
            P = probabilities(F)
            curvature = Curvature.at(K, P, kernel)
            b = curved(P, F) + Y - P
            direction = b - curvature.apply(K @ b) - A
            slope = float(np.vdot(A - (Y - P), K @ direction))
            if -slope / 2 <= DECREMENT * len(K):
                return cls(K, Y, A, curvature, max(-slope / 2, 0.0), step)
            A = A + _length(K, Y, A, direction, slope) * direction
        raise NotPositiveDefinite(
            f"Newton's method did not find the mode in {NEWTON_STEPS} steps; the Gram "
            "matrix may not be positive semi-definite"
        )

    @property
    def P(self) -> Array:
        """The probabilities at the mode."""
        return probabilities(self.K @ self.A)

    @property
    def log_evidence(self) -> float:
        """The approximate log p(y)."""
        return -_objective(self.K, self.Y, self.A) - self.curvature.logdet / 2

    def cotangent(self) -> Array:
        """Return G with ∂ log p(y)/∂θ = ⟨G, ∂K/∂θ⟩. O(cn³)."""
        K, A, P = self.K, self.A, self.P
        S = self.curvature.covariances(K.diagonal(), K)
        s = -0.5 * turning(P, S)
        u = s - self.curvature.apply(K @ s)
        G = 0.5 * (A @ A.T - self.curvature.trace_part()) + u @ A.T
        return np.asarray(0.5 * (G + G.T))

    def certify(self) -> Certificate:
        """Return two bounds of the mode's value, which agree there.

        Ψ(A) = −log p(y | KA) + ½ tr AᵀKA is minimised; with R = Y − Q for any
        probabilities Q, Σ H(q_i) − ½ tr RᵀKR ≤ Ψ.
        """
        K, A, P = self.K, self.A, self.P
        R = self.Y - P
        full = np.hstack([P, 1 - P]) if P.shape[1] == 1 else P
        dual = float(scipy.special.entr(full).sum() - 0.5 * np.vdot(R, K @ R))
        norms = np.sqrt(K.diagonal())
        sizes = [float(norms @ np.abs(c).sum(axis=1)) ** 2 for c in (A, R)]
        return Certificate(
            _objective(K, self.Y, A),
            dual,
            float(np.linalg.norm(K @ (A - R))),
            kkt={"Newton decrement": self.decrement},
            rounding=rounding_error(len(K), float(np.abs(K @ A).sum()), *sizes),
        )


def probabilities(F: Array) -> Array:
    """Return P(class | F): of class 1 for one function, else of every class."""
    return np.asarray(
        scipy.special.expit(F) if F.shape[1] == 1 else scipy.special.softmax(F, axis=1)
    )


def curved(P: Array, V: Array) -> Array:
    """Return WV, point by point: p(1−p)v, or p∘(v − pᵀv)."""
    if P.shape[1] == 1:
        return P * (1 - P) * V
    result: Array = P * (V - (P * V).sum(axis=1, keepdims=True))
    return result


def turning(P: Array, S: Array) -> Array:
    """Return tr(S_i ∂W_i/∂f_ij) for every point i and function j: (n, c).

    For softmax it is p_j[S_jj − 2(Sp)_j − Σ_a p_a S_aa + 2pᵀSp].
    """
    if P.shape[1] == 1:
        return P * (1 - P) * (1 - 2 * P) * S[:, :, 0]
    diagonal = np.einsum("iaa->ia", S)
    Sp = np.einsum("iab,ib->ia", S, P)
    common = 2 * (P * Sp).sum(axis=1) - (P * diagonal).sum(axis=1)
    result: Array = P * (diagonal - 2 * Sp + common[:, None])
    return result


def _objective(K: Array, Y: Array, A: Array) -> float:
    """Return Ψ(A) = −log p(y | KA) + ½ tr AᵀKA."""
    F = K @ A
    total = (
        np.logaddexp(0.0, F) if F.shape[1] == 1 else scipy.special.logsumexp(F, axis=1)
    )
    return float(total.sum() - (Y * F).sum() + 0.5 * np.vdot(A, F))


def _length(K: Array, Y: Array, A: Array, step: Array, slope: float) -> float:
    """Return the first of 1, ½, ¼, … that decreases Ψ enough (Armijo)."""
    start = _objective(K, Y, A)
    for t in 0.5 ** np.arange(40):
        value = _objective(K, Y, A + t * step)
        if value <= start + 1e-4 * t * slope + 4 * EPS * abs(start):
            return float(t)
    return 0.0
