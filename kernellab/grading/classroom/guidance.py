"""The line below a graded answer: how far one is, and what one can do next."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from kernellab.grading.classroom import loading
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.gradebook import number
from kernellab.grading.classroom.record import WorkRecord
from kernellab.grading.questions.base import Question, Sheet
from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.safe_text import html_text


def with_guidance(
    outcome: Outcome, question: Question, bank: Bank, record: WorkRecord
) -> Outcome:
    """Return an outcome whose report ends with what is left to do.

    The course's own notebooks say the same whenever they are executed: in the folder of
    the sheets there is no such line, nor below a question that nobody has tried.
    """
    own = bank.folder is not None and Path.cwd().is_relative_to(bank.folder)
    if own or outcome.status == "unanswered":
        return outcome
    line = " ".join(guidance(question, sheet_of(question, bank), record))
    plain = _LINK.sub(r"\1", line).replace("`", "")
    report = outcome.html or f"<pre>{html_text(str(outcome))}</pre>"
    html = f"{report}\n<p>{as_html(line)}</p>"
    return replace(outcome, text=f"{outcome}\n\n{plain}", html=html)


def guidance(question: Question, sheet: Sheet | None, record: WorkRecord) -> list[str]:
    """Return the sentences of the line, in Markdown."""
    said = [_points(question, sheet, record)]
    if record.outcome(question).status == "right":
        return [*said, *_once_more(question), *_next_question(question, sheet, record)]
    given, hints = record.hints[question.id], len(question.hints)
    if given < hints:
        said.append(f"Hint {given + 1} of {hints}: run `%hint {question.id}`.")
    if question.id in record.tried and question.references:
        said.append(f"A solution: run `%solution {question.id}`.")
    return said


def _points(question: Question, sheet: Sheet | None, record: WorkRecord) -> str:
    here = record.outcome(question)
    said = f"{number(here.points)} of {number(here.out_of)} points"
    if sheet is None:
        return f"{said}."
    total = number(sum(record.outcome(q).points for q in sheet.questions))
    left = sum(record.outcome(q).status != "right" for q in sheet.questions)
    rest = f"{left} question{'s' * (left != 1)} left" if left else "all is right"
    return f"{said} here, {total} of {sheet.points} on this sheet; {rest}."


def _once_more(question: Question) -> list[str]:
    """Return how to get a question like this one, if numbers can be drawn for it."""
    first = question.id.partition("/")[0]
    like_it = question.others or first != question.id
    return [f"Another one like it: run `%another {first}`."] if like_it else []


def _next_question(
    question: Question, sheet: Sheet | None, record: WorkRecord
) -> list[str]:
    """Return a link to the next question that is not right yet, if there is one."""
    asked = list(sheet.questions) if sheet else []
    here = [q.id for q in asked].index(question.id) if asked else 0
    for q in asked[here + 1 :] + asked[:here]:
        if record.outcome(q).status != "right":
            return [f"Next: [{q.title}](#ex-{q.id})."]
    return []


def sheet_of(question: Question, bank: Bank) -> Sheet | None:
    """Return the sheet of a question, without reading the other sheets."""
    path = bank.files.get(question.id)
    if path is None or not (path.parent / "sheet.md").exists():
        return None
    sheet = loading.load_sheet(path.parent)
    return sheet if question.id in {q.id for q in sheet.questions} else None


_LINK = re.compile(r"\[([^][]*)\]\((#[\w-]+)\)")
_CODE = re.compile(r"`([^`]*)`")


def as_html(line: str) -> str:
    """Return the line with its links and its code."""
    text = _LINK.sub(r'<a href="\2">\1</a>', html_text(line))
    return _CODE.sub(r"<code>\1</code>", text)
