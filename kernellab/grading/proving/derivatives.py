"""Derivatives of polynomials: by a symbol, and along the parameter θ.

Both follow the product rule over the factors of each term; they differ in what the
derivative of an atom is. Gradients, and derivatives of inverses and determinants along
θ, stay closed until a fact computes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kernellab.grading.language.tree import Expr, call, grad, sym
from kernellab.grading.proving.elements import (
    axes_of,
    basis,
    eye,
    inverse_of,
    power,
    symbol_poly,
)
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Poly,
    Raw,
    Term,
    Untranslatable,
)
from kernellab.grading.proving.rationals import Rational
from kernellab.grading.proving.trees import atom_tree, scalar_tree

if TYPE_CHECKING:
    from kernellab.grading.proving.translation import Translator

OfAtom = Callable[[int], Poly]


def by_symbol(t: Translator, poly: Poly, name: str) -> Poly:
    """Return the derivative of a number by a symbol, with the symbol's indices.

    What depends on the symbol must have been opened.
    """
    return _derivative(t.algebra, poly, lambda atom: _of_atom_by(t, atom, name))


def along(t: Translator, poly: Poly) -> Poly:
    """Return the derivative along θ; those of inverses and determinants stay closed."""
    return _derivative(t.algebra, poly, lambda atom: _of_atom_along(t, atom))


def _derivative(algebra: Algebra, poly: Poly, of_atom: OfAtom) -> Poly:
    parts = (_of_term(algebra, term, c, of_atom) for term, c in poly.items())
    return algebra.add(*(part for some in parts for part in some))


def _of_term(algebra: Algebra, term: Term, c: Rational, of_atom: OfAtom) -> list[Poly]:
    """Return the derivatives of a product, one factor after the other."""
    found = []
    raw = algebra.opened(term, c)
    for atom, exponent in raw.powers.items():
        if algebra.kind(atom) == "net":
            net = ((), (algebra.atoms[atom].data,))
            slope = algebra.add(*_of_term(algebra, net, 1, of_atom))
        else:
            slope = of_atom(atom)
        if slope:
            powers = {**raw.powers, atom: exponent - 1}
            rest = algebra.closed(Raw(c * exponent, powers, raw.factors, raw.bound))
            found.append(algebra.multiply(rest, slope))
    for place, (atom, _) in enumerate(raw.factors):
        slope = of_atom(atom)
        if slope:
            found.append(_exchanged(algebra, raw, place, slope))
    return found


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
    summed = {door: raw.bound[i] for i, door in doors.items()}
    return algebra.multiply(left, algebra.renamed(slope, names), summed)


def slot(algebra: Algebra, place: int) -> int:
    """Return the index that stands for the index of an atom at a place."""
    return algebra.index(f"$slot{place}")


def slots(algebra: Algebra, poly: Poly) -> Poly:
    """Name the row and column of an atom's polynomial by their slots."""
    return algebra.renamed(poly, {ROW: slot(algebra, 0), COLUMN: slot(algebra, 1)})


# The derivative of an atom


def _of_atom_by(t: Translator, atom: int, name: str) -> Poly:
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol" if known.data == name:
            result = algebra.number(1)
            for k, size in enumerate(known.sizes):
                names = {ROW: slot(algebra, k), COLUMN: (ROW, COLUMN)[k]}
                part = algebra.renamed(eye(algebra, size), names)
                result = algebra.multiply(result, part)
            return result
        case "symbol":
            if t.scope.depends(known.data, name):
                raise Untranslatable(f"{known.data} depends on {name}")
            return {}
        case "entry" if known.data[0] == name:
            assert known.tree is not None
            size = axes_of(known.tree.args[0].shape)[ROW]
            return basis(algebra, known.data[1][0], size, ROW)
        case "function" if known.data[0] == "loss":
            if moves(t, atom, name):
                raise Untranslatable("the gradient of an unknown loss")
            return {}
    return _chain(t, atom, lambda inner: by_symbol(t, inner, name))


def _of_atom_along(t: Translator, atom: int) -> Poly:
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol" if known.data in t.scope.tangents:
            tangent = t.scope.symbols[t.scope.tangents[known.data]]
            return slots(algebra, symbol_poly(algebra, tangent))
        case "symbol" if t.scope.varies(known.data):
            return _closed_derivative(t, atom)
        case "symbol" if known.data in t.scope.tangents.values():
            raise Untranslatable("a derivative of a derivative")
        case "inverse" | "det":
            return _closed_derivative(t, atom) if along(t, algebra.inner(atom)) else {}
    slope = _chain(t, atom, lambda inner: along(t, inner))
    return _closed_derivative(t, atom) if slope and _is_log_det(t, atom) else slope


