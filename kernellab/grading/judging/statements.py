"""Statements: the lines of a derivation that were read, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kernellab.grading.language.said import NOTHING, Said
from kernellab.grading.language.tree import Relation
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import Proof


@dataclass(frozen=True)
class Statement:
    """A line that was read.

    Parameters
    ----------
    number : of the line.
    said : what its words say.
    sound : whether it was proved; a line that was not may still be followed.
    rests : all that is behind it.
    kind : "step" or "let".
    chain : the line at which its chain of sides begins.
    at : the variables that it says to be at their optimum.
    about : of a line that does not pass, what kind of slip it is.
    repaired : of a false line, what one edit makes of it.
    case : the line that opens the case in which it stands, or 0.
    supposed : whether it is a case, or an induction hypothesis.
    """

    number: int
    relation: Relation
    free: Mapping[str, str]
    said: Said = NOTHING
    sound: bool = True
    rests: frozenset[Label] = frozenset()
    kind: str = "step"
    chain: int = 0
    at: frozenset[str] = frozenset()
    about: str = ""
    repaired: Relation | None = None
    case: int = 0
    supposed: bool = False

    @property
    def false(self) -> bool:
        """Whether it fails in an instance."""
        return self.about == "false"

    def mended(self) -> Statement:
        """Return the line with its repair in place, if it has one.

        It gets a number of its own, since translations are kept by number.
        """
        if self.repaired is None:
            return self
        return replace(self, number=-self.number, relation=self.repaired)

    def links(self, before: bool = True) -> list[Link]:
        """Return the links of a chain, each a relation of its own."""
        if before not in self._links:
            sides, signs = self.relation.sides, self.relation.signs
            self._links[before] = [
                Link(
                    ("line", self.number, k), sides[k], sign, sides[k + 1], self.free,
                    before, self.chain, self.rests,
                )
                for k, sign in enumerate(signs)
            ]  # fmt: skip
        return self._links[before]

    @cached_property
    def _links(self) -> dict[bool, list[Link]]:
        return {}


def lines_in(labels: Iterable[Label]) -> set[int]:
    """Return the lines that some labels name, at any depth."""
    found: set[int] = set()
    for label in labels:
        if label[:1] == ("line",):
            found.add(label[1])
        elif label[:1] == ("chain",):
            found |= set(range(label[1], label[2] + 1))
        else:
            found |= lines_in(part for part in label if isinstance(part, tuple))
    return found


class Rejected(Exception):
    """A line does not pass; the message says why, `about` what kind of slip it is.

    Expressions in a message stand between backticks, so that they can be typeset.
    """

    def __init__(self, message: str, about: str) -> None:
        super().__init__(message)
        self.about = about


@dataclass(frozen=True)
class Passed:
    """A line passes.

    Parameters
    ----------
    sound : whether on sound lines only.
    proofs : of its links.
    note : what is wrong in its reasons.
    rests : all that is behind it.
    """

    sound: bool = True
    proofs: tuple[Proof, ...] = ()
    note: str = ""
    rests: frozenset[Label] = frozenset()
