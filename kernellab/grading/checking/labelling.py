"""Labelling: one name for products of entries that differ in summed indices only.

Every order of numbering the summed indices is tried, and the least result kept; the
surroundings of an index leave few orders to try.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, permutations, product
from math import factorial, prod
from typing import Any

MOST_WORK = 50_000  # products and orders of indices, for a whole certificate
_WORK: ContextVar[list[int]] = ContextVar("work")


class Refused(Exception):
    """What cannot be confirmed; the message says why."""


@contextmanager
def limited_work() -> Iterator[None]:
    """Refuse what takes more than a fixed amount of work."""
    token = _WORK.set([MOST_WORK])
    try:
        yield
    finally:
        _WORK.reset(token)


def spend(amount: int) -> None:
    """Count products that are multiplied out, and orders that are tried."""
    left = _WORK.get([MOST_WORK])
    left[0] -= amount
    if left[0] < 0:
        raise Refused("this takes too long to be multiplied out")


@dataclass(frozen=True, order=True)
class Atom:
    """What is not multiplied out any further.

    Parameters
    ----------
    key : a text that two atoms share if and only if they are the same.
    kind : "symbol", "entry" (of a symbol of literal size), "unit" (a unit vector),
        "size", "eye", "net" (a number: entries summed over all their indices), "base"
        (of a power that is not multiplied out), "inverse", "cov", "d" (a derivative),
        or the name of a function.
    data : the name of a symbol, the factors of a net, …
    sizes : of its indices; a number has none.
    symmetric : whether its two indices may be exchanged.
    inner : the argument, multiplied out.
    """

    key: str
    kind: str = field(compare=False)
    data: Any = field(compare=False, default=None)
    sizes: tuple[str, ...] = field(compare=False, default=())
    symmetric: bool = field(compare=False, default=False)
    inner: Any = field(compare=False, default=None)


Factor = tuple[Atom, tuple[str, ...]]  # an entry of a tensor


def is_bound(index: str) -> bool:
    """Return True for an index that is summed over."""
    return index.startswith("#")


def replaced(factors: Iterable[Factor], names: Mapping[str, str]) -> list[Factor]:
    """Rename indices in a product."""
    return [(atom, tuple(names.get(i, i) for i in at)) for atom, at in factors]


def key(factors: Iterable[Factor]) -> str:
    """Return a product of entries as text."""
    return "·".join(f"({atom.key})[{','.join(at)}]" for atom, at in factors)


def labelled(factors: Iterable[Factor]) -> tuple[Factor, ...]:
    """Return the least of all ways to name the summed indices #0, #1, …"""
    names: dict[str, str] = {}
    for i in (i for _, at in factors for i in at if is_bound(i)):
        names.setdefault(i, f"#{len(names)}")
    return _least(tuple(replaced(factors, names)))


@lru_cache(maxsize=20_000)
def _least(factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    groups = _alike(factors)
    spend(prod(factorial(len(group)) for group in groups))
    orders = product(*map(permutations, groups))
    return min(_renamed(factors, list(chain(*order))) for order in orders)


def _renamed(factors: Iterable[Factor], order: list[str]) -> tuple[Factor, ...]:
    """Number the indices; those of a symmetric matrix stand in alphabetical order."""
    found = replaced(factors, {i: f"#{k}" for k, i in enumerate(order)})
    turned = ((a, tuple(sorted(at)) if a.symmetric else at) for a, at in found)
    return tuple(sorted(turned))


def _alike(factors: Iterable[Factor]) -> list[list[str]]:
    """Group the summed indices that their surroundings cannot tell apart."""
    bound = sorted({i for _, at in factors for i in at if is_bound(i)})
    colours = dict.fromkeys(bound, "")
    for _ in bound:
        seen = {i: _surroundings(factors, i, colours) for i in bound}
        ranks = {text: f"{k:03}" for k, text in enumerate(sorted(set(seen.values())))}
        colours = {i: ranks[seen[i]] for i in bound}
    groups: dict[str, list[str]] = defaultdict(list)
    for index in bound:
        groups[colours[index]].append(index)
    return [groups[colour] for colour in sorted(groups)]


def _surroundings(
    factors: Iterable[Factor], index: str, colours: Mapping[str, str]
) -> str:
    """Describe the factors in which an index occurs, without the names of others."""
    seen = []
    for atom, at in factors:
        if index in at:
            marks = ["*" if i == index else colours.get(i, f"={i}") for i in at]
            seen.append(f"{atom.key}{sorted(marks) if atom.symmetric else marks}")
    return f"{colours[index]}{sorted(seen)}"
