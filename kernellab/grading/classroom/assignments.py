"""Write the notebooks of the sheets, and tell whether the written ones are current."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kernellab.grading.classroom.files import write_text
from kernellab.grading.classroom.marking import is_attempt
from kernellab.grading.classroom.notebook_files import (
    SubmissionError,
    is_students,
    read_cells,
    source_of,
)
from kernellab.grading.classroom.sheets import Cell, Notebook, notebook
from kernellab.grading.classroom.submissions import scan
from kernellab.grading.questions.base import Sheet


class HasAnswers(ValueError):
    """A notebook that would be overwritten holds somebody's answers."""


def write_assignments(
    sheets: Iterable[Sheet], folder: Path, *, solved: bool = False, force: bool = False
) -> list[Path]:
    """Write one notebook a sheet; the outputs of unchanged cells stay.

    A notebook with answers in it is overwritten only if `force` says so; a student's
    own copy, in a folder for work, never.
    """
    chosen = [(sheet, folder / f"{sheet.name}.ipynb") for sheet in sheets]
    for _, path in chosen:
        if is_students(path):
            raise HasAnswers(
                f"{path} is a student's own copy and stays as it is; "
                "`make update` brings it up to date"
            )
    answered = [path for sheet, path in chosen if has_answers(sheet, path)]
    if answered and not (solved or force):
        names = ", ".join(map(str, answered))
        raise HasAnswers(f"there are answers in {names}; --force overwrites them")
    for sheet, path in chosen:
        fresh = notebook(sheet, solved=solved)
        write_text(path, notebook_text(keep_outputs(fresh, _existing(path))))
    return [path for _, path in chosen]


def outdated(
    sheets: Iterable[Sheet], folder: Path, *, solved: bool = False
) -> list[Path]:
    """Return the notebooks that are missing, or whose cells are not those of their
    sheet.
    """
    return [
        path
        for sheet in sheets
        for path in [folder / f"{sheet.name}.ipynb"]
        if _sources(_existing(path))
        != _sources(notebook(sheet, solved=solved)["cells"])
    ]


def has_answers(sheet: Sheet, path: Path) -> bool:
    """Return whether an existing notebook has an answer that is not the starter."""
    found = scan(_existing(path)).answers
    return any(
        is_attempt(question, answer)
        for question in sheet.questions
        for answer in found.get(question.id, ())
    )


def keep_outputs(fresh: Notebook, old: list[Cell]) -> Notebook:
    """Give the cells of a new notebook the outputs they had, if they are unchanged."""
    known = {(cell.get("id"), source_of(cell)): cell for cell in old}
    for cell in fresh["cells"]:
        before = known.get((cell["id"], source_of(cell)))
        if before is not None and cell["cell_type"] == "code":
            cell["outputs"] = before.get("outputs", [])
            cell["execution_count"] = before.get("execution_count")
    return fresh


def notebook_text(content: Notebook) -> str:
    """Return a notebook as Jupyter itself writes it."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _existing(path: Path) -> list[Cell]:
    try:
        return read_cells(path)
    except SubmissionError:
        return []


def _sources(cells: list[Cell]) -> list[tuple[Any, Any, str]]:
    return [(c.get("cell_type"), c.get("id"), source_of(c)) for c in cells]
