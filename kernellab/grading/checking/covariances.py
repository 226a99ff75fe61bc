"""Covariances: bilinear in the random symbols, whose own covariances stay closed."""

from __future__ import annotations

from collections.abc import Mapping

from kernellab.grading.checking.atoms import Atom, Refused, eye_atom, tensor_atom
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import (
    COLUMN,
    ROW,
    Product,
    Sum,
    add,
    all_atoms,
    multiplied_out,
    multiply,
    opened,
    rename,
    single,
    transpose,
)

Part = tuple[str, Sum]  # a random symbol, and what multiplies its entry $r
Declared = Mapping[tuple[str, str], Sum]


def covariance(
    names: Names, one: Sum, two: Sum, declared: Declared | None = None
) -> Sum:
    """Return cov(one, two): Σ x cov(u, v) yᵀ over the random symbols u and v.

    Parameters
    ----------
    declared : covariances that are put in; None leaves all of them closed.
    """
    total: Sum = {}
    for u, x in linear_parts(names, one):
        for v, y in linear_parts(names, two):
            between = rename(_between(names, u, v, declared), {ROW: "$r", COLUMN: "$c"})
            left = multiply(x, between, _running(names, u, "$r"))
            right = rename(y, {ROW: COLUMN, "$r": "$c"})
            total = add(total, multiply(left, right, _running(names, v, "$c")))
    return total


def _running(names: Names, name: str, index: str) -> dict[str, str]:
    size = names.table[name].shape[0]
    return {} if size == "1" else {index: size}


def linear_parts(names: Names, one: Sum) -> list[Part]:
    """Split into random symbols and their factors; what is not random drops out.

    Raises
    ------
    Refused
        If a term is not linear in the random symbols.
    """
    found = []
    for term, c in one.items():
        raw = opened(term, c, closed_too=True)
        count = sum(_mentions(names, atom) for atom, _ in raw.factors)
        count += sum(_mentions(names, atom) for atom in raw.powers)
        if count > 1:
            raise Refused("a covariance of something that is not linear")
        if count:
            found.append(_without_random(names, raw))
    return found


def _mentions(names: Names, atom: Atom) -> bool:
    """Return True if a random symbol occurs in an atom, at any depth."""
    inside = all_atoms(atom.inner) if atom.inner is not None else set()
    return any(_is_random(names, a) for a in {atom} | inside)


def _is_random(names: Names, atom: Atom) -> bool:
    if atom.kind == "entry":
        return names.is_random(atom.data[0])
    return atom.kind == "symbol" and names.is_random(atom.data)


def _without_random(names: Names, raw: Product) -> Part:
    """Take the random symbol out; its index becomes $r."""
    for place, (atom, indices) in enumerate(raw.factors):
        if _is_random(names, atom) and len(indices) == 1:
            raw.factors[place] = (eye_atom(atom.sizes[0]), (indices[0], "$r"))
            return atom.data, multiplied_out(raw)
    for atom, power in raw.powers.items():
        if _is_random(names, atom) and power == 1 and atom.kind == "symbol":
            del raw.powers[atom]
            return atom.data, multiplied_out(raw)
    raise Refused("a covariance of something that is not linear")


def _between(names: Names, u: str, v: str, declared: Declared | None) -> Sum:
    """Return cov(u, v) of two random symbols, rows for u and columns for v."""
    if declared is not None and (u, v) in declared:
        return declared[u, v]
    if declared is not None and (v, u) in declared:
        return transpose(declared[v, u])
    if u > v:
        return transpose(_between(names, v, u, None))
    sides = [(i, names.table[n].shape[0]) for i, n in ((ROW, u), (COLUMN, v))]
    at = {index: size for index, size in sides if size != "1"}
    same = u == v and len(at) == 2
    return single(tensor_atom("cov", (u, v), tuple(at.values()), same), *at)
