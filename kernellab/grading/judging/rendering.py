"""A report as plain text, as Markdown, and as HTML.

The HTML has no script and needs no network. Its colours are mixtures with the page's
own text colour, so that they can be read on light and on dark pages without knowing
the theme.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from importlib.resources import files

from kernellab.grading.judging.document import Document, Row, Station
from kernellab.grading.judging.phrases import Typesetter, unmarked
from kernellab.grading.language.mathml import relation_mathml
from kernellab.grading.safe_text import html_text, printable

# Class names are doubled where notebooks and themes have table styles of their own.
STYLE = (files(__package__) / "report.css").read_text(encoding="utf-8")
WIDTH = 88
_WIDEST = 52  # of the column of steps; a longer one pushes its reasons below it
_HEARD = {
    "ok": "right",
    "carried": "right, but rests on a wrong line",
    "wrong": "wrong",
    "unreadable": "could not be read",
    "skipped": "not checked",
    "unjudged": "nothing to judge",
}
_KINDS = {"✓": "kl-ok", "↪": "kl-carried", "✗": "kl-bad"}


def as_text(shown: Document) -> str:
    """The report for a terminal.

    Examples
    --------
    >>> from kernellab.grading import check_derivation
    >>> print(check_derivation("push-through", "A = A | algebra"))
    1 ✓  A = A  | algebra
    <BLANKLINE>
    Milestones
      · the identity (not reached yet)
          It asks for an equation; one side should have inverses N x N, the other should
          have inverses M x M.
    <BLANKLINE>
    Every line follows, but the derivation has not arrived yet: “the identity” is
    missing.
    0 %
    """
    milestones = [f"Milestones ({shown.route})" if shown.route else "Milestones"]
    for station in shown.stations:
        milestones.append(f"  {station.mark} {station.name} ({station.where})")
        milestones += _wrapped(unmarked(station.remark), "      ", "      ")
    blocks = [
        "\n".join(_text_lines(shown)),
        shown.unread,
        "\n".join(milestones) if shown.stations else "",
        "\n".join(_wrapped(shown.note, "", "")),
        "\n".join([*_wrapped(unmarked(shown.verdict), "", ""), shown.earned]),
    ]
    return "\n\n".join(block for block in blocks if block)


def as_markdown(shown: Document) -> str:
    """The report as Markdown: the verdict, and the plain text in a fence."""
    text = as_text(shown)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=2) + 1)
    return f"**{shown.verdict}** {shown.earned}\n\n{fence}text\n{text}\n{fence}\n"


# Plain text


def _text_lines(shown: Document) -> Iterator[str]:
    digits = len(str(len(shown.rows)))
    steps = [_clean(row.line.text) for row in shown.rows]
    column = max((n for n in map(len, steps) if n <= _WIDEST), default=0)
    indent = " " * (digits + 4)
    for row, step in zip(shown.rows, steps, strict=True):
        head = f"{row.line.number:>{digits}} {row.mark}  {step}"
        yield from _with_reasons(head, _why(row), indent, len(indent) + column)
        for label, text in row.remarks:
            start = f"{indent}  " + (f"{label}: " if label else "")
            for part in text.splitlines():
                yield from _wrapped(_clean(unmarked(part)), start, f"{indent}    ")
                start = f"{indent}    "


def _why(row: Row) -> str:
    """The student's reasons behind a bar, and in brackets what the judge found."""
    reasons = f"| {_clean(row.reasons)}" if row.reasons else ""
    used = f"({unmarked(row.used)})" if row.used else ""
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


# HTML


def as_html(shown: Document) -> str:
    """The report for a notebook or a page; what students wrote is escaped."""
    sign = _marked("span", shown.mark, " ") if shown.mark else ""
    points = f'<span class="kl-points">{shown.earned}</span>'
    verdict = shown.typesetter.message(shown.verdict)
    parts = [
        f"<style>\n{STYLE}</style>",
        f"<p>{sign}<strong>{verdict}</strong> {points}</p>",
        _table(shown) if shown.rows else "",
        f"<p>{html_text(shown.unread)}</p>" if shown.unread else "",
        _milestones(shown) if shown.stations else "",
        f"<p>{html_text(shown.note)}</p>" if shown.note else "",
    ]
    inner = "\n".join(part for part in parts if part)
    return f'<section class="kl-report">\n{inner}\n</section>'


