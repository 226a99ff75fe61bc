"""SMO, Newton steps and a certificate, put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import Indices, number, positive_number
from kernellab.errors import InputError
from kernellab.kernels.row_cache import CACHE_MEGABYTES
from kernellab.svm.smo.loop import (
    SHRINK_MARGIN,
    SHRINK_MAX_FRACTION,
    Loop,
    busy,
)
from kernellab.svm.smo.newton import newton_step
from kernellab.svm.smo.problem import BoxProblem, BoxSolution, measured
from kernellab.svm.smo.step import Step
from kernellab.threads import limited

StepCallback = Callable[[Step], object]

FLOAT32_MIN_VARIABLES = 300
"""From this many variables on, rows are kept in float32 at first."""

POLISH_MAX_VARIABLES, POLISH_TOL = 100, 1e-6
"""Up to this many variables, or below this `tol`, Newton steps polish the result."""

SHRINK_MIN_VARIABLES = 4000
"""Variables are left out only if there are more than these."""

MAX_STEPS_BETWEEN_NEWTON = 2000
"""Steps of SMO before the next Newton step is tried, where these do not help."""

NEWTON_MAX_VARIABLES = 3000
"""Newton steps move at most this many variables (a matrix of 72 MB)."""

DEFAULT_MAX_STEPS = 10_000_000
"""Steps after which to stop if `max_iter` is not given."""

MAX_RESTARTS = 50
"""How often to start again from an exact gradient."""


@limited(1)
def solve(
    problem: BoxProblem,
    tol: float = 1e-3,
    max_iter: int | None = None,
    start: ArrayLike | None = None,
    callback: StepCallback | None = None,
    newton: bool = True,
    megabytes: float = CACHE_MEGABYTES,
) -> BoxSolution:
    """Minimise W(β) by SMO with second-order choice of pairs, and Newton steps.

    Parameters
    ----------
    problem : K, s, the box and the sum.
    tol : stop when m(β) − M(β) ≤ tol, as LIBSVM does. If there are at most 100
        variables, or `tol` is below 10⁻⁶, Newton steps then remove what remains of
        it, up to rounding.
    max_iter : the number of steps after which to stop, converged or not.
    start : (m,) a feasible β; without it, as near to 0 as possible.
    callback : called with a `Step` after every step. It costs time: nothing is left
        out, and all is done in float64.
    newton : with False, SMO alone: for study, and for comparison.
    megabytes : memory for rows of K.

    Returns
    -------
    BoxSolution. It does not warn: look at `converged`, and at `unbounded`, which is
    True if W has no minimum (say, a hard margin for classes that overlap).

    Notes
    -----
    If K is not positive semi-definite, each step still lowers W, and the solver ends
    at a point that no pair of variables can improve by a small step: perhaps not the
    minimum. Where the curvature along a pair is not positive, the step goes to the
    bound, the best point on that line.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> from kernellab.estimator import Inputs
    >>> from kernellab.svm.smo import VariableRows
    >>> X = [[2.0, 2.0], [3.0, 0.0], [1.0, 3.0], [0.0, 0.0], [-1.0, 0.5], [0.5, -1.0]]
    >>> y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    >>> low, high = np.where(y > 0, 0, -np.inf), np.where(y > 0, np.inf, 0)
    >>> rows = VariableRows.of(Inputs.read(kl.Linear(), X))
    >>> found = solve(BoxProblem(rows, y, low, high))  # the hard margin
    >>> (81 * abs(found.beta)).round(10), round(found.bias, 10)
    (array([ 0., 14., 12., 26.,  0.,  0.]), -1.0)
    """
    tol, most = positive_number(tol, "tol"), _count(max_iter)
    beta = problem.start() if start is None else problem.feasible(start)
    found = measured(problem, beta, 0, tol)
    precise = callback is not None or _needs_float64(problem)
    for _ in range(MAX_RESTARTS):
        if found.converged or found.unbounded or found.iterations >= most:
            break
        active = None if callback is not None else _active(problem, found)
        dtype = np.float64 if precise else np.float32
        loop = Loop(problem, found, active, dtype, megabytes)
        _descend(loop, tol if precise else 0.9 * tol, most, newton, callback)
        last = found
        found = measured(problem, loop.whole(), loop.steps, tol, loop.direction)
        if found.violation > last.violation / 2:  # float32 helps no more
            if precise and not found.objective < last.objective:
                break
            precise = True
    small = len(beta) <= POLISH_MAX_VARIABLES
    if newton and found.converged and (small or tol < POLISH_TOL):
        found = _polished(found, problem, tol, megabytes)
    return found


def _needs_float64(problem: BoxProblem) -> bool:
    """Return True if float32 would save nothing, be too coarse, or overflow."""
    if len(problem.s) < FLOAT32_MIN_VARIABLES or problem.rows.whole is not None:
        return True
    infinite = np.isinf(problem.lower).any() or np.isinf(problem.upper).any()
    sizes = np.abs(problem.rows.diagonal).max(), np.abs(problem.s).max()
    return bool(infinite or sizes[0] < 1e-12 or max(sizes) > 1e12)


def _active(problem: BoxProblem, found: BoxSolution) -> Indices | None:
    """Return the variables to start with; None for all."""
    if len(found.beta) <= SHRINK_MIN_VARIABLES:
        return None
    margin = SHRINK_MARGIN * found.violation
    moving = busy(found.beta, problem.lower, problem.upper, -found.gradient, margin)
    if moving.sum() > SHRINK_MAX_FRACTION * len(moving):
        return None
    return np.flatnonzero(moving)


def _descend(
    loop: Loop, tol: float, most: int, newton: bool, callback: StepCallback | None
) -> None:
    """Run SMO, with a Newton step now and then, until the violation is ≤ tol."""
    patience = _first_patience(loop) if newton else MAX_STEPS_BETWEEN_NEWTON
    while not loop.over and loop.steps < most:
        steps = min(patience, most - loop.steps)
        if _run(loop, steps, tol, callback) or loop.over:
            return
        if newton and loop.steps < most:
            helped = _newton(loop, callback)
            if loop.violation() <= tol:
                return
            longer = min(4 * patience, MAX_STEPS_BETWEEN_NEWTON)
            patience = _patience(loop) if helped else longer
        if len(loop.beta) > SHRINK_MIN_VARIABLES and callback is None:
            loop.narrow()


def _run(loop: Loop, steps: int, tol: float, callback: StepCallback | None) -> bool:
    """Make steps of SMO; return True if the violation is at most `tol`."""
    if callback is None:
        return loop.run(steps, tol)
    for _ in range(steps):
        violation, made = loop.violation(), loop.steps
        found = loop.run(1, tol)
        if loop.steps > made:
            i, j, t = loop.last
            callback(Step(loop.steps, i, j, t, violation, loop.objective))
        if found or loop.over:
            return found
    return False


def _newton(loop: Loop, callback: StepCallback | None) -> bool:
    """Take one Newton step; return False if it could not be made."""
    violation = loop.violation()
    t = newton_step(loop, min(NEWTON_MAX_VARIABLES, loop.cache.capacity))
    if t > 0 and callback is not None:
        callback(Step(loop.steps, -1, -1, t, violation, loop.objective))
    return t > 0


def _first_patience(loop: Loop) -> int:
    """Return how many steps of SMO to make before the first Newton step.

    Compiled ones are made in the time of a few Newton steps, and may be enough; the
    others should at least find the variables that are free.
    """
    return 1000 if loop.compiled else 30 + len(loop.beta) // 4


def _patience(loop: Loop) -> int:
    """Return how many steps of SMO to make before the next Newton step.

    They take about half of its time, as estimated in nanoseconds: so it never costs
    much.
    """
    m = len(loop.beta)
    free = int(((loop.beta > loop.lower) & (loop.beta < loop.upper)).sum())
    newton = 300_000 + free * (m + 15 * free + free**2 / 30)
    step = 800 + 1.2 * m if loop.compiled else 12_000 + 2.5 * m
    return max(50, int(0.5 * newton / step))


def _polished(
    found: BoxSolution, problem: BoxProblem, tol: float, megabytes: float
) -> BoxSolution:
    """Take Newton steps without damping while they lower the violation."""
    for _ in range(3):
        if found.violation <= found.noise:
            break
        loop = Loop(problem, found, _active(problem, found), np.float64, megabytes)
        most = min(NEWTON_MAX_VARIABLES, loop.cache.capacity)
        if newton_step(loop, most, damping=0.0) == 0:
            break
        better = measured(problem, loop.whole(), loop.steps, tol)
        if not better.violation < found.violation:
            break
        found = better
    return found


def _count(max_iter: Any) -> int:
    if max_iter is None:
        return DEFAULT_MAX_STEPS
    steps = number(max_iter, "max_iter")
    if steps < 0 or steps != int(steps):
        raise InputError(f"max_iter must be an integer ≥ 0, got {max_iter!r}")
    return int(steps)
