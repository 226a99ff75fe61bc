"""Bounds: pieces that are not negative, each with a context that is not negative."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod

from kernellab.grading.certificates import Fact, Use
from kernellab.grading.checking.expansion import Expansion, shape_of
from kernellab.grading.checking.facts import (
    Axes,
    Known,
    entries,
    placed,
    relation,
    relation_axes,
)
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.names import axes
from kernellab.grading.checking.signs import STRICT, Signs
from kernellab.grading.checking.sums import Sum, number
from kernellab.grading.language.tree import Expr


def piece_sum(known: Known, signs: Signs, e: Expansion, piece: Use, free: Axes) -> Sum:
    """Return coefficient × context × piece, or refuse what may be negative."""
    sizes = {**free, **dict(piece.sums)}
    _check_context(signs, e, piece, sizes)
    at: Axes = {}
    match piece.fact:
        case ("product",):
            value = number(1)
        case ("square", x):
            if not signs.nonneg(x):
                raise Refused(f"{x} is not seen to be a square")
            value, at = e(x), {name: sizes[name] for name in sorted(x.indices)}
            piece = replace(piece, names=tuple(at))
        case ("cauchy", u, v):
            value = _cauchy(e, u, v)
        case _:
            value, at = _stated(known, e, piece.fact)
    return placed(e, value, at, piece, free).scaled(Fraction(piece.coefficient))


def _check_context(signs: Signs, e: Expansion, piece: Use, sizes: Axes) -> None:
    """Refuse a context that may be negative, for some value of the piece's indices."""
    for factor in piece.context:
        even = factor.power % 2 == 0 or piece.context.count(factor) % 2 == 0
        if not (factor.indices or even or signs.nonneg(factor.tree)):
            raise Refused(f"the factor {factor.tree} may be negative")
    tensors = [entries(e, f, sizes) for f in piece.context if f.indices]
    alone = {name: size for name, size in piece.sums if name not in piece.names}
    context = prod(tensors, start=number(1)).over(alone)
    if piece.coefficient <= 0 or not signs.sign(context):
        raise Refused(f"what multiplies {piece.fact[0]} may be negative")


def is_strict(known: Known, signs: Signs, e: Expansion, piece: Use) -> bool:
    """Return True for a strict bound that stands, times positive numbers."""
    if piece.fact[0] not in ("line", "given", "chain"):
        return False
    positive = [
        not f.indices and signs.sign(e(f.tree)) == STRICT for f in piece.context
    ]
    return relation(known, piece.fact).sign in ("<", ">") and all(positive)


def _stated(known: Known, e: Expansion, fact: Fact) -> tuple[Sum, Axes]:
    """Return the larger side of a bound that stands minus the smaller one."""
    stated = relation(known, fact)
    if stated.sign not in (">=", "<=", ">", "<"):
        raise Refused("an equation is cited as a bound")
    larger = 1 if stated.sign[0] == ">" else -1
    return (e(stated.left) - e(stated.right)).scaled(larger), relation_axes(stated)


def _cauchy(e: Expansion, u: Expr, v: Expr) -> Sum:
    """Return ‖u‖²‖v‖² − (uᵀv)²."""
    if shape_of(u) != shape_of(v) or shape_of(u)[1] != "1" or u.indices | v.indices:
        raise Refused("the inequality of Cauchy and Schwarz is about two columns")
    at = axes(shape_of(u))
    mixed = e(u).times(e(v), at)
    return e(u).times(e(u), at) * e(v).times(e(v), at) - mixed * mixed
