"""A report as text and as HTML."""
from __future__ import annotations
from kernellab.grading.report import MARKS, Report

def as_text(report: Report, points: float | None = None, out_of: float | None = None, exam: bool = False) -> str:
    rows = []
    for line in report.lines:
        rows.append(f"{line.number:>3} {MARKS[line.status]}  {line.text}" + (f"  | {'; '.join(line.reasons)}" if line.reasons else ""))
        for extra in (line.message, line.counterexample, line.suggestion):
            if extra and not line.ok:
                rows.append(f"       {extra}")
    rows.append("accepted" if report.accepted else f"missing: {', '.join(report.missing)}" if report.missing else "not accepted")
    return "\n".join(rows)

def as_html(report: Report, points: float | None = None, out_of: float | None = None, exam: bool = False) -> str:
    from html import escape
    return f"<pre>{escape(as_text(report))}</pre>"
