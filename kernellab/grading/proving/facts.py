"""Facts: the equations that can be used besides the lines of a derivation.

Inverses, gradients, stationarity, derivatives along θ, independence: each becomes a
premise with a label, in the normal form of some opened definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.proving.derivatives import (
    along,
    by_symbol,
    det_slope,
    inverse_slope,
    log_det_slope,
    slot,
)
from kernellab.grading.proving.knowledge import Knowledge, Link
from kernellab.grading.proving.matching import Premise
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Poly,
    TooLarge,
    Untranslatable,
)
from kernellab.grading.proving.translation import (
    Translator,
    eye,
    gradient,
    matmul,
)

# An identity that needs them is none.
_BARRED = ("stationary", "given", "sufficient", "supposed")


def link_premise(t: Translator, link: Link) -> Premise:
    """Return an equation that stands as a premise."""
    poly = t.algebra.subtract(t(link.left), t(link.right))
    return Premise(link.label, poly, axes(t, link), int(not link.before), link.fact)


def axes(t: Translator, link: Link) -> dict[int, str]:
    """Return the free indices of a relation, with their sizes."""
    shape = link.left.shape or NUMBER
    if link.left.op == "num" and link.right.shape:
        shape = link.right.shape
    found = {i: s for i, s in zip((ROW, COLUMN), shape, strict=True) if s != "1"}
    return found | {t.algebra.index(n): size for n, size in link.free.items()}


def atoms_in(algebra: Algebra, polys: Iterable[Poly]) -> set[int]:
    """Return the atoms that occur, also inside others."""
    found: set[int] = set()
    todo = list(polys)
    while todo:
        poly = todo.pop()
        for powers, nets in poly:
            for atom in [*dict(powers), *(a for net in nets for a, _ in net)]:
                if atom in found:
                    continue
                found.add(atom)
                known = algebra.atoms[atom]
                if known.kind == "net":
                    todo.append({((), (known.data,)): 1})
                elif known.kind == "d":
                    todo.append({(((known.data, 1),), ()): 1})
                elif known.inner is not None:
                    todo.append(known.inner)
    return found


# Inverses


def inverse_facts(algebra: Algebra, atoms: Iterable[int]) -> list[Premise]:
    """Return X X⁻¹ = I = X⁻¹ X for the inverses that occur, p · p⁻¹ = 1 for numbers."""
    found: list[Premise] = []
    for atom in sorted(atoms):
        if algebra.kind(atom) in ("inverse", "power"):
            key = ("inverse", atom)
            if key not in algebra.kept:
                algebra.kept[key] = list(_inverse_facts(algebra, atom))
            found += algebra.kept[key]
    return found


def _inverse_facts(algebra: Algebra, atom: int) -> Iterator[Premise]:
    known = algebra.atoms[atom]
    assert known.inner is not None
    if known.kind == "power":
        product = algebra.multiply(known.inner, {(((atom, -1),), ()): 1})
        poly = algebra.subtract(product, algebra.number(1))
        yield Premise(("reciprocal", atom), poly, {}, 0)
        return
    size = known.sizes[0]
    one, back = eye(algebra, size), algebra.single(atom, (ROW, COLUMN))
    sides = {"right": (known.inner, back), "left": (back, known.inner)}
    for side, (left, right) in sides.items():
        if side == "right" or atom not in algebra.symmetric:
            poly = algebra.subtract(matmul(algebra, left, right, size), one)
            yield Premise(("inverse", atom, side), poly, {ROW: size, COLUMN: size})


# Gradients


def gradient_facts(
    t: Translator, knowledge: Knowledge, atoms: Iterable[int], known: Known
) -> Iterator[Premise]:
    """Yield what the gradients that occur are, and which of them vanish.

    Parameters
    ----------
    known : gradients that were computed before.
    """
    for atom in sorted(atoms):
        if t.algebra.kind(atom) == "grad":
            yield from _gradients(t, knowledge, atom, known)


def _gradients(
    t: Translator, knowledge: Knowledge, atom: int, known: Known
) -> Iterator[Premise]:
    of = t.algebra.atoms[atom]
    assert of.tree is not None
    name = of.data[1]
    own = (t.opened, atom)
    if own not in known:
        known[own] = list(_gradient_of_definition(t, atom))
    yield from known[own]
    for link in (*knowledge.links, *knowledge.chains):
        if link.sign == "=" and not link.free and differentiable(link, name):
            key = (t.opened, atom, link.label)
            if key not in known:
                known[key] = list(_gradient_of_line(t, link, atom))
            yield from known[key]
    if name in knowledge.stationary and of.tree.args[0].data == knowledge.object:
        closed, sides = _closed(t.algebra, atom)
        yield Premise(("stationary", name), closed, sides)


Known = dict[object, list[Premise]]


def _closed(algebra: Algebra, atom: int) -> tuple[Poly, dict[int, str]]:
    """Return a gradient as it stands, with its free indices."""
    sizes = algebra.atoms[atom].sizes
    indices = (ROW, COLUMN)[: len(sizes)]
    return algebra.single(atom, indices), dict(zip(indices, sizes, strict=True))


def _gradient_of_definition(t: Translator, atom: int) -> Iterator[Premise]:
    tree, name = t.algebra.atoms[atom].tree, t.algebra.atoms[atom].data[1]
    assert tree is not None
    closed, sides = _closed(t.algebra, atom)
    moving = opened_for(t, name)
    try:
        slope = by_symbol(moving, moving(tree.args[0]), name)
    except (Untranslatable, TooLarge):
        return
    yield Premise(("gradient", atom), t.algebra.subtract(closed, slope), sides)


def opened_for(t: Translator, name: str) -> Translator:
    """Return a translator that opens all that depends on a variable, but not itself."""
    scope = t.scope
    depend = {n for n in scope.symbols if scope.depends(n, name)}
    return t.with_opened((t.opened | depend) - {name})


def differentiable(link: Link, name: str) -> bool:
    """Return True if an equation holds as an identity in a variable."""
    barred = any(label[0] in _BARRED for label in link.rests)
    return (
        link.label[0] != "given"
        and not barred
        and ("definition", name) not in link.rests
    )


def _gradient_of_line(t: Translator, link: Link, atom: int) -> Iterator[Premise]:
    """Yield the gradient of a line f = E, taken on both sides."""
    name = t.algebra.atoms[atom].data[1]
    _, at = _closed(t.algebra, atom)
    moving = opened_for(t, name)
    sides = ((link.left, link.right, False), (link.right, link.left, True))
    for one, two, turned in sides:
        if one.shape != NUMBER:
            continue
        try:
            closed = gradient(t, one, name)
            if atom in atoms_in(t.algebra, [closed]):
                slope = by_symbol(moving, moving(two), name)
                poly = t.algebra.subtract(closed, slope)
                yield Premise(("gradient of", link.label, name, turned), poly, at)
        except (Untranslatable, TooLarge):
            continue


# Derivatives along θ


def slope_facts(
    t: Translator, knowledge: Knowledge, atoms: Iterable[int]
) -> Iterator[Premise]:
    """Yield what the derivatives along θ that occur are."""
    if not t.scope.tangents:
        return
    algebra = t.algebra
    for atom in sorted(atoms):
        if algebra.kind(atom) == "d":
            inner = algebra.atoms[algebra.atoms[atom].data]
            slots = tuple(slot(algebra, k) for k in range(len(inner.sizes)))
            closed = algebra.single(atom, slots)
            slope = _slope(t, inner.id)
            poly = algebra.subtract(closed, slope)
            sides = dict(zip(slots, inner.sizes, strict=True))
            yield Premise(("slope", atom), poly, sides)
    for link in knowledge.links:
        if link.sign == "=" and not link.free and differentiable(link, ""):
            poly = _slope_of_line(t, link)
            if poly:
                yield Premise(("slope of", link.label), poly, axes(t, link))


def _slope_of_line(t: Translator, link: Link) -> Poly:
    closed = t.with_opened(frozenset())
    try:
        return along(t, t.algebra.subtract(closed(link.left), closed(link.right)))
    except (Untranslatable, TooLarge):
        return {}


def _slope(t: Translator, atom: int) -> Poly:
    algebra, known = t.algebra, t.algebra.atoms[atom]
    match known.kind:
        case "symbol":
            names = {n for n in t.scope.symbols if t.scope.varies(n)}
            moving = t.with_opened(t.opened | names - set(t.scope.tangents))
            definition = t.scope.definition(known.data)
            assert definition is not None
            poly = along(t, moving(definition))
            return algebra.renamed(
                poly, {ROW: slot(algebra, 0), COLUMN: slot(algebra, 1)}
            )
        case "inverse":
            assert known.inner is not None
            return inverse_slope(t, atom, along(t, known.inner))
        case "det":
            assert known.inner is not None
            jacobi = det_slope(t, atom, along(t, known.inner))
            return algebra.multiply(algebra.single(atom), jacobi)
    return log_det_slope(t, atom)


# Independence


def independence_facts(t: Translator, knowledge: Knowledge) -> Iterator[Premise]:
    """Yield the conditional mean and variance: m = f − z and s² = cov(z, z)."""
    names = knowledge.conditional
    for label, residual in knowledge.residuals:
        symbols = t.scope.symbols
        mean, of, variance = (
            t(Expr("sym", data=names[n], shape=symbols[names[n]].shape))
            for n in ("mean", "of", "variance")
        )
        z = t(residual)
        poly = t.algebra.add(mean, t.algebra.scale(of, -1), z)
        shape = residual.shape or NUMBER
        sides = {i: s for i, s in zip((ROW, COLUMN), shape, strict=True) if s != "1"}
        yield Premise(("independence", label, residual, "mean"), poly, sides)
        spread = t(Expr("call", (residual, residual), "cov", (shape[0], shape[0])))
        both = {i: s for i, s in ((ROW, shape[0]), (COLUMN, shape[0])) if s != "1"}
        poly = t.algebra.subtract(variance, spread)
        yield Premise(("independence", label, residual, "variance"), poly, both)
