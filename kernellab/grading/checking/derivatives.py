"""Derivatives of sums: by a symbol, and along the parameter θ.

Both follow the product rule; they differ in the derivative of an atom. In that, $0 and
$1 are the indices of the atom, row and column those of the variable.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from kernellab.grading.checking.atoms import (
    Atom,
    Refused,
    basis_atom,
    eye_atom,
    tensor_atom,
)
from kernellab.grading.checking.functions import inverse, power
from kernellab.grading.checking.names import SYMMETRIC, Names
from kernellab.grading.checking.sums import (
    COLUMN,
    ROW,
    Product,
    Sum,
    Term,
    add,
    all_atoms,
    multiplied_out,
    multiply,
    opened,
    product,
    rename,
    scale,
    single,
    text,
    transpose,
)

OfAtom = Callable[[Atom], Sum]
SLOTS = ("$0", "$1")


def derivative(one: Sum, of_atom: OfAtom) -> Sum:
    """Return the derivative by the product rule.

    Parameters
    ----------
    of_atom : the derivative of a single atom.
    """
    return add(*(_of_term(term, c, of_atom) for term, c in one.items()))


def _of_term(term: Term, c: Fraction, of_atom: OfAtom) -> Sum:
    total: Sum = {}
    raw = opened(term, c)
    for atom, exponent in raw.powers.items():
        slope = _of_number(atom, of_atom)
        if slope:
            powers = {**raw.powers, atom: exponent - 1}
            rest = Product(c * exponent, powers, raw.factors, raw.bound)
            total = add(total, multiply(multiplied_out(rest), slope))
    for place, (atom, _) in enumerate(raw.factors):
        total = add(total, _exchanged(raw, place, of_atom(atom)))
    return total


def _of_number(atom: Atom, of_atom: OfAtom) -> Sum:
    if atom.kind != "network":
        return of_atom(atom)
    return _of_term(((), (atom.data,)), Fraction(1), of_atom)


def _exchanged(raw: Product, place: int, slope: Sum) -> Sum:
    """Put the derivative of one factor in its place."""
    if not slope:
        return {}
    _, indices = raw.factors[place]
    doors = {i: f"$door{i}" for i in indices if i in raw.bound}
    factors = [
        (a, tuple(doors.get(i, i) for i in at))
        for k, (a, at) in enumerate(raw.factors)
        if k != place
    ]
    bound = {i: size for i, size in raw.bound.items() if i not in doors}
    rest = multiplied_out(Product(raw.coefficient, raw.powers, factors, bound))
    ends = {SLOTS[k]: doors.get(i, i) for k, i in enumerate(indices)}
    over = {door: raw.bound[i] for i, door in doors.items()}
    return multiply(rest, rename(slope, ends), over)


# By a symbol


def by_symbol(names: Names, one: Sum, name: str) -> Sum:
    """Return the derivative of a number by a symbol, with the symbol's indices.

    Everything that depends on the symbol must have been put in.
    """
    symbol = names.table[name]
    if symbol.kind in SYMMETRIC and symbol.shape[1] != "1":
        raise Refused("a derivative by a symmetric matrix")
    return derivative(one, lambda atom: _by(names, atom, name))


def _by(names: Names, atom: Atom, name: str) -> Sum:
    if not depends(names, atom, name):
        return {}
    if atom.kind == "symbol" and atom.data == name:
        slots = zip(atom.sizes, SLOTS, (ROW, COLUMN), strict=False)
        return product(*(single(eye_atom(s), slot, i) for s, slot, i in slots))
    if atom.kind == "entry" and len(atom.data[1]) == 1:
        return single(basis_atom(atom.data[1][0], names.table[name].shape[0]), ROW)
    if atom.kind in ("symbol", "entry", "grad", "d", "cov", "loss"):
        raise Refused(f"the derivative of {atom.key} by {name}")
    return chain(names, atom, lambda inner: by_symbol(names, inner, name))


def depends(names: Names, atom: Atom, name: str) -> bool:
    """Return True if an atom depends on a symbol, by itself or by a definition."""
    if atom.kind == "symbol":
        return atom.data == name or name in names.below(atom.data)
    if atom.kind == "entry":
        return atom.data[0] == name or name in names.below(atom.data[0])
    if atom.kind == "cov":
        return any(n == name or name in names.below(n) for n in atom.data)
    if atom.kind == "network":
        return any(depends(names, a, name) for a, _ in atom.data)
    return atom.inner is not None and any(
        depends(names, a, name) for a in all_atoms(atom.inner)
    )


def closed_gradient(names: Names, one: Sum, name: str) -> Sum:
    """Return the gradient of a number as a combination of closed gradients."""
    symbol, total = names.table[name], dict[Term, Fraction]()
    sides = {i: s for i, s in zip((ROW, COLUMN), symbol.shape, strict=True) if s != "1"}
    if any(size.isdigit() for size in sides.values()):
        raise Refused("a gradient of literal size")
    for (powers, nets), c in one.items():
        if nets:
            raise Refused("the gradient of a number with an index")
        moving = tuple((a, p) for a, p in powers if depends(names, a, name))
        fixed = tuple((a, p) for a, p in powers if not depends(names, a, name))
        if moving:
            inner: Sum = {(moving, ()): Fraction(1)}
            key = f"grad({text(inner)}, {name})"
            atom = Atom(key, "grad", name, tuple(sides.values()), inner=inner)
            part = multiply({(fixed, ()): c}, single(atom, *sides))
            total = add(total, part)
    return total


# Along θ


def along(names: Names, one: Sum) -> Sum:
    """Return the derivative along θ; closed for symbols, inverses, determinants."""
    return derivative(one, lambda atom: _along(names, atom))


def _along(names: Names, atom: Atom) -> Sum:
    tangents = names.problem.tangents
    match atom.kind:
        case "symbol" if atom.data in tangents:
            return _tangent(names, tangents[atom.data])
        case "symbol":
            return _closed(atom) if names.varies(atom.data) else {}
        case "inverse" | "det":
            return _closed(atom) if along(names, atom.inner) else {}
        case "log" if any(a.kind == "det" for a in all_atoms(atom.inner)):
            return _closed(atom) if along(names, atom.inner) else {}
        case "size" | "eye" | "basis":
            return {}
        case "entry" | "cov" | "grad" | "d" | "loss" | "network":
            if any(names.varies(n) for n in _symbols(atom)):
                raise Refused(f"the derivative of {atom.key} along θ")
            return {}
    return chain(names, atom, lambda inner: along(names, inner))


def _symbols(atom: Atom) -> set[str]:
    """Return the names of the symbols in an atom."""
    if atom.kind == "cov":
        return set(atom.data)
    if atom.kind == "entry":
        return {atom.data[0]}
    inside = all_atoms(atom.inner) if atom.inner is not None else set()
    return {a.data for a in inside if a.kind == "symbol"}


def _tangent(names: Names, name: str) -> Sum:
    symbol = names.table[name]
    sizes = tuple(size for size in symbol.shape if size != "1")
    symmetric = len(sizes) == 2 and symbol.kind in SYMMETRIC
    atom = tensor_atom("symbol", name, sizes, symmetric)
    return single(atom, *SLOTS[: len(sizes)])


def _closed(atom: Atom) -> Sum:
    """Return the derivative of an atom as an atom of its own."""
    inner: Sum = {(((atom, Fraction(1)),), ()): Fraction(1)}
    key = f"d({atom.key})"
    found = Atom(key, "d", atom, atom.sizes, atom.symmetric, inner)
    return single(found, *SLOTS[: len(atom.sizes)])


# The chain rule


def chain(names: Names, atom: Atom, slope: Callable[[Sum], Sum]) -> Sum:
    """Return the derivative of a function of something."""
    if atom.kind == "inverse":
        return inverse_slope(atom, _kept_apart(slope, atom.inner))
    inner = slope(atom.inner)
    if not inner:
        return {}
    if atom.sizes:
        raise Refused(f"the derivative of {atom.key}, which has indices")
    match atom.kind:
        case "base":
            return inner
        case "exp":
            return multiply(single(atom), inner)
        case "log":
            return multiply(power(names, atom.inner, Fraction(-1)), inner)
    raise Refused(f"the derivative of {atom.key}")


def _kept_apart(slope: Callable[[Sum], Sum], matrix: Sum) -> Sum:
    """Differentiate a matrix whose rows and columns are called $p and $q."""
    return slope(rename(matrix, {ROW: "$p", COLUMN: "$q"}))


def inverse_slope(atom: Atom, slope: Sum) -> Sum:
    """Return −X⁻¹ dX X⁻¹; the slope of X has the indices $p and $q."""
    size = atom.sizes[0]
    left, right = single(atom, "$0", "$p"), single(atom, "$q", "$1")
    half = multiply(left, slope, {"$p": size})
    return scale(multiply(half, right, {"$q": size}), -1)


def jacobi(matrix: Sum, slope: Sum, size: str) -> Sum:
    """Return tr(X⁻¹ dX), the derivative of log det X."""
    return multiply(inverse(matrix, size), transpose(slope), {ROW: size, COLUMN: size})
