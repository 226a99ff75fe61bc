"""Atoms: what is not multiplied out any further."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Refused(Exception):
    """What the checker cannot confirm; the message says why."""


class TooLarge(Refused):
    """What would take too long to multiply out."""


@dataclass(frozen=True, order=True)
class Atom:
    """A factor: a symbol, an inverse, a function of something, a derivative.

    Parameters
    ----------
    key : a text that two atoms share if and only if they are the same, in any problem:
        networks are remembered by it.
    kind : "symbol", "entry" (of a symbol of literal size), "basis" (a unit vector),
        "size", "eye", "network" (a number: a product summed over all its indices),
        "inverse", "base" (of a power that is not multiplied out), "power" (the same
        with indices), "exp", "log", "det", "loss", "grad", "d", "cov".
    data : the name of a symbol, the network, what a derivative is of.
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


def tensor_atom(
    kind: str, data: Any, sizes: tuple[str, ...], symmetric: bool = False
) -> Atom:
    """Return a symbol or a covariance; its key tells its sizes, and its symmetry."""
    mark = "~" if symmetric else ""
    return Atom(f"{data}:{'×'.join(sizes)}{mark}", kind, data, sizes, symmetric)


def size_atom(name: str) -> Atom:
    """Return a size as a number."""
    return Atom(f"size {name}", "size", name)


def eye_atom(size: str) -> Atom:
    """Return the identity of a size."""
    return Atom(f"I({size})", "eye", size, (size, size), symmetric=True)


def basis_atom(place: int, size: str) -> Atom:
    """Return a unit vector of literal size."""
    return Atom(f"e{place}({size})", "basis", place, (size,))
