"""A report as plain text, as Markdown, and as HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from kernellab.grading.judging.phrases import unmarked
from kernellab.grading.judging.report import Report
from kernellab.grading.judging.report_html import as_html
from kernellab.grading.judging.report_rows import (
    CARRIED,
    Row,
    earned,
    remarks,
    route_name,
    rows,
    stations,
    unread,
    verdict,
)
from kernellab.grading.safe_text import printable

__all__ = ["as_html", "as_markdown", "as_text"]

WIDTH = 88
_WIDEST = 52  # of the column of steps; a longer one pushes its reasons below it


def as_text(
    report: Report,
    points: float | None = None,
    out_of: float | None = None,
    exam: bool = False,
) -> str:
    """The report for a terminal; in an exam without explanations and milestones.

    Examples
    --------
    >>> from kernellab.grading import check_derivation
    >>> print(check_derivation("push-through", "A = A | algebra"))
    1 ✓  A = A  | algebra
    <BLANKLINE>
    Milestones
      · the identity (not reached yet)
    <BLANKLINE>
    Every line follows, but the derivation has not arrived yet.
    0 %
    """
    blocks = ["\n".join(_lines(report, exam)), unread(report)]
    if not exam:
        blocks.append("\n".join(_milestones(report)))
    if any(line.status == "carried" for line in report.lines):
        blocks.append(CARRIED)
    blocks.append(f"{verdict(report)}\n{earned(report, points, out_of)}")
    return "\n\n".join(block for block in blocks if block)


def _lines(report: Report, exam: bool) -> Iterator[str]:
    shown = rows(report)
    digits = len(str(len(shown)))
    lengths = [len(_step(row)) for row in shown]
    column = max((n for n in lengths if n <= _WIDEST), default=0)
    indent = " " * (digits + 4)
    for row in shown:
        head = f"{row.line.number:>{digits}} {row.mark}  {_step(row)}"
        yield from _with_reasons(head, _why(row, exam), indent, len(indent) + column)
        if not exam:
            yield from _remarks(report, row, indent)


def _step(row: Row) -> str:
    return _clean(row.line.text)


def _why(row: Row, exam: bool) -> str:
    """The student's reasons behind a bar, and in brackets what the judge found."""
    reasons = f"| {_clean(row.reasons)}" if row.reasons else ""
    used = f"({unmarked(row.used)})" if row.used and not exam else ""
    return f"{reasons} {used}".strip()


def _with_reasons(head: str, why: str, indent: str, column: int) -> Iterator[str]:
    if not why:
        yield head.rstrip()
    elif len(head) <= column:
        start = f"{head:<{column}}  "
        yield from _wrapped(why, start, " " * len(start) + "  ")
    else:
        yield head
        yield from _wrapped(why, indent, f"{indent}  ")


def _remarks(report: Report, row: Row, indent: str) -> Iterator[str]:
    for label, text in remarks(row, frozenset(report.problem.table)):
        start = f"{indent}  " + (f"{label}: " if label else "")
        for part in text.splitlines():
            yield from _wrapped(_clean(unmarked(part)), start, f"{indent}    ")
            start = f"{indent}    "


def _milestones(report: Report) -> Iterator[str]:
    name = route_name(report)
    yield f"Milestones ({name})" if name else "Milestones"
    for station in stations(report):
        yield f"  {station.mark} {station.name} ({station.where})"


def _wrapped(text: str, first: str, then: str) -> list[str]:
    """Lines of at most WIDTH columns; a word that is longer stays whole."""
    return textwrap.wrap(
        text,
        max(WIDTH, len(first) + 20),
        initial_indent=first,
        subsequent_indent=then,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _clean(text: str) -> str:
    return printable(text.expandtabs(4))


def as_markdown(
    report: Report,
    points: float | None = None,
    out_of: float | None = None,
    exam: bool = False,
) -> str:
    """The report as Markdown: the verdict, and the plain text in a fence."""
    text = as_text(report, points, out_of, exam)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=2) + 1)
    head = f"**{verdict(report)}** {earned(report, points, out_of)}"
    return f"{head}\n\n{fence}text\n{text}\n{fence}\n"
