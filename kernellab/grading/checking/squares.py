"""Squares: a network that an exchange of indices turns into itself.

Σ A(p) B(p, p') A(p') is not negative if B is a product of semi-definite matrices, each
between an index and its image. Indices that stay where they are weigh the sum; factors
of these alone must come in pairs, or must not be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

MOST_INDICES = 8


@dataclass(frozen=True)
class Entry:
    """A factor of a network, and what is known of it.

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


def is_square(entries: Sequence[Entry], exchange: Mapping[str, str]) -> bool:
    """Return True if the exchange shows that the network is not negative.

    Parameters
    ----------
    exchange : index → its image; an index that is not named stays where it is.
    """

    def image(index: str) -> str:
        return exchange.get(index, index)

    if any(image(image(index)) != index for index in exchange):
        return False
    halves = [e for e in entries if not _is_bridge(e, exchange)]
    return _paired(halves, exchange) and _split(halves, exchange)


def _is_bridge(entry: Entry, exchange: Mapping[str, str]) -> bool:
    images = tuple(exchange.get(i, i) for i in entry.indices)
    if entry.nonneg and images == entry.indices:
        return True
    return entry.semidefinite and images == entry.indices[::-1]


def _paired(entries: Sequence[Entry], exchange: Mapping[str, str]) -> bool:
    """Return True if each factor has a partner: another one, which is its image."""
    left = list(entries)
    while left:
        entry = left.pop()
        images = tuple(exchange.get(i, i) for i in entry.indices)
        partner = next((e for e in left if _same(e, entry.key, images)), None)
        if partner is None:
            return False
        left.remove(partner)
    return True


def _same(entry: Entry, key: str, indices: tuple[str, ...]) -> bool:
    if entry.key != key:
        return False
    turned = entry.symmetric and entry.indices == indices[::-1]
    return entry.indices == indices or turned


def _split(entries: Sequence[Entry], exchange: Mapping[str, str]) -> bool:
    """Return True if no part of the network contains an index and its image."""
    moved = {i for e in entries for i in e.indices if exchange.get(i, i) != i}
    part = {index: index for index in moved}
    for entry in entries:
        own = [i for i in entry.indices if i in moved]
        for other in own[1:]:
            old, new = part[other], part[own[0]]
            part = {i: new if p == old else p for i, p in part.items()}
    return all(part[i] != part.get(exchange[i]) for i in moved)


def exchanges(indices: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield all ways to exchange some of the indices in pairs."""
    if not indices:
        yield {}
        return
    first, rest = indices[0], list(indices[1:])
    yield from exchanges(rest)
    for other in rest:
        for more in exchanges([i for i in rest if i != other]):
            yield {first: other, other: first, **more}


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
    return any(is_square(entries, {**start, **more}) for more in exchanges(bound))
