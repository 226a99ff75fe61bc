"""The questions that there are: a bank of sheets, asked by a question's id.

>>> from kernellab.grading.classroom.bank import normal_id
>>> normal_id(' "Ridge_Dual" ')
'ridge-dual'
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from kernellab.grading.classroom import loading
from kernellab.grading.classroom.loading import SheetError
from kernellab.grading.questions.base import Question, Sheet

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
BARE_POINTS = 10  # of a problem that no sheet asks
LONGEST_ID = 60  # so that "q-" and "a-" before it make a valid cell id of a notebook
_DASHES = dict.fromkeys(map(ord, "_‐‑‒–—−"), "-")


class UnknownQuestion(LookupError):
    """No question has this id; the message names the nearest ones."""


@dataclass(frozen=True)
class Bank:
    """Sheets of one folder, and an instructor's own tests on top of them.

    Parameters
    ----------
    folder : where the sheets are; None for no sheets at all.
    tests : a second folder of sheets. A question there replaces the one with the same
        id, wherever that stands; the others join the sheet of the same name, or are a
        sheet of their own.
    """

    folder: Path | None
    tests: Path | None = None

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """All sheets, sorted by name."""
        base = loading.load_folder(self.folder) if self.folder else ()
        own = loading.load_folder(self.tests) if self.tests else ()
        for group in (base, own):
            _check(group)
        return overlay(base, own)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """All questions of all sheets, by id."""
        return {q.id: q for sheet in self.sheets for q in sheet.questions}

    @cached_property
    def digest(self) -> str:
        """A hash of the sources that decide grades: sheets, tests and kernellab."""
        return loading.digest(tuple(f for f in (self.folder, self.tests) if f))

    def question(self, question_id: str) -> Question:
        """The question of this id; a problem without a sheet is a question too."""
        wanted = normal_id(question_id)
        found = self.questions.get(wanted) or bare_problem(wanted)
        if found is None:
            raise UnknownQuestion(self._unknown(question_id))
        return found

    def sheet(self, name: str) -> Sheet:
        """The sheet of this name; its number alone ("01"), or its file's name, do."""
        stem = Path(name.strip()).stem
        for sheet in self.sheets:
            if stem in (sheet.name, sheet.name.split("_")[0]):
                return sheet
        names = ", ".join(sheet.name for sheet in self.sheets) or "none"
        raise SheetError(f"no sheet {name!r}; there are: {names}")

    def sheet_of(self, question_id: str) -> Sheet | None:
        """The sheet in which a question stands."""
        wanted = normal_id(question_id)
        return next(
            (s for s in self.sheets if any(q.id == wanted for q in s.questions)), None
        )

    def near(self, question_id: str) -> list[str]:
        """Ids that look like this one, the nearest first."""
        from kernellab.grading.problems import PROBLEMS

        known = list(dict.fromkeys([*self.questions, *PROBLEMS]))
        return difflib.get_close_matches(normal_id(question_id)[:LONGEST_ID], known)

    def _unknown(self, question_id: str) -> str:
        message = f"there is no question {question_id.strip()[:LONGEST_ID]!r}"
        near = self.near(question_id)
        if near:
            return f"{message}; did you mean {' or '.join(near)}?"
        if self.sheets:
            return f"{message}; `python -m kernellab.grading list` shows all of them"
        return (
            f"{message}: no exercise sheets were found; start in the folder of the "
            f"exercises, or let the environment variable {loading.VARIABLE} name it"
        )


def open_bank(folder: Path | None = None, tests: Path | None = None) -> Bank:
    """The bank of a folder (by default the one `find_folder` finds), loaded once."""
    if folder is None:
        folder = loading.find_folder()
    else:
        folder = loading.check_folder(folder, "the argument")
    return stored_bank(
        folder, loading.check_folder(tests, "--tests") if tests else None
    )


@cache
def stored_bank(folder: Path | None, tests: Path | None) -> Bank:
    """The one bank of these folders, which need not be looked at again."""
    return Bank(folder, tests)


def sheets() -> tuple[Sheet, ...]:
    """The sheets of the default bank."""
    return open_bank().sheets


def question(question_id: str) -> Question:
    """A question of the default bank, by its id."""
    return open_bank().question(question_id)


def normal_id(text: str) -> str:
    """An id as it was meant: without quotes and spaces, lower case, with hyphens."""
    return text.strip().strip("\"'`“”‘’").strip().lower().translate(_DASHES)


def overlay(base: tuple[Sheet, ...], own: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """The base sheets with an instructor's own questions put in and added."""
    better = {q.id: q for sheet in own for q in sheet.questions}
    result = {s.name: replace(s, items=_swap(s.items, better)) for s in base}
    known = {q.id for sheet in base for q in sheet.questions}
    for sheet in own:
        fresh = tuple(q for q in sheet.questions if q.id not in known)
        if sheet.name in result:
            joined = result[sheet.name]
            result[sheet.name] = replace(joined, items=(*joined.items, *fresh))
        elif fresh:
            items = tuple(
                i for i in sheet.items if isinstance(i, str) or i.id not in known
            )
            result[sheet.name] = replace(sheet, items=items)
    return tuple(result[name] for name in sorted(result))


def _swap(
    items: tuple[str | Question, ...], better: dict[str, Question]
) -> tuple[str | Question, ...]:
    return tuple(i if isinstance(i, str) else better.get(i.id, i) for i in items)


def _check(group: tuple[Sheet, ...]) -> None:
    ids = Counter(q.id for sheet in group for q in sheet.questions)
    twice = sorted(name for name, count in ids.items() if count > 1)
    odd = sorted(n for n in ids if not ID.fullmatch(n) or len(n) > LONGEST_ID)
    names = Counter(sheet.name for sheet in group)
    if twice:
        raise SheetError(f"more than one question has the id {', '.join(twice)}")
    if odd:
        raise SheetError(
            f"an id has lower-case letters, digits and hyphens, at most {LONGEST_ID}: "
            f"{', '.join(map(repr, odd))}"
        )
    if len(names) < len(group):
        raise SheetError(f"two sheets have the same name: {', '.join(sorted(names))}")


def bare_problem(question_id: str) -> Question | None:
    """A problem of the derivation judge as a question, though no sheet asks it."""
    from kernellab.grading.problems import PROBLEMS

    problem = PROBLEMS.get(question_id)
    if problem is None:
        return None
    derivations = importlib.import_module("kernellab.grading.questions.derivations")
    made: Question = derivations.Derivation(
        id=problem.id,
        title=problem.title,
        statement=problem.statement,
        points=BARE_POINTS,
        references=(),
        problem=problem.id,
    )
    return made
