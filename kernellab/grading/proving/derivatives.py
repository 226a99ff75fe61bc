"""Derivatives of polynomials: by a symbol, and along the parameter θ.

Both follow the product rule over the factors of each term; they differ in what the
derivative of an atom is.
"""

from __future__ import annotations

from collections.abc import Callable

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Poly,
    Rational,
    Raw,
    Term,
    Untranslatable,
)
from kernellab.grading.proving.translation import (
    Translator,
    basis,
    eye,
    inverse_of,
    moves,
    symbol_poly,
)
from kernellab.grading.proving.trees import (
    atom_tree,
)

OfAtom = Callable[[int], Poly]


def by_symbol(t: Translator, poly: Poly, name: str) -> Poly:
    """Return the derivative of a number by a symbol, with the symbol's indices.

    What depends on the symbol must have been opened.
    """
    return _derivative(t, poly, lambda atom: _of_atom_by(t, atom, name))


def along(t: Translator, poly: Poly) -> Poly:
    """Return the derivative along θ; those of inverses and determinants stay closed."""
    return _derivative(t, poly, lambda atom: _of_atom_along(t, atom))


def _derivative(t: Translator, poly: Poly, of_atom: OfAtom) -> Poly:
    total: Poly = {}
    for term, c in poly.items():
        total = t.algebra.add(total, _of_term(t.algebra, term, c, of_atom))
    return total


def _of_term(algebra: Algebra, term: Term, c: Rational, of_atom: OfAtom) -> Poly:
    """Return the derivative of a product, one factor after the other."""
    total: Poly = {}
    raw = algebra.opened(term, c)
    for atom, power in raw.powers.items():
        slope = _of_number(algebra, atom, of_atom)
        if slope:
            powers = {**raw.powers, atom: power - 1}
            rest = algebra.closed(Raw(c * power, powers, raw.factors, raw.bound))
            total = algebra.add(total, algebra.multiply(rest, slope))
    for place, (atom, _) in enumerate(raw.factors):
        slope = of_atom(atom)
        if slope:
            total = algebra.add(total, _exchanged(algebra, raw, place, slope))
    return total


def _of_number(algebra: Algebra, atom: int, of_atom: OfAtom) -> Poly:
    if algebra.kind(atom) != "net":
        return of_atom(atom)
    total: Poly = {}
    raw = algebra.opened(((), (algebra.atoms[atom].data,)), 1)
    for place, (inner, _) in enumerate(raw.factors):
        slope = of_atom(inner)
        if slope:
            total = algebra.add(total, _exchanged(algebra, raw, place, slope))
    return total


def _exchanged(algebra: Algebra, raw: Raw, place: int, slope: Poly) -> Poly:
    """Put the derivative of one factor in its place."""
    _, indices = raw.factors[place]
    doors = {i: algebra.index(f"@{i}") for i in indices if i >= 0}
    rest = [
        (atom, tuple(doors.get(i, i) for i in at))
        for k, (atom, at) in enumerate(raw.factors)
        if k != place
    ]
    bound = {i: size for i, size in raw.bound.items() if i not in doors}
    left = algebra.closed(Raw(raw.coefficient, raw.powers, rest, bound))
    names = {slot(algebra, k): doors.get(i, i) for k, i in enumerate(indices)}
    right = algebra.renamed(slope, names)
    return algebra.multiply(
        left, right, {door: raw.bound[i] for i, door in doors.items()}
    )


def slot(algebra: Algebra, place: int) -> int:
    """Return the index that stands for the index of an atom at a place."""
    return algebra.index(f"$slot{place}")


def _slots(algebra: Algebra, poly: Poly) -> Poly:
    """Name the row and column of an atom's polynomial by their slots."""
    return algebra.renamed(poly, {ROW: slot(algebra, 0), COLUMN: slot(algebra, 1)})


# The derivative of an atom


def _of_atom_by(t: Translator, atom: int, name: str) -> Poly:
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol" if known.data == name:
            return _identity(algebra, known.sizes)
        case "symbol":
            if t.scope.depends(known.data, name):
                raise Untranslatable(f"{known.data} depends on {name}")
            return {}
        case "entry" if known.data[0] == name:
            return basis(algebra, known.data[1][0], ROW)
        case "grad" | "d" | "cov":
            raise Untranslatable("a derivative of a derivative")
        case "function" if known.data[0] == "loss" and moves(t, atom, name):
            raise Untranslatable("the gradient of an unknown loss")
        case "function" if known.data[0] == "loss":
            return {}
    return _chain(t, atom, lambda inner: by_symbol(t, inner, name))


def _identity(algebra: Algebra, sizes: tuple[str, ...]) -> Poly:
    result = algebra.number(1)
    for k, size in enumerate(sizes):
        names = {ROW: slot(algebra, k), COLUMN: (ROW, COLUMN)[k]}
        part = algebra.renamed(eye(algebra, size), names)
        result = algebra.multiply(result, part)
    return result


