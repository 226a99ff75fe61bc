"""Solving a convex quadratic program: is there a solution, and which.

    minimise ½wᵀQw + qᵀw   subject to   Aw ≤ b,  Ew = e,           Q ⪰ 0.

Two linear programs decide first whether there is a solution. Some constraint is
violated by at least the value of

    minimise t   subject to   Aw − b ≤ t,  |Ew − e| ≤ t,

and the objective falls without end exactly if some v has Qv = 0, Av ≤ 0, Ev = 0 and
qᵀv < 0 (otherwise the infimum is attained: Frank and Wolfe).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lstsq, null_space
from scipy.optimize import linprog

from kernellab.arrays import Array
from kernellab.optim.domains import Box
from kernellab.optim.infimum import NEGLIGIBLE
from kernellab.optim.solutions import Infeasible, Unbounded
from kernellab.optim.solvers import slsqp

MAX_RESTARTS = 20


def require_feasible(A: Array, b: Array, E: Array, e: Array) -> None:
    """Raise `Infeasible` if no w satisfies Aw ≤ b and Ew = e."""
    rows, sides = np.vstack([A, E, -E]), np.r_[b, e, -e]
    if not len(rows):
        return
    found = linprog(
        np.r_[np.zeros(A.shape[1]), 1.0],
        A_ub=np.c_[rows, -np.ones(len(rows))],
        b_ub=sides,
        bounds=[(None, None)] * A.shape[1] + [(0, None)],
    )
    if found.x is not None and found.fun > 1e-8 * (1 + np.abs(sides).max()):
        raise Infeasible(
            f"no feasible point exists; the smallest violation is {found.fun:.3g}, "
            f"at w = {np.round(found.x[:-1], 6) + 0.0}. Some constraints contradict "
            "each other."
        )


def require_bounded(Q: Array, q: Array, A: Array, E: Array) -> None:
    """Raise `Unbounded` if some v has Qv = 0, Av ≤ 0, Ev = 0 and qᵀv < 0."""
    N = flat_directions(Q)
    rows = np.vstack([A, E, -E]) @ N
    if not N.size:
        return
    found = linprog(N.T @ q, A_ub=rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    if found.x is not None and found.fun < -1e-8 * (1 + np.abs(q).max()):
        v = N @ found.x
        raise Unbounded(
            "the objective falls without end along the direction "
            f"{np.round(v / np.abs(v).max(), 6) + 0.0}, which no constraint stops: "
            "there is no minimum"
        )


def flat_directions(Q: Array) -> Array:
    """Return a basis of the null space of Q ⪰ 0, coordinate vectors if they do."""
    s, V = np.linalg.eigh(Q)
    N = V[:, s <= NEGLIGIBLE * max(1.0, float(s[-1]))]
    P = N @ N.T
    if np.allclose(P, np.diag(np.diag(P)), atol=1e-14):
        return np.eye(len(P))[:, np.diag(P) > 0.5]
    return N


def minimize(Q: Array, q: Array, A: Array, b: Array, E: Array, e: Array) -> Array:
    """Return a solution of a convex quadratic program that has one.

    In coordinates u with w = w₀ + σTu, where Ew₀ = e, ET = 0 and TᵀQT is diagonal with
    entries 1 and 0, SLSQP starts from the true Hessian, and from a gradient of
    length 1. A few restarts settle what is badly scaled. The constraints that are
    active in the end, and a linear system, give the last digits.
    """
    d = len(q)
    w, N = (lstsq(E, e)[0], null_space(E)) if len(e) else (np.zeros(d), np.eye(d))
    s, V = np.linalg.eigh(N.T @ Q @ N)
    curved = s > NEGLIGIBLE * max(1.0, s.max(initial=0.0))
    T = N @ V / np.sqrt(np.where(curved, s, 1.0))
    sigma = float(np.linalg.norm(T.T @ (Q @ w + q))) or 1.0
    for _ in range(MAX_RESTARTS if len(b) and T.size else 0):
        p = T.T @ (Q @ w + q) / sigma
        u = _descend(curved, p, A @ T, (b - A @ w) / sigma)
        w = w + sigma * T @ u
        if np.linalg.norm(u) <= NEGLIGIBLE:
            break
    return _polish(Q, q, A, b, E, e, w)


def _descend(curved: Array, p: Array, G: Array, slack: Array) -> Array:
    """Minimise ½Σ u_i² over the curved coordinates, + pᵀu, subject to Gu ≤ slack."""
    below = {"type": "ineq", "fun": lambda u: slack - G @ u, "jac": lambda u: -G}
    return slsqp(
        lambda u: (curved * u / 2 + p) @ u,
        lambda u: curved * u + p,
        np.zeros(len(p)),
        [below],
        Box.everywhere(len(p)),
    )


def _polish(
    Q: Array, q: Array, A: Array, b: Array, E: Array, e: Array, w: Array
) -> Array:
    """Solve the conditions for the constraints that are active at w, near w."""
    tight = b - A @ w <= 1e-6 * (1 + np.abs(w).max())
    R, r, d = np.vstack([A[tight], E]), np.r_[b[tight], e], len(q)
    system = np.block([[Q, R.T], [R, np.zeros((len(R), len(R)))]])
    better = w
    for _ in range(2):  # the second time for the last digits
        residual = np.r_[-q - Q @ better, r - R @ better]
        better = better + lstsq(system, residual)[0][:d]
    fits = (A @ better - b).max(initial=0.0) <= 1e-9 * (1 + np.abs(better).max())
    return better if fits else w
