"""Premises: equations that hold, as polynomials that are 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kernellab.grading.proving.networks import Algebra, Poly, Raw

Label = tuple[Any, ...]  # what is used: ("line", 3, 0), ("given", 1), ("inverse", X), …


@dataclass(frozen=True, eq=False)
class Premise:
    """An equation: a polynomial that is 0 for all values of its free indices.

    Parameters
    ----------
    label : what it is, for certificates and messages.
    poly : left side minus right side.
    axes : its free indices with their sizes.
    cost : 1 if it counts as a fact, 0 if it is free, as the line before is.
    fact : what a person would call it, if that is not its label: line 3 for a link of
        the chain that begins there.
    """

    label: Label
    poly: Poly
    axes: dict[int, str] = field(default_factory=dict)
    cost: int = 1
    fact: Label | None = None


def opened_terms(algebra: Algebra, premise: Premise) -> list[Raw]:
    """Return the terms of a premise with their factors apart, each only once."""
    known = algebra.patterns.get(id(premise.poly))
    if known is None or known[0] is not premise.poly:
        terms = premise.poly.items()
        raws = [algebra.opened(term, c, nets=True) for term, c in terms]
        known = algebra.patterns[id(premise.poly)] = (premise.poly, raws)
    return known[1]
