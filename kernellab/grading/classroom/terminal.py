"""What goes to the terminal, in colours where they are wanted."""

from __future__ import annotations

import os
import sys
from typing import TextIO

_COLOURS = {
    "right": "32",
    "partial": "33",
    "wrong": "31",
    "error": "35",
    "unanswered": "2",
    "waiting": "35",
    "bold": "1",
}
SIGNS = {
    "right": "✓",
    "partial": "◐",
    "wrong": "✗",
    "error": "!",
    "waiting": "…",
    "unanswered": "·",
}


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Print a line, whatever the terminal's encoding is."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def colour(text: str, name: str, stream: TextIO) -> str:
    """Return the text in a colour, if the stream is a terminal and colours are not
    off.
    """
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m"
