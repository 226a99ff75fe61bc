"""Derivations as questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from kernellab.grading.judging.check import check_derivation
from kernellab.grading.judging.document import Document
from kernellab.grading.judging.rendering import as_html, as_text
from kernellab.grading.judging.report import Report
from kernellab.grading.problem import Problem
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome, Status


@dataclass(frozen=True, kw_only=True)
class Derivation(Question):
    """A derivation with reasons, checked line by line.

    Parameters
    ----------
    problem : what is given and where to arrive.
    """

    problem: Problem
    kind: ClassVar[str] = "derivation"

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Check every line; the points follow the milestones."""
        report = check_derivation(
            self.problem, answer, explanations=not exam, seed=seed or None
        )
        points = round(self.points * report.score, 2)
        shown = Document(report, points, self.points, exam)
        return Outcome(
            self.id,
            points,
            self.points,
            _status(report),
            _summary(report, points, self.points),
            as_text(shown),
            as_html(shown),
            _data(report),
        )


def _status(report: Report) -> Status:
    if report.accepted:
        return "right"
    return "partial" if report.score > 0 else "wrong"


def _summary(report: Report, points: float, out_of: float) -> str:
    if report.accepted:
        return f"accepted: {points:g} of {out_of:g} points"
    if report.first_bad is not None:
        return f"line {report.first_bad} fails: {points:g} of {out_of:g} points"
    missing = ", ".join(report.missing)
    return f"not there yet ({missing}): {points:g} of {out_of:g} points"


def _data(report: Report) -> dict[str, Any]:
    return {
        "accepted": report.accepted,
        "first_bad": report.first_bad,
        "missing": list(report.missing),
        "score": report.score,
        "lines": [
            {
                "number": line.number,
                "text": line.text,
                "reasons": list(line.reasons),
                "status": line.status,
                "used": line.used,
                "message": line.message,
                "counterexample": line.counterexample,
                "suggestion": line.suggestion,
            }
            for line in report.lines
        ],
    }
