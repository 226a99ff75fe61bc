"""The text of a question: fields, statement, and blocks, each with its line.

A file begins with its fields, one per line, between two lines ``---``. The statement
follows, in Markdown. The rest is blocks, each between two lines of backquotes, of which
the first names it: hints, reference, mistake, and those of the kind of question.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

COMMON = ("hints", "starter", "reference", "mistake")
OF_KINDS = ("symbols", "problem", "route", "values", "draw", "blocks", "kernel")
ANSWERS = ("reference", "mistake")
"""The blocks that no student may see."""

_FIELD = re.compile(r"(?P<key>[a-z_ ]+):(?:\s+(?P<value>.*\S))?\s*")
_FENCE = re.compile(r"(?P<ticks>`{3,})\s*(?P<kind>[\w-]*)\s*(?P<rest>.*?)\s*")
_ATTRIBUTE = re.compile(r"\s*(?P<key>\w+)=(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+))")


class SourceError(ValueError):
    """A file that is not a question: where, what was expected, what to do."""

    def __init__(self, path: Path, line: int, words: str) -> None:
        super().__init__(f"{path}, line {line}: {words}")


@dataclass(frozen=True)
class Entry:
    """A line at the margin of a block, and the lines indented under it."""

    text: str
    line: int
    under: tuple[tuple[str, int], ...] = ()
    indent: int = 0

    def extended(self, line: str, number: int) -> Entry:
        """Return the entry with one line more.

        A line that is indented more than the first one continues the line before it.
        """
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if self.under and indent > self.indent:
            *before, (last, at) = self.under
            return replace(self, under=(*before, (f"{last} {text}", at)))
        under = (*self.under, (text, number))
        return replace(self, under=under, indent=self.indent or indent)


@dataclass(frozen=True)
class Fenced:
    """One block: its kind, what stands behind the kind, its lines, and where."""

    kind: str
    rest: str
    lines: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The text between blank lines, each piece on one line."""
        pieces = re.split(r"\n\s*\n", self.text)
        return tuple(" ".join(piece.split()) for piece in pieces if piece.strip())

    def remark(self) -> tuple[str, str]:
        """Return what the lines with # at the top say, and the text below them."""
        count = 0
        while count < len(self.lines) and self.lines[count].startswith("#"):
            count += 1
        said = " ".join(line.lstrip("#").strip() for line in self.lines[:count])
        return said, "\n".join(self.lines[count:]).strip("\n")

    def outline(self) -> list[Entry]:
        """Return the lines at the margin, each with what is indented under it."""
        entries: list[Entry] = []
        for number, line in enumerate(self.lines, self.line + 1):
            if line[:1].isspace() and line.strip() and entries:
                entries[-1] = entries[-1].extended(line, number)
            elif line.strip():
                entries.append(Entry(line.strip(), number))
        return entries


@dataclass(frozen=True)
class Source:
    """A question as its author wrote it.

    Parameters
    ----------
    path : the file, for messages.
    fields : what stands between the two lines ``---``, by key.
    statement : the Markdown after it.
    blocks : all blocks, in their order.
    line_of : the line of each field.
    """

    path: Path
    fields: Mapping[str, str]
    statement: str
    blocks: tuple[Fenced, ...]
    line_of: Mapping[str, int] = field(default_factory=dict)

    def error(self, line: int, words: str) -> SourceError:
        """Return an error that names the file and the line."""
        return SourceError(self.path, line, words)

    def of(self, *kinds: str) -> list[Fenced]:
        """Return the blocks of these kinds, in their order."""
        return [block for block in self.blocks if block.kind in kinds]

    def one(self, kind: str) -> Fenced:
        """Return the only block of a kind."""
        found = self.of(kind)
        if len(found) != 1:
            line = found[1].line if found else 1
            raise self.error(line, f"one block ```{kind} is needed, not {len(found)}")
        return found[0]

    def needed(self, key: str) -> str:
        """Return a field that must be there."""
        if key not in self.fields:
            words = f"the field “{key}: …” is missing; it stands between the lines ---"
            raise self.error(1, words)
        return self.fields[key]

    def require(self, fields: Iterable[str], blocks: Iterable[str]) -> None:
        """Raise an error at the first field or block that this kind does not have."""
        for key, line in self.line_of.items():
            self.known(key, line, fields, "a field here")
        for block in self.blocks:
            known = (*COMMON, *blocks)
            self.known(block.kind, block.line, known, "a block of this kind")

    def known(self, word: str, line: int, words: Iterable[str], what: str) -> str:
        """Return a word that is one of those known, or raise an error with them."""
        listed = list(words)
        if word in listed:
            return word
        near = difflib.get_close_matches(word, listed, 1)
        hint = f"; was “{near[0]}” meant?" if near else "."
        said = f"“{word}” is not {what}{hint} There are: {', '.join(listed)}"
        raise self.error(line, said)

    def attributes(self, block: Fenced, allowed: tuple[str, ...]) -> dict[str, str]:
        """Return what stands behind a block's name: ``first_bad=2 says="a factor"``."""
        found, at = {}, 0
        while at < len(block.rest):
            match = _ATTRIBUTE.match(block.rest, at)
            if match is None:
                wanted = " ".join(f"{name}=…" for name in allowed)
                got = block.rest[at:].strip()
                raise self.error(block.line, f"expected {wanted}, found “{got}”")
            key = self.known(match["key"], block.line, allowed, "known here")
            found[key] = next(v for v in match.groups()[1:] if v is not None)
            at = match.end()
        return found

    def pair(self, text: str, line: int, known: Iterable[str]) -> tuple[str, str]:
        """Return key and value of a line ``key: value`` with one of these keys."""
        match = _FIELD.fullmatch(text)
        if match is None:
            raise self.error(line, f"expected “key: value”, found “{text}”")
        return self.known(match["key"], line, known, "known here"), match["value"] or ""

    def number(self, text: str, line: int, what: str) -> float:
        """Return a number that an author wrote."""
        try:
            return float(text)
        except ValueError:
            words = f"{what} is a number, not “{text}”"
            raise self.error(line, words) from None


