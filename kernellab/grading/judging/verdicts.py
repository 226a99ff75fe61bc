"""Verdicts: what becomes of each line of a text, within the work that may be done.

A line may take half of the work that is left, and so may its explanation: a text that
needs no more than half of the whole is never stopped, and one slow line leaves enough
for those after it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging.carrying import resting
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.introductions import owes
from kernellab.grading.judging.judge import judge
from kernellab.grading.judging.misreadings import misread
from kernellab.grading.judging.repairing import explain
from kernellab.grading.judging.report import Line
from kernellab.grading.judging.statements import Passed, Rejected
from kernellab.grading.judging.wording import used
from kernellab.grading.language.components import counts_from_one
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import MAX_STEPS, Step
from kernellab.grading.problem import Problem
from kernellab.grading.proving.networks import Untranslatable
from kernellab.grading.work import OutOfWork

TEXT = 2_000_000  # units of work for the lines of a text: twice what any needs
SHOWN = 10  # so many false lines get a counterexample
EXPLAINED = 3  # and so many wrong ones a repair, a line between
GUESSED = 12  # so many lines that cannot be read, what was meant
LONGEST_GUESSED = 400  # characters
SEARCHED = ("false", "large", "unproved")  # what such a line is about
WORDS = "words, which are not judged"
BEGINS = "judged with the next line"
FAILURES = (
    Undecided, Untranslatable, ArithmeticError, LookupError, MemoryError,
    RecursionError, ValueError,
)  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """What becomes of the lines of a text.

    Parameters
    ----------
    context : what stands at the end.
    lines : one entry for each step.
    passed : the lines that passed, by number.
    """

    context: Context
    lines: list[Line] = field(default_factory=list)
    passed: dict[int, Passed] = field(default_factory=dict)

    @property
    def unread(self) -> int:
        """How many lines could not be read, or not be checked."""
        return sum(line.status in ("unreadable", "skipped") for line in self.lines)


def judged(
    problem: Problem,
    steps: Sequence[Step],
    seed: int,
    explains: bool = False,
    most: float | None = None,
) -> Verdicts:
    """Judge steps one after the other.

    Parameters
    ----------
    explains : whether lines that are false get a counterexample and a repair.
    most : units of work, if not as many as for a text.
    """
    most = TEXT if most is None else most
    found = Verdicts(Context.of(problem, random.Random(seed)))
    found.context.one_based = _counts_from_one(problem, steps)
    found.context.guesses = GUESSED if explains else 0
    work, costs, shown = found.context.work, [0.0], 0
    for number, step in enumerate(steps, 1):
        start = work.done
        line = _line(found, number, step, most)
        if line.status == "skipped" and not line.message:
            line = replace(line, message=_too_much(costs, (most - start) / 2))
        costs.append(work.done - start)
        shown += line.about == "false"
        if explains and line.about == "false" and shown <= SHOWN:
            with suppress(OutOfWork, *FAILURES), _half(found.context, most):
                example, repair = explain(found.context, shown <= EXPLAINED)
                line = replace(line, counterexample=example, suggestion=repair)
        found.lines.append(line)
    return found


def _counts_from_one(problem: Problem, steps: Sequence[Step]) -> bool:
    """Return whether the first component is x_1; f_0, or let a_1 = …, is none."""
    names = {*problem.table, *(step.let for step in steps if step.let)}
    return counts_from_one("\n".join(step.text for step in steps), names)


def _meant(
    context: Context,
    number: int,
    step: Step,
    error: ReadError | ShapeError,
    most: float,
) -> str:
    """Return words for a line that cannot be read, with what was probably meant."""
    if context.guesses and len(step.relation) <= LONGEST_GUESSED:
        context.guesses -= 1
        with suppress(OutOfWork, *FAILURES), _half(context, most):
            return misread(context, number, step, error)
    return str(error)


def _half(context: Context, most: float) -> AbstractContextManager[None]:
    """Allow half of the work that is left."""
    return context.work.limited((most - context.work.done) / 2)


def _too_much(costs: Sequence[float], share: float) -> str:
    """Say which line took too much work: this one, or one of those above."""
    heaviest = max(range(len(costs)), key=costs.__getitem__)
    if heaviest and share < costs[heaviest]:
        return (
            f"to check this line, too, is too much work: most of it went into line "
            f"{heaviest}; write that one in smaller steps, or with fewer terms"
        )
    return (
        "to check this line is too much work: write it in smaller steps, or with "
        "fewer terms"
    )


def _line(found: Verdicts, number: int, step: Step, most: float) -> Line:
    context = found.context
    reasons = tuple(r.strip() for r in step.reasons.split(";") if r.strip())
    start = Line(number, step.text, reasons, False, "wrong")
    if number > MAX_STEPS:
        words = f"only the first {MAX_STEPS} lines are read"
        return replace(start, status="skipped", message=words)
    try:
        with _half(context, most):
            context.work.do(0)
            verdict = judge(context, number, step)
    except ReadError as error:
        words = _meant(context, number, step, error, most)
        return replace(start, status="unreadable", message=words, about="read")
    except ShapeError as error:
        words = _meant(context, number, step, error, most)
        return replace(start, message=words, about="shape")
    except Rejected as error:
        return replace(start, message=str(error), about=error.about)
    except OutOfWork:
        return replace(start, status="skipped")
    except FAILURES:
        # Whatever a text provokes, it is never accepted by accident.
        return replace(start, message="this line cannot be decided", about="undecided")
    found.passed[number] = verdict
    if step.wordy or step.begins:
        why = WORDS if step.wordy else BEGINS
        return replace(start, ok=True, status="unjudged", used=why)
    status = "ok" if verdict.sound else "carried"
    note, part = verdict.note, context.problem.reasons
    if note and part:
        note += f"; wrong reasons cost {part:.0%} of the points of a line"
    why = used(context, number, verdict.proofs)
    if step.let in context.own and not verdict.proofs:
        why = owes(context, step.let)
    if not verdict.sound:
        why = resting(context, number, verdict.rests)
    return replace(start, ok=verdict.sound, status=status, message=note, used=why)
