"""Answers given one by one: `answer`, `hint`, `solution`, `score`.

`record` remembers them; `guidance` says below each what is left to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from kernellab.grading.classroom.bank import Bank, UnknownQuestion, normal_id, open_bank
from kernellab.grading.classroom.gradebook import number
from kernellab.grading.classroom.guidance import with_guidance
from kernellab.grading.classroom.loading import SheetError
from kernellab.grading.classroom.marking import mark
from kernellab.grading.classroom.record import WorkRecord, recording
from kernellab.grading.classroom.sheets import shown
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
    with recording() as record:
        record.note(question, text, outcome)
        return (
            outcome if exam else with_guidance(outcome, question, open_bank(), record)
        )


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
    with recording() as record:
        index = record.hints[question.id] + 1 if number is None else number
        if index > len(hints):
            return Message(f"{question.title}: these were all {len(hints)} hints.")
        record.hints[question.id] = max(record.hints[question.id], index)
    said = f"Hint {index} of {len(hints)}: {hints[index - 1]}"
    return Message(said, markdown=said)  # hints are Markdown, with formulas


def solution(question_id: str) -> Message:
    """Show a right answer to a question, after an attempt of one's own."""
    question = _question(question_id)
    if isinstance(question, Message):
        return question
    with recording() as record:
        tried = question.id in record.tried
    if not tried:
        said = (
            f"{question.title}: first an attempt of your own. Run the cell that begins "
            f"with `%%answer {question.id}`; `%hint {question.id}` gives a hint."
        )
        return Message(said, markdown=said)
    if not question.references:
        return Message(f"{question.title}: there is no solution to this question.")
    text = shown(question, question.references[0]).strip()
    return Message(text, markdown=f"One way to do it:\n\n```text\n{text}\n```")


def another(question_id: str) -> Message:
    """Return a question like this one, with other numbers: the first of them that is
    not right yet.
    """
    question = _question(question_id)
    if isinstance(question, Message):
        return question
    with recording() as record:
        left = (
            other
            for n in range(1, len(question.others) + 1)
            if record.status(other := f"{question.id}/{n}") != "right"
        )
        other = next(left, "")
    if not other:
        done = "all of them are right" if question.others else "there is none"
        return Message(
            f"{question.title}: another one like it is not to be had, {done}."
        )
    asked = open_bank().question(other)
    how = f"Answer in a cell that begins with `%%answer {other}`. It is for practice."
    said = f"{asked.statement}\n\n{how}"
    return Message(said, markdown=said)


def score(sheet: str | None = None) -> Message:
    """Return the points so far: of one sheet, or of all that were answered."""
    with recording() as record:
        try:
            bank = open_bank()
            chosen = (bank.sheet(sheet),) if sheet else _used(bank, record)
        except SheetError as error:
            return Message(str(error))
        rows = [
            ScoreRow(
                q.title,
                record.outcome(q),
                f"{'' if sheet else s.name + '.ipynb'}#ex-{q.id}",
            )
            for s in chosen
            for q in s.questions
        ]
        if not sheet:
            loose = (
                q for q in record.outcomes if q not in bank.questions and "/" not in q
            )
            rows += [ScoreRow(q, record.outcomes[q]) for q in loose]
    if not rows:
        return Message("No answer has been graded yet.")
    return _score_message(rows)


def _used(bank: Bank, record: WorkRecord) -> tuple[Sheet, ...]:
    given = record.outcomes
    return tuple(s for s in bank.sheets if any(q.id in given for q in s.questions))


def _question(question_id: str) -> Question | Message:
    if not normal_id(question_id):
        return Message("Which question? Begin the cell with `%%answer` and its name.")
    try:
        return open_bank().question(question_id)
    except (UnknownQuestion, SheetError) as error:
        said = str(error.args[0])
        return Message(said[:1].upper() + said[1:])


@dataclass(frozen=True)
class ScoreRow:
    """One question of a score: its title, its outcome, and where it is asked."""

    title: str
    outcome: Outcome
    link: str = ""

    @property
    def points(self) -> str:
        return f"{number(self.outcome.points):>5} of {number(self.outcome.out_of)}"

    def text(self, width: int) -> str:
        return f"{SIGNS[self.outcome.status]} {self.title:<{width}}  {self.points}"

    def html(self) -> str:
        title = escape(self.title)
        title = f'<a href="{escape(self.link)}">{title}</a>' if self.link else title
        return (
            f"<tr><td>{SIGNS[self.outcome.status]}</td>"
            f'<th scope="row" style="text-align:left">{title}</th>'
            f"<td>{self.points.strip()}</td></tr>"
        )


def _score_message(rows: list[ScoreRow]) -> Message:
    total = number(sum(row.outcome.points for row in rows))
    out_of = number(sum(row.outcome.out_of for row in rows))
    width = max(len(row.title) for row in rows)
    whole = f"{total} of {out_of} points"
    body = "".join(row.html() for row in rows)
    html = f"<table><tbody>{body}</tbody></table><p><b>{whole}</b></p>"
    return Message("\n".join([*(row.text(width) for row in rows), whole]), html)
