"""The report on a derivation: line by line, milestones, score, certificate."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cached_property

from kernellab.grading.certificates import Certificate
from kernellab.grading.checking import verify
from kernellab.grading.judging.certify import certificate
from kernellab.grading.judging.check import Judged, Line, judge_text
from kernellab.grading.judging.milestones import MilestonesReached
from kernellab.grading.language.tree import Relation
from kernellab.grading.problem import Problem


@dataclass(frozen=True)
class Report:
    """What the grader says about a derivation.

    Parameters
    ----------
    problem : the problem.
    lines : one entry for each step of the text.
    progress : the milestones reached on the best route.
    relations : the relations that could be read, by number of line, for typesetting.
    """

    problem: Problem
    lines: tuple[Line, ...]
    progress: MilestonesReached
    relations: dict[int, Relation]
    judged: Judged | None = field(default=None, repr=False, compare=False)

    @property
    def first_bad(self) -> int | None:
        """The number of the first step that fails, counted from 1, or None."""
        bad = [line.number for line in self.lines if line.status in _BAD]
        return bad[0] if bad else None

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
        lines = self.judged.context.statements if self.judged else []
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

    def certificate(self) -> Certificate:
        """Return what proves each line; `kernellab.grading.verify` checks it anew."""
        return self._certificate

    @cached_property
    def _certificate(self) -> Certificate:
        assert self.judged is not None
        return certificate(self.judged.context, self.judged.passed)

    def __str__(self) -> str:
        from kernellab.grading.judging import document, rendering

        return rendering.as_text(document.document(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from kernellab.grading.judging import document, rendering

        return rendering.as_html(document.document(self))


_BAD = ("wrong", "unreadable", "skipped")


def check_derivation(
    problem: Problem,
    text: str,
    *,
    explanations: bool = True,
    seed: int | None = None,
) -> Report:
    """Check a derivation line by line.

    Parameters
    ----------
    problem : what is given, and where to arrive.
    text : one step per line, ``relation | reasons``.
    explanations : whether to look for counterexamples and repairs.
    seed : of the random instances; drawn afresh if None.

    Examples
    --------
    >>> from kernellab.grading.problem import Milestone, Route
    >>> goal = Milestone("the square", "u = x**2 + 2*x + 1")
    >>> square = Problem(
    ...     "square", "x : number\\nu : number = (x + 1)**2", (Route((goal,)),)
    ... )
    >>> r = check_derivation(square, "u = (x + 1)*(x + 1) | def u")
    >>> r.lines[0].ok, r.accepted
    (True, True)
    """
    own = secrets.randbits(64) if seed is None else seed
    judged = judge_text(problem, str(text), own, explanations)
    relations = {
        s.number: s.relation
        for s in judged.context.statements
        if s.relation.sides[-1].op != "stack"  # read again from its text
    }
    return Report(problem, tuple(judged.lines), judged.milestones, relations, judged)
