"""Learning hyperparameters: ascent on the log marginal likelihood, from several starts.

The likelihood has many local optima as a rule, and where an ascent from a poor start
ends can hang on the last digits of its first steps. Three things make the result the
same on every machine:

- **Starts** that are always the same: the given parameters, and a low-discrepancy set
  around them. One value of the likelihood each tells which are worth an ascent; the
  best of a few short ascents is finished. With many points, some of them are enough
  for all but the end.
- **A second look**: a default bound that costs likelihood says that the search looked
  in the wrong place. Then it starts anew, far around where it ended and then far around
  the given parameters, with the noise at a tenth of the variance of the targets. Where
  the likelihood is flat at the bound, as for the width of a coordinate that does not
  matter, only few points, for which it is cheap, are given a second look.
- **Units**: each ascent moves in standard errors of the parameters (`ascent`).

Legend: p parameters θ; box (p×2) their bounds.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from kernellab.arrays import Array
from kernellab.gp.ascent import (
    MAX_ITERATIONS,
    Ascent,
    Objective,
    ascend,
    estimate_units,
    value_or_failure,
)
from kernellab.gp.bounds import ByName, read_bounds
from kernellab.gp.model import Model, whole
from kernellab.gp.report import SAME, LearningReport

LOG_START_SPREAD = math.log(1e3)
"""Further starts lie within a factor of 1000 of the given parameters, half of them
within a factor of 6."""

START_SPREAD_IN_UNITS = 50.0
"""They also lie within 50 units: what the data determine sharply is moved less."""

SCREENED_STARTS = 32
"""Further starts that are compared, unless their number is given."""

WIDE_STARTS = 96
"""Starts that are compared when a search starts anew."""

ASCENTS = 3
"""How many of these starts ascend."""

SHORT_ITERATIONS = 15
"""Iterations of an ascent that is only compared with others."""

PROBING_ITERATIONS = 5
"""Iterations that show whether the next best optimum may be better on all points."""

DISTINCT = 0.1
"""Short ascents that differ by less in log likelihood are on the way to one optimum."""

SCREENING_POINTS = 200
"""Points that are enough to compare starts and to estimate units."""


def maximise(
    objective: Objective, bounds: ByName | None = None, restarts: int | None = None
) -> LearningReport:
    """Maximise the likelihood over θ, beginning with the parameters of its model.

    Parameters
    ----------
    objective : the log likelihood, with its model and its data.
    bounds : for some names, the smallest and the largest value of the parameter itself
        (not of its logarithm); equal ones fix it.
    restarts : number of further starts that ascend to the end, on all points. By
        default 32 further starts are compared, and the best few ascend; if a default
        bound holds the best back, the search starts anew from elsewhere.
    """
    model = objective.model
    box = read_bounds(bounds, model)
    first = np.clip(model.theta, *box.T)
    some = objective.sample(SCREENING_POINTS)
    count = SCREENED_STARTS if restarts is None else whole(restarts, "restarts")
    starts = [first, *_around(first, estimate_units(some, first), box, model, count)]
    if restarts is None:
        runs = _search(objective, some, starts, box)
    else:
        runs = _ranked([ascend(objective, some, s, box) for s in starts])
    if not math.isfinite(runs[0].value):
        objective(first)  # it fails again, and says why
    given = frozenset(bounds or ())
    report = LearningReport(
        model.theta_names,
        model.positive,
        box,
        tuple(runs),
        len(starts),
        given,
        objective.what,
    )
    for around_given in (False, True):
        doubtful = report.stuck if len(some) == len(objective) else report.held_back
        if restarts is None and (doubtful or not report.converged):
            centre = model.theta if around_given else report.theta
            report = _anew(objective, some, bounds, report, centre)
    return report


def _anew(
    objective: Objective,
    some: Objective,
    bounds: ByName | None,
    old: LearningReport,
    centre: Array,
) -> LearningReport:
    """Search again, far around a centre; return the better, with all runs of both."""
    model = objective.model
    first = objective.fresh_start(centre)
    around = read_bounds(bounds, model.with_theta(first))
    low = np.minimum(around, old.bounds)[:, 0]
    box = np.column_stack([low, np.maximum(around, old.bounds)[:, 1]])
    first = np.clip(first, *box.T)
    starts = [first, *_everywhere(first, box, model, WIDE_STARTS)]
    runs = _search(objective, some, starts, box)
    better = runs[0].value > old.value + SAME
    return replace(
        old,
        bounds=box if better else old.bounds,
        runs=tuple(_ranked([*old.runs, *runs])),
        starts=old.starts + len(starts),
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


def _everywhere(theta: Array, box: Array, model: Model, count: int) -> list[Array]:
    """Return starts within a factor of 1000 of θ, as many far from it as near."""
    far = np.where(model.positive, LOG_START_SPREAD, 1 + np.abs(theta))
    offsets = low_discrepancy(count, len(theta))
    return [np.clip(theta + far * o, *box.T) for o in offsets]


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
) -> list[Ascent]:
    """Compare the starts on some of the points; finish the best on all of them."""
    first, *others = starts
    others.sort(key=lambda theta: -value_or_failure(some, theta))
    chosen = [first, *others[:ASCENTS]]
    runs = _ranked([ascend(some, some, s, box, SHORT_ITERATIONS) for s in chosen])
    best = _finish(some, some, runs[0], box)
    if len(some) == len(objective):
        return _ranked([best, *runs[1:]])
    ends = [best.theta, *(run.theta for run in _distinct(runs)), first]
    return _ascend_on_all(objective, some, ends, box)


def _ascend_on_all(
    objective: Objective, some: Objective, ends: list[Array], box: Array
) -> list[Ascent]:
    """Ascend on all points from where that is highest, and try the next optimum.

    The first two ends are of one run, and the last is the given start. The next optimum
    ascends a little; further if as much again would lead above the best; to its end
    only if it is above.
    """
    values = [value_or_failure(objective, theta) for theta in ends]
    worse = int(values[0] > values[1])
    del ends[worse], values[worse]
    top = max(range(len(ends)), key=values.__getitem__)
    best = ascend(objective, some, ends[top], box)
    others = [
        i for i in range(len(ends) - 1) if DISTINCT < values[top] - values[i] < math.inf
    ]
    if not others or top == len(ends) - 1:
        return [best]
    i = max(others, key=values.__getitem__)
    other = ascend(objective, some, ends[i], box, PROBING_ITERATIONS)
    if 2 * other.value - values[i] > best.value:
        other = _finish(objective, some, other, box, SHORT_ITERATIONS)
    if other.value > best.value:
        other = _finish(objective, some, other, box)
    return _ranked([best, other])


def _finish(
    objective: Objective,
    some: Objective,
    run: Ascent,
    box: Array,
    iterations: int = MAX_ITERATIONS,
) -> Ascent:
    """Return the ascent, continued to its end or for some iterations."""
    if run.finished:
        return run
    return run.followed_by(ascend(objective, some, run.theta, box, iterations))


def _ranked(runs: list[Ascent]) -> list[Ascent]:
    """Sort the runs, the best first; of those that tie with it, the earliest."""
    top = max(run.value for run in runs) - SAME
    winner = next((run for run in runs if run.value >= top), runs[0])
    others = [run for run in runs if run is not winner]
    return [winner, *sorted(others, key=lambda run: -run.value)]


def _distinct(runs: list[Ascent]) -> list[Ascent]:
    """Keep one run for each optimum that was reached."""
    kept: list[Ascent] = []
    for run in runs:
        if all(abs(run.value - other.value) > DISTINCT for other in kept):
            kept.append(run)
    return kept
