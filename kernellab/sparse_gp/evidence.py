"""Bounds of the evidence from sums over points: below (Titsias 2009), above (2014).

With the targets r = t − m, C = K + σ²I, the landmarks' K̂ = ΦΦᵀ ⪯ K, Ĉ = K̂ + σ²I and
the trace τ = tr(K − K̂) that they leave out,

    log p(t) = −½(n log 2π + log det C + rᵀC⁻¹r),
    lower    = −½(n log 2π + log det Ĉ + rᵀĈ⁻¹r + τ/σ²),
    upper    = −½(n log 2π + log det Ĉ + rᵀ(Ĉ + τI)⁻¹r).

**Why.** Below: log p(t) − lower is the divergence KL(q‖p) of the Gaussian process q
that predicts here from the exact posterior p, which is never negative. Above: Ĉ ⪯ C
makes log det Ĉ the smaller one, and C ⪯ Ĉ + τI (K − K̂ has no eigenvalue above its
trace) makes the quadratic form the smaller one.

**What it costs.** rᵀ(K̂ + λI)⁻¹r = J(λ)/λ, where J is the minimum of Nyström ridge
regression, ‖r − Φw‖² + λ‖w‖² (push-through). So all of it follows from the sums
A = ΦᵀΦ, Φᵀr, rᵀr, tr K, which `lowrank.normal_equations` adds up a block at a time, and
from log det Ĉ = (n − m) log σ² + log det(A + σ²I). A constant mean that is free is the
intercept of that ridge regression.

**The gradient.** With H = (A + σ²I)⁻¹ and e = r − Φw,

    ∂lower/∂Φ       = e wᵀ/σ² + Φ(I/σ² − H),
    ∂lower/∂k(x, x) = −1/2σ²,
    ∂lower/∂k(Z, Z) = −½ L⁻ᵀ(wwᵀ − I + σ²H + A/σ²)L⁻¹,
    ∂lower/∂log σ²  = −½(n − m + σ² tr H − (‖e‖² + τ)/σ²):

a second pass over the points pulls the first two through the kernel.

Legend: n points, m landmarks; Φ (n×m); A, H (m×m); w (m); σ² = noise; τ = lost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.linalg import Cholesky, cholesky
from kernellab.lowrank.normal_equations import NormalEquations, RidgeSolution

LOG_2PI = math.log(2 * math.pi)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The two bounds for one model, and the posterior q(w) they come with."""

    equations: NormalEquations
    noise: float

    @cached_property
    def ridge(self) -> RidgeSolution:
        """w and the free constant b: Nyström ridge regression with λ = σ²."""
        return self.equations.solve(self.noise)

    @cached_property
    def A(self) -> Array:
        """ΦᵀΦ, whole, and not centred."""
        A, c = self.equations.A, self.equations.c
        whole: Array = A + np.tril(A, -1).T + self.equations.S * np.outer(c, c)
        return whole

    @cached_property
    def system(self) -> Cholesky:
        """The factor of A + σ²I: σ²(A + σ²I)⁻¹ is the covariance of w."""
        return cholesky(self.A, ridge=self.noise)

    @property
    def w(self) -> Array:
        return self.ridge.w[:, 0]

    @property
    def b(self) -> float:
        return float(self.ridge.b[0])

    @property
    def missed(self) -> float:
        """‖e‖² + τ: what the posterior mean misses, and what the landmarks do."""
        return float(self.ridge.R[0]) + self.equations.lost

    @property
    def _logdet(self) -> float:
        """log det(K̂ + σ²I)."""
        n, m = self.equations.n, len(self.A)
        return (n - m) * math.log(self.noise) + self.system.logdet()

    @property
    def lower(self) -> float:
        """The bound that is maximised: log p(t) − KL(q‖p)."""
        terms = self.equations.n * LOG_2PI, self._logdet, _square(self.ridge)
        return -0.5 * (sum(terms) + self.equations.lost / self.noise)

    def certify(self, assumes: str = "") -> EvidenceBracket:
        """Return both bounds."""
        n, lost = self.equations.n, self.equations.lost
        size, logdet = n * LOG_2PI, self._logdet
        above = _square(self.equations.solve(self.noise + lost))
        below = _square(self.ridge) + lost / self.noise
        return EvidenceBracket(
            -0.5 * (size + logdet + above),
            self.lower,
            jitter=self.system.jitter,
            rounding=rounding_error(n, size, abs(logdet), above, below),
            assumes=assumes,
            lost=lost,
            trace=self.equations.trace,
        )

    # --- cotangents -------------------------------------------------------------------

    @cached_property
    def _H(self) -> Array:
        return self.system.inverse()

    @cached_property
    def _slope(self) -> Array:
        """I/σ² − H."""
        return np.eye(len(self.A)) / self.noise - self._H

    def of_columns(self, Phi: Array, r: Array) -> Array:
        """Return ∂lower/∂Φ for a block, in C order."""
        G = Phi @ self._slope
        G += np.outer((r - self.b - Phi @ self.w) / self.noise, self.w)
        return G

    def of_gram(self) -> Array:
        """Return S with ∂lower/∂k(Z, Z) = L⁻ᵀSL⁻¹."""
        S = np.outer(self.w, self.w) + self.noise * self._H + self.A / self.noise
        np.fill_diagonal(S, S.diagonal() - 1)
        result: Array = -0.5 * S
        return result

    def of_log_noise(self) -> float:
        """Return ∂lower/∂log σ²."""
        n, m, v = self.equations.n, len(self.A), self.noise
        return -0.5 * (n - m + v * float(self._H.trace()) - self.missed / v)


