"""Questions whose answers are values: numbers, vectors, matrices, sets, words."""

from __future__ import annotations

import ast
import contextlib
import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from kernellab.grading.questions.answers import Line, split_lines
from kernellab.grading.questions.arithmetic import (
    Data,
    describe,
    read_data,
    read_tree,
    same,
    show,
)
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding, report
from kernellab.grading.questions.outcome import Outcome
from kernellab.syntax import Unreadable, shorten, source, spell

Earlier = Mapping[str, ast.expr]
"""What was written for the names of earlier lines."""

Given = tuple[str, Earlier]
"""What is written for a name, and what names it may use."""

CONSTANTS = ("", "e", "pi")
"""Names that mean the same in every line."""

NOTHING: Earlier = MappingProxyType({})
Check = Callable[[Mapping[str, Data]], Sequence[Finding]]

CLOSE = 0.02
"""A decimal this close, relatively, is told that its digits are too few."""

_DECIMAL = re.compile(r"\d\.\d|\d\.|\.\d|\de[-+]?\d")
_SYNONYMS = {
    "yes": ("y", "true", "right"),
    "no": ("n", "false", "wrong"),
    "infinite": ("inf", "infinity", "∞", "oo"),
}


@dataclass(frozen=True)
class Value:
    """One value that is asked for.

    Parameters
    ----------
    name : as in the student's line ``name = …``.
    answer : the right value, written as a student would: "1/2", "[1, -1]", "yes";
        empty if the question's `check` decides.
    weight : its part of the points, relative to the other values.
    choices : the words that may be answered.
    exact : whether the exact value is asked for; a close decimal then earns half.
    tolerance : how far a decimal may be off, relative to the value.
    traps : classic wrong values, with what to say about each.
    """

    name: str
    answer: str = ""
    weight: float = 1.0
    choices: tuple[str, ...] = ()
    exact: bool = False
    tolerance: float = 1e-4
    traps: Mapping[str, str] = field(default_factory=dict)

    def read(self, text: str, earlier: Earlier = NOTHING) -> Data:
        """Return a student's text as data; `earlier` values may be named in it."""
        for word in self.choices:
            if text.strip().strip("\"'`.").lower() in _SYNONYMS.get(word, ()):
                return word
        data = read_data(text, self.choices, earlier)
        if self.choices and not isinstance(data, str) and not self.answer:
            raise Unreadable(f"one of {', '.join(self.choices)} is asked for")
        return data

    def judge(self, text: str, earlier: Earlier = NOTHING) -> Finding:
        """Compare one line of an answer with the right value."""
        given = shorten(text)
        try:
            data = self.read(text, earlier)
        except Unreadable as error:
            return Finding(False, f"`{self.name}`: {error}{self._wanted()}")
        if not self.answer:
            return Finding(None, f"`{self.name} = {given}`, {describe(data)}")
        if same(data, self._right):
            return Finding(True, f"`{self.name} = {given}`", self.weight)
        near = _near(data, self._right, self.tolerance)
        if near and _DECIMAL.search(_in_full(text, earlier)):
            if not self.exact:
                return Finding(True, f"`{self.name} = {given}`", self.weight)
            text = "the value is right, but the exact value is asked for"
            return Finding(None, f"`{self.name} = {given}`: {text}", self.weight / 2)
        why = self._trap(data) or self._difference(data)
        return Finding(False, f"`{self.name} = {given}`: {why}")

    @property
    def shown(self) -> str:
        """The right value as a person would write it."""
        return show(self._right)

    @property
    def _right(self) -> Data:
        return read_data(self.answer, self.choices)

    def _trap(self, data: Data) -> str:
        found = (
            message
            for value, message in self.traps.items()
            if same(data, read_data(value, self.choices))
        )
        return next(found, "")

    def _difference(self, data: Data) -> str:
        right = self._right
        if isinstance(right, str) and not isinstance(data, str):
            return f"one of {', '.join(self.choices)} is asked for"
        if type(data) is not type(right) or _size(data) != _size(right):
            return f"this is {describe(data)}, {describe(right)} is asked for"
        if _near(data, right, CLOSE):
            return "close, but not near enough: give more digits, or a fraction"
        return "this is not the value"

    def _wanted(self) -> str:
        if self.choices:
            return f". Answer with one of: {', '.join(self.choices)}"
        return ". Write for example 3, -1/2, sqrt(2)/2, [1, 0, 2]"


