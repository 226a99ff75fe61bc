"""Suppositions: cases of a number's sign, and induction along a recursion.

What is supposed holds in the instances and may be cited, but only for as long as it is
supposed: a line in a case counts for nothing until it is concluded from all cases, and
an induction hypothesis until base and step are brought together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.licences import check_licences
from kernellab.grading.judging.statements import Passed, Rejected, Statement
from kernellab.grading.judging.sufficiency import without_optimum
from kernellab.grading.judging.truth import holds_at
from kernellab.grading.judging.wording import listed, quoted, shown
from kernellab.grading.language.said import Said
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import NUMBER, Relation, num
from kernellab.grading.problem import COVERED, FLIPPED
from kernellab.grading.proving.knowledge import Link, aim
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.proving.signs import Signs

_EXCLUDING = {"-": ">=", "+": "<=", "-0": ">", "+0": "<"}  # proves what never occurs


def suppose(context: Context, number: int, step: Step, words: Said) -> Passed | None:
    """Open a case or an induction hypothesis, if the line says so."""
    recursive = bool(context.problem.recursion) and not open_hypothesis(context)
    hypothesis = recursive and (words.hypothesis or step.supposes == "suppose")
    if not (step.supposes or hypothesis) or step.continues:
        return None
    relation, free = context.shaped(context.read(step.relation))
    check_licences(context, relation.sides)
    _check_form(relation, free)
    made = Statement(number, relation, {}, chain=number, supposed=True)
    if hypothesis:
        _check_outside(context)
        _check_members(context, relation)
    else:
        _check_split(context, relation)
        made = replace(made, case=number)
        context.split += (made,)
        _enter(context, number, number)
    made = replace(made, rests=frozenset({("supposed", number)}))
    context.statements.append(made)
    return Passed(proofs=(Proof(made.links()[0], by="supposed"),))


def _check_form(relation: Relation, free: dict[str, str]) -> None:
    numbers = all(side.shape == NUMBER for side in relation.sides)
    if len(relation.signs) != 1 or free or not numbers:
        raise Rejected(
            "what is supposed is one relation between two numbers, as in "
            "`case q >= 0` and `case q < 0`",
            "case",
        )


def _check_outside(context: Context) -> None:
    if context.case:
        raise Rejected("finish the cases first: say what holds “in all cases”", "case")


def _check_alone(line: Statement) -> None:
    """A conclusion stands alone: what it would continue was only supposed."""
    if line.chain != line.number:
        raise Rejected("write the conclusion as a line of its own", "case")


def _check_members(context: Context, relation: Relation) -> None:
    """A hypothesis is about the members of the recursion, and what never changes."""
    members = set(context.problem.recursion)
    for name in sorted(relation.symbols() - members):
        if context.behind({name}) & (members | context.problem.changing):
            raise Rejected(
                f"`{name}` changes from step to step: an induction is about "
                f"{quoted(context.problem.recursion)} and what stays the same",
                "case",
            )


def _check_split(context: Context, relation: Relation) -> None:
    """A new case must be about the number of the cases before."""
    if context.split and _orientation(context, relation) == 0:
        about = shown(context.split[0].relation.difference)
        raise Rejected(
            f"the cases above are about {about}: say what holds “in all cases” first",
            "case",
        )


def _made(
    link: Link, by: str, parts: tuple[Proof, ...], witness: tuple[int, ...]
) -> Proof:
    facts = frozenset().union(*(part.facts for part in parts))
    return Proof(link, facts=facts, by=by, parts=parts, witness=witness)


# Cases


def _enter(context: Context, case: int, number: int) -> None:
    """Go on in another case, or in none, from a line on."""
    if context.case:
        context.cases[context.case] = number - 1
    context.case = case


def _orientation(context: Context, relation: Relation) -> int:
    """Return the sign c in left − right = c·(that of the first case); 0 if none."""
    one, two = (
        context.signs().poly(r.difference)
        for r in (context.split[0].relation, relation)
    )
    ratio = context.ratio(one, two) if one and two else None
    return 0 if ratio is None else 1 if ratio > 0 else -1


def left_out(context: Context) -> str:
    """Return the signs, of "-0+", that no case covers."""
    covered = ""
    for case in context.split:
        sign = case.relation.signs[0]
        turned = _orientation(context, case.relation) < 0
        covered += COVERED[FLIPPED[sign] if turned else sign]
    return "".join(sorted(set("-0+") - set(covered), key="-+0".index))


def by_cases(context: Context, line: Statement) -> tuple[Proof, ...] | None:
    """Prove a line in all cases, and close them; None if it does not say so."""
    if not (context.split and line.said.cases):
        return None
    _check_alone(line)
    # What is concluded makes sense without what one of the cases licenses.
    check_licences(replace(context, case=0), line.relation.sides)
    links = line.links()
    excluded = _excluded(context)
    found = []
    for k, link in enumerate(links):
        parts = [_in_case(context, case, link, links[:k]) for case in context.split]
        numbers = tuple(case.number for case in context.split)
        found.append(_made(link, "cases", (*parts, *excluded), numbers))
    _enter(context, 0, line.number)
    context.split = ()
    return tuple(found)


def _in_case(
    context: Context, case: Statement, link: Link, chain: Sequence[Link]
) -> Proof:
    """Prove a link from what stands in one case."""
    there = replace(context, case=case.number)
    proof = there.proof(link, there.knowledge(chain))
    if proof is None:
        where = f"in the case {shown(case.relation)}, line {case.number}"
        line = Statement(case.number, link.relation, link.free)
        if holds_at(there, line) is False:
            raise Rejected(f"this is not true {where}", "case")
        words = f"this does not follow {where}: write the steps to it there"
        raise Rejected(words, "case")
    return proof


def _excluded(context: Context) -> tuple[Proof, ...]:
    """Prove that the signs that no case covers do not occur."""
    missing = left_out(context)
    if not missing:
        return ()
    d, zero = context.split[0].relation.difference, num(0)
    sign = _EXCLUDING.get(missing)
    proof = sign and replace(context, case=0).proof(aim(d, sign, zero))
    if proof:
        return (proof,)
    signs = {"-": "<", "0": "=", "+": ">"}
    cases = listed(shown(Relation((d, zero), (signs[sign],))) for sign in missing)
    raise Rejected(f"the cases leave out {cases}", "case")


# Induction


def open_hypothesis(context: Context) -> Statement | None:
    """Return the induction hypothesis that is not concluded yet."""
    for s in context.statements:
        if s.supposed and not s.case and s.number not in context.concluded:
            return s
    return None


def by_induction(context: Context, line: Statement) -> tuple[Proof, ...] | None:
    """Conclude what the hypothesis says from base and step; None if it is not said."""
    hypothesis, (link, *more) = open_hypothesis(context), line.links()
    if hypothesis is None or not line.said.induction or more:
        return None
    if not _says_same(context.signs(), link, hypothesis.links()[0]):
        return None
    _check_alone(line)
    _check_outside(context)
    _check_members(context, line.relation)
    parts = (_base(context, link), _step(context, link))
    context.concluded |= {hypothesis.number}
    return (_made(link, "induction", parts, (hypothesis.number,)),)


def lacks_hypothesis(context: Context, line: Statement) -> str:
    """Say what a line lacks that is about a sequence, as far as an induction goes."""
    members, names = set(context.problem.recursion), line.relation.symbols()
    hypothesis = open_hypothesis(context)
    if members & names and line.said.base:
        return f": a base is said of the start, with {_start(context)} put in"
    if hypothesis and line.said.induction:
        what = shown(hypothesis.relation)
        return f": by induction follows what the hypothesis says, and that is {what}"
    known = hypothesis.relation.symbols() if hypothesis else set()
    if free := sorted(context.behind(names) & members - context.behind(known)):
        every, need = f" of every {quoted(free)}", "an induction hypothesis above it"
        if hypothesis and line.said.hypothesis:
            first = f"first conclude {shown(hypothesis.relation)} “by induction”"
            return f"{every}; one induction at a time: {first}, then suppose this"
        return f"{every}; if it is meant of the sequence, it needs {need}"
    return ""


def _says_same(signs: Signs, one: Link, two: Link) -> bool:
    """Return True if two links are the same, up to terms moved."""
    one, two = one.oriented, two.oriented
    difference = signs.poly(one.difference)
    same = difference is not None and difference == signs.poly(two.difference)
    return same and one.sign == two.sign


def _at(context: Context, link: Link, place: int) -> Link:
    """Return a link with the start, 0, or the next, 1, of the recursion put in."""
    left, right = (context.problem.advanced(s, place) for s in (link.left, link.right))
    return aim(left, link.sign, right, link.free)


def _base(context: Context, link: Link) -> Proof:
    """Prove what a link says at the start; each induction states a base of its own."""
    base, signs = _at(context, link, 0), context.signs()
    lines = {n for n, line in _stated(context) if _says_same(signs, base, line)}
    used = [s for s in context.statements if s.number in context.concluded]
    bases = (_at(context, s.links()[0], 0) for s in used)
    stated = len(lines) > sum(_says_same(signs, base, other) for other in bases)
    known = replace(without_optimum(context.knowledge()), links=())
    proof = context.proof(base, known)
    if proof is None or not stated:
        raise Rejected(_no_base(context, base), "base")
    return proof


def _no_base(context: Context, base: Link) -> str:
    """Say what the base is, with the numbers put in; it may be false."""
    numbers = Relation(tuple(map(tidied, base.relation.sides)), base.relation.signs)
    start = _start(context)
    alone = replace(context, statements=[])  # without the hypothesis
    if holds_at(alone, Statement(0, base.relation, base.free)) is False:
        says = f"for {start} this says {shown(numbers)}"
        return f"the base does not hold: {says}, which is not true"
    what = f"{shown(numbers)}, which this says for {start}"
    return f"the base is missing: write {what}, with the word “base”"


def _start(context: Context) -> str:
    """Return the first members of the sequences, in words."""
    starts = context.problem.recursion.items()
    return listed(f"`{name} = {start}`" for name, (start, _) in starts)


def _stated(context: Context) -> Iterator[tuple[int, Link]]:
    """Yield the relations between numbers that stand outside of all cases."""
    for s in context.statements:
        numbers = all(side.shape == NUMBER for side in s.relation.sides)
        if not s.sound or s.case or s.supposed or s.free or not numbers:
            continue
        if len(s.relation.signs) == 1:
            yield s.number, s.links()[0]
        for one, two in combinations(context.chain_of(s, sound=True), 2):
            yield s.number, aim(one, "=", two)


def _step(context: Context, link: Link) -> Proof:
    step = _at(context, link, 1)
    signs = context.signs(context.definitions())  # the next member may have a name
    stated = any(_says_same(signs, step, s) for _, s in _stated(context))
    proof = context.proof(step, without_optimum(context.knowledge()))
    if proof is None or not stated:
        true = holds_at(context, Statement(0, step.relation, step.free))
        says = f"{shown(step.relation)}, which the claim says for the next member"
        if true is False:
            raise Rejected(f"the step does not hold: it would be {says}", "step")
        what = f"show {says}, from the hypothesis first"
        raise Rejected(f"the step is missing: {what}", "step")
    return proof
