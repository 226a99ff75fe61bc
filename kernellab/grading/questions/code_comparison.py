"""Compare what a student's function returned with what it should have, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.grading.sandbox import Limits, ProgramRun, Returned, Trouble
from kernellab.text import size_in_words

Numbers = np.ndarray[Any, np.dtype[Any]]

DIGITS = 4
MOST_NUMBERS = 36
MEMORY = ("MemoryError", "_ArrayMemoryError")
LONGEST_LINE = 60


def difference(
    expected: tuple[Numbers, ...], returned: Returned, rtol: float, atol: float
) -> str:
    """Return what is wrong with the values, in words; "" if nothing is.

    A number is right within atol + rtol·max|expected|, the largest entry of its array:
    a small entry between large ones cannot be had more exactly than these.

    Examples
    --------
    >>> expected = (np.array([1.0, 2.0]),)
    >>> difference(expected, Returned((np.array([[1.0], [2.0]]),)), 1e-6, 1e-9)
    'an array of shape (2, 1) came, an array of shape (2,) is expected'
    """
    if returned.values is None or len(returned.values) != len(expected):
        came = returned.problem or "another number of values"
        hint = " (is a `return` missing?)" if came == "None" else ""
        wanted = " and ".join(kind(value) for value in expected)
        return f"{came} came{hint}, {wanted} is expected"
    for place, (right, value) in enumerate(zip(expected, returned.values, strict=True)):
        text = _difference(right, value, rtol, atol)
        if text:
            several = f"value {place + 1} of {len(expected)}: "
            return several * (len(expected) > 1) + text
    return ""


def _difference(right: Numbers, value: Numbers, rtol: float, atol: float) -> str:
    if value.shape != right.shape:
        return f"{kind(value)} came, {kind(right)} is expected"
    if value.dtype.kind == "c" and right.dtype.kind != "c":
        return "complex numbers came, real ones are expected"
    if _close(right, value, rtol, atol):
        return ""
    return f"came `{show(value)}`\nexpected `{show(right)}`"


def _close(right: Numbers, value: Numbers, rtol: float, atol: float) -> bool:
    finite = np.isfinite(right)
    if not np.array_equal(finite, np.isfinite(value)):
        return False
    if not np.array_equal(right[~finite], value[~finite], equal_nan=True):
        return False
    scale = np.abs(right[finite]).max(initial=0.0)
    with np.errstate(all="ignore"):
        error = np.abs(np.subtract(value[finite], right[finite], dtype=complex))
    return bool(np.all(error <= atol + rtol * scale))


def has_nan(returned: Returned) -> bool:
    """Return whether a value that came is not a number."""
    floats = (v for v in returned.values or () if v.dtype.kind in "fc")
    return any(bool(np.isnan(value).any()) for value in floats)


def kind(value: Numbers) -> str:
    """Return what an array is: "a number", "an array of shape (3, 1)"."""
    return f"an array of shape {value.shape}" if value.ndim else "a number"


def show(value: object) -> str:
    """Return a number or an array on one line, with four digits, long ones shortened.

    Examples
    --------
    >>> show(np.array([[1.0, 1 / 3], [0.0, -1e-17]]))
    '[[1, 0.3333], [0, 0]]'
    """
    if not isinstance(value, np.ndarray | np.number | int | float | complex):
        return repr(value)[:LONGEST_LINE]
    array = np.asarray(value)
    if array.size > MOST_NUMBERS:
        return f"{kind(array)}, {show(array.ravel()[:4])[:-1]}, …]"
    return str(_rounded(array).tolist()).replace("'", "")


def _rounded(array: Numbers) -> Numbers:
    """Digits as words; what is rounding error beside the rest is 0 on every machine."""
    finite = np.abs(array[np.isfinite(array)])
    tiny = 1e-12 * finite.max(initial=0.0)

    def word(number: Any) -> str:
        if abs(number) <= tiny:
            return "0"
        return f"{number:.{DIGITS}g}" if array.dtype.kind in "fc" else str(number)

    return np.array([word(n) for n in array.ravel()], dtype=object).reshape(array.shape)


def trouble_in_words(trouble: Trouble, source: str, limits: Limits) -> str:
    """Return an exception, with the line of the student's text that it came from."""
    if trouble.type in MEMORY:
        what = f"it needs more memory than the {size_in_words(limits.memory)} it has"
    elif trouble.type in ("SystemExit", "KeyboardInterrupt"):
        what = f"it stops the program (`{trouble.type}`) instead of returning a value"
    else:
        message = f": {trouble.message}" if trouble.message else ""
        what = f"it stops with {trouble.type}{message}"
    if trouble.type == "ModuleNotFoundError":
        what += ". Python's standard library, NumPy and SciPy can be imported here"
    return "\n".join([what, *_places(trouble.lines, source)])


def _places(numbers: tuple[int, ...], source: str) -> list[str]:
    lines = source.split("\n")
    known = dict.fromkeys(n for n in numbers if 1 <= n <= len(lines))
    return [f"line {n}: `{shorten(lines[n - 1])}`" for n in known]


def shorten(text: str) -> str:
    """Return one line of a student's text, fit to be shown."""
    clean = "".join(c if c.isprintable() else " " for c in text).strip()
    return clean if len(clean) <= LONGEST_LINE else clean[: LONGEST_LINE - 1] + "…"


def end_in_words(run: ProgramRun, limits: Limits) -> str:
    """Return why there is no value: how the run ended before it."""
    match run.end:
        case "time":
            allowed = f"{limits.cpu} s of computing, {limits.seconds:g} s in all"
            return f"the time was over ({allowed}): an endless loop?"
        case "crash":
            return "Python crashed (not enough memory, or too deep a recursion?)"
        case "answer":
            return f"it returns more than {size_in_words(limits.answer)}"
        case "forged":
            return "its values could not be read: the code wrote into their channel"
        case _:
            return "the program ended before it returned a value"
