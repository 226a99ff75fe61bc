"""Is a line true? The settings in which the instances of a derivation are drawn."""

from __future__ import annotations

from kernellab.grading.instances.setting import Equation, Setting, stationarity
from kernellab.grading.instances.truth import is_true
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement


def setting(context: Context, stationary: frozenset[str] = frozenset()) -> Setting:
    """Return what holds at a line; `stationary` are variables at their optimum."""
    numbers = tuple(c.number for c in context.conditions)
    supposed = tuple(s.number for s in context.supposed)
    key = (context.own, stationary, numbers, context.invertible, supposed)
    if key not in context.settings:
        context.settings[key] = _made(context, stationary)
    return context.settings[key]


def _made(context: Context, stationary: frozenset[str]) -> Setting:
    problem = context.problem
    equations: list[Equation] = []
    bounds = []
    links = [s.links()[0] for s in context.supposed]
    supposed = [(k.left, k.right, k.free) for k in links if k.sign == "="]
    for link in (*context.givens, *links):
        if link.sign == "=":
            equations.append((link.left, link.right, link.free))
        else:
            bounds.append((link.left, link.sign, link.right, link.free))
    # A supposition such as ‖v‖² = 0 is decided by real numbers, as a bound is: modulo a
    # prime it has other solutions.
    bounds += [(left, ">=", right, free) for left, right, free in supposed]
    for condition in context.conditions:
        left, right = condition.relation.sides[:2]
        equations.append((left, right, condition.free))
    equations += stationarity(problem, sorted(stationary))
    symbols, invertible = dict(context.symbols), context.invertible
    holding = tuple(equations), tuple(bounds), invertible
    return Setting(problem, symbols, *holding, context.work)


def holds_at(
    context: Context,
    line: Statement,
    stationary: frozenset[str] = frozenset(),
    most: int | None = None,
) -> bool | None:
    """Return whether a line is true, with some variables at their optimum.

    Parameters
    ----------
    most : how many instances to try, if not all.
    """
    there = setting(context, stationary)
    return is_true(there, line.relation, line.free, context.rng, most)


def holds(context: Context, line: Statement, most: int | None = None) -> bool | None:
    """Return whether a line is true, in general or else at the optimum."""
    general, at = holds_at(context, line, most=most), context.stationary | line.at
    if general is not False or not at:
        return general
    return holds_at(context, line, at, most)
