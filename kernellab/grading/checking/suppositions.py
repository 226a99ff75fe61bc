"""Suppositions: which lines may be cited where, and what cases and inductions prove."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from kernellab.grading.certificates import Fact, Proven
from kernellab.grading.checking.expansion import Expansion
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import Sum
from kernellab.grading.language.tree import is_zero
from kernellab.grading.problem import COVERED, FLIPPED


@dataclass(frozen=True)
class Suppositions:
    """The cases, by their first lines, with their last ones; and the hypotheses."""

    cases: dict[int, int]
    hypotheses: frozenset[int]

    @classmethod
    def of(cls, said: tuple[Fact, ...]) -> Suppositions:
        """Return what was supposed on the way."""
        cases = {f[1]: f[2] for f in said if f[0] == "case"}
        return cls(cases, frozenset(f[1] for f in said if f[0] == "hypothesis"))

    def of_line(self, line: int) -> set[int]:
        """Return the first lines of the cases in which a line stands."""
        return {first for first, last in self.cases.items() if first <= line <= last}

    def may_cite(self, line: int, cited: int, also: Collection[int] = ()) -> bool:
        """Return True if one line may cite another: no case is left or entered."""
        return self.of_line(cited) <= self.of_line(line) | set(also)

    def check_supposed(self, link: Proven, earlier: Collection[Proven]) -> None:
        """Refuse a supposition that nobody called one, or that is not the only one."""
        concluded = {n for p in earlier if p.by == "induction" for n in p.witness}
        pending = {n for n in self.hypotheses if n < link.line} - concluded
        if link.line in self.hypotheses and (pending or self.of_line(link.line)):
            raise Refused("a hypothesis stands alone, outside of all cases")
        if link.line not in {*self.cases, *self.hypotheses} or link.free:
            raise Refused("nobody said that this is supposed")
        if link.link or not link.sign:
            raise Refused("what is supposed is one relation")


def check_cases(link: Proven, cases: list[Proven], names: Names) -> None:
    """Refuse a conclusion if its cases leave something out, or are about two things."""
    parts, more = link.parts[: len(cases)], link.parts[len(cases) :]
    if len(parts) != len(cases) or len(more) > 1 or not cases:
        raise Refused("each case needs a part")
    if any(case.by != "supposed" for case in cases):
        raise Refused("a case begins with what is supposed")
    if any(_stated(part) != _stated(link) for part in parts):
        raise Refused("a part proves something else")
    e = Expansion(names)
    first = e(cases[0].left) - e(cases[0].right)
    covered = "".join(_covered(e, case, first) for case in cases)
    for part in more:
        if not is_zero(part.right) or e(part.left) != first:
            raise Refused("the last part is not about the cases")
        covered += "".join(set("-0+") - set(COVERED[part.sign]))
    if set(covered) != set("-0+"):
        raise Refused("the cases leave something out")


def _stated(link: Proven) -> tuple[object, ...]:
    return link.left, link.sign, link.right, link.free


def _covered(e: Expansion, case: Proven, first: Sum) -> str:
    """Return the signs of the first difference that a case covers."""
    factor = (e(case.left) - e(case.right)).ratio(first)
    if not factor:
        raise Refused("the cases are about different things")
    return COVERED[case.sign if factor > 0 else FLIPPED[case.sign]]


def check_induction(link: Proven, hypothesis: Proven, names: Names) -> None:
    """Refuse a conclusion that its base and its step do not give."""
    problem = names.problem
    fixed = (link.left.symbols() | link.right.symbols()) - set(problem.recursion)
    behind = fixed.union(*map(names.below, fixed))
    if behind & {*problem.recursion, *problem.changing}:
        raise Refused("it mentions what changes from step to step")
    if len(link.parts) != 2 or not problem.recursion or link.free:
        raise Refused("an induction has a base and a step")
    e = Expansion(names)
    if hypothesis.by != "supposed" or _turned(e, link) != _turned(e, hypothesis):
        raise Refused("the hypothesis says something else")
    for place, part in enumerate(link.parts):
        sides = (problem.advanced(side, place) for side in (link.left, link.right))
        if (part.left, part.right, part.sign) != (*sides, link.sign):
            raise Refused(f"the {('base', 'step')[place]} says something else")


def _turned(e: Expansion, link: Proven) -> tuple[Sum, str]:
    """Return the larger side minus the smaller one, and the sign."""
    one, two = e(link.left), e(link.right)
    return one - two if link.sign[0] != "<" else two - one, link.sign.replace("<", ">")
