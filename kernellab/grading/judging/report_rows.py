"""What a report shows of each line and of each milestone, in any format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kernellab.grading.judging.check import Line
from kernellab.grading.judging.phrases import Typesetter
from kernellab.grading.judging.report import MARKS, Report
from kernellab.grading.judging.suppositions import open_hypothesis
from kernellab.grading.language.letters import Letters
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import counts_from_one, read
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import MAX_STEPS, Step, continued, steps
from kernellab.grading.language.tree import Relation
from kernellab.grading.language.vocabulary import Vocabulary
from kernellab.grading.problem import Milestone

CARRIED = (
    "↪ is right in itself, but rests on a line that did not pass: half the credit."
)
VERDICTS = {
    "ok": "right",
    "carried": "right, but rests on a wrong line",
    "wrong": "wrong",
    "unreadable": "could not be read",
    "skipped": "not checked",
}


@dataclass(frozen=True)
class Row:
    """A line as it is shown.

    Parameters
    ----------
    line : what the grader says about it.
    relation : the mathematics, if it could be read; of a line that continues the one
        before only what it adds, with as many signs as sides.
    typesetter : how its names are written, and its sentences.
    words : whether the line is a sentence, such as an assumption.
    first : whether it is the first line that fails.
    opening : the word before it, “case” or “let”.
    """

    line: Line
    relation: Relation | None
    typesetter: Typesetter
    words: bool = False
    first: bool = False
    opening: str = ""

    @property
    def letters(self) -> Letters:
        return self.typesetter.letters

    @property
    def mark(self) -> str:
        return MARKS[self.line.status]

    @property
    def reasons(self) -> str:
        """The reasons, without one that repeats the line itself."""
        said = (reason for reason in self.line.reasons if reason != self.line.text)
        return "; ".join(said)

    @property
    def used(self) -> str:
        """By what it follows, unless the reasons say just that."""
        return "" if self.line.used == self.reasons else self.line.used


def rows(report: Report) -> list[Row]:
    """The lines of a report, without those beyond the number that is read."""
    names = frozenset(report.problem.table).union(
        *(relation.symbols() for relation in report.relations.values())
    )
    vocabulary = report.problem.words(names)
    bad = report.first_bad
    return [
        _row(report, line, vocabulary, line.number == bad)
        for line in report.lines[:MAX_STEPS]
    ]


def unread(report: Report) -> str:
    """How many lines are not shown, in words; empty if all are."""
    more = len(report.lines) - MAX_STEPS
    return f"… and {more} more lines, which were not read." if more > 0 else ""


def _row(report: Report, line: Line, vocabulary: Vocabulary, first: bool) -> Row:
    step = next(iter(steps(line.text)), Step(line.text, "", line.text))
    one_based = counts_from_one(step.relation)
    typesetter = Typesetter(vocabulary, Letters.of(report.problem, int(one_based)))
    if step.wordy or not step.relation:
        return Row(line, None, typesetter, True, first)
    if line.status in ("unreadable", "skipped"):
        return Row(line, None, typesetter, False, first)
    relation = report.relations.get(line.number)
    if relation is None or step.continues:
        relation = _added(step, vocabulary, one_based, relation)
    let = line.text.lstrip("$ ").lower().startswith("let")
    opening = "case" if step.supposes else "let" if step.let and let else ""
    return Row(line, relation, typesetter, False, first, opening)


def _added(
    step: Step, vocabulary: Vocabulary, one_based: bool, whole: Relation | None
) -> Relation | None:
    """The part of a chain that a line adds; else the line alone."""
    sign, rest = (step.continues and continued(step.relation)) or ("", step.relation)
    try:
        alone = read(rest, vocabulary, one_based)
    except (ReadError, RecursionError):
        return whole
    if not sign:
        return whole or alone
    known = whole or Relation(alone.sides, (sign, *alone.signs))
    count = len(alone.sides)
    return Relation(known.sides[-count:], known.signs[-count:])


@dataclass(frozen=True)
class Station:
    """A milestone: its name, also as mathematics, and the line that reached it."""

    name: str
    relation: Relation | None
    line: int | None
    sound: bool
    hurried: int | None = None
    optional: bool = False

    @property
    def mark(self) -> str:
        return "·" if self.line is None else "✓" if self.sound else "↪"

    @property
    def where(self) -> str:
        if self.hurried is not None:
            return f"line {self.hurried} says it, in too large a step: show the way"
        if self.line is not None:
            return f"line {self.line}"
        return "not needed" if self.optional else "not reached yet"


def stations(report: Report) -> Iterator[Station]:
    """The milestones of the best route, in its order."""
    for milestone in report.progress.route.milestones:
        passage = report.progress.reached.get(milestone.name)
        line, sound = (passage.line, passage.sound) if passage else (None, False)
        hurried = report.progress.hurried.get(milestone.name)
        fast = hurried.line if hurried and not passage else None
        formula, optional = _formula(report, milestone), milestone.optional
        yield Station(milestone.name, formula, line, sound, fast, optional)


def _formula(report: Report, milestone: Milestone) -> Relation | None:
    """The name of a milestone, if it is the milestone's relation or its left side."""
    name, whole = milestone.name, milestone.relation
    if name != whole and not whole.startswith(f"{name} ="):
        return None
    try:
        return report.problem.parse(name)
    except (ReadError, ShapeError):
        return None


def route_name(report: Report) -> str:
    """The name of the route, where there are several."""
    return report.progress.route.name if len(report.problem.routes) > 1 else ""


def verdict(report: Report) -> str:
    """One sentence on the whole."""
    if not report.lines:
        return "There is no step to check yet."
    if report.accepted:
        return "Accepted: every line follows, and the derivation arrives."
    if report.first_bad is not None:
        return f"Line {report.first_bad} is the first that does not pass."
    return f"Every line follows, but {_pending(report)}."


def _pending(report: Report) -> str:
    """Say why a derivation without a wrong line is not finished."""
    context = report.judged.context if report.judged else None
    if context is not None and context.split:
        return "the cases are open: say what holds “in all cases”"
    if context is not None and open_hypothesis(context):
        return "the induction is open: repeat its hypothesis, “by induction”"
    return "the derivation has not arrived yet"


def earned(report: Report, points: float | None, out_of: float | None) -> str:
    """The points in words, or the share if the derivation stands for no points."""
    if points is None or out_of is None:
        return f"{100 * report.score:.3g} %"
    return f"{points:g} of {out_of:g} point{'' if out_of == 1 else 's'}"


def remarks(row: Row, names: frozenset[str]) -> list[tuple[str, str]]:
    """What is said below a line: pairs of a label, which may be empty, and a text."""
    line = row.line
    found = [
        ("", sentence(line.message, names)),
        ("counterexample", line.counterexample),
        ("nearest repair", line.suggestion),
    ]
    return [(label, text.strip()) for label, text in found if text.strip()]


def sentence(text: str, names: frozenset[str]) -> str:
    """With a capital letter, unless the first word is a symbol."""
    first = re.match(r"[a-z]{2,}(?=[\s,:])", text)
    if first is None or first[0] in names:
        return text
    return text[0].upper() + text[1:]
