"""Newton's method on (P), written so that K is never inverted."""

from __future__ import annotations

import numpy as np

from kernellab.arrays import Array
from kernellab.erm.problem import (
    RepresenterProblem,
    RepresenterSolution,
    done,
    measured,
)
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import EPS, cholesky

NEGLIGIBLE_CURVATURE = 1e-12
"""A curvature below NEGLIGIBLE_CURVATURE·λ/K_ii does not change a Newton step."""


def newton(
    problem: RepresenterProblem, tol: float, max_iter: int
) -> RepresenterSolution:
    """Damped Newton steps from a = 0, until the gap is small or P decreases no more."""
    found = _with_best_dual(problem, np.zeros(len(problem.y)), 0, 0.0)
    while found.iterations < max_iter:
        direction, jitter = newton_direction(problem, found.a)
        t = _step_length(problem, found.a, direction)
        if t == 0:
            break
        a = found.a + t * direction
        jitter = max(jitter, found.certificate.jitter)
        found = _with_best_dual(problem, a, found.iterations + 1, jitter)
        if done(found, tol):
            break
    return found


def _with_best_dual(
    problem: RepresenterProblem, a: Array, iterations: int, jitter: float
) -> RepresenterSolution:
    """Return a, and the better of two feasible α: −ℓ'(u)/(nλ), and the nearest one to
    a.
    """
    pair = (-problem.slopes(a) / problem.nlam, problem.feasible(a))
    alpha = max(pair, key=problem.dual)
    return measured(problem, a, alpha, iterations, jitter)


def newton_direction(problem: RepresenterProblem, a: Array) -> tuple[Array, float]:
    """Return b − a, where b satisfies the optimality condition linearised at u = Ka.

    That condition is λb = −ℓ'(u_b)/n. With W = diag(ℓ''(u))/n it becomes

        λb + W(Kb − u) = −ℓ'(u)/n,

    so b_i = −ℓ'(u_i)/(nλ) =: α_i where W_ii = 0. For the others put b = Sc, S = W^½:

        (λI + SKS)c = Su + λS⁻¹α − SK b_rest,

    positive definite whatever the rank of K. For the squared loss this is
    (K + nλI)b = y.
    """
    K, y, lam, loss = problem.K, problem.y, problem.lam, problem.loss
    u = K @ a
    W = loss.curvature(y, u) / len(y)
    b = -loss.derivative(y, u) / problem.nlam
    bent = W * K.diagonal() > NEGLIGIBLE_CURVATURE * lam
    if not bent.any():
        return b - a, 0.0
    S = np.sqrt(W[bent])
    right = S * (u[bent] - K[np.ix_(bent, ~bent)] @ b[~bent]) + lam * b[bent] / S
    C = cholesky(
        S[:, None] * K[np.ix_(bent, bent)] * S,
        ridge=lam,
        advice=advice_on(problem.kernel),
    )
    b[bent] = S * C.solve(right)
    return b - a, C.jitter


def _step_length(problem: RepresenterProblem, a: Array, d: Array) -> float:
    """Return the first t of 1, ½, ¼, … that decreases P enough (Armijo); 0 if none
    does.
    """
    slope = float((problem.slopes(a) / len(a) + problem.lam * a) @ (problem.K @ d))
    start = problem.primal(a)
    rounding = 4 * EPS * abs(start)
    if -slope <= rounding / 4:  # what a step can still gain
        return 0.0
    for t in 0.5 ** np.arange(40):
        if problem.primal(a + t * d) <= start + 1e-4 * t * slope + rounding:
            return float(t)
    return 0.0
