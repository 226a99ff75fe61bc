"""The collected derivations, and a derivation as a list of steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
SEPARATOR = re.compile(r"(?<!\\)\|")
CITATION = re.compile(r"\b(use|line|from) (\d+)")
STATED = re.compile(r"^(not )?(unique|invertible)\b")


@dataclass(frozen=True)
class Entry:
    """One derivation of the collection, with what the judge must say about it."""

    problem: str
    name: str
    about: str
    text: str
    first_bad: str = ""


@dataclass(frozen=True)
class Step:
    """A relation and its reasons; `start` is the first side of a continued chain."""

    relation: str
    reasons: tuple[str, ...]
    start: str = ""

    @property
    def whole(self) -> str:
        """The relation with the side that it continues."""
        return f"{self.start} {self.relation}".strip()

    @property
    def states(self) -> bool:
        """Whether the step only states: a claim, an assumption or a remark."""
        words = ("assume", "remark", "claim")
        said = any(reason.startswith(words) for reason in self.reasons)
        return said or bool(STATED.match(self.relation))

    @property
    def names(self) -> bool:
        """Whether the step names something of the student's."""
        return any(reason.startswith(("let ", "define")) for reason in self.reasons)

    def __str__(self) -> str:
        reasons = f"   | {'; '.join(self.reasons)}" if self.reasons else ""
        return self.relation + reasons


def collected() -> list[str]:
    """The problems of which derivations were collected."""
    return sorted(path.stem.removeprefix("right_") for path in CORPUS.glob("right_*"))


def read(kind: str, problem: str) -> Iterator[Entry]:
    """The right or the wrong derivations of a problem."""
    text = (CORPUS / f"{kind}_{problem}.txt").read_text(encoding="utf-8")
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        name, _, about = head.partition(": ")
        about, _, first_bad = about.partition(" ; first_bad=")
        yield Entry(problem, name, about, body, first_bad.strip())


def written_by(who: str) -> Iterator[Entry]:
    """The texts of `students`, or the `cheats`, each under the name of its question."""
    for path in sorted((CORPUS / who).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
            head, _, body = part.partition("\n")
            name, _, about = head.partition(" | ")
            yield Entry(path.stem, name, about, body)


def steps(text: str) -> list[Step]:
    """The steps of a derivation, without blank lines and comments."""
    found: list[Step] = []
    start = ""
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        step = read_step(line)
        if step.relation.startswith(("=", ">=")):
            step = replace(step, start=start)
        else:
            start = step.relation.split("=")[0].rstrip(" >")
        found.append(step)
    return found


def read_step(line: str) -> Step:
    """One line: what stands before the last separator, and the reasons after it."""
    parts = list(SEPARATOR.finditer(line))
    if not parts:
        return Step(line, ())
    reasons = re.split(r"[;,]", line[parts[-1].end() :])
    said = tuple(reason.strip() for reason in reasons if reason.strip())
    return Step(line[: parts[-1].start()].strip(), said)


def write(found: list[Step]) -> str:
    """The text of a list of steps."""
    return "\n".join(map(str, found)) + "\n"


def is_plain(text: str) -> bool:
    """Whether a derivation is written in the Python-like syntax alone."""
    return text.isascii() and not re.search(r"[\\^&]|\w_\w|_{", text)


def insert(found: list[Step], at: int, step: Step) -> list[Step]:
    """Insert a step before index `at`, and renumber what is cited."""

    def shift(match: re.Match[str]) -> str:
        cited = int(match[2])
        return f"{match[1]} {cited + (cited > at)}"

    moved = [
        replace(old, reasons=tuple(CITATION.sub(shift, r) for r in old.reasons))
        for old in found
    ]
    return [*moved[:at], step, *moved[at:]]
