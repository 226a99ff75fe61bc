"""What a report shows, in any format: its lines, its milestones, its verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kernellab.grading.judging.phrases import Typesetter
from kernellab.grading.judging.report import Line, Report
from kernellab.grading.judging.suppositions import open_hypothesis
from kernellab.grading.judging.wording import listed
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import MAX_STEPS, Step, steps
from kernellab.grading.language.tree import Relation
from kernellab.grading.language.vocabulary import Vocabulary
from kernellab.grading.problem import Milestone

MARKS = {
    "ok": "✓", "carried": "↪", "wrong": "✗", "unreadable": "✗", "skipped": "·",
    "unjudged": "–",
}  # fmt: skip
CARRIED = "↪ is right in itself, but rests on a line that did not pass"


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
    reasons : the student's, without one that repeats the line itself.
    used : by what it follows, unless the reasons say just that.
    remarks : what is said below it: pairs of a label, which may be empty, and a text.
    """

    line: Line
    relation: Relation | None
    typesetter: Typesetter
    words: bool
    first: bool
    opening: str
    reasons: str
    used: str
    remarks: list[tuple[str, str]]

    @property
    def mark(self) -> str:
        return MARKS[self.line.status]


@dataclass(frozen=True)
class Station:
    """A milestone as it is shown.

    Parameters
    ----------
    relation : its name as mathematics, if it is some.
    where : where it is reached.
    remark : why it is not reached.
    """

    name: str
    relation: Relation | None
    mark: str
    where: str
    remark: str = ""


@dataclass(frozen=True)
class Document:
    """A report, ready to be written.

    Parameters
    ----------
    points, out_of : what it earned of how much, if it stands for points.
    exam : whether explanations and milestones are left out.
    milestones : whether these are shown, outside of an exam.
    """

    report: Report
    points: float | None = None
    out_of: float | None = None
    exam: bool = False
    milestones: bool = True

    @property
    def mark(self) -> str:
        """The mark of the whole; none for a derivation that is only unfinished."""
        return "✓" if self.report.accepted else "✗" if self.report.first_bad else ""

    @property
    def verdict(self) -> str:
        """One sentence on the whole; formulas stand between backticks."""
        if all(line.status == "unjudged" for line in self.report.lines):
            return "There is no step to check yet."
        if self.report.accepted:
            return "Accepted: every line follows, and the derivation arrives."
        if self.report.first_bad is not None:
            first = f"Line {self.report.first_bad} is the first that does not pass"
            return f"{first}{_spare(self.report)}."
        return f"Every line follows, but {_pending(self.report, bool(self.stations))}."

    @property
    def earned(self) -> str:
        """The points, or the share if the derivation stands for no points."""
        if self.points is None or self.out_of is None:
            return f"{100 * self.report.score:.3g} %"
        return f"{self.points:g} of {self.out_of:g} point{'s' * (self.out_of != 1)}"

    @cached_property
    def rows(self) -> list[Row]:
        """The lines, without those beyond the number that is read."""
        lines = self.report.lines[:MAX_STEPS]
        return [_row(self.report, line, self._words, self.exam) for line in lines]

    @cached_property
    def _words(self) -> Vocabulary:
        problem, relations = self.report.problem, self.report.relations.values()
        known = (relation.symbols() for relation in relations)
        return problem.words(frozenset(problem.table).union(*known))

    @property
    def typesetter(self) -> Typesetter:
        """How names are written beside the milestones."""
        return Typesetter(self._words, self.report.problem.letters())

    @property
    def unread(self) -> str:
        """How many lines are not shown, in words; empty if all are."""
        more = len(self.report.lines) - MAX_STEPS
        return f"… and {more} more lines, which were not read." if more > 0 else ""

    @property
    def route(self) -> str:
        """The name of the best route, where there are several."""
        several = len(self.report.problem.routes) > 1
        return self.report.progress.route.name if several else ""

    @property
    def stations(self) -> list[Station]:
        """The milestones of the best route."""
        shown = self.milestones and not self.exam
        milestones = self.report.progress.route.milestones if shown else ()
        return [_station(self.report, milestone) for milestone in milestones]

    @property
    def note(self) -> str:
        """What ↪ means, if it occurs."""
        if not any(line.status == "carried" for line in self.report.lines):
            return ""
        progress = self.report.progress
        if progress.one_slip:
            return (
                f"{CARRIED}. It is one slip, followed to the end: half of the points."
            )
        if any(not passage.sound for passage in progress.reached.values()):
            return f"{CARRIED}: half the credit."
        why = progress.unpaid or "no such line reaches a new milestone"
        return f"{CARRIED}. It earns nothing here, since {why}."

    @property
    def proofs(self) -> dict[int, list[str]]:
        """The proof of each line in sentences, as far as it is shown."""
        found: dict[int, list[str]] = {}
        if not self.exam and self.report.context is not None:
            for proven in self.report.certificate().proven:
                found.setdefault(proven.line, []).extend(proven.words)
        return found


