"""Proofs: what a prover finds, and which facts it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.entailment import NO_ROWS, Combination
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.matching import Label, Premise, Row
from kernellab.grading.proving.networks import Poly
from kernellab.grading.proving.rationals import Rational


@dataclass(frozen=True, eq=False)
class Nonneg:
    """Something that is not negative.

    Parameters
    ----------
    label : a bound that stands, or ("square", x), ("term", term), ("cauchy", u, v).
    poly : its normal form.
    row : for a bound that stands, the context in which it is used.
    """

    label: Label
    poly: Poly
    row: Row | None = None


Pieces = tuple[tuple[Rational, Nonneg], ...]


@dataclass(frozen=True)
class Proof:
    """Why a relation holds.

    Parameters
    ----------
    claim : what is proved.
    opened : the definitions that are used.
    combination : the rows whose sum is left − right, or what `cancelled` makes of it.
    facts : the labels of what counts, each once.
    pieces : for a bound, what is not negative.
    cancelled : a matrix or number by which left − right was multiplied, and the side.
    by, parts, witness : as in `certificates.Proven`.
    """

    claim: Link
    opened: frozenset[str] = frozenset()
    combination: Combination = NO_ROWS
    facts: frozenset[Label] = frozenset()
    pieces: Pieces = ()
    cancelled: tuple[Expr, str] | None = None
    by: str = "equation"
    parts: tuple[Proof, ...] = ()
    witness: tuple[Any, ...] = ()

    @property
    def cost(self) -> int:
        """How many facts it needs beside the line before."""
        return len(self.facts)

    @property
    def labels(self) -> set[Label]:
        """Everything that is used, counted or not, also in its parts."""
        found = {p.label for p in self.combination.premises}
        found |= {piece.label for _, piece in self.pieces}
        found |= {("definition", name) for name in self.opened}
        return found.union(*(part.labels for part in self.parts))


def fact_of(premise: Premise) -> Label:
    """Return the fact behind a premise: what a person would name."""
    label = premise.label
    match label[0]:
        case "inverse":
            return label[:2]
        case "independence":
            return label[:1]
        case "gradient" | "gradient of":
            return ("gradient",)
    return premise.fact or label


def better(one: Proof | None, two: Proof | None) -> Proof | None:
    """Return the cheaper proof."""
    return min((p for p in (one, two) if p), key=lambda p: p.cost, default=None)


def allowed(premise: Premise, only: frozenset[Label]) -> bool:
    """Return True if a premise is free, or is named; inverses stand for each other."""
    fact = fact_of(premise)
    if fact[0] == "inverse":
        return any(label[0] == "inverse" for label in only)
    return premise.cost == 0 or fact in only
