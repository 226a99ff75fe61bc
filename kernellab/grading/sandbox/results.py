"""What a run of a student's program came to, read from frames that may be forged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .arrays import decode
from .frames import Header, Malformed
from .isolation import Isolation

if TYPE_CHECKING:
    from .arrays import PlainArray


@dataclass(frozen=True)
class Trouble:
    """An exception of the student's code.

    Parameters
    ----------
    type, message : of the exception.
    lines : where it came from in the student's text, outermost first.
    """

    type: str
    message: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Returned:
    """What one call came to: values, or something that is no number, or an exception.

    Parameters
    ----------
    values : arrays; None if there are none.
    problem : what came instead, in words ("None", "a value of type str").
    trouble : the exception.
    changed : whether the call changed the arrays that it was given.
    """

    values: tuple[PlainArray, ...] | None = None
    problem: str = ""
    trouble: Trouble | None = None
    changed: bool = False


@dataclass(frozen=True)
class ProgramRun:
    """A run of a student's program.

    Parameters
    ----------
    returned : for each case in turn; it ends early if the run did.
    failed : the exception that kept the program from being loaded.
    loaded : whether the program was loaded.
    end : how the run ended: "" (as it should), "time", "crash", "exit", "answer"
        (too much was returned), "forged" (messages that make no sense), or "start"
        (the grader's own failure: the program never ran).
    output : what was printed, cut off at the limit.
    isolation : what kept the program apart.
    """

    returned: tuple[Returned, ...] = ()
    failed: Trouble | None = None
    loaded: bool = False
    end: str = ""
    output: str = ""
    isolation: Isolation = field(default_factory=Isolation)


def read_frames(
    frames: Iterator[tuple[Header, bytes]], cases: int
) -> tuple[bool, Trouble | None, list[Returned], str]:
    """Whether it loaded, why not, what was returned, and how the messages ended.

    The last is "done", "forged", or "" if they just stop.
    """
    loaded, failed, end = False, None, ""
    returned: list[Returned] = []
    try:
        for header, payload in frames:
            kind = header.get("frame")
            started, index = loaded or failed is not None, len(returned)
            if end:
                raise Malformed("a message after the last")
            if kind == "loaded" and not started:
                loaded = True
            elif kind == "failed" and not started:
                failed = _trouble(header.get("error"))
            elif kind == "done":
                end = "done"
            elif kind == "case" and loaded and header.get("index") == index < cases:
                returned.append(_returned(header, payload))
            else:
                raise Malformed("a message out of turn")
    except Malformed:
        end = "forged"
    return loaded, failed, returned, end


def _returned(header: Header, payload: bytes) -> Returned:
    if "error" in header:
        return Returned(trouble=_trouble(header["error"]))
    if "problem" in header:
        return Returned(problem=_words(header["problem"], 100) or "nothing")
    values = decode(header.get("values"), payload)
    if not all(hasattr(value, "dtype") for value in values):
        raise Malformed("a value that is no array")
    return Returned(values=values, changed=header.get("changed") is True)


def _trouble(error: Any) -> Trouble:
    if not isinstance(error, dict):
        raise Malformed("an exception without description")
    lines = error.get("lines")
    if not isinstance(lines, list) or not all(type(n) is int for n in lines):
        raise Malformed("not line numbers")
    name, message = _words(error.get("type"), 80), _words(error.get("message"), 600)
    return Trouble(name, message, tuple(lines[-6:]))


def _words(text: object, longest: int) -> str:
    if not isinstance(text, str):
        raise Malformed("not a text")
    return presentable(text[:longest]).replace("\n", " ")


def presentable(text: str) -> str:
    """Text that may be shown, and is the same each time.

    Control characters become spaces; addresses, which differ from run to run, dots.

    Examples
    --------
    >>> presentable("<object at 0x7f12ab34cd56>\\x1b")
    '<object at 0x…>'
    """
    clean = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", clean).strip()