def _closed_derivative(t: Translator, atom: int) -> Poly:
    """Return d of an atom as an atom of its own."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    tree = atom_tree(algebra, atom)
    derived = algebra.atom(
        "d", atom, sizes=known.sizes, symmetric=atom in algebra.symmetric,
        tree=call("d", tree, shape=tree.shape),
    )  # fmt: skip
    places = range(len(known.sizes))
    return algebra.single(derived, tuple(slot(algebra, k) for k in places))


def _is_log_det(t: Translator, atom: int) -> bool:
    known = t.algebra.atoms[atom]
    if known.kind != "function" or known.data[0] != "log":
        return False
    powers = (a for powers, _ in t.algebra.inner(atom) for a, _ in powers)
    return any(t.algebra.kind(a) == "det" for a in powers)


def _chain(t: Translator, atom: int, slope: Callable[[Poly], Poly]) -> Poly:
    """Return the derivative of a compound atom by the chain rule."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    if known.kind in ("grad", "d", "cov"):
        raise Untranslatable("a derivative of a derivative")
    inner = slope(algebra.inner(atom))
    if not inner:
        return {}
    match known.kind:
        case "power":
            return inner
        case "inverse":
            return _inverse_slope(t, atom, inner)
        case "det":
            return _det_slope(t, atom, inner)
        case "function" if known.sizes:
            raise Untranslatable("the derivative of an indexed function")
    match known.data[0]:
        case "exp":
            return algebra.multiply(algebra.single(atom), inner)
        case "log":
            back = power(algebra, algebra.inner(atom), -1, t.positive)
            return algebra.multiply(back, inner)
    raise Untranslatable(f"the derivative of {known.data[0]}")


def _inverse_slope(t: Translator, atom: int, slope: Poly) -> Poly:
    """Return −X⁻¹ dX X⁻¹, the rows and columns of the inverse in its slots."""
    algebra, size = t.algebra, t.algebra.atoms[atom].sizes[0]
    if algebra.free(slope) - {ROW, COLUMN}:
        raise Untranslatable("the gradient of an inverse")
    p, q = algebra.index("$p"), algebra.index("$q")
    left = algebra.single(atom, (slot(algebra, 0), p))
    right = algebra.single(atom, (q, slot(algebra, 1)))
    middle = algebra.renamed(slope, {ROW: p, COLUMN: q})
    half = algebra.multiply(left, middle, {p: size})
    return algebra.scale(algebra.multiply(half, right, {q: size}), -1)


def _det_slope(t: Translator, atom: int, slope: Poly) -> Poly:
    """Return det X · tr(X⁻¹ dX), the derivative of det X (Jacobi)."""
    algebra = t.algebra
    if not _is_definite(t, algebra.inner(atom)):
        raise Untranslatable("the derivative of a determinant that may be 0")
    tree = atom_tree(algebra, atom).args[0]
    back = inverse_of(algebra, algebra.inner(atom), tree, t.positive)
    trace = algebra.multiply(back, algebra.transposed(slope), axes_of(tree.shape))
    return algebra.multiply(algebra.single(atom), trace)


def _is_definite(t: Translator, X: Poly) -> bool:
    """Return True for a positive sum of matrices, one of them positive definite."""
    known = t.algebra.atoms
    found = set()
    for (powers, nets), c in X.items():
        factors = [factor for net in nets for factor in net]
        if c < 0 or len(factors) != 1 or not all(known[a].positive for a, _ in powers):
            return False
        ((atom, at),) = factors
        symbol = t.scope.symbols.get(known[atom].data)
        eye = known[atom].kind == "eye"
        found.add("pd" if eye else symbol.kind if symbol and len(at) == 2 else "")
    return "pd" in found <= {"pd", "psd"}


def opened_slope(t: Translator, atom: int) -> Poly:
    """Return what the closed derivative of an atom along θ is."""
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol":
            names = {n for n in t.scope.symbols if t.scope.varies(n)}
            moving = t.with_opened(t.opened | names - set(t.scope.tangents))
            definition = t.scope.definition(known.data)
            assert definition is not None
            return slots(algebra, along(t, moving(definition)))
        case "inverse" | "det":
            return _chain(t, atom, lambda inner: along(t, inner))

    def of_atom(a: int) -> Poly:
        """Also open the derivatives of determinants, in log det X."""
        return (opened_slope if algebra.kind(a) == "det" else _of_atom_along)(t, a)

    return _chain(t, atom, lambda inner: _derivative(algebra, inner, of_atom))


# Closed gradients


def gradient(t: Translator, function: Expr, name: str) -> Poly:
    """Return a gradient as a combination of closed gradients of single numbers."""
    if name not in t.scope.symbols:
        raise Untranslatable("a gradient by something that is no symbol")
    algebra, shape = t.algebra, t.scope.symbols[name].shape
    axes = axes_of(shape)
    if any(size.isdigit() for size in axes.values()):
        raise Untranslatable("a gradient of literal size")
    total: Poly = {}
    for (powers, nets), c in t.with_opened(frozenset())(function).items():
        moving = tuple((a, p) for a, p in powers if moves(t, a, name))
        if any(moves(t, a, name) for net in nets for a, _ in net):
            raise Untranslatable("a gradient with an index")
        if not moving:
            continue
        part = ((moving, ()), 1)
        tree = scalar_tree(algebra, moving, 1)
        atom = algebra.atom(
            "grad", (part, name), sizes=tuple(axes.values()), inner=dict([part]),
            tree=grad(tree, sym(name, shape)),
        )  # fmt: skip
        fixed = tuple(pair for pair in powers if pair not in moving)
        closed = algebra.single(atom, tuple(axes))
        total = algebra.add(total, algebra.multiply({(fixed, nets): c}, closed))
    return total


def moves(t: Translator, atom: int, name: str) -> bool:
    """Return True if an atom depends on a symbol, by name or through definitions."""
    known = t.algebra.atoms[atom]
    if known.kind == "symbol":
        return bool(known.data == name or t.scope.depends(known.data, name))
    if known.kind == "entry":
        return bool(known.data[0] == name)
    if known.kind == "net":
        return any(moves(t, a, name) for a, _ in known.data)
    return any(
        moves(t, a, name)
        for powers, nets in t.algebra.inner(atom)
        for a in [*dict(powers), *(a for net in nets for a, _ in net)]
    )
