"""Entailment: is a polynomial a combination of premises?

C = Σ cᵢ · (contextᵢ contracted with premiseᵢ). The contexts are found by matching the
terms of C, and of the rows so found, with the terms of the premises; the coefficients
by linear algebra. What is found holds for all sizes and values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kernellab.grading.proving.cofactors import Elimination
from kernellab.grading.proving.matching import Premise, Row, pattern, rows, target_of
from kernellab.grading.proving.networks import Algebra, Bound, Poly, Rational, Term

ROUNDS = 3
ROWS = 160
MOST_TERMS = 400


@dataclass
class Budget:
    """How many rows may be made; time as a last resort."""

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
    budget: Budget | None = None,
) -> Combination | None:
    """Return the combination of premises that the target is, or None if none is found.

    Parameters
    ----------
    target : what must be 0.
    free : its free indices with their sizes.
    """
    if not target:
        return NO_ROWS
    found = explored(algebra, list(target), free, premises, budget, target)
    mix = found.elimination.combination(target)
    if mix is None:
        return None
    return Combination(tuple((c, found.rows[k]) for k, c in mix.items()))


@dataclass
class Explored:
    """The rows that were found from some terms, in echelon form."""

    rows: list[Row] = field(default_factory=list)
    elimination: Elimination = field(default_factory=Elimination)


def explored(
    algebra: Algebra,
    todo: list[Term],
    free: Bound,
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
    premises = [p for p in premises if p.poly]
    atoms = {frozenset(a for a, _ in raw.factors)
             for p in premises for raw in pattern(algebra, p.poly).terms}  # fmt: skip
    # A term 1, or an identity, can appear beside anything.
    exact = not any(some <= algebra.contracting for some in atoms)
    found = Explored()
    if target is not None and exact and not _spoken_of(algebra, target, atoms):
        return found
    known: set[frozenset[tuple[Term, Rational]]] = set()
    seen = set(todo)
    for _ in range(ROUNDS):
        new: list[Term] = []
        pairs = ((term, premise) for term in todo for premise in premises)
        for row in (r for t, p in pairs for r in rows(algebra, t, free, p)):
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
        if not new or (target and _settled(found.elimination, target, exact)):
            return found
        todo = new
    return found


def _settled(elimination: Elimination, target: Poly, exact: bool) -> bool:
    """Return True if a combination is found, or a term is left that no premise has."""
    if exact and any(term not in elimination.order for term in target):
        return True
    return elimination.combination(target) is not None


def _spoken_of(algebra: Algebra, target: Poly, atoms: set[frozenset[int]]) -> bool:
    """Return True if each term of the target holds the atoms of a premise's term."""
    return all(
        any(some <= target_of(algebra, term).places.keys() for some in atoms)
        for term in target
    )
