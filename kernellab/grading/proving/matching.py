"""Matching: all ways in which a term of a premise is a factor of a given term.

A bound index of the premise must meet a bound index with all its occurrences; a free
one may meet any. What is left over is the context, and the context times the premise
is a polynomial that is 0: a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from kernellab.grading.proving.networks import Algebra, Poly, Rational, Raw
from kernellab.grading.proving.premises import Premise

MOST_DIVISIONS = 4  # no more often is a number divided by another


@dataclass(frozen=True, eq=False)
class Row:
    """A premise times a context.

    Parameters
    ----------
    powers, factors : the context.
    bound : the indices over which is summed, with their sizes.
    names : free index of the premise → the index that it becomes.
    poly : the product.
    """

    premise: Premise
    powers: dict[int, Rational]
    factors: list[tuple[int, tuple[int, ...]]]
    bound: dict[int, str]
    names: dict[int, int]
    poly: Poly


def rows(
    algebra: Algebra,
    target: Raw,
    free: Mapping[int, str],
    premise: Premise,
    terms: list[Raw],
) -> Iterator[Row]:
    """Yield the rows in which a term of the premise becomes the target.

    Parameters
    ----------
    free : the free indices of the target, with their sizes.
    terms : the opened terms of the premise.
    """
    sizes = {**free, **target.bound}
    for pattern in terms:
        powers = _divided(algebra, target.powers, pattern)
        if powers is None:
            continue
        for used, names in _embeddings(algebra, pattern, target):
            rest = [f for k, f in enumerate(target.factors) if k not in used]
            gone = {names[i] for i in pattern.bound if i in names}
            bound = {i: s for i, s in target.bound.items() if i not in gone}
            open_sizes = {i: s for i, s in sizes.items() if i not in gone}
            for every in _placed(premise, names, open_sizes):
                yield _row(algebra, premise, terms, powers, rest, bound, every)


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
        if (
            power > 0
            and after < 0
            and before >= 0
            and not (algebra.atoms[atom].positive or atom in algebra.nonzero)
        ):
            return None
        if not -MOST_DIVISIONS <= after <= MOST_DIVISIONS:
            return None
        left[atom] = after
    return {a: p for a, p in left.items() if p} if meets else None


def _placed(
    premise: Premise, names: Mapping[int, int], sizes: Mapping[int, str]
) -> Iterator[dict[int, int]]:
    """Yield the names of all free indices, also of those that the pattern lacks."""
    known = {i: names[i] for i in premise.axes if i in names}
    missing = [i for i in premise.axes if i not in names]
    choices = [
        [j for j, size in sizes.items() if size == premise.axes[i]] for i in missing
    ]
    for choice in product(*choices):
        yield {**known, **dict(zip(missing, choice, strict=True))}


def _embeddings(
    algebra: Algebra, pattern: Raw, target: Raw
) -> Iterator[tuple[frozenset[int], dict[int, int]]]:
    """Yield the places of the pattern's factors in the target, and the index names."""
    places: dict[int, list[int]] = {}
    for k, (atom, _) in enumerate(target.factors):
        places.setdefault(atom, []).append(k)
    if any(atom not in places for atom, _ in pattern.factors):
        return
    count: dict[int, int] = {}
    for _, at in target.factors:
        for i in at:
            count[i] = count.get(i, 0) + 1

    def extend(
        done: int, used: frozenset[int], names: dict[int, int]
    ) -> Iterator[tuple[frozenset[int], dict[int, int]]]:
        if done == len(pattern.factors):
            if _closed(pattern, target, used, names, count):
                yield used, names
            return
        atom, indices = pattern.factors[done]
        for k in places[atom]:
            if k in used:
                continue
            found = target.factors[k][1]
            turned = [found]
            if atom in algebra.symmetric and found[0] != found[1]:
                turned.append(found[::-1])
            for at in turned:
                new = _unified(pattern, indices, at, names)
                if new is not None:
                    yield from extend(done + 1, used | {k}, new)

    seen = set()
    for used, names in extend(0, frozenset(), {}):
        key = (used, tuple(sorted(names.items())))
        if key not in seen:
            seen.add(key)
            yield used, names


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


def _closed(
    pattern: Raw,
    target: Raw,
    used: frozenset[int],
    names: Mapping[int, int],
    count: Mapping[int, int],
) -> bool:
    """Return True if bound indices have all their occurrences inside the pattern."""
    inside: dict[int, int] = {}
    for k in used:
        for i in target.factors[k][1]:
            inside[i] = inside.get(i, 0) + 1
    images = {i: names[i] for i in pattern.bound if i in names}
    frees = {j for i, j in names.items() if i not in pattern.bound}
    return all(inside[j] == count[j] and j not in frees for j in images.values())


def _row(
    algebra: Algebra,
    premise: Premise,
    terms: list[Raw],
    powers: dict[int, Rational],
    factors: list[tuple[int, tuple[int, ...]]],
    bound: dict[int, str],
    names: dict[int, int],
) -> Row:
    context = Raw(1, powers, factors, bound)
    return Row(
        premise, powers, factors, bound, names, times(algebra, context, terms, names)
    )


def times(
    algebra: Algebra, context: Raw, terms: list[Raw], names: Mapping[int, int]
) -> Poly:
    """Return a context times the terms of a premise, its free indices renamed."""
    found = []
    for term in terms:
        moved = Raw(
            term.coefficient,
            term.powers,
            [(atom, tuple(names.get(i, i) for i in at)) for atom, at in term.factors],
            term.bound,
        )
        found.append(algebra.joined(context, moved))
    return algebra.collected(found)