@dataclass(frozen=True, repr=False)
class EvidenceBracket(Certificate):
    """Between which two numbers the log evidence of the exact process lies.

    `primal` is the upper bound, `dual` the lower one, which was maximised. Their gap
    bounds KL(q‖p), the divergence of the predictions from the exact posterior p, and so
    how far a mean or a variance can be from the exact one: for any two Gaussians
    N(μ, v) and N(μ*, v*) it is at least that of their marginals,

        ½(ρ − 1 − log ρ + (μ − μ*)²/v*) ≤ gap,     ρ = v/v*.

    Parameters
    ----------
    lost : tr(K − K̂), what the landmarks leave out.
    trace : tr K.

    Examples
    --------
    >>> proof = EvidenceBracket(primal=-9.9, dual=-10.0, lost=0.02, trace=10.0)
    >>> proof
    log evidence from -10 to -9.9, gap 0.1; tr(K − K̂) = 0.02, 0.002 of tr K
    >>> low, high = proof.variance_range  # of the exact variance, in units of v
    >>> round(low, 2), round(high, 2)
    (0.56, 2.03)
    """

    lost: float = 0.0
    trace: float = 0.0

    @property
    def lower(self) -> float:
        return self.dual

    @property
    def upper(self) -> float:
        return self.primal

    @property
    def variance_range(self) -> tuple[float, float]:
        """Numbers a ≤ 1 ≤ b: the exact variance of f is between a·v and b·v.

        They are 1/ρ for the two solutions of ρ − 1 − log ρ = 2·gap.
        """
        if self.gap <= 0:
            return 1.0, 1.0
        e = -math.exp(-1 - 2 * self.gap)
        if not e:  # the gap says nothing
            return 0.0, math.inf
        low, high = (
            -float(scipy.special.lambertw(e, branch).real) for branch in (0, -1)
        )
        return 1 / high, 1 / low

    @property
    def mean_range(self) -> float:
        """The exact mean is at most so many exact standard deviations away."""
        return math.sqrt(2 * max(self.gap, 0.0))

    def __str__(self) -> str:
        share = self.lost / self.trace if self.trace else 0.0
        parts = [
            f"log evidence from {self.lower:.6g} to {self.upper:.6g}, "
            f"gap {self.gap:.2g}; tr(K − K̂) = {self.lost:.3g}, {share:.2g} of tr K"
        ]
        if self.jitter:
            parts.append(f"jitter {self.jitter:.2g}")
        if self.assumes:
            parts.append(f"if {self.assumes}")
        return ", ".join(parts)

    __repr__ = __str__


def _square(ridge: RidgeSolution) -> float:
    """Return rᵀ(K̂ + λI)⁻¹r = ‖w‖² + ‖r − Φw‖²/λ."""
    return float((ridge.w**2).sum() + ridge.R[0] / ridge.lam)
