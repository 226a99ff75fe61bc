"""Bounds: larger − smaller is a sum of pieces that are not negative.

D = Σ cᵢ · pieceᵢ + Σ rows, with cᵢ ≥ 0, where the rows are premises times contexts as
in an equation. Pieces are terms and expressions that are squares by their form, bounds
that stand already, and those of Cauchy and Schwarz. The coefficients are found by a
linear programme in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.entailment import Combination, explored
from kernellab.grading.proving.matching import Label, Premise, Row, rows
from kernellab.grading.proving.networks import (
    Algebra,
    Poly,
    Rational,
    Raw,
    Term,
)
from kernellab.grading.proving.signs import Signs
from kernellab.grading.proving.simplex import nonnegative_solution

MOST_PIECES = 40


@dataclass(frozen=True, eq=False)
class Nonneg:
    """Something that is not negative.

    Parameters
    ----------
    label : a bound that stands, or ("square", x), ("term", term), ("cauchy", u, v).
    poly : its normal form.
    row : for a bound that stands, the context in which it is used.
    cost : how many facts it counts for.
    """

    label: Label
    poly: Poly
    row: Row | None = None
    cost: int = 0


@dataclass(frozen=True)
class Bound:
    """A proof of a bound: pieces with their coefficients, and rows."""

    pieces: tuple[tuple[Rational, Nonneg], ...]
    combination: Combination


def bound(
    algebra: Algebra,
    target: Poly,
    free: dict[int, str],
    premises: Sequence[Premise],
    pieces: Sequence[Nonneg],
    signs: Signs,
) -> Bound | None:
    """Return a proof that the target is not negative, or None."""
    pieces = [*pieces, *_terms(signs, [target])][:MOST_PIECES]
    if not pieces and target:
        return None
    terms = list(dict.fromkeys([*target, *(t for p in pieces for t in p.poly)]))
    found = explored(algebra, terms, free, premises)
    more = _terms(signs, [{t: 1 for row in found.rows for t in row.poly}])
    pieces = _distinct([*pieces, *more])[: 2 * MOST_PIECES]
    columns = [found.elimination.residue(p.poly) for p in pieces]
    mix = nonnegative_solution(columns, found.elimination.residue(target))
    if mix is None:
        return None
    rest = dict(target)
    for k, c in mix.items():
        rest = algebra.subtract(rest, algebra.scale(pieces[k].poly, c))
    coefficients = found.elimination.combination(rest)
    if coefficients is None:
        return None
    chosen = tuple((c, found.rows[k]) for k, c in coefficients.items())
    used = tuple((c, pieces[k]) for k, c in mix.items())
    return Bound(used, Combination(chosen))


def _terms(signs: Signs, polys: Iterable[Poly]) -> Iterator[Nonneg]:
    """Yield single terms that are squares."""
    for term in dict.fromkeys(t for poly in polys for t in poly):
        if signs.nonneg_term(term):
            yield Nonneg(("term", term), {term: 1})


def _distinct(pieces: Sequence[Nonneg]) -> list[Nonneg]:
    found: dict[frozenset[tuple[Term, Rational]], Nonneg] = {}
    for piece in pieces:
        found.setdefault(frozenset(piece.poly.items()), piece)
    return list(found.values())


def standing(
    algebra: Algebra,
    target: Poly,
    free: dict[int, str],
    bounds: Sequence[Premise],
    signs: Signs,
) -> list[Nonneg]:
    """Return bounds that stand, in the contexts in which the target could need them."""
    found = []
    for premise in bounds:
        if not premise.axes:
            found.append(
                Nonneg(premise.label, premise.poly, _plain(premise), premise.cost)
            )
        for term in target:
            for row in rows(algebra, term, free, premise):
                if _nonneg_context(algebra, row, signs):
                    found.append(Nonneg(premise.label, row.poly, row, premise.cost))
    return _distinct(found)


def _plain(premise: Premise) -> Row:
    return Row(premise, {}, [], {}, {}, premise.poly)


def _nonneg_context(algebra: Algebra, row: Row, signs: Signs) -> bool:
    """Return True if what multiplies a bound is not negative for any index."""
    fixed = {i: algebra.index(f"!{i}") for i in row.bound}
    kept = set(row.names.values())
    loose = [
        (atom, tuple(fixed[i] if i in fixed and i in kept else i for i in at))
        for atom, at in row.factors
    ]
    bound = {i: s for i, s in row.bound.items() if i not in kept}
    return signs.nonneg(algebra.closed(Raw(1, row.powers, loose, bound)))


def squares(signs: Signs, nodes: Iterable[Expr]) -> list[Nonneg]:
    """Return the parts of some expressions that are squares, or sums of squares."""
    found = []
    for node in nodes:
        for part in node.walk():
            if (
                part.shape == NUMBER
                and not part.indices
                and part.op not in ("sym", "num")
            ) and signs.tree_nonneg(part):
                poly = signs.poly(part)
                if poly:
                    found.append(Nonneg(("square", part), poly))
    return _distinct(found)


def cauchy(signs: Signs, columns: Sequence[Expr]) -> Iterator[Nonneg]:
    """Yield (uᵀu)(vᵀv) − (uᵀv)² for columns of the same size."""
    algebra = signs.algebra
    for i, u in enumerate(columns):
        for v in columns[i + 1 :]:
            if u.shape != v.shape or u.shape is None:
                continue
            x, y = signs.poly(u), signs.poly(v)
            if x is None or y is None:
                continue
            size = {-1: u.shape[0]}
            both = algebra.multiply(
                algebra.multiply(x, x, size), algebra.multiply(y, y, size)
            )
            mixed = algebra.multiply(x, y, size)
            poly = algebra.subtract(both, algebra.multiply(mixed, mixed))
            yield Nonneg(("cauchy", u, v), poly)
