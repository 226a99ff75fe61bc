"""Load a student's program, call its function on each case, send what it returns.

Runs in the child, beside the student's own code, which can therefore read and change
everything here. That gains nothing: what is sent is data, the grader compares it with
values that never enter this process.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from .arrays import decode, encode
from .frames import Header
from .limits import size_in_words

Send = Callable[[Header, bytes], None]

ANSWER = "<answer>"
"""The file name of the student's code in tracebacks."""

LONGEST_MESSAGE = 600
MOST_FRAMES = 6


def work(request: Header, payload: bytes, send: Send) -> None:
    """Answer with a frame for the program as a whole, then one for each case.

    The frames are {"frame": "loaded"} or {"frame": "failed", "error": …}, then
    {"frame": "case", "index": …, "values" or "problem" or "error": …}, then
    {"frame": "done"}.
    """
    cases = _arguments(request["cases"], payload)
    try:
        function = load(request["source"], request["function"])
    except BaseException as error:
        send({"frame": "failed", "error": describe(error)}, b"")
        return
    send({"frame": "loaded"}, b"")
    most = request["limits"]["answer"]
    for index, arguments in enumerate(cases):
        header, data = answer(function, arguments, request["outputs"][index])
        if len(data) > most:
            header, data = {"problem": f"more than {size_in_words(most)}"}, b""
        send({"frame": "case", "index": index, **header}, data)
    send({"frame": "done"}, b"")


def _arguments(cases: list[Header], payload: bytes) -> list[tuple[Any, ...]]:
    """The arguments of each case; the payload holds the arrays of all of them."""
    arguments, start = [], 0
    for case in cases:
        arguments.append(decode(case["specs"], payload[start : start + case["size"]]))
        start += case["size"]
    return arguments


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
    function: Callable[..., object], arguments: tuple[Any, ...], outputs: int | None
) -> tuple[Header, bytes]:
    """Call the function; its value as plain numbers, or what is the matter with it.

    Parameters
    ----------
    outputs : how many values a tuple must have; None if one value is expected.
    """
    before = encode(arguments)[1]
    try:
        value = function(*arguments)
        values, problem = _outputs(value, outputs)
        if problem:
            return {"problem": problem}, b""
        specs, data = encode(values)
        return {"values": specs, "changed": encode(arguments)[1] != before}, data
    except BaseException as error:
        return {"error": describe(error)}, b""


def _outputs(value: object, outputs: int | None) -> tuple[list[object], str]:
    if outputs is None:
        items = [value]
    elif isinstance(value, tuple | list) and len(value) == outputs:
        items = list(value)
    elif isinstance(value, tuple | list):
        return [], f"{len(value)} values"
    else:
        return [], kind_of(value)
    plain = [_plain(item) for item in items]
    return [array for array, _ in plain], next((text for _, text in plain if text), "")


def _plain(value: object) -> tuple[object, str]:
    """The value as an array of numbers, or why it is none."""
    import numpy as np

    numbers = (bool, int, float, complex, np.generic)
    if not isinstance(value, (np.ndarray, list, tuple, *numbers)):
        return None, kind_of(value)
    if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
        return None, kind_of(value)  # what is under the mask may be anything
    try:
        array = np.array(value, copy=None, subok=False)
    except (ValueError, OverflowError):
        return None, f"{kind_of(value)} whose rows differ in length"
    if array.dtype.kind not in "biufc":
        return None, f"{kind_of(value)} (dtype {array.dtype})"[:80]
    return array, ""


def kind_of(value: object) -> str:
    """What a value is, in a few words, without running any of its own code."""
    if value is None:
        return "None"
    name = type.__dict__["__name__"].__get__(type(value))
    return f"a value of type {name}"[:80]


def describe(error: BaseException) -> Header:
    """An exception as plain data: its type, its message, and the lines it came from."""
    name = type.__dict__["__name__"].__get__(type(error))
    if isinstance(error, SyntaxError):
        message, line = _text(error.msg), error.lineno
        lines = [line] if isinstance(line, int) else []
    else:
        message, lines = _message(error), _lines(error)
    return {
        "type": name[:80],
        "message": message[:LONGEST_MESSAGE],
        "lines": lines[-MOST_FRAMES:],
    }


def _message(error: BaseException) -> str:
    """Its text; the student may have written `__str__`, which may do anything."""
    try:
        return _text(str(error))
    except BaseException:
        return "(its message cannot be read)"


def _text(value: object) -> str:
    """A plain str, whatever subclass of it this is, that any terminal can show."""
    text = str.__str__(value) if isinstance(value, str) else ""
    return text[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()


def _lines(error: BaseException) -> list[int]:
    """The lines of the student's own code in the traceback, outermost first."""
    lines, step = [], error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == ANSWER:
            lines.append(step.tb_lineno)
        step = step.tb_next
    return lines
