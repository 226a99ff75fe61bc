"""A line between: how to split a step that is too large into two that pass."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, count

from kernellab.grading.instances import clock
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.tidying import tidied
from kernellab.grading.judging.wording import shown
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.proofs import Proof

SECONDS = 0.5
LONGEST = 160  # characters of a line that helps
_NUMBERS = count(10**7)  # of lines that nobody has written; none is used twice


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
    end = clock.now() + min(SECONDS, context.left())
    most, found = context.problem.max_facts, None
    best = proof.cost if proof else math.inf
    for relation in _candidates(context, link, proof):
        if clock.now() > end or best <= most:
            break
        cost = _cost_after(context, link, relation, stationary)
        if cost < best:
            best, found = cost, relation
    if found is None:
        return ""
    alone = _cost(context, _new(found, link), frozenset()) <= most
    return f"first write {shown(found)}" + ("" if alone else ", with “set to zero”")


def _cost_after(
    context: Context, link: Link, relation: Relation, stationary: frozenset[str]
) -> float:
    """Return what the link costs after a line that follows; infinity if it does not."""
    if str(relation.sides[0]) == str(relation.sides[1]) or len(str(relation)) > LONGEST:
        return math.inf
    if _cost(context, _new(relation, link), stationary) > context.problem.max_facts:
        return math.inf
    number = next(_NUMBERS)
    context.statements.append(Statement(number, relation, link.free, chain=number))
    try:
        return _cost(context, link, stationary)
    finally:
        context.statements.pop()


def _new(relation: Relation, link: Link) -> Link:
    """Return a line that nobody has written yet."""
    (left, right), (sign,) = relation.sides, relation.signs
    number = next(_NUMBERS)
    return Link(("line", number, 0), left, sign, right, link.free, True, number)


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
            inner = _opened(context, left.args[0], [left.args[0].data])
            yield Relation((left, Expr("call", (inner,), "d", left.shape)), ("=",))


def _without_inverses(link: Link) -> Iterator[tuple[Expr, Expr]]:
    """Yield the equation times X, from either side, for the inverses of X in it."""
    found = {
        str(node): node.args[0]
        for side in (link.left, link.right)
        for node in side.walk()
        if node.op == "inv" and node.args[0].shape
    }
    for X in found.values():
        for multiplied in (_times_left, _times_right):
            if X.shape and _fits(X, link.left, multiplied is _times_left):
                yield multiplied(X, link.left), multiplied(X, link.right)


def _fits(X: Expr, side: Expr, left: bool) -> bool:
    return bool(X.shape and side.shape and X.shape[0] == side.shape[0 if left else 1])


def _times_left(X: Expr, side: Expr) -> Expr:
    """Return X · side; X⁻¹ in front of the side is gone."""
    if side.op == "inv" and side.args[0] == X:
        return Expr("eye", (), X.shape[0] if X.shape else None, X.shape)
    if side.op == "mul":
        one, two = side.args
        if one.op == "inv" and one.args[0] == X:
            return two
        return tidied(Expr("mul", (_times_left(X, one), two), side.data, side.shape))
    return Expr("mul", (X, side), "@", side.shape)


def _times_right(X: Expr, side: Expr) -> Expr:
    """Return side · X; X⁻¹ at the end of the side is gone."""
    if side.op == "mul" and side.args[1].op == "inv" and side.args[1].args[0] == X:
        return side.args[0]
    return Expr("mul", (side, X), "@", side.shape)


def _put_in(context: Context, link: Link, names: Iterable[str]) -> Iterator[Relation]:
    """Yield lines in which definitions are put in: the object itself, or the link."""
    name = context.problem.object
    definition = context.symbols[name].definition if name else None
    if name and definition is not None:
        J = Expr("sym", data=name, shape=context.symbols[name].shape)
        yield Relation((J, _opened(context, definition, names)), ("=",))
    for left, right in (
        (link.left, _opened(context, link.right, names)),
        (_opened(context, link.left, names), link.right),
        (_opened(context, link.left, names), _opened(context, link.right, names)),
    ):
        if (left, right) != (link.left, link.right):
            yield Relation((left, right), (link.sign,))


def _opened(context: Context, node: Expr, names: Iterable[str]) -> Expr:
    """Return an expression with some names replaced by what they stand for."""
    chosen = set(names)

    def put(node: Expr) -> Expr:
        if node.op != "sym" or node.data not in chosen:
            return node
        return context.symbols[node.data].definition or node

    return node.map(put)
