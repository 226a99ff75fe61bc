"""The judge: is each line true, and does it follow in one step?

The two questions are kept apart. Truth comes first, in random exact instances: what
fails there has a counterexample. Then a proof is searched: from the line before and at
most a few facts. Words are needed only where they change what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging import introductions
from kernellab.grading.judging.carrying import consistent
from kernellab.grading.judging.claims import claim
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.gradients import misstates_gradient
from kernellab.grading.judging.licences import check_licences
from kernellab.grading.judging.reasons import wrong_reasons
from kernellab.grading.judging.refusals import not_true, refusal
from kernellab.grading.judging.repairing import repair_lines
from kernellab.grading.judging.statements import Passed, Rejected, Statement, lines_in
from kernellab.grading.judging.step_size import exchanges_names
from kernellab.grading.judging.sufficiency import sufficient_proof
from kernellab.grading.judging.suppositions import by_cases, by_induction, suppose
from kernellab.grading.judging.truth import holds
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.said import Said, said
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import Expr, Relation, is_zero
from kernellab.grading.proving.matching import Label
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.work import OutOfWork

LONGEST_CHAIN = 48
GATE = 1  # instance in which an equation is tried before a proof is searched
_BEHIND = (
    "definition", "given", "stationary", "sufficient", "independence", "supposed",
)  # fmt: skip


class Unproved(Exception):
    """A link, by its number, has no proof in one step, but perhaps one in more."""


def judge(context: Context, number: int, step: Step) -> Passed:
    """Judge a line and let it stand, or raise `Rejected`.

    Raises
    ------
    Rejected, ReadError, ShapeError
        With words for the student.
    """
    if step.wordy or step.begins:
        return Passed()
    words = said(step.reasons, frozenset(context.symbols))
    introductions.assume(context, number, words, alone=not step.relation)
    if not step.relation:
        return Passed()
    supposed = suppose(context, number, step, words)
    if supposed is not None:
        return supposed
    if step.let is not None and introductions.is_new(context, step):
        return introductions.let(context, number, step)
    line = read_line(context, number, step, words)
    if not line.relation.signs:
        return claim(context, number, line.relation.sides[0], words)
    return _judged(context, line)


def read_line(
    context: Context,
    number: int,
    step: Step,
    words: Said,
    edit: Callable[[Relation], Relation] = lambda relation: relation,
) -> Statement:
    """Read a relation, perhaps with an edit of what was read, before it has shapes."""
    if not step.continues:
        relation, free = context.shaped(edit(context.read(step.relation)))
        _check_bound(context, relation)
        chain = number
    else:
        side, known, chain = _continued_from(context, number)
        added = context.read(step.relation, goes_on=True)
        whole = Relation((side, *added.sides), added.signs)
        relation, free = context.shaped(edit(whole))
        free = {**known, **free}
    zero = words.stationary or any(map(is_zero, relation.sides))
    at = context.variables if zero else frozenset()
    return Statement(number, relation, free, words, chain=chain, at=at)


def _continued_from(
    context: Context, number: int
) -> tuple[Expr, Mapping[str, str], int]:
    """Return the side that a line continues, its free indices, and its chain."""
    named = context.just_named()
    if named is not None:  # let c = E, and then = F: c = F
        return named, {}, number
    before = context.last(sound=False)
    if before is None:
        raise ReadError("there is no line before that this one could continue")
    if number - before.chain > LONGEST_CHAIN:
        raise ReadError("this chain is too long; start a new one")
    return before.relation.sides[-1], before.free, before.chain


def _check_bound(context: Context, relation: Relation) -> None:
    """A symbol cannot equal what changes with an index, unless it is a constant."""
    left = relation.sides[0]
    loose = [i for side in relation.sides[1:] for i in sorted(side.indices)]
    symbol = context.symbols.get(left.data) if left.op == "sym" else None
    constant = symbol is not None and symbol.kind == "positive"
    if left.op in ("sym", "grad") and loose and relation.signs and not constant:
        raise ReadError(f"the index {loose[0]} is bound by no sum")


def _judged(context: Context, line: Statement) -> Passed:
    """Judge a relation; it stands afterwards, sound or not."""
    try:
        passed = _follows(context, line)
    except (Rejected, Undecided, OutOfWork) as why:
        about = why.about if isinstance(why, Rejected) else "undecided"
        context.stand(replace(line, sound=False, about=about))
        raise
    context.stand(replace(line, sound=passed.sound, rests=passed.rests))
    if ("sufficient", line.number) in passed.rests:
        context.conditions += (context.statements[-1],)
    return passed


def _follows(context: Context, line: Statement) -> Passed:
    check_licences(context, line.relation.sides)
    passed = _concluded(context, line) or _sufficient(context, line)
    if passed is not None:
        return passed
    at_optimum = context.stationary | line.at  # there it could be true and wrong
    if at_optimum and misstates_gradient(context, line):
        anywhere = replace(line, said=replace(line.said, stationary=False))
        return _carried(context, anywhere, None)
    context.tested = False
    # For a bound a proof is found sooner than a counterexample.
    equation = set(line.relation.signs) == {"="}
    if equation and _is_false(context, line, GATE):
        return _carried(context, line, None)
    try:
        _check_vacuous(context, line)
        proofs = tuple(_link(context, line, k) for k in range(len(line.links())))
    except (Unproved, Rejected) as why:
        return _carried(context, line, None if _is_false(context, line) else why)
    if equation and not context.tested:
        _check_decided(context, line)
    rests = _rests(context, proofs)
    _remember(context, line.number, rests)
    note = wrong_reasons(context, line.said, proofs)
    return Passed(_sound(context, line), proofs, note, rests)


def _concluded(context: Context, line: Statement) -> Passed | None:
    """Conclude a line from all cases, or by induction, if its words say so."""
    for conclude in (by_cases, by_induction):
        proofs = conclude(context, line)
        if proofs is not None:
            if _is_false(context, line):
                raise not_true(context, line)
            gone = {("supposed", n) for proof in proofs for n in proof.witness}
            return Passed(proofs=proofs, rests=_rests(context, proofs) - gone)
    return None


def _sufficient(context: Context, line: Statement) -> Passed | None:
    """Impose a line that suffices, if its words say so."""
    (link, *more) = line.links()
    proof = sufficient_proof(context, link) if line.said.sufficient else None
    if proof is None or more:
        return None
    context.said.append(("sufficient", line.number))
    whole = Proof(link, by="sufficient", parts=(proof,))
    rests: frozenset[Label] = frozenset({("sufficient", line.number)})
    return Passed(_sound(context, line), (whole,), rests=rests)


def _is_false(context: Context, line: Statement, most: int | None = None) -> bool:
    """Return True if there is a counterexample, in general and at the optimum."""
    truth = holds(context, line, most)
    context.tested = truth is True
    return truth is False


def _check_decided(context: Context, line: Statement) -> None:
    """Refuse a line that no instance can decide; random numbers have no instances."""
    nodes = (node for link in line.links() for node in link.nodes)
    if all(node.data != "cov" for node in nodes) and holds(context, line) is None:
        words = "I can find no values for which this can be computed"
        raise Rejected(words, "undecided")


def _remember(context: Context, number: int, rests: frozenset[Label]) -> None:
    """Keep what was said for later lines."""
    new = {f[1] for f in rests if f[0] == "stationary"} - context.stationary
    context.stationary |= new
    context.said += [("stationary", name, number) for name in sorted(new)]
    if any(f[0] == "independence" for f in rests) and not context.independent:
        context.independent = True
        context.said.append(("independent", number))


def _sound(context: Context, line: Statement) -> bool:
    """A line that continues a wrong one rests on it."""
    return all(s.sound for s in context.members(line.chain))


def _rests(context: Context, proofs: Sequence[Proof]) -> frozenset[Label]:
    """Return all that is behind some proofs, through the lines that they use."""
    labels = set[Label]().union(*(proof.labels for proof in proofs))
    cited = lines_in(labels)
    found = {label for label in labels if label[0] in _BEHIND}
    found |= {("line", number) for number in cited}
    behind = (s.rests for s in context.statements if s.number in cited)
    return frozenset(found.union(*behind))


def _carried(
    context: Context, line: Statement, why: Unproved | Rejected | None
) -> Passed:
    """Pass a line that follows from a wrong one; reject it otherwise.

    Parameters
    ----------
    why : what is missing; None if the line is false.
    """
    if any(not s.sound for s in context.statements):
        proofs = _resting_on_wrong(context, line, mended=False)
        if not proofs and repair_lines(context):
            proofs = _resting_on_wrong(context, line, mended=True)
        if proofs:
            return Passed(False, rests=_rests(context, proofs))
    if isinstance(why, Unproved):
        raise refusal(context, line, *why.args)
    raise why or not_true(context, line)


def _resting_on_wrong(context: Context, line: Statement, mended: bool) -> list[Proof]:
    """Return the proofs of all links when wrong lines count, as they are or mended."""
    links, at = line.links(), context.optimum(line.said)
    proofs: list[Proof] = []
    for k, link in enumerate(links):
        known = context.knowledge(links[:k], False, at, line.said.independent, mended)
        proof = context.proof(link, known)
        if proof is None and line.said.sufficient:
            proof = sufficient_proof(context, link, sound=False)
        proof = proof and consistent(context, link, known, proof)
        if proof is None:
            return []
        proofs.append(proof)
    return proofs


def _link(context: Context, line: Statement, k: int) -> Proof:
    """Return the proof of one link, or raise `Unproved`."""
    link, chain = line.links()[k], line.links()[:k]
    most, at = context.problem.max_facts, context.optimum(line.said)
    known = context.knowledge(chain, True, at, line.said.independent)
    proof = context.prover(known).prove(link, most)
    if proof is not None:
        before = _continued(context, line, k)
        if proof.cost <= most or exchanges_names(context, link, before):
            return proof
        going_on = context.proof(link, context.going_on(known, link))
        if going_on is not None:
            return going_on
    stated = _stated(context, line, k)
    if stated is not None:
        return stated
    raise Unproved(k, proof)


def _continued(context: Context, line: Statement, k: int) -> list[Expr]:
    """Return the sides that a link continues, also those of the lines before."""
    members = context.members(line.chain)
    sides = [side for s in members for side in s.relation.sides]
    return [*sides, *line.relation.sides[:k]]


def _check_vacuous(context: Context, line: Statement) -> None:
    """Refuse a line of which all sides, and those that it continues, are 0."""
    if line.said.base and context.problem.recursion:
        return
    poly, lines = context.signs().poly, [line, *context.members(line.chain)]
    zero = all(poly(side) == {} for s in lines for side in s.relation.sides)
    if set(line.relation.signs) == {"="} and zero:
        words = "both sides are 0 whatever the symbols are: this says nothing"
        raise Rejected(words, "vacuous")


def _stated(context: Context, line: Statement, k: int) -> Proof | None:
    """Return the proof of a link that itself states that a gradient vanishes.

    It says that something is 0, and that something is a multiple of the gradient.
    """
    link, chain = line.links()[k], line.links()[:k]
    if not (is_zero(link.left) or is_zero(link.right)):
        return None
    variables = context.variables - context.stationary
    proof = context.proof(link, context.knowledge(chain, True, variables))
    if proof is None:
        return None
    used = [row for _, row in proof.combination.rows]
    rows = [row for row in used if row.premise.label[0] == "stationary"]
    plain = len(rows) == 1 and not rows[0].factors and not rows[0].powers
    nodes = (node for other in line.links() for node in other.nodes)
    gradient = any(node.op in ("grad", "diff") for node in nodes)
    computed = gradient or all(fact[0] != "gradient" for fact in proof.facts)
    return proof if plain and computed and proof.by == "equation" else None
