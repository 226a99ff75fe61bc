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
