"""What all methods share: keep the best pair, write down the history, say when to stop.

A lower bound on the optimum holds for ever, and so does a w that was found. So the best
primal and the best dual value so far, from whatever steps, certify each other, and the
method may stop as soon as they are close.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.linalg import norm

from kernellab.arrays import Array
from kernellab.certificates import Certificate, rounding_error
from kernellab.linear_svm.problem import LinearProblem
from kernellab.progress import Progress


@dataclass(frozen=True, eq=False)
class History:
    """What a fit went through, an entry each time that the gap was measured.

    Attributes
    ----------
    passes : passes over the data made so far by the method. A product with all rows
        is one pass. What only measures the gap is not counted.
    primal, dual : P and D at that moment.
    """

    passes: Array
    primal: Array
    dual: Array

    @property
    def gap(self) -> Array:
        """The relative gap that was certified so far: best primal against best dual."""
        best, bound = np.minimum.accumulate(self.primal), self.bound
        return np.asarray((best - bound) / np.maximum(np.abs(best), np.abs(bound)))

    @property
    def bound(self) -> Array:
        """The best lower bound on the optimum so far."""
        return np.asarray(np.maximum.accumulate(self.dual))

    def __len__(self) -> int:
        return len(self.passes)


@dataclass(frozen=True, eq=False)
class LinearSolution:
    """The best w and the best α that a method came across.

    Attributes
    ----------
    w : (d+1,) weights; the last one belongs to the constant feature.
    alpha : (n,) point of the box, which proves the lower bound.
    certificate : P(w), D(α), the gap.
    history : the way there.
    converged : whether the relative gap is at most the tolerance.
    """

    w: Array
    alpha: Array
    certificate: Certificate
    history: History
    converged: bool


class GapMonitor:
    """Sees every pair (w, α) that a method has; keeps the best of each.

    Parameters
    ----------
    problem : what is solved.
    tol : relative gap at which to stop; 0 to make all passes.
    max_passes : passes over the data after which to stop.
    bar : progress bar.
    """

    def __init__(
        self, problem: LinearProblem, tol: float, max_passes: float, bar: Progress
    ) -> None:
        self.problem, self.tol, self.max_passes, self.bar = (
            problem,
            tol,
            max_passes,
            bar,
        )
        self.w = np.zeros(problem.d)
        self.alpha = np.zeros(problem.n)
        self.primal, self.dual = problem.primal(self.w, np.zeros(problem.n)), 0.0
        self._log: list[tuple[float, float, float]] = [(0.0, self.primal, 0.0)]

    def see(
        self,
        passes: float,
        w: Array,
        alpha: Array,
        margins: Array | None = None,
        combined: Array | None = None,
    ) -> bool:
        """Take note; True if the method may stop. `combined` is Zᵀα, if it is known."""
        m = self.problem.margins(w) if margins is None else margins
        v = self.problem.combine(alpha) if combined is None else combined
        primal, scale = self.problem.primal(w, m), self.problem.best_scale(alpha, v)
        dual = self.problem.dual(self.problem.clip(scale * alpha), scale * v)
        if primal < self.primal:
            self.primal, self.w = primal, w.copy()
        if dual > self.dual:
            self.dual, self.alpha = dual, self.problem.clip(scale * alpha)
        self._log.append((passes, primal, dual))
        self.bar.reach(min(passes, self.max_passes), f"relative gap {self.gap:.1e}")
        return passes >= self.max_passes or self.converged

    @property
    def gap(self) -> float:
        """The relative gap so far."""
        return (self.primal - self.dual) / max(self.primal, self.dual)

    @property
    def converged(self) -> bool:
        """Whether the gap is as small as asked for."""
        return self.gap <= self.tol

    def solution(self) -> LinearSolution:
        """Return the best pair, with P(w) computed anew from the data."""
        primal = self.problem.primal(self.w, self.problem.margins(self.w))
        history = History(*np.array(self._log).T)
        certificate = Certificate(primal, self.dual, rounding=self._rounding(primal))
        converged = certificate.relative_gap <= self.tol
        return LinearSolution(self.w, self.alpha, certificate, history, converged)

    def _rounding(self, primal: float) -> float:
        """Return how far rounding may move P(w) − D(α): |Σα_i z_i·w| ≤ ‖α‖‖Z‖_F‖w‖."""
        p = self.problem
        size = math.sqrt(p.n * p.mean_square)
        inner = float(norm(self.alpha)) * size * float(norm(self.w))
        total = float(self.alpha.sum())
        return rounding_error(max(p.n, p.d), primal, total, 2 * inner)
