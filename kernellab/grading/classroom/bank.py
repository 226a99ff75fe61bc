"""The questions that there are: a bank of sheets, asked by a question's id.

>>> from kernellab.grading.classroom.bank import normal_id
>>> normal_id(' "Ridge_Dual" ')
'ridge-dual'
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from kernellab.grading.classroom import loading
from kernellab.grading.classroom.loading import SheetError
from kernellab.grading.problem import Problem
from kernellab.grading.questions.base import Question, Sheet

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 60  # so that "q-" and "a-" before it make a valid cell id of a notebook
_KIND = re.compile(r"^kind: derivation$", re.MULTILINE)
_PROBLEM = re.compile(r"^problem: (\S+)$", re.MULTILINE)
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
        return overlay(_sheets(self.folder), _sheets(self.tests))

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of each question that can be answered, by id; none is read."""
        return {**_files(self.folder), **_files(self.tests)}

    @cached_property
    def questions(self) -> dict[str, Question]:
        """All questions of all sheets, by id."""
        return {q.id: q for sheet in self.sheets for q in sheet.questions}

    @cached_property
    def digest(self) -> str:
        """A hash of the sources that decide grades: sheets, tests and kernellab."""
        return loading.digest(tuple(f for f in (self.folder, self.tests) if f))

    def question(self, question_id: str) -> Question:
        """Read the question of this id, or the one whose problem has this name.

        The id ``left-out/2`` is the second question like ``left-out``, for practice.
        """
        wanted, _, number = normal_id(question_id).partition("/")
        path = self.files.get(wanted) or self.problem_names.get(wanted)
        if path is None:
            raise UnknownQuestion(self._unknown(question_id))
        found = loading.load_question(path)
        return _another(found, number) if number else found

    @cached_property
    def problem_names(self) -> dict[str, Path]:
        """The names of the derivation problems, and the questions that declare them."""
        found: dict[str, Path] = {}
        for name, path in self.files.items():
            text = path.read_text(encoding="utf-8") if path.suffix == ".md" else ""
            if _KIND.search(text):
                other = _PROBLEM.search(text)
                name = other[1] if other else name
                if name in found:
                    where = f"{found[name]} and {path}"
                    raise SheetError(f"two problems have the name {name}: {where}")
                found[name] = path
        return found

    def problem(self, name: str) -> Problem:
        """Read the derivation problem of this name; a KeyError if there is none."""
        # Here, because it brings the whole judge with it.
        from kernellab.grading.questions.derivations import Derivation

        found = loading.load_question(self.problem_names[name])
        assert isinstance(found, Derivation)
        return found.problem

    def sheet(self, name: str) -> Sheet:
        """Return the sheet of this name; its number alone ("01"), or its file's name,
        do.
        """
        stem = Path(name.strip()).stem
        for sheet in self.sheets:
            if stem in (sheet.name, sheet.name.split("_")[0]):
                return sheet
        names = ", ".join(sheet.name for sheet in self.sheets) or "none"
        raise SheetError(f"no sheet {name!r}; there are: {names}")

    def sheet_of(self, question_id: str) -> Sheet | None:
        """Return the sheet in which a question stands."""
        wanted = normal_id(question_id)
        return next(
            (s for s in self.sheets if any(q.id == wanted for q in s.questions)), None
        )

    def near(self, question_id: str) -> list[str]:
        """Ids that look like this one, the nearest first."""
        known = list(dict.fromkeys([*self.files, *self.problem_names]))
        return difflib.get_close_matches(normal_id(question_id)[:LONGEST_ID], known)

    def _unknown(self, question_id: str) -> str:
        message = f"there is no question {question_id.strip()[:LONGEST_ID]!r}"
        near = self.near(question_id)
        if near:
            return f"{message}; did you mean {' or '.join(near)}?"
        if self.files:
            return f"{message}; `python -m kernellab.grading list` shows all of them"
        return (
            f"{message}: no exercise sheets were found; start in the folder of the "
            f"exercises, or let the environment variable {loading.VARIABLE} name it"
        )


def open_bank(folder: Path | None = None, tests: Path | None = None) -> Bank:
    """Return the bank of a folder (by default the one `find_folder` finds), loaded
    once.
    """
    if folder is None:
        folder = loading.find_folder()
    else:
        folder = loading.check_folder(folder, "the argument")
    return stored_bank(
        folder, loading.check_folder(tests, "--tests") if tests else None
    )


@cache
def stored_bank(folder: Path | None, tests: Path | None) -> Bank:
    """Return the one bank of these folders, which need not be looked at again."""
    return Bank(folder, tests)


def _another(question: Question, number: str) -> Question:
    """Return the question like this one that has a number."""
    if not (number.isdecimal() and 1 <= int(number) <= len(question.others)):
        there = len(question.others)
        raise UnknownQuestion(
            f"there is no question {question.id}/{number}: "
            f"{there or 'no'} others are like {question.id}"
        )
    return question.others[int(number) - 1]()


def sheets() -> tuple[Sheet, ...]:
    """Return the sheets of the default bank."""
    return open_bank().sheets


def question(question_id: str) -> Question:
    """Return a question of the default bank, by its id."""
    return open_bank().question(question_id)


def normal_id(text: str) -> str:
    """Return an id as it was meant: without quotes and spaces, lower case, with
    hyphens.
    """
    return text.strip().strip("\"'`“”‘’").strip().lower().translate(_DASHES)


def overlay(base: tuple[Sheet, ...], own: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """Return the base sheets with an instructor's own questions put in and added."""
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


def _sheets(folder: Path | None) -> tuple[Sheet, ...]:
    if folder is None:
        return ()
    _files(folder)  # its checks come before any question is read
    return tuple(map(loading.load_sheet, loading.sheet_folders(folder)))


def _files(folder: Path | None) -> dict[str, Path]:
    """Return the files of a folder's questions by id, each of which must be one."""
    found = loading.question_files(folder) if folder else {}
    for name, paths in found.items():
        if len(paths) > 1:
            where = " and ".join(map(str, paths))
            raise SheetError(f"more than one question has the id {name}: {where}")
        if not ID.fullmatch(name) or len(name) > LONGEST_ID:
            raise SheetError(
                f"{paths[0]}: the name of a question's file is its id, lower-case "
                f"letters, digits and hyphens, at most {LONGEST_ID}"
            )
    return {name: paths[0] for name, paths in found.items()}
