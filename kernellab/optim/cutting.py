"""The dual by cutting planes.

Every w ∈ Ω gives an affine upper bound of θ_D,

    θ_D(α, β) ≤ f(w) + αᵀg(w) + βᵀh(w),

and θ_D is the least of all of them: concave, whatever f, g and h are. Kelley's method
keeps a few. A linear programme finds the (α, β) at which the least of these is
largest; the w that minimises L there is the next one. The value of the programme and
the best θ_D seen so far enclose the dual value.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.optim.outcomes import DualSolution, Infeasible, Unbounded
from kernellab.optim.solvers import linear_programme

if TYPE_CHECKING:
    from kernellab.optim.problem import Problem


def solve_dual(problem: Problem, max_rounds: int) -> DualSolution:
    """Maximise θ_D over α ≥ 0 and β, among multipliers of a size below 10⁶."""
    k, m = len(problem.inequalities), len(problem.equalities)
    best = _at(problem, *_first(problem), math.inf)
    cuts = [_cut(problem, w) for w in (best.w, *_points(problem))]
    upper, reach = math.inf, 10.0
    for _ in range(max_rounds):
        prices, upper = _highest(cuts, k, m, reach)
        if np.abs(prices).max(initial=0.0) >= reach * (1 - 1e-9) and reach < 1e6:
            reach *= 4
            continue
        now = _at(problem, prices[:k], prices[k:], upper)
        best = max(best, now, key=lambda s: s.value)
        if upper - best.value <= 1e-8 * (1 + abs(upper)):
            break
        cuts.append(_cut(problem, now.w))
    return DualSolution(best.value, upper, best.alpha, best.beta, best.w)


def _first(problem: Problem) -> tuple[Array, Array]:
    """Multipliers of a primal solution: for convex problems they are the answer."""
    try:
        solution = problem.solve()
        return solution.alpha, solution.beta
    except (Infeasible, Unbounded, InputError):
        return np.zeros(len(problem.inequalities)), np.zeros(len(problem.equalities))


def _points(problem: Problem) -> list[Array]:
    rng = np.random.default_rng(0)
    return [problem.omega.sample(rng, scale) for scale in (0.1, 1.0, 1.0, 3.0, 10.0)]


def _cut(problem: Problem, w: Array) -> Array:
    """(f(w), g(w), h(w)): an affine function of (α, β)."""
    return np.concatenate([[problem.f(w)], problem.g(w), problem.h(w)])


def _at(problem: Problem, alpha: Array, beta: Array, upper: float) -> DualSolution:
    found = problem.least_lagrangian(alpha, beta)
    value = found.value
    if problem.dual_function is not None:
        value = problem.theta_D(alpha, beta)
    return DualSolution(value, upper, alpha, beta, found.w)


def _highest(cuts: list[Array], k: int, m: int, reach: float) -> tuple[Array, float]:
    """max t subject to t ≤ every cut, 0 ≤ α ≤ reach, |β| ≤ reach."""
    rows = np.array([c for c in cuts if np.isfinite(c).all()])
    scale = np.maximum(1.0, np.abs(rows).max(axis=1))[:, None]
    A = np.hstack([np.ones((len(rows), 1)), -rows[:, 1:]]) / scale
    bounds = [(None, None)] + [(0, reach)] * k + [(-reach, reach)] * m
    found = linear_programme(
        np.r_[-1.0, np.zeros(k + m)],
        A_ub=A,
        b_ub=rows[:, 0] / scale[:, 0],
        bounds=bounds,
    )
    return (
        (np.zeros(k + m), math.inf) if found is None else (found[1:], float(found[0]))
    )
