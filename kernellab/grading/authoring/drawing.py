"""Another one like it: the text of a question with other numbers in it.

The numbers stand in the text as ``{{p}}``, and a block says what each may be::

    ```draw
    p in 2, 3, 4
    q in 1, 2, 3
    s = p + q
    where q < p
    ```

The first ones that fit are those of the question itself, 2 and 1 here. Its references
and mistakes are written for them; the others get their reference from the values.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from kernellab.grading.authoring.source import ANSWERS, Entry, Fenced, Source
from kernellab.grading.questions.arithmetic import as_number, read_data
from kernellab.grading.questions.exact import Real
from kernellab.syntax import Unreadable

BLOCK = "draw"
MOST = 2000
"""Of so many combinations of numbers those that fit are taken."""

Numbers = dict[str, str]

_CHOICE = re.compile(r"(?P<name>[A-Za-z]\w*) in (?P<choices>.+)")
_LET = re.compile(r"(?P<name>[A-Za-z]\w*) = (?P<value>.+)")
_WHERE = re.compile(r"where (?P<left>.+?)\s*(?P<sign><=|<|!=)\s*(?P<right>.+)")
_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_SIGNS = {"<": (-1,), "<=": (-1, 0), "!=": (-1, 1)}
"""The signs that left − right may have."""


def draws(source: Source) -> list[Numbers]:
    """Return the numbers of a question, first its own, then the others in an order
    that looks random and is always the same; nothing if it has no block for them.
    """
    if not source.of(BLOCK):
        return []
    first, *others = _fitting(source)
    random.Random(source.path.stem).shuffle(others)
    return [first, *others]


def with_numbers(source: Source, numbers: Numbers) -> Source:
    """Return the text of a question with these numbers in their places."""
    shown = [_drawn(source, block, numbers) for block in source.blocks]
    statement = _put(source, 1, source.statement, numbers)
    return replace(source, statement=statement, blocks=tuple(shown))


def without_answers(source: Source) -> Source:
    """Return the text without what was written for the first numbers."""
    kept = (block for block in source.blocks if block.kind not in ANSWERS)
    return replace(source, blocks=tuple(kept))


def _drawn(source: Source, block: Fenced, numbers: Numbers) -> Fenced:
    if block.kind in (BLOCK, *ANSWERS):
        return block
    if block.kind != "hints":  # in a formula -2 is (-2)
        numbers = {name: f"({number})" for name, number in numbers.items()}
    lines = enumerate(block.lines, block.line + 1)
    put_in = tuple(_put(source, at, line, numbers) for at, line in lines)
    return replace(block, lines=put_in)


def _put(source: Source, line: int, text: str, numbers: Numbers) -> str:
    def number(place: re.Match[str]) -> str:
        return numbers[source.known(place[1], line, numbers, "a number that is drawn")]

    return _PLACE.sub(number, text)


def _fitting(source: Source) -> list[Numbers]:
    """Return all numbers that fit, or the first of very many."""
    choices: dict[str, list[str]] = {}
    rules = []
    for entry in source.one(BLOCK).outline():
        if match := _CHOICE.fullmatch(entry.text):
            choices[match["name"]] = [c.strip() for c in match["choices"].split(",")]
        else:
            rules.append(entry)
    every = (
        dict(zip(choices, some, strict=True)) for some in product(*choices.values())
    )
    found = list(islice(_kept(source, every, rules), MOST))
    if len(found) < 2:
        words = f"{len(found)} choice of numbers fits; at least 2 are needed"
        raise source.error(source.one(BLOCK).line, words)
    return found


def _kept(
    source: Source, every: Iterator[Numbers], rules: list[Entry]
) -> Iterator[Numbers]:
    for numbers in every:
        if all(_follows(source, entry, numbers) for entry in rules):
            yield numbers


def _follows(source: Source, entry: Entry, numbers: Numbers) -> bool:
    """Add the number that a rule computes; return whether the rule lets them pass."""
    try:
        if match := _LET.fullmatch(entry.text):
            numbers[match["name"]] = str(_value(match["value"], numbers))
            return True
        if match := _WHERE.fullmatch(entry.text):
            left, right = (_value(match[side], numbers) for side in ("left", "right"))
            return (left - right).sign() in _SIGNS[match["sign"]]
    except Unreadable as error:
        raise source.error(entry.line, str(error)) from error
    words = "expected “p in 1, 2, 3”, “s = p + q”, or “where p < q” with <, <= or !="
    raise source.error(entry.line, f"{words}, found “{entry.text}”")


def _value(text: str, numbers: Numbers) -> Real:
    named = re.compile(rf"\b({'|'.join(map(re.escape, numbers))})\b")
    return as_number(read_data(named.sub(lambda name: f"({numbers[name[0]]})", text)))
