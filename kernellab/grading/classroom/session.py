"""Answers given one by one: `answer`, `check_derivation`, `hint`, `score`.

What is remembered lasts as long as the Python session, and stays on this computer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html import escape

from kernellab.grading.classroom.bank import Bank, UnknownQuestion, normal_id, open_bank
from kernellab.grading.classroom.gradebook import number
from kernellab.grading.classroom.loading import SheetError
from kernellab.grading.classroom.marking import mark
from kernellab.grading.classroom.terminal import SIGNS
from kernellab.grading.questions.base import Question, Sheet
from kernellab.grading.questions.outcome import Outcome


@dataclass(frozen=True)
class Message:
    """A few lines for the reader, as text, Markdown or HTML: what the place shows."""

    text: str
    html: str = ""
    markdown: str = ""

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str | None:
        return self.html or None

    def _repr_markdown_(self) -> str | None:
        return self.markdown or None


@dataclass
class Session:
    """What has been answered, and which hints have been given."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    hints: Counter[str] = field(default_factory=Counter)


SESSION = Session()


def answer(question_id: str, text: str, *, exam: bool = False) -> Outcome | Message:
    """Grade an answer and say what is right and what is not.

    Parameters
    ----------
    question_id : the question's id, as in ``%%answer id``.
    text : the answer.
    exam : verdicts only.
    """
    question = _question(question_id)
    if isinstance(question, Message):
        return question
    outcome = mark(question, text, exam=exam, seed=0)
    SESSION.outcomes[question.id] = outcome
    return outcome


def hint(question_id: str, number: int | None = None) -> Message:
    """Return the next hint to a question, one more each time; or hint `number`,
    from 1.
    """
    question = _question(question_id)
    if isinstance(question, Message):
        return question
    hints = question.hints
    if not hints:
        return Message(f"{question.title}: there are no hints to this question.")
    if number is not None and not 1 <= number <= len(hints):
        return Message(f"{question.title}: there are {len(hints)} hints, from 1.")
    index = SESSION.hints[question.id] + 1 if number is None else number
    if index > len(hints):
        return Message(f"{question.title}: these were all {len(hints)} hints.")
    SESSION.hints[question.id] = max(SESSION.hints[question.id], index)
    said = f"Hint {index} of {len(hints)}: {hints[index - 1]}"
    return Message(said, markdown=said)  # hints are Markdown, with formulas


def score(sheet: str | None = None) -> Message:
    """Return the points so far: of one sheet, or of all that were answered here."""
    try:
        bank = open_bank()
        chosen = (bank.sheet(sheet),) if sheet else _used(bank)
    except SheetError as error:
        return Message(str(error))
    questions = [question for s in chosen for question in s.questions]
    loose = [q for q in SESSION.outcomes if q not in bank.questions and not sheet]
    rows = [SESSION.outcomes.get(q.id) or q.unanswered() for q in questions]
    rows += [SESSION.outcomes[q] for q in loose]
    titles = {question.id: question.title for question in questions}
    if not rows:
        return Message("No answer has been graded yet in this session.")
    return _score_message([(titles.get(r.question, r.question), r) for r in rows])


def _used(bank: Bank) -> tuple[Sheet, ...]:
    given = SESSION.outcomes
    return tuple(s for s in bank.sheets if any(q.id in given for q in s.questions))


def _question(question_id: str) -> Question | Message:
    if not normal_id(question_id):
        return Message("Which question? Begin the cell with `%%answer` and its name.")
    try:
        return open_bank().question(question_id)
    except (UnknownQuestion, SheetError) as error:
        said = str(error.args[0])
        return Message(said[:1].upper() + said[1:])


def _score_message(rows: list[tuple[str, Outcome]]) -> Message:
    total = number(sum(outcome.points for _, outcome in rows))
    out_of = number(sum(outcome.out_of for _, outcome in rows))
    width = max(len(title) for title, _ in rows)
    lines = []
    cells = []
    for title, outcome in rows:
        sign = SIGNS[outcome.status]
        points = f"{number(outcome.points):>5} of {number(outcome.out_of)}"
        lines.append(f"{sign} {title:<{width}}  {points}")
        head = f'<th scope="row" style="text-align:left">{escape(title)}</th>'
        cells.append(f"<tr><td>{sign}</td>{head}<td>{points.strip()}</td></tr>")
    whole = f"{total} of {out_of} points"
    html = f"<table><tbody>{''.join(cells)}</tbody></table><p><b>{whole}</b></p>"
    return Message("\n".join([*lines, whole]), html)
