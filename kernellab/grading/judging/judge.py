"""The judge: is each line true, and does it follow in one step?

The two questions are kept apart. Truth comes first, in random exact instances: what
fails there has a counterexample. Then a proof is searched: from the line before and at
most a few facts. Words are needed only where they change what is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernellab.grading.instances.fields import OutOfTime, Undecided
from kernellab.grading.judging import introductions
from kernellab.grading.judging.claims import claim
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.licences import check_licences
from kernellab.grading.judging.reasons import wrong_reasons
from kernellab.grading.judging.refusals import not_true, refusal
from kernellab.grading.judging.repairing import repair_lines
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.substitution import exchanges_names
from kernellab.grading.judging.sufficiency import sufficient_proof
from kernellab.grading.judging.suppositions import by_cases, by_induction, suppose
from kernellab.grading.judging.truth import holds
from kernellab.grading.judging.verdicts import Passed, Rejected
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.said import Said, said
from kernellab.grading.language.steps import Step, continued
from kernellab.grading.language.tree import Relation, is_zero
from kernellab.grading.proving.entailment import Combination
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import (
    Proof,
)

LONGEST_CHAIN = 48


@dataclass(frozen=True)
class Claimed:
    """A line that has been read: its relation, and what its words say."""

    number: int
    relation: Relation
    free: dict[str, str]
    said: Said
    chain: int

    def link(self, k: int) -> Link:
        sides, sign = self.relation.sides, self.relation.signs[k]
        label: Label = ("line", self.number, k)
        return Link(label, sides[k], sign, sides[k + 1], self.free, True, self.chain)


def judge(context: Context, number: int, step: Step) -> Passed:
    """Judge a line and let it stand, or raise `Rejected`.

    Raises
    ------
    Rejected, ReadError, ShapeError
        With words for the student.
    """
    if step.wordy:
        return Passed()
    words = said(step.reasons, frozenset(context.symbols))
    introductions.assume(context, number, words, alone=not step.relation)
    if not step.relation:
        return Passed()
    supposed = suppose(context, number, step, words)
    if supposed is not None:
        context.statements.append(supposed[1])
        return supposed[0]
    if step.let is not None and introductions.is_new(context, step):
        return introductions.let(context, number, step)
    claimed = _read(context, number, step, words)
    if not claimed.relation.signs:
        return claim(context, number, claimed.relation.sides[0], words)
    return _judged(context, claimed)


def _read(context: Context, number: int, step: Step, words: Said) -> Claimed:
    if not step.continues:
        relation, free = context.shaped(context.read(step.relation))
        _check_bound(context, relation)
        return Claimed(number, relation, free, words, number)
    before = context.last(sound=False)
    goes_on = continued(step.relation)
    if before is None or goes_on is None:
        raise ReadError("there is no line before that this one could continue")
    if number - before.chain > LONGEST_CHAIN:
        raise ReadError("this chain is too long; start a new one")
    sign, rest = goes_on
    right = context.read(rest)
    sides = (before.relation.sides[-1], *right.sides)
    relation, free = context.shaped(Relation(sides, (sign, *right.signs)))
    return Claimed(number, relation, {**before.free, **free}, words, before.chain)


def _check_bound(context: Context, relation: Relation) -> None:
    """A symbol cannot equal what changes with an index, unless it is a constant."""
    left = relation.sides[0]
    loose = [i for side in relation.sides[1:] for i in sorted(side.indices)]
    symbol = context.symbols.get(left.data) if left.op == "sym" else None
    constant = symbol is not None and symbol.kind == "positive"
    if left.op in ("sym", "grad") and loose and relation.signs and not constant:
        raise ReadError(f"the index {loose[0]} is bound by no sum")


def _judged(context: Context, claimed: Claimed) -> Passed:
    """Judge a relation; it stands afterwards, sound or not."""
    at = frozenset(context.problem.variables if _says_zero(claimed) else ())
    statement = Statement(
        claimed.number, claimed.relation, claimed.free, chain=claimed.chain, at=at
    )
    try:
        passed, rests = _follows(context, claimed)
    except (Rejected, Undecided, OutOfTime) as why:
        false = isinstance(why, Rejected) and why.about == "false"
        statement = replace(statement, case=context.case)
        context.statements.append(replace(statement, sound=False, false=false))
        raise
    statement = replace(statement, case=context.case)
    context.statements.append(replace(statement, sound=passed.sound, rests=rests))
    if ("sufficient", claimed.number) in rests:
        context.conditions += (context.statements[-1],)
    return passed


def _follows(context: Context, claimed: Claimed) -> tuple[Passed, frozenset[Label]]:
    check_licences(context, claimed.relation.sides)
    concluded = _concluded(context, claimed)
    if concluded is not None:
        return concluded
    sufficient = _sufficient(context, claimed)
    if sufficient is not None:
        rests: frozenset[Label] = frozenset({("sufficient", claimed.number)})
        return Passed(_sound(context, claimed), (sufficient,)), rests
    context.tested = False
    bounds = set(claimed.relation.signs) != {"="}
    # For a bound a proof is found sooner than a counterexample.
    if not bounds and _is_false(context, claimed, GATE):
        return _carried(context, claimed, None), frozenset()
    try:
        proofs = _proved(context, claimed)
    except Rejected as why:
        false = _is_false(context, claimed)
        return _carried(context, claimed, None if false else why), frozenset()
    rests = frozenset().union(*(_rests(context, proof) for proof in proofs))
    _remember(context, claimed.number, rests)
    note = wrong_reasons(context, claimed.said, proofs)
    return Passed(_sound(context, claimed), proofs, note), rests


def _concluded(
    context: Context, claimed: Claimed
) -> tuple[Passed, frozenset[Label]] | None:
    """Conclude a line from all cases, or by induction, if its words say so."""
    count = len(claimed.relation.signs)
    links = [claimed.link(k) for k in range(count)]
    for conclude in (by_cases, by_induction):
        proofs = conclude(context, links, claimed.said)
        if proofs is not None:
            if _is_false(context, claimed):
                raise not_true(context, claimed.said, claimed.relation, links)
            rests = frozenset().union(*(_rests(context, proof) for proof in proofs))
            gone = {("supposed", n) for proof in proofs for n in proof.witness}
            return Passed(proofs=proofs), rests - gone
    return None


GATE = 1  # instance in which an equation is tried before a proof is searched


def _is_false(context: Context, claimed: Claimed, most: int | None = None) -> bool:
    """Return True if there is a counterexample, in general and at the optimum."""
    variables = frozenset(context.problem.variables if _says_zero(claimed) else ())
    at_optimum = context.stationary | variables
    truth = holds(context, claimed.relation, claimed.free, at_optimum, most)
    context.tested = truth is True
    return truth is False


def _proved(context: Context, claimed: Claimed) -> tuple[Proof, ...]:
    """Return the proofs of all links, one after the other."""
    count = len(claimed.relation.signs)
    return tuple(_link(context, claimed, k) for k in range(count))


def _sufficient(context: Context, claimed: Claimed) -> Proof | None:
    """Return the proof that a line suffices, if its words say so."""
    if not claimed.said.sufficient or len(claimed.relation.signs) != 1:
        return None
    link = claimed.link(0)
    proof = sufficient_proof(context, link)
    if proof is None:
        return None
    context.said.append(("sufficient", claimed.number))
    return Proof(
        link, frozenset(), Combination(), frozenset(), by="sufficient", parts=(proof,)
    )


def _remember(context: Context, number: int, rests: frozenset[Label]) -> None:
    """Keep what was said for later lines."""
    for name in sorted(
        {f[1] for f in rests if f[0] == "stationary"} - context.stationary
    ):
        context.stationary |= {name}
        context.said.append(("stationary", name, number))
    if any(f[0] == "independence" for f in rests) and not context.independent:
        context.independent = True
        context.said.append(("independent", number))


def _says_zero(claimed: Claimed) -> bool:
    """Return True if the words, or the line itself, say that a gradient vanishes."""
    return claimed.said.stationary or any(map(is_zero, claimed.relation.sides))


def _sound(context: Context, claimed: Claimed) -> bool:
    """A line that continues a wrong one rests on it."""
    return all(
        s.sound
        for s in context.statements
        if s.kind == "step" and s.chain == claimed.chain
    )


def _rests(context: Context, proof: Proof) -> set[Label]:
    """Return all that is behind a proof, through the lines that it uses."""
    found, cited = set[Label](), set[int]()
    for label in proof.labels:
        inner = label[1] if label[0] in ("gradient of", "slope of") else label
        if inner[0] == "line":
            cited.add(inner[1])
        elif inner[0] == "chain":
            cited |= set(range(inner[1], inner[2] + 1))
        found.add(label)
    for statement in context.statements:
        if statement.number in cited:
            found |= statement.rests
    return {label for label in found if label[0] in _BEHIND}


_BEHIND = (
    "definition", "given", "stationary", "sufficient", "independence", "supposed",
)  # fmt: skip


def _carried(context: Context, claimed: Claimed, why: Rejected | None) -> Passed:
    """Pass a line that follows from a wrong one; reject it otherwise.

    Parameters
    ----------
    why : what is missing; None if the line is false.
    """
    if any(not s.sound for s in context.statements):
        if _rests_on_wrong(context, claimed, mended=False):
            return Passed(False)
        if repair_lines(context) and _rests_on_wrong(context, claimed, mended=True):
            return Passed(False)
    links = [claimed.link(k) for k in range(len(claimed.relation.signs))]
    raise why or not_true(context, claimed.said, claimed.relation, links)


def _rests_on_wrong(context: Context, claimed: Claimed, mended: bool) -> bool:
    """Return True if a line follows when wrong lines count, as they are or mended."""
    chain: list[Link] = []
    at, independent = _allowed(context, claimed), claimed.said.independent
    for k in range(len(claimed.relation.signs)):
        known = context.knowledge(chain, False, at, independent, mended)
        if context.proof(claimed.link(k), known) is None:
            return False
        chain.append(claimed.link(k))
    return True


def _allowed(context: Context, claimed: Claimed) -> frozenset[str]:
    """Return the variables that the words say to be at their optimum."""
    if not claimed.said.stationary:
        return frozenset()
    return frozenset(context.problem.variables)


def _link(context: Context, claimed: Claimed, k: int) -> Proof:
    """Return the proof of one link."""
    link = claimed.link(k)
    _check_vacuous(context, claimed)
    most = context.problem.max_facts
    chain = [claimed.link(j) for j in range(k)]
    independent = claimed.said.independent
    known = context.knowledge(chain, True, _allowed(context, claimed), independent)
    proof = context.prover(known).prove(link, most)
    if proof is not None and (proof.cost <= most or exchanges_names(context, link)):
        return proof
    stated = _stated(context, claimed, link, chain)
    if stated is not None:
        return stated
    raise refusal(context, claimed.said, link, chain, proof)


def _check_vacuous(context: Context, claimed: Claimed) -> None:
    """Refuse a line of which all sides, and those that it continues, are 0."""
    poly = context.signs().poly
    sides = list(claimed.relation.sides)
    for statement in context.statements:
        if statement.kind == "step" and statement.chain == claimed.chain:
            sides += statement.relation.sides
    if claimed.said.base and context.problem.recursion:
        return
    if set(claimed.relation.signs) == {"="} and all(poly(side) == {} for side in sides):
        words = "both sides are 0 whatever the symbols are: this says nothing"
        raise Rejected(words, "vacuous")


def _stated(
    context: Context, claimed: Claimed, link: Link, chain: list[Link]
) -> Proof | None:
    """Return the proof of a line that itself states that a gradient vanishes.

    It says that something is 0, and that something is a multiple of the gradient.
    """
    if not (is_zero(link.left) or is_zero(link.right)):
        return None
    variables = frozenset(context.problem.variables) - context.stationary
    proof = context.proof(link, context.knowledge(chain, True, variables))
    if proof is None:
        return None
    rows = [
        row for _, row in proof.combination.rows if row.premise.label[0] == "stationary"
    ]
    plain = len(rows) == 1 and not rows[0].factors and not rows[0].powers
    computed = not any(f[0] == "gradient" for f in proof.facts) or _is_gradient(link)
    return proof if plain and computed and proof.by == "equation" else None


def _is_gradient(link: Link) -> bool:
    """Return True for grad(J, a) = 0 itself."""
    return any(
        n.op in ("grad", "diff") for s in (link.left, link.right) for n in s.walk()
    )
