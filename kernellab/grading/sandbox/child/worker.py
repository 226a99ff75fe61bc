"""Load a student's program, call its function on each case, send what it returns.

Runs in the child, beside the student's own code, which can therefore read and change
everything here. That gains nothing: what is sent is data, the grader compares it with
values that never enter this process.
"""

from __future__ import annotations

import sys
import traceback
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .messages import Message, decode, encode

if TYPE_CHECKING:
    from .messages import PlainArray

Send = Callable[[Message], None]

ANSWER = "<answer>"
"""The file name of the student's code in tracebacks."""

LONGEST_MESSAGE = 600
MOST_FRAMES = 6


def work(request: Message, send: Send) -> None:
    """Answer with a message for the program as a whole, then one for each case.

    They are {"frame": "loaded"} or {"frame": "failed", "error": …}, then
    {"frame": "case", "index": …, "values" or "problem" or "error": …}, then
    {"frame": "done"}.
    """
    try:
        function = load(request["source"], request["function"])
    except BaseException as error:
        send({"frame": "failed", "error": describe(error)})
        return
    send({"frame": "loaded"})
    for index, case in enumerate(request["cases"]):
        arguments = [decode(value) for value in case]
        found = answer(function, arguments, request["outputs"][index], request["most"])
        send({"frame": "case", "index": index, **found})
    send({"frame": "done"})


def load(source: str, name: str) -> Callable[..., object]:
    """Run the program and find its function; `np` is there without an import."""
    import numpy as np

    module = types.ModuleType("__main__")
    module.__dict__.update(np=np)
    sys.modules["__main__"] = module  # dataclasses and typing look a class up there
    exec(compile(source, ANSWER, "exec", dont_inherit=True), module.__dict__)
    function: Callable[..., object] | None = module.__dict__.get(name)
    if not callable(function):
        raise NameError(f"there is no function {name} here")
    return function


def answer(
    function: Callable[..., object],
    arguments: list[Any],
    outputs: int | None,
    most: int,
) -> Message:
    """Call the function; return plain numbers, or what is the matter with its value.

    Parameters
    ----------
    outputs : how many values a tuple must have; None if one value is expected.
    most : how many numbers may be returned.
    """
    before = [encode(value) for value in arguments]
    try:
        values = [_plain(item) for item in _items(function(*arguments), outputs)]
        if (count := sum(value.size for value in values)) > most:
            raise _NotNumbers(f"{count} numbers, more than {most},")
        changed = [encode(value) for value in arguments] != before
        return {"values": [encode(value) for value in values], "changed": changed}
    except _NotNumbers as problem:
        return {"problem": str(problem)[:80]}
    except BaseException as error:
        return {"error": describe(error)}


class _NotNumbers(Exception):
    """What came instead, in words."""


def _items(value: object, outputs: int | None) -> list[object]:
    if outputs is None:
        return [value]
    if not isinstance(value, tuple | list):
        raise _NotNumbers(kind_of(value))
    if len(value) != outputs:
        raise _NotNumbers(f"{len(value)} values")
    return list(value)


def _plain(value: object) -> PlainArray:
    """Return the value as an array of numbers."""
    import numpy as np

    numbers = (bool, int, float, complex, np.generic)
    if not isinstance(value, (np.ndarray, list, tuple, *numbers)):
        raise _NotNumbers(kind_of(value))
    if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
        raise _NotNumbers(kind_of(value))  # what is under the mask may be anything
    try:
        array = np.array(value, copy=None, subok=False)
    except (ValueError, OverflowError):
        words = f"{kind_of(value)} whose rows differ in length"
        raise _NotNumbers(words) from None
    if array.dtype.kind not in "biufc":
        raise _NotNumbers(f"{kind_of(value)} (dtype {array.dtype})")
    return array


def kind_of(value: object) -> str:
    """Say what a value is, in a few words, without running any of its own code."""
    if value is None:
        return "None"
    name = type.__dict__["__name__"].__get__(type(value))
    return f"a value of type {name}"[:80]


def describe(error: BaseException) -> Message:
    """Return an exception as data: its type, message, and the lines it came from."""
    name = type.__dict__["__name__"].__get__(type(error))
    if isinstance(error, SyntaxError):
        message, line = _text(error.msg), error.lineno
        lines = [line] if isinstance(line, int) else []
    else:
        message, lines = _message(error), _lines(error)
    return {"type": name[:80], "message": message, "lines": lines[-MOST_FRAMES:]}


def _message(error: BaseException) -> str:
    """Return its text; `__str__` may be the student's, and do anything."""
    try:
        return _text(str(error))
    except BaseException:
        return "(its message cannot be read)"


def _text(value: object) -> str:
    """Return a plain str, whatever subclass this is, that any terminal can show."""
    text = str.__str__(value) if isinstance(value, str) else ""
    return text[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()


def _lines(error: BaseException) -> list[int]:
    """Return the lines of the student's code in the traceback, outermost first."""
    steps = traceback.walk_tb(error.__traceback__)
    return [line for frame, line in steps if frame.f_code.co_filename == ANSWER]
