"""The elements of polynomials: symbols, identities, basis vectors, powers, inverses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from kernellab.grading.language.tree import NUMBER, Expr, Shape, call, num, sym
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Bound,
    Poly,
    Raw,
    Untranslatable,
)
from kernellab.grading.proving.rationals import Rational, rational_power, whole
from kernellab.grading.proving.trees import scalar_tree
from kernellab.grading.symbols import Symbol

SYMMETRIC = ("symmetric", "psd", "pd")
Positive = Callable[[Poly], bool]  # tells whether a number is known to be positive


def axes_of(shape: Shape | None) -> Bound:
    """Return the free indices of a shape, with their sizes."""
    pairs = zip((ROW, COLUMN), shape or NUMBER, strict=True)
    return {index: size for index, size in pairs if size != "1"}


def symbol_poly(algebra: Algebra, known: Symbol) -> Poly:
    """Return a symbol as it stands; one of literal size by its entries."""
    key = ("symbol", known.name, known.kind, known.shape)
    return algebra.once(key, lambda: _symbol(algebra, known, axes_of(known.shape)))


def _symbol(algebra: Algebra, known: Symbol, axes: Bound) -> Poly:
    if any(size.isdigit() for size in axes.values()):
        return _entries(algebra, known, axes)
    atom = algebra.atom(
        "symbol", known.name, sizes=tuple(axes.values()),
        symmetric=len(axes) == 2 and known.kind in SYMMETRIC,
        positive=known.kind == "positive", nonneg=known.kind in ("positive", "nonneg"),
        tree=sym(known.name, known.shape),
    )  # fmt: skip
    return algebra.single(atom, tuple(axes))


def _entries(algebra: Algebra, known: Symbol, axes: Bound) -> Poly:
    """Return the sum of all entries, each times the basis vectors of its place."""
    if not all(size.isdigit() for size in axes.values()):
        raise Untranslatable("a matrix with one literal size")
    total: Poly = {}
    for places in product(*(range(int(size)) for size in axes.values())):
        at = tuple(sorted(places)) if known.kind in SYMMETRIC else places
        diagonal = len(at) == 2 and at[0] == at[1]
        square = diagonal and known.kind in ("psd", "pd")
        atom = algebra.atom(
            "entry", (known.name, at),
            tree=Expr("index", (sym(known.name, known.shape),), at, NUMBER),
            nonneg=known.kind == "nonneg" or square,
            positive=diagonal and known.kind == "pd",
        )  # fmt: skip
        poly = algebra.single(atom)
        for (index, size), place in zip(axes.items(), places, strict=True):
            poly = algebra.multiply(poly, basis(algebra, place, size, index))
        total = algebra.add(total, poly)
    return total


def basis(algebra: Algebra, k: int, size: str, index: int) -> Poly:
    """Return the basis vector e_k."""
    unit = [num(int(k == j)) for j in range(int(size))] if size.isdigit() else []
    tree = call("vec", *unit, shape=(size, "1")) if unit else None
    atom = algebra.atom("basis", (k, size), sizes=(size,), tree=tree)
    return algebra.single(atom, (index,))


def ones(algebra: Algebra, size: str) -> Poly:
    """Return a column of ones, which has no atom unless its size is a number."""
    if not size.isdigit() or size == "1":
        return algebra.number(1)
    return algebra.add(*(basis(algebra, k, size, ROW) for k in range(int(size))))


def eye(algebra: Algebra, size: str) -> Poly:
    """Return the identity of a size, with free rows and columns."""
    if size == "1":
        return algebra.number(1)
    if size.isdigit():
        pairs = [
            (basis(algebra, k, size, ROW), basis(algebra, k, size, COLUMN))
            for k in range(int(size))
        ]
        return algebra.add(*(algebra.multiply(*pair) for pair in pairs))
    return algebra.single(eye_atom(algebra, size), (ROW, COLUMN))


def eye_atom(algebra: Algebra, size: str) -> int:
    """Return the atom of the identity."""
    shape = (size, size)
    tree = Expr("eye", data=size, shape=shape)
    return algebra.atom("eye", size, sizes=shape, symmetric=True, tree=tree)


def atoms_in(algebra: Algebra, polys: Iterable[Poly]) -> set[int]:
    """Return the atoms that occur, also inside others."""
    near: set[int] = set()
    for poly in polys:
        algebra.work.do(1 + len(poly) // 2)
        for powers, nets in poly:
            near.update([atom for atom, _ in powers])
            near.update([atom for net in nets for atom, _ in net])
    return near.union(*(inside(algebra, atom) for atom in near))


def inside(algebra: Algebra, atom: int) -> set[int]:
    """Return the atoms inside of an atom, which never change."""
    known, inner = algebra.atoms[atom], algebra.inner(atom)
    if known.kind == "net":
        inner = {((), (known.data,)): 1}
    elif known.kind == "d":
        inner = {(((known.data, 1),), ()): 1}
    return algebra.once(("inside", atom), lambda: atoms_in(algebra, [inner]))


# Powers of numbers: of monomials at once, of sums as atoms


def power(algebra: Algebra, poly: Poly, exponent: Rational, positive: Positive) -> Poly:
    """Return a power of a number; 0 has no negative one."""
    if exponent.denominator == 1 and exponent >= 0:
        result = algebra.number(1)
        for _ in range(int(exponent)):
            result = algebra.multiply(result, poly)
        return result
    if not poly:
        raise ZeroDivisionError("a power of 0")
    found = _monomial_power(algebra, poly, exponent, positive)
    if found is not None:
        return found
    scale, monic = algebra.monic(poly)
    root = rational_power(scale, exponent)
    if root is None:
        monic, root = poly, 1
    above = positive(monic)
    atom = algebra.atom(
        "power", frozenset(monic.items()), inner=monic, positive=above, nonneg=above
    )
    return {(((atom, exponent),), ()): root}


def _monomial_power(
    algebra: Algebra, poly: Poly, exponent: Rational, positive: Positive
) -> Poly | None:
    """Return a power of one term, atom by atom; roots only of what is positive."""
    ((powers, networks), c) = next(iter(poly.items()))
    root = rational_power(c, exponent)
    if len(poly) > 1 or networks or root is None:
        return None
    if exponent.denominator != 1 and not all(
        algebra.atoms[a].positive or positive({(((a, 1),), ()): 1}) for a, _ in powers
    ):
        return None
    return algebra.closed(Raw(root, {a: p * exponent for a, p in powers}, [], {}))


# Inverses


def inverse_of(algebra: Algebra, poly: Poly, tree: Expr, positive: Positive) -> Poly:
    """Return the inverse of a matrix, scaled so that equal ones have equal atoms.

    Parameters
    ----------
    tree : says the same as an expression.
    positive : tells whether a number is known to be positive.
    """
    assert tree.shape is not None
    size = tree.shape[0]
    if not poly or algebra.free(poly) - {ROW, COLUMN} or size.isdigit():
        raise Untranslatable("an inverse of 0, or with an index")
    known = _inverse_of_inverse(algebra, poly)
    if known is not None:
        return known
    factor, core = _common_factor(algebra, poly)
    inner = core
    if core != eye(algebra, size):
        turned = algebra.transposed(core)
        swap = sorted(core.items()) > sorted(turned.items())
        base = turned if swap else core
        atom = algebra.atom(
            "inverse", frozenset(base.items()), sizes=(size, size),
            symmetric=core == turned, inner=base,
            tree=_inverse_tree(algebra, tree, factor, swap),
        )  # fmt: skip
        inner = algebra.single(atom, (COLUMN, ROW) if swap else (ROW, COLUMN))
    return algebra.multiply(power(algebra, factor, -1, positive), inner)


def _inverse_of_inverse(algebra: Algebra, poly: Poly) -> Poly | None:
    """Return X for c·X⁻¹, divided by c."""
    if len(poly) != 1:
        return None
    (((powers, nets), c),) = poly.items()
    if powers or len(nets) != 1 or len(nets[0]) != 1:
        return None
    ((atom, indices),) = nets[0]
    if algebra.kind(atom) != "inverse":
        return None
    inner = algebra.inner(atom)
    if indices != (ROW, COLUMN):
        inner = algebra.transposed(inner)
    return algebra.scale(inner, whole(Fraction(1) / c))


def _common_factor(algebra: Algebra, poly: Poly) -> tuple[Poly, Poly]:
    """Split off the leading coefficient and the powers that all terms share."""
    shared: dict[int, Rational] = {}
    for atom in {a for powers, _ in poly for a, _ in powers}:
        least = min(dict(powers).get(atom, 0) for powers, _ in poly)
        if least and algebra.kind(atom) in ("symbol", "size", "net", "entry"):
            shared[atom] = least
    core: Poly = {}
    for (powers, nets), c in poly.items():
        left = {a: -p for a, p in shared.items()}
        for a, p in powers:
            left[a] = left.get(a, 0) + p
        core[tuple(sorted((a, p) for a, p in left.items() if p)), nets] = c
    lead, monic = algebra.monic(core)
    return {(tuple(sorted(shared.items())), ()): lead}, monic


def _inverse_tree(algebra: Algebra, inner: Expr, factor: Poly, swap: bool) -> Expr:
    """Return the atom of an inverse as an expression."""
    (((powers, _), c),) = factor.items()
    if powers or c != 1:
        scale = scalar_tree(algebra, powers, c)
        inner = Expr("div", (inner, scale), None, inner.shape)
    return Expr("inv", (inner.T if swap else inner,), None, inner.shape)
