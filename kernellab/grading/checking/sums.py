"""Sums of products of entries: what every expression is multiplied out to.

A term is a product of powers of numbers and of entries of tensors, such as
λ²·K[row,#0]·a[#0]; a sum maps terms to rational coefficients. Free indices are "row",
"column" and the names that a student gave; what begins with "#" is summed over. Two
sums are equal, for all sizes and values, if their normal forms are: identities and unit
vectors are contracted, and the summed indices are numbered in one way only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain, count
from math import prod

from kernellab.grading.checking.labelling import (
    Atom,
    Factor,
    Refused,
    is_bound,
    key,
    labelled,
    replaced,
    spend,
)

ROW, COLUMN = "row", "column"
MOST_TERMS = 4000  # of one product
MOST_BITS = 4000  # of a coefficient
_FRESH = count()

Powers = dict[Atom, Fraction]
Term = tuple[tuple[tuple[Atom, Fraction], ...], tuple[Factor, ...]]


class Sum:
    """A sum of terms, with the arithmetic of tensors written in indices."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, terms: Mapping[Term, Fraction]) -> None:
        self.terms = {term: c for term, c in terms.items() if c}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and self.terms == other.terms

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Sum) -> Sum:
        return total((self, other))

    def __sub__(self, other: Sum) -> Sum:
        return total((self, -other))

    def __neg__(self) -> Sum:
        return self.scaled(-1)

    def __mul__(self, other: Sum) -> Sum:
        return self.times(other, {})

    def scaled(self, c: Fraction | int) -> Sum:
        """Multiply by a rational number."""
        return Sum({term: c * d for term, d in self.terms.items()})

    def times(self, other: Sum, over: Mapping[str, str]) -> Sum:
        """Multiply entry by entry, then sum over some indices of given sizes."""
        if len(self.terms) * len(other.terms) > MOST_TERMS:
            raise Refused("an expression has too many terms to be multiplied out")
        parts = []
        for left, c in self.terms.items():
            for right, d in other.terms.items():
                (powers, one), (more, two) = opened(left), opened(right)
                for atom, power in more.items():
                    powers[atom] = powers.get(atom, Fraction(0)) + power
                parts.append(normal(c * d, powers, one + two, over))
        return total(parts)

    def over(self, sizes: Mapping[str, str]) -> Sum:
        """Sum over free indices of given sizes."""
        return number(1).times(self, sizes)

    def matmul(self, other: Sum, size: str) -> Sum:
        """Multiply matrices: sum over the columns of one and the rows of the other."""
        left, right = self.renamed({COLUMN: "$"}), other.renamed({ROW: "$"})
        return left.times(right, {"$": size})

    def renamed(self, names: Mapping[str, str]) -> Sum:
        """Rename free indices, all at once; two of them may become one."""
        parts = []
        for term, c in self.terms.items():
            powers, factors = opened(term)
            parts.append(normal(c, powers, replaced(factors, names)))
        return total(parts)

    def ratio(self, other: Sum) -> Fraction:
        """Return the number c ≠ 0 with self = c·other; 0 if there is none."""
        term = next(iter(other.terms), None)
        if term not in self.terms:
            return Fraction(0)
        c = self.terms[term] / other.terms[term]
        return c if other.scaled(c) == self else Fraction(0)

    @property
    def T(self) -> Sum:
        """The transpose."""
        return self.renamed({ROW: COLUMN, COLUMN: ROW})

    @property
    def free(self) -> dict[str, str]:
        """The free indices that occur, with their sizes."""
        found = chain(*(index_sizes(factors).items() for _, factors in self.terms))
        return dict(sorted((i, size) for i, size in found if not is_bound(i)))

    @property
    def text(self) -> str:
        """A text that two sums share if and only if they are the same."""
        shown = []
        for (powers, factors), c in self.terms.items():
            numbers = [f"({atom.key})^{p}" for atom, p in powers]
            shown.append("·".join([str(c), *numbers, key(factors)]))
        return " + ".join(sorted(shown))

    def atoms(self) -> set[Atom]:
        """Return the atoms at any depth."""
        found = {a for p, f in self.terms for a in chain(dict(p), (x for x, _ in f))}
        found |= {a for net in found if net.kind == "net" for a, _ in net.data}
        inner = [atom.inner.atoms() for atom in found if atom.inner is not None]
        return found.union(*inner)


def number(value: Fraction | int) -> Sum:
    """Return a number as a sum."""
    return Sum({((), ()): Fraction(value)})


def power_of(atom: Atom, exponent: Fraction | int = 1) -> Sum:
    """Return a power of a number that is an atom."""
    return Sum({(((atom, Fraction(exponent)),), ()): Fraction(1)})


def single(atom: Atom, *indices: str) -> Sum:
    """Return one atom as a sum; its indices are $0 and $1 if they have no names."""
    at = indices or tuple(f"${k}" for k, _ in enumerate(atom.sizes))
    return normal(Fraction(1), {}, [(atom, at)]) if atom.sizes else power_of(atom)


def total(parts: Iterable[Sum]) -> Sum:
    """Add several sums."""
    found: dict[Term, Fraction] = defaultdict(Fraction)
    for one in parts:
        for term, c in one.terms.items():
            found[term] += c
    return Sum(found)


def eye(size: str) -> Atom:
    """Return the identity of a size."""
    return Atom(f"I({size})", "eye", size, (size, size), symmetric=True)


