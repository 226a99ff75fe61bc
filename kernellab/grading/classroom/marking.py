"""One answer, marked with care: whatever the grader does, an outcome comes back.

Outcomes travel between processes and into files as JSON, within bounds.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Any, get_args

from kernellab.grading.questions.base import Question, is_blank
from kernellab.grading.questions.feedback import Finding, report
from kernellab.grading.questions.outcome import Outcome, Status

LONGEST_TEXT = 100_000
LONGEST_HTML = 1_000_000
FAILED = "the grader failed on this answer; it is kept, and a person has to look at it"


def mark(question: Question, answer: str, *, exam: bool, seed: int) -> Outcome:
    """Grade an answer; a grader that raises gives status "error", not a traceback."""
    try:
        outcome = question.grade(answer, exam=exam, seed=seed)
    except MemoryError:
        return not_judged(question, "it took more memory than there is for an answer")
    except Exception as error:  # a bug of the grader must not cost anyone's grade
        return failed(question, f"{type(error).__name__}: {error}")
    points, out_of = float(outcome.points), float(outcome.out_of)
    if not (math.isfinite(points) and 0 <= points <= out_of):
        return failed(question, f"{points} points of {out_of}")
    return outcome


def failed(question: Question, why: str) -> Outcome:
    """Return the outcome of an answer on which the grader itself failed."""
    summary = f"{question.title}: {FAILED}"
    data = {"error": why[:1000]}
    return Outcome(question.id, 0.0, question.points, "error", summary, data=data)


def not_judged(question: Question, why: str) -> Outcome:
    """Return the outcome of an answer that asks for more than an answer may have.

    It is wrong and not an error: nobody's text can make work for a person.
    """
    words = f"the answer could not be judged, for {why}: say it in fewer, smaller steps"
    outcome = report(question, 0.0, [Finding(False, words)], data={"not_judged": why})
    # In an exam too: what happened is no hint.
    return replace(outcome, summary=f"{outcome.summary} ({why})")


def waiting(question: Question, why: str) -> Outcome:
    """Return the outcome of a code answer that was not run."""
    summary = f"{question.title}: not run"
    return Outcome(question.id, 0.0, question.points, "waiting", summary, why)


def is_attempt(question: Question, answer: str) -> bool:
    """Return whether an answer says anything that its starter did not say."""
    starter = {line.strip() for line in question.starter.splitlines()}
    lines = (line for line in answer.splitlines() if line.strip() not in starter)
    return not is_blank("\n".join(lines))


def seed_of(secret: int, question_id: str, answer: str) -> int:
    """Return the seed for one answer: secret, yet equal answers get equal verdicts.

    It depends on the answer, so that inputs which a report has shown do not come back
    in the next attempt.
    """
    text = f"{secret}\n{question_id}\n{answer}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:7])


def to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON holds it, cut to a size that a report can show."""
    html = outcome.html if len(outcome.html) <= LONGEST_HTML else ""
    return {
        "question": outcome.question,
        "points": float(outcome.points),
        "out_of": float(outcome.out_of),
        "status": outcome.status,
        "summary": cut(outcome.summary, 1000),
        "text": cut(outcome.text, LONGEST_TEXT),
        "html": html,
        "data": _plain(outcome.data),
    }


def from_json(data: dict[str, Any]) -> Outcome:
    """Return the outcome that `to_json` wrote."""
    if data["status"] not in get_args(Status):
        raise ValueError(f"not a status: {data['status']!r}")
    return Outcome(**data)


def cut(text: str, longest: int) -> str:
    """Return a text, shortened if need be, that UTF-8 can hold."""
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= longest:
        return text
    return f"{text[:longest]}\n… ({len(text) - longest} more characters)"


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    try:
        text = json.dumps(data, default=str)
    except (TypeError, ValueError, RecursionError):
        return {}
    plain: dict[str, Any] = json.loads(text)
    return plain if len(text) <= LONGEST_HTML else {}
