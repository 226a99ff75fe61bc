"""What goes to the terminal: colours where they are wanted, and progress."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COLOURS = {
    "right": "32",
    "partial": "33",
    "wrong": "31",
    "error": "35",
    "unanswered": "2",
    "bold": "1",
}
SIGNS = {"right": "✓", "partial": "◐", "wrong": "✗", "error": "!", "unanswered": "·"}


def printable(text: str) -> str:
    """A text that cannot command a terminal: no escapes, no reversed writing.

    >>> printable("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return _UNSAFE.sub("\ufffd", text.encode("utf-8", "replace").decode())


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Print a line, whatever the terminal's encoding is."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def colour(text: str, name: str, stream: TextIO) -> str:
    """The text in a colour, if the stream is a terminal and colours are not off."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m"


class Progress:
    """How far a run is: a bar on a terminal, plain lines elsewhere.

    Parameters
    ----------
    stream : where to write, by default the standard error.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.total = 0
        self.done = 0
        self.stream = stream or sys.stderr

    def start(self, total: int) -> None:
        """There are so many steps."""
        self.total = total

    def step(self, label: str) -> None:
        """One more step is done."""
        self.done += 1
        line = f"{self.done}/{self.total} {printable(label)}"
        if not self.stream.isatty():
            say(line, self.stream)
            return
        full = 24 * self.done // max(self.total, 1)
        bar = "█" * full + "░" * (24 - full)
        end = "\n" if self.done == self.total else ""
        self.stream.write(f"\r\x1b[2K{bar} {line[:50]}{end}")
        self.stream.flush()
