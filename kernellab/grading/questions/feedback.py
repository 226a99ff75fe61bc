"""Reports: findings with their marks, as plain text and as HTML."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome, Status

WIDTH = 88
_COLOURS = {"✓": "#2da44e", "✗": "#e5534b"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    ok : whether it is right; None for a remark.
    text : what was found, in words.
    share : the share of the points that hangs on it, if the kind counts them.
    """

    ok: bool | None
    text: str
    share: float = 0.0

    @property
    def mark(self) -> str:
        return "·" if self.ok is None else "✓" if self.ok else "✗"


def report(
    question: Question,
    share: float,
    findings: Sequence[Finding],
    *,
    exam: bool = False,
    data: dict[str, Any] | None = None,
) -> Outcome:
    """Return the outcome for a share of the points, with the findings unless in an
    exam.
    """
    share = min(max(share, 0.0), 1.0)
    points = round(share * question.points, 2)
    status: Status = "right" if share == 1 else "partial" if points > 0 else "wrong"
    summary = f"{question.title}: {status}, {points:g} of {question.points} points"
    shown = () if exam else tuple(map(_printable, findings))
    return Outcome(
        question.id,
        points,
        question.points,
        status,
        summary,
        as_text(summary, shown),
        as_html(summary, shown),
        data or {},
    )


def _printable(finding: Finding) -> Finding:
    """Without the control characters that an answer may hold."""
    text = "".join(c if c.isprintable() or c == "\n" else "�" for c in finding.text)
    return replace(finding, text=text)


def as_text(summary: str, findings: Sequence[Finding]) -> str:
    """Return the report for a terminal."""
    lines = [summary]
    for finding in findings:
        for i, line in enumerate(finding.text.splitlines() or [""]):
            head = f"  {finding.mark} " if i == 0 else "    "
            lines.append(
                textwrap.fill(
                    line,
                    WIDTH,
                    initial_indent=head,
                    subsequent_indent="    ",
                    break_on_hyphens=False,
                )
                or head
            )
    return "\n".join(lines)


def as_html(summary: str, findings: Sequence[Finding]) -> str:
    """Return the report for a notebook: no script, no network, the page's own
    colours.
    """
    items = "".join(_item(finding) for finding in findings)
    body = f'<ul style="list-style:none;padding-left:0.5em;margin:0.3em 0">{items}</ul>'
    head = f"<p><strong>{html.escape(summary)}</strong></p>"
    return f'<div class="kernellab-report">{head}{body if items else ""}</div>'


def _item(finding: Finding) -> str:
    colour = _COLOURS.get(finding.mark, "inherit")
    mark = f'<span style="color:{colour};font-weight:bold">{finding.mark}</span>'
    text = "<br>".join(_inline(line) for line in finding.text.splitlines())
    return f'<li style="margin:0.2em 0">{mark} {text}</li>'


def _inline(line: str) -> str:
    """Escaped, with `…` as code."""
    pieces = html.escape(line).split("`")
    if len(pieces) % 2 == 0:
        return html.escape(line)
    return "".join(
        f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces)
    )