def read_source(path: Path, text: str) -> Source:
    """Take the text of a question apart.

    Raises
    ------
    SourceError
        Where the text has not the form that the top of this module describes.
    """
    lines = text.splitlines()
    fields, line_of, at = _front(path, lines)
    statement, blocks = _body(path, lines, at)
    return Source(path, fields, statement, tuple(blocks), line_of)


def _front(path: Path, lines: list[str]) -> tuple[dict[str, str], dict[str, int], int]:
    start = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if start >= len(lines) or lines[start].strip() != "---":
        words = "expected a line --- and then the fields, such as “title: A half”"
        raise SourceError(path, start + 1, words)
    fields: dict[str, str] = {}
    line_of: dict[str, int] = {}
    at = start
    for at in range(start + 1, len(lines)):
        if lines[at].strip() == "---":
            return fields, line_of, at + 1
        if not lines[at].strip():
            break
        match = _FIELD.fullmatch(lines[at])
        if match is None or match["key"] in fields:
            words = f"expected “key: value”, each key once, found “{lines[at]}”"
            raise SourceError(path, at + 1, words)
        fields[match["key"]] = match["value"] or ""
        line_of[match["key"]] = at + 1
    raise SourceError(path, at + 1, "expected the line --- after the fields")


def _body(path: Path, lines: list[str], at: int) -> tuple[str, list[Fenced]]:
    statement: list[str] = []
    blocks: list[Fenced] = []
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        end = _end(path, lines, at, fence["ticks"]) if fence else at
        if fence and fence["kind"] in COMMON + OF_KINDS:
            inside = tuple(lines[at + 1 : end])
            blocks.append(Fenced(fence["kind"], fence["rest"], inside, at + 1))
        else:
            _check_statement(path, at + 1, lines[at], bool(blocks))
            statement += lines[at : end + 1]
        at = end + 1
    return "\n".join(statement).strip("\n"), blocks


def _end(path: Path, lines: list[str], at: int, ticks: str) -> int:
    for end in range(at + 1, len(lines)):
        if lines[end].rstrip() == ticks:
            return end
    raise SourceError(path, at + 1, f"this block is not closed: a line {ticks} ends it")


def _check_statement(path: Path, line: int, text: str, late: bool) -> None:
    """Raise an error for a misspelt block, or for text after the first block."""
    fence = _FENCE.fullmatch(text)
    kind = fence["kind"] if fence else ""
    near = difflib.get_close_matches(kind, COMMON + OF_KINDS, 1, 0.75)
    if near:
        words = f"“{kind}” is not a block of a question; was “{near[0]}” meant?"
        raise SourceError(path, line, words)
    if late and text.strip():
        words = "the statement ends before the first block; this is outside"
        raise SourceError(path, line, f"{words}: “{text.strip()}”")


def without_answers(text: str) -> str:
    """Return the text of a question without its references and mistakes.

    >>> print(without_answers("Why?\\n\\n```reference\\nh = 1/2\\n```\\n"))
    Why?
    """
    kept: list[str] = []
    ticks = ""
    for line in text.splitlines():
        match = _FENCE.fullmatch(line)
        if ticks:
            ticks = "" if line.rstrip() == ticks else ticks
        elif match and match["kind"] in ANSWERS:
            ticks = match["ticks"]
        elif line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"
