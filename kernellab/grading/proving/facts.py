"""Facts: the equations that can be used besides the lines of a derivation.

Inverses, gradients, stationarity, derivatives along θ, independence: each becomes a
premise with a label, in the normal form of some opened definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import permutations, product

from kernellab.grading.language.tree import NUMBER, Expr, cov, sym
from kernellab.grading.proving.derivatives import (
    along,
    by_symbol,
    gradient,
    opened_slope,
    slot,
)
from kernellab.grading.proving.elements import atoms_in, axes_of, eye
from kernellab.grading.proving.entailment import combination
from kernellab.grading.proving.knowledge import Knowledge, Link
from kernellab.grading.proving.matching import Premise
from kernellab.grading.proving.networks import (
    COLUMN,
    ROW,
    Algebra,
    Atom,
    Bound,
    Poly,
    Untranslatable,
)
from kernellab.grading.proving.translation import Translator

# An identity that needs them is none.
_BARRED = ("stationary", "given", "sufficient", "supposed")


def link_premise(t: Translator, link: Link) -> Premise:
    """Return an equation that stands as a premise."""
    poly, at = t.algebra.subtract(t(link.left), t(link.right)), axes(t, link)
    if not t.algebra.free(poly) <= at.keys():
        raise Untranslatable("an index that nothing runs through")
    return Premise(link.label, poly, at, int(not link.before), link.fact)


def axes(t: Translator, link: Link) -> Bound:
    """Return the free indices of a relation, with their sizes."""
    side = link.right if link.left.op == "num" and link.right.shape else link.left
    named = {t.algebra.index(n): size for n, size in link.free.items()}
    return axes_of(side.shape) | named


# Inverses


def inverse_facts(algebra: Algebra, atoms: Iterable[int]) -> list[Premise]:
    """Return X X⁻¹ = I = X⁻¹ X for the inverses that occur, p · p⁻¹ = 1 for numbers."""
    found: list[Premise] = []
    for atom in sorted(atoms):
        if algebra.kind(atom) in ("inverse", "power"):
            made = partial(_inverse_facts, algebra, atom)
            found += algebra.once(("inverse", atom), made)
    return found


def _inverse_facts(algebra: Algebra, atom: int) -> list[Premise]:
    known, inner = algebra.atoms[atom], algebra.inner(atom)
    if known.kind == "power":
        product = algebra.multiply(inner, {(((atom, -1),), ()): 1})
        poly = algebra.subtract(product, algebra.number(1))
        return [Premise(("reciprocal", atom), poly, {}, 0)]
    size = known.sizes[0]
    one, back = eye(algebra, size), algebra.single(atom, (ROW, COLUMN))
    sides = {"right": (inner, back), "left": (back, inner)}
    if atom in algebra.symmetric:
        del sides["left"]
    return [
        Premise(
            ("inverse", atom, side),
            algebra.subtract(algebra.matmul(*factors, size), one),
            {ROW: size, COLUMN: size},
        )
        for side, factors in sides.items()
    ]


def vanishes(algebra: Algebra, target: Poly, given: Iterable[Poly] = ()) -> bool:
    """Return True if a polynomial is 0 by algebra and inverses, where others are 0."""
    if not target:
        return True
    polys = [target, *given]
    free = {i: "" for poly in polys for i in algebra.free(poly)}
    premises = [Premise(("line",), poly, free) for poly in polys[1:]]
    premises += inverse_facts(algebra, atoms_in(algebra, polys))
    return combination(algebra, target, free, premises) is not None


# Gradients, derivatives along θ and covariances, each computed once


def derived_facts(
    t: Translator, knowledge: Knowledge, atoms: Iterable[int]
) -> Iterator[Premise]:
    """Yield what derivatives and covariances that occur are, and which are 0."""
    equal = [link for link in knowledge.links if link.sign == "=" and not link.free]
    general = [link for link in equal if is_identity(link, "")]
    for atom in sorted(atoms):
        known = t.algebra.atoms[atom]
        match known.kind:
            case "d":
                yield from _kept(t, ("slope", atom), partial(_slope, t, atom))
            case "grad":
                yield from _kept(t, ("gradient", atom), partial(_gradient, t, atom))
                for link in equal:
                    if is_identity(link, known.data[1]):
                        key = ("gradient of", atom, link.label)
                        yield from _kept(t, key, partial(_gradient_of, t, link, atom))
                if _is_stationary(knowledge, known):
                    label = ("stationary", known.data[1])
                    yield Premise(label, *_closed(t.algebra, atom))
            case "cov":
                for link, (one, other) in product(general, permutations(known.data)):
                    if one in _named(link):
                        key = ("covariance of", link.label, other)
                        yield from _kept(
                            t, key, partial(_covariance_of, t, link, other)
                        )
    for link in general if t.scope.tangents else ():
        yield from _kept(t, ("slope of", link.label), partial(_slope_of, t, link))


def _named(link: Link) -> set[str]:
    """Return the names that are a side of an equation."""
    return {side.data for side in (link.left, link.right) if side.op == "sym"}


def _is_stationary(knowledge: Knowledge, known: Atom) -> bool:
    """Return True for a gradient of the object that is known to vanish."""
    of = known.tree.args[0].data if known.tree else None
    return known.data[1] in knowledge.stationary and of == knowledge.object


def _kept(
    t: Translator, key: tuple[object, ...], made: Callable[[], Iterator[Premise]]
) -> list[Premise]:
    """Return facts that are made once for a translator."""
    if key not in t.facts:
        t.facts[key] = []
        with suppress(Untranslatable):
            t.facts[key] = list(made())
    found: list[Premise] = t.facts[key]
    return found


def _closed(algebra: Algebra, atom: int) -> tuple[Poly, Bound]:
    """Return a gradient as it stands, with its free indices."""
    sizes = algebra.atoms[atom].sizes
    indices = (ROW, COLUMN)[: len(sizes)]
    return algebra.single(atom, indices), dict(zip(indices, sizes, strict=True))


def _gradient(t: Translator, atom: int) -> Iterator[Premise]:
    """Yield the gradient of a number by its definition."""
    known = t.algebra.atoms[atom]
    assert known.tree is not None
    closed, sides = _closed(t.algebra, atom)
    slope = written_gradient(t, known.tree.args[0], known.data[1])
    yield Premise(("gradient", atom), t.algebra.subtract(closed, slope), sides)


def written_gradient(t: Translator, function: Expr, name: str) -> Poly:
    """Return a gradient; what depends on the variable, but not itself, is opened."""
    depend = {n for n in t.scope.symbols if t.scope.depends(n, name)}
    moving = t.with_opened((t.opened | depend) - {name})
    return by_symbol(moving, moving(function), name)


def is_identity(link: Link, name: str) -> bool:
    """Return True if an equation holds whatever a variable is."""
    barred = any(label[0] in _BARRED for label in link.rests)
    given = link.label[0] == "given"
    return not given and not barred and ("definition", name) not in link.rests


def _gradient_of(t: Translator, link: Link, atom: int) -> Iterator[Premise]:
    """Yield the gradient of a line f = E, taken on both sides."""
    name, (_, at) = t.algebra.atoms[atom].data[1], _closed(t.algebra, atom)
    sides = ((link.left, link.right, False), (link.right, link.left, True))
    for one, two, turned in sides:
        if one.shape != NUMBER:
            continue
        try:
            closed = gradient(t, one, name)
            if atom in atoms_in(t.algebra, [closed]):
                poly = t.algebra.subtract(closed, written_gradient(t, two, name))
                yield Premise(("gradient of", link.label, name, turned), poly, at)
        except Untranslatable:
            continue


def _slope(t: Translator, atom: int) -> Iterator[Premise]:
    """Yield what d of an inverse, a determinant or a symbol is."""
    algebra, sizes = t.algebra, t.algebra.atoms[atom].sizes
    places = tuple(slot(algebra, k) for k in range(len(sizes)))
    slope = opened_slope(t, algebra.atoms[atom].data)
    poly = algebra.subtract(algebra.single(atom, places), slope)
    yield Premise(("slope", atom), poly, dict(zip(places, sizes, strict=True)))


def _slope_of(t: Translator, link: Link) -> Iterator[Premise]:
    """Yield the derivative of a line along θ."""
    closed = t.with_opened(frozenset())
    poly = along(t, t.algebra.subtract(closed(link.left), closed(link.right)))
    if poly:
        yield Premise(("slope of", link.label), poly, axes(t, link))


def _covariance_of(t: Translator, link: Link, name: str) -> Iterator[Premise]:
    """Yield cov(left, u) = cov(right, u) of a line."""
    other = sym(name, t.scope.symbols[name].shape)
    one, two = (cov(side, other) for side in (link.left, link.right))
    poly = t.algebra.subtract(t(one), t(two))
    label = ("covariance of", link.label, name)
    yield Premise(label, poly, axes_of(one.shape), int(not link.before), link.fact)


# Independence


def independence_facts(t: Translator, knowledge: Knowledge) -> Iterator[Premise]:
    """Yield the conditional mean and variance: m = f − z and s² = cov(z, z)."""
    names, symbols = knowledge.conditional, t.scope.symbols
    for label, residual in knowledge.residuals:
        mean, of, variance = (
            t(sym(names[n], symbols[names[n]].shape))
            for n in ("mean", "of", "variance")
        )
        spread = cov(residual, residual)
        facts = {
            "mean": (t.algebra.subtract(t(residual), of), mean, residual.shape),
            "variance": (t.algebra.scale(t(spread), -1), variance, spread.shape),
        }
        for name, (one, two, shape) in facts.items():
            poly = t.algebra.add(one, two)
            yield Premise(("independence", label, residual, name), poly, axes_of(shape))
