"""Suppositions: which lines may be cited where, and what cases and inductions prove."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from kernellab.grading.certificates import Certificate, Proven
from kernellab.grading.checking.atoms import Refused
from kernellab.grading.checking.expansion import Expansion
from kernellab.grading.checking.history import all_facts
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import Sum, scale, subtract
from kernellab.grading.language.tree import is_zero
from kernellab.grading.problem import COVERED, FLIPPED

# Facts that hold of every member of a recursion.
_FREE = ("inverse", "reciprocal", "square", "mirror", "cauchy")


@dataclass(frozen=True)
class Suppositions:
    """The cases, by their first lines, with their last ones; and the hypotheses."""

    cases: dict[int, int]
    hypotheses: frozenset[int]

    @classmethod
    def of(cls, certificate: Certificate) -> Suppositions:
        said = certificate.said
        cases = {f[1]: f[2] for f in said if f[0] == "case"}
        return cls(cases, frozenset(f[1] for f in said if f[0] == "hypothesis"))

    def of_line(self, line: int) -> set[int]:
        """Return the first lines of the cases in which a line stands."""
        return {first for first, last in self.cases.items() if first <= line <= last}

    def may_cite(self, line: int, cited: int, also: Collection[int] = ()) -> bool:
        """Return True if one line may cite another: no case is left or entered."""
        return self.of_line(cited) <= self.of_line(line) | set(also)

    def check_supposed(self, proven: Proven, links: Collection[Proven]) -> None:
        """Refuse a supposition that nobody called one, or that is not the only one."""
        concluded = {n for p in links if p.by == "induction" for n in p.witness}
        earlier = {n for n in self.hypotheses if n < proven.line} - concluded
        if proven.line in self.hypotheses and (earlier or self.of_line(proven.line)):
            raise Refused("a hypothesis stands alone, outside of all cases")
        if proven.line not in {*self.cases, *self.hypotheses} or proven.free:
            raise Refused("nobody said that this is supposed")
        if proven.link or not proven.sign:
            raise Refused("what is supposed is one relation")


def check_cases(proven: Proven, cases: list[Proven], names: Names) -> None:
    """Refuse a conclusion if its cases leave something out, or are about two things."""
    parts, more = proven.parts[: len(cases)], proven.parts[len(cases) :]
    if len(parts) != len(cases) or len(more) > 1 or not cases:
        raise Refused("each case needs a part")
    for part in parts:
        if _stated(part) != _stated(proven):
            raise Refused("a part proves something else")
    e = Expansion(names)
    first = subtract(e(cases[0].left), e(cases[0].right))
    covered = "".join(_covered(e, case, first) for case in cases)
    for part in more:
        if not is_zero(part.right) or e(part.left) != first:
            raise Refused("the last part is not about the cases")
        covered += "".join(set("-0+") - set(COVERED[part.sign]))
    if set(covered) != set("-0+"):
        raise Refused("the cases leave something out")


def _stated(proven: Proven) -> tuple[object, ...]:
    return proven.left, proven.sign, proven.right, proven.free


def _covered(e: Expansion, case: Proven, first: Sum) -> str:
    """Return the signs of the first difference that a case covers."""
    own = subtract(e(case.left), e(case.right))
    term = next(iter(first), None)
    if term is None or term not in own:
        raise Refused("the cases are about different things")
    factor = own[term] / first[term]
    if scale(first, factor) != own:
        raise Refused("the cases are about different things")
    return COVERED[case.sign if factor > 0 else FLIPPED[case.sign]]


def check_induction(proven: Proven, hypothesis: Proven, names: Names) -> None:
    """Refuse a conclusion that its base and its step do not give."""
    problem = names.problem
    fixed = (proven.left.symbols() | proven.right.symbols()) - set(problem.recursion)
    behind = fixed.union(*(names.below(name) for name in fixed))
    if behind & {*problem.recursion, *problem.changing}:
        raise Refused("it mentions what changes from step to step")
    if len(proven.parts) != 2 or not problem.recursion or proven.free:
        raise Refused("an induction has a base and a step")
    if _turned(proven) != _turned(hypothesis):
        raise Refused("the hypothesis says something else")
    for place, part in enumerate(proven.parts):
        sides = (problem.advanced(s, place) for s in (proven.left, proven.right))
        if (part.left, part.right, part.sign) != (*sides, proven.sign):
            raise Refused(f"the {('base', 'step')[place]} says something else")
    if not all(f[0] in _FREE for f in all_facts(proven.parts[0])):
        raise Refused("the base rests on lines about later members")


def _turned(proven: Proven) -> tuple[str, str, str]:
    sides = (str(proven.left), str(proven.right))
    one, two = sides if proven.sign[0] != "<" else sides[::-1]
    return one, proven.sign.replace("<", ">"), two
