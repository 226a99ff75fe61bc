"""Entailment: is a polynomial a combination of premises?

C = Σ cᵢ · (contextᵢ contracted with premiseᵢ). The contexts are found by matching the
terms of C, and of the rows so found, with the terms of the premises; the coefficients
by linear algebra. What is found holds for all sizes and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from kernellab.grading.proving.cofactors import Elimination
from kernellab.grading.proving.matching import Row, rows
from kernellab.grading.proving.networks import Algebra, Poly, Rational, Raw, Term, TooLarge
from kernellab.grading.proving.premises import Premise, opened_terms

ROUNDS = 3
MOST_ROWS = 240
MOST_TERMS = 400


@dataclass(frozen=True)
class Combination:
    """A proof: the target is the sum of coefficient times row."""

    rows: tuple[tuple[Rational, Row], ...] = ()

    @property
    def premises(self) -> list[Premise]:
        """The premises in use, each once."""
        return list({id(r.premise): r.premise for _, r in self.rows}.values())


def combination(
    algebra: Algebra,
    target: Poly,
    free: dict[int, str],
    premises: Sequence[Premise],
    most_rows: int = MOST_ROWS,
) -> Combination | None:
    """Return the combination of premises that the target is, or None if none is found.

    Parameters
    ----------
    target : what must be 0.
    free : its free indices with their sizes.
    """
    if not target:
        return Combination()
    opened = [(p, opened_terms(algebra, p)) for p in premises if p.poly]
    elimination = Elimination()
    found: list[Row] = []
    known: set[frozenset[tuple[Term, Rational]]] = set()
    todo, seen = list(target), set(target)
    exact = not any(_inserts(algebra, raw) for _, terms in opened for raw in terms)
    for _ in range(ROUNDS):
        new: list[Term] = []
        for row in _round(algebra, todo, free, opened):
            key = frozenset(row.poly.items())
            if not row.poly or key in known:
                continue
            known.add(key)
            elimination.add(row.poly)
            found.append(row)
            fresh = [term for term in row.poly if term not in seen]
            seen.update(fresh)
            new += fresh
            if len(found) >= most_rows or len(seen) >= MOST_TERMS:
                break
        if exact and any(term not in elimination.touched for term in target):
            return None  # no premise speaks of this term
        mix = elimination.combination(target)
        if mix is not None:
            return Combination(tuple((c, found[k]) for k, c in mix.items()))
        if not new or len(found) >= most_rows or len(seen) >= MOST_TERMS:
            return None
        todo = new
    return None


def _inserts(algebra: Algebra, raw: Raw) -> bool:
    """Return True for a term that can appear beside anything: 1, or an identity."""
    return all(algebra.kind(atom) == "eye" for atom, _ in raw.factors)


def _round(algebra, todo, free, opened):  # type: ignore[no-untyped-def]
    for term in todo:
        target = algebra.opened(term, 1, nets=True)
        for premise, terms in opened:
            try:
                yield from rows(algebra, target, free, premise, terms)
            except TooLarge:
                continue
