"""Read the answers out of a notebook that somebody handed in.

An answer is found by the id of its question, never by its place: it is a cell whose
first line is ``%%answer id``, or a call ``answer("id", "…")`` with two plain strings.
So cells may be moved, and other cells may stand between them. What students do to
notebooks, and what it means:

- a deleted cell: the question is unanswered;
- the same id twice: the last one that says anything counts, alone, and a note says so;
- a split cell: the part without ``%%answer`` is not read, and a note says so;
- a cell turned into Markdown: it still counts.

`notebook_files` reads the files themselves.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernellab.grading.classroom.bank import Bank, UnknownQuestion, normal_id
from kernellab.grading.classroom.marking import is_attempt
from kernellab.grading.classroom.notebook_files import (
    SubmissionError,
    read_cells,
    source_of,
    valid,
)

MOST_NOTES = 20
MOST_MAGICS = 20
LONGEST_CODE = 200_000  # characters of a cell in which calls are looked for
PARAMETERS = ("question_id", "text")  # of the function answer()
INSIDE = re.compile(r"^[ \t]*%%answer\b", re.IGNORECASE | re.MULTILINE)
MAGIC_LINE = re.compile(r"[ \t]*[%!]")
MAGIC = re.compile(r"\s*%%answer\b[ \t]*([^\r\n]*)", re.IGNORECASE)


@dataclass
class Scan:
    """What one notebook holds: all answers by id in their order, and remarks.

    `places` has the numbers of the cells in which the answers stand.
    """

    answers: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, question_id: str, text: str, number: int) -> None:
        """Keep an answer of the cell of this number."""
        self.answers.setdefault(question_id, []).append(text)
        self.places.setdefault(question_id, []).append(number)

    def note(self, text: str) -> None:
        """Keep a remark; a notebook of many cells gets no more than a few."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(text)


@dataclass(frozen=True)
class Submission:
    """The answers of one student.

    Parameters
    ----------
    answers : one text for each question that has a cell, blank or not.
    notes : remarks for the student.
    problems : why a file could not be read, one line each.
    """

    answers: dict[str, str]
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def read_submission(paths: Iterable[Path], bank: Bank) -> Submission:
    """Return the answers in one or more notebooks of one student.

    If two notebooks answer the same question, the one that is named like a sheet
    counts; otherwise the last by name.
    """
    names = {sheet.name for sheet in bank.sheets}
    answers: dict[str, list[str]] = {}
    places: dict[str, list[int]] = {}
    notes: list[str] = []
    problems: list[str] = []
    for path in sorted(paths, key=lambda p: (p.stem in names, str(p))):
        try:
            found = scan(read_cells(path))
        except SubmissionError as error:
            problems.append(f"{valid(path.name)}: {error}")
            continue
        notes += found.notes
        for question_id, texts in found.answers.items():
            answers.setdefault(question_id, []).extend(texts)
            places.setdefault(question_id, []).extend(found.places[question_id])
    chosen, more = choose(answers, places, bank)
    return Submission(chosen, tuple((*notes, *more)[:MOST_NOTES]), tuple(problems))


def choose(
    answers: dict[str, list[str]], places: dict[str, list[int]], bank: Bank
) -> tuple[dict[str, str], list[str]]:
    """Return one answer a question, the last that is more than its starter; and
    notes.
    """
    chosen: dict[str, str] = {}
    notes: list[str] = []
    for question_id, texts in answers.items():
        if "/" in question_id:
            continue  # drawn anew, for practice
        if question_id not in bank.questions and len(notes) >= MOST_NOTES:
            continue  # to look for what was meant takes its time
        try:
            question = bank.question(question_id)
        except UnknownQuestion as error:
            cells = ", ".join(map(str, places[question_id]))
            notes.append(f"cell {cells} was not graded: {error}")
            continue
        pairs = zip(texts, places[question_id], strict=True)
        attempts = [(text, n) for text, n in pairs if is_attempt(question, text)]
        chosen[question.id] = attempts[-1][0] if attempts else texts[-1]
        if len(attempts) > 1:
            cells = ", ".join(str(n) for _, n in attempts)
            notes.append(f"{question.id} is answered in cells {cells}: the last counts")
    return chosen, notes


def scan(cells: list[dict[str, Any]]) -> Scan:
    """Return all answers in a list of cells, and what is odd about them."""
    result = Scan()
    before: str | None = None
    for number, cell in enumerate(cells, start=1):
        source = source_of(cell)
        named = MAGIC.match(source)
        if named:
            before = _scan_answer(result, number, cell, named)
        elif source.strip():
            _scan_other(result, number, cell, source, before)
            before = None
    return result


def _scan_answer(
    result: Scan, number: int, cell: dict[str, Any], named: re.Match[str]
) -> str | None:
    question_id = magic_id(named.group(1))
    if not question_id:
        result.note(f"cell {number}: %%answer names no question; it was not graded")
        return None
    body = named.string[named.end() :]
    result.add(question_id, body.lstrip("\r\n"), number)
    if cell.get("cell_type") != "code":
        result.note(
            f"cell {number} ({question_id}) is not a code cell; it still counts"
        )
    if INSIDE.search(body):
        result.note(
            f"cell {number} ({question_id}) has a second %%answer inside: a cell holds "
            "one answer, and all of it was read as the first"
        )
    return question_id


def _scan_other(
    result: Scan, number: int, cell: dict[str, Any], source: str, before: str | None
) -> None:
    if cell.get("cell_type") != "code":
        return
    if INSIDE.search(source):
        result.note(f"cell {number}: %%answer is not its first line; not graded")
    for question_id, text in answer_calls(source):
        result.add(normal_id(question_id), text, number)
    if before and not re.search(r"\b(answer|hint|score)\b", source):
        result.note(
            f"cell {number} stands right after the answer to {before} and has no "
            "%%answer: it was not read as a part of it"
        )


def magic_id(rest: str) -> str:
    """Return the question's id in what follows %%answer, without options like
    --exam.
    """
    words = (word for word in rest[:200].split() if not word.startswith("--"))
    return normal_id(next(words, ""))


def answer_calls(source: str) -> Iterator[tuple[str, str]]:
    """Yield the calls ``answer("id", "text")`` in a cell's code, found without running
    it.
    """
    if "answer" not in source or len(source) > LONGEST_CODE:
        return
    nodes = ast.walk(_parse(source))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if _name(call.func) == "answer":
            named = {k.arg: k.value for k in call.keywords}
            given = [*call.args, *(named[k] for k in PARAMETERS if k in named)]
            texts = [a.value for a in given if isinstance(a, ast.Constant)]
            if len(texts) == 2 and all(isinstance(text, str) for text in texts):
                yield str(texts[0]), valid(str(texts[1]))


def _parse(source: str) -> ast.AST:
    """Return the syntax tree of a cell without its magics; an empty one if it has
    none.
    """
    lines = source.split("\n")
    for _ in range(MOST_MAGICS):
        try:
            with warnings.catch_warnings():
                # "\lambda" is no valid escape, which is nobody's concern here.
                warnings.simplefilter("ignore")
                return ast.parse("\n".join(lines))
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            if not (0 <= number < len(lines) and MAGIC_LINE.match(lines[number])):
                break
            lines[number] = ""
        except (ValueError, RecursionError, MemoryError):
            break
    return ast.Pass()


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
