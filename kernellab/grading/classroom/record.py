"""What a student has answered so far, and which hints were given.

In a folder for work, which has a file ``.kernellab.json``, it is kept in that file: a
kernel can be restarted, and the notebooks of all sheets know of each other. Anywhere
else it lasts as long as the Python session. It never leaves this computer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kernellab.grading.classroom.files import write_text
from kernellab.grading.classroom.marking import from_json, is_attempt, to_json
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome

FILE = ".kernellab.json"


@dataclass
class WorkRecord:
    """The last outcome of each question, the questions tried, the hints given."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    hints: Counter[str] = field(default_factory=Counter)

    def note(self, question: Question, answer: str, outcome: Outcome) -> None:
        """Remember how an answer was graded."""
        self.outcomes[question.id] = outcome
        if is_attempt(question, answer):
            self.tried.add(question.id)

    def outcome(self, question: Question) -> Outcome:
        """Return the last outcome of a question, answered or not."""
        return self.outcomes.get(question.id) or question.unanswered()

    def status(self, question_id: str) -> str:
        """Return whether a question was answered, and how."""
        found = self.outcomes.get(question_id)
        return found.status if found else "unanswered"


IN_MEMORY = WorkRecord()


@contextmanager
def recording() -> Iterator[WorkRecord]:
    """Give the record of this place, and keep what is changed in it."""
    path = find_file()
    if path is None:
        yield IN_MEMORY
        return
    record = read_record(path)
    before = record_text(record)
    yield record
    if record_text(record) != before:
        write_text(path, record_text(record), private=True)


def find_file() -> Path | None:
    """Return the file of the folder for work in which we are; None outside of one."""
    here = Path.cwd()
    paths = (folder / FILE for folder in (here, *here.parents))
    return next((path for path in paths if path.is_file()), None)


def read_record(path: Path) -> WorkRecord:
    """Read a record; one that cannot be read is empty: running the cells fills it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        outcomes = {name: from_json(one) for name, one in data["outcomes"].items()}
        return WorkRecord(outcomes, set(data["tried"]), Counter(data["hints"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return WorkRecord()


def record_text(record: WorkRecord) -> str:
    """Return a record as JSON: points and verdicts, without the reports."""
    outcomes = {
        name: to_json(outcome) | {"text": "", "html": "", "data": {}}
        for name, outcome in sorted(record.outcomes.items())
    }
    data = {
        "outcomes": outcomes,
        "tried": sorted(record.tried),
        "hints": dict(sorted(record.hints.items())),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
