"""The search for a proof of a bound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.facts import axes, link_premise
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.networks import Untranslatable
from kernellab.grading.proving.positivity import (
    Bound,
    Nonneg,
    bound,
    cauchy,
    squares,
)
from kernellab.grading.proving.proofs import Proof, fact_of
from kernellab.grading.proving.signs import Signs

if TYPE_CHECKING:
    from kernellab.grading.proving.prover import Prover

MOST_COLUMNS = 6


def prove_bound(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return a proof of left ≥ right or left ≤ right."""
    best, stated, claim = None, claim, claim.oriented
    for opened, level in _attempts(prover, claim, most):
        try:
            found = _attempt(prover, claim, opened, level)
        except Untranslatable:
            continue
        if found is not None and claim.sign == ">" and not _strict(prover, found):
            continue
        if found is not None and (best is None or found.cost < best.cost):
            best = found
        if best is not None and best.cost <= most:
            break
    return best and replace(best, claim=stated)


def _strict(prover: Prover, proof: Proof) -> bool:
    """Return True if one of the pieces is positive, not only not negative."""
    signs = prover.signs(proof.opened)
    strict = {link.label for link in prover.knowledge.links if link.sign in "<>"}
    return any(
        _positive_context(piece, signs)
        if piece.label in strict
        else piece.label[0] == "term" and signs.positive({piece.label[1]: 1})
        for _, piece in proof.pieces
    )


def _positive_context(piece: Nonneg, signs: Signs) -> bool:
    """Return True if a bound that stands is multiplied by positive numbers at most."""
    row = piece.row
    return row is None or (
        not row.factors and all(map(signs.positive_atom, row.powers))
    )


def _attempts(
    prover: Prover, claim: Link, most: int
) -> Iterator[tuple[frozenset[str], str]]:
    """Yield what to open and what to use, the cheapest first."""
    free = prover.knowledge.objects & prover.definable(claim)
    names = sorted(prover.definable(claim) - free)
    given = any(link.label[0] == "given" for link in prover.knowledge.links)
    for level in ("before", "inverses", *(["givens"] if given else []), "all"):
        for opened in dict.fromkeys((frozenset[str](), free)):
            yield opened, level
    for count in range(1, most + 1):
        for chosen in combinations(names, count):
            yield free | frozenset(chosen), "before"
    if any(node.op == "inv" for node in claim.nodes):
        for name in names:
            yield free | {name}, "inverses"
    for name in names:
        yield free | {name}, "all"
    yield free | frozenset(names), "all"


def _attempt(
    prover: Prover, claim: Link, opened: frozenset[str], level: str
) -> Proof | None:
    t = prover.translator(opened)
    signs = prover.signs(opened)
    target = prover.poly(claim, opened)
    premises = prover.premises(target, opened, level)
    free = axes(t, claim)
    strict = claim.sign == ">"  # then only single terms show that one is positive
    pieces = [] if strict else _pieces(prover, claim, opened, level, signs)
    limits = []
    for link in prover.knowledge.links:
        if link.sign != "=" and link.is_of_level(level):
            with suppress(Untranslatable):
                limits.append(link_premise(t, link.oriented))
    found = bound(prover.algebra, target, free, premises, pieces, limits, signs)
    return None if found is None else _proof(prover, claim, opened, found)


def _pieces(
    prover: Prover, claim: Link, opened: frozenset[str], level: str, signs: Signs
) -> list[Nonneg]:
    """Return the squares in this line and in the lines that it may use."""
    nodes = [claim.left, claim.right]
    for link in prover.knowledge.links:
        if link.before or level == "all":
            nodes += [link.left, link.right]
    definitions = map(prover.knowledge.scope.definition, sorted(opened))
    nodes += [definition for definition in definitions if definition is not None]
    found = squares(signs, nodes)
    if any(n.op == "pow" and n.args[1].data == 2 for n in claim.nodes):
        found += cauchy(signs, _columns(nodes[:4]))
    return found


def _columns(nodes: list[Expr]) -> list[Expr]:
    """Return the columns in play, also sums and products."""
    found: dict[str, Expr] = {}
    for node in nodes:
        for part in node.walk():
            shape = part.shape or ("1", "1")
            if part.op in ("sym", "add", "sub", "mul") and shape[1] == "1" != shape[0]:
                found.setdefault(str(part), part)
    return list(found.values())[:MOST_COLUMNS]


def _proof(prover: Prover, claim: Link, opened: frozenset[str], found: Bound) -> Proof:
    proof = prover.proof(claim, opened, found.combination)
    cited = {
        fact_of(p.row.premise) for _, p in found.pieces if p.cost and p.row is not None
    }
    named = {
        name
        for _, piece in found.pieces
        for name in prover.opened_in(piece.label, opened)
    }
    counted = {("definition", n) for n in named - prover.knowledge.objects}
    return replace(
        proof,
        opened=proof.opened | named,
        facts=proof.facts | cited | counted,
        pieces=found.pieces,
        by="bound",
    )
