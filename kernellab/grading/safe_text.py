"""Texts by strangers, made safe for a terminal and for a page."""

from __future__ import annotations

import re
from html import escape

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Replace what could command a terminal: escapes, and marks that reverse writing.

    >>> printable("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return _UNSAFE.sub("\ufffd", text.encode("utf-8", "replace").decode())


def html_text(words: str) -> str:
    """Escape a text for HTML, in an attribute too.

    >>> html_text("a < b")
    'a &lt; b'
    """
    return escape(printable(words))


def presentable(text: str) -> str:
    """Return a text that may be shown, and is the same each time.

    Control characters become spaces; addresses, which differ from run to run, dots.

    Examples
    --------
    >>> presentable("<object at 0x7f12ab34cd56>\\x1b")
    '<object at 0x…>'
    """
    clean = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", clean).strip()
