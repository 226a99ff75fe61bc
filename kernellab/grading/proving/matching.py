"""Matching: all ways in which a term of a premise is a factor of a given term.

A bound index of the premise must meet a bound index with all its occurrences; a free
one may meet any. What is left over is the context, and the context times the premise
is a polynomial that is 0: a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from kernellab.grading.proving.labelling import Factor
from kernellab.grading.proving.networks import Algebra, Bound, Poly, Raw, Term, TooLarge
from kernellab.grading.proving.rationals import Rational

MOST_DIVISIONS = 4  # no more often is a number divided by another
MOST_ROWS = 160  # of one premise for one term

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
    axes: Bound = field(default_factory=dict)
    cost: int = 1
    fact: Label | None = None


@dataclass(slots=True, eq=False)
class Row:
    """A premise times a context.

    Parameters
    ----------
    powers, factors : the context.
    bound : the indices over which is summed, with their sizes.
    names : free index of the premise → the index that it becomes.
    poly : the product, once it is multiplied out.
    term : the number of the premise's term that was found.
    key : the product, to be looked up.
    """

    premise: Premise
    powers: dict[int, Rational]
    factors: list[Factor]
    bound: Bound
    names: dict[int, int]
    poly: Poly
    term: int = 0
    key: frozenset[tuple[Term, Rational]] = frozenset()

    def of(self, premise: Premise) -> Row:
        """Return the same row, of a premise that says the same."""
        return self if self.premise is premise else replace(self, premise=premise)


@dataclass
class Pattern:
    """A polynomial with its terms opened, and where they were found before."""

    poly: Poly
    terms: list[Raw]
    atoms: list[frozenset[int]]  # of each term
    found: dict[object, list[Row]] = field(default_factory=dict)


def pattern(algebra: Algebra, poly: Poly) -> Pattern:
    """Return the pattern of a polynomial, which is made only once."""

    def made() -> Pattern:
        terms = [algebra.opened(term, c, nets=True) for term, c in poly.items()]
        atoms = [frozenset([atom for atom, _ in raw.factors]) for raw in terms]
        return Pattern(poly, terms, atoms)

    return algebra.once(("pattern", id(poly)), made)


class Target:
    """A term in which patterns are sought.

    Its factors by their atoms, how often each index occurs, and each atom.
    """

    def __init__(self, algebra: Algebra, term: Term) -> None:
        self.raw = algebra.opened(term, 1, nets=True)
        self.places: dict[int, list[int]] = {}
        for k, (atom, _) in enumerate(self.raw.factors):
            self.places.setdefault(atom, []).append(k)
        self.count = Counter(i for _, at in self.raw.factors for i in at)
        self.atoms: dict[int, Rational] = {a: len(at) for a, at in self.places.items()}
        for atom, power in self.raw.powers.items():
            net = algebra.kind(atom) == "net"
            for inner in [a for a, _ in algebra.atoms[atom].data] if net else [atom]:
                self.atoms[inner] = self.atoms.get(inner, 0) + power


def target_of(algebra: Algebra, term: Term) -> Target:
    """Return a term to be matched, which is opened only once."""
    return algebra.once(("target", term), lambda: Target(algebra, term))


def places(
    algebra: Algebra, term: Term, free: Mapping[int, str], premise: Premise
) -> list[Row]:
    """Return where the premise is found in a term; nothing is multiplied out yet.

    Parameters
    ----------
    free : the free indices of the term, with their sizes.
    """
    algebra.work.do(4)
    known = pattern(algebra, premise.poly)
    key = (term, *free.items(), *premise.axes.items())
    if key not in known.found:
        made = _places(algebra, target_of(algebra, term), free, premise, known)
        known.found[key] = list(islice(made, MOST_ROWS))
    return known.found[key]


def rows(
    algebra: Algebra, term: Term, free: Mapping[int, str], premise: Premise
) -> Iterator[Row]:
    """Yield the rows in which a term of the premise becomes the given term.

    Their own premise may be another one that says the same.
    """
    terms = pattern(algebra, premise.poly).terms
    for row in places(algebra, term, free, premise):
        algebra.work.do(1)
        if not row.poly:
            with suppress(TooLarge):
                row.poly = _product(algebra, term, terms, row)
                row.key = frozenset(row.poly.items())
        if row.poly:
            yield row


def _places(
    algebra: Algebra,
    target: Target,
    free: Mapping[int, str],
    premise: Premise,
    known: Pattern,
) -> Iterator[Row]:
    whole = target.raw
    sizes = {**free, **whole.bound}
    for number, one, atoms, unit in _components(algebra, known, premise.axes):
        if not target.places.keys() >= atoms:
            continue
        powers = _divided(algebra, whole.powers, one)
        if powers is None:
            continue
        for used, names in _embeddings(algebra, one, target):
            rest = [f for k, f in enumerate(whole.factors) if k not in used]
            gone = {names[i] for i in one.bound if i in names}
            bound = {i: s for i, s in whole.bound.items() if i not in gone}
            still = {i: s for i, s in sizes.items() if i not in gone}
            for every in _placed(premise.axes, {**names, **unit.names}, still):
                factors, sums = rest + unit.factors, {**bound, **unit.bound}
                yield Row(premise, powers, factors, sums, every, {}, number)


@dataclass(frozen=True)
class Unit:
    """The basis vectors with which a premise is contracted, at indices of their own."""

    factors: list[Factor] = field(default_factory=list)
    bound: Bound = field(default_factory=dict)
    names: dict[int, int] = field(default_factory=dict)


NO_UNIT = Unit()


def _components(
    algebra: Algebra, known: Pattern, axes: Bound
) -> Iterator[tuple[int, Raw, frozenset[int], Unit]]:
    """Yield the terms of a premise with their atoms, and those of its literal entries.

    If K c = (r, 0)ᵀ stands, then so does what it says of its first entry.
    """
    for number, (term, atoms) in enumerate(zip(known.terms, known.atoms, strict=True)):
        yield number, term, atoms, NO_UNIT
        if algebra.contracting.isdisjoint(atoms):
            continue
        unit, rest = Unit(), list[Factor]()
        for atom, at in term.factors:
            if algebra.kind(atom) == "basis" and at[0] in axes:
                own = unit.names[at[0]] = algebra.fresh()
                unit.factors.append((atom, (own,)))
                unit.bound[own] = axes[at[0]]
            else:
                rest.append((atom, at))
        if unit.names:
            entry = Raw(term.coefficient, term.powers, rest, term.bound)
            yield number, entry, frozenset(a for a, _ in rest), unit


def _product(algebra: Algebra, found: Term, terms: list[Raw], row: Row) -> Poly:
    """Return the context times the pattern; one of the terms is known already."""
    context = Raw(1, row.powers, row.factors, row.bound)
    others = terms[: row.term] + terms[row.term + 1 :]
    poly = times(algebra, context, others, row.names)
    return algebra.add(poly, {found: terms[row.term].coefficient})


def _divided(
    algebra: Algebra, powers: Mapping[int, Rational], pattern: Raw
) -> dict[int, Rational] | None:
    """Divide the numbers of a term by those of the pattern, where that is licensed."""
    left = dict(powers)
    meets = bool(pattern.factors)
    for atom, power in pattern.powers.items():
        before: Rational = left.get(atom, 0)
        after: Rational = before - power
        meets = meets or before != 0
        divides = power > 0 and after < 0 <= before
        if divides and not (algebra.atoms[atom].positive or atom in algebra.nonzero):
            return None
        if not -MOST_DIVISIONS <= after <= MOST_DIVISIONS:
            return None
        left[atom] = after
    return {a: p for a, p in left.items() if p} if meets else None


def _placed(
    axes: Bound, names: Mapping[int, int], sizes: Mapping[int, str]
) -> Iterator[dict[int, int]]:
    """Yield the names of all free indices, also of those that the pattern lacks."""
    known = {i: names[i] for i in axes if i in names}
    missing = [i for i in axes if i not in names]
    choices = [[j for j, size in sizes.items() if size == axes[i]] for i in missing]
    for choice in product(*choices):
        yield {**known, **dict(zip(missing, choice, strict=True))}


Embedding = tuple[frozenset[int], dict[int, int]]


def _embeddings(algebra: Algebra, pattern: Raw, target: Target) -> Iterator[Embedding]:
    """Yield the places of the pattern's factors in the target, and the index names."""
    seen = set()
    for used, names in _extended(algebra, pattern, target, frozenset(), {}):
        key = (used, frozenset(names.items()))
        if key not in seen and _is_closed(pattern, target, used, names):
            seen.add(key)
            yield used, names


