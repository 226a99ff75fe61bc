"""The report on a derivation: line by line, milestones, score, certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kernellab.grading.certificates import Certificate
from kernellab.grading.checking import verify
from kernellab.grading.judging.certify import certificate
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.milestones import MilestonesReached
from kernellab.grading.judging.pending import Pending
from kernellab.grading.judging.statements import Passed
from kernellab.grading.language.tree import Relation
from kernellab.grading.problem import Problem


@dataclass(frozen=True)
class Line:
    """What became of one step.

    Parameters
    ----------
    number : counted from 1 among the steps of the text.
    text, reasons : as written.
    ok : whether it passes, or has nothing to judge.
    status : "ok", "carried" (right, but it rests on a wrong line), "wrong" (it does
        not follow), "unreadable", "skipped", or "unjudged" (words alone, or the
        beginning of a chain that the next line goes on with).
    message : what is wrong, in words; expressions stand between backticks.
    used : of a line that passes, by what it follows, in words.
    counterexample : small numbers that show it.
    suggestion : the nearest repair, if one edit mends it.
    """

    number: int
    text: str
    reasons: tuple[str, ...]
    ok: bool
    status: str
    message: str = ""
    used: str = ""
    counterexample: str = ""
    suggestion: str = ""
    about: str = field(default="", compare=False)


@dataclass(frozen=True)
class Report:
    """What the grader says about a derivation.

    Parameters
    ----------
    problem : the problem.
    lines : one entry for each step of the text.
    progress : the milestones reached on the best route.
    relations : the relations that could be read, by number of line, for typesetting.
    context, passed : what stands at the end, and the lines that passed, by number.
    """

    problem: Problem
    lines: tuple[Line, ...]
    progress: MilestonesReached
    relations: dict[int, Relation]
    context: Context | None = field(default=None, repr=False, compare=False)
    passed: Mapping[int, Passed] = field(default_factory=dict, repr=False)

    @property
    def first_bad(self) -> int | None:
        """The number of the first step that fails, counted from 1, or None."""
        bad = ("wrong", "unreadable", "skipped")
        return next((line.number for line in self.lines if line.status in bad), None)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the milestones that were not reached."""
        return self.progress.missing

    @property
    def accepted(self) -> bool:
        """Whether every line passes and the milestones of one route are reached."""
        passed = bool(self.lines) and all(line.ok for line in self.lines)
        return passed and not self.missing and self.confirmed

    @cached_property
    def confirmed(self) -> bool:
        """Whether the checker agrees, where something was only supposed on the way."""
        lines = self.context.statements if self.context else []
        return not any(s.supposed for s in lines) or bool(verify(self.certificate()))

    @property
    def score(self) -> float:
        """1 if accepted; otherwise the milestones, half for one that rests on a slip.

        A derivation with a slip, or with steps missing, gets less than full marks.
        Where reasons count, a milestone with wrong ones loses a part.
        """
        if self.accepted:
            worth = [p.worth for p in self.progress.reached.values()]
            return round(sum(worth) / len(worth), 3)
        return round(min(self.progress.share, 0.9), 3)

    @cached_property
    def remarks(self) -> dict[str, str]:
        """Why milestones are not reached: milestone → a sentence."""
        if self.context is None or self.accepted:
            return {}
        return Pending(self.context, self.passed, self.progress).remarks()

    def certificate(self) -> Certificate:
        """Return what proves each line; `kernellab.grading.verify` checks it anew."""
        return self._certificate

    @cached_property
    def _certificate(self) -> Certificate:
        assert self.context is not None
        return certificate(self.context, self.passed)

    def __str__(self) -> str:
        from kernellab.grading.judging import document, rendering

        return rendering.as_text(document.Document(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from kernellab.grading.judging import document, rendering

        return rendering.as_html(document.Document(self))
