"""Functions of sums: powers, inverses, exponentials; what cannot be multiplied out."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import isqrt

from kernellab.grading.checking.atoms import Atom, Refused, eye_atom
from kernellab.grading.checking.labelling import is_bound
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import (
    COLUMN,
    ROW,
    Sum,
    Term,
    add,
    free_indices,
    multiply,
    number,
    product,
    rename,
    scale,
    single,
    text,
    transpose,
)


def is_positive_atom(names: Names, atom: Atom) -> bool:
    """Return True for numbers that are positive by declaration: sizes, π, s > 0."""
    if atom.kind == "symbol":
        declared = atom.data in names.table and names.table[atom.data].kind
        return atom.data == "pi" or declared == "positive"
    return atom.kind in ("size", "exp")


def power(names: Names, base: Sum, exponent: Fraction) -> Sum:
    """Return a power of a number.

    (c·x)ᵖ is cᵖ·xᵖ for whole p; for p = 1/2 only positive factors are taken out.
    """
    if exponent.denominator == 1 and exponent >= 0:
        return product(*[base] * int(exponent))
    if not base:
        raise Refused("a negative or broken power of 0")
    if free_indices(base):
        return indexed(f"power {exponent}", "power", base, exponent)
    factor, core = common_factor(base)
    if exponent.denominator != 1:
        factor, core = _only_positive(names, factor, core)
    ((powers, nets), c) = next(iter(factor.items()))
    taken = {((tuple((a, p * exponent) for a, p in powers)), nets): _root(c, exponent)}
    if core == number(1):
        return add(taken)
    atom = Atom(f"base {text(core)}", "base", inner=core)
    return multiply(taken, single(atom, power=exponent))


def common_factor(one: Sum) -> tuple[Sum, Sum]:
    """Split off the coefficient of the first term, and the least power of each number.

    K/λ + I is 1/λ times K + λI.
    """
    terms = [dict(powers) for powers, _ in one]
    atoms = {a for powers in terms for a in powers if a.kind != "base"}
    least = {a: min(powers.get(a, Fraction(0)) for powers in terms) for a in atoms}
    taken: Term = (tuple(sorted((a, p) for a, p in least.items() if p)), ())
    given: Term = (tuple((a, -p) for a, p in taken[0]), ())
    core = multiply({given: Fraction(1)}, one)
    lead = core[min(core)]
    return {taken: lead}, scale(core, 1 / lead)


def _only_positive(names: Names, factor: Sum, core: Sum) -> tuple[Sum, Sum]:
    """Put back into the core what has no root of its own: √(x²) is not x."""
    ((powers, _), c) = next(iter(factor.items()))
    good = tuple((a, p) for a, p in powers if is_positive_atom(names, a))
    rest = tuple((a, p) for a, p in powers if not is_positive_atom(names, a))
    square = c > 0 and _has_root(c)
    inside = multiply({(rest, ()): Fraction(1) if square else c}, core)
    return {(good, ()): c if square else Fraction(1)}, inside


def _has_root(c: Fraction) -> bool:
    return all(isqrt(n) ** 2 == n for n in (c.numerator, c.denominator))


def _root(c: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        return c ** int(exponent)
    return Fraction(isqrt(c.numerator), isqrt(c.denominator)) ** exponent.numerator


def inverse(matrix: Sum, size: str) -> Sum:
    """Return the inverse of a matrix: inv(cX) = inv(X)/c, inv(Xᵀ) = inv(X)ᵀ."""
    if not matrix:
        raise Refused("the inverse of 0")
    if free_indices(matrix) - {ROW, COLUMN} or size.isdigit():
        raise Refused("an inverse with an index, or of literal size")
    ways = [(*common_factor(x), x is matrix) for x in (matrix, transpose(matrix))]
    factor, core, upright = min(ways, key=lambda way: text(way[1]))
    ((powers, nets), c) = next(iter(factor.items()))
    back: Sum = {(tuple((a, -p) for a, p in powers), nets): 1 / c}
    result = multiply(back, _inverse_of_core(core, size))
    return result if upright else transpose(result)


def _inverse_of_core(core: Sum, size: str) -> Sum:
    if core == single(eye_atom(size), ROW, COLUMN):
        return core
    known = _inverted_atom(core)
    if known is not None:
        return known
    symmetric = core == transpose(core)
    atom = Atom(f"inv {text(core)}", "inverse", size, (size, size), symmetric, core)
    return single(atom, ROW, COLUMN)


def _inverted_atom(core: Sum) -> Sum | None:
    """Return X if a matrix is inv(X) by itself."""
    ((powers, nets), _) = next(iter(core.items()))
    if len(core) > 1 or powers or len(nets) != 1 or len(nets[0]) != 1:
        return None
    atom, indices = nets[0][0]
    if atom.kind != "inverse":
        return None
    inner: Sum = atom.inner
    return inner if indices == (ROW, COLUMN) else transpose(inner)


def exponential(exponent: Sum) -> Sum:
    """Return exp of a number, term by term: exp(p + q) = exp(p)·exp(q)."""
    result = number(1)
    for term, c in exponent.items():
        result = multiply(result, _exp_of_term(term, c))
    return result


def _exp_of_term(term: Term, c: Fraction) -> Sum:
    one: Sum = {term: Fraction(1)}
    if not free_indices(one):
        return single(Atom(f"exp {text(one)}", "exp", inner=one), power=c)
    base, at = _placed("exp", "exp", one)
    atom = Atom(f"{base.key}^{c}", "exp", (base, c), base.sizes, inner=base.inner)
    return single(atom, *at)


def function(name: str, inner: Sum) -> Sum:
    """Return log, det or loss of something as an atom."""
    if name == "log" and inner == number(1):
        return {}
    if free_indices(inner) - {ROW, COLUMN}:
        return indexed(name, name, inner)
    return single(Atom(f"{name} {text(inner)}", name, inner=inner))


def indexed(name: str, kind: str, inner: Sum, data: object = None) -> Sum:
    """Return a function of something with named indices, as an atom with indices."""
    atom, at = _placed(name, kind, inner, data)
    return single(atom, *at)


def _placed(
    name: str, kind: str, inner: Sum, data: object = None
) -> tuple[Atom, tuple[str, ...]]:
    """Return the atom with its indices called $0, $1, …, and where they stand."""
    sizes = index_sizes(inner)
    free = sorted(free_indices(inner) - {ROW, COLUMN})
    ways = []
    for order in permutations(free):
        renamed = rename(inner, {index: f"${k}" for k, index in enumerate(order)})
        ways.append((text(renamed), order, renamed))
    key, order, renamed = min(ways, key=lambda way: way[:2])
    at = tuple(sizes[index] for index in order)
    return Atom(f"{name} {key}", kind, data, at, inner=renamed), order


def index_sizes(one: Sum) -> dict[str, str]:
    """Return the sizes of the free indices that occur."""
    return {
        index: size
        for _, nets in one
        for net in nets
        for atom, indices in net
        for index, size in zip(indices, atom.sizes, strict=True)
        if not is_bound(index)
    }
