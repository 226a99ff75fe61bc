"""What the text of each kind of question says, beside what all of them say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from kernellab.grading.authoring.source import Entry, Source
from kernellab.grading.questions.puzzles import Block
from kernellab.grading.questions.values import Value

Reader = Callable[[Source, tuple[str, ...]], dict[str, Any]]

_VALUE = re.compile(r"(?P<name>\w+)(?:\s*=\s*(?P<answer>.+))?")
_TRAP = re.compile(r"trap (?P<value>.+?):\s+(?P<words>.+)")
_REALS = re.compile(r"R(?:\^(\d+|d))?")


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list with commas.

    >>> listed("a, w")
    ('a', 'w')
    """
    return tuple(word.strip() for word in text.split(",") if word.strip())


def nothing_more(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read a kind whose text says no more than that of every kind."""
    source.require(fields, ())
    return {}


def derivation(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read the problem of a derivation; ``problem: name`` gives it another name."""
    from kernellab.grading.authoring.problems import read_problem  # half of an import

    source.require((*fields, "problem"), ("symbols", "problem", "route"))
    return {"problem": read_problem(source)}


def code(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read the signature of a function; all else is said in Python."""
    source.require((*fields, "signature"), ())
    signature = source.needed("signature")
    name = signature.removeprefix("def ").partition("(")[0]
    return {"signature": signature, "function": name}


def puzzle(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read the blocks of a puzzle; those with a line ``why: …`` do not belong."""
    source.require(fields, ("blocks",))
    entries = source.one("blocks").outline()
    return {"blocks": tuple(_block(source, entry) for entry in entries)}


def _block(source: Source, entry: Entry) -> Block:
    said = {"needs": "", "why": ""}
    text = []
    for line, _ in entry.under:
        key, _, value = line.partition(": ")
        if key in said:
            said[key] = value.strip()
        else:
            text.append(line)
    if not text:
        words = (
            f"the text of the block “{entry.text}” is missing, on a line with indent"
        )
        raise source.error(entry.line, words)
    return Block(entry.text, " ".join(text), listed(said["needs"]), said["why"])


def values(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read the values that are asked for."""
    source.require(fields, ("values", "draw"))
    entries = source.one("values").outline()
    return {"values": tuple(_value(source, entry) for entry in entries)}


def _value(source: Source, entry: Entry) -> Value:
    match = _VALUE.fullmatch(entry.text)
    if match is None:
        words = f"expected “name = value”, found “{entry.text}”"
        raise source.error(entry.line, words)
    said: dict[str, Any] = {}
    traps: dict[str, str] = {}
    for text, line in entry.under:
        if trap := _TRAP.fullmatch(text):
            traps[trap["value"]] = trap["words"]
        else:
            key, value = source.pair(text, line, _OF_VALUES)
            said[key] = _OF_VALUES[key](source, value, line)
    return Value(match["name"], match["answer"] or "", traps=traps, **said)


def _yes(source: Source, text: str, line: int) -> bool:
    return source.known(text, line, ("yes", "no"), "yes or no") == "yes"


def _number(source: Source, text: str, line: int) -> float:
    return source.number(text, line, "this")


_OF_VALUES: Mapping[str, Callable[[Source, str, int], Any]] = {
    "choices": lambda source, text, line: listed(text),
    "exact": _yes,
    "weight": _number,
    "tolerance": _number,
}


def kernel_proof(source: Source, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read what is asked of a kernel."""
    source.require(fields, ("kernel",))
    said: dict[str, Any] = {}
    for entry in source.one("kernel").outline():
        key, value = source.pair(entry.text, entry.line, _OF_KERNELS)
        whole = "\n".join([value, *(text for text, _ in entry.under)]).strip()
        said[key] = _OF_KERNELS[key](source, whole, entry.line)
    return said


def _domain(source: Source, text: str, line: int) -> Any:
    from kernellab.kernels import Reals

    match = _REALS.fullmatch(text)
    if match is None:
        raise source.error(line, f"a domain is R, R^2, … or R^d, not “{text}”")
    return Reals() if match[1] == "d" else Reals(int(match[1] or 1))


def _names(source: Source, text: str, line: int) -> tuple[str, ...]:
    return () if text == "none" else listed(text)


_OF_KERNELS: Mapping[str, Callable[[Source, str, int], Any]] = {
    "target": lambda source, text, line: text,
    "domain": _domain,
    "given": _names,
    "leaves": _names,
    "forbid": _names,
    "require": _names,
    "may_name": _yes,
}

READERS: Mapping[str, Reader] = {
    "derivation": derivation,
    "values": values,
    "puzzle": puzzle,
    "kernel proof": kernel_proof,
    "code": code,
}
