"""Check a derivation: every line, the milestones, the score."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace

from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging.carrying import resting
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.judge import judge
from kernellab.grading.judging.milestones import MilestonesReached, milestones_reached
from kernellab.grading.judging.repairing import explain
from kernellab.grading.judging.report import Line, Report
from kernellab.grading.judging.statements import Passed, Rejected
from kernellab.grading.judging.wording import used
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import MAX_STEPS, Step, steps
from kernellab.grading.problem import Problem
from kernellab.grading.proving.networks import Untranslatable
from kernellab.grading.work import OutOfWork

TEXT = 2_000_000  # units of work for the lines of a text: twice what any needs
ROUTES = 500_000  # and for its milestones
EXPLAINED = 3  # so many wrong lines get a repair, a line between
SHOWN = 10  # and so many a counterexample
FAILURES = (
    Undecided, Untranslatable, ArithmeticError, LookupError, MemoryError,
    RecursionError, ValueError,
)  # fmt: skip
_SEARCHED = ("false", "large", "unproved")


def check_derivation(
    problem: Problem,
    text: str,
    *,
    explanations: bool = True,
    seed: int | None = None,
) -> Report:
    """Check a derivation line by line; `problems.check_derivation` finds it by name.

    Explanations, counterexamples and repairs, cost time, and are given for a few lines.

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
    own = secrets.randbits(64) if seed is None else seed
    context = Context.of(problem, random.Random(own))
    lines: list[Line] = []
    passed: dict[int, Passed] = {}
    left, shown = EXPLAINED if explanations else 0, 0
    for number, step in enumerate(steps(str(text)), 1):
        context.explains = left > 0
        line = _line(context, number, step, passed)
        shown += line.about == "false"
        if explanations and line.about == "false" and shown <= SHOWN:
            with suppress(OutOfWork, *FAILURES), _limited(context):
                example, repair = explain(context)
                line = replace(line, counterexample=example, suggestion=repair)
        left -= line.about in _SEARCHED
        lines.append(line)
    relations = {
        s.number: s.relation
        for s in context.statements
        if s.relation.sides[-1].op != "stack"  # read again from its text
    }
    reached = _reached(context, lines, passed)
    return Report(problem, tuple(lines), reached, relations, context, passed)


def _limited(context: Context) -> AbstractContextManager[None]:
    """Allow what is left of the work for the lines of a text."""
    return context.work.limited(TEXT - context.work.done)


def _reached(
    context: Context, lines: Sequence[Line], passed: Mapping[int, Passed]
) -> MilestonesReached:
    """Return the milestones that the lines reached; none, if that is too much work."""
    unread = sum(line.status in ("unreadable", "skipped") for line in lines)
    try:
        with context.work.limited(ROUTES):
            return milestones_reached(context, passed, unread)
    except OutOfWork:
        return MilestonesReached(context.problem.routes[0], {}, {})


def _line(context: Context, number: int, step: Step, passed: dict[int, Passed]) -> Line:
    reasons = tuple(r.strip() for r in step.reasons.split(";") if r.strip())
    start = Line(number, step.text, reasons, False, "wrong")
    if number > MAX_STEPS:
        words = f"only the first {MAX_STEPS} lines are read"
        return replace(start, status="skipped", message=words)
    try:
        with _limited(context):
            context.work.do(0)
            verdict = judge(context, number, step)
    except ReadError as error:
        return replace(start, status="unreadable", message=str(error), about="read")
    except ShapeError as error:
        return replace(start, message=str(error), about="shape")
    except Rejected as error:
        return replace(start, message=str(error), about=error.about)
    except OutOfWork:
        words = "to check this line, too, is too much work: make the text shorter"
        return replace(start, status="skipped", message=words)
    except FAILURES:
        # Whatever a text provokes, it is never accepted by accident.
        return replace(start, message="this line cannot be decided", about="undecided")
    passed[number] = verdict
    status = "ok" if verdict.sound else "carried"
    note, part = verdict.note, context.problem.reasons
    if note and part:
        note += f"; wrong reasons cost {part:.0%} of the points of a line"
    why = used(context, number, verdict.proofs)
    if not verdict.sound:
        why = resting(context, number, verdict.rests)
    return replace(start, ok=verdict.sound, status=status, message=note, used=why)
