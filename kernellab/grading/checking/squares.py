"""Squares: products of entries that are not negative by their form.

Σ f(p) B(p, p') f(p') w(q) is not negative if w is not, and if B is a product of
semi-definite matrices, each between an index and its image under an exchange p ↔ p'
that turns the product into itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kernellab.grading.checking.labelling import spend

MOST_INDICES = 8


@dataclass(frozen=True)
class Entry:
    """An entry of a tensor, and what is known of it.

    Parameters
    ----------
    key : the same for the same tensor.
    symmetric : whether its two indices may be exchanged.
    semidefinite, nonneg : whether the matrix, or each entry, is known to be so.
    """

    key: str
    indices: tuple[str, ...]
    symmetric: bool = False
    semidefinite: bool = False
    nonneg: bool = False

    def under(self, exchange: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        """Return where an exchange moves it."""
        moved = tuple(exchange.get(i, i) for i in self.indices)
        return self.key, tuple(sorted(moved)) if self.symmetric else moved

    def is_bridge(self, exchange: Mapping[str, str]) -> bool:
        """Return True if it belongs to B or w, and not to f."""
        moved = tuple(exchange.get(i, i) for i in self.indices)
        weight = self.nonneg and moved == self.indices
        return weight or (self.semidefinite and moved == self.indices[::-1])


def has_square_form(
    entries: Sequence[Entry], bound: Sequence[str], start: Mapping[str, str]
) -> bool:
    """Return True if some exchange of bound indices shows a square.

    Parameters
    ----------
    start : what is exchanged in any case: row and column of a matrix.
    """
    if len(bound) > MOST_INDICES:
        return False
    spend(2 ** len(bound))
    return any(_is_square(entries, {**start, **more}) for more in _exchanges(bound))


def _exchanges(indices: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield all ways to exchange some of the indices in pairs."""
    if not indices:
        yield {}
        return
    first, rest = indices[0], indices[1:]
    yield from _exchanges(rest)
    for other in rest:
        for more in _exchanges([i for i in rest if i != other]):
            yield {first: other, other: first, **more}


def _is_square(entries: Sequence[Entry], exchange: Mapping[str, str]) -> bool:
    halves = [entry for entry in entries if not entry.is_bridge(exchange)]
    there = Counter(entry.under({}) for entry in halves)
    back = Counter(entry.under(exchange) for entry in halves)
    alone = [e for e in halves if e.under({}) == e.under(exchange)]
    paired = all(there[entry.under({})] % 2 == 0 for entry in alone)
    return there == back and paired and _apart(halves, exchange)


def _apart(halves: Sequence[Entry], exchange: Mapping[str, str]) -> bool:
    """Return True if no connected part contains an index and its image."""
    part = {i: i for e in halves for i in e.indices if exchange.get(i, i) != i}
    for entry in halves:
        own = [part[i] for i in entry.indices if i in part]
        part = {i: own[0] if p in own else p for i, p in part.items()}
    return all(p != part.get(exchange[i]) for i, p in part.items())
