"""Covariances: bilinear in the random symbols, of which some are declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernellab.grading.language.tree import cov, sym
from kernellab.grading.proving.derivatives import moves
from kernellab.grading.proving.elements import axes_of, eye_atom
from kernellab.grading.proving.networks import COLUMN, ROW, Poly, Untranslatable

if TYPE_CHECKING:
    from kernellab.grading.proving.translation import Translator

COVARIANCES = "cov"  # opened like a definition: all declared covariances at once

Part = tuple[str, bool, Poly]  # a random symbol, whether a column, what multiplies it


def covariance(t: Translator, left: Poly, right: Poly) -> Poly:
    """Return the covariance of two vectors."""
    algebra = t.algebra
    result: Poly = {}
    joint, other = algebra.index("#random"), algebra.index("#other")
    for one, column, x in linear_parts(t, left):
        for two, tall, y in linear_parts(t, right):
            middle = algebra.renamed(_known(t, one, two), {ROW: joint, COLUMN: other})
            turned = algebra.renamed(y, {joint: other, ROW: COLUMN})
            summed = {joint: t.scope.symbols[one].shape[0]} if column else {}
            if tall:
                summed[other] = t.scope.symbols[two].shape[0]
            product = algebra.multiply(x, middle)
            result = algebra.add(result, algebra.multiply(product, turned, summed))
    return result


def linear_parts(t: Translator, poly: Poly) -> list[Part]:
    """Split a random vector into its random symbols and what multiplies them."""
    found: list[Part] = []
    for term, c in poly.items():
        raw = t.algebra.opened(term, c, nets=True)
        atoms = [*raw.powers, *(atom for atom, _ in raw.factors)]
        random = [atom for atom in atoms if _is_random(t, atom)]
        hidden = any(_holds_random(t, atom) for atom in atoms)
        power = max((raw.powers.get(atom, 1) for atom in random), default=1)
        if hidden or len(random) > 1 or power != 1:
            raise Untranslatable("a covariance of something that is not linear")
        if not random:
            continue
        (atom,) = random
        column = atom not in raw.powers
        if column:
            place = next(k for k, (a, _) in enumerate(raw.factors) if a == atom)
            _, (index,) = raw.factors.pop(place)
            link = eye_atom(t.algebra, t.algebra.atoms[atom].sizes[0])
            raw.factors.append((link, (index, t.algebra.index("#random"))))
        else:
            del raw.powers[atom]
        found.append((t.algebra.atoms[atom].data, column, t.algebra.collected([raw])))
    return found


def _is_random(t: Translator, atom: int) -> bool:
    known = t.algebra.atoms[atom]
    named = t.scope.symbols.get(known.data) if known.kind == "symbol" else None
    return named is not None and named.kind == "random"


def _holds_random(t: Translator, atom: int) -> bool:
    """Return True if a random symbol is inside a function, a power or an inverse."""
    names = [n for n, s in t.scope.symbols.items() if s.kind == "random"]
    outside = t.algebra.kind(atom) == "cov" or _is_random(t, atom)
    return not outside and any(moves(t, atom, n) for n in names)


def _known(t: Translator, one: str, two: str) -> Poly:
    """Return cov(one, two) with rows for one and columns for two."""
    declared = t.scope.covariances if COVARIANCES in t.opened else {}
    if (one, two) in declared:
        return t(declared[one, two])
    if (two, one) in declared or one > two:
        return t.algebra.transposed(_known(t, two, one))
    symbols = [sym(n, t.scope.symbols[n].shape) for n in (one, two)]
    shape = (t.scope.symbols[one].shape[0], t.scope.symbols[two].shape[0])
    axes = axes_of(shape)
    atom = t.algebra.atom(
        "cov", (one, two), sizes=tuple(axes.values()),
        symmetric=one == two and len(axes) == 2,
        tree=cov(*symbols),
    )  # fmt: skip
    return t.algebra.single(atom, tuple(axes))
