"""The arithmetic of a convex quadratic programme.

    minimise ½wᵀQw + qᵀw   subject to   Aw ≤ b,  Ew = e,           Q ⪰ 0.

Two linear programmes decide first whether there is a solution. A constraint is
violated by at least the value of

    minimise t   subject to   Aw − b ≤ t,  |Ew − e| ≤ t,

and the objective falls without end exactly if some v has Qv = 0, Av ≤ 0, Ev = 0 and
qᵀv < 0 (for convex quadratic programmes the infimum is attained or is −∞: Frank and
Wolfe). Otherwise Mehrotra's method gives w, α, β to about ten digits; the constraints
that hold with equality are read off, and a linear system gives the rest.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.linalg import LinAlgWarning, lstsq

from kernellab.errors import ConvergenceWarning
from kernellab.kernels.points import Array
from kernellab.optim.outcomes import Infeasible, Unbounded
from kernellab.optim.solvers import linear_programme

FREE = (None, None)

ENOUGH = 1e-8
"""Residuals up to here show which constraints hold with equality."""

PATIENCE = 5
"""Steps that bring no better point, before the method stops."""


def refuse_infeasible(A: Array, b: Array, E: Array, e: Array) -> None:
    """Raise `Infeasible` if no w satisfies Aw ≤ b and Ew = e."""
    if not len(b) and not len(e):
        return
    d = A.shape[1]
    rows, sides = np.vstack([A, E, -E]), np.r_[b, e, -e]
    found = linear_programme(
        np.r_[np.zeros(d), 1.0],
        A_ub=np.c_[rows, -np.ones(len(rows))],
        b_ub=sides,
        bounds=[FREE] * d + [(0, None)],
    )
    if found is not None and found[-1] > 1e-8 * (1 + np.abs(sides).max()):
        raise Infeasible(
            f"no feasible point exists; the smallest violation is {found[-1]:.3g}, "
            f"at w = {np.round(found[:-1], 6) + 0.0}. Some constraints contradict "
            "each other."
        )


def refuse_unbounded(q: Array, A: Array, E: Array, N: Array) -> None:
    """Raise `Unbounded` if a direction v = Nu has Av ≤ 0, Ev = 0, qᵀv < 0."""
    if not N.shape[1]:
        return
    slope = N.T @ q
    u = linear_programme(
        slope,
        A_ub=A @ N if len(A) else None,
        b_ub=np.zeros(len(A)) if len(A) else None,
        A_eq=E @ N if len(E) else None,
        b_eq=np.zeros(len(E)) if len(E) else None,
        bounds=[(-1, 1)] * N.shape[1],
    )
    if u is not None and slope @ u < -1e-8 * (1 + np.abs(q).max()):
        v = N @ u
        v = v / np.abs(v).max()
        raise Unbounded(
            "the objective falls without end along the direction "
            f"{np.round(v, 6) + 0.0}, which no constraint stops: there is no minimum"
        )


def solve(Q: Array, q: Array, A: Array, b: Array, E: Array, e: Array) -> Array:
    """w of a solution; there must be one."""
    if not len(b):
        return _equality(Q, q, E, e)
    w, alpha, slack = _interior_point(Q, q, A, b, E, e)
    tight = slack < alpha
    rows, sides = np.vstack([A[tight], E]), np.r_[b[tight], e]
    corner = _equality(Q, q, rows, sides)
    fits = (A @ corner - b).max() <= 1e-10 * (1 + np.abs(corner).max())
    before, after = (float(0.5 * v @ Q @ v + q @ v) for v in (w, corner))
    return corner if fits and after <= before + 1e-8 * (1 + abs(before)) else w


def _equality(Q: Array, q: Array, E: Array, e: Array) -> Array:
    """Minimise with equalities only: one linear system, of least norm if singular."""
    d, m = len(q), len(e)
    system = np.block([[Q, E.T], [E, np.zeros((m, m))]])
    right = np.r_[-q, e]
    z = lstsq(system, right)[0]
    z += lstsq(system, right - system @ z)[0]  # for the last digits
    return np.asarray(z[:d])


def _interior_point(
    Q: Array, q: Array, A: Array, b: Array, E: Array, e: Array, max_iter: int = 100
) -> tuple[Array, Array, Array]:
    """Mehrotra's predictor and corrector: the best w, the last α and slack b − Aw.

    Near the solution the systems are ill-conditioned, and rounding lets the residuals
    grow again. The complementarity still falls, and tells which constraints hold with
    equality.
    """
    d, m = len(q), len(e)
    size = max(1.0, *map(_largest, (Q, q, A, b, E, e)))
    w, beta = np.zeros(d), np.zeros(m)
    slack, alpha = np.full(len(b), size), np.full(len(b), size)
    best, error, idle = w, np.inf, 0
    for _ in range(max_iter):
        rest = Q @ w + q + alpha @ A + beta @ E
        primal, level = A @ w + slack - b, E @ w - e
        mu = float(slack @ alpha) / len(b)
        worst = max(map(_largest, (rest, primal, level)))
        idle += 1
        if max(mu, worst) < error:
            best, error, idle = w, max(mu, worst), 0
        if (mu <= 1e-13 * size and worst <= 1e-11 * size) or idle == PATIENCE:
            break
        solver = _Newton(Q, A, E, slack, alpha, rest, primal, level)
        step = solver.direction(-slack * alpha)
        t = _room(slack, step[1], alpha, step[2])
        ahead = float((slack + t * step[1]) @ (alpha + t * step[2])) / len(b)
        aim = mu * min(1.0, ahead / mu) ** 3
        step = solver.direction(aim - slack * alpha - step[1] * step[2])
        t = min(1.0, 0.995 * _room(slack, step[1], alpha, step[2]))
        w, slack = w + t * step[0], slack + t * step[1]
        alpha, beta = alpha + t * step[2], beta + t * step[3]
    if error > ENOUGH * size:
        warnings.warn(
            f"the quadratic programme stopped with residuals up to {error:.2g}; "
            "rescale the variables, and look at the certificate of the result",
            ConvergenceWarning,
            stacklevel=4,
        )
    return best, alpha, slack


class _Newton:
    """The linearised conditions, reduced to w and β."""

    def __init__(
        self,
        Q: Array,
        A: Array,
        E: Array,
        slack: Array,
        alpha: Array,
        rest: Array,
        primal: Array,
        level: Array,
    ) -> None:
        self.A, self.slack, self.alpha = A, slack, alpha
        self.rest, self.primal, self.level = rest, primal, level
        m = len(E)
        H = Q + A.T @ ((alpha / slack)[:, None] * A)
        self.system = np.block([[H, E.T], [E, np.zeros((m, m))]])

    def direction(self, change: Array) -> tuple[Array, Array, Array, Array]:
        """(dw, dslack, dα, dβ) with slack·dα + α·dslack = change."""
        pull = (change + self.alpha * self.primal) / self.slack
        right = np.r_[-self.rest - pull @ self.A, -self.level]
        z = _solve(self.system, right)
        dw, dbeta = z[: self.A.shape[1]], z[self.A.shape[1] :]
        dslack = -self.primal - self.A @ dw
        return dw, dslack, (change - self.alpha * dslack) / self.slack, dbeta


def _solve(system: Array, right: Array) -> Array:
    """A solution of a symmetric system, of least norm where it is singular."""
    scale = 1 / np.sqrt(np.maximum(np.abs(system).max(axis=1), 1e-300))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        found = lstsq(scale[:, None] * system * scale, scale * right, cond=1e-15)[0]
    return np.asarray(scale * found)


def _largest(x: Array) -> float:
    return float(np.abs(x).max(initial=0))


def _room(s: Array, ds: Array, a: Array, da: Array) -> float:
    """The largest step t ≤ 1 that keeps both vectors ≥ 0."""
    shrink = max(float((-ds / s).max()), float((-da / a).max()), 1.0)
    return 1 / shrink
