"""Brackets that are never closed, or that close nothing: where they stand."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"\\?([()\[\]{}])")
_OPENING = {")": "(", "]": "[", "}": "{"}
_EXCERPT = 16  # characters


def unbalanced(text: str) -> str:
    """Return words for the first bracket without its partner, or nothing.

    Examples
    --------
    >>> unbalanced("a = inv(K + lam*I@t")
    'the bracket in “(K + lam*I@t” is never closed'
    >>> unbalanced("a = K + I)@t")
    'the bracket in “a = K + I)” closes nothing: one “)” too many, or a “(” is missing'
    """
    opened: list[re.Match[str]] = []
    for found in _BRACKET.finditer(text):
        opening = _OPENING.get(found[1])
        if opening is None:
            opened.append(found)
        elif not opened:
            before = _cut(text[: found.end()], last=True)
            one = f"one “{found[1]}” too many, or a “{opening}” is missing"
            return f"the bracket in “{before}” closes nothing: {one}"
        elif opened.pop()[1] != opening:
            break
    else:
        if not opened:
            return ""
        after = _cut(text[opened[-1].start(1) :])
        return f"the bracket in “{after}” is never closed"
    before = _cut(text[: found.end()], last=True)
    return f"in “{before}” a bracket is closed by one of another kind"


def _cut(text: str, last: bool = False) -> str:
    if len(text) <= _EXCERPT:
        return text.strip()
    return f"…{text[-_EXCERPT:].strip()}" if last else f"{text[:_EXCERPT].strip()}…"
