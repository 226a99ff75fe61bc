"""Several classes: one function each, the softmax of their values, Newton's method.

With functions f_1, …, f_c of the RKHS, P(class j | x) = e^(f_j(x)) / Σ_l e^(f_l(x)).
For U = KA, a column per class, and weights s_i ≥ 0 of the points,

    (P)  P(A) = (1/n) Σ_i s_i [log Σ_j e^(U_ij) − U_{i,y_i}] + (λ/2) tr AᵀKA,
    (D)  D(Q) = (1/n) Σ_i s_i H(q_i) − (λ/2) tr RᵀKR,   R_i = (s_i/nλ)(e_{y_i} − q_i),

where q_i are probabilities and H(q) = −Σ_j q_j log q_j: the conjugate of the loss at
v is −H(v + e_y), finite exactly if v + e_y are probabilities. Q = softmax(U) is always
feasible, so every step has its gap, and at the optimum A = R.

A Newton step, in units in which nλ = 1: with p = softmax(U), D_j = diag(s p_·j) and

    E_j = D_j^½ (I + D_j^½ K D_j^½)⁻¹ D_j^½,   b = s(e_y − p) + W U,

where W U has the rows s_i p_i∘(U_i − p_iᵀU_i), the new A has the columns

    a_j = c_j + E_j (Σ_l E_l)⁻¹ Σ_l E_l K b_l,   c_j = b_j − E_j K b_j

(Rasmussen & Williams 2006, Algorithm 3.3): c + 1 Cholesky factors of n×n, n³/3 each,
and K is never inverted. If λ is not tiny, a few iterations of conjugate gradients, with
one product KS each, give a step that is as good; they are tried first.

Legend: n points; c classes; Y (n×c) with a 1 at the class of each point; s (n) weights.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import scipy

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.errors import ConvergenceWarning
from kernellab.kernels.base import Kernel
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, cholesky

SMALLEST_SHARE = 1e-12
"""A probability counts as this, at least, where a Newton step divides by it."""

CG_ITERATIONS = 60
"""Iterations of conjugate gradients after which a step is computed exactly instead."""

CG_TOLERANCE = 0.1
"""The largest relative residual of a step; it falls with the gap, as its root."""

HALVINGS = 40
"""How often a step is halved before it is given up."""


@dataclass(frozen=True, eq=False)
class SoftmaxProblem:
    """(P) and (D) for one data set. O(n²c) a value."""

    K: Array
    Y: Array
    s: Array
    lam: float
    kernel: Kernel | None = None

    @property
    def nlam(self) -> float:
        return len(self.s) * self.lam

    def primal(self, A: Array, U: Array) -> float:
        """Return P(A), where U = KA."""
        losses = scipy.special.logsumexp(U, axis=1) - (U * self.Y).sum(axis=1)
        return float((self.s @ losses) / len(U) + self.lam / 2 * np.vdot(A, U))

    def residual(self, Q: Array) -> Array:
        """Return R, the coefficients that probabilities stand for."""
        result: Array = self.s[:, None] * (self.Y - Q) / self.nlam
        return result

    def dual(self, Q: Array) -> float:
        """Return D(Q)."""
        R = self.residual(Q)
        entropy = float(self.s @ scipy.special.entr(Q).sum(axis=1)) / len(Q)
        return entropy - self.lam / 2 * float(np.vdot(R, self.K @ R))

    def certify(self, A: Array, U: Array, jitter: float) -> Certificate:
        """Return P(A), D(softmax(U)), their gap and ‖∇P(A)‖."""
        Q = scipy.special.softmax(U, axis=1)
        R = self.residual(Q)
        norms = np.sqrt(np.abs(self.K.diagonal()))
        sizes = [float(norms @ np.abs(c).sum(axis=1)) ** 2 for c in (A, R)]
        losses = float(self.s @ np.abs(U).max(axis=1)) / len(U)
        rounding = rounding_error(len(U), losses, *(self.lam * x for x in sizes))
        gradient = self.lam * float(np.linalg.norm(self.K @ (A - R)))
        primal, dual = self.primal(A, U), self.dual(Q)
        return Certificate(primal, dual, gradient, jitter, rounding=rounding)


@dataclass(frozen=True, eq=False)
class SoftmaxSolution:
    """A for (P) and R for (D), both n×c; what they prove; the steps that were made."""

    A: Array
    R: Array
    certificate: Certificate
    iterations: int


def solve_softmax(
    problem: SoftmaxProblem, tol: float, max_iter: int
) -> SoftmaxSolution:
    """Take damped Newton steps from A = 0, until the gap is small.

    O(cn²) for each iteration of conjugate gradients, O(cn³) for an exact step.

    P is convex, and its optimum satisfies Σ_j a_j = 0.
    """
    A = np.zeros_like(problem.Y)
    U, jitter, steps = A.copy(), 0.0, 0
    found = _measured(problem, A, U, 0, jitter)
    while steps < max_iter and abs(found.certificate.relative_gap) > tol:
        direction, used = _direction(problem, A, U, found.certificate.relative_gap)
        t = _step_length(problem, A, U, direction)
        if t == 0:
            break
        steps, jitter, A = steps + 1, max(jitter, used), A + t * direction
        U = problem.K @ A
        found = _measured(problem, A, U, steps, jitter)
    if abs(found.certificate.relative_gap) > tol:
        warnings.warn(_complaint(found, tol), ConvergenceWarning, stacklevel=4)
    return found


def _measured(
    problem: SoftmaxProblem, A: Array, U: Array, steps: int, jitter: float
) -> SoftmaxSolution:
    R = problem.residual(scipy.special.softmax(U, axis=1))
    return SoftmaxSolution(A, R, problem.certify(A, U, jitter), steps)


def _direction(
    problem: SoftmaxProblem, A: Array, U: Array, gap: float
) -> tuple[Array, float]:
    """Return a Newton step: by conjugate gradients if a few suffice, else exactly."""
    tol = min(CG_TOLERANCE, math.sqrt(abs(gap)))
    found = conjugate_gradient_step(problem, A, U, tol)
    return newton_direction(problem, A, U) if found is None else (found, 0.0)


def conjugate_gradient_step(
    problem: SoftmaxProblem, A: Array, U: Array, tol: float
) -> Array | None:
    """Solve (nλ + WK)S = R' for a Newton step; None if that takes many iterations.

    R' = s(e_y − p) − nλA. The operator is self-adjoint and positive in the inner
    product ⟨S, T⟩ = tr SᵀKT of the functions KS: conjugate gradients apply, with one
    product with K per iteration, O(n²c).

    Parameters
    ----------
    tol : the size of the residual, relative to R', at which to stop.
    """
    K, nlam, P = problem.K, problem.nlam, scipy.special.softmax(U, axis=1)
    weighted = problem.s[:, None] * P
    residual = problem.s[:, None] * (problem.Y - P) - nlam * A
    image = K @ residual
    square = first = float(np.vdot(residual, image))
    step, p, Kp = np.zeros_like(A), residual.copy(), image
    for _ in range(CG_ITERATIONS):
        Tp = nlam * p + weighted * (Kp - (P * Kp).sum(axis=1, keepdims=True))
        curvature = float(np.vdot(Kp, Tp))
        if not curvature > 0:
            return None
        step += square / curvature * p
        residual -= square / curvature * Tp
        image = K @ residual
        square, last = float(np.vdot(residual, image)), square
        if square <= tol**2 * first:
            return step
        p = residual + square / last * p
        Kp = image + square / last * Kp
    return None


def newton_direction(
    problem: SoftmaxProblem, A: Array, U: Array
) -> tuple[Array, float]:
    """Return the Newton step from A, and the largest jitter of its factors."""
    K, s = problem.K / problem.nlam, problem.s[:, None]
    P = scipy.special.softmax(U, axis=1)
    b = s * (problem.Y - P) + s * P * (U - (P * U).sum(axis=1, keepdims=True))
    total, sides, EK_b, jitter = np.zeros_like(K), [], [], 0.0
    for j in range(P.shape[1]):
        E, used = _shrunken(K, problem.s * np.maximum(P[:, j], SMALLEST_SHARE), problem)
        sides.append(E)
        EK_b.append(E @ (K @ b[:, j]))
        total += E
        jitter = max(jitter, used)
    C = cholesky(total, advice=advice_on(problem.kernel), overwrite=True)
    z = C.solve(np.sum(EK_b, axis=0))
    pairs = zip(b.T, sides, EK_b, strict=True)
    target = np.stack([bj - e + E @ z for bj, E, e in pairs], axis=1)
    return target / problem.nlam - A, max(jitter, C.jitter)


def _shrunken(K: Array, d: Array, problem: SoftmaxProblem) -> tuple[Array, float]:
    """Return D^½(I + D^½KD^½)⁻¹D^½ for D = diag(d), and the jitter of its factor."""
    root = np.sqrt(d)
    C = cholesky(
        root[:, None] * K * root,
        ridge=1.0,
        advice=advice_on(problem.kernel),
        overwrite=True,
    )
    E: Array = root[:, None] * C.inverse() * root
    return E, C.jitter


def _step_length(problem: SoftmaxProblem, A: Array, U: Array, step: Array) -> float:
    """Return the first of 1, ½, ¼, … that decreases P enough (Armijo); 0 if none."""
    KS = problem.K @ step
    R = problem.residual(scipy.special.softmax(U, axis=1))
    slope = problem.lam * float(np.vdot(A - R, KS))
    start = problem.primal(A, U)
    rounding = 4 * EPS * abs(start)
    if -slope <= rounding / 4:
        return 0.0
    for t in 0.5 ** np.arange(HALVINGS):
        value = problem.primal(A + t * step, U + t * KS)
        if value <= start + 1e-4 * t * slope + rounding:
            return float(t)
    return 0.0


def _complaint(found: SoftmaxSolution, tol: float) -> str:
    c = found.certificate
    known = (
        f"{c.primal:.6g} is proven to be within {c.gap:.2g} of the minimum"
        if c.gap >= 0 and math.isfinite(c.gap)
        else "nothing is proven"
    )
    return (
        f"stopped after {found.iterations} steps with a relative gap of "
        f"{c.relative_gap:.2g}, not within tol = {tol:g}: {known}. Allow more steps "
        "(max_iter), raise lam, or accept this gap as tol."
    )