def _marked(tag: str, mark: str, after: str = "") -> str:
    """A mark in its colour, which is not read aloud."""
    kind = _KINDS.get(mark, "kl-none")
    return f'<{tag} class="{kind}" aria-hidden="true">{mark}{after}</{tag}>'


def _table(shown: Document) -> str:
    proofs = shown.proofs
    rows = (_html_row(row, proofs.get(row.line.number, [])) for row in shown.rows)
    # Roles are said, because on a phone the rows are laid out as grids.
    names = ("Line", "Verdict", "Step", "Reasons")
    hidden = (f'<span class="kl-hidden">{name}</span>' for name in names)
    heads = "".join(f'<th scope="col" role="columnheader">{h}</th>' for h in hidden)
    return (
        f'<table class="kl-steps" role="table"><thead role="rowgroup"><tr role="row">'
        f'{heads}</tr></thead><tbody role="rowgroup">\n{"".join(rows)}</tbody></table>'
    )


def _html_row(row: Row, proof: list[str]) -> str:
    first = " kl-first" if row.first else ""
    heard = _HEARD[row.line.status] + (", the first that does not pass" * row.first)
    line = (
        f'<tr class="kl-line{first}" role="row">'
        f'<th scope="row" role="rowheader" class="kl-n">{row.line.number}</th>'
        f'<td role="cell" class="kl-mark">{_marked("span", row.mark)}'
        f'<span class="kl-hidden">{heard}</span></td>'
        f'<td role="cell" class="kl-step">{_step(row)}</td>'
        f'<td role="cell" class="kl-why">{_reasons(row, proof)}</td></tr>\n'
    )
    if not row.remarks:
        return line
    edge = "" if row.line.ok else " kl-edge"
    paragraphs = "".join(
        f'<p class="kl-pre">{_label(label)}{row.typesetter.message(text)}</p>'
        for label, text in row.remarks
    )
    return (
        f'{line}<tr class="kl-said{first}" role="row"><td role="cell"></td>'
        f'<td role="cell"></td><td role="cell" class="kl-note" colspan="2">'
        f'<div class="kl-box{edge}">{paragraphs}</div></td></tr>\n'
    )


def _step(row: Row) -> str:
    if row.words:
        return html_text(row.line.text)
    if row.relation is None:
        return f"<code>{html_text(row.line.text)}</code>"
    # A long line scrolls in its cell, also by the keyboard.
    label = f'role="group" aria-label="step {row.line.number}"'
    reach = f' tabindex="0" {label}' if len(row.line.text) > 30 else ""
    math = relation_mathml(row.relation, row.typesetter.letters)
    goes_on = len(row.relation.signs) == len(row.relation.sides)
    place = "kl-math kl-on" if goes_on else "kl-math"
    word = f'<span class="kl-opening">{row.opening}</span> ' if row.opening else ""
    return f'<div class="{place}"{reach}>{word}{math}</div>'


def _reasons(row: Row, proof: list[str]) -> str:
    """The student's reasons, and below them what the judge found, with its proof."""
    reasons, used = row.typesetter.reason(row.reasons), row.typesetter.message(row.used)
    if not proof:
        return reasons + (f'<div class="kl-used">{used}</div>' if used else "")
    sentences = "".join(f"<p>{row.typesetter.message(text)}</p>" for text in proof)
    return (
        f'{reasons}<details class="kl-used"><summary>{used or "proof"}</summary>'
        f"{sentences}</details>"
    )


def _label(label: str) -> str:
    return f'<span class="kl-label">{label.capitalize()}:</span> ' if label else ""


def _milestones(shown: Document) -> str:
    title = f"Milestones, {html_text(shown.route)}" if shown.route else "Milestones"
    items = "\n".join(_item(station, shown.typesetter) for station in shown.stations)
    return f'<p><strong>{title}</strong></p>\n<ul class="kl-milestones">{items}</ul>'


def _item(station: Station, typesetter: Typesetter) -> str:
    formula, what = station.relation, html_text(station.name)
    if formula:
        what = relation_mathml(formula, typesetter.letters)
    where = f'<span class="kl-where">({station.where})</span>'
    said = typesetter.message(station.remark)
    remark = f'<div class="kl-where">{said}</div>' if said else ""
    return f"<li>{_marked('b', station.mark)}{what} {where}{remark}</li>"
