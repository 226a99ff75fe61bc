"""Gradients that lines state or show.

∇J = E says what the gradient is, at every point. Where the gradient vanishes, so does
any multiple of it: ∇J = 5E = 0 is true there if ∇J = E is the gradient. Such a line
states a false gradient nevertheless, and to say that it is set to zero does not mend
it.

From J = ‖t − Ka‖² + λaᵀKa to −2K(t − Ka) + 2λKa = 0 the gradient is shown, though
nobody called it ∇J: each term is the derivative of one term of J. The factored form
K((K + λI)a − t) = 0 shows no gradient; to find it is a step of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.readings import Reading
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.truth import holds_at
from kernellab.grading.language.tree import Expr, Relation, is_zero, terms
from kernellab.grading.proving.derivatives import by_symbol
from kernellab.grading.proving.networks import Poly, Term, Untranslatable
from kernellab.grading.proving.rationals import Rational
from kernellab.grading.proving.translation import Translator

# Stated


def misstates_gradient(context: Context, line: Statement) -> bool:
    """Return True if a line says what the gradient is, and is wrong somewhere."""
    stated = (replace(line, relation=r) for r in _stated(context, line))
    return any(holds_at(context, link) is False for link in stated)


def _stated(context: Context, line: Statement) -> Iterator[Relation]:
    """Yield the links of a line that tie a side to the gradient.

    A chain is read between its zeros: what is equal to 0 on the way to the gradient
    is said to vanish with it, not to be the gradient.
    """
    if set(line.relation.signs) != {"="}:
        return
    sides = _sides_before(context, line)
    first = len(sides) - 1
    sides += line.relation.sides[1:]
    for k in range(first, len(sides) - 1):
        start = max((i + 1 for i in range(k + 1) if is_zero(sides[i])), default=0)
        zeros = (i for i in range(k + 1, len(sides)) if is_zero(sides[i]))
        part = sides[start : next(zeros, len(sides))]
        together = start <= k and not is_zero(sides[k + 1])
        if together and any(_gradient_in(context, side) for side in part):
            yield Relation((sides[k], sides[k + 1]), ("=",))


def _sides_before(context: Context, line: Statement) -> list[Expr]:
    """Return the sides of the chain that a line continues, up to its own first."""
    if line.chain in (0, line.number):
        return [line.relation.sides[0]]
    found = context.chain_of(context.members(line.chain)[-1], sound=False)
    return found or [line.relation.sides[0]]


def _gradient_in(context: Context, side: Expr) -> Expr | None:
    """Return the gradient of the object, if a side is a number times it."""
    if side.op == "neg" or (side.op == "div" and side.args[1].op == "num"):
        return _gradient_in(context, side.args[0])
    if side.op == "mul" and side.args[0].op == "num":
        return _gradient_in(context, side.args[1])
    found = side.op in ("grad", "diff") and side.args[0].data == context.problem.object
    return side if found else None


def wrong_gradient(context: Context, line: Statement) -> str:
    """Return what is wrong with a stated gradient, in a sentence."""
    for side, other in (r.sides for r in _stated(context, line)):
        for one, two in ((side, other), (other, side)):
            factor = _factor(context, one, two)
            if factor is not None and factor != 1:
                of = f"the gradient of `{context.problem.object}`"
                return f"this is not {of}, which is {_times(factor)}"
    return "this is not true"


def _times(factor: Fraction) -> str:
    """Return “2 times this: a factor 2 was lost” for 2."""
    if factor == -1:
        return "minus this: the sign is wrong"
    sign = " and the sign is wrong" if factor < 0 else ""
    size = abs(factor)
    if size.denominator == 1:
        return f"{factor} times this: a factor {size} was lost{sign}"
    if size.numerator == 1:
        return f"{factor} times this: a factor {1 / size} is too many{sign}"
    return f"{factor} times this"


def _factor(context: Context, gradient: Expr, side: Expr) -> Fraction | None:
    """Return c if the gradient is c times a side, whatever the symbols are."""
    definition = context.scope.definition(str(context.problem.object))
    if gradient.op != "grad" or not _gradient_in(context, gradient):
        return None
    name = gradient.args[1].data
    if definition is None or name in context.own:
        return None
    t = context.translator(context.definitions() - context.own - {name})
    with suppress(Untranslatable, ZeroDivisionError):
        return context.ratio(by_symbol(t, t(definition), name), t(side))
    return None


# Shown, term by term


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
    if relation.signs != ("=",):
        return []
    left, right = relation.sides
    whole = right if is_zero(left) else relation.difference
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
    one, lead, scale = found[0], min(found[0]), t.algebra.scale
    factors = {Fraction(two[lead]) / one[lead] for two in wanted if lead in two}
    return any(
        _counted(scale(poly, factor) for poly in found) == _counted(wanted)
        for factor in factors
    )


def _counted(polys: Iterable[Poly]) -> Counter[frozenset[tuple[Term, Rational]]]:
    return Counter(frozenset(poly.items()) for poly in polys)
