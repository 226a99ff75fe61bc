"""The two notebooks of a sheet: the student's copy, and the one with the answers.

A notebook is made of plain dictionaries, so that no other package is needed. The cells
keep their ids from one version to the next: ``intro``, ``install``, ``setup``,
``text-1``, ``q-<question>``, ``a-<question>`` and ``score``.
"""

from __future__ import annotations

import re
from typing import Any

from kernellab.grading.questions.base import Question, Reference, Sheet

Notebook = dict[str, Any]
Cell = dict[str, Any]

SETUP = "from kernellab import grading\n\n%load_ext kernellab.grading"
INSTALL = """\
# Colab and Binder begin without the library: there, and only there, install it.
import importlib.util
import os
import subprocess
import sys

elsewhere = "google.colab" in sys.modules or "BINDER_SERVICE_HOST" in os.environ
if elsewhere and importlib.util.find_spec("kernellab") is None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "..[notebooks]"]
    subprocess.run(install, check=True)"""
HIDDEN = {"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}
HOW = (
    "Each answer goes into the cell that begins with `%%answer`, and running the cell "
    "grades it; as often as you like. `%hint` with the name of a question gives a "
    "hint, one more each time; `%solution`, after an attempt, a solution. There are "
    "{points} points."
)
FORMS = {
    "derivation": "# one step per line:  relation | reason; reason",
    "kernel proof": "# k = an expression that the rules prove to be a kernel",
    "refutation": "# points = […]\n# c = […]",
    "prove or refute": "# valid, then k = …; or invalid, then points = […] and c = […]",
    "puzzle": "# the letters of the blocks in order, without those that do not belong",
    "values": "# name = value, one per line; exact where it can be: 1/3, sqrt(2)",
    "code": "# Python: the function that the question asks for",
}
_FILE_LINK = re.compile(r"\]\((?=[\w./]+\.(ipynb|md))")


def notebook(sheet: Sheet, *, solved: bool = False) -> Notebook:
    """Return the notebook of a sheet; `solved` puts in the first reference as the
    answer.
    """
    cells = [_markdown("intro", introduction(sheet, solved))]
    cells += [] if solved else [_code("install", INSTALL) | {"metadata": HIDDEN}]
    cells.append(_code("setup", SETUP))
    texts, level = 0, 2
    for item in sheet.items:
        if isinstance(item, str):
            texts += 1
            cells.append(_markdown(f"text-{texts}", item.strip()))
            level = 3 if item.lstrip().startswith("## ") else level
        else:
            cells += question_cells(item, solved=solved, level=level)
    cells.append(_code("score", f'grading.score("{sheet.name}")'))
    if solved:  # it lies in a folder of its own
        cells = [cell | {"source": _one_up(cell["source"])} for cell in cells]
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": spec, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def introduction(sheet: Sheet, solved: bool) -> str:
    """Return the first cell: heading, introduction, and how to answer."""
    title = f"{sheet.title}: solutions" if solved else sheet.title
    text = f"# {title}\n\n{sheet.introduction.strip()}"
    return text if solved else f"{text}\n\n{HOW.format(points=sheet.points)}"


def question_cells(question: Question, *, solved: bool, level: int = 2) -> list[Cell]:
    """Return the statement of a question, and the cell for its answer."""
    answer = shown(question, question.references[0]) if solved else starter(question)
    source = f"%%answer {question.id}\n{answer.strip(chr(10))}".rstrip()
    return [
        _markdown(f"q-{question.id}", statement(question, solved, level)),
        _code(f"a-{question.id}", source),
    ]


def statement(question: Question, solved: bool = False, level: int = 2) -> str:
    """Return a question in Markdown: a target for links, heading, points, what is
    asked.
    """
    target = "sol" if solved else "ex"
    unit = "point" if question.points == 1 else "points"
    proofs = (name for name in question.proofs if name != "own")
    facts = [f"{question.points} {unit}", *proofs]
    asked = getattr(question, "prompt", question.statement)
    return (
        f"({target}-{question.id})=\n{'#' * level} {question.title}\n\n"
        f"*{' · '.join(facts)}*\n\n{str(asked).strip()}"
    )


def starter(question: Question) -> str:
    """Return what stands in the cell at first: the question's own, or a line on the
    form.
    """
    return question.starter or FORMS.get(question.kind, "# your answer")


def shown(question: Question, reference: Reference) -> str:
    """Return a right answer as a student would write it: a puzzle's blocks have
    letters.
    """
    lettered = getattr(question, "lettered", None)
    return str(lettered(reference.answer) if lettered else reference.answer)


def _one_up(source: list[str]) -> list[str]:
    """Return the text with its links as they lead from a folder further down."""
    return [_FILE_LINK.sub("](../", line) for line in source]


def _markdown(cell_id: str, source: str) -> Cell:
    return {
        "cell_type": "markdown",
        "id": cell_id,
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }


def _code(cell_id: str, source: str) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": {},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
