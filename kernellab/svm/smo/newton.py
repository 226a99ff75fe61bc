"""A damped Newton step on the free variables.

SMO soon knows which variables are at a bound. With those fixed, the others, F, solve

    minimise over δ   g_Fᵀδ + ½δᵀK_FFδ + ½μ‖δ‖²   subject to Σδ = 0,

one linear system, where SMO takes thousands of steps if K_FF is ill-conditioned. F also
has some variables at a bound that want to leave it. The damping μ (Levenberg and
Marquardt) is the violation in units of the box: where K_FF is flatter than that, a
step of the size of the box is as long as it should be. As the violation goes to 0, so
does μ.

Bounds: variables that the step would carry beyond a bound are put on it, and the rest
is solved again, until none is beyond. Then an exact line search between where we are
and that point: W falls, and the result is feasible. If this fails, the textbook's
active set method takes over: go towards the solution up to the first bound, fix that
variable there, and turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernellab.arrays import Array, Indices
from kernellab.linalg import EPS
from kernellab.svm.smo.loop import Loop
from kernellab.threads import limited

DAMPING = 0.3
"""μ in units of violation/(size of the box)."""

JOIN_MIN_VIOLATION = 0.6
"""Variables at a bound join F if they violate optimality by this much of the worst."""

JOIN_MAX_FRACTION = 0.25
"""How many may join, in units of the number that is there."""

FLAT_CURVATURE = 1e-13
"""δ is flat, up to rounding, if δᵀKδ ≤ FLAT_CURVATURE·max K_ii·(Σ|δ|)²."""


QUIET = 100 * EPS
"""The least μ, in units of √|F| max K_ii. Where K_FF is flat, the step is the rounding
error of g over μ: a smaller μ would let it run anywhere, and into bounds."""


def newton_step(loop: Loop, most: int, damping: float = DAMPING) -> float:
    """Move the free variables of a loop; the fraction of the step that was taken.

    At most `most` variables move. If there are more of them, or W would not fall,
    nothing happens and the answer is 0. O(|F|³ + m|F|).
    """
    m, M = loop.extremes()
    if not 0 < m - M < np.inf:
        return 0.0
    minus_g = loop.minus_gradient()
    F = _movable(loop, minus_g, m, M, most)
    if len(F) < 2:
        return 0.0
    face = Face.of(loop, F, -minus_g[F], damping * (m - M))
    for careful in (False, True):
        x = face.minimiser(careful)
        if x is None:
            continue
        delta = face.flat_direction(x)
        if delta is not None and loop.falls_along(F, delta):
            return 0.0
        t, decrease = face.line_search(x)
        if decrease > 0 and (careful or t > 0.1):
            loop.move(F, face.between(x, t), decrease)
            return t
    return 0.0


def _movable(loop: Loop, y: Array, m: float, M: float, most: int) -> Indices:
    """Return the free variables, and those at a bound that most want to leave it; y =
    −g.
    """
    up, low = loop.beta < loop.upper, loop.beta > loop.lower
    free = (up & low).nonzero()[0]
    count = len(free)
    if count > most:
        return free[:0]
    b = float(y[free].sum()) / count if count else (m + M) / 2
    sign = np.subtract(up, low, dtype=np.float64)  # 0 for those that are free
    wish = sign * (y - b)  # how fast W falls if the variable leaves its bound
    others = (wish > JOIN_MIN_VIOLATION * (m - M)).nonzero()[0]
    room = min(max(32, int(JOIN_MAX_FRACTION * count)), most - count)
    if len(others) > room:
        others = others[np.argpartition(-wish[others], room)[:room]]
    return np.sort(np.concatenate([free, others]))


@dataclass(eq=False)
class Face:
    """The problem in β_F alone: x from x0, inside its box, with a given Σ(x − x0).

    K is centred: K_ij − r_i − r_j + c with the row means r is, for δ of sum 0, the
    same quadratic form, and positive semi-definite even if K is so only for such δ.
    So is g: near the optimum all g_i are about −b, and b times the rounding error of
    Σδ = 0 would hide the slope gᵀδ.
    """

    K: Array
    g: Array
    x0: Array
    lower: Array
    upper: Array
    mu: float
    total: float
    rounds: int

    @classmethod
    def of(cls, loop: Loop, F: Indices, g: Array, damped: float) -> Face:
        """Return the face of F; μ is `damped`, in units of the box."""
        K, count = loop.cache.block(F), len(F)
        scale = float(np.abs(K.diagonal()).max())
        means = K.sum(axis=0) / count
        K -= means
        K -= (means - (means.sum() / count + scale))[:, None]
        lower, upper = loop.lower[F], loop.upper[F]
        mu = damped / float((upper - lower).max())
        mu = max(mu, max(loop.eps, QUIET) * math.sqrt(count) * scale)
        rounds = 1 if loop.eps > EPS else 2
        g = g - g.sum() / count
        return cls(K, g, loop.beta[F], lower, upper, mu, loop.defect(), rounds)

    def minimiser(self, careful: bool) -> Array | None:
        """Return where the damped step leads, within the bounds; None if that fails.

        With H = K + μI and equations Eᵀδ = c (the sum, and one for each variable of
        B, those put on a bound), δ = −H⁻¹g + H⁻¹Eλ where EᵀH⁻¹E λ = c + EᵀH⁻¹g.
        """
        if not self.x0.size:
            return self.x0 if careful else None
        L = self._factor()
        if L is None:
            return None
        x, B = self.x0, np.empty(0, np.intp)
        V = _solve(L, np.ones((len(x), 1)))  # H⁻¹E
        while len(B) <= max(3, len(x) // 4):
            y = self._equality(L, V, x, B)
            if y is None:
                return None
            x, new = self._towards(x, y, B, careful)
            if not new.size:
                return x
            B = np.append(B, new)
            if len(B) == len(x):
                return x if careful else None
            E = np.zeros((len(x), len(new)))
            E[new, np.arange(len(new))] = 1.0
            V = np.hstack([V, _solve(L, E)])
        return self._rest(x, B, careful)

    def _equality(self, L: Array, V: Array, x: Array, B: Indices) -> Array | None:
        """Return the minimiser with x_B fixed and no bounds; a second round
        refines it.
        """
        delta, g = np.zeros(len(x)), self.g
        S = np.concatenate([V.sum(axis=0)[None], V[B]])  # EᵀH⁻¹E
        for refined in range(self.rounds):
            if refined:
                g = self.g + self.K @ delta + self.mu * delta
            u = _solve(L, g)
            rest = u - delta + (x - self.x0)
            rest = np.concatenate([[self.total + (u - delta).sum()], rest[B]])
            _, lam, failed = lapack.dposv(S, rest)
            if failed:
                return None
            delta += V @ lam - u
        y = self.x0 + delta
        y[B] = x[B]
        others = np.ones(len(x), dtype=bool)
        others[B] = False
        y[others] += (self.total - (y - self.x0).sum()) / (len(x) - len(B))
        return y

    def _towards(
        self, x: Array, y: Array, B: Indices, careful: bool
    ) -> tuple[Array, Indices]:
        """Go from x towards y; the variables that are now on a bound because of it."""
        inside = np.minimum(np.maximum(y, self.lower), self.upper)
        beyond = y != inside
        beyond[B] = False
        new = np.flatnonzero(beyond)
        if careful and new.size:
            ratios = (inside[new] - x[new]) / (y[new] - x[new])
            t = float(ratios.min())
            first = new[ratios <= t]
            moved = x + t * (y - x)
            moved[first] = inside[first]
            return np.clip(moved, self.lower, self.upper), first
        return inside, new

    def _factor(self) -> Array | None:
        """Return the Cholesky factor of K + μI; μ grows, a little, if K needs it."""
        most = 1e6 * self.mu
        while True:
            H = self.K.copy()
            H.flat[:: len(H) + 1] += self.mu
            with limited(len(H)):
                L, failed = lapack.dpotrf(H.T, lower=0, overwrite_a=1, clean=0)
            if not failed:
                return np.asarray(L)
            self.mu *= 100
            if self.mu > most:
                return None

    def _rest(self, x: Array, B: Indices, careful: bool) -> Array | None:
        """Return the same problem with B fixed for good: a smaller matrix to
        factorise.
        """
        inside = np.ones(len(x), dtype=bool)
        inside[B] = False
        A = np.flatnonzero(inside)
        moved = x - self.x0
        if not careful:
            moved[A] = 0.0
        g = self.g + self.K @ moved + self.mu * moved
        rest = Face(
            self.K[np.ix_(A, A)],
            g[A],
            self.x0[A] + moved[A],
            self.lower[A],
            self.upper[A],
            self.mu,
            self.total - float(moved.sum()),
            self.rounds,
        )
        found = rest.minimiser(careful)
        if found is None:
            return None
        result = self.x0 + moved
        result[B] = x[B]
        result[A] = found
        return result

    def line_search(self, x: Array) -> tuple[float, float]:
        """Return the t in [0, 1] with the smallest W at x0 + t(x − x0); how much W
        falls.
        """
        delta = x - self.x0
        slope, curvature = -float(self.g @ delta), float(delta @ self.K @ delta)
        if slope <= 0:
            return 0.0, 0.0
        t = 1.0 if curvature <= slope else slope / curvature
        return t, t * slope - 0.5 * t * t * curvature

    def between(self, x: Array, t: float) -> Array:
        """x0 + t(x − x0), inside the box."""
        if t == 1:
            return x
        return np.clip(self.x0 + t * (x - self.x0), self.lower, self.upper)

    def flat_direction(self, x: Array) -> Array | None:
        """Return x − x0, scaled, if nothing stops it: no bound, and δᵀKδ = 0; else
        None.
        """
        if (self.upper - self.lower).max() < np.inf:
            return None
        delta = x - self.x0
        delta[np.abs(delta) < 1e-8 * np.abs(delta).max()] = 0.0
        moving = delta != 0
        if not moving.any():
            return None
        bound = np.where(delta > 0, self.upper, self.lower)[moving]
        delta[moving] -= delta[moving].mean()
        size = float(np.abs(delta).sum())
        if size == 0 or np.isfinite(bound).any():
            return None
        delta /= size
        scale = float(np.abs(self.K.diagonal()).max())
        return delta if delta @ self.K @ delta <= FLAT_CURVATURE * scale else None


def _solve(L: Array, B: Array) -> Array:
    return np.asarray(lapack.dpotrs(L, B, lower=0)[0])
