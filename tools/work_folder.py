"""A student's own copies of the course's notebooks, in the folder `work/`.

A copy is made once and never overwritten. In its metadata it remembers the course's
cells as they were, so that a newer version of the course can be told from what the
student has written, and the two can be put together cell by cell.
"""

import hashlib
import re
import shutil
import uuid
from collections import defaultdict
from pathlib import Path

from nbformat import NotebookNode, v4
from nbformat.sign import NotebookNotary

from kernellab.grading.classroom.files import write_text
from kernellab.grading.classroom.notebook_files import (
    STUDENT,
    SubmissionError,
    read_cells,
)
from kernellab.grading.classroom.record import FILE
from kernellab.grading.classroom.submissions import MAGIC, magic_id

COPIED = tuple(
    f"{folder}/*.{kind}"
    for folder in ("chapters", "exercises", "reference")
    for kind in ("ipynb", "md")
)
NOT_COPIED = ("benchmarks.ipynb",)  # it shows measurements of one machine
OLD = "old"


class WorkFolder:
    """The copies of one student.

    Parameters
    ----------
    course : folder of the course.
    folder : where the copies are.
    notary : what signs a copy, so that JupyterLab shows its figures.
    """

    def __init__(
        self, course: Path, folder: Path, notary: NotebookNotary | None = None
    ) -> None:
        self.course, self.folder = course, folder
        self.notary = notary or NotebookNotary()

    def files(self) -> list[str]:
        """Return the names of the files that a student gets, as in the course."""
        paths = (p for pattern in COPIED for p in sorted(self.course.glob(pattern)))
        wanted = (path for path in paths if path.name not in NOT_COPIED)
        return [path.relative_to(self.course).as_posix() for path in wanted]

    def copy_missing(self) -> list[str]:
        """Copy what is not there yet, and return its names; touch nothing else."""
        missing = [name for name in self.files() if not (self.folder / name).exists()]
        for name in missing:
            source, target = self.course / name, self.folder / name
            if source.suffix == ".ipynb":
                self.write(target, marked(read(source)), trusted=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        if not (self.folder / FILE).exists():
            write_text(self.folder / FILE, "{}\n", private=True)
        return missing

    def outdated(self) -> list[str]:
        """Return the names of the copies of which the course has a newer version."""
        return [name for name in self.files() if self.is_outdated(name)]

    def is_outdated(self, name: str) -> bool:
        """Return whether the course's cells are other ones than when they were copied.

        A notebook that cannot be read, or was not copied from here, is the student's
        own affair.
        """
        path = self.folder / name
        if path.suffix != ".ipynb" or not path.exists():
            return False
        try:
            before = read(path).metadata.get(STUDENT, {}).get("cells")
        except ValueError:
            return False
        return before is not None and before != digests(read(self.course / name))

    def update(self, name: str) -> Path:
        """Put the newer version in place, with what the student wrote in it.

        Returns where the copy as it was is kept.
        """
        path = self.folder / name
        mine, course = read(path), marked(read(self.course / name))
        course.cells = merge(
            mine.metadata.get(STUDENT, {}).get("cells", {}), mine.cells, course.cells
        )
        kept = self.keep(name)
        self.write(path, course, trusted=self.notary.check_signature(mine))
        return kept

    def keep(self, name: str) -> Path:
        """Copy a student's file to where nothing is ever overwritten."""
        path = self.folder / name
        target, number = self.folder / OLD / name, 1
        while target.exists():
            number += 1
            target = target.with_name(f"{path.stem}-{number}{path.suffix}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        return target

    def write(self, path: Path, notebook: NotebookNode, *, trusted: bool) -> None:
        """Write a notebook whole or not at all; sign it if it is trusted."""
        text = v4.writes(notebook) + "\n"
        write_text(path, text)
        if trusted:
            self.notary.sign(v4.reads(text))


def read(path: Path) -> NotebookNode:
    """Read a notebook; one that is none is a ValueError."""
    try:
        read_cells(path)
        notebook: NotebookNode = v4.reads(path.read_text(encoding="utf-8-sig"))
    except SubmissionError as error:
        raise ValueError(f"{path}: {error}") from error
    for cell in notebook.cells:
        cell.setdefault("id", uuid.uuid4().hex[:8])  # older notebooks have none
    return notebook


def marked(notebook: NotebookNode) -> NotebookNode:
    """Write into a notebook of the course what its cells are."""
    notebook.metadata[STUDENT] = {"cells": digests(notebook)}
    return notebook


def digests(notebook: NotebookNode) -> dict[str, str]:
    """Return a short hash of the text of each cell, by the cell's id."""
    return {cell.id: digest(cell) for cell in notebook.cells}


def digest(cell: NotebookNode) -> str:
    """Return a short hash of a cell's kind and text; outputs do not count."""
    text = f"{cell.cell_type}\n{cell.source.rstrip()}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# --- two versions ---------------------------------------------------------------------


def merge(
    base: dict[str, str], mine: list[NotebookNode], course: list[NotebookNode]
) -> list[NotebookNode]:
    """Return the course's cells with everything that the student wrote among them.

    Answers take the place of the cell for their question, whatever their own place and
    id are. Another cell that only the student has changed stays as the student has it;
    where both have changed it, the student's follows the course's. Cells of the
    student's own stand after the cell after which they stood.

    Parameters
    ----------
    base : digests of the course's cells when they were copied, by id.
    mine, course : the student's cells, and the new ones.
    """
    theirs = {cell.id: cell for cell in course}
    asked = {question_of(cell): cell.id for cell in course if question_of(cell)}
    instead: dict[str, list[NotebookNode]] = defaultdict(list)
    after: dict[str, list[NotebookNode]] = defaultdict(list)
    place = ""  # the last cell of the course before this one
    for cell in mine:
        known, written = theirs.get(cell.id), digest(cell)
        answered = asked.get(question_of(cell))
        place = answered or (cell.id if known else place)
        before = base.get(cell.id)
        if written == before or (known and written == digest(known)):
            continue  # as the course had it, or has it
        if answered or (known and before == digest(known)):
            instead[place].append(cell)
        else:
            after[place].append(cell)
    result = list(after[""])
    for cell in course:
        result += [*(instead[cell.id] or [cell]), *after[cell.id]]
    return with_unique_ids(result)


def question_of(cell: NotebookNode) -> str:
    """Return the id of the question that a cell answers, or nothing."""
    found = re.match(MAGIC, cell.source)
    return magic_id(found[1]) if found else ""


def with_unique_ids(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return copies of the cells, of which no two have the same id."""
    used: set[str] = set()
    result = []
    for cell in cells:
        name = uuid.uuid4().hex[:8] if cell.id in used else cell.id
        used.add(name)
        result.append(NotebookNode({**cell, "id": name}))
    return result
