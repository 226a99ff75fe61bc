"""Canonical labelling: one name for all ways to write a connected tensor network.

A network is a list of factors, each an atom with its indices. Indices below 0 are free
and keep their names; the others are bound, and what they are called does not matter.
The label is found by colour refinement; ties are broken by trying each member.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

Factor = tuple[int, tuple[int, ...]]
Network = tuple[Factor, ...]

REMEMBERED = 20_000  # networks, whatever their atoms are


def numbered(factors: Sequence[Factor]) -> tuple[Network, dict[int, int]]:
    """Number bound indices in the order of their appearance; return the numbers too."""
    names: dict[int, int] = {}
    number = names.setdefault
    found = [
        (atom, tuple([number(i, len(names)) if i >= 0 else i for i in at]))
        for atom, at in factors
    ]
    return tuple(found), names


def canonical(factors: Sequence[Factor], symmetric: frozenset[int]) -> Network:
    """Number the bound indices so that equal networks become equal tuples.

    Parameters
    ----------
    factors : (atom, indices) of a connected network.
    symmetric : the atoms whose two indices may be exchanged.

    Examples
    --------
    >>> canonical([(5, (0, 1)), (7, (1,))], frozenset({5}))
    ((5, (0, 1)), (7, (1,)))
    >>> canonical([(7, (8,)), (5, (8, 3))], frozenset({5}))
    ((5, (0, 1)), (7, (1,)))
    """
    if len(factors) == 1:
        (((atom, at),), _) = numbered(factors)
        return ((atom, tuple(sorted(at)) if atom in symmetric else at),)
    atoms = sorted({atom for atom, _ in factors})
    ranks = {atom: rank for rank, atom in enumerate(atoms)}
    ordered = sorted(factors, key=itemgetter(0))
    ranked, _ = numbered([(ranks[atom], at) for atom, at in ordered])
    turning = frozenset([ranks[atom] for atom in atoms if atom in symmetric])
    return tuple([(atoms[rank], at) for rank, at in _canonical(ranked, turning)])


@lru_cache(REMEMBERED)
def _canonical(factors: Network, symmetric: frozenset[int]) -> Network:
    """Number the bound indices of a network; only the order of its atoms matters."""
    bound = {i for _, indices in factors for i in indices if i >= 0}
    colours = _refined(factors, symmetric, dict.fromkeys(bound, 0))
    return _least(factors, symmetric, colours)


def _least(
    factors: Sequence[Factor], symmetric: frozenset[int], colours: dict[int, int]
) -> Network:
    """Return the least labelling, breaking the first tie in every way."""
    ranks = sorted(colours.values())
    tie = next((r for r, s in itertools.pairwise(ranks) if r == s), None)
    if tie is None:
        return _labelled(factors, symmetric, colours)
    members = [index for index, colour in colours.items() if colour == tie]
    apart = {index: 2 * colour for index, colour in colours.items()}
    ways = ({**apart, index: 2 * tie - 1} for index in members)
    refined = (_refined(factors, symmetric, way) for way in ways)
    return min(_least(factors, symmetric, way) for way in refined)


def _labelled(
    factors: Sequence[Factor], symmetric: frozenset[int], colours: Mapping[int, int]
) -> Network:
    order = sorted(colours, key=colours.__getitem__)
    names = {index: place for place, index in enumerate(order)}
    found = []
    for atom, indices in factors:
        new = tuple([names.get(i, i) for i in indices])
        found.append((atom, tuple(sorted(new)) if atom in symmetric else new))
    return tuple(sorted(found))


def _refined(
    factors: Sequence[Factor], symmetric: frozenset[int], colours: dict[int, int]
) -> dict[int, int]:
    """Split colours by what an index touches, until nothing changes."""
    count = len(set(colours.values()))
    while count < len(colours):
        seen = _views(factors, symmetric, colours)
        keys = {i: (colours[i], tuple(sorted(seen[i]))) for i in colours}
        ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
        colours = {index: ranks[key] for index, key in keys.items()}
        if len(ranks) == count:
            break
        count = len(ranks)
    return colours


View = tuple[int, int, tuple[tuple[int, int], ...]]


def _views(
    factors: Sequence[Factor], symmetric: frozenset[int], colours: Mapping[int, int]
) -> dict[int, list[View]]:
    """Return what each bound index sees: an atom, its own place, the other colours."""
    seen: dict[int, list[View]] = {index: [] for index in colours}
    for atom, indices in factors:
        around = tuple([(0, colours[i]) if i >= 0 else (1, i) for i in indices])
        turns = atom in symmetric
        if turns:
            around = tuple(sorted(around))
        for place, index in enumerate(indices):
            if index >= 0:
                seen[index].append((atom, -1 if turns else place, around))
    return seen


def separated(factors: Network, symmetric: frozenset[int]) -> list[Network]:
    """Return the connected networks of a product, each with its canonical label."""
    return [canonical(part, symmetric) for part in components(factors)]


def components(factors: Network) -> list[list[Factor]]:
    """Split factors into networks that share no bound index."""
    place: dict[int, int] = {}
    parts: list[list[Factor]] = []
    for factor in factors:
        touching = sorted({place[i] for i in factor[1] if i >= 0 and i in place})
        home = touching[0] if touching else len(parts)
        if not touching:
            parts.append([])
        parts[home].append(factor)
        for other in touching[1:]:
            parts[home] += parts[other]
            parts[other] = []
            place.update({i: home for i, at in place.items() if at == other})
        place.update({i: home for i in factor[1] if i >= 0})
    return [part for part in parts if part]
