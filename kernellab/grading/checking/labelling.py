"""Labelling: the same name for networks that differ in their bound indices only.

A network is a product of entries, such as K[i,j] a[i] a[j], summed over its bound
indices. Every order of naming these is tried, and the least result kept; cheap
invariants of the indices leave few orders to try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, permutations, product
from math import factorial, prod

from kernellab.grading.checking.atoms import Atom, TooLarge

Factor = tuple[Atom, tuple[str, ...]]
Network = tuple[Factor, ...]

MOST_ORDERS = factorial(8)


def is_bound(index: str) -> bool:
    """Return True for an index that is summed over."""
    return index.startswith("#")


@lru_cache(maxsize=20_000)
def canonical(factors: Network) -> Network:
    """Return the network with its bound indices named #0, #1, …

    Raises
    ------
    TooLarge
        If too many orders of the indices would have to be tried.
    """
    groups = _alike(factors)
    if prod(factorial(len(group)) for group in groups) > MOST_ORDERS:
        raise TooLarge("a product has too many indices that look alike")
    return min(_relabelled(factors, names) for names in _namings(groups))


def _namings(groups: list[list[str]]) -> Iterator[dict[str, str]]:
    """Yield all ways to number the indices, one group after the other."""
    for orders in product(*(permutations(group) for group in groups)):
        yield {index: f"#{k}" for k, index in enumerate(chain(*orders))}


def _relabelled(factors: Network, names: Mapping[str, str]) -> Network:
    return tuple(
        sorted(
            ordered(atom, tuple(names.get(i, i) for i in indices))
            for atom, indices in factors
        )
    )


def ordered(atom: Atom, indices: tuple[str, ...]) -> Factor:
    """Return a factor; the two indices of a symmetric matrix in alphabetical order."""
    return atom, tuple(sorted(indices)) if atom.symmetric else indices


def _alike(factors: Network) -> list[list[str]]:
    """Group the bound indices that cheap invariants cannot tell apart."""
    bound = sorted({i for _, at in factors for i in at if is_bound(i)})
    colours = dict.fromkeys(bound, "")
    for _ in range(len(bound)):
        finer = {i: _surroundings(factors, i, colours) for i in bound}
        ranks = {text: f"{k:03}" for k, text in enumerate(sorted(set(finer.values())))}
        done = len(ranks) == len(set(colours.values()))
        colours = {i: ranks[finer[i]] for i in bound}
        if done:
            break
    groups: dict[str, list[str]] = {}
    for index in bound:
        groups.setdefault(colours[index], []).append(index)
    return [groups[colour] for colour in sorted(groups)]


def _surroundings(factors: Network, index: str, colours: Mapping[str, str]) -> str:
    """Describe the factors in which an index occurs, without the names of others."""
    seen = []
    for atom, indices in factors:
        if index in indices:
            marks = ["*" if i == index else colours.get(i, f"={i}") for i in indices]
            seen.append(f"{atom.key}{sorted(marks) if atom.symmetric else marks}")
    return f"{colours[index]}{sorted(seen)}"
