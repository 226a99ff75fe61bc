"""Solving a small problem: sequential quadratic programming from several starts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.optim.domains import Box
from kernellab.optim.inner import FAR
from kernellab.optim.outcomes import Infeasible, Solution, Unbounded
from kernellab.optim.solvers import local_minimum

if TYPE_CHECKING:
    from kernellab.optim.problem import Problem

TOL = 1e-7
"""A violation up to this, in units of 1 + |w|, counts as rounding."""


def solve(
    problem: Problem, start: Array | None, rng: np.random.Generator | None
) -> Solution:
    """The best admissible point that SLSQP reaches, with multipliers read off there."""
    if not isinstance(problem.omega, Box):
        raise InputError(
            "solve needs a box as its domain; describe the region by inequality "
            "constraints instead"
        )
    rng = np.random.default_rng(0) if rng is None else rng
    points = _starts(problem, start, rng)
    found = [_descend(problem, w) for w in points]
    good = [w for w in found if problem.violation(w) <= TOL * _size(w)]
    if not good:
        raise _infeasible(problem, [*points, *found])
    w = min(good, key=problem.f)
    _refuse_unbounded(problem, w, rng)
    return measured(problem, w)


def measured(problem: Problem, w: Array, tol: float = 1e-6) -> Solution:
    """The solution at w: multipliers, residuals, and the dual value they give."""
    prices = problem.multipliers(w, tol)
    kkt = problem.kkt(w, prices.alpha, prices.beta)
    certificate = problem.certificate(w, prices.alpha, prices.beta)
    return Solution(w, problem.f(w), prices, kkt, certificate)


def _starts(
    problem: Problem, start: Array | None, rng: np.random.Generator
) -> list[Array]:
    scales = (0.1, 1.0, 1.0, 3.0, 10.0)
    random = [problem.omega.sample(rng, scale) for scale in scales]
    return random if start is None else [start, *random]


def _descend(problem: Problem, w: Array) -> Array:
    box = problem.omega
    assert isinstance(box, Box)
    w = box.project(w)
    end = local_minimum(
        lambda v: min(max(problem.f(v), -1e150), 1e150),
        w,
        jac=problem.f.slope,
        method="SLSQP",
        bounds=_bounds(box),
        constraints=_constraints(problem),
        options={"ftol": 1e-15, "maxiter": 300},
    )
    if not np.isfinite(end).all():
        return w
    return box.project(end)


def _constraints(problem: Problem) -> list[dict[str, Any]]:
    """As SLSQP wants them: g with the other sign."""
    found: list[dict[str, Any]] = []
    if problem.inequalities:
        found.append(
            {
                "type": "ineq",
                "fun": lambda v: -np.clip(problem.g(v), -1e150, 1e150),
                "jac": lambda v: -problem.g_slopes(v),
            }
        )
    if problem.equalities:
        found.append({"type": "eq", "fun": problem.h, "jac": problem.h_slopes})
    return found


def _bounds(domain: object) -> list[tuple[float, float]] | None:
    if not isinstance(domain, Box):
        return None
    return list(zip(domain.low, domain.high, strict=True))


def nearest_admissible(problem: Problem, w: Array) -> Array:
    """The admissible point nearest to w, as far as one descent finds it."""
    return local_minimum(
        lambda v: 0.5 * float((v - w) @ (v - w)),
        w,
        jac=lambda v: v - w,
        method="SLSQP",
        bounds=_bounds(problem.omega),
        constraints=_constraints(problem),
        options={"ftol": 1e-12, "maxiter": 100},
    )


def towards_admissible(problem: Problem, w: Array) -> Array:
    """A point near w that violates the constraints as little as can be found."""

    def distance(v: Array) -> float:
        over = np.maximum(problem.g(v), 0)
        return float(over @ over + problem.h(v) @ problem.h(v))

    def slope(v: Array) -> Array:
        over = np.maximum(problem.g(v), 0)
        return 2 * (over @ problem.g_slopes(v) + problem.h(v) @ problem.h_slopes(v))

    options = {"ftol": 1e-20, "gtol": 1e-10, "maxiter": 300}
    return local_minimum(
        distance,
        w,
        jac=slope,
        method="L-BFGS-B",
        bounds=_bounds(problem.omega),
        options=options,
    )


def _infeasible(problem: Problem, points: list[Array]) -> Infeasible:
    nearest = min(
        (towards_admissible(problem, w) for w in points), key=problem.violation
    )
    return Infeasible(
        "no feasible point found; smallest violation "
        f"{problem.violation(nearest):.3g}, at w = {np.round(nearest, 6)}. "
        "Check the signs (g ≤ 0), or give a start."
    )


def _refuse_unbounded(problem: Problem, w: Array, rng: np.random.Generator) -> None:
    """Follow rays from w: an admissible one along which f falls for ever is a proof."""
    value, d = problem.f(w), len(w)
    if value < -1e12:
        raise _unbounded(value, w / float(np.abs(w).max()))
    rays = [-problem.f.slope(w), *np.eye(d), *-np.eye(d)]
    rays += list(rng.standard_normal((4 * d, d)))
    for ray in rays:
        length = float(np.linalg.norm(ray))
        if not 1e-12 < length < math.inf:
            continue
        path = [w + t * ray / length for t in FAR]
        if any(problem.violation(v) > TOL * _size(v) for v in path):
            continue
        values = [problem.f(v) for v in path]
        if values[-1] < -1e3 * (1 + abs(value)) and values[-1] < 5 * values[-2]:
            raise _unbounded(values[-1], ray / length)


def _unbounded(value: float, ray: Array) -> Unbounded:
    return Unbounded(
        f"the objective falls to {value:.3g} along the direction {np.round(ray, 4)} "
        "without leaving the admissible region: there is no minimum. A constraint is "
        "missing, or the sign of the objective is wrong."
    )


def _size(w: Array) -> float:
    return 1 + float(np.abs(w).max(initial=0.0)) if len(w) else math.inf
