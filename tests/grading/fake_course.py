"""A course of two sheets whose graders do what the answer says, bad things too."""

import json
from pathlib import Path
from typing import Any

from kernellab.grading.classroom.isolation import CodePolicy
from kernellab.grading.classroom.worker import reply
from kernellab.grading.classroom.workers import Worker
from kernellab.grading.sandbox import Isolation

ISOLATED = CodePolicy(Isolation.BUBBLEWRAP, "bubblewrap 1", "Code runs isolated.")
"""For tests in which no code is run: nobody has to try whether it could be."""

ECHO = """
import os
import re
import time
from dataclasses import dataclass
from typing import ClassVar

from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.questions.base import Question, Reference

@dataclass(frozen=True, kw_only=True)
class Echo(Question):
    kind: ClassVar[str] = "echo"

    def judge(self, answer, *, exam=False, seed=0):
        word = answer.strip()
        if word == "hang":
            time.sleep(1000)
        if word == "spin":
            re.fullmatch("(a*)*b", "a" * 60)
        if word == "die":
            os._exit(0)
        if word == "raise":
            raise ZeroDivisionError("by a student")
        if word == "print":
            os.write(1, b'{"status": "right", "points": 99}\\n')
            print('{"status": "right", "points": 99}', flush=True)
        if word == "seed":
            return Outcome(self.id, 0.0, self.points, "wrong", str(seed))
        share = {"right": 1.0, "half": 0.5, "much": 7.0, "nan": float("nan")}
        points = self.points * share.get(word, 0.0)
        status = {"right": "right", "half": "partial"}.get(word, "wrong")
        text = "verdict only" if exam else f"{self.title}: you wrote {word}"
        return Outcome(self.id, points, self.points, status, status, text)

def echo(name, points=2, **more):
    return Echo(id=name, title=f"Title of {name}", statement=f"Say $x_{points}$.",
                points=points, references=(Reference("right"),), **more)
"""


def make_course(folder: Path) -> Path:
    """Write two sheets and return their folder."""
    folder.mkdir(parents=True)
    write_sheet(
        folder / "01_first",
        "# First sheet\n\nHello.\n\n[](one.py)\n\nA text.\n\n[two](two.py)\n",
        one='echo("one", hints=("Think.", "Think more."), proofs=("P-01",))',
        two='echo("two", points=4, starter="def f():\\n    pass  # here")',
    )
    write_sheet(
        folder / "02_second",
        "# Second\n\nAgain.\n\n[](three.py)",
        three='echo("three")',
    )
    return folder


def write_sheet(folder: Path, text: str, **questions: str) -> None:
    """Write a sheet, and each of its questions from the code that makes it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheet.md").write_text(text, encoding="utf-8")
    for name, code in questions.items():
        path = folder / f"{name}.py"
        path.write_text(f"{ECHO}\nQUESTION = {code}\n", encoding="utf-8")


def cell(source: str, kind: str = "code") -> dict[str, Any]:
    """A cell of a notebook."""
    return {"cell_type": kind, "metadata": {}, "source": source}


def notebook(*sources: str | dict[str, Any]) -> dict[str, Any]:
    """A notebook of these cells."""
    cells = [cell(s) if isinstance(s, str) else s for s in sources]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def hand_in(path: Path, *sources: str | dict[str, Any]) -> Path:
    """Write a notebook of these cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(*sources)), encoding="utf-8")
    return path


class LocalWorker(Worker):
    """A worker without a process, for tests that are not about processes."""

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        sent = json.loads(json.dumps(request | {"folders": self.folders}))
        result: dict[str, Any] = json.loads(json.dumps(reply(sent)))
        return result
