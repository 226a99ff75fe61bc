"""Derivatives of sums: by a symbol, or along the parameter θ.

The product rule and the chain rule; what has no rule (a symbol whose definition is
closed, a loss) has a derivative that is an atom of its own, with the indices of both.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod

from kernellab.grading.checking import sums
from kernellab.grading.checking.functions import inverse, power
from kernellab.grading.checking.labelling import (
    Atom,
    Factor,
    Refused,
    is_bound,
    replaced,
)
from kernellab.grading.checking.names import SYMMETRIC, Names, axes
from kernellab.grading.checking.sums import COLUMN, ROW, Sum

THETA = ""  # the name of the parameter
Slope = Callable[[Sum], Sum]


def derivative(names: Names, one: Sum, by: str = THETA) -> Sum:
    """Return the derivative by a symbol, with its row and column, or along θ."""
    if by and names.kind(by) in SYMMETRIC:
        raise Refused("a derivative by a symmetric matrix")
    parts = []
    for term, c in one.terms.items():
        powers, factors = sums.opened(term)
        for atom, exponent in powers.items():
            if slope := _of_atom(names, atom, by):
                rest = {**powers, atom: exponent - 1}
                parts.append(sums.normal(c * exponent, rest, factors) * slope)
        for place, (atom, _) in enumerate(factors):
            if slope := _of_atom(names, atom, by):
                parts.append(_exchanged(powers, factors, place, slope).scaled(c))
    return sums.total(parts)


def _exchanged(
    powers: sums.Powers, factors: list[Factor], place: int, slope: Sum
) -> Sum:
    """Put the derivative of one factor, with the indices $0 and $1, in its place."""
    at, sizes = factors[place][1], sums.index_sizes(factors)
    doors = {i: f"${i}" for i in at if is_bound(i)}
    rest = replaced(factors[:place] + factors[place + 1 :], doors)
    ends = {f"${k}": doors.get(i, i) for k, i in enumerate(at)}
    over = {door: sizes[i] for i, door in doors.items()}
    return sums.normal(Fraction(1), powers, rest).times(slope.renamed(ends), over)


def symbols_in(atom: Atom) -> set[str]:
    """Return the names of the symbols in an atom, at any depth."""
    found: set[str] = set()
    for part in sums.single(atom).atoms():
        if part.kind == "symbol":
            found.add(part.data)
        elif part.kind in ("cov", "entry"):
            found |= {name for name in part.data if isinstance(name, str)}
    return found


def _of_atom(names: Names, atom: Atom, by: str) -> Sum:
    """Return the derivative of an atom whose indices are $0 and $1."""
    tangents = names.problem.tangents
    moving = {by} if by else set(tangents)
    mentioned = symbols_in(atom)
    if not by and mentioned & set(tangents.values()):
        raise Refused("a second derivative along θ is not known")
    if not mentioned & (moving | names.dependent(*moving)):
        return Sum({})
    sides = axes(names.table[by].shape) if by else {}
    if atom.kind == "symbol" and atom.data in moving and not by:
        return sums.single(names.atom(tangents[atom.data]))
    if atom.kind == "symbol" and atom.data in moving:
        pairs = enumerate(sides.items())
        deltas = [sums.single(sums.eye(s), f"${k}", i) for k, (i, s) in pairs]
        return prod(deltas, start=sums.number(1))
    if atom.kind == "entry" and atom.data[0] in moving and len(sides) == 1:
        return sums.single(sums.unit(atom.data[1][0], sides[ROW]), ROW)
    if rule := _RULES.get(atom.kind):
        return rule(names, atom, lambda inner: derivative(names, inner, by))
    if any(size.isdigit() for size in sides.values()):
        raise Refused("a derivative of literal size")
    sizes = (*atom.sizes, *sides.values())
    key = f"d({atom.key})/d({by}{sizes})"
    symmetric = atom.symmetric and not sides
    slots = [f"${k}" for k, _ in enumerate(atom.sizes)]
    found = Atom(key, "d", atom, sizes, symmetric, sums.single(atom))
    return sums.single(found, *slots, *sides)


def _net(names: Names, atom: Atom, slope: Slope) -> Sum:
    return slope(Sum({((), atom.data): Fraction(1)}))


def _base(names: Names, atom: Atom, slope: Slope) -> Sum:
    return slope(atom.inner)


def _exp(names: Names, atom: Atom, slope: Slope) -> Sum:
    return sums.single(atom) * slope(atom.inner)


def _log(names: Names, atom: Atom, slope: Slope) -> Sum:
    """d log x is x⁻¹ dx, and d log det X is tr(X⁻¹ dX)."""
    return power(names, atom.inner, Fraction(-1)) * slope(atom.inner)


def _inverse(names: Names, atom: Atom, slope: Slope) -> Sum:
    """Return −X⁻¹ dX X⁻¹."""
    (size, _), dX = atom.sizes, slope(atom.inner.renamed({ROW: "$p", COLUMN: "$q"}))
    half = sums.single(atom, "$0", "$p").times(dX, {"$p": size})
    return -half.times(sums.single(atom, "$q", "$1"), {"$q": size})


def _det(names: Names, atom: Atom, slope: Slope) -> Sum:
    """Return det X · tr(X⁻¹ dX)."""
    X = atom.inner.renamed({ROW: "$p", COLUMN: "$q"})
    back = inverse(atom.inner, atom.data).renamed({ROW: "$q", COLUMN: "$p"})
    return sums.single(atom) * back.times(slope(X), {"$p": atom.data, "$q": atom.data})


_RULES = {
    "net": _net, "base": _base, "exp": _exp, "log": _log, "inverse": _inverse,
    "det": _det,
}  # fmt: skip
