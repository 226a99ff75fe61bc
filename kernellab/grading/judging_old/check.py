"""Check a derivation: every line, the milestones, the score."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace

from kernellab.grading.judging_old.explain import Explanation, explain
from kernellab.grading.judging_old.judge import Judge
from kernellab.grading.judging_old.milestones import MilestonesReached, milestones_reached
from kernellab.grading.judging_old.verdicts import Rejected
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reasons import split_reasons
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import MAX_STEPS, Step, steps
from kernellab.grading.problem import Problem
from kernellab.grading.worlds import clock
from kernellab.grading.worlds.fields import OutOfTime, Undecided

SECONDS = 3.0
EXPLAINED = 3


@dataclass(frozen=True)
class Line:
    """What became of one step.

    Parameters
    ----------
    number : counted from 1 among the steps of the text.
    text, reasons : as written.
    ok : whether it passes.
    status : "ok", "carried" (right, but it rests on a wrong line), "wrong" (it does
        not follow), "unreadable", or "skipped".
    message : what is wrong, in words.
    counterexample : small numbers that show it.
    suggestion : the nearest repair, if one edit mends it.
    """

    number: int
    text: str
    reasons: tuple[str, ...]
    ok: bool
    status: str
    message: str = ""
    counterexample: str = ""
    suggestion: str = ""
    about: str = field(default="", compare=False)


def judge_text(
    problem: Problem, text: str, seed: int | None = None, explanations: bool = False
) -> tuple[list[Line], MilestonesReached, Judge]:
    """Judge every step of a text; explanations cost time, and are given for a few."""
    rng = random.Random(seed)
    judge = Judge(problem, rng, SECONDS)
    found = steps(text)
    lines: list[Line] = []
    explained = 0 if explanations else EXPLAINED
    for number, step in enumerate(found, 1):
        line = _line(judge, number, step)
        if explained < EXPLAINED and line.about in ("follow", "inequality"):
            line = _explained(line, explain(judge, number, step))
            explained += 1
        lines.append(line)
    passed = [line.number for line in lines if line.ok or line.status == "carried"]
    judge.end = max(judge.end, clock.now() + 0.5)
    unread = sum(line.status in ("unreadable", "skipped") for line in lines)
    return lines, milestones_reached(judge, passed, unread), judge


def _line(judge: Judge, number: int, step: Step) -> Line:
    if number > MAX_STEPS:
        start = Line(number, step.text, (), False, "wrong")
        return _with(start, "skipped", f"only the first {MAX_STEPS} lines are read")
    reasons = tuple(split_reasons(step.reasons))
    start = Line(number, step.text, reasons, False, "wrong")
    try:
        passed = judge.judge(number, step)
    except ReadError as error:
        return _with(start, "unreadable", str(error), "read")
    except ShapeError as error:
        return _with(start, "wrong", str(error), "shape")
    except Rejected as error:
        return _with(start, "wrong", str(error), error.about)
    except Undecided as error:
        return _with(start, "wrong", f"this line cannot be decided: {error}", "follow")
    except OutOfTime:
        return _with(start, "skipped", "there was no time left to check this line")
    except (ValueError, ArithmeticError, LookupError, TypeError, RecursionError):
        # Whatever a text provokes, it is never accepted by accident.
        return _with(start, "wrong", "this line cannot be decided", "undecided")
    status = "ok" if passed.sound else "carried"
    return Line(number, step.text, reasons, passed.sound, status, passed.note)


def _explained(line: Line, why: Explanation) -> Line:
    return replace(
        line,
        message=_short(why.message),
        counterexample=why.counterexample,
        suggestion=_short(why.suggestion),
    )


def _short(words: str) -> str:
    """I rather than I(N), which the student need not have written."""
    return re.sub(r"\bI\(\w+\)", "I", words)


def _with(line: Line, status: str, message: str, about: str = "") -> Line:
    return Line(
        line.number,
        line.text,
        line.reasons,
        False,
        status,
        _short(message),
        about=about,
    )
