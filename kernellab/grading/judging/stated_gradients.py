"""Gradients that are stated: ∇J = E says what the gradient is, at every point.

Where the gradient vanishes, so does any multiple of it: ∇J = 5E = 0 is true there if
∇J = E is the gradient. Such a line states a false gradient nevertheless, and to say
that it is set to zero does not mend it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from kernellab.grading.instances.truth import is_true
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.truth import setting
from kernellab.grading.language.tree import Expr, Relation, is_zero
from kernellab.grading.proving.derivatives import by_symbol
from kernellab.grading.proving.networks import Untranslatable


def misstates_gradient(context: Context, line: Statement) -> bool:
    """Return True if a line says what the gradient is, and is wrong somewhere."""
    general = setting(context)
    return any(
        is_true(general, relation, line.free, context.rng) is False
        for relation in _stated(context, line)
    )


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
    while True:
        if side.op == "neg" or (side.op == "div" and side.args[1].op == "num"):
            side = side.args[0]
        elif side.op == "mul" and side.args[0].op == "num":
            side = side.args[1]
        else:
            break
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
