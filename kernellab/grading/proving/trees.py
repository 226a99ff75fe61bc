"""From atoms and polynomials back to expressions, for certificates and messages."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.networks import (
    Algebra,
    Poly,
    Powers,
    Rational,
    Untranslatable,
)


def scalar_tree(algebra: Algebra, powers: Powers, c: Rational) -> Expr:
    """Return a coefficient times powers of atoms as an expression."""
    factors = [] if c == 1 and powers else [Expr("num", data=Fraction(c), shape=NUMBER)]
    for atom, power in powers:
        base = atom_tree(algebra, atom)
        exponent = Expr("num", data=Fraction(power), shape=NUMBER)
        factors.append(
            base if power == 1 else Expr("pow", (base, exponent), None, NUMBER)
        )
    tree = factors[0]
    for factor in factors[1:]:
        tree = Expr("mul", (tree, factor), "*", NUMBER)
    return tree


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
    return Expr("call", (inner,), known.data[0], NUMBER)


def network_tree(
    algebra: Algebra, network: tuple[tuple[int, tuple[int, ...]], ...]
) -> Expr:
    """Return a closed network as nested sums of products of entries."""
    tree: Expr | None = None
    sizes: dict[int, str] = {}
    for atom, indices in network:
        sizes |= dict(zip(indices, algebra.atoms[atom].sizes, strict=True))
        base = atom_tree(algebra, atom)
        entry = Expr("index", (base,), tuple(f"i{i}" for i in indices), NUMBER)
        tree = entry if tree is None else Expr("mul", (tree, entry), "*", NUMBER)
    assert tree is not None
    for index, size in sorted(sizes.items(), reverse=True):
        tree = Expr("sum", (tree,), (f"i{index}", size), NUMBER)
    return tree


def number_tree(algebra: Algebra, poly: Poly) -> Expr:
    """Return a polynomial without free indices as an expression."""
    tree: Expr | None = None
    for (powers, nets), c in poly.items():
        if nets:
            raise Untranslatable("a function of a column")
        term = scalar_tree(algebra, powers, c)
        tree = term if tree is None else Expr("add", (tree, term), None, NUMBER)
    return tree or Expr("num", data=Fraction(0), shape=NUMBER)
