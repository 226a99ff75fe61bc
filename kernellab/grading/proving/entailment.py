"""Entailment: is a polynomial a combination of premises?

C = Σ cᵢ · (contextᵢ contracted with premiseᵢ). The contexts are found by matching the
terms of C, and of the rows so found, with the terms of the premises; the coefficients
by linear algebra. What is found holds for all sizes and values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kernellab.grading.proving.cofactors import Elimination
from kernellab.grading.proving.elements import atoms_in, inside
from kernellab.grading.proving.matching import (
    Premise,
    Row,
    pattern,
    places,
    rows,
    target_of,
)
from kernellab.grading.proving.networks import Algebra, Bound, Poly, Term
from kernellab.grading.proving.rationals import Rational

ROUNDS = 3
ROWS = 160
MOST_TERMS = 400
# What a product may gain or lose by itself: e₀·e₁ = 0, δ_ii = N, eᵃ·eᵇ = eᵃ⁺ᵇ.
_FLEETING = ("eye", "basis", "power", "function", "size")


@dataclass(frozen=True)
class Combination:
    """A proof: the target is the sum of coefficient times row."""

    rows: tuple[tuple[Rational, Row], ...] = ()

    @property
    def premises(self) -> Iterator[Premise]:
        """The premises in use, each once, also those behind equal arguments."""
        for premise in {id(r.premise): r.premise for _, r in self.rows}.values():
            yield premise
            if premise.label[0] == "equal":
                yield from premise.label[3].premises


NO_ROWS = Combination()


def combination(
    algebra: Algebra,
    target: Poly,
    free: Bound,
    premises: Sequence[Premise],
    most: int = ROWS,
) -> Combination | None:
    """Return the combination of premises that the target is, or None if none is found.

    Parameters
    ----------
    target : what must be 0.
    free : its free indices with their sizes.
    most : how many rows may be made for a part of it.
    """
    premises = [p for p in premises if p.poly]
    exact = not _can_insert(algebra, premises)
    parts = _parts(algebra, target, premises)
    if any(_is_hopeless(algebra, part, free, premises, exact) for part in parts):
        return None
    found: list[tuple[Rational, Row]] = []
    for part in parts:
        within = explored(algebra, list(part), free, premises, part, exact, most)
        mix = within.elimination.combination(part)
        if mix is None:
            return None
        found += [(c, within.rows[k]) for k, c in mix.items()]
    return Combination(tuple(found))


def _can_insert(algebra: Algebra, premises: Sequence[Premise]) -> bool:
    """Return True if a premise has a term 1, or an identity: it fits anywhere."""
    terms = (some for p in premises for some in pattern(algebra, p.poly).atoms)
    return any(some <= algebra.contracting for some in terms)


def _parts(algebra: Algebra, target: Poly, premises: Sequence[Premise]) -> list[Poly]:
    """Split a target by the atoms of which no premise speaks.

    They are the same in all terms of a row, so that each part must be a combination by
    itself.
    """
    spoken = atoms_in(algebra, (p.poly for p in premises))
    numbers = {atom for powers, _ in target for atom, _ in powers}
    spoken = spoken.union(*(inside(algebra, a) for a in numbers & algebra.compound))
    found: dict[frozenset[tuple[int, Rational]], Poly] = {}
    for term, c in target.items():
        atoms = target_of(algebra, term).atoms.items()
        foreign = frozenset(
            (atom, n) for atom, n in atoms
            if atom not in spoken and algebra.kind(atom) not in _FLEETING
        )  # fmt: skip
        found.setdefault(foreign, {})[term] = c
    return list(found.values())


def _is_hopeless(
    algebra: Algebra,
    part: Poly,
    free: Bound,
    premises: Sequence[Premise],
    exact: bool,
) -> bool:
    """Return True if premises are found in none of the terms, or not in all of them."""
    found = (any(places(algebra, t, free, p) for p in premises) for t in part)
    return not (all(found) if exact else any(found))


@dataclass
class Explored:
    """The rows that were found from some terms, in echelon form."""

    elimination: Elimination
    rows: list[Row] = field(default_factory=list)


def explored(
    algebra: Algebra,
    todo: list[Term],
    free: Bound,
    premises: Sequence[Premise],
    target: Poly | None = None,
    exact: bool = False,
    most: int = ROWS,
) -> Explored:
    """Find rows in some rounds, from terms and from the terms of rows.

    Parameters
    ----------
    target : stops the search as soon as the rows combine to it, or cannot.
    exact : whether a term that no premise has cannot come up later.
    """
    found = Explored(Elimination(algebra.work))
    known: set[frozenset[tuple[Term, Rational]]] = set()
    seen = set(todo)
    for _ in range(ROUNDS):
        new: list[Term] = []
        pairs = ((term, premise) for term in todo for premise in premises)
        for row, premise in (
            (r, p) for t, p in pairs for r in rows(algebra, t, free, p)
        ):
            if row.key in known:
                continue
            known.add(row.key)
            found.elimination.add(row.poly)
            found.rows.append(row.of(premise))
            fresh = [term for term in row.poly if term not in seen]
            seen.update(fresh)
            new += fresh
            if len(found.rows) >= most or len(seen) >= MOST_TERMS:
                return found
        if not new or (target and _settled(found.elimination, target, exact)):
            return found
        todo = new
    return found


def _settled(elimination: Elimination, target: Poly, exact: bool) -> bool:
    """Return True if a combination is found, or a term is left that no premise has."""
    if exact and any(term not in elimination.order for term in target):
        return True
    return elimination.combination(target) is not None
