"""Grades as a table: what was found out about each student, and what a person decided.

`Record` is what grading one submission gave; it is stored as one JSON file and is all
that a later run needs. `Override` is a person's decision about one question of one
student; it is kept apart, in ``overrides.csv``, and so survives every regrade. `Result`
is both together.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from kernellab.grading.classroom.files import write_text, write_with
from kernellab.grading.classroom.marking import from_json, to_json
from kernellab.grading.classroom.students import clean, file_key
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome

OVERRIDE_COLUMNS = ("student", "question", "points", "comment", "by")


class OverrideError(ValueError):
    """A line of overrides.csv that cannot be used: which one, and why."""


@dataclass(frozen=True)
class Record:
    """What grading one submission gave.

    Parameters
    ----------
    student, name : who.
    fingerprint : a hash of all that the outcomes depend on.
    answers : what was answered, by question.
    outcomes : what the grader said, by question.
    notes, problems : remarks, and reasons why a file could not be read.
    """

    student: str
    name: str = ""
    fingerprint: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The student's id as a file name."""
        return file_key(self.student)

    def write(self, path: Path) -> None:
        """Store the record, whole or not at all."""
        outcomes = {k: to_json(outcome) for k, outcome in self.outcomes.items()}
        content = vars(self) | {"outcomes": outcomes}
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        write_text(path, text, private=True)

    @staticmethod
    def read(path: Path) -> Record | None:
        """Return a stored record; None if there is none, or if it is damaged."""
        try:
            content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            outcomes = {k: from_json(o) for k, o in content.pop("outcomes").items()}
            notes, problems = (
                tuple(content.pop("notes")),
                tuple(content.pop("problems")),
            )
            return Record(**content, outcomes=outcomes, notes=notes, problems=problems)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


@dataclass(frozen=True)
class Override:
    """A person's decision: so many points for this question, and why."""

    points: float
    comment: str = ""
    by: str = ""


class Overrides(dict[tuple[str, str], Override]):
    """All decisions, by student (in lower case) and question."""

    def unused(self, found: Iterable[Result]) -> list[str]:
        """Return those that fit no student or no question: slips of the pen."""
        known = {
            (r.record.student.casefold(), m.question.id) for r in found for m in r.marks
        }
        return [f"{student}, {q}" for student, q in self if (student, q) not in known]


@dataclass(frozen=True)
class Mark:
    """One question of one student: the grader's outcome, and a person's decision."""

    question: Question
    outcome: Outcome
    override: Override | None = None

    @property
    def points(self) -> float:
        """The points that count."""
        return self.override.points if self.override else self.outcome.points


@dataclass(frozen=True)
class Result:
    """One student's grades; `notes` are remarks that depend on what was asked."""

    record: Record
    marks: tuple[Mark, ...]
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """All points that count."""
        return math.fsum(mark.points for mark in self.marks)

    @property
    def out_of(self) -> float:
        """All points that there are."""
        return math.fsum(mark.question.points for mark in self.marks)

    @property
    def status(self) -> str:
        """ "graded"; or what is open, all of it: "unreadable" (a file was), "error" (a
        person has to look), "waiting" (code was not run).
        """
        undecided = {mark.outcome.status for mark in self.marks if not mark.override}
        open_ = ["unreadable"] * bool(self.record.problems)
        open_ += [state for state in ("error", "waiting") if state in undecided]
        return " and ".join(open_) or "graded"


def results(
    records: Iterable[Record], questions: Iterable[Question], overrides: Overrides
) -> list[Result]:
    """Records and decisions together, for these questions."""
    asked = tuple(questions)
    return [Result(r, tuple(_mark(r, q, overrides) for q in asked)) for r in records]


def _mark(record: Record, question: Question, overrides: Overrides) -> Mark:
    outcome = record.outcomes.get(question.id) or question.unanswered()
    override = overrides.get((record.student.casefold(), question.id))
    return Mark(question, outcome, override)


def read_overrides(path: Path, questions: Mapping[str, Question]) -> Overrides:
    """Return the decisions in overrides.csv; the last one about a question counts."""
    overrides = Overrides()
    if not path.exists():
        return overrides
    # utf-8-sig: spreadsheets put a mark before the first column's name.
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        missing = {"student", "question", "points"} - set(rows.fieldnames or ())
        if missing:
            raise OverrideError(f"{path}: no column {', '.join(sorted(missing))}")
        for row in rows:
            student = clean(row["student"] or "").casefold()
            question = (row["question"] or "").strip().lower()
            where = f"{path}, line {rows.line_num}"
            points = _points(row["points"], where, questions.get(question))
            override = Override(points, row.get("comment") or "", row.get("by") or "")
            overrides[student, question] = override
    return overrides


def _points(text: str | None, where: str, question: Question | None) -> float:
    try:
        points = float((text or "").strip().replace(",", "."))
    except ValueError:
        points = math.nan
    if not (math.isfinite(points) and points >= 0):
        raise OverrideError(f"{where}: points must be a number from 0, not {text!r}")
    if question and points > question.points:
        most = f"{question.id} is worth {question.points}"
        raise OverrideError(f"{where}: {number(points)} points are too many: {most}")
    return points


def write_gradebook(path: Path, found: list[Result], isolation: str) -> None:
    """Write a CSV: student, name, one column per question, total, status, isolation."""
    write_with(path, lambda file: _write_rows(file, found, isolation), private=True)


def _write_rows(file: TextIO, found: list[Result], isolation: str) -> None:
    table = csv.writer(file, lineterminator="\n")
    ids = [mark.question.id for mark in found[0].marks] if found else []
    last = ["total", "out_of", "status", "isolation"]
    table.writerow(["student", "name", *ids, *last])
    for result in found:
        points = [number(mark.points) for mark in result.marks]
        who = [cell(result.record.student), cell(result.record.name)]
        total, out_of = number(result.total), number(result.out_of)
        table.writerow([*who, *points, total, out_of, result.status, isolation])


def number(points: float) -> str:
    """Return points without needless digits.

    >>> number(2.0), number(8 / 3)
    ('2', '2.67')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def cell(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula.

    >>> cell("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
