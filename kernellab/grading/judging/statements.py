"""Statements: the lines of a derivation that were read, and what they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernellab.grading.language.tree import Relation
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.matching import Label


@dataclass(frozen=True)
class Statement:
    """A line that was read.

    Parameters
    ----------
    number : of the line.
    sound : whether it was proved; a line that was not may still be followed.
    rests : all that is behind it.
    kind : "step" or "let".
    chain : the line at which its chain of sides begins.
    at : the variables that it says to be at their optimum.
    false : whether it fails in an instance.
    repaired : of a false line, what one edit makes of it.
    case : the line that opens the case in which it stands, or 0.
    supposed : whether it is a case, or an induction hypothesis.
    """

    number: int
    relation: Relation
    free: Mapping[str, str]
    sound: bool = True
    rests: frozenset[Label] = frozenset()
    kind: str = "step"
    chain: int = 0
    at: frozenset[str] = frozenset()
    false: bool = False
    repaired: Relation | None = None
    case: int = 0
    supposed: bool = False

    def mended(self) -> Statement:
        """Return the line with its repair in place, if it has one.

        It gets a number of its own, since translations are kept by number.
        """
        if self.repaired is None:
            return self
        return replace(self, number=-self.number, relation=self.repaired)


def links_of(statement: Statement, before: bool) -> list[Link]:
    """Return the links of a chain, each a relation of its own."""
    relation = statement.relation
    return [
        Link(
            ("line", statement.number, k), relation.sides[k], sign,
            relation.sides[k + 1], statement.free, before, statement.chain,
            statement.rests,
        )
        for k, sign in enumerate(relation.signs)
    ]  # fmt: skip