@dataclass(frozen=True, kw_only=True)
class Values(Question):
    """Named values, each worth its part of the points.

    Parameters
    ----------
    values : what is asked for.
    check : judges values together, where the answer is not unique: takes the data
        by name and returns findings, each with its share of the points in `share`
        (relative, like the weights). It runs once all values can be read.
    check_weight : what the findings of `check` weigh together.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> question = Values(
    ...     id="half",
    ...     title="A half",
    ...     statement="What is $1/2$?",
    ...     points=2,
    ...     references=(Reference("h = 1/2"),),
    ...     values=(Value("h", "1/2"),),
    ... )
    >>> print(question.grade("h = 0.5"))
    A half: right, 2 of 2 points
      ✓ `h = 0.5`
    """

    kind: ClassVar[str] = "values"

    values: tuple[Value, ...]
    check: Check | None = None
    check_weight: float = 0.0

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Return each value by itself, then all together."""
        try:
            lines = split_lines(answer)
        except Unreadable as error:
            return report(self, 0.0, [Finding(False, str(error))], exam=exam)
        given, remarks = self._assign(lines)
        findings = [
            value.judge(*given[value.name])
            if value.name in given
            else Finding(False, f"`{value.name}`: missing")
            for value in self.values
        ]
        findings += self._together(given)
        total = sum(value.weight for value in self.values if value.answer)
        total += self.check_weight
        counted = (f.share for f in findings if f.ok is not False)
        marks = {
            value.name: finding.ok
            for value, finding in zip(self.values, findings, strict=False)
        }
        share = sum(counted) / total if total else 0.0
        return report(
            self, round(share, 9), [*findings, *remarks], exam=exam, data=marks
        )

    def _assign(self, lines: list[Line]) -> tuple[dict[str, Given], list[Finding]]:
        """Return the text for each name, and remarks on lines that answer nothing."""
        names = [value.name for value in self.values]
        given: dict[str, Given] = {}
        earlier: dict[str, ast.expr] = {}
        remarks = []
        lines = _lists_joined(lines)
        for place, line in enumerate(lines):
            name = _match(line.name, names)
            if not line.name and len(lines) == len(names) == 1:
                name = names[0]
            if name is None and not _is_used(line.name, lines[place + 1 :]):
                remarks.append(_stray(line, names))
            elif name in given:
                remarks.append(
                    Finding(None, f"`{name}` is answered twice: the last one counts")
                )
            if name is not None:
                given[name] = line.body, dict(earlier)
            if line.name not in CONSTANTS:
                with contextlib.suppress(Unreadable):
                    earlier[line.name] = read_tree(line.body, earlier)
        return given, remarks[:5]

    def _together(self, given: Mapping[str, Given]) -> list[Finding]:
        if self.check is None:
            return []
        try:
            data = {value.name: value.read(*given[value.name]) for value in self.values}
        except (Unreadable, KeyError):
            return [Finding(False, "the values together: not all of them can be read")]
        try:
            found = list(self.check(data))
        except Exception:  # a check may trip over data of an unexpected shape
            return [Finding(False, "these values do not have the form asked for")]
        whole = sum(finding.share for finding in found) or 1.0
        scale = self.check_weight / whole
        return [Finding(f.ok, f.text, f.share * scale) for f in found]


def _match(name: str, names: list[str]) -> str | None:
    if name in names:
        return name
    folded = [known for known in names if known.lower() == name.lower()]
    return folded[0] if len(folded) == 1 else None


def _stray(line: Line, names: list[str]) -> Finding:
    near = difflib.get_close_matches(line.name, names, 1) if line.name else []
    asked = f"was `{near[0]}` meant?" if near else f"asked for: {', '.join(names)}"
    what = shorten(line.name or line.body, 40)
    return Finding(None, f"`{what}` answers nothing; {asked}")


def _lists_joined(lines: list[Line]) -> list[Line]:
    """Read `a = 1; -1; 0.5` as one list: numbers without a name go on with it."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and not line.name and last.number == line.number and _is_data(line):
            joined[-1] = replace(last, body=f"{last.body}; {line.body}")
        else:
            joined.append(line)
    return joined


def _is_data(line: Line) -> bool:
    try:
        return bool(read_data(line.body))
    except Unreadable:
        return False


def _is_used(name: str, lines: list[Line]) -> bool:
    return bool(name) and any(_names(name, line.body) for line in lines)


def _names(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _in_full(text: str, earlier: Earlier) -> str:
    """Return the text with what its names stand for, to see whether it has decimals."""
    named = (source(tree) for name, tree in earlier.items() if _names(name, text))
    return " ".join([spell(text), *named])


def _size(data: Data) -> int:
    return len(data) if isinstance(data, tuple) else -1


def _near(left: Data, right: Data, tolerance: float) -> bool:
    if isinstance(left, Real) and isinstance(right, Real):
        bound = abs(float(right)) * tolerance
        return abs(float(left) - float(right)) <= bound
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        return all(_near(x, y, tolerance) for x, y in zip(left, right, strict=True))
    return False
