"""Lines between: how to split a step that is too large into steps that may pass."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, islice, product

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import Expr, Relation, call, sym
from kernellab.grading.proving.knowledge import Link, aim
from kernellab.grading.proving.proofs import Proof

MOST_CANDIDATES = 30  # so many lines are tried
LONGEST = 160  # characters of a line that helps


def ways(
    context: Context, link: Link, most: int, stationary: frozenset[str], lines: int = 2
) -> Iterator[tuple[Relation, ...]]:
    """Yield lines, the fewest first, after which a link should take one step.

    Parameters
    ----------
    most : how many facts that step may use.
    stationary : variables that the words say to be at their optimum.
    lines : how many lines may stand between.
    """
    proof = _proof(context, link, most, stationary)
    best, nearest = proof.cost if proof else math.inf, None
    for relation in islice(_candidates(context, link, proof), MOST_CANDIDATES):
        if not _follows(context, link, relation, stationary):
            continue
        proof = _proof(_after(context, link, relation), link, most, stationary)
        if proof is not None and proof.cost <= most:
            yield (relation,)
        elif proof is not None and proof.cost < best:
            best, nearest = proof.cost, relation
    if nearest is not None and lines > 1:
        after = _after(context, link, nearest)
        for way in ways(after, link, most, stationary, lines - 1):
            yield nearest, *way


def _follows(
    context: Context, link: Link, relation: Relation, stationary: frozenset[str]
) -> bool:
    """Return True if a line of some use follows in one step."""
    (left, right), (sign,) = relation.sides, relation.signs
    if str(left) == str(right) or len(str(relation)) > LONGEST:
        return False
    most = context.problem.max_facts
    proof = _proof(context, aim(left, sign, right, link.free), most, stationary)
    return proof is not None and proof.cost <= most


def _after(context: Context, link: Link, relation: Relation) -> Context:
    """Return the context in which a line stands before a link."""
    (left, right), (sign,) = relation.sides, relation.signs
    number = aim(left, sign, right).chain  # one that nobody else has
    written = Statement(number, relation, link.free, chain=number)
    return replace(context, statements=[*context.statements, written])


def _proof(
    context: Context, link: Link, most: int, stationary: frozenset[str]
) -> Proof | None:
    known = context.knowledge((), True, stationary)
    return context.prover(known).prove(link, most)


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
    """Yield lines in which definitions are put in.

    They are the object itself, the link, or the line before it that is about the same.
    """
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
    before = context.last()
    if before and link.left in before.relation.sides and link.sign == "=":
        *_, side = before.relation.sides
        if set(before.relation.signs) == {"="} and side.names & set(names):
            yield Relation((link.left, context.opened(side, names)), ("=",))
