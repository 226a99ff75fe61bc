"""Numbers and lists as people write them: 37 980 000, 2e, 1; -1; 0.5."""

from __future__ import annotations

import re

_SPACED = re.compile(r"(?<![\w.])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w.])")
_COMMAS = re.compile(r"-?\d{1,3}(?:,\d{3})*,0\d\d(?:,\d{3})*")
_FACTOR = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?) ?"
    r"(?=(?:e|pi|π|exp|log|ln|sqrt|cos|sin|tan|tanh|sinh|cosh)\b(?![+-]?\d)|[√(])"
)


def as_python(text: str) -> str:
    """Write numbers and lists as Python does.

    >>> as_python("37 980 000"), as_python("2e"), as_python("[1, 2; 3, 4]")
    ('37980000', '2*e', '[[1, 2], [3, 4]]')
    """
    return _numerals(_rows(text))


def _rows(text: str) -> str:
    """Write a column or a matrix with semicolons as a list: 1; 2 as [1, 2]."""
    inside = re.fullmatch(r"\[([^\[\]]*)\]|([^\[\]]*)", text)
    if ";" not in text or inside is None:
        return text
    rows = [row.strip() for row in (inside[1] or inside[2] or "").split(";")]
    rows = [row for row in rows if row]
    if not any("," in row for row in rows):
        return f"[{', '.join(rows)}]"
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def _numerals(text: str) -> str:
    """Write numbers as Python does: 37 980 000 without blanks, 2e as 2*e.

    Commas are left out of 37,980,000, which cannot be a list, for its 000.
    """
    if not any(bracket in text for bracket in "[{"):  # [100 200] is no number
        text = _SPACED.sub(lambda match: "".join(match[0].split()), text)
    if _COMMAS.fullmatch(text):
        text = text.replace(",", "")
    return _FACTOR.sub(r"\1*", text)
