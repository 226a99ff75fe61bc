"""What a run of a student's program came to, read from messages that may be forged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernellab.grading.safe_text import presentable

from .child.messages import Malformed, Message, decode, unpack
from .isolation import Isolation

if TYPE_CHECKING:
    from .child.messages import PlainArray

OUT_OF_TIME, _OUT_OF_CPU = 128 + 14, 128 + 24
"""Exit codes: the signals of the clock, and of the limit on CPU time."""


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
    isolation: Isolation = Isolation.PROCESS


def read_run(
    answer: bytes, output: bytes, cases: int, code: int, full: bool, how: Isolation
) -> ProgramRun:
    """Read a child's messages for so many cases, its exit code (128 + n for signal n),
    and whether it sent more than it may.
    """
    loaded, failed, end = False, None, "start"
    returned: list[Returned] = []
    try:
        for message in unpack(answer):
            kind = message.get("frame")
            case = kind == "case" and message.get("index") == len(returned) < cases
            if end == "start" and kind == "ready":  # before any of the student's code
                end = ""
            elif end or failed:
                raise Malformed("a message out of turn")
            elif kind == "loaded" and not loaded:
                loaded = True
            elif kind == "failed" and not loaded:
                failed = _trouble(message.get("error"))
            elif case and loaded:
                returned.append(_returned(message))
            elif kind == "done" and loaded:
                end = "done"
            else:
                raise Malformed("a message out of turn")
    except Malformed:
        end = "forged"
    if end != "start":
        end = "answer" if full else end if end == "forged" else _end(code, end, failed)
    printed = output.decode("utf-8", "replace")
    return ProgramRun(tuple(returned), failed, loaded, end, printed, how)


def _end(code: int, end: str, failed: Trouble | None) -> str:
    if code in (OUT_OF_TIME, _OUT_OF_CPU):
        return "time"
    if end == "done" or failed is not None:
        return ""
    return "crash" if code > 128 else "exit"


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
