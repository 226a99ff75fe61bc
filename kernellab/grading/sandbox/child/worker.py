"""Load a student's program, call its function on each case, send what it returns.

The student's code can read and change everything here. That gains nothing: what is sent
is data, and the grader compares it with values that never enter this process.
"""

from __future__ import annotations

import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from .messages import Message, decode, encode

Function = Callable[..., object]

ANSWER = "<answer>"
"""The file name of the student's code in tracebacks."""

LONGEST_MESSAGE, MOST_FRAMES = 600, 6


def work(request: Message, send: Callable[[Message], None]) -> None:
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


def load(source: str, name: str) -> Function:
    """Run the program and find its function; `np` is there without an import."""
    import numpy as np

    module = types.ModuleType("__main__")
    module.__dict__.update(np=np)
    sys.modules["__main__"] = module  # dataclasses and typing look a class up there
    exec(compile(source, ANSWER, "exec", dont_inherit=True), module.__dict__)
    function: Function | None = module.__dict__.get(name)
    if not callable(function):
        raise NameError(f"there is no function {name} here")
    return function


def answer(
    function: Function, arguments: list[Any], outputs: int | None, most: int
) -> Message:
    """Call the function; return plain numbers, or what is the matter with its value.

    A tuple must have `outputs` values (None: one value is expected), `most` in all.
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


def _plain(value: object) -> Any:
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
        raise _NotNumbers(f"{kind_of(value)} whose rows differ in length") from None
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
    """Return an exception as data: type, message, and its lines in the student's text,
    outermost first.
    """
    name = type.__dict__["__name__"].__get__(type(error))
    if isinstance(error, SyntaxError):
        message, lines = _text(error.msg), [error.lineno or 0]
    else:
        steps = traceback.walk_tb(error.__traceback__)
        lines = [n for frame, n in steps if frame.f_code.co_filename == ANSWER]
        try:
            message = _text(str(error))
        except BaseException:  # `__str__` may be the student's, and do anything
            message = "(its message cannot be read)"
    return {"type": name[:80], "message": message, "lines": lines[-MOST_FRAMES:]}


def _text(value: object) -> str:
    """Return a plain str, whatever subclass this is, that any terminal can show."""
    text = str.__str__(value) if isinstance(value, str) else ""
    return text[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()