def _extended(
    algebra: Algebra,
    pattern: Raw,
    target: Target,
    used: frozenset[int],
    names: dict[int, int],
) -> Iterator[Embedding]:
    """Find a place for the next factor of the pattern, and so on."""
    if len(used) == len(pattern.factors):
        yield used, names
        return
    atom, indices = pattern.factors[len(used)]
    algebra.work.do(1 + len(target.places[atom]))
    for k in target.places[atom]:
        if k in used:
            continue
        found = target.raw.factors[k][1]
        ways = [found]
        if atom in algebra.symmetric and found[0] != found[1]:
            ways.append(found[::-1])
        for at in ways:
            new = _unified(pattern, indices, at, names)
            if new is not None:
                yield from _extended(algebra, pattern, target, used | {k}, new)


def _unified(
    pattern: Raw, indices: tuple[int, ...], at: tuple[int, ...], names: dict[int, int]
) -> dict[int, int] | None:
    new = dict(names)
    for i, j in zip(indices, at, strict=True):
        if i in new:
            if new[i] != j:
                return None
            continue
        if i in pattern.bound and (
            j < 0 or any(new[k] == j for k in new if k in pattern.bound)
        ):
            return None
        new[i] = j
    return new


def _is_closed(
    pattern: Raw, target: Target, used: frozenset[int], names: Mapping[int, int]
) -> bool:
    """Return True if bound indices have all their occurrences inside the pattern."""
    images = {j for i, j in names.items() if i in pattern.bound}
    if not images:
        return True
    inside = [i for k in used for i in target.raw.factors[k][1]]
    frees = {j for i, j in names.items() if i not in pattern.bound}
    return images.isdisjoint(frees) and all(
        inside.count(j) == target.count[j] for j in images
    )


def times(
    algebra: Algebra, context: Raw, terms: list[Raw], names: Mapping[int, int]
) -> Poly:
    """Return a context times the terms of a premise, its free indices renamed."""
    new, found = names.get, []
    for term in terms:
        factors = [(atom, tuple([new(i, i) for i in at])) for atom, at in term.factors]
        moved = Raw(term.coefficient, term.powers, factors, term.bound)
        found.append(algebra.joined(context, moved))
    return algebra.collected(found)
