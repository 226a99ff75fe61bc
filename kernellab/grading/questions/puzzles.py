"""Proof puzzles: blocks to put in order, some of which do not belong.

Which block rests on which is declared, not an order: every order in which each
block comes after what it needs is right.
"""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kernellab.grading.questions.answers import LONGEST_ANSWER
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.feedback import Finding, report
from kernellab.grading.questions.outcome import Outcome
from kernellab.syntax import Unreadable, shorten

MOST_BLOCKS = 26
MOST_TOKENS = 200

_TOKEN = re.compile(r"[^\W\d_][\w-]*")
_NUMBERED = re.compile(r"^\s*(?:[-*]\s+)?(?:\d+\s*[.):]\s*)?")
_LABELLED = re.compile(r"^\**\s*([^\W\d_][\w-]*)\s*\**\s*[.:)]")


@dataclass(frozen=True)
class Block:
    """One step of a proof, or one that does not belong.

    Parameters
    ----------
    id : name in the source, of at least two characters.
    text : Markdown, with formulas between dollars.
    needs : ids of the blocks that must stand before; "a|b" if either will do.
    why : for a block that does not belong: what is wrong with it.
    """

    id: str
    text: str
    needs: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Puzzle(Question):
    """Blocks to choose and to order.

    Parameters
    ----------
    blocks : all blocks; those with a `why` do not belong.
    routes : sets of ids, each of which is a whole proof, where there is more than
        one; by default all blocks without a `why`.

    Examples
    --------
    >>> from kernellab.grading.questions.base import Reference
    >>> puzzle = Puzzle(
    ...     id="socrates",
    ...     title="Socrates",
    ...     statement="Order:",
    ...     points=2,
    ...     references=(Reference("human, mortal, hence"),),
    ...     blocks=(
    ...         Block("human", "Socrates is human."),
    ...         Block("mortal", "Humans are mortal."),
    ...         Block("hence", "So he is mortal.", needs=("human", "mortal")),
    ...         Block("greek", "He is Greek.", why="True, but nothing rests on it."),
    ...     ),
    ... )
    >>> puzzle.grade("mortal, human, hence").points
    2.0
    """

    kind: ClassVar[str] = "puzzle"

    blocks: tuple[Block, ...]
    routes: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        ids = [block.id for block in self.blocks]
        if len(set(ids)) < len(ids) or len(ids) > MOST_BLOCKS:
            raise ValueError(f"{self.id}: at most {MOST_BLOCKS} blocks, each id once")
        if any(len(name) < 2 or not _TOKEN.fullmatch(name) for name in ids):
            raise ValueError(f"{self.id}: an id is a word of two characters or more")
        named = {n for b in self.blocks for need in b.needs for n in need.split("|")}
        unknown = (named | {name for route in self.routes for name in route}) - set(ids)
        if unknown:
            raise ValueError(f"{self.id}: no block is called {sorted(unknown)}")
        if not all(_is_order(self, self._some_order(r)) for r in self._whole):
            raise ValueError(f"{self.id}: the needs of the blocks run in a circle")

    # --- what the student sees ----------------------------------------------------

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letter of each id: a fixed shuffle in which the letters tell nothing."""
        for salt in range(1000):
            order = sorted(self._by_id, key=lambda name: _digest(self.id, salt, name))
            if not any(_is_order(self, _only(order, route)) for route in self._whole):
                break
        return dict(zip(order, string.ascii_uppercase, strict=False))

    @property
    def prompt(self) -> str:
        """The statement with the lettered blocks, in Markdown."""
        lines = [self.statement.rstrip(), ""]
        by_letter = sorted(self.letters.items(), key=lambda item: item[1])
        for name, letter in by_letter:
            text = self._by_id[name].text.strip().replace("\n", "\n  ")
            lines.append(f"- **{letter}.** {text}")
        return "\n".join(lines)

    def lettered(self, answer: str) -> str:
        """Return an answer written with ids, in letters, one per line."""
        return "\n".join(self.letters[name] for name in self._read(answer))

    # --- judging ------------------------------------------------------------------

    def judge(self, answer: str, *, exam: bool = False, seed: int = 0) -> Outcome:
        """Return the best of the routes, and the first block that is out of place."""
        try:
            given = self._read(answer)
        except Unreadable as error:
            return report(self, 0.0, [Finding(False, str(error))], exam=exam)
        share, route = max(
            ((self._share(given, route), route) for route in self._whole),
            key=lambda pair: pair[0],
        )
        findings = self._findings(given, route)
        letters = [self.letters[name] for name in given]
        return report(self, share, findings, exam=exam, data={"order": letters})

    def _share(self, given: Sequence[str], route: tuple[str, ...]) -> float:
        """Blocks in place, less those that do not belong, relative to the route."""
        placed = _placed(self, given, route)
        strangers = len(given) - len(set(given) & set(route))
        share = max(len(placed) - strangers, 0) / len(route)
        return share if list(given) == placed else min(share, 1 - 1 / len(route))

    def _findings(self, given: Sequence[str], route: tuple[str, ...]) -> list[Finding]:
        position = self._first_bad(given, route)
        right = given if position is None else given[:position]
        found = []
        if right:
            order = ", ".join(self.letters[name] for name in right)
            found.append(Finding(True, f"in place so far: {order}"))
        if position is not None:
            found.append(Finding(False, self._complaint(given, position, route)))
        elif len(given) < len(route):
            text = "all of these are in place, but the proof has a gap: more is needed"
            found.append(Finding(False, text))
        return found

    def _first_bad(self, given: Sequence[str], route: tuple[str, ...]) -> int | None:
        for i, name in enumerate(given):
            if name in given[:i] or name not in route:
                return i
            if _lacking(self._by_id[name], given[:i], route):
                return i
        return None

    def _complaint(self, given: Sequence[str], at: int, route: tuple[str, ...]) -> str:
        name = given[at]
        block, letter = self._by_id[name], self.letters[name]
        where = f"block {letter}, number {at + 1} of your list"
        if name in given[:at]:
            return f"{where}, is there already"
        if block.why:
            return f"{where}, does not belong: {block.why}"
        if name not in route:
            return f"{where}, belongs to another way than the blocks before it"
        lacking = _lacking(block, given[:at], route)
        later = [self.letters[n] for n in given[at + 1 :] if n in lacking]
        if later:
            return f"{where}, comes too early: it rests on block {later[0]}"
        return f"{where}, rests on something that your list does not say before it"

    def _read(self, answer: str) -> list[str]:
        """Return the ids that an answer lists, by letters or by ids."""
        if len(answer) > LONGEST_ANSWER:
            raise Unreadable("the answer is too long: one letter a line is enough")
        given: list[str] = []
        for number, raw in enumerate(answer.splitlines(), 1):
            given += self._read_line(number, raw.split("#")[0])
            if len(given) > MOST_TOKENS:
                raise Unreadable("there are more letters than blocks")
        if not given:
            raise Unreadable(f"no block is named; the blocks are {self._range}")
        return given

    def _read_line(self, number: int, line: str) -> list[str]:
        line = _NUMBERED.sub("", line)
        tokens = _TOKEN.findall(line)
        found = [self._blocks_of(token) for token in tokens]
        if all(found):
            return [name for names in found for name in names]
        label = _LABELLED.match(line)
        if label and (names := self._blocks_of(label[1])):
            return names  # "C: because …", a block with its text
        strange = next(t for t, names in zip(tokens, found, strict=True) if not names)
        raise Unreadable(
            f"line {number}: `{shorten(strange, 30)}` is no block; the blocks are "
            f"{self._range}, one letter a line"
        )

    def _blocks_of(self, token: str) -> list[str]:
        """Return the blocks that a word names: a letter, an id, or letters in one
        word.
        """
        names = {letter: name for name, letter in self.letters.items()}
        if token in self._by_id:
            return [token]
        if token.upper() in names:
            return [names[token.upper()]]
        if len(token) <= MOST_BLOCKS and all(c in names for c in token):
            return [names[c] for c in token]
        return []

    @property
    def _range(self) -> str:
        return f"A to {string.ascii_uppercase[len(self.blocks) - 1]}"

    @cached_property
    def _by_id(self) -> dict[str, Block]:
        return {block.id: block for block in self.blocks}

    @property
    def _whole(self) -> tuple[tuple[str, ...], ...]:
        belonging = tuple(block.id for block in self.blocks if not block.why)
        return self.routes or (belonging,)

    def _some_order(self, route: tuple[str, ...]) -> list[str]:
        order: list[str] = []
        for _ in route:
            order = _placed(self, [*order, *route], route)
        return order


def _lacking(block: Block, before: Sequence[str], route: Iterable[str]) -> set[str]:
    """Return what the block needs, of this route, and does not find before it."""
    lacking: set[str] = set()
    for need in block.needs:
        either = set(need.split("|")) & set(route)
        if either and not either & set(before):
            lacking |= either
    return lacking


def _placed(puzzle: Puzzle, given: Iterable[str], route: tuple[str, ...]) -> list[str]:
    """Return the blocks of the route that come after what they need, each once."""
    placed: list[str] = []
    for name in given:
        block = puzzle._by_id[name]
        if name in route and name not in placed and not _lacking(block, placed, route):
            placed.append(name)
    return placed


def _is_order(puzzle: Puzzle, order: Sequence[str]) -> bool:
    """Return whether this is a whole route in a right order."""
    return any(
        set(order) == set(route) and _placed(puzzle, order, route) == list(order)
        for route in puzzle._whole
    )


def _only(order: Iterable[str], route: tuple[str, ...]) -> list[str]:
    return [name for name in order if name in route]


def _digest(question: str, salt: int, name: str) -> str:
    return hashlib.sha256(f"{question}/{salt}/{name}".encode()).hexdigest()
