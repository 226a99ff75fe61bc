"""Answers as lines `name = expression`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernellab.syntax import Unreadable

LONGEST_ANSWER = 20_000
MOST_LINES = 300

_HEAD = re.compile(
    r"\s*(?P<name>[^\W\d]\w*)\s*(?:\((?P<args>[\w\s,'′’]*)\))?\s*[=:](?!=)(?P<body>.*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Line:
    """One `name = body` of an answer; `name` is empty for a bare expression.

    `argument` is x in a definition ``f(x) = …``.
    """

    number: int
    name: str
    argument: str
    body: str


def split_lines(answer: str) -> list[Line]:
    """Return the lines of an answer, without comments; open brackets join lines.

    >>> [(line.number, line.name, line.body) for line in split_lines("a = 1 # one")]
    [(1, 'a', '1')]
    """
    if len(answer) > LONGEST_ANSWER or answer.count("\n") > MOST_LINES:
        raise Unreadable(
            f"the answer is too long: at most {MOST_LINES} lines and "
            f"{LONGEST_ANSWER} characters are read"
        )
    lines: list[Line] = []
    start, pending = 0, ""
    for number, raw in enumerate(answer.splitlines(), 1):
        text = raw.split("#")[0]
        if not (pending or text.strip()) or text.strip().startswith("```"):
            continue
        start = start if pending else number
        pending = f"{pending} {text.strip()}".strip()
        if _open_brackets(pending) <= 0:
            lines += _statements(start, pending)
            pending = ""
    return lines + (_statements(start, pending) if pending else [])


def _open_brackets(text: str) -> int:
    return sum((c in "([{") - (c in ")]}") for c in text)


def _statements(number: int, text: str) -> list[Line]:
    """Return the assignments between signs ; that no bracket encloses."""
    parts = [""]
    for piece in re.split("(;)", text):
        if piece == ";" and _open_brackets(parts[-1]) <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [_line(number, part) for part in parts if part.strip()]


def _line(number: int, text: str) -> Line:
    match = _HEAD.fullmatch(text)
    if match is None:
        return Line(number, "", "", text.strip())
    argument = (match["args"] or "").strip()
    return Line(number, match["name"], argument, match["body"].strip())