def _spare(report: Report) -> str:
    """Say that the lines that fail can be left out, if they can."""
    if not report.progress.spare:
        return ""
    bad = [str(line.number) for line in report.lines if not line.ok]
    them = "it" if len(bad) == 1 else f"lines {listed(bad)}"
    return f"; all milestones are reached without {them}, which may be left out"


def _pending(report: Report, named: bool) -> str:
    """Say why a derivation without a wrong line is not finished.

    Parameters
    ----------
    named : whether milestones may be named.
    """
    context, missing = report.context, report.missing
    if context is not None and context.split:
        return "the cases are open: say what holds “in all cases”"
    if context is not None and open_hypothesis(context):
        return "the induction is open: repeat its hypothesis, “by induction”"
    if not missing:
        return "the checker does not confirm its cases or its induction: tell us"
    pending = (m for m in report.progress.route.milestones if m.name in missing)
    which = listed(
        f"`{m.name}`" if _formula(report, m) else f"“{m.name}”" for m in pending
    )
    verb = "is" if len(missing) == 1 else "are"
    where = f": {which} {verb} missing" if named else ""
    return f"the derivation has not arrived yet{where}"


# Lines


def _row(report: Report, line: Line, words: Vocabulary, exam: bool) -> Row:
    step = next(iter(steps(line.text)), Step(line.text, "", line.text))
    let = step.let and line.text.lstrip("$ ").lower().startswith("let")
    reasons = "; ".join(reason for reason in line.reasons if reason != line.text)
    wordy = step.wordy or not step.relation
    unread = wordy or line.status in ("unreadable", "skipped")
    one_based = report.context is not None and report.context.one_based
    return Row(
        line,
        None
        if unread
        else _shown(step, words, one_based, report.relations.get(line.number)),
        Typesetter(words, report.problem.letters(int(one_based))),
        wordy,
        line.number == report.first_bad,
        "case" if step.supposes else "let" if let else "",
        reasons,
        "" if exam or line.used == reasons else line.used,
        [] if exam else _remarks(line, frozenset(report.problem.table)),
    )


def _shown(
    step: Step, words: Vocabulary, one_based: bool, whole: Relation | None
) -> Relation | None:
    """Return what a line says; of a chain the part that it adds."""
    if whole is not None and not step.continues:
        return whole
    try:
        alone = read(step.relation, words, one_based, step.continues)
    except (ReadError, RecursionError):
        return whole
    count, known = len(alone.sides), whole or alone
    return Relation(known.sides[-count:], known.signs[-count:])


def _remarks(line: Line, names: frozenset[str]) -> list[tuple[str, str]]:
    found = [
        ("", sentence(line.message, names)),
        ("counterexample", line.counterexample),
        ("nearest repair", line.suggestion),
    ]
    return [(label, text.strip()) for label, text in found if text.strip()]


def sentence(text: str, names: frozenset[str]) -> str:
    """Return it with a capital letter, unless the first word is a symbol."""
    first = re.match(r"[a-z]{2,}(?=[\s,:])", text)
    if first is None or first[0] in names:
        return text
    return text[0].upper() + text[1:]


# Milestones


def _station(report: Report, milestone: Milestone) -> Station:
    passage = report.progress.reached.get(milestone.name)
    remark = report.remarks.get(milestone.name, "")
    mark, where = "·", "optional" if milestone.optional else "not reached yet"
    if report.progress.uncompared:
        where = "not looked for: the lines are too many, or too large, to compare"
    if passage:
        mark, where = "✓", f"line {passage.line}"
        if not passage.sound:
            mark, where = "↪", f"{where}, half"
    formula = _formula(report, milestone)
    names = frozenset(report.problem.table)
    said = f"{sentence(remark, names)}." if remark else ""
    return Station(milestone.name, formula, mark, where, said)


def _formula(report: Report, milestone: Milestone) -> Relation | None:
    """Return the name of a milestone, if it is its relation or its left side."""
    name, whole = milestone.name, milestone.relation
    if name != whole and not whole.startswith(f"{name} ="):
        return None
    try:
        return report.problem.parse(name)
    except (ReadError, ShapeError):
        return None
