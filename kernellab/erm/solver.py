"""Solve (P) and (D) together, by the method that suits the loss."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import number, positive_number
from kernellab.erm.interior import interior_point
from kernellab.erm.newton import newton
from kernellab.erm.problem import RepresenterProblem, RepresenterSolution, done
from kernellab.errors import ConvergenceWarning, InputError
from kernellab.losses import Loss
from kernellab.threads import limited


def solve(
    K: ArrayLike,
    y: ArrayLike,
    lam: float,
    loss: Loss,
    tol: float = 1e-8,
    max_iter: int = 100,
) -> RepresenterSolution:
    """Solve (P) and (D) together, until the gap proves it. O(n³) per step.

    Parameters
    ----------
    K, y, lam, loss : as in `primal_value`.
    tol : the relative gap at which to stop.
    max_iter : the number of steps after which to stop, with a `ConvergenceWarning`.

    Examples
    --------
    >>> from kernellab.losses import Logistic
    >>> found = solve([[2.0, 0.0], [0.0, 2.0]], [1, -1], lam=1.0, loss=Logistic())
    >>> found.a.round(4), found.iterations
    (array([ 0.2005, -0.2005]), 2)
    >>> found.certificate.relative_gap < 1e-8
    True
    """
    return solve_problem(RepresenterProblem.read(K, y, lam, loss), tol, max_iter)


def solve_problem(
    problem: RepresenterProblem, tol: float, max_iter: int
) -> RepresenterSolution:
    tol, steps = positive_number(tol, "tol"), _count(max_iter)
    problem.require_convex()
    loss = problem.loss
    if loss.rho is not None and np.isfinite(loss.slopes(problem.y)).any():
        with limited(len(problem.K)):
            found = interior_point(problem, loss.rho, tol, steps)
    elif loss.smooth:
        with limited(len(problem.K)):
            found = newton(problem, tol, steps)
    else:
        raise InputError(
            f"no method here solves {loss!r}: it has a kink, and its conjugate is not "
            "quadratic"
        )
    if not done(found, tol):
        warnings.warn(_complaint(found, tol), ConvergenceWarning, stacklevel=3)
    return found


def _complaint(found: RepresenterSolution, tol: float) -> str:
    c = found.certificate
    if c.gap < 0:
        known = "it is negative by rounding, so nothing is proven"
    else:
        known = f"{c.primal:.6g} is proven to be within {c.gap:.2g} of the minimum"
    return (
        f"stopped after {found.iterations} steps with a relative gap of "
        f"{c.relative_gap:.2g}, not within tol = {tol:g}: {known}. Allow more steps "
        "(max_iter); if the gap then stays, it is rounding: raise lam, or accept this "
        "gap as tol."
    )


def _count(max_iter: int) -> int:
    steps = number(max_iter, "max_iter")
    if steps < 0 or steps != int(steps):
        raise InputError(f"max_iter must be an integer ≥ 0, got {max_iter!r}")
    return int(steps)
