"""The normal equations of ridge regression, as a sum that can be taken in any order.

    minimise  J(w, b) = Σ_i s_i (t_i − φ_iᵀw − b)² + λ‖w‖²,      φ_i = φ̂(x_i) ∈ ℝʳ.

Of all the data the solution needs only a few sums over points. With the weighted means
c = Σ s_iφ_i / Σ s_i and u = Σ s_it_i / Σ s_i (or c = 0, u = 0 without intercept), they
are

    A = Σ s_i(φ_i − c)(φ_i − c)ᵀ,   B = Σ s_i(φ_i − c)(t_i − u),   Q = Σ s_i(t_i − u)²,

and (A + λI)w = B, b = u − cᵀw. Two such collections, of different points, add up:
with weights S₁, S₂ and h = S₁S₂/(S₁ + S₂),

    A = A₁ + A₂ + h (c₁ − c₂)(c₁ − c₂)ᵀ,    B = B₁ + B₂ + h (c₁ − c₂)(u₁ − u₂),   …

(Chan, Golub and LeVeque 1983). So means are never subtracted from large sums, and
targets such as 10⁸ + noise keep their digits. The addition is associative, and its
neutral element is the collection of no points: a monoid. Hence streaming, out-of-core
and a cluster are the same program, `DataBlocks.total`.

**What the fit proves, without another pass.** Let g = (A + λI)w − B, which is 0 but for
rounding, and R = Q − 2wᵀB + wᵀAw, the weighted sum of squared residuals. The dual
point a_i = s_i(t_i − φ_iᵀw − b)/λ has Σa_i = 0 and Φᵀa = w − g/λ, so that

    J(w) = R + λ‖w‖²,     dual(a) = J(w) − ‖g‖²/λ,     gap = ‖g‖²/λ.

**And of the full problem.** If φ̂ is an orthogonal projection of φ on r dimensions, the
fit is a function in the RKHS of k with norm ‖w‖, so J(w) is also a value of *exact*
kernel ridge regression, J ≥ J*. Its dual differs only in K ⪰ K̂ in the place of K̂, by

    λ aᵀ(K − K̂)a ≤ λ (Σ |a_i|√ρ_i)² ≤ E = (Σ s_iρ_i)·R/λ,     ρ_i = k(x_i,x_i) − ‖φ_i‖²,

twice by Cauchy and Schwarz. For the best multiple of a, dual(τa) = p²/q, where
p = λaᵀt = R + λ‖w‖² − wᵀg and q = R + λ‖w − g/λ‖² + E. If g = 0 that is

    J²/(J + E)  ≤  J*  ≤  J,        λ‖f̂ − f*‖² ≤ J − J* ≤ JE/(J + E).

All of it from sums over points. Chapter 8.

Legend: n points; r features φ, one row per point; t (n×m) targets, one column per
output; s weights, S their sum; A (r×r), B (r×m), Q (m); c (r), u (m) means; λ = lam.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.linalg import blas

from kernellab.arrays import Array
from kernellab.certificates import Certificate
from kernellab.errors import InputError
from kernellab.linalg import EPS, Cholesky, cholesky
from kernellab.threads import limited

MAX_REFINEMENTS = 3
"""How often a solution is improved by its own residual, at most."""


@dataclass(frozen=True, eq=False, repr=False)
class NormalEquations:
    """Σ s(φ−c)(φ−c)ᵀ and the other sums over points. They know "+".

    Attributes
    ----------
    n : number of points.
    S : Σ s.
    A : (r, r) array in Fortran order; its lower triangle counts, the rest is 0.
    B : (r, m) array.
    Q : (m,) array.
    c, u : (r,) and (m,) arrays, the weighted means; 0 if they are not centred.
    trace : Σ s·k(x, x).
    error : how far A can be off by rounding, in spectral norm, beyond ε‖A‖.

    Examples
    --------
    >>> Phi, t, s = np.array([[1.0], [2.0], [4.0]]), np.ones((3, 1)), np.ones(3)
    >>> own = (Phi**2).sum(axis=1)
    >>> both = NormalEquations.of(Phi[:2].copy(), t[:2], s[:2], own[:2])
    >>> both = both + NormalEquations.of(Phi[2:].copy(), t[2:], s[2:], own[2:])
    >>> both
    Normal equations of 3 points: 1 features, 1 outputs
    >>> both.A, both.B.ravel()
    (array([[21.]]), array([7.]))
    >>> both.solve(lam=7.0).w.ravel()  # 7/(21 + 7)
    array([0.25])
    """

    n: int
    S: float
    A: Array
    B: Array
    Q: Array
    c: Array
    u: Array
    trace: float
    error: float = 0.0

    @classmethod
    def of(
        cls, Phi: Array, T: Array, s: Array, own: Array, centred: bool = False
    ) -> Self:
        """Return the sums over one block: br² operations, as A is symmetric.

        Parameters
        ----------
        Phi : (b, r) array in C order. It is overwritten.
        T : (b, m) array of targets.
        s : (b,) array of weights.
        own : (b,) array of k(x, x).
        centred : whether to measure φ and t from their means.
        """
        S, r, m = float(s.sum()), Phi.shape[1], T.shape[1]
        c, u = np.zeros(r), np.zeros(m)
        overflow = np.errstate(over="ignore", invalid="ignore")  # `solve` will see it
        with overflow, limited(len(Phi)):
            if centred and S > 0:
                c, u = s @ Phi / S, s @ T / S
                Phi -= c
                T = T - u
            root = np.sqrt(s)[:, None]
            if (s != 1).any():
                Phi *= root
            T = T * root
            A = np.asarray(blas.dsyrk(1.0, Phi.T, lower=1))
            Q = np.einsum("ij,ij->j", T, T)
            return cls(len(T), S, A, Phi.T @ T, Q, c, u, float(s @ own))

    def __add__(self, other: Self) -> Self:
        S = self.S + other.S
        share = other.S / S if S > 0 else 0.0
        h, apart, off = self.S * share, self.c - other.c, self.u - other.u
        with np.errstate(over="ignore", invalid="ignore"):
            A, B = self.A + other.A, self.B + other.B + h * np.outer(apart, off)
            if apart.any():
                A = np.asarray(blas.dsyr(h, apart, lower=1, a=A, overwrite_a=1))
            Q = self.Q + other.Q + h * off**2
        c, u = self.c - share * apart, self.u - share * off
        n, trace = self.n + other.n, self.trace + other.trace
        return type(self)(n, S, A, B, Q, c, u, trace, self.error + other.error)

    def __repr__(self) -> str:
        r, m = self.B.shape
        return f"Normal equations of {self.n} points: {r} features, {m} outputs"

    def whitened(self, whiten: Callable[[Array], Array], error: float) -> Self:
        """Return the same in the features Wφ, by products `whiten(M)` = WM. O(r³).

        Parameters
        ----------
        whiten : function from a Fortran array, which it may overwrite, to its product.
        error : how far the new A can be off.
        """
        A = _full(self.A)
        for _ in range(2):  # WA, then W(WA)ᵀ
            A = np.asfortranarray(whiten(A).T)
        A = np.asfortranarray(np.tril(A))
        B, c = whiten(self.B.copy(order="F")), whiten(self.c[:, None].copy(order="F"))
        return replace(self, A=A, B=B, c=c[:, 0], error=error)

    @property
    def kept(self) -> float:
        """Σ s‖φ(x)‖² = tr A, if it is not centred."""
        return float(self.A.trace()) + self.S * float(self.c @ self.c)

    @property
    def lost(self) -> float:
        """Σ s(k(x,x) − ‖φ(x)‖²): what the features leave out; rounded up, if at all."""
        return max(0.0, self.trace - self.kept) + self.rounding

    @property
    def rounding(self) -> float:
        """How far `kept` can be off."""
        usual = EPS * math.sqrt(self.n) * abs(self.trace)
        return len(self.c) * self.error + usual

    def solve(self, lam: float) -> RidgeSolution:
        """Return w = (A + λI)⁻¹B, b = u − cᵀw. r³/3 operations."""
        if not all(np.isfinite(sums).all() for sums in (self.A, self.B, self.Q)):
            raise InputError(
                "the sums over points are too large for floats: rescale t, the weights "
                "or the kernel"
            )
        system = cholesky(_full(self.A), ridge=lam, overwrite=True)
        w, g, Aw = refined_solution(system, self.B, lam)
        R = np.maximum(0.0, self.Q - ((2 * self.B - Aw) * w).sum(axis=0))
        return RidgeSolution(self, lam, w, self.u - self.c @ w, g, R, system.jitter)


@dataclass(frozen=True, eq=False)
class RidgeSolution:
    """The ridge regression of some normal equations, and what it proves.

    Attributes
    ----------
    equations, lam : the problem.
    w : (r, m) array.
    b : (m,) array, u − cᵀw.
    g : (r, m) array, (A + λI)w − B.
    R : (m,) array, the weighted sum of squared residuals of each output.
    jitter : what was added to the diagonal after a failed factorisation.
    """

    equations: NormalEquations
    lam: float
    w: Array
    b: Array
    g: Array
    R: Array
    jitter: float

    @property
    def certificate(self) -> Certificate:
        """J and its dual for the features as they are: the gap is ‖g‖²/λ."""
        primal = float(self._primal.sum())
        g = np.linalg.norm(self.g, axis=0)
        g += self.equations.error * np.linalg.norm(self.w, axis=0)
        gradient = 2 * float(np.linalg.norm(g))
        gap = float((g**2).sum()) / self.lam
        return Certificate(primal, primal - gap, gradient, self.jitter)

    @property
    def full_problem(self) -> FullProblemCertificate:
        """J and a dual value of exact kernel ridge, if φ̂ is a projection."""
        lost = self.equations.lost
        p = self._primal - (self.w * self.g).sum(axis=0)
        moved = self.w - self.g / self.lam
        q = self.R + self.lam * (moved**2).sum(axis=0) + lost * self.R / self.lam
        dual = np.divide(p**2, q, out=np.zeros_like(q), where=q > 0)
        J, D = float(self._primal.sum()), float(dual.sum())
        return FullProblemCertificate(
            J, D, lam=self.lam, lost=lost, trace=self.equations.trace
        )

    @property
    def _primal(self) -> Array:
        """J of each output."""
        J: Array = self.R + self.lam * (self.w**2).sum(axis=0)
        return J


@dataclass(frozen=True, repr=False)
class FullProblemCertificate(Certificate):
    """How far a low-rank fit can be from exact kernel ridge regression.

    The optimum of the exact problem lies between `dual` and `primal`. It is proved by
    what the features leave out, without ever solving that problem.

    Parameters
    ----------
    lam : the penalty λ.
    lost : Σ s(k(x,x) − ‖φ̂(x)‖²): the (weighted) trace of K − K̂.
    trace : Σ s·k(x,x): the (weighted) trace of K.

    Examples
    --------
    >>> FullProblemCertificate(primal=2.5, dual=2.4, lam=0.1, lost=0.02, trace=10.0)
    exact kernel ridge: optimum from 2.4 to 2.5, gap 0.1 (relative 0.04);
    ‖f̂ − f*‖ ≤ 1; tr(K − K̂) = 0.02, 0.002 of tr K
    """

    lam: float = 1.0
    lost: float = 0.0
    trace: float = 0.0

    @property
    def relative(self) -> float:
        """tr(K − K̂)/tr K."""
        return self.lost / self.trace if self.trace else 0.0

    @property
    def distance(self) -> float:
        """A bound on ‖f̂ − f*‖ in the RKHS: the root of gap/λ."""
        return float(np.sqrt(max(self.gap, 0.0) / self.lam))

    def __str__(self) -> str:
        return (
            f"exact kernel ridge: optimum from {self.dual:.6g} to {self.primal:.6g}, "
            f"gap {self.gap:.2g} (relative {self.relative_gap:.2g}); "
            f"‖f̂ − f*‖ ≤ {self.distance:.2g}; "
            f"tr(K − K̂) = {self.lost:.3g}, {self.relative:.2g} of tr K"
        )

    __repr__ = __str__


def _full(A: Array) -> Array:
    """Return the symmetric matrix whose lower triangle is given, in Fortran order."""
    return np.asfortranarray(A + np.tril(A, -1).T)


def refined_solution(
    system: Cholesky, B: Array, lam: float
) -> tuple[Array, Array, Array]:
    """Return w, g = (A + λI)w − B and Aw; improved while that makes g smaller.

    It costs O(r²), and undoes the jitter of a factorisation that needed one.
    """

    def measured(w: Array) -> tuple[Array, Array, Array]:
        Aw = system.multiply(w)
        return w, Aw + lam * w - B, Aw

    best = measured(system.solve(B))
    for _ in range(MAX_REFINEMENTS):
        better = measured(best[0] - system.solve(best[1]))
        if not np.linalg.norm(better[1]) < np.linalg.norm(best[1]):
            break
        best = better
    return best
