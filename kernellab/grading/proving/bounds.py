"""Bounds: larger − smaller is a sum of pieces that are not negative.

D = Σ cᵢ · pieceᵢ + Σ rows, with cᵢ ≥ 0, where the rows are premises times contexts as
in an equation. Pieces are terms and expressions that are squares by their form, bounds
that stand already, and those of Cauchy and Schwarz. The coefficients are found by a
linear programme in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from kernellab.grading.language.tree import NUMBER, Expr
from kernellab.grading.proving.cofactors import Vector
from kernellab.grading.proving.entailment import Combination, Explored, explored
from kernellab.grading.proving.facts import axes
from kernellab.grading.proving.knowledge import Link, Opened
from kernellab.grading.proving.matching import Premise, Row, rows
from kernellab.grading.proving.networks import Bound, Poly, Raw, Term, Untranslatable
from kernellab.grading.proving.proofs import Nonneg, Pieces, Proof, better, fact_of
from kernellab.grading.proving.rationals import Rational
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.simplex import nonnegative_solution

if TYPE_CHECKING:
    from kernellab.grading.proving.prover import Prover

MOST_COLUMNS = 6
MOST_PIECES = 40


def prove_bound(prover: Prover, claim: Link, most: int) -> Proof | None:
    """Return a proof of left ≥ right or left ≤ right."""
    best, stated, claim = None, claim, claim.oriented
    for opened, level in _attempts(prover, claim, most):
        try:
            found = _attempt(prover, claim, opened, level)
        except Untranslatable:
            continue
        if found is not None and (claim.sign != ">" or _is_strict(prover, found)):
            best = better(best, found)
        if best is not None and best.cost <= most:
            break
    return best and replace(best, claim=stated)


def _is_strict(prover: Prover, proof: Proof) -> bool:
    """Return True if one of the pieces is positive, not only not negative."""
    signs = prover.signs(proof.opened)
    strict = {link.label for link in prover.knowledge.links if link.sign in "<>"}
    for _, piece in proof.pieces:
        if piece.label[0] == "term" and signs.positive({piece.label[1]: 1}):
            return True
        row = piece.row if piece.label in strict else None
        if row and not row.factors and all(map(signs.positive_atom, row.powers)):
            return True
    return False


def _attempts(prover: Prover, claim: Link, most: int) -> Iterator[tuple[Opened, str]]:
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
    inverse = any(node.op == "inv" for node in claim.nodes)
    for level in ("inverses", "all") if inverse else ("all",):
        yield from ((free | {name}, level) for name in names)
    yield free | frozenset(names), "all"


def _attempt(prover: Prover, claim: Link, opened: Opened, level: str) -> Proof | None:
    signs, target = prover.signs(opened), prover.poly(claim, opened)
    premises = prover.premises(target, opened, level)
    limits = [
        premise
        for link in prover.knowledge.links
        if link.sign != "=" and link.is_of_level(level)
        and (premise := prover.premise(signs.t, link.oriented)) is not None
    ]  # fmt: skip
    # That a number is positive is shown by single terms alone.
    squares = [] if claim.sign == ">" else _squares(prover, claim, opened, level, signs)
    found = _bound(signs, target, axes(signs.t, claim), premises, squares, limits)
    if found is None:
        return None
    pieces, combination = found
    proof = prover.proof(claim, opened, combination)
    rows = [piece.row for _, piece in pieces if piece.row]
    cited = {fact_of(row.premise) for row in rows if row.premise.cost}
    labels = (piece.label for _, piece in pieces)
    named = frozenset[str]().union(*(prover.opened_in(x, opened) for x in labels))
    counted = {("definition", n) for n in named - prover.knowledge.objects}
    facts = proof.facts | cited | counted
    named |= proof.opened
    return replace(proof, opened=named, facts=facts, pieces=pieces, by="bound")


def _bound(
    signs: Signs,
    target: Poly,
    free: Bound,
    premises: Sequence[Premise],
    squares: Sequence[Nonneg],
    limits: Sequence[Premise],
) -> tuple[Pieces, Combination] | None:
    """Return pieces and rows that show that the target is not negative, or None.

    Parameters
    ----------
    limits : bounds that stand.
    """
    algebra = signs.algebra
    limiting = _standing(signs, target, free, limits)
    pieces = [*squares, *limiting, *_terms(signs, target)][:MOST_PIECES]
    terms = list(dict.fromkeys([*target, *(t for p in pieces for t in p.poly)]))
    found = explored(algebra, terms, free, premises)
    more = _terms(signs, (term for row in found.rows for term in row.poly))
    pieces = _distinct([*pieces, *more])
    mix = _mixture(found, pieces, target)
    if mix is None:  # q/s ≥ 0 from q ≥ 0, where q/s stands in an equation only
        polys = [*(p.poly for p in pieces), *(row.poly for row in found.rows)]
        new = dict.fromkeys(t for poly in polys for t in poly if t not in target)
        scaled = _standing(signs, list(new)[:MOST_PIECES], free, limits)
        pieces = _distinct([*pieces, *scaled])
        mix = _mixture(found, pieces, target)
    if mix is None:
        return None
    parts = (algebra.scale(pieces[k].poly, -c) for k, c in mix.items())
    rest = found.elimination.combination(algebra.add(target, *parts))
    if rest is None:
        return None
    rows = Combination(tuple((c, found.rows[k]) for k, c in rest.items()))
    return tuple((c, pieces[k]) for k, c in mix.items()), rows


def _mixture(found: Explored, pieces: Sequence[Nonneg], target: Poly) -> Vector | None:
    """Return coefficients ≥ 0 of pieces that add up to the target, but for rows."""
    rows = found.elimination
    columns = [rows.residue(p.poly) for p in pieces]
    return nonnegative_solution(columns, rows.residue(target), rows.work)


def _distinct(pieces: Sequence[Nonneg]) -> list[Nonneg]:
    found: dict[frozenset[tuple[Term, Rational]], Nonneg] = {}
    for piece in pieces:
        found.setdefault(frozenset(piece.poly.items()), piece)
    return list(found.values())[: 2 * MOST_PIECES]


# What is not negative


def _terms(signs: Signs, terms: Iterable[Term]) -> Iterator[Nonneg]:
    """Yield single terms that are squares."""
    for term in dict.fromkeys(terms):
        if signs.nonneg_term(term):
            yield Nonneg(("term", term), {term: 1})


def _standing(
    signs: Signs, terms: Iterable[Term], free: Bound, bounds: Sequence[Premise]
) -> list[Nonneg]:
    """Return bounds that stand, in the contexts in which some terms could need them."""
    found = []
    for premise in bounds:
        if not premise.axes:
            alone = Row(premise, {}, [], {}, {}, premise.poly)
            found.append(Nonneg(premise.label, premise.poly, alone))
        for term in terms:
            for row in rows(signs.algebra, term, free, premise):
                if _nonneg_context(signs, row):
                    found.append(Nonneg(premise.label, row.poly, row.of(premise)))
    return _distinct(found)


def _nonneg_context(signs: Signs, row: Row) -> bool:
    """Return True if what multiplies a bound is not negative for any index."""
    kept = set(row.names.values())
    fixed = {i: signs.algebra.index(f"!{i}") for i in row.bound if i in kept}
    loose = [(a, tuple(fixed.get(i, i) for i in at)) for a, at in row.factors]
    bound = {i: s for i, s in row.bound.items() if i not in kept}
    return signs.nonneg(signs.algebra.closed(Raw(1, row.powers, loose, bound)))


def _squares(
    prover: Prover, claim: Link, opened: Opened, level: str, signs: Signs
) -> list[Nonneg]:
    """Return the squares in this line and in the lines that it may use."""
    nodes = [claim.left, claim.right]
    for link in prover.knowledge.links:
        if link.before or level == "all":
            nodes += [link.left, link.right]
    definitions = map(prover.knowledge.scope.definition, sorted(opened))
    nodes += [definition for definition in definitions if definition is not None]
    found = []
    for part in (part for node in nodes for part in node.walk()):
        number = part.shape == NUMBER and part.op not in ("sym", "num")
        if number and not part.indices and signs.tree_nonneg(part):
            poly = signs.poly(part)
            found += [Nonneg(("square", part), poly)] if poly else []
    found = _distinct(found)
    if any(n.op == "pow" and n.args[1].data == 2 for n in claim.nodes):
        found += _cauchy(signs, nodes[:4])
    return found


def _cauchy(signs: Signs, nodes: Sequence[Expr]) -> Iterator[Nonneg]:
    """Yield (uᵀu)(vᵀv) − (uᵀv)² for columns in play, also sums and products."""
    columns: dict[str, Expr] = {}
    for part in (part for node in nodes for part in node.walk()):
        rows, width = part.shape or NUMBER
        if part.op in ("sym", "add", "sub", "mul") and width == "1" != rows:
            columns.setdefault(str(part), part)
    for u, v in combinations(list(columns.values())[:MOST_COLUMNS], 2):
        if u.shape == v.shape:
            poly = signs.poly((u.T @ u) @ (v.T @ v) - (u.T @ v) ** 2)
            if poly is not None:
                yield Nonneg(("cauchy", u, v), poly)
