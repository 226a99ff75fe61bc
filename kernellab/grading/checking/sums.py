"""Sums: expressions multiplied out.

A sum maps terms to coefficients. A term is a product of powers of numbers and of
networks with free indices: 2·λ·K[row,#0]·a[#0] is {((λ, 1),), (((K, (row, #0)),
(a, (#0,))),): 2}. Free indices are "row" and "column" and the names that a student
gave; bound ones start with "#".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from kernellab.grading.checking.atoms import Atom, Refused, TooLarge, size_atom
from kernellab.grading.checking.labelling import (
    Factor,
    Network,
    canonical,
    is_bound,
    ordered,
)

Powers = tuple[tuple[Atom, Fraction], ...]
Term = tuple[Powers, tuple[Network, ...]]
Sum = dict[Term, Fraction]

ROW, COLUMN = "row", "column"
ONE: Term = ((), ())
MOST_TERMS = 4000


@dataclass
class Product:
    """A term in the making: its bound indices have sizes, and may still vanish."""

    coefficient: Fraction
    powers: dict[Atom, Fraction]
    factors: list[Factor]
    bound: dict[str, str]


# Making sums


def number(value: Fraction | int) -> Sum:
    """Return a number as a sum."""
    return {ONE: Fraction(value)} if value else {}


def single(atom: Atom, *indices: str, power: Fraction | int = 1) -> Sum:
    """Return one atom as a sum; a power is for numbers only."""
    powers = {} if atom.sizes else {atom: Fraction(power)}
    factors = [(atom, indices)] if atom.sizes else []
    return multiplied_out(Product(Fraction(1), powers, factors, {}))


def add(*sums: Sum) -> Sum:
    """Add, and leave out what cancels."""
    total: Sum = {}
    for one in sums:
        for term, c in one.items():
            total[term] = total.get(term, Fraction(0)) + c
    return {term: c for term, c in total.items() if c}


def scale(one: Sum, c: Fraction | int) -> Sum:
    """Multiply by a rational number."""
    return {term: c * d for term, d in one.items()} if c else {}


def subtract(one: Sum, two: Sum) -> Sum:
    """Return the difference."""
    return add(one, scale(two, -1))


def multiply(one: Sum, two: Sum, over: Mapping[str, str] | None = None) -> Sum:
    """Multiply entry by entry, then sum over some indices.

    Parameters
    ----------
    over : the indices to sum over, with their sizes.
    """
    if len(one) * len(two) > MOST_TERMS:
        raise TooLarge("an expression has too many terms")
    parts = []
    for left, c in one.items():
        for right, d in two.items():
            both = joined(opened(left, c, "l"), opened(right, d, "r"))
            parts.append(multiplied_out(summed(both, over or {})))
    return add(*parts)


def product(*sums: Sum) -> Sum:
    """Multiply several sums entry by entry."""
    return reduce(multiply, sums, number(1))


def sum_over(one: Sum, over: Mapping[str, str]) -> Sum:
    """Sum over free indices, with their sizes."""
    return multiply(number(1), one, over)


def rename(one: Sum, names: Mapping[str, str]) -> Sum:
    """Rename free indices, all at once; two of them may become one."""
    parts = []
    for term, c in one.items():
        raw = opened(term, c)
        raw.factors = [(a, tuple(names.get(i, i) for i in at)) for a, at in raw.factors]
        parts.append(multiplied_out(raw))
    return add(*parts)


def transpose(one: Sum) -> Sum:
    """Exchange rows and columns."""
    return rename(one, {ROW: COLUMN, COLUMN: ROW})


def free_indices(one: Sum) -> set[str]:
    """Return the free indices that occur."""
    found = {i for _, nets in one for net in nets for _, at in net for i in at}
    return {i for i in found if not is_bound(i)}


def atoms_of(one: Sum) -> set[Atom]:
    """Return the atoms that occur at the top, those of closed networks among them."""
    found = {atom for powers, _ in one for atom, _ in powers}
    found |= {atom for _, nets in one for net in nets for atom, _ in net}
    return found | {a for n in found if n.kind == "network" for a, _ in n.data}


def all_atoms(one: Sum) -> set[Atom]:
    """Return the atoms that occur at any depth."""
    found: set[Atom] = set()
    for atom in atoms_of(one):
        found.add(atom)
        if atom.inner is not None:
            found |= all_atoms(atom.inner)
    return found


def text(one: Sum) -> str:
    """Return a text that two sums share if and only if they are the same."""
    return " + ".join(sorted(f"{c}{_term_text(term)}" for term, c in one.items()))


def _term_text(term: Term) -> str:
    powers, nets = term
    shown = [f"({atom.key})^{power}" for atom, power in powers]
    return "·".join(["", *shown, *map(network_text, nets)])


def network_text(net: Network) -> str:
    """Return a network as text."""
    return "·".join(f"({atom.key})[{','.join(at)}]" for atom, at in net)


# Products in the making


def opened(
    term: Term, c: Fraction, mark: str = "", closed_too: bool = False
) -> Product:
    """Take a term apart, so that its factors can be exchanged.

    Parameters
    ----------
    mark : keeps the bound indices of several terms apart.
    closed_too : whether numbers that are networks are taken apart as well.
    """
    powers, nets = term
    kept, all_nets = dict(powers), list(nets)
    if closed_too:
        for atom, power in powers:
            if atom.kind == "network" and power.denominator == 1 and power > 0:
                del kept[atom]
                all_nets += [atom.data] * int(power)
    factors: list[Factor] = []
    bound: dict[str, str] = {}
    for k, net in enumerate(all_nets):
        for atom, indices in net:
            names = tuple(f"#{mark}{k}.{i}" if is_bound(i) else i for i in indices)
            factors.append((atom, names))
            bound |= {
                i: s for i, s in zip(names, atom.sizes, strict=True) if is_bound(i)
            }
    return Product(c, kept, factors, bound)


def joined(one: Product, two: Product) -> Product:
    """Multiply two products whose bound indices have different names."""
    powers = dict(one.powers)
    for atom, power in two.powers.items():
        powers[atom] = powers.get(atom, Fraction(0)) + power
    return Product(
        one.coefficient * two.coefficient,
        powers,
        one.factors + two.factors,
        one.bound | two.bound,
    )


def summed(raw: Product, over: Mapping[str, str]) -> Product:
    """Turn free indices into bound ones."""
    names = {index: f"#s.{index}" for index in over}
    factors = [(a, tuple(names.get(i, i) for i in at)) for a, at in raw.factors]
    bound = raw.bound | {names[index]: size for index, size in over.items()}
    return Product(raw.coefficient, raw.powers, factors, bound)


def multiplied_out(raw: Product) -> Sum:
    """Return the sum of a product: a normal form."""
    _check_sizes(raw)
    raw = _without_deltas(raw)
    if not _contract_basis(raw):
        return {}
    _merge_exponentials(raw)
    _count_empty_indices(raw)
    nets = _take_networks(raw)
    return _whole_powers(raw, nets)


def _check_sizes(raw: Product) -> None:
    known = dict(raw.bound)
    for atom, indices in raw.factors:
        if len(indices) != len(atom.sizes):
            raise Refused(f"{atom.key} has {len(atom.sizes)} indices")
        for index, size in zip(indices, atom.sizes, strict=True):
            if known.setdefault(index, size) != size:
                raise Refused(f"an index runs in {known[index]} and in {size}")


def _without_deltas(raw: Product) -> Product:
    """Put equal the indices of identities; one between free indices stays."""
    factors, bound, kept = list(raw.factors), dict(raw.bound), list[Factor]()
    while deltas := [f for f in factors if f[0].kind == "eye"]:
        delta, (i, j) = deltas[0]
        factors.remove(deltas[0])
        i, j = sorted((i, j), key=lambda index: (is_bound(index), index))
        if i == j:
            continue
        if not is_bound(j):
            kept.append((delta, (i, j)))
        bound.pop(j, None)
        factors = [(a, tuple(i if x == j else x for x in at)) for a, at in factors]
    return Product(raw.coefficient, dict(raw.powers), factors + kept, bound)


def _contract_basis(raw: Product) -> bool:
    """Multiply unit vectors; return False if two of them are orthogonal."""
    places: dict[str, Factor] = {}
    rest: list[Factor] = []
    for atom, indices in raw.factors:
        if atom.kind != "basis":
            rest.append((atom, indices))
        elif places.setdefault(indices[0], (atom, indices))[0] != atom:
            return False
    if any(i in places for _, at in rest for i in at):
        raise Refused("a tensor of literal size is not written out")
    raw.factors = rest + [f for index, f in places.items() if not is_bound(index)]
    raw.bound = {i: size for i, size in raw.bound.items() if i not in places}
    return True


def _merge_exponentials(raw: Product) -> None:
    """Add the exponents of exponentials with the same indices."""
    exponents: dict[tuple[Atom, tuple[str, ...]], Fraction] = {}
    rest: list[Factor] = []
    for atom, indices in raw.factors:
        if atom.kind == "exp":
            base, power = atom.data
            key = (base, indices)
            exponents[key] = exponents.get(key, Fraction(0)) + power
        else:
            rest.append((atom, indices))
    merged = [(indexed_exp(base, p), at) for (base, at), p in exponents.items() if p]
    raw.factors = rest + merged


def indexed_exp(base: Atom, power: Fraction) -> Atom:
    """Return exp(power · x) for a term x with indices; `base` is exp(x)."""
    return Atom(
        f"{base.key}^{power}", "exp", (base, power), base.sizes, inner=base.inner
    )


def _count_empty_indices(raw: Product) -> None:
    """Replace the sum over an index that does not occur by its size."""
    seen = {i for _, at in raw.factors for i in at}
    for index, size in list(raw.bound.items()):
        if index in seen:
            continue
        del raw.bound[index]
        if size.isdigit():
            raw.coefficient *= int(size)
        else:
            atom = size_atom(size)
            raw.powers[atom] = raw.powers.get(atom, Fraction(0)) + 1


def _take_networks(raw: Product) -> tuple[Network, ...]:
    """Return the networks with free indices; the closed ones become numbers."""
    kept = []
    for part in _connected(raw.factors):
        net = canonical(tuple(sorted(ordered(*factor) for factor in part)))
        if all(is_bound(i) for _, at in net for i in at):
            atom = Atom(f"[{network_text(net)}]", "network", net)
            raw.powers[atom] = raw.powers.get(atom, Fraction(0)) + 1
        else:
            kept.append(net)
    return tuple(sorted(kept))


def _connected(factors: Iterable[Factor]) -> list[list[Factor]]:
    """Split a product into parts that share no bound index."""
    parts: list[tuple[set[str], list[Factor]]] = []
    for factor in factors:
        bound = {i for i in factor[1] if is_bound(i)}
        touching = [part for part in parts if part[0] & bound]
        parts = [part for part in parts if not part[0] & bound]
        indices = bound.union(*(part[0] for part in touching))
        members = [f for part in touching for f in part[1]]
        parts.append((indices, [*members, factor]))
    return [members for _, members in parts]


def _whole_powers(raw: Product, nets: tuple[Network, ...]) -> Sum:
    """Multiply out whole positive powers of sums, which only others leave alone."""
    whole: list[Sum] = []
    for atom, power in list(raw.powers.items()):
        if atom.kind == "base" and power >= 1:
            steps = power.numerator // power.denominator
            raw.powers[atom] = power - steps
            whole += [atom.inner] * steps
    powers = tuple(sorted((a, p) for a, p in raw.powers.items() if p))
    start: Sum = {(powers, nets): raw.coefficient} if raw.coefficient else {}
    return reduce(multiply, whole, start)
