"""What the judge says of a line: it passes, or it is rejected and why."""

from __future__ import annotations

from dataclasses import dataclass

from kernellab.grading.judging_old.facts import Fact
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.worlds.instances import Equation


class Rejected(Exception):
    """A line does not pass; the message says why, `about` what kind of slip it is."""

    def __init__(self, message: str, about: str) -> None:
        super().__init__(message)
        self.about = about


@dataclass(frozen=True)
class Passed:
    """A line passes: whether on sound lines only, and by which facts."""

    sound: bool
    used: tuple[Fact, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Pair:
    """One relation of a line: left, sign, right, and its free indices."""

    left: Expr
    sign: str
    right: Expr
    free: dict[str, str]

    @property
    def relation(self) -> Relation:
        return Relation((self.left, self.right), (self.sign,))

    @property
    def equation(self) -> Equation:
        return self.left, self.right, self.free
