"""A report as HTML: the derivation typeset line by line.

No script and no network. The colours are mixtures with the page's own text colour, so
that they can be read on light and on dark pages without knowing the theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from kernellab.grading.judging.proof_words import proof_sentences
from kernellab.grading.judging.report import Report
from kernellab.grading.judging.report_rows import (
    CARRIED,
    VERDICTS,
    Row,
    earned,
    remarks,
    route_name,
    rows,
    stations,
    unread,
    verdict,
)
from kernellab.grading.language.letters import Letters
from kernellab.grading.language.mathml import relation_mathml
from kernellab.grading.safe_text import html_text

# Class names are doubled where notebooks and themes have table styles of their own.
STYLE = (files(__package__) / "report.css").read_text(encoding="utf-8")


def as_html(
    report: Report,
    points: float | None = None,
    out_of: float | None = None,
    exam: bool = False,
) -> str:
    """The report for a notebook or a page; what students wrote is escaped."""
    shown = rows(report)
    said = {} if exam else {r.line.number: _remarks(report, r) for r in shown}
    why = {r.line.number: r.typesetter.reason(r.reasons) for r in shown}
    if not exam:
        proofs = proof_sentences(report.certificate()) if report.judged else {}
        why = {r.line.number: _why(r, proofs.get(r.line.number, [])) for r in shown}
    body = "".join(
        _line(r, why[r.line.number]) + said.get(r.line.number, "") for r in shown
    )
    parts = [
        f"<style>\n{STYLE}</style>",
        _head(report, points, out_of),
        _table(body) if shown else "",
        f"<p>{html_text(unread(report))}</p>" if unread(report) else "",
        "" if exam else _milestones(report),
        f"<p>{html_text(CARRIED)}</p>" if _carries(report) else "",
    ]
    inner = "\n".join(part for part in parts if part)
    return f'<section class="kl-report">\n{inner}\n</section>'


def _carries(report: Report) -> bool:
    return any(line.status == "carried" for line in report.lines)


def _head(report: Report, points: float | None, out_of: float | None) -> str:
    kind = "kl-ok" if report.accepted else "kl-bad" if report.first_bad else "kl-none"
    mark = "✓ " if report.accepted else "✗ " if report.first_bad else ""
    sign = f'<span class="{kind}" aria-hidden="true">{mark}</span>' if mark else ""
    score = f'<span class="kl-points">{earned(report, points, out_of)}</span>'
    return f"<p>{sign}<strong>{verdict(report)}</strong> {score}</p>"


def _table(body: str) -> str:
    # Roles are said, because on a phone the rows are laid out as grids.
    names = ("Line", "Verdict", "Step", "Reasons")
    hidden = (f'<span class="kl-hidden">{name}</span>' for name in names)
    heads = "".join(f'<th scope="col" role="columnheader">{h}</th>' for h in hidden)
    return (
        f'<table class="kl-steps" role="table"><thead role="rowgroup"><tr role="row">'
        f'{heads}</tr></thead><tbody role="rowgroup">\n{body}</tbody></table>'
    )


def _kind(status: str) -> str:
    return {"ok": "kl-ok", "carried": "kl-carried", "skipped": "kl-none"}.get(
        status, "kl-bad"
    )


def _line(row: Row, why: str) -> str:
    line = row.line
    first = " kl-first" if row.first else ""
    heard = VERDICTS[line.status] + (", the first that does not pass" * row.first)
    mark = f'<span class="{_kind(line.status)}" aria-hidden="true">{row.mark}</span>'
    return (
        f'<tr class="kl-line{first}" role="row">'
        f'<th scope="row" role="rowheader" class="kl-n">{line.number}</th>'
        f'<td role="cell" class="kl-mark">{mark}'
        f'<span class="kl-hidden">{heard}</span></td>'
        f'<td role="cell" class="kl-step">{_step(row)}</td>'
        f'<td role="cell" class="kl-why">{why}</td></tr>\n'
    )


def _why(row: Row, proof: list[str]) -> str:
    """The student's reasons, and below them what the judge found, with its proof."""
    reasons, used = row.typesetter.reason(row.reasons), row.typesetter.message(row.used)
    if not proof:
        return reasons + (f'<div class="kl-used">{used}</div>' if used else "")
    sentences = "".join(f"<p>{row.typesetter.message(text)}</p>" for text in proof)
    heading = used or "proof"
    return (
        f'{reasons}<details class="kl-used"><summary>{heading}</summary>'
        f"{sentences}</details>"
    )


def _step(row: Row) -> str:
    if row.words:
        return html_text(row.line.text)
    if row.relation is None:
        return f"<code>{html_text(row.line.text)}</code>"
    # A long line scrolls in its cell, also by the keyboard.
    label = f'role="group" aria-label="step {row.line.number}"'
    reach = f' tabindex="0" {label}' if len(row.line.text) > 30 else ""
    math = relation_mathml(row.relation, row.letters)
    goes_on = len(row.relation.signs) == len(row.relation.sides)
    place = "kl-math kl-on" if goes_on else "kl-math"
    word = f'<span class="kl-opening">{row.opening}</span> ' if row.opening else ""
    return f'<div class="{place}"{reach}>{word}{math}</div>'


def _remarks(report: Report, row: Row) -> str:
    found = remarks(row, frozenset(report.problem.table))
    if not found:
        return ""
    edge = "" if row.line.ok else " kl-edge"
    paragraphs = "".join(_paragraph(row, label, text) for label, text in found)
    first = " kl-first" if row.first else ""
    return (
        f'<tr class="kl-said{first}" role="row"><td role="cell"></td><td role="cell">'
        f'</td><td role="cell" class="kl-note" colspan="2">'
        f'<div class="kl-box{edge}">{paragraphs}</div></td></tr>\n'
    )


def _paragraph(row: Row, label: str, text: str) -> str:
    said = f'<span class="kl-label">{label.capitalize()}:</span> ' if label else ""
    return f'<p class="kl-pre">{said}{row.typesetter.message(text)}</p>'


def _milestones(report: Report) -> str:
    name = route_name(report)
    title = f"Milestones, {html_text(name)}" if name else "Milestones"
    items = "\n".join(_items(report))
    return f'<p><strong>{title}</strong></p>\n<ul class="kl-milestones">{items}</ul>'


def _items(report: Report) -> Iterator[str]:
    letters = Letters.of(report.problem)
    for station in stations(report):
        formula = station.relation
        what = relation_mathml(formula, letters) if formula else html_text(station.name)
        kind = {"✓": "kl-ok", "↪": "kl-carried"}.get(station.mark, "kl-none")
        yield (
            f'<li><b class="{kind}" aria-hidden="true">{station.mark}</b>{what} '
            f'<span class="kl-where">({station.where})</span></li>'
        )
