"""From atoms and polynomials back to expressions, for certificates and messages."""

from __future__ import annotations

from functools import reduce
from operator import add, mul

from kernellab.grading.language.tree import NUMBER, Expr, call, num
from kernellab.grading.proving.networks import Algebra, Poly, Powers, Untranslatable
from kernellab.grading.proving.rationals import Rational


def scalar_tree(algebra: Algebra, powers: Powers, c: Rational) -> Expr:
    """Return a coefficient times powers of atoms as an expression."""
    factors = [] if c == 1 and powers else [num(c)]
    for atom, power in powers:
        base = atom_tree(algebra, atom)
        factors.append(base if power == 1 else base**power)
    return reduce(mul, factors)


def atom_tree(algebra: Algebra, atom: int) -> Expr:
    """Return an atom as an expression."""
    known = algebra.atoms[atom]
    if known.tree is not None:
        return known.tree
    if known.kind == "net":
        return network_tree(algebra, known.data)
    assert known.inner is not None
    inner = number_tree(algebra, known.inner)
    if known.kind == "power":
        return inner
    return call(known.data[0], inner)


def network_tree(
    algebra: Algebra, network: tuple[tuple[int, tuple[int, ...]], ...]
) -> Expr:
    """Return a closed network as nested sums of products of entries."""
    entries: list[Expr] = []
    sizes: dict[int, str] = {}
    for atom, indices in network:
        sizes |= dict(zip(indices, algebra.atoms[atom].sizes, strict=True))
        base, places = atom_tree(algebra, atom), tuple(f"i{i}" for i in indices)
        entries.append(Expr("index", (base,), places, NUMBER))
    tree = reduce(mul, entries)
    for index, size in sorted(sizes.items(), reverse=True):
        tree = Expr("sum", (tree,), (f"i{index}", size), NUMBER)
    return tree


def number_tree(algebra: Algebra, poly: Poly) -> Expr:
    """Return a polynomial without free indices as an expression."""
    if any(nets for _, nets in poly):
        raise Untranslatable("a function of a column")
    terms = [scalar_tree(algebra, powers, c) for (powers, _), c in poly.items()]
    return reduce(add, terms) if terms else num(0)
