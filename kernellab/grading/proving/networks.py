"""Polynomials of tensor networks: the normal form of every expression.

A number, a column or a matrix becomes a sum of terms with rational coefficients. A term
is a product of powers of numbers and of connected networks; a network is a set of
atoms joined by indices. The entry (i, j) of K Φ is the network ``K[i,0] Phi[0,j]``
with the bound index 0. Transposition, cyclic traces, sums over indices and Hadamard
products need no rules of their own: they are the same network, however written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any, TypeVar

from kernellab.grading.language.tree import NUMBER, Expr, Shape, sym
from kernellab.grading.proving.labelling import Factor, Network, numbered, separated
from kernellab.grading.proving.rationals import Rational, add_to, whole
from kernellab.grading.work import Work

ROW, COLUMN = -1, -2

Powers = tuple[tuple[int, Rational], ...]
Term = tuple[Powers, tuple[Network, ...]]
Poly = dict[Term, Rational]
Bound = dict[int, str]  # bound indices with their sizes

T = TypeVar("T")

ONE: Term = ((), ())
MAX_TERMS = 1500
MOST_POWER = 64  # of a closed network, when it is written out


class Untranslatable(Exception):
    """An expression that has no normal form here."""


class TooLarge(Untranslatable):
    """An expression has too many terms to be multiplied out."""


@dataclass(frozen=True)
class Atom:
    """Something that is not taken apart.

    Parameters
    ----------
    id : its number in the algebra.
    kind : "symbol", "size", "eye", "basis", "entry", "net", "inverse", "power",
        "function", "det", "grad", "d" or "cov".
    data : what distinguishes it among its kind.
    sizes : the sizes of its indices.
    positive, nonneg : what is known of its sign, if it is a number.
    tree : the atom as an expression.
    inner : the polynomial inside an inverse, a power or a function.
    """

    id: int
    kind: str
    data: Any
    sizes: tuple[str, ...] = ()
    positive: bool = False
    nonneg: bool = False
    tree: Expr | None = None
    inner: Poly | None = field(default=None, compare=False)


@dataclass(slots=True)
class Raw:
    """A term under construction: its factors with indices that may still be joined."""

    coefficient: Rational
    powers: dict[int, Rational]
    factors: list[Factor]
    bound: Bound


class Algebra:
    """The atoms of one derivation, and the arithmetic of their polynomials."""

    def __init__(self) -> None:
        self.work = Work()
        self.atoms: list[Atom] = []
        self.numbers: dict[Any, int] = {}
        self.symmetric: frozenset[int] = frozenset()
        self.names: dict[str, int] = {}
        self.labels: dict[Network, tuple[list[int], tuple[Network, ...]]] = {}
        self.contracting: set[int] = set()  # identities and basis vectors
        self.compound: set[int] = set()  # powers and functions
        self.kept: dict[object, Any] = {}  # what is computed once for a derivation
        self.next_bound = 0
        self.nonzero: set[int] = set()  # numbers known not to be 0, such as wᵀw = s

    # Atoms and indices

    def atom(
        self, kind: str, data: Any, *, symmetric: bool = False, **more: Any
    ) -> int:
        """Return the number of an atom, which is made when first asked for."""
        key = (kind, data, more.get("sizes", ()))
        if key not in self.numbers:
            self.numbers[key] = len(self.atoms)
            self.atoms.append(Atom(len(self.atoms), kind, data, **more))
            if symmetric:
                self.symmetric |= {self.numbers[key]}
            if kind in ("eye", "basis"):
                self.contracting.add(self.numbers[key])
            elif kind in ("power", "function"):
                self.compound.add(self.numbers[key])
        return self.numbers[key]

    def index(self, name: str) -> int:
        """Return the free index of a name, as in a[n]."""
        return self.names.setdefault(name, -3 - len(self.names))

    def fresh(self) -> int:
        """Return a bound index that is used nowhere else."""
        self.next_bound += 1
        return self.next_bound

    def once(self, key: object, made: Callable[[], T]) -> T:
        """Return what is made once for a derivation."""
        if key not in self.kept:
            self.kept[key] = made()
        found: T = self.kept[key]
        return found

    def kind(self, atom: int) -> str:
        return self.atoms[atom].kind

    def inner(self, atom: int) -> Poly:
        """Return the polynomial inside an inverse, a power, a function."""
        return self.atoms[atom].inner or {}

    # Polynomials

    def number(self, value: Rational) -> Poly:
        return {ONE: whole(value)} if value else {}

    def single(self, atom: int, indices: tuple[int, ...] = ()) -> Poly:
        """Return the polynomial of one atom with free indices."""
        if not indices:
            return {(((atom, 1),), ()): 1}
        raw = Raw(1, {}, [(atom, indices)], {})
        return self.once((atom, indices), lambda: self.closed(raw))

    def add(self, *polys: Poly) -> Poly:
        total = dict(polys[0]) if polys else {}
        for poly in polys[1:]:
            add_to(total, poly)
        self.work.do(sum(map(len, polys)))
        return total

    def scale(self, poly: Poly, by: Rational) -> Poly:
        return {term: c * by for term, c in poly.items()} if by else {}

    def subtract(self, left: Poly, right: Poly) -> Poly:
        return self.add(left, self.scale(right, -1))

    def multiply(
        self, left: Poly, right: Poly, summed: Mapping[int, str] | None = None
    ) -> Poly:
        """Multiply entry by entry; sum over free indices, which have sizes."""
        for one, two in ((left, right), (right, left)):
            if not summed and len(two) == 1 and ONE in two:
                return self.scale(one, two[ONE])
        names, bound = self._bound(summed or {})
        return self._products(left, right, names, names, bound)

    def matmul(self, left: Poly, right: Poly, size: str) -> Poly:
        """Return the matrix product: left columns meet right rows, and are summed."""
        if size == "1":
            return self.multiply(left, right)
        joint = self.fresh()
        return self._products(left, right, {COLUMN: joint}, {ROW: joint}, {joint: size})

    def _bound(self, summed: Mapping[int, str]) -> tuple[dict[int, int], Bound]:
        """Return bound names for free indices, and the sizes of the new names."""
        names = {index: self.fresh() for index in summed}
        return names, {names[i]: size for i, size in summed.items()}

    def _products(
        self,
        left: Poly,
        right: Poly,
        names: Mapping[int, int],
        others: Mapping[int, int],
        bound: Bound,
    ) -> Poly:
        """Multiply all terms, with indices renamed and summed on the way."""
        if len(left) * len(right) > MAX_TERMS:
            raise TooLarge(f"{len(left)} times {len(right)} terms")
        ones = [_renamed(self.opened(a, x), names, bound) for a, x in left.items()]
        twos = [_renamed(self.opened(b, y), others) for b, y in right.items()]
        return self.collected(self.joined(one, two) for one in ones for two in twos)

    def sum_over(self, poly: Poly, indices: Mapping[int, str]) -> Poly:
        """Sum over free indices."""
        return self.renamed(poly, *self._bound(indices))

    def renamed(
        self, poly: Poly, names: Mapping[int, int], bound: Bound | None = None
    ) -> Poly:
        """Rename free indices, and sum over some."""
        if not bound and all(a == b for a, b in names.items()):
            return poly
        raws = (self.opened(term, c) for term, c in poly.items())
        return self.collected(_renamed(raw, names, bound) for raw in raws)

    def transposed(self, poly: Poly) -> Poly:
        return self.renamed(poly, {ROW: COLUMN, COLUMN: ROW})

    def free(self, poly: Poly) -> set[int]:
        """Return the free indices that occur."""
        return {
            i for _, nets in poly for net in nets for _, at in net for i in at if i < 0
        }

    # Terms, opened for work and closed again

    def opened(self, term: Term, coefficient: Rational, nets: bool = False) -> Raw:
        """Return the factors of a term with bound indices that are its own.

        With `nets`, powers of closed networks are written as factors too.
        """
        powers, networks = dict(term[0]), list(term[1])
        if nets:
            for atom, power in term[0]:
                if self.kind(atom) == "net" and power.denominator == 1 and power > 0:
                    if power > MOST_POWER:
                        raise TooLarge(f"a power of {power}")
                    del powers[atom]
                    networks += [self.atoms[atom].data] * int(power)
        factors: list[Factor] = []
        bound: Bound = {}
        for network in networks:
            start = self.next_bound + 1
            for atom, indices in network:
                at = tuple([i + start if i >= 0 else i for i in indices])
                bound.update(zip(at, self.atoms[atom].sizes, strict=True))
                factors.append((atom, at))
            self.next_bound = max(self.next_bound, *bound)
        bound = {index: size for index, size in bound.items() if index >= 0}
        return Raw(coefficient, powers, factors, bound)

    def joined(self, one: Raw, two: Raw) -> Raw:
        """Return the product of two terms that share no bound index by accident."""
        powers = dict(one.powers)
        for atom, power in two.powers.items():
            powers[atom] = powers.get(atom, 0) + power
        c = one.coefficient * two.coefficient
        return Raw(c, powers, one.factors + two.factors, one.bound | two.bound)

    def collected(self, raws: Iterable[Raw]) -> Poly:
        """Close terms and add them up."""
        total: Poly = {}
        units = 0
        for raw in raws:
            add_to(total, self.closed(raw))
            units += 8 + 2 * len(raw.factors)
        self.work.do(units)
        if len(total) > MAX_TERMS:
            raise TooLarge(f"{len(total)} terms")
        return total

    def closed(self, raw: Raw) -> Poly:
        """Return the normal form of a term: contracted, and its networks labelled."""
        if not self.contracting.isdisjoint([atom for atom, _ in raw.factors]):
            if (contracted := self._contracted(raw)) is None:
                return {}
            raw = contracted
        key, names = numbered(raw.factors)
        if key not in self.labels:
            self.labels[key] = self._labelled(key)
        numbers, networks = self.labels[key]
        c, powers = raw.coefficient, raw.powers
        if len(raw.bound) > len(names):  # an index runs over nothing
            sizes = [raw.bound[index] for index in raw.bound.keys() - names.keys()]
            c *= prod(int(size) for size in sizes if size.isdigit())
            numbers = [*numbers, *(self.size(s) for s in sizes if not s.isdigit())]
        if numbers:
            powers = dict(powers)
            for atom in numbers:
                powers[atom] = powers.get(atom, 0) + 1
        if 0 in powers.values():
            powers = {atom: power for atom, power in powers.items() if power}
        if not self.compound.isdisjoint(powers):
            return self._merged(c, powers, networks)
        return {(tuple(sorted(powers.items())), networks): c}

    def _labelled(self, key: Network) -> tuple[list[int], tuple[Network, ...]]:
        """Return the numbers and the networks with free indices of a product."""
        self.work.do(10 + 4 * len(key))
        numbers, networks = [], []
        for network in separated(key, self.symmetric):
            if any(i < 0 for _, at in network for i in at):
                networks.append(network)
            elif len(network) == 1 and not network[0][1]:
                numbers.append(network[0][0])
            else:
                numbers.append(self.atom("net", network))
        return numbers, tuple(sorted(networks))

    def _contracted(self, raw: Raw) -> Raw | None:
        """Eliminate identities and basis vectors; None if the term is 0.

        δ_ij makes i and j one index; e₀·e₀ = 1 and e₀·e₁ = 0.
        """
        names: dict[int, int] = {}
        places: dict[int, int] = {}
        rest: list[Factor] = []
        bound = dict(raw.bound)

        def last(index: int) -> int:
            return last(names[index]) if index in names else index

        for atom, at in raw.factors:
            if self.kind(atom) == "eye":
                i, j = map(last, at)
                gone, kept = (i, j) if i >= 0 else (j, i)
                if gone < 0 and i != j:
                    rest.append((atom, (i, j)))
                elif i != j:
                    names[gone] = kept
                    bound.pop(gone, None)
        for atom, at in raw.factors:
            at = tuple(map(last, at))
            if self.kind(atom) == "basis":
                if places.setdefault(at[0], atom) != atom:
                    return None
            elif self.kind(atom) != "eye":
                rest.append((atom, at))
        for index, atom in places.items():
            bound.pop(index, None)
            if index < 0:
                rest.append((atom, (index,)))
        return Raw(raw.coefficient, raw.powers, rest, bound)

    def size(self, name: str) -> int:
        """Return the atom of a size, a positive number."""
        tree = sym(name, NUMBER)
        return self.atom("size", name, positive=True, nonneg=True, tree=tree)

    # Powers and exponentials

    def _merged(
        self, c: Rational, powers: dict[int, Rational], tail: tuple[Network, ...]
    ) -> Poly:
        """Merge exponentials, and multiply out whole powers of polynomials."""
        exponent: Poly = {}
        bases: list[Poly] = []
        powers = dict(powers)
        for atom in self.compound & powers.keys():
            known, power = self.atoms[atom], powers[atom]
            if known.kind == "function" and known.data[0] == "exp":
                exponent = self.add(exponent, self.scale(self.inner(atom), power))
                del powers[atom]
            elif known.kind == "power" and power >= 1:
                bases += [self.inner(atom)] * int(power)
                powers[atom] -= int(power)
        powers = {atom: power for atom, power in powers.items() if power}
        if exponent:
            powers[self.function("exp", exponent)] = 1
        poly: Poly = {(tuple(sorted(powers.items())), tail): c}
        for base in bases:
            poly = self.multiply(poly, base)
        return poly

    def function(self, name: str, inner: Poly, of: Shape = NUMBER, **more: Any) -> int:
        """Return the atom of a function of a number, perhaps one for each index.

        Parameters
        ----------
        of : the shape of its argument, if that is no number.
        """
        key, sign = (name, frozenset(inner.items()), of), name == "exp"
        return self.atom(
            "function", key, inner=inner, positive=sign, nonneg=sign, **more
        )

    def monic(self, poly: Poly) -> tuple[Rational, Poly]:
        """Return the leading coefficient, and the polynomial divided by it."""
        c = poly[min(poly)]
        return c, self.scale(poly, whole(Fraction(1) / c))


def _renamed(raw: Raw, names: Mapping[int, int], bound: Bound | None = None) -> Raw:
    """Rename indices of a term under construction, and sum over some."""
    if names:
        new = names.get
        raw.factors = [(a, tuple([new(i, i) for i in at])) for a, at in raw.factors]
    if bound:
        raw.bound.update(bound)
    return raw
