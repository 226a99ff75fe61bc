"""A line between: how to split a step that is too large into two that pass."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice, product

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.wording import shown
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import Expr, Relation, call, sym
from kernellab.grading.proving.knowledge import Link, aim
from kernellab.grading.proving.proofs import Proof
from kernellab.grading.work import OutOfWork

MOST_CANDIDATES = 30  # so many lines are tried
SPLIT = 1_500_000  # units of work for one line between
LONGEST = 160  # characters of a line that helps


def line_between(
    context: Context, link: Link, proof: Proof | None, stationary: frozenset[str]
) -> str:
    """Say which line to write first, or nothing.

    It follows by itself, and the link follows from it, or at least by fewer facts.

    Parameters
    ----------
    proof : what is known to prove the link, in more than one step.
    stationary : variables that the words say to be at their optimum.
    """
    most, found = context.problem.max_facts, None
    best = proof.cost if proof else math.inf
    with suppress(OutOfWork), context.work.limited(SPLIT):
        for relation in islice(_candidates(context, link, proof), MOST_CANDIDATES):
            if best <= most:
                break
            cost = _cost_after(context, link, relation, stationary)
            if cost < best:
                best, found = cost, relation
    if found is None:
        return ""
    alone = _cost(context, _line(found, link), frozenset()) <= most
    return f"first write {shown(found)}" + ("" if alone else ", with “set to zero”")


def _cost_after(
    context: Context, link: Link, relation: Relation, stationary: frozenset[str]
) -> float:
    """Return what the link costs after a line that follows; infinity if it does not."""
    if str(relation.sides[0]) == str(relation.sides[1]) or len(str(relation)) > LONGEST:
        return math.inf
    line = _line(relation, link)
    if _cost(context, line, stationary) > context.problem.max_facts:
        return math.inf
    number = line.label[1]
    written = Statement(number, relation, link.free, chain=number)
    after = replace(context, statements=[*context.statements, written])
    return _cost(after, link, stationary)


def _line(relation: Relation, link: Link) -> Link:
    (left, right), (sign,) = relation.sides, relation.signs
    return aim(left, sign, right, link.free)


def _cost(context: Context, link: Link, stationary: frozenset[str]) -> float:
    known = context.knowledge((), True, stationary)
    proof = context.prover(known).prove(link, context.problem.max_facts)
    return math.inf if proof is None else proof.cost


def _candidates(
    context: Context, link: Link, proof: Proof | None
) -> Iterator[Relation]:
    """Yield lines that might help: an inverse moved, a definition put in."""
    if link.sign == "=":
        for left, right in _without_inverses(link):
            yield Relation((left, right), ("=",))
    facts = proof.facts if proof else frozenset()
    names = sorted(fact[1] for fact in facts if fact[0] == "definition")
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            yield from _put_in(context, link, chosen)
    for left, right in ((link.left, link.right), (link.right, link.left)):
        if left.op == "call" and left.data == "d" and right.op != "num":
            inner = context.opened(left.args[0], [left.args[0].data])
            yield Relation((left, call("d", inner, shape=left.shape)), ("=",))


def _without_inverses(link: Link) -> Iterator[tuple[Expr, Expr]]:
    """Yield the equation times X, from either side, for the inverses of X in it."""
    found = {
        str(node): node.args[0]
        for side in (link.left, link.right)
        for node in side.walk()
        if node.op == "inv"
    }
    for X, first in product(found.values(), (True, False)):
        shape = link.left.shape
        if X.shape and shape and X.shape[0] == shape[0 if first else 1]:
            yield _times(X, link.left, first), _times(X, link.right, first)


def _times(X: Expr, side: Expr, first: bool) -> Expr:
    """Return X · side, or side · X; X⁻¹ next to X is gone."""
    if first and side.op == "inv" and side.args[0] == X:
        return Expr("eye", (), X.shape[0] if X.shape else None, X.shape)
    if side.op == "mul":
        near, rest = side.args if first else side.args[::-1]
        if near.op == "inv" and near.args[0] == X:
            return rest
        if first:
            return tidied(replace(side, args=(_times(X, near, first), rest)))
    return X @ side if first else side @ X


def _put_in(context: Context, link: Link, names: Collection[str]) -> Iterator[Relation]:
    """Yield lines in which definitions are put in: the object itself, or the link."""
    name = context.problem.object
    definition = context.symbols[name].definition if name else None
    if name and definition is not None:
        J = sym(name, context.symbols[name].shape)
        yield Relation((J, context.opened(definition, names)), ("=",))
    for left, right in (
        (link.left, context.opened(link.right, names)),
        (context.opened(link.left, names), link.right),
        (context.opened(link.left, names), context.opened(link.right, names)),
    ):
        if (left, right) != (link.left, link.right):
            yield Relation((left, right), (link.sign,))
