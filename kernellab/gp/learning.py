"""Learning hyperparameters: ascent on the log marginal likelihood, from several starts.

The likelihood has many local optima as a rule, and where an ascent from a poor start
ends can hang on the last digits of its first steps. Two things make the result the same
on every machine:

- **Starts** that are always the same: the given parameters, and a low-discrepancy set
  around them. One value of the likelihood each tells which are worth an ascent; the
  best of a few short ascents is finished. With many points, some of them are enough
  for all but the end.
- **Units.** L-BFGS-B moves in (θ − start)/u with u_i = 1/√F_ii, where F is the Fisher
  information: the data can just tell θ_i from θ_i + u_i. In θ itself curvatures differ
  by many orders of magnitude (a period is known to four digits, a scale to one), so
  that the first steps are far too long and the last ones too short.

Legend: p parameters θ; box (p×2) their bounds; u (p) units; n points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from scipy.optimize import minimize

from kernellab.arrays import Array, describe, reals
from kernellab.errors import InputError, NotPositiveDefinite, UndefinedValue
from kernellab.gp.model import Model
from kernellab.gp.report import SAME, LearningReport, Run

LOG_REACH = math.log(1e5)
"""By default a positive parameter may grow or shrink by a factor of 10⁵."""

LOG_START_SPREAD = math.log(1e3)
"""Further starts lie within a factor of 1000 of the given parameters, half of them
within a factor of 6."""

START_SPREAD_IN_UNITS = 50.0
"""They also lie within 50 units: what the data determine sharply is moved less."""

SCREENED_STARTS = 32
"""Further starts that are compared, unless their number is given."""

ASCENTS = 3
"""How many of these starts ascend."""

FINALISTS = 2
"""How many optima found with some of the points ascend on all of them."""

SHORT_ITERATIONS = 15
"""Iterations of an ascent that is only compared with others."""

MAX_ITERATIONS = 15_000
"""Iterations of any other ascent: it ends by itself."""

DISTINCT = 0.1
"""Short ascents that differ by less in log likelihood are on the way to one optimum."""

GRADIENT_TOLERANCE = 1e-4
"""An ascent ends when the gradient in units, g, has no larger entry; then about
½‖g‖² could still be gained."""

VALUE_TOLERANCE = 1e-10
"""It also ends when the likelihood has come to rest, relative to its size."""

MEMORY = 30
"""Steps that L-BFGS-B remembers, more than θ has entries as a rule."""

LARGEST_UNIT = 2.0
"""Of log θ_i, even if the data say nothing about it: a factor of 7."""

SCREENING_POINTS = 200
"""Points that are enough to compare starts and to estimate units."""

FAILURES = (NotPositiveDefinite, UndefinedValue, InputError)
"""What an evaluation may end in at a θ where the model makes no sense."""

Bounds = Mapping[str, tuple[float, float]]


class Objective(Protocol):
    """What is maximised: `likelihood.Likelihood`, or what behaves like it."""

    @property
    def model(self) -> Model: ...

    def __len__(self) -> int: ...

    def __call__(self, theta: Array) -> tuple[float, Array]: ...

    def value(self, theta: Array) -> float: ...

    def information(self, theta: Array) -> Array: ...

    def sample(self, size: int) -> Self: ...


def maximise(
    objective: Objective, bounds: Bounds | None = None, restarts: int | None = None
) -> LearningReport:
    """Maximise the likelihood over θ, beginning with the parameters of its model.

    Parameters
    ----------
    objective : the log likelihood, with its model and its data.
    bounds : for some names, the smallest and the largest value of the parameter itself
        (not of its logarithm); equal ones fix it.
    restarts : number of further starts that ascend to the end, on all points. By
        default 32 further starts are compared, and the best few ascend.
    """
    model = objective.model
    box = read_bounds(bounds, model)
    first = np.clip(model.theta, *box.T)
    some = objective.sample(SCREENING_POINTS)
    count = SCREENED_STARTS if restarts is None else restarts
    starts = [first, *_around(first, _units(some, first), box, model, count)]
    if restarts is None:
        runs = _search(objective, some, starts, box)
    else:
        runs = _ranked([_ascend(objective, some, s, box) for s in starts])
    if not math.isfinite(runs[0].value):
        objective(first)  # it fails again, and says why
    return LearningReport(
        model.theta_names,
        model.positive,
        box,
        tuple(runs),
        len(starts),
        frozenset(bounds or ()),
    )


# --- starts -------------------------------------------------------------------------


def _around(
    theta: Array, units: Array, box: Array, model: Model, count: int
) -> list[Array]:
    """Return starts around θ, dense near it: the same ones on every machine."""
    far = np.where(model.positive, LOG_START_SPREAD, 1 + np.abs(theta))
    far = np.minimum(far, START_SPREAD_IN_UNITS * units)
    offsets = low_discrepancy(count, len(theta))
    return [np.clip(theta + far * o * np.abs(o), *box.T) for o in offsets]


def low_discrepancy(count: int, p: int) -> Array:
    """Return points that fill [−1, 1]ᵖ evenly: (count, p).

    The i-th is i·(g⁻¹, …, g⁻ᵖ) modulo 1, moved to the cube, where g > 1 solves
    gᵖ⁺¹ = g + 1; for p = 1 that is the golden ratio.

    Examples
    --------
    >>> low_discrepancy(3, 1).round(3).T
    array([[-0.764,  0.472, -0.292]])
    """
    g = 2.0
    for _ in range(60):  # a contraction
        g = (1 + g) ** (1 / (p + 1))
    steps = g ** -np.arange(1.0, p + 1)
    result: Array = 2 * ((0.5 + np.arange(1, count + 1)[:, None] * steps) % 1) - 1
    return result


def _search(
    objective: Objective, some: Objective, starts: list[Array], box: Array
) -> list[Run]:
    """Compare the starts on some of the points; finish the best on all of them."""
    first, *others = starts
    others.sort(key=lambda theta: -_value(some, theta))
    chosen = [first, *others[:ASCENTS]]
    runs = _ranked(
        [_ascend(some, some, theta, box, SHORT_ITERATIONS) for theta in chosen]
    )
    if len(some) < len(objective):
        finalists = _finalists(objective, first, runs)
        most = SHORT_ITERATIONS if len(finalists) > 1 else MAX_ITERATIONS
        runs = _ranked([_ascend(objective, some, s, box, most) for s in finalists])
    if runs[0].finished:
        return runs
    rest = _ascend(objective, some, runs[0].theta, box)
    return _ranked([runs[0].followed_by(rest), *runs[1:]])


def _finalists(objective: Objective, first: Array, runs: list[Run]) -> list[Array]:
    """Return the ends that are best on all points; `first`, if it is better yet."""
    ends = [(_value(objective, run.theta), run.theta) for run in _distinct(runs)]
    ends.sort(key=lambda end: -end[0])
    if _value(objective, first) > ends[0][0]:
        return [first]
    return [theta for _, theta in ends[:FINALISTS]]


def _ranked(runs: list[Run]) -> list[Run]:
    """Sort the runs, the best first; of those that tie with it, the earliest."""
    top = max(run.value for run in runs) - SAME
    winner = next((run for run in runs if run.value >= top), runs[0])
    others = [run for run in runs if run is not winner]
    return [winner, *sorted(others, key=lambda run: -run.value)]


def _distinct(runs: list[Run]) -> list[Run]:
    """Keep one run for each optimum that was reached."""
    kept: list[Run] = []
    for run in runs:
        if all(abs(run.value - other.value) > DISTINCT for other in kept):
            kept.append(run)
    return kept


# --- one ascent ---------------------------------------------------------------------


def _ascend(
    objective: Objective,
    some: Objective,
    start: Array,
    box: Array,
    iterations: int = MAX_ITERATIONS,
) -> Run:
    """Ascend from one start, in units that are estimated there from `some` points."""
    u = _units(some, start) * math.sqrt(len(some) / len(objective))
    trial = _Trial(objective, start, u)
    path, end, message = [start], start, "there is nothing to learn"
    if len(start):
        found = minimize(
            trial,
            np.zeros(len(start)),
            jac=True,
            method="L-BFGS-B",
            bounds=list(zip(*((box.T - start) / u), strict=True)),
            callback=lambda y: path.append(trial.theta_at(y)),
            options={
                "maxiter": iterations,
                "gtol": GRADIENT_TOLERANCE,
                "ftol": VALUE_TOLERANCE,
                "maxcor": MEMORY,
            },
        )
        end, message = np.clip(trial.theta_at(found.x), *box.T), str(found.message)
    if not np.array_equal(path[-1], end):
        path.append(end)
    value, gradient = trial.at(end)
    calls, failures = trial.calls, trial.failures
    return Run(start, np.array(path), value, gradient, u, calls, failures, message)


def _units(objective: Objective, theta: Array) -> Array:
    """Return 1/√F_ii at θ, up to the largest unit; that, if there is no F."""
    most = LARGEST_UNIT * np.where(objective.model.positive, 1, 1 + np.abs(theta))
    try:
        information = objective.information(theta)
    except FAILURES:
        return most
    return 1 / np.sqrt(np.clip(information, most**-2, 1e16))


def _value(objective: Objective, theta: Array) -> float:
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
    calls: int = 0
    failures: int = 0
    worst: float = 0.0
    value: float = -math.inf
    theta: Array | None = None
    gradient: Array | None = None

    def theta_at(self, y: Array) -> Array:
        """Return θ for the minimiser's coordinates."""
        theta: Array = self.start + self.units * y
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


# --- bounds -------------------------------------------------------------------------


def read_bounds(bounds: Any, model: Model) -> Array:
    """(p, 2) array in the coordinates of θ."""
    theta, names = model.theta, model.theta_names
    reach = np.where(model.positive, LOG_REACH, np.inf)
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