def unit(place: int, size: str) -> Atom:
    """Return a unit vector of literal size."""
    return Atom(f"e{place}({size})", "unit", place, (size,))


def size_atom(name: str) -> Atom:
    """Return a size as a number."""
    return Atom(f"size {name}", "size", name)


# Terms in the making


def opened(term: Term, nets: bool = False) -> tuple[Powers, list[Factor]]:
    """Take a term apart, with fresh names for the indices that are summed over.

    Parameters
    ----------
    nets : whether numbers that are products of entries are taken apart as well.
    """
    powers, parts = dict(term[0]), [term[1]]
    for atom, power in term[0] if nets else ():
        if atom.kind == "net" and power.denominator == 1 and power > 0:
            parts += [atom.data] * int(powers.pop(atom))
    factors: list[Factor] = []
    for part in parts:
        fresh = {i: f"#{next(_FRESH)}" for _, at in part for i in at if is_bound(i)}
        factors += replaced(part, fresh)
    return powers, factors


def index_sizes(factors: Iterable[Factor]) -> dict[str, str]:
    """Return the sizes of all indices of a product, which must agree."""
    sizes: dict[str, str] = {}
    for atom, at in factors:
        for index, size in zip(at, atom.sizes, strict=True):
            if sizes.setdefault(index, size) != size:
                raise Refused(f"an index runs in {sizes[index]} and in {size}")
    return sizes


def normal(
    c: Fraction,
    powers: Powers,
    factors: Iterable[Factor],
    over: Mapping[str, str] | None = None,
) -> Sum:
    """Return the normal form of c × powers × factors, summed over some indices."""
    spend(1)
    if max(c.numerator.bit_length(), c.denominator.bit_length()) > MOST_BITS:
        raise Refused("a coefficient is too large")
    names = {index: f"#{next(_FRESH)}" for index in over or {}}
    product = replaced(factors, names)
    summed = {names[index]: size for index, size in (over or {}).items()}
    sizes = index_sizes(product)
    if any(sizes.get(index, size) != size for index, size in summed.items()):
        raise Refused("an index is summed over another range than its own")
    product, gone = _without_deltas(product)
    kept = _without_units(product)
    if kept is None:
        return Sum({})
    gone |= {i for _, at in product for i in at}
    powers = dict(powers)
    for size in (
        s for i, s in (sizes | summed).items() if is_bound(i) and i not in gone
    ):
        if size.isdigit():
            c *= int(size)
        else:
            powers[size_atom(size)] = powers.get(size_atom(size), Fraction(0)) + 1
    return _multiplied_out(c, powers, _numbers_apart(kept, powers))


def _without_deltas(factors: list[Factor]) -> tuple[list[Factor], set[str]]:
    """Put the indices of identities equal; one between two free indices stays."""
    kept: list[Factor] = []
    gone: set[str] = set()
    while deltas := [factor for factor in factors if factor[0].kind == "eye"]:
        factors.remove(deltas[0])
        i, j = sorted(deltas[0][1], key=lambda index: (is_bound(index), index))
        if is_bound(j) and i != j:
            gone.add(j)
        elif i != j:
            kept.append((deltas[0][0], (i, j)))
        factors = replaced(factors, {j: i})
    return factors + kept, gone


def _without_units(factors: list[Factor]) -> list[Factor] | None:
    """Multiply unit vectors; return None if two of them are orthogonal."""
    units: dict[str, Factor] = {}
    rest = [factor for factor in factors if factor[0].kind != "unit"]
    for atom, at in (factor for factor in factors if factor[0].kind == "unit"):
        if units.setdefault(at[0], (atom, at))[0] != atom:
            return None
    if any(i in units for _, at in rest for i in at):
        raise Refused("a tensor of literal size is not written out")
    return rest + [f for index, f in units.items() if not is_bound(index)]


def _numbers_apart(factors: list[Factor], powers: Powers) -> tuple[Factor, ...]:
    """Split into parts that share no summed index; closed ones become numbers."""
    parts: list[tuple[set[str], list[Factor]]] = []
    for factor in factors:
        bound, members = {i for i in factor[1] if is_bound(i)}, [factor]
        for part in [part for part in parts if part[0] & bound]:
            parts.remove(part)
            bound, members = bound | part[0], part[1] + members
        parts.append((bound, members))
    found = []
    for net in (labelled(members) for _, members in parts):
        if all(is_bound(i) for _, at in net for i in at):
            atom = Atom(f"[{key(net)}]", "net", net)
            powers[atom] = powers.get(atom, Fraction(0)) + 1
        else:
            found.append(net)
    return tuple(
        (atom, tuple(f"#{k}.{i[1:]}" if is_bound(i) else i for i in at))
        for k, net in enumerate(sorted(found))
        for atom, at in net
    )


def _multiplied_out(c: Fraction, powers: Powers, factors: tuple[Factor, ...]) -> Sum:
    """Multiply out whole positive powers of sums."""
    whole: list[Sum] = []
    for atom, power in powers.items():
        if atom.kind == "base" and power >= 1:
            whole += [atom.inner] * int(power)
            powers = {**powers, atom: power - int(power)}
    left = tuple(sorted((a, p) for a, p in powers.items() if p))
    return prod(whole, start=Sum({(left, factors): c}))
