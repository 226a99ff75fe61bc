"""A question: its text, its points, its hints, and how an answer is judged.

A question is a declaration. Each kind (derivation, kernel, puzzle, value, code) is a
subclass that says how an answer, always plain text, becomes an `Outcome`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from kernellab.grading.questions.outcome import Outcome
from kernellab.syntax import counted


@dataclass(frozen=True)
class Reference:
    """A right answer: tests give it full marks, the solved notebook shows the first."""

    answer: str
    name: str = "reference"


@dataclass(frozen=True)
class Mistake:
    """A wrong answer, and the verdict that it must get.

    Parameters
    ----------
    answer : what a student might write.
    why : the mistake in one line, for the reader of the source.
    first_bad : for a derivation, the number of the first failing line.
    says : words that the report must contain.
    at_most : the largest share of the points that it may earn.
    """

    answer: str
    why: str
    first_bad: int | None = None
    says: str = ""
    at_most: float = 0.9


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """What all kinds of question have in common.

    Parameters
    ----------
    id : what the answer cell names: ``%%answer id``. Lower case, digits and hyphens.
    title : a few words.
    statement : what is asked, in MyST Markdown, with formulas between dollars.
    points : how many points there are.
    references : right answers in different styles, the first one for the solutions.
    mistakes : wrong answers with their verdicts.
    hints : shown one at a time, on request.
    proofs : ids of the proofs of the source documents that it asks for ("P-01").
    starter : what stands in the student's cell at first.
    others : make questions like this one, with other numbers, for practice; the id of
        the third of them ends with ``/3``.
    """

    id: str
    title: str
    statement: str
    points: int
    references: tuple[Reference, ...]
    mistakes: tuple[Mistake, ...] = ()
    hints: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    starter: str = ""
    others: tuple[Callable[[], Question], ...] = field(default=(), compare=False)

    kind: ClassVar[str]

    @abstractmethod
    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Judge an answer that is not blank; `exam` leaves the explanations out."""

    def grade(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Judge any text; a blank one, or the starter as it was, is unanswered."""
        if is_blank(answer) or _lines(answer) == _lines(self.starter):
            return self.unanswered()
        return self.judge(answer, exam=exam, seed=seed)

    def unanswered(self) -> Outcome:
        """Return the outcome of a question that nobody has answered yet."""
        summary = f"{self.title}: not answered yet ({counted(self.points, 'point')})"
        return Outcome(self.id, 0.0, self.points, "unanswered", summary)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """An exercise sheet: one notebook for the student, one with the answers.

    Parameters
    ----------
    name : the notebook's file name without its ending: "01_duality".
    title : its heading.
    introduction : Markdown under the heading.
    items : Markdown texts and questions, in the order of the notebook.
    """

    name: str
    title: str
    introduction: str
    items: tuple[str | Question, ...] = field(default=())

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, without the texts between them."""
        return tuple(item for item in self.items if isinstance(item, Question))

    @property
    def points(self) -> int:
        """The points of all questions together."""
        return sum(question.points for question in self.questions)


def is_blank(answer: str) -> bool:
    """Return whether an answer says nothing: only blank lines and comments."""
    return not _lines(answer)


def _lines(text: str) -> list[str]:
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]
