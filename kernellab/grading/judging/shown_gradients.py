"""Gradients that are shown: is a line the derivative of a line above, term by term?

From J = ‖t − Ka‖² + λaᵀKa to −2K(t − Ka) + 2λKa = 0 the gradient stands there, though
nobody called it ∇J: each term is the derivative of one term of J. The factored form
K((K + λI)a − t) = 0 shows no gradient; to find it is a step of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction

from kernellab.grading.judging.readings import Reading
from kernellab.grading.judging.statements import Statement
from kernellab.grading.language.tree import Expr, Relation, is_zero, terms
from kernellab.grading.proving.derivatives import by_symbol
from kernellab.grading.proving.networks import Poly, Rational, Term, Untranslatable
from kernellab.grading.proving.translation import Translator


def shows_gradient(reader: Reading, line: Statement, variable: str | None) -> bool:
    """Return True if a line sets c·∂J/∂v to zero, term by term of a J above it."""
    if variable is None or not line.said.stationary or line.free:
        return False
    if any(map(_misses_gradient, reader.context.statements)):
        return False
    t = reader.own_whole.with_opened(reader.own_whole.opened - {variable})
    with suppress(Untranslatable, ZeroDivisionError):
        shown = [_terms(t, relation) for _, relation in reader.readings(line)]
        for J in _written(reader, line):
            slopes = (by_symbol(t, term, variable) for term in _parts(t, J))
            wanted = [slope for slope in slopes if slope]
            if any(_proportional(t, found, wanted) for found in shown):
                return True
    return False


def _misses_gradient(line: Statement) -> bool:
    """Return True for a wrong line about a gradient: a right one shows another."""
    nodes = (node for side in line.relation.sides for node in side.walk())
    return not line.sound and any(node.op in ("grad", "diff") for node in nodes)


def _written(reader: Reading, line: Statement) -> Iterator[Expr]:
    """Yield what the object is by the sound lines above."""
    for above in reader.context.steps():
        if above.number < line.number and reader.context.counts(above):
            for _, relation in reader.readings(above):
                (left, right), signs = relation.sides, relation.signs
                if signs == ("=",) and str(left) == reader.problem.object:
                    yield right


def _terms(t: Translator, relation: Relation) -> list[Poly]:
    """Return the terms of left − right that are not 0."""
    sides = [side for side in relation.sides if not is_zero(side)]
    if relation.signs != ("=",) or not sides:
        return []
    whole = sides[0] if len(sides) == 1 else sides[0] - sides[1]
    return [poly for poly in _parts(t, whole) if poly]


def _parts(t: Translator, node: Expr) -> list[Poly]:
    """Return the terms of a sum; a number before the whole sum counts for each."""
    found: list[Poly] = []
    for added, term in terms(node):
        factor = Fraction(1 if added else -1)
        while term.op == "mul" and term.args[0].op == "num":
            factor, term = factor * term.args[0].data, term.args[1]
        inner = [t(term)] if len(terms(term)) == 1 else _parts(t, term)
        found += [t.algebra.scale(poly, factor) for poly in inner]
    return found


def _proportional(t: Translator, found: list[Poly], wanted: list[Poly]) -> bool:
    """Return True if the terms are the same, up to their order and one factor."""
    if not found or len(found) != len(wanted):
        return False
    scale = t.algebra.scale
    one, *_ = found
    lead = min(one)
    factors = {Fraction(two[lead]) / one[lead] for two in wanted if lead in two}
    return any(
        _counted(scale(poly, factor) for poly in found) == _counted(wanted)
        for factor in factors
    )


def _counted(polys: Iterable[Poly]) -> Counter[frozenset[tuple[Term, Rational]]]:
    return Counter(frozenset(poly.items()) for poly in polys)
