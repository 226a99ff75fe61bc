"""Entailment: is a polynomial a combination of premises?

C = Σ cᵢ · (contextᵢ contracted with premiseᵢ). The contexts are found by matching the
terms of C, and of the rows so found, with the terms of the premises; the coefficients
by linear algebra. What is found holds for all sizes and values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernellab.grading.proving.cofactors import Elimination
from kernellab.grading.proving.matching import Row, rows
from kernellab.grading.proving.networks import (
    Algebra,
    Poly,
    Rational,
    Raw,
    Term,
    TooLarge,
)
from kernellab.grading.proving.premises import Premise, opened_terms

ROUNDS = 3
ROWS = 160
MOST_TERMS = 400


@dataclass
class Budget:
    """How much work may be done: rows to look at, and the time as a last resort."""

    rows: int = ROWS
    until: float = math.inf
    used: int = 0

    @property
    def spent(self) -> bool:
        return self.used >= self.rows or time.process_time() > self.until


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
    budget: Budget | None = None,
) -> Combination | None:
    """Return the combination of premises that the target is, or None if none is found.

    Parameters
    ----------
    target : what must be 0.
    free : its free indices with their sizes.
    """
    if not target:
        return Combination()
    found = explored(algebra, list(target), free, premises, budget, target)
    mix = found.elimination.combination(target)
    if mix is None:
        return None
    return Combination(tuple((c, found.rows[k]) for k, c in mix.items()))


@dataclass
class Explored:
    """The rows that were found from some terms, in echelon form."""

    rows: list[Row]
    elimination: Elimination


def explored(
    algebra: Algebra,
    todo: list[Term],
    free: dict[int, str],
    premises: Sequence[Premise],
    budget: Budget | None = None,
    target: Poly | None = None,
) -> Explored:
    """Find rows in some rounds, from terms and from the terms of rows.

    Parameters
    ----------
    target : stops the search as soon as the rows combine to it, or cannot.
    """
    budget = budget or Budget()
    opened = [(p, opened_terms(algebra, p)) for p in premises if p.poly]
    exact = not any(_inserts(algebra, raw) for _, terms in opened for raw in terms)
    found = Explored([], Elimination())
    if target is not None and exact and not _spoken_of(algebra, target, opened):
        return found
    known: set[frozenset[tuple[Term, Rational]]] = set()
    seen = set(todo)
    for _ in range(ROUNDS):
        new: list[Term] = []
        for row in _round(algebra, todo, free, opened):
            key = frozenset(row.poly.items())
            if not row.poly or key in known:
                continue
            known.add(key)
            found.elimination.add(row.poly)
            found.rows.append(row)
            fresh = [term for term in row.poly if term not in seen]
            seen.update(fresh)
            new += fresh
            budget.used += 1
            if budget.spent or len(seen) >= MOST_TERMS:
                return found
        if target is not None and _settled(found.elimination, target, exact):
            return found
        if not new:
            return found
        todo = new
    return found


def _settled(elimination: Elimination, target: Poly, exact: bool) -> bool:
    """Return True if a combination is found, or a term is left that no premise has."""
    if exact and any(term not in elimination.touched for term in target):
        return True
    return elimination.combination(target) is not None


def _spoken_of(
    algebra: Algebra, target: Poly, opened: Sequence[tuple[Premise, list[Raw]]]
) -> bool:
    """Return True if each term of the target holds the atoms of a premise's term."""
    patterns = {frozenset(a for a, _ in raw.factors) for _, ts in opened for raw in ts}
    for term in target:
        raw = algebra.opened(term, 1, nets=True)
        atoms = {a for a, _ in raw.factors}
        if not any(pattern <= atoms for pattern in patterns):
            return False
    return True


def _inserts(algebra: Algebra, raw: Raw) -> bool:
    """Return True for a term that can appear beside anything: 1, or an identity."""
    return all(algebra.kind(atom) == "eye" for atom, _ in raw.factors)


def _round(
    algebra: Algebra,
    todo: Sequence[Term],
    free: dict[int, str],
    opened: Sequence[tuple[Premise, list[Raw]]],
) -> Iterator[Row]:
    for term in todo:
        target = algebra.opened(term, 1, nets=True)
        for premise, terms in opened:
            try:
                yield from rows(algebra, target, free, premise, terms)
            except TooLarge:
                continue
