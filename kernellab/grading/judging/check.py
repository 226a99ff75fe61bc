"""Check a derivation: every line, the milestones, the score."""

from __future__ import annotations

import secrets

from kernellab.grading.judging.advice import advised
from kernellab.grading.judging.milestones import MilestonesReached, milestones_reached
from kernellab.grading.judging.report import Report
from kernellab.grading.judging.verdicts import Verdicts, judged
from kernellab.grading.language.steps import steps
from kernellab.grading.problem import Problem
from kernellab.grading.work import OutOfWork

ROUTES = 500_000  # units of work for the milestones of a text


def check_derivation(
    problem: Problem,
    text: str,
    *,
    explanations: bool = True,
    seed: int | None = None,
) -> Report:
    """Check a derivation line by line; `problems.check_derivation` finds it by name.

    Explanations, counterexamples, repairs and lines to write first, cost time, and are
    given for a few lines.

    Examples
    --------
    >>> from kernellab.grading.problem import Milestone, Route
    >>> goal = Milestone("the square", "u = x**2 + 2*x + 1")
    >>> square = Problem(
    ...     "square", "x : number\\nu : number = (x + 1)**2", (Route((goal,)),)
    ... )
    >>> r = check_derivation(square, "u = (x + 1)*(x + 1) | def u")
    >>> r.lines[0].ok, r.accepted
    (True, True)
    """
    own, found = secrets.randbits(64) if seed is None else seed, steps(str(text))
    verdicts = judged(problem, found, own, explanations)
    lines, reached = verdicts.lines, _reached(problem, verdicts)
    if explanations:
        lines, reached = advised(found, verdicts, reached, own)
    relations = {
        s.number: s.relation
        for s in verdicts.context.statements
        if s.relation.sides[-1].op != "stack"  # read again from its text
    }
    return Report(
        problem, tuple(lines), reached, relations, verdicts.context, verdicts.passed
    )


def _reached(problem: Problem, found: Verdicts) -> MilestonesReached:
    """Return the milestones that the lines reached; none, if that is too much work."""
    try:
        with found.context.work.limited(ROUTES):
            return milestones_reached(found.context, found.passed, found.unread)
    except OutOfWork:
        route = problem.routes[0]
        return MilestonesReached(route, {}, {}, uncompared=True)
