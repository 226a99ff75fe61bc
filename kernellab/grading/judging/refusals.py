"""Words for lines that do not pass: what is missing, or where to split.

A message offers only what would then be accepted: each way out is tried first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kernellab.grading.judging.cancelling import cancelled, not_cancelled
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.gradients import (
    misstates_gradient,
    wrong_gradient,
)
from kernellab.grading.judging.readings import Reading
from kernellab.grading.judging.statements import Rejected, Statement
from kernellab.grading.judging.sufficiency import sufficient_proof
from kernellab.grading.judging.suppositions import lacks_hypothesis
from kernellab.grading.judging.truth import holds_at
from kernellab.grading.judging.wording import counted, listed, named, shown
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.proofs import Proof

TURNED = {">": "<=", ">=": "<=", "<": ">=", "<=": ">="}  # the other way round
MANY = 4  # facts that may show that a line is sufficient, though not in one step
SUFFICIENT = (
    "it is enough: where it holds, the gradient vanishes; if you mean that it is "
    "sufficient, say so"
)


def not_true(context: Context, line: Statement) -> Rejected:
    """Refuse a line that fails in an instance; it may be true at the optimum only."""
    if misstates_gradient(context, line):
        return Rejected(wrong_gradient(context, line), "false")
    said, links = line.said, line.links()
    points = [
        at for at in (_points(context) if not said.stationary else [])
        if holds_at(context, line, at)
    ]  # fmt: skip
    for at in points:
        known = context.knowledge((), True, at)
        if all(context.proof(link, known) for link in links):
            return Rejected(_stationary(context, at), "unsaid")
    enough = _enough(context, line, links[0]) if len(links) == 1 else ""
    if enough and not said.sufficient:
        return Rejected(enough, "unsaid")
    if not points and (first := _first_before(context, line)):
        return Rejected(first, "early")
    if enough:
        return Rejected(enough, "unsaid")
    if not points:
        return Rejected(f"this is not true{_because(context, line)}", "false")
    return Rejected(
        f"this holds only where {_gradient(context, points[0])} vanishes, which "
        "nothing above says; compute the gradient first, and set it to zero",
        "early",
    )


def _because(context: Context, line: Statement) -> str:
    """Say what was overlooked in a line that is false, if that can be seen."""
    if matrix := _to_assume(context, line.links()):
        may = "may be singular; assume that it is invertible, and say so"
        return f": {shown(matrix)} {may}"
    if X := cancelled(context, line):
        return f": {not_cancelled(X)}"
    return (
        lacks_hypothesis(context, line)
        or _other_sign(context, line)
        or _unfounded(context, line)
    )


def _other_sign(context: Context, line: Statement) -> str:
    """Say which sign would make a bound true, if another one does."""
    (link, *more), known = line.links(), context.knowledge((), True, line.at)
    if more or link.sign == "=":
        return ""
    most = context.problem.max_facts
    weaker = f"{link.sign[0]}="
    for sign in dict.fromkeys((weaker, TURNED[link.sign])):
        other = replace(link, sign=sign)
        proof = context.prover(known).prove(other, most) if sign != link.sign else None
        if proof is not None:
            may = "the two sides may be equal, and " if sign == weaker else ""
            verb = "follows" if proof.cost <= most else "holds"
            return f": {may}only {shown(other.relation)} {verb}"
    return ""


def _unfounded(context: Context, line: Statement) -> str:
    """Say which of the lines that the words name did not pass, or are not there."""
    wrong = [s.number for s in context.steps(sound=False) if not s.sound]
    if named := [n for n in line.said.lines if n in wrong]:
        what = "line" if len(named) == 1 else "lines"
        return f"; {what} {listed(map(str, named))}, on which it rests, did not pass"
    if ahead := [n for n in line.said.lines if n >= line.number]:
        return f"; there is no line {ahead[0]} above this one"
    return ""


def _first_before(context: Context, line: Statement) -> str:
    """Return where to begin, if a line states the goal and nothing leads to it yet."""
    problem, left = context.problem, line.relation.sides[0]
    unknown = left.op == "sym" and left.data in (*problem.variables, *problem.unknowns)
    if not unknown or context.stationary or context.conditions:
        return ""
    reader = Reading(replace(context, statements=[*context.statements, line]))
    for first, *more in (route.milestones for route in problem.routes):
        if more and reader.says(more[-1], line):
            goal = f"this is the goal, but nothing so far says which {shown(left)}"
            return f"{goal} is meant: it has to be derived; begin with {first.name}"
    return ""


def _enough(context: Context, line: Statement, link: Link) -> str:
    """Return that a line is sufficient, and what is missing; or nothing."""
    said = line.said
    proof = sufficient_proof(context, link, most=MANY if said.sufficient else None)
    if proof is None:
        return ""
    if said.sufficient:
        by = _gradient(context, frozenset({proof.claim.left.args[1].data}))
        step = f"that {by} vanishes there is more than one step"
        needs = _too_many(context, proof)
        return f"this is enough, but {step}: {needs}; compute it first"
    X, matrix = cancelled(context, line), _to_assume(context, [link])
    why = f" ({not_cancelled(X)})" if X else ""
    no = f"this does not follow from what stands above{why}, but {SUFFICIENT}"
    return f"{no}; or else write “assume {matrix} invertible”" if matrix else no


def _to_assume(context: Context, links: Sequence[Link]) -> Expr | None:
    """Return a matrix that may be assumed to be invertible, if that is enough."""
    for text in context.problem.assumable:
        matrix = context.shaped(context.read(text))[0].sides[0]
        there = replace(context, invertible=(*context.invertible, matrix))
        if all(there.proof(link) for link in links):
            return matrix
    return None


def _points(context: Context) -> list[frozenset[str]]:
    """Return the variables to set at their optimum: one of them, or else all."""
    new = [v for v in context.problem.variables if v not in context.stationary]
    points = [context.stationary | {name} for name in new]
    return points if len(new) < 2 else [*points, context.stationary | set(new)]


def _stationary(context: Context, at: frozenset[str]) -> str:
    where = _gradient(context, at)
    return f"this holds only where {where} vanishes: say so, as in “set to zero”"


def _gradient(context: Context, at: frozenset[str]) -> str:
    names = [f"`{name}`" for name in sorted(at - context.stationary)]
    return f"the gradient of `{context.problem.object}` by {listed(names)}"


def refusal(context: Context, line: Statement, k: int, proof: Proof | None) -> Rejected:
    """Refuse a line that is true: say what is missing for its link k."""
    unsaid = _unsaid(context, line, k, proof)
    if unsaid:
        return Rejected(unsaid, "unsaid")
    if proof is None:
        tried = "this is true in all instances that I tried, but "
        words = f"{tried if context.tested else ''}I found no proof"
        words += " in one step from what stands above" + _missing(context, line)
        return Rejected(words, "unproved")
    needs = _too_many(context, proof)
    return Rejected(f"this is true, but more than one step: {needs}; split it", "large")


def _missing(context: Context, line: Statement) -> str:
    """Say what to write, or what stands in the way, for a line without a proof."""
    if X := cancelled(context, line):
        return f": {not_cancelled(X)}"
    if why := lacks_hypothesis(context, line) or _other_sign(context, line):
        return why
    if why := _unfounded(context, line):
        return why
    if set(line.relation.signs) == {"="}:
        return "; write the lines between"
    what = "write the difference of the two sides as a sum of squares"
    return f"; {what}, or of what is known not to be negative"


def _too_many(context: Context, proof: Proof) -> str:
    """Say how many facts a line may use, and which ones it needs."""
    allowed, needed = counted(context.problem.max_facts, "fact"), counted(proof.cost)
    facts = listed(named(context, proof.facts))
    may = f"a line may use {allowed} beside the line before"
    return f"{may}, this one needs {needed}: {facts}"


def _unsaid(context: Context, line: Statement, k: int, proof: Proof | None) -> str:
    """Return the one word that would let the line pass, in a sentence; or nothing."""
    said, link, chain = line.said, line.links()[k], line.links()[:k]
    for at in _points(context) if proof is None and not said.stationary else ():
        if context.proof(link, context.knowledge(chain, True, at)):
            if holds_at(context, line, context.stationary):
                break  # it holds elsewhere, too: there it needs another proof
            return _stationary(context, at)
    enough = "" if proof or said.sufficient else _enough(context, line, link)
    if enough:
        return enough
    if not said.independent and context.problem.conditional:
        known = context.knowledge(chain, True, independent=True)
        if context.proof(link, known):
            return "this needs that the two are independent: say so"
    return ""
