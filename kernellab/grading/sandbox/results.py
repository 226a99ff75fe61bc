"""What a run of a student's program came to, read from messages that may be forged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.grading.safe_text import presentable

from .child.messages import Malformed, Message, decode, unpack
from .isolation import Isolation

OUT_OF_TIME, OUT_OF_CPU = 128 + 14, 128 + 24
"""Exit codes: the signals of the clock, and of the limit on CPU time."""


@dataclass(frozen=True)
class Trouble:
    """An exception, and the lines of the text it came from, outermost first."""

    type: str
    message: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Returned:
    """What one call came to: arrays; or a problem, in words ("None", "a value of type
    str"); or an exception. And whether it changed the arrays that it was given.
    """

    values: tuple[np.ndarray[Any, np.dtype[Any]], ...] | None = None
    problem: str = ""
    trouble: Trouble | None = None
    changed: bool = False


@dataclass(frozen=True)
class ProgramRun:
    """A run of a student's program.

    Parameters
    ----------
    returned : for each case in turn; it ends early if the run did.
    loaded, failed : whether the program was loaded, or the exception in the way.
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
    isolation: Isolation = Isolation.PROCESS


def read_run(
    answer: bytes, output: bytes, code: int, full: bool, cases: int, how: Isolation
) -> ProgramRun:
    """Read what a child sent for so many cases, which `full` says was too much."""
    state, loaded, failed, forged = "start", False, None, False
    returned: list[Returned] = []
    try:
        for message in unpack(answer):
            kind = message.get("frame")
            case = kind == "case" and message.get("index") == len(returned) < cases
            if state == "start" and kind == "ready":  # before any of the student's code
                state = "ready"
            elif state != "ready" or failed:
                raise Malformed("a message out of turn")
            elif kind == "loaded" and not loaded:
                loaded = True
            elif kind == "failed" and not loaded:
                failed = _trouble(message.get("error"))
            elif case and loaded:
                returned.append(_returned(message))
            elif kind == "done" and loaded:
                state = "done"
            else:
                raise Malformed("a message out of turn")
    except Malformed:
        forged = True
    if state != "start":
        complete = state == "done" or failed is not None
        state = "answer" if full else "forged" if forged else _end(code, complete)
    printed = output.decode("utf-8", "replace")
    return ProgramRun(tuple(returned), failed, loaded, state, printed, how)


def _end(code: int, complete: bool) -> str:
    if code in (OUT_OF_TIME, OUT_OF_CPU):
        return "time"
    return "" if complete else "crash" if code > 128 else "exit"


def _returned(message: Message) -> Returned:
    if "error" in message:
        return Returned(trouble=_trouble(message["error"]))
    if "problem" in message:
        return Returned(problem=_words(message["problem"], 100) or "nothing")
    values = message.get("values")
    if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
        raise Malformed("a value that is no array")
    arrays = tuple(decode(value) for value in values)
    return Returned(values=arrays, changed=message.get("changed") is True)


def _trouble(error: Any) -> Trouble:
    lines = error.get("lines") if isinstance(error, dict) else None
    if not isinstance(lines, list) or not all(type(n) is int for n in lines):
        raise Malformed("an exception without line numbers")
    name, message = _words(error.get("type"), 80), _words(error.get("message"), 600)
    return Trouble(name, message, tuple(lines[-6:]))


def _words(text: object, longest: int) -> str:
    if not isinstance(text, str):
        raise Malformed("not a text")
    return presentable(text[:longest]).replace("\n", " ")
