"""An interior point method on (D), for losses whose dual is a quadratic on a box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, eq=False)
class _Iterate:
    """x strictly inside its box, and multipliers of the two bounds.

    The conditions: Gx − y = z − w, and pz = qw = 0, for p = x − l ≥ 0, q = h − x ≥ 0,
    z ≥ 0 and w ≥ 0. Here pz and qw are still positive.
    """

    p: Array
    q: Array
    z: Array
    w: Array

    def moved(self, t: float, dx: Array, dz: Array, dw: Array) -> _Iterate:
        return _Iterate(
            self.p + t * dx, self.q - t * dx, self.z + t * dz, self.w + t * dw
        )

    @property
    def mu(self) -> float:
        """The mean of all pz and qw."""
        return float(self.p @ self.z + self.q @ self.w) / (2 * len(self.p))

    def room(self, dx: Array, dz: Array, dw: Array) -> float:
        """Return how far one can go in this direction before one of the four is
        zero.
        """
        changes = (dx / self.p, -dx / self.q, dz / self.z, dw / self.w)
        return 1 / max(EPS, -min(float(change.min()) for change in changes))


def interior_point(
    problem: RepresenterProblem, rho: float, tol: float, max_iter: int
) -> RepresenterSolution:
    """Minimise ½xᵀGx − yᵀx over l ≤ x ≤ h, for G = K/(nλ) + ρI and x = nλα.

    Mehrotra's predictor and corrector. Each step solves a system with
    G + diag(z/p + w/q), positive definite even if G is singular.
    """
    n, y = len(problem.y), problem.y
    G = problem.K / problem.nlam + rho * np.eye(n)
    low, high = _box(problem, rho)
    now = _start(G, y, low, high)
    x, before, jitter, steps = _position(now, low, high), now, 0.0, 0
    found = _at(problem, x, 0, 0.0)
    # The gap is about 2μ: once that is lost in rounding, more steps are of no use.
    while not done(found, tol) and steps < max_iter and _visible(now.mu, found):
        ridge = now.z / now.p + now.w / now.q
        C = cholesky(G, ridge=ridge, advice=advice_on(problem.kernel))
        before, now = now, _mehrotra(C.solve, G @ x - y, now)
        x, steps = _position(now, low, high), steps + 1
        jitter = max(jitter, C.jitter * problem.nlam)
        found = _at(problem, x, steps, jitter)
    corner = _crossover(G, y, x, before, now, low, high)
    better = _at(problem, corner, steps, jitter)
    if abs(better.certificate.gap) <= abs(found.certificate.gap):
        return better
    return found


def _visible(mu: float, found: RepresenterSolution) -> bool:
    return mu > EPS * found.certificate.primal


def _at(
    problem: RepresenterProblem, x: Array, steps: int, jitter: float
) -> RepresenterSolution:
    alpha = x / problem.nlam
    pair = (alpha, _stretched(problem, alpha))
    a = pair[0] if problem.loss.smooth else min(pair, key=problem.primal)
    return measured(problem, a, alpha, steps, jitter)


def _stretched(problem: RepresenterProblem, alpha: Array) -> Array:
    """Return α times a factor just above 1, so that no margin is just below 1.

    For small λ, 1 − 10⁻¹⁶ in place of 1 costs more than all the rest of P.
    """
    m = problem.y * (problem.K @ alpha)
    short = m[(m > 1 - 1e-6) & (m < 1)]
    return alpha * ((1 + 4 * EPS) / short.min()) if short.size else alpha


def _box(problem: RepresenterProblem, rho: float) -> tuple[Array, Array]:
    """Return where −x is a slope of the loss; without end, a bound that never binds.

    At the solution ½ρ Σx_i² ≤ Σℓ(y_i, u_i) ≤ n P(0).
    """
    low, high = problem.loss.slopes(problem.y)
    total = float(problem.loss.value(problem.y, 0 * problem.y).sum())
    far = 2 * np.sqrt(2 * total / rho) + 1 if rho else np.inf
    low, high = np.where(high < np.inf, -high, -far), np.where(low > -np.inf, -low, far)
    return low + 0.0, high + 0.0  # no −0.0


def _start(G: Array, y: Array, low: Array, high: Array) -> _Iterate:
    """Return the middle of the box, drawn towards 0 until Gx is of the size of 1."""
    x = (low + high) / 2
    x = x / max(1.0, float(np.abs(G @ x).max()))
    r = G @ x - y
    size = float(np.abs(r).max()) or 1.0
    return _Iterate(
        x - low, high - x, np.maximum(r, 0) + size, np.maximum(-r, 0) + size
    )


def _position(it: _Iterate, low: Array, high: Array) -> Array:
    """Return x, from the nearer of its bounds: it keeps small distances exact."""
    return np.where(it.p < it.q, low + it.p, high - it.q)


def _mehrotra(solve: Any, slope: Array, it: _Iterate) -> _Iterate:
    """Return one step: aim at pz = qw = 0, see how far that goes, then correct the
    aim.
    """
    rest = slope - it.z + it.w

    def direction(pz: Array, qw: Array) -> tuple[Array, Array, Array]:
        """Solve the linearised conditions for changes pz, qw of the two products."""
        dx = solve(pz / it.p - qw / it.q - rest)
        return dx, (pz - it.z * dx) / it.p, (qw + it.w * dx) / it.q

    aim = -it.p * it.z, -it.q * it.w
    dx, dz, dw = direction(*aim)
    ahead = it.moved(min(1.0, it.room(dx, dz, dw)), dx, dz, dw)
    centre = it.mu * (ahead.mu / it.mu) ** 3
    step = direction(aim[0] + centre - dx * dz, aim[1] + centre + dx * dw)
    return it.moved(min(1.0, 0.995 * it.room(*step)), *step)


def _crossover(
    G: Array,
    y: Array,
    x: Array,
    before: _Iterate,
    now: _Iterate,
    low: Array,
    high: Array,
) -> Array:
    """Return a guess at the exact solution: which x_i are at a bound, then a linear
    system.

    In the last step p_i shrank more than z_i exactly if x_i goes to its lower bound
    (Tapia's indicator, which does not depend on units). The rest solve (Gx)_i = y_i.
    """
    down = now.p / before.p < now.z / before.z
    up = (now.q / before.q < now.w / before.w) & ~down
    x = np.where(down, low, np.where(up, high, x))
    free = ~(down | up)
    for _ in range(2):  # the second time for the last digits
        rest = (y - G @ x)[free]
        x[free] += np.linalg.lstsq(G[np.ix_(free, free)], rest, rcond=1e-12)[0]
    return np.clip(x, low, high)
