"""Bounds: larger − smaller is a sum of pieces that are not negative.

D = Σ cᵢ · pieceᵢ + Σ rows, with cᵢ ≥ 0, where the rows are premises times contexts as
in an equation. Pieces are terms and expressions that are squares by their form, bounds
that stand already, and those of Cauchy and Schwarz. The coefficients are found by a
linear programme in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from kernellab.grading.language.tree import NUMBER, Expr
from kernellab.grading.proving.entailment import Combination, Explored, explored
from kernellab.grading.proving.matching import Label, Premise, Row, rows
from kernellab.grading.proving.networks import Algebra, Poly, Rational, Raw, Term
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
    limits: Sequence[Premise],
    signs: Signs,
) -> Bound | None:
    """Return a proof that the target is not negative, or None.

    Parameters
    ----------
    pieces : squares.
    limits : bounds that stand.
    """
    limiting = standing(algebra, target, free, limits, signs)
    pieces = [*pieces, *limiting, *_terms(signs, target)][:MOST_PIECES]
    if not pieces and target:
        return None
    terms = list(dict.fromkeys([*target, *(t for p in pieces for t in p.poly)]))
    found = explored(algebra, terms, free, premises)
    more = _terms(signs, (term for row in found.rows for term in row.poly))
    pieces = _distinct([*pieces, *more])[: 2 * MOST_PIECES]
    mix = _mixture(found, pieces, target)
    if mix is None:  # q/s ≥ 0 from q ≥ 0, where q/s stands in an equation only
        polys = [*(p.poly for p in pieces), *(row.poly for row in found.rows)]
        new = dict.fromkeys(t for poly in polys for t in poly if t not in target)
        scaled = standing(algebra, list(new)[:MOST_PIECES], free, limits, signs)
        pieces = _distinct([*pieces, *scaled])[: 2 * MOST_PIECES]
        mix = _mixture(found, pieces, target)
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


def _mixture(
    found: Explored, pieces: Sequence[Nonneg], target: Poly
) -> dict[int, Fraction] | None:
    """Return coefficients ≥ 0 of pieces that add up to the target, but for rows."""
    columns = [found.elimination.residue(p.poly) for p in pieces]
    residue = found.elimination.residue(target)
    return nonnegative_solution(columns, residue, found.elimination.work)


def _terms(signs: Signs, terms: Iterable[Term]) -> Iterator[Nonneg]:
    """Yield single terms that are squares."""
    for term in dict.fromkeys(terms):
        if signs.nonneg_term(term):
            yield Nonneg(("term", term), {term: 1})


def _distinct(pieces: Sequence[Nonneg]) -> list[Nonneg]:
    found: dict[frozenset[tuple[Term, Rational]], Nonneg] = {}
    for piece in pieces:
        found.setdefault(frozenset(piece.poly.items()), piece)
    return list(found.values())


def standing(
    algebra: Algebra,
    terms: Iterable[Term],
    free: dict[int, str],
    bounds: Sequence[Premise],
    signs: Signs,
) -> list[Nonneg]:
    """Return bounds that stand, in the contexts in which some terms could need them."""
    found = []
    for premise in bounds:
        if not premise.axes:
            alone = Row(premise, {}, [], {}, {}, premise.poly)
            found.append(Nonneg(premise.label, premise.poly, alone, premise.cost))
        for term in terms:
            for row in rows(algebra, term, free, premise):
                if _nonneg_context(algebra, row, signs):
                    found.append(Nonneg(premise.label, row.poly, row, premise.cost))
    return _distinct(found)


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
            number = part.shape == NUMBER and part.op not in ("sym", "num")
            if number and not part.indices and signs.tree_nonneg(part):
                poly = signs.poly(part)
                found += [Nonneg(("square", part), poly)] if poly else []
    return _distinct(found)


def cauchy(signs: Signs, columns: Sequence[Expr]) -> Iterator[Nonneg]:
    """Yield (uᵀu)(vᵀv) − (uᵀv)² for columns of the same size."""
    for u, v in combinations(columns, 2):
        poly = None
        if u.shape == v.shape:
            poly = signs.poly((u.T @ u) @ (v.T @ v) - (u.T @ v) ** 2)
        if poly is not None:
            yield Nonneg(("cauchy", u, v), poly)
