"""One ascent on the log marginal likelihood, in units that the data can tell.

L-BFGS-B moves in (θ − start)/u with u_i = 1/√F_ii, where F is the Fisher information:
the data can just tell θ_i from θ_i + u_i. In θ itself curvatures differ by many orders
of magnitude (a period is known to four digits, a scale to one), so that the first steps
would be far too long and the last ones too short.

Legend: p parameters θ; box (p×2) their bounds; u (p) units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import scipy

from kernellab.arrays import Array
from kernellab.errors import InputError, NotPositiveDefinite, UndefinedValue
from kernellab.gp.model import Model
from kernellab.threads import limited

MAX_ITERATIONS = 15_000
"""Iterations after which an ascent is stopped; it ends by itself long before."""

GRADIENT_TOLERANCE = 1e-4
"""An ascent ends when the gradient in units, g, has no larger entry; then about
½‖g‖² could still be gained."""

VALUE_TOLERANCE = 1e-10
"""It also ends when the likelihood has come to rest, relative to its size."""

MEMORY = 30
"""Steps that L-BFGS-B remembers, more than θ has entries as a rule."""

LARGEST_UNIT = 2.0
"""Of log θ_i, even if the data say nothing about it: a factor of 7."""

FAILURES = (NotPositiveDefinite, UndefinedValue, InputError)
"""What an evaluation may end in at a θ where the model makes no sense."""


class Objective(Protocol):
    """What is maximised: `likelihood.Likelihood`, or what behaves like it."""

    @property
    def model(self) -> Model: ...

    @property
    def what(self) -> str: ...

    def __len__(self) -> int: ...

    def __call__(self, theta: Array) -> tuple[float, Array]: ...

    def value(self, theta: Array) -> float: ...

    def information(self, theta: Array) -> Array: ...

    def sample(self, size: int) -> Objective: ...

    def fresh_start(self, theta: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Ascent:
    """One ascent: where it began, where it ended, and the way between.

    Attributes
    ----------
    start, path : where it began, and all of its way, one θ per row.
    value, gradient : of the log likelihood, where it ended.
    units : of θ, in which it moved.
    evaluations, failures : how many, and how many of them found no likelihood.
    message : why it ended.
    """

    start: Array
    path: Array
    value: float
    gradient: Array
    units: Array
    evaluations: int
    failures: int
    message: str

    @property
    def theta(self) -> Array:
        """Where it ended."""
        last: Array = self.path[-1]
        return last

    @property
    def finished(self) -> bool:
        """Whether it ended by itself, not at a limit of iterations."""
        return self.message.startswith("CONVERGENCE")

    def followed_by(self, other: Ascent) -> Ascent:
        """Return the ascent that goes on with another, which began where this ended."""
        return replace(
            other,
            start=self.start,
            path=np.vstack([self.path, other.path[1:]]),
            evaluations=self.evaluations + other.evaluations,
            failures=self.failures + other.failures,
        )


@limited(1)
def ascend(
    objective: Objective,
    some: Objective,
    start: Array,
    box: Array,
    iterations: int = MAX_ITERATIONS,
) -> Ascent:
    """Ascend from one start, in units that are estimated there from `some` points."""
    u = estimate_units(some, start) * math.sqrt(len(some) / len(objective))
    trial = _Trial(objective, start, u, box)
    path, end, message = [start], start, "there is nothing to learn"
    if len(start):
        found = scipy.optimize.minimize(
            trial,
            np.zeros(len(start)),
            jac=True,
            method="L-BFGS-B",
            bounds=list(zip(*trial.limits, strict=True)),
            callback=lambda y: path.append(trial.theta_at(y)),
            options={
                "maxiter": iterations,
                "gtol": GRADIENT_TOLERANCE,
                "ftol": VALUE_TOLERANCE,
                "maxcor": MEMORY,
            },
        )
        end, message = trial.theta_at(found.x), str(found.message)
    if not np.array_equal(path[-1], end):
        path.append(end)
    value, gradient = trial.at(end)
    calls, failures = trial.calls, trial.failures
    return Ascent(start, np.array(path), value, gradient, u, calls, failures, message)


def estimate_units(objective: Objective, theta: Array) -> Array:
    """Return 1/√F_ii at θ, up to the largest unit; that, if there is no F."""
    most = LARGEST_UNIT * np.where(objective.model.positive, 1, 1 + np.abs(theta))
    try:
        information = objective.information(theta)
    except FAILURES:
        return most
    return 1 / np.sqrt(np.clip(information, most**-2, 1e16))


def value_or_failure(objective: Objective, theta: Array) -> float:
    """Return the likelihood at θ, −∞ where the model makes no sense."""
    try:
        return objective.value(theta)
    except FAILURES:
        return -math.inf


@dataclass(eq=False)
class _Trial:
    """The objective as the minimiser sees it; remembers the best, counts failures."""

    objective: Objective
    start: Array
    units: Array
    box: Array
    calls: int = 0
    failures: int = 0
    worst: float = 0.0
    value: float = -math.inf
    theta: Array | None = None
    gradient: Array | None = None

    @property
    def limits(self) -> Array:
        """The bounds in the minimiser's coordinates: (2, p)."""
        limits: Array = (self.box.T - self.start) / self.units
        return limits

    def theta_at(self, y: Array) -> Array:
        """Return θ for the minimiser's coordinates; a bound itself, where y is one."""
        theta = self.start + self.units * y
        for limit, bound in zip(self.limits, self.box.T, strict=True):
            theta = np.where(y == limit, bound, theta)
        return theta

    def __call__(self, y: Array) -> tuple[float, Array]:
        self.calls += 1
        theta = self.theta_at(y)
        try:
            value, gradient = self.objective(theta)
        except FAILURES:
            self.failures += 1  # a wall: higher than all so far, so the search turns
            return 2 * self.worst + 1e6, np.zeros_like(theta)
        self.worst = max(self.worst, abs(value))
        if value > self.value:
            self.value, self.theta, self.gradient = value, theta, gradient
        return -value, -gradient * self.units

    def at(self, theta: Array) -> tuple[float, Array]:
        """Return the value and the gradient where the ascent ended."""
        known = self.theta is not None and np.array_equal(self.theta, theta)
        if known and self.gradient is not None:
            return self.value, self.gradient
        self.calls += 1
        try:
            return self.objective(theta)
        except FAILURES:  # of a further start: there is no likelihood
            return -math.inf, np.zeros_like(theta)
