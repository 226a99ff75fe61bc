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
from math import isqrt
from typing import Any

from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.labelling import Factor, Network, canonical

ROW, COLUMN = -1, -2

Rational = int | Fraction  # a whole number is an int, which is quicker
Powers = tuple[tuple[int, Rational], ...]
Term = tuple[Powers, tuple[Network, ...]]
Poly = dict[Term, Rational]

ONE: Term = ((), ())
MAX_TERMS = 1500


class TooLarge(Exception):
    """An expression has too many terms to be multiplied out."""


class Untranslatable(Exception):
    """An expression that has no normal form here."""


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


@dataclass
class Raw:
    """A term under construction: its factors with indices that may still be joined."""

    coefficient: Rational
    powers: dict[int, Rational]
    factors: list[tuple[int, tuple[int, ...]]]
    bound: dict[int, str]


class Algebra:
    """The atoms of one derivation, and the arithmetic of their polynomials."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.numbers: dict[Any, int] = {}
        self.symmetric: frozenset[int] = frozenset()
        self.names: dict[str, int] = {}
        self.labels: dict[tuple[Factor, ...], Network] = {}
        self.singles: dict[Factor, Poly] = {}
        self.contracting: set[int] = set()  # identities and basis vectors
        self.patterns: dict[int, tuple[Poly, list[Raw]]] = {}
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
        return self.numbers[key]

    def index(self, name: str) -> int:
        """Return the free index of a name, as in a[n]."""
        return self.names.setdefault(name, -3 - len(self.names))

    def fresh(self) -> int:
        """Return a bound index that is used nowhere else."""
        self.next_bound += 1
        return self.next_bound

    def kind(self, atom: int) -> str:
        return self.atoms[atom].kind

    # Polynomials

    def number(self, value: Rational) -> Poly:
        return {ONE: whole(value)} if value else {}

    def single(self, atom: int, indices: tuple[int, ...] = ()) -> Poly:
        """Return the polynomial of one atom with free indices."""
        if not indices:
            return {(((atom, 1),), ()): 1}
        key = (atom, indices)
        if key not in self.singles:
            self.singles[key] = self.closed(Raw(1, {}, [(atom, indices)], {}))
        return self.singles[key]

    def add(self, *polys: Poly) -> Poly:
        total: Poly = {}
        for poly in polys:
            for term, c in poly.items():
                value = total.get(term, 0) + c
                if value:
                    total[term] = value
                else:
                    total.pop(term, None)
        return total

    def scale(self, poly: Poly, by: Rational) -> Poly:
        return {term: c * by for term, c in poly.items()} if by else {}

    def subtract(self, left: Poly, right: Poly) -> Poly:
        return self.add(left, self.scale(right, -1))

    def multiply(
        self, left: Poly, right: Poly, summed: Mapping[int, str] | None = None
    ) -> Poly:
        """Multiply entry by entry, and sum over some indices of the product.

        Parameters
        ----------
        summed : free index → the size over which it runs.
        """
        if not summed and len(right) == 1 and ONE in right:
            return self.scale(left, right[ONE])
        if not summed and len(left) == 1 and ONE in left:
            return self.scale(right, left[ONE])
        return self._products(left, right, {}, {}, summed or {})

    def contracted(self, left: Poly, right: Poly, size: str) -> Poly:
        """Return the matrix product: left columns meet right rows, and are summed."""
        joint = self.fresh()
        return self._products(left, right, {COLUMN: joint}, {ROW: joint}, {joint: size})

    def _products(
        self,
        left: Poly,
        right: Poly,
        names: Mapping[int, int],
        others: Mapping[int, int],
        summed: Mapping[int, str],
    ) -> Poly:
        """Multiply all terms, with indices renamed and summed on the way."""
        if len(left) * len(right) > MAX_TERMS:
            raise TooLarge(f"{len(left)} times {len(right)} terms")
        ones = [_renamed(self.opened(a, x), names) for a, x in left.items()]
        twos = [(b, y) for b, y in right.items()]
        raws = [
            self.joined(one, _renamed(self.opened(b, y), others))
            for one in ones
            for b, y in twos
        ]
        if names:
            for raw in raws:
                raw.bound.update(summed)
            return self.collected(raws)
        return self.summed(raws, summed)

    def sum_over(self, poly: Poly, indices: Mapping[int, str]) -> Poly:
        """Sum over free indices."""
        return self.summed([self.opened(t, c) for t, c in poly.items()], indices)

    def summed(self, raws: Iterable[Raw], indices: Mapping[int, str]) -> Poly:
        if not indices:
            return self.collected(raws)
        found = []
        for raw in raws:
            names = {index: self.fresh() for index in indices}
            factors = [
                (atom, tuple(names.get(i, i) for i in at)) for atom, at in raw.factors
            ]
            bound = {**raw.bound, **{names[i]: size for i, size in indices.items()}}
            found.append(Raw(raw.coefficient, raw.powers, factors, bound))
        return self.collected(found)

    def renamed(self, poly: Poly, names: Mapping[int, int]) -> Poly:
        """Rename free indices."""
        if all(a == b for a, b in names.items()):
            return poly
        found = []
        for term, c in poly.items():
            found.append(_renamed(self.opened(term, c), names))
        return self.collected(found)

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

        Parameters
        ----------
        nets : whether powers of closed networks are written as factors too.
        """
        powers, networks = dict(term[0]), list(term[1])
        if nets:
            for atom, power in term[0]:
                if self.kind(atom) == "net" and power.denominator == 1 and power > 0:
                    del powers[atom]
                    networks += [self.atoms[atom].data] * int(power)
        factors, bound = [], {}
        for network in networks:
            names: dict[int, int] = {}
            for atom, indices in network:
                sizes = self.atoms[atom].sizes
                for i, size in zip(indices, sizes, strict=True):
                    if i >= 0 and i not in names:
                        names[i] = self.fresh()
                        bound[names[i]] = size
                factors.append((atom, tuple(names.get(i, i) for i in indices)))
        return Raw(coefficient, powers, factors, bound)

    def joined(self, one: Raw, two: Raw) -> Raw:
        powers = dict(one.powers)
        for atom, power in two.powers.items():
            powers[atom] = powers.get(atom, 0) + power
        return Raw(
            one.coefficient * two.coefficient,
            powers,
            one.factors + two.factors,
            {**one.bound, **two.bound},
        )

    def collected(self, raws: Iterable[Raw]) -> Poly:
        """Close terms and add them up."""
        total: Poly = {}
        for raw in raws:
            for term, c in self.closed(raw).items():
                value = total.get(term, 0) + c
                if value:
                    total[term] = value
                else:
                    total.pop(term, None)
        if len(total) > MAX_TERMS:
            raise TooLarge(f"{len(total)} terms")
        return total

    def closed(self, raw: Raw) -> Poly:
        """Return the normal form of a term: contracted, and its networks labelled."""
        contracted = self._contracted(raw)
        if contracted is None:
            return {}
        c, powers, factors = contracted
        networks = []
        for part in _components(factors):
            network = self._labelled(part)
            if any(i < 0 for _, at in network for i in at):
                networks.append(network)
            else:
                net = self._net(network)
                powers[net] = powers.get(net, 0) + 1
        powers = {atom: power for atom, power in powers.items() if power}
        tail = tuple(sorted(networks))
        if any(self.kind(a) in ("power", "function") for a in powers):
            return self._merged(c, powers, tail)
        return {(tuple(sorted(powers.items())), tail): c}

    def _net(self, network: Network) -> int:
        if len(network) == 1 and not network[0][1]:
            return network[0][0]
        return self.atom("net", network, nonneg=False)

    def _labelled(self, part: list[Factor]) -> Network:
        names: dict[int, int] = {}
        plain = tuple(
            (atom, tuple(names.setdefault(i, len(names)) if i >= 0 else i for i in at))
            for atom, at in sorted(part)
        )
        if plain not in self.labels:
            self.labels[plain] = canonical(plain, self.symmetric)
        return self.labels[plain]

    def _contracted(
        self, raw: Raw
    ) -> tuple[Rational, dict[int, Rational], list[Factor]] | None:
        """Eliminate identities and basis vectors; None if the term is 0."""
        factors, bound = list(raw.factors), dict(raw.bound)
        c, powers = raw.coefficient, dict(raw.powers)
        special = any(a in self.contracting for a, _ in factors)
        while special:
            place = next(
                (
                    k for k, (a, at) in enumerate(factors)
                    if self.kind(a) == "eye" and (at[0] == at[1] or max(at) >= 0)
                ),
                None,
            )  # fmt: skip
            if place is None:
                break
            (_, (i, j)) = factors.pop(place)
            gone, kept = (i, j) if i >= 0 else (j, i)
            if gone != kept:
                bound.pop(gone, None)
                factors = [
                    (a, tuple(kept if x == gone else x for x in at))
                    for a, at in factors
                ]
        held: set[int] = set()
        if special:
            meeting = self._met(factors)
            if meeting is None:
                return None
            factors, held = meeting
        used = {i for _, at in factors for i in at} | held
        for index, size in bound.items():
            if index in used:
                continue
            if size.isdigit():
                c *= int(size)
            else:
                atom = self.size(size)
                powers[atom] = powers.get(atom, 0) + 1
        return c, powers, factors

    def _met(self, factors: list[Factor]) -> tuple[list[Factor], set[int]] | None:
        """Let basis vectors meet: e₀·e₀ = 1, e₀·e₁ = 0."""
        at: dict[int, int] = {}
        rest = []
        for atom, indices in factors:
            if self.kind(atom) != "basis":
                rest.append((atom, indices))
            elif at.setdefault(indices[0], atom) != atom:
                return None
        held = {i for i in at if i >= 0}
        rest += [(atom, (i,)) for i, atom in at.items() if i < 0]
        return rest, held

    def size(self, name: str) -> int:
        """Return the atom of a size, a positive number."""
        return self.atom(
            "size",
            name,
            positive=True,
            nonneg=True,
            tree=Expr("sym", data=name, shape=("1", "1")),
        )

    # Powers and exponentials

    def _merged(
        self, c: Rational, powers: dict[int, Rational], tail: tuple[Network, ...]
    ) -> Poly:
        """Merge exponentials, and multiply out whole powers of polynomials."""
        exponent: Poly = {}
        whole: list[tuple[Poly, int]] = []
        for atom in list(powers):
            known = self.atoms[atom]
            if known.kind == "function" and known.data[0] == "exp":
                assert known.inner is not None
                exponent = self.add(exponent, self.scale(known.inner, powers.pop(atom)))
            elif known.kind == "power" and powers[atom] > 0:
                power = powers[atom]
                steps = power.numerator // power.denominator
                if steps:
                    assert known.inner is not None
                    whole.append((known.inner, steps))
                    powers[atom] -= steps
                    if not powers[atom]:
                        del powers[atom]
        if exponent:
            powers[self.function("exp", exponent)] = 1
        poly: Poly = {(tuple(sorted(powers.items())), tail): c}
        for base, steps in whole:
            for _ in range(steps):
                poly = self.multiply(poly, base)
        return poly

    def function(self, name: str, inner: Poly, tree: Expr | None = None) -> int:
        """Return the atom of a function of a number."""
        key = (name, frozenset(inner.items()))
        known = name in ("exp",)
        return self.atom(
            "function", key, inner=inner, tree=tree, positive=known, nonneg=known
        )

    def power(
        self, poly: Poly, exponent: Rational, positive: Callable[[Poly], bool]
    ) -> Poly:
        """Return a power of a number.

        Parameters
        ----------
        positive : tells whether a polynomial is known to be positive.
        """
        if exponent.denominator == 1 and exponent >= 0:
            result = self.number(1)
            for _ in range(int(exponent)):
                result = self.multiply(result, poly)
            return result
        if not poly:
            raise ZeroDivisionError("a power of 0")
        if len(poly) == 1:
            found = self._monomial_power(poly, exponent, positive)
            if found is not None:
                return found
        scale, monic = self.monic(poly)
        root = _rational_power(scale, exponent)
        if root is None:
            scale, monic, root = 1, poly, 1
        atom = self.atom(
            "power", frozenset(monic.items()), inner=monic,
            positive=positive(monic), nonneg=positive(monic),
        )  # fmt: skip
        return self.scale({(((atom, exponent),), ()): 1}, root)

    def _monomial_power(
        self, poly: Poly, exponent: Rational, positive: Callable[[Poly], bool]
    ) -> Poly | None:
        ((term, c),) = poly.items()
        powers, networks = term
        root = _rational_power(c, exponent)
        if networks or root is None:
            return None
        if exponent.denominator != 1 and not all(
            self.atoms[a].positive or positive({(((a, 1),), ()): 1}) for a, _ in powers
        ):
            return None
        raw = Raw(root, {a: p * exponent for a, p in powers}, [], {})
        return self.closed(raw)

    def monic(self, poly: Poly) -> tuple[Rational, Poly]:
        """Return the leading coefficient, and the polynomial divided by it."""
        c = poly[min(poly)]
        return c, self.scale(poly, Fraction(1) / c)


def _renamed(raw: Raw, names: Mapping[int, int]) -> Raw:
    """Rename indices of a term under construction."""
    if names:
        raw.factors = [
            (atom, tuple(names.get(i, i) for i in at)) for atom, at in raw.factors
        ]
    return raw


def whole(value: Rational) -> Rational:
    """Return a whole number as an int."""
    return int(value) if value.denominator == 1 else value


def _components(factors: list[Factor]) -> list[list[Factor]]:
    """Split factors into networks that share no bound index."""
    if len(factors) < 2:
        return [factors] if factors else []
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


def _rational_power(value: Rational, exponent: Rational) -> Rational | None:
    """Return a power of a rational number, if it is rational."""
    if exponent.denominator == 1:
        return whole(Fraction(value) ** int(exponent))
    if exponent.denominator != 2 or value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        return None
    return whole(Fraction(top, bottom) ** int(exponent * 2))
