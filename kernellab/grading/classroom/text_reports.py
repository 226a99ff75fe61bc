"""Reports for the terminal: one notebook's grades, and the list of all questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from kernellab.grading.authoring.linting import Lint
from kernellab.grading.classroom.gradebook import Mark, Result, number
from kernellab.grading.classroom.terminal import SIGNS, colour
from kernellab.grading.questions.base import Sheet
from kernellab.grading.safe_text import printable


def result_lines(result: Result, code: str, stream: TextIO) -> Iterator[str]:
    """Yield one student's report; in colour, if the stream shows colours."""
    for problem in result.record.problems:
        yield colour(printable(f"not read: {problem}"), "wrong", stream)
    for note in result.record.notes:
        yield printable(f"note: {note}")
    for mark in result.marks:
        yield from _mark_lines(mark, stream)
    yield ""
    yield code
    total = f"{number(result.total)} of {number(result.out_of)} points"
    yield colour(total, "bold", stream)


def _mark_lines(mark: Mark, stream: TextIO) -> Iterator[str]:
    outcome, question = mark.outcome, mark.question
    points = f"{number(mark.points)} of {question.points} points"
    head = f"{SIGNS[outcome.status]} {question.title} ({question.id}): {points}"
    yield colour(printable(head), outcome.status, stream)
    if outcome.status == "unanswered":
        return
    for line in (outcome.text or outcome.summary).splitlines():
        yield f"    {printable(line)}".rstrip()


def sheet_lines(sheets: tuple[Sheet, ...], stream: TextIO) -> Iterator[str]:
    """Yield the sheets, and their questions with kind and points."""
    for sheet in sheets:
        head = f"{sheet.name}: {sheet.title} ({sheet.points} points)"
        yield colour(head, "bold", stream)
        width = max((len(question.id) for question in sheet.questions), default=0)
        for q in sheet.questions:
            yield f"  {q.id:<{width}}  {q.points:>3}  {q.kind:<15}  {q.title}"


def lint_head(width: int) -> str:
    """Return the head of the table whose rows `lint_row` gives."""
    return f"{'question':<{width}}  facts  goal  step  lines  largest  milestones"


def lint_row(found: Lint, width: int, stream: TextIO) -> str:
    """Return a problem's figures; a dash where there is none."""
    row = (
        f"{found.id:<{width}}  {found.max_facts:>5}  {_cost(found.goal_cost):>4}  "
        f"{_cost(found.goal_step):>4}  {found.steps:>5}  {found.reference_cost:>7}  "
        f"{' '.join(map(_cost, found.list_costs))}"
    )
    return colour(row, "wrong" if found.faults else "right", stream)


def _cost(facts: int | None) -> str:
    return "–" if facts is None else str(facts)
