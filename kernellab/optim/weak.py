"""Weak duality, tried out: θ_D(α, β) ≤ f(w) for admissible w, α ≥ 0 and any β."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernellab.arrays import Array
from kernellab.errors import InputError

if TYPE_CHECKING:
    from kernellab.optim.problem import Problem


@dataclass(frozen=True)
class WeakDuality:
    """What a trial found.

    Attributes
    ----------
    trials : number of triples (w, α, β).
    best_dual : the largest θ_D among them.
    best_primal : the least f.
    holds : whether θ_D ≤ f for every pair of them, up to rounding.
    """

    trials: int
    best_dual: float
    best_primal: float

    @property
    def holds(self) -> bool:
        size = 1 + abs(self.best_primal)
        return self.best_dual <= self.best_primal + 1e-9 * size

    def __repr__(self) -> str:
        sign = "≤" if self.holds else "> (violated)"
        return (
            f"{self.trials} trials: largest theta_D {self.best_dual:.6g} {sign} "
            f"{self.best_primal:.6g}, the least f"
        )


def check(problem: Problem, rng: np.random.Generator, samples: int) -> WeakDuality:
    """Draw admissible points and multipliers, and compare the two sides."""
    if samples < 1:
        raise InputError(f"samples must be 1 or more, got {samples}")
    points = [w for _ in range(samples) if (w := _admissible(problem, rng)) is not None]
    if not points:
        raise InputError("no admissible point found: weak duality says nothing here")
    primal = min(problem.f(w) for w in points)
    dual = max(_theta(problem, rng, points) for _ in range(samples))
    return WeakDuality(samples, dual, primal)


def _admissible(problem: Problem, rng: np.random.Generator) -> Array | None:
    """A random point of Ω, moved to the admissible region if it is not there."""
    from kernellab.optim.solving import nearest_admissible

    w = problem.omega.sample(rng, scale=float(rng.choice([0.3, 1.0, 3.0])))
    w = w if problem.admissible(w) else nearest_admissible(problem, w)
    return w if problem.admissible(w, 1e-9) else None


def _theta(problem: Problem, rng: np.random.Generator, points: list[Array]) -> float:
    scale = float(rng.choice([0.1, 1.0, 10.0]))
    alpha = scale * rng.exponential(size=len(problem.inequalities))
    alpha *= rng.random(len(alpha)) < 0.8  # some constraints at the price 0
    beta = scale * rng.standard_normal(len(problem.equalities))
    value = problem.theta_D(alpha, beta)
    return value if not math.isnan(value) else -math.inf
