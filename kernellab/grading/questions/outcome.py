"""What a grader says about one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["unanswered", "right", "partial", "wrong", "error", "waiting"]


@dataclass(frozen=True)
class Outcome:
    """The judgement of one answer to one question.

    Parameters
    ----------
    question : id of the question.
    points, out_of : points earned, and how many there are.
    status : "unanswered", "right", "partial", "wrong"; "error" (the grader itself
        failed; the answer is kept and a person has to look at it); or "waiting" (code
        that was not run, because it could not be isolated).
    summary : one line of plain text.
    text : the whole report as plain text.
    html : the whole report as an HTML fragment; everything a student wrote is escaped.
    data : details that JSON can hold.
    """

    question: str
    points: float
    out_of: float
    status: Status
    summary: str
    text: str = ""
    html: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text or self.summary

    __repr__ = __str__

    def _repr_html_(self) -> str | None:
        return self.html or None