def _of_atom_along(t: Translator, atom: int) -> Poly:
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol" if known.data in t.scope.tangents:
            tangent = t.scope.symbols[t.scope.tangents[known.data]]
            return _slots(algebra, symbol_poly(algebra, tangent))
        case "symbol" if t.scope.varies(known.data):
            return closed_derivative(t, atom)
        case "symbol" if known.data in t.scope.tangents.values():
            raise Untranslatable("a derivative of a derivative")
        case "inverse" | "det":
            inner = known.inner
            assert inner is not None
            return closed_derivative(t, atom) if along(t, inner) else {}
        case "function" if _is_log_det(algebra, atom):
            return (
                closed_derivative(t, atom)
                if _chain(t, atom, lambda p: along(t, p))
                else {}
            )
        case "grad" | "d" | "cov":
            raise Untranslatable("a derivative of a derivative")
    return _chain(t, atom, lambda inner: along(t, inner))


def closed_derivative(t: Translator, atom: int) -> Poly:
    """Return d of an atom as an atom of its own."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    tree = atom_tree(algebra, atom)
    derived = algebra.atom(
        "d", atom, sizes=known.sizes, symmetric=atom in algebra.symmetric,
        tree=Expr("call", (tree,), "d", tree.shape),
    )  # fmt: skip
    return algebra.single(
        derived, tuple(slot(algebra, k) for k in range(len(known.sizes)))
    )


def _is_log_det(algebra: Algebra, atom: int) -> bool:
    known = algebra.atoms[atom]
    if known.kind != "function" or known.data[0] != "log" or known.inner is None:
        return False
    return any(algebra.kind(a) == "det" for powers, _ in known.inner for a, _ in powers)


def _chain(t: Translator, atom: int, slope: Callable[[Poly], Poly]) -> Poly:
    """Return the derivative of a compound atom by the chain rule."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    if known.inner is None:
        return {}
    if known.kind == "function" and known.sizes:
        if slope(known.inner):
            raise Untranslatable("the derivative of an indexed function")
        return {}
    inner = slope(known.inner)
    if not inner:
        return {}
    match known.kind:
        case "power":
            return inner
        case "inverse":
            return inverse_slope(t, atom, inner)
        case "det":
            return algebra.multiply(algebra.single(atom), det_slope(t, atom, inner))
    match known.data[0]:
        case "exp":
            return algebra.multiply(algebra.single(atom), inner)
        case "log":
            back = algebra.power(known.inner, -1, t.positive)
            return algebra.multiply(back, inner)
    raise Untranslatable(f"the derivative of {known.data[0]}")


def inverse_slope(t: Translator, atom: int, slope: Poly) -> Poly:
    """Return −X⁻¹ dX X⁻¹, the rows and columns of the inverse in its slots.

    The slope has the rows and columns of X, and perhaps those of a variable, which
    are told apart by `$r` and `$c`.
    """
    algebra, known = t.algebra, t.algebra.atoms[atom]
    size = known.sizes[0]
    p, q = algebra.index("$p"), algebra.index("$q")
    left = algebra.single(atom, (slot(algebra, 0), p))
    right = algebra.single(atom, (q, slot(algebra, 1)))
    if algebra.free(slope) - {ROW, COLUMN}:
        raise Untranslatable("the gradient of an inverse")
    middle = algebra.renamed(slope, {ROW: p, COLUMN: q})
    half = algebra.multiply(left, middle, {p: size})
    return algebra.scale(algebra.multiply(half, right, {q: size}), -1)


def det_slope(t: Translator, atom: int, slope: Poly) -> Poly:
    """Return tr(X⁻¹ dX), the derivative of log det X."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    assert known.inner is not None
    assert known.tree is not None
    tree = known.tree.args[0]
    assert tree.shape is not None
    assert tree.shape != NUMBER
    size = tree.shape[0]
    back = inverse_of(t, known.inner, tree)
    turned = algebra.transposed(slope)
    return algebra.multiply(back, turned, {ROW: size, COLUMN: size})


def log_det_slope(t: Translator, atom: int) -> Poly:
    """Return d(log det X) along θ, for the atom log(c·det X)."""
    return _chain(t, atom, lambda p: _opened_det(t, p))


def _opened_det(t: Translator, poly: Poly) -> Poly:
    """Differentiate a multiple of a determinant by Jacobi's formula."""
    total: Poly = {}
    for (powers, nets), c in poly.items():
        for atom, power in powers:
            if t.algebra.kind(atom) == "det" and power == 1:
                inner = t.algebra.atoms[atom].inner
                assert inner is not None
                slope = det_slope(t, atom, along(t, inner))
                total = t.algebra.add(
                    total, t.algebra.multiply({(powers, nets): c}, slope)
                )
    return total
