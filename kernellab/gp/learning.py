"""Learning hyperparameters: ascent on the log marginal likelihood, with an account.

L-BFGS-B in θ, from the given parameters and from random ones around them. The surface
has many local optima as a rule, so the report says where each run began and ended.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernellab.arrays import Array, describe, reals
from kernellab.errors import InputError, NotPositiveDefinite, UndefinedValue
from kernellab.gp.model import Model
from kernellab.gp.report import LearningReport, Run

REACH = math.log(1e5)
"""By default a positive parameter may grow or shrink by a factor of 10⁵."""

SPREAD = math.log(30)
"""Random starts lie within a factor of 30 of the given parameters."""

FAILURES = (NotPositiveDefinite, UndefinedValue, InputError)
"""What an evaluation may end in at a θ where the model makes no sense."""

Objective = Callable[[Array], tuple[float, Array]]
Bounds = Mapping[str, tuple[float, float]]


def maximise(
    objective: Objective,
    model: Model,
    bounds: Bounds | None = None,
    restarts: int = 0,
    rng: np.random.Generator | int | None = None,
) -> LearningReport:
    """Maximise θ ↦ (value, gradient), from 1 + restarts starts.

    Parameters
    ----------
    objective : the log likelihood and its gradient.
    model : where θ starts, and what its entries are called.
    bounds : for some names, the smallest and the largest value of the parameter itself
        (not of its logarithm); equal ones fix it.
    restarts : number of further, random starts.
    rng : for the starts; the same ones every time by default.
    """
    box = read_bounds(bounds, model)
    first = np.clip(model.theta, *box.T)
    generator = np.random.default_rng(0 if rng is None else rng)
    starts = [first, *(_near(first, box, model, generator) for _ in range(restarts))]
    runs = [_ascend(objective, start, box) for start in starts]
    if not math.isfinite(max(run.value for run in runs)):
        objective(first)  # it fails again, and says why
    runs.sort(key=lambda run: -run.value)
    return LearningReport(model.theta_names, model.positive, box, tuple(runs))


def _near(theta: Array, box: Array, model: Model, rng: np.random.Generator) -> Array:
    """A random start: log-uniform around positive parameters, normal around others."""
    steps = rng.uniform(-SPREAD, SPREAD, len(theta))
    free = rng.normal(0.0, 1.0 + np.abs(theta))
    return np.clip(theta + np.where(model.positive, steps, free), *box.T)


def _ascend(objective: Objective, start: Array, box: Array) -> Run:
    trial = _Trial(objective)
    path, end, message = [start], start, "there is nothing to learn"
    if len(start):
        found = minimize(
            trial,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=[(low, high) for low, high in box],
            callback=lambda theta: path.append(theta.copy()),
        )
        end, message = np.clip(found.x, *box.T), str(found.message)
    if not np.array_equal(path[-1], end):
        path.append(end)
    value, gradient = trial.at(end)
    way = np.array(path)
    return Run(start, way, value, gradient, trial.calls, trial.failures, message)


@dataclass(eq=False)
class _Trial:
    """The objective as the minimiser sees it; remembers the best, counts failures."""

    objective: Objective
    calls: int = 0
    failures: int = 0
    worst: float = 0.0
    value: float = -math.inf
    theta: Array | None = None
    gradient: Array | None = None

    def __call__(self, theta: Array) -> tuple[float, Array]:
        self.calls += 1
        try:
            value, gradient = self.objective(theta)
        except FAILURES:
            self.failures += 1  # a wall: higher than all so far, so the search turns
            return 2 * self.worst + 1e6, np.zeros_like(theta)
        self.worst = max(self.worst, abs(value))
        if value > self.value:
            self.value, self.theta, self.gradient = value, theta.copy(), gradient
        return -value, -gradient

    def at(self, theta: Array) -> tuple[float, Array]:
        """The value and gradient at the end of the way."""
        known = self.theta is not None and np.array_equal(self.theta, theta)
        if known and self.gradient is not None:
            return self.value, self.gradient
        self.calls += 1
        try:
            return self.objective(theta)
        except FAILURES:  # of a random start: there is no likelihood
            return -math.inf, np.zeros_like(theta)


def read_bounds(bounds: Any, model: Model) -> Array:
    """(p, 2) array in the coordinates of θ."""
    theta, names = model.theta, model.theta_names
    reach = np.where(model.positive, REACH, np.inf)
    box = np.stack([theta - reach, theta + reach], axis=1).reshape(-1, 2)
    for name, given in _items(bounds, names):
        i = names.index(name)
        pair = reals(given, f"the bounds of {name} must be two numbers")
        if pair.shape != (2,) or np.isnan(pair).any() or pair[0] > pair[1]:
            raise InputError(
                f"the bounds of {name} must be two numbers, the smaller one first; "
                f"got {describe(given)}"
            )
        if model.positive[i] and pair[0] <= 0:
            raise InputError(
                f"{name} is positive, and learned as its logarithm: its lower bound "
                f"must be positive, got {pair[0]:g}. (Bounds are for the parameter "
                "itself, not for theta.)"
            )
        box[i] = np.log(pair) if model.positive[i] else pair
    return box


def _items(bounds: Any, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    if bounds is None:
        return []
    if not isinstance(bounds, Mapping):
        raise InputError(
            'bounds must be a mapping such as {"noise": (1e-6, 1.0)}; got '
            f"{describe(bounds)}"
        )
    unknown = [name for name in bounds if name not in names]
    if unknown:
        raise InputError(
            f"bounds are given for {', '.join(map(str, unknown))}, but the parameters "
            f"that are learned are {', '.join(names) or 'none'}"
        )
    return list(bounds.items())
