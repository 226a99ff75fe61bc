"""What is odd about a class, said to the student, to the instructor, or to both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.gradebook import Result
from kernellab.grading.classroom.students import Entry


def with_notes(found: list[Result], bank: Bank) -> list[Result]:
    """Say to each student which answers belong to a sheet that is not graded here."""
    return [replace(result, notes=_elsewhere(result, bank)) for result in found]


def _elsewhere(result: Result, bank: Bank) -> tuple[str, ...]:
    asked = {mark.question.id for mark in result.marks}
    given = result.record.outcomes.items()
    others = [q for q, o in given if q not in asked and o.status != "unanswered"]
    sheets = Counter(getattr(bank.sheet_of(q), "name", "no sheet") for q in others)
    return tuple(
        f"answers to another sheet, {name}, which is not graded here: {count}"
        for name, count in sheets.items()
    )


def for_instructor(
    entries: Iterable[Entry], found: list[Result], bank: Bank
) -> list[str]:
    """Return one line for each thing that an instructor should look at."""
    lines = [f"{entry.student}: {note}" for entry in entries for note in entry.notes]
    for result in found:
        lines += [f"{result.record.student}: {note}" for note in result.notes]
        lines += [
            f"{result.record.student}: {mark.question.id} was not judged: {why}"
            for mark in result.marks
            if (why := mark.outcome.data.get("not_judged"))
        ]
    return lines + _rarely_answered(found, bank)


def _rarely_answered(found: list[Result], bank: Bank) -> list[str]:
    """Name the sheets that count for all because a few have answered them."""
    asked = [mark.question.id for mark in found[0].marks] if found else []
    lines = []
    for sheet in bank.sheets:
        own = [question.id for question in sheet.questions if question.id in asked]
        some = sum(any(q in result.record.answers for q in own) for result in found)
        if own and 0 < 2 * some < len(found):
            lines.append(
                f"{sheet.name} counts for everybody, and {some} of {len(found)} have "
                "answered it; --sheet names the sheets to grade"
            )
    return lines
