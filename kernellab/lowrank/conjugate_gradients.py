"""Preconditioned conjugate gradients for kernel ridge regression, with the true gap.

`kernellab.lowrank.ridge_cg` states the problem and the formulas.

Legend: n points; t (n×m) targets, T as columns; s weights; Y (n×m, or one more)
solutions of (K + D)Y = (T, 1); R their residuals; a = y − bz.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from kernellab.arrays import Array
from kernellab.certificates import Certificate
from kernellab.errors import ConvergenceWarning, NotPositiveDefinite
from kernellab.kernels.proving.advice import advice
from kernellab.lowrank.products import Preconditioner, TiledGram
from kernellab.progress import Progress

MAX_RESTARTS = 5
"""How often the residual is recomputed, at most."""


@dataclass(frozen=True, eq=False)
class RidgeSystem:
    """(K + D)a + b1 = t; the targets are measured from their mean if b is free."""

    K: TiledGram
    P: Preconditioner
    T: Array
    s: Array
    lam: float
    centre: Array
    intercept: bool

    @property
    def sides(self) -> Array:
        """The right-hand sides: the targets, and 1 if there is an intercept."""
        ones = np.ones((len(self.T), int(self.intercept)))
        return np.hstack([self.T, ones])

    def multiply(self, A: Array) -> Array:
        """Return (K + D)A."""
        return self.K(A) + (self.lam / self.s)[:, None] * A

    def feasible(self, a: Array) -> Array:
        """y and z to start from: a, moved so that 1ᵀa = 0 if b is free, and 0."""
        if not self.intercept:
            return a.copy()
        moved = a - np.outer(self.s, a.sum(axis=0) / self.s.sum())
        return np.hstack([moved, np.zeros((len(a), 1))])

    def measure(self, Y: Array, R: Array) -> RidgeIterate:
        """Return a = y − bz, its residual and objective, from solutions and
        residuals.
        """
        b = np.zeros(self.T.shape[1])
        if self.intercept:
            z, rest = Y[:, -1], R[:, -1]
            Y, R = Y[:, :-1], R[:, :-1]
            if z.sum() != 0:  # before the first step z is 0, and 1ᵀy too
                b = Y.sum(axis=0) / z.sum()
            Y, R = Y - np.outer(z, b), R - np.outer(rest, b)
        Da = self.lam / self.s[:, None] * Y
        missed = R + Da  # t − b − Ka
        loss = self.s @ missed**2
        penalty = self.lam * (Y * (self.T - b - missed)).sum(axis=0)
        gap = float((self.s @ R**2).sum())
        primal = float(loss.sum() + penalty.sum())
        return RidgeIterate(Y, self.centre + b, Certificate(primal, primal - gap), gap)


@dataclass(frozen=True, eq=False)
class RidgeIterate:
    """Coefficients, constants, and what they prove."""

    a: Array
    b: Array
    certificate: Certificate
    gap: float

    @property
    def relative(self) -> float:
        """The relative gap; the certificate's own would lose digits by subtraction."""
        c = self.certificate
        scale = max(abs(c.primal), abs(c.dual))
        return self.gap / scale if scale else 0.0


class ConjugateGradients:
    """Conjugate gradients, started again from the true residual until that is small."""

    def __init__(
        self, problem: RidgeSystem, start: Array, max_iter: int, bar: Progress
    ) -> None:
        self.problem, self.max_iter, self.bar = problem, max_iter, bar
        self.products, self.history = 0, list[float]()
        self.Y, self.R = problem.feasible(start), problem.sides
        if start.any():
            self.R -= self._multiply(self.Y)
        self.best = problem.measure(self.Y.copy(), self.R)

    def run(self, tol: float) -> None:
        for _ in range(MAX_RESTARTS):
            if self.best.relative <= tol or self.products >= self.max_iter:
                break
            before = self.best.gap
            self._iterate(tol)
            self.R = self.problem.sides - self._multiply(self.Y)
            found = self.problem.measure(self.Y.copy(), self.R)
            if found.gap < before:
                self.best = found
            if found.gap > before / 4:
                break  # rounding: it will not get better
        if self.best.relative > tol:
            warnings.warn(self._complaint(tol), ConvergenceWarning, stacklevel=4)

    def _iterate(self, tol: float) -> None:
        """Conjugate gradients, all columns at once, until the recursion is at `tol`.

        Each column has its own steps; they share the products.
        """
        problem, Y, R = self.problem, self.Y, self.R
        Z = problem.P(R)
        directions, height = Z, (R * Z).sum(axis=0)
        while self.products < self.max_iter - 1:  # one is for the true residual
            MD = self._multiply(directions)
            curvature = (directions * MD).sum(axis=0)
            self._require_convex(curvature, directions)
            step = _ratio(height, curvature)
            Y += step * directions
            R -= step * MD
            reached = problem.measure(Y, R).relative
            self.history.append(reached)
            self.bar.reach(self.products, f"relative gap {reached:.1e}")
            if reached <= tol or not height.any():
                return
            Z = problem.P(R)
            new = (R * Z).sum(axis=0)
            directions = Z + _ratio(new, height) * directions
            height = new

    def _multiply(self, A: Array) -> Array:
        self.products += 1
        return self.problem.multiply(A)

    def _require_convex(self, curvature: Array, directions: Array) -> None:
        if (curvature <= 0).any() and directions[:, curvature <= 0].any():
            raise NotPositiveDefinite(
                "a direction of negative curvature was found: K + D is not positive "
                "definite. " + advice(self.problem.K.kernel)
            )

    def _complaint(self, tol: float) -> str:
        P, reached = self.problem.P, self.best.relative
        remedy = (
            f"raise rank (the preconditioner has {P.rank} columns, which only gives "
            f"the condition number ≤ {P.condition_bound:.2g}), lam or max_iter"
            if self.products >= self.max_iter
            else "rounding allows no smaller one: raise tol or lam"
        )
        return (
            f"conjugate gradients stopped after {self.products} products at a relative "
            f"gap of {reached:.2g}, above tol = {tol:.2g}: {remedy}"
        )


def _ratio(a: Array, b: Array) -> Array:
    """Return a/b; 0 for a column that is solved already, where both are 0."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)
