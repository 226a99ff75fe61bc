"""Expressions that say the same at another place: factors, indices, known bounds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds.instances import everywhere
from kernellab.grading.worlds.world import World


def factor_of(node: Expr) -> Fraction:
    """The number that a product or a fraction contains: 2/3 of 2*F**2/(3*s)."""
    match node.op:
        case "num":
            return Fraction(node.data)
        case "neg":
            return -factor_of(node.args[0])
        case "mul":
            return factor_of(node.args[0]) * factor_of(node.args[1])
        case "div":
            below = factor_of(node.args[1])
            return factor_of(node.args[0]) / below if below else Fraction(1)
    return Fraction(1)


def values_without(
    world: World, term: Expr, factor: Fraction, free: Mapping[str, str]
) -> list[object]:
    """The values of a term without its number, for all values of the indices."""
    scale = world.field.number(1 / factor)
    rows = everywhere(world, (term,), free)
    return [world.field.reduce(scale * value) for (value,) in rows]


def aligned(node: Expr, theirs: Mapping[str, str], ours: Mapping[str, str]) -> Expr:
    """What stands for one index, or for a column, at the index of another line."""
    if len(ours) != 1:
        return node
    ((name, size),) = ours.items()
    if node.shape == (size, "1"):
        return Expr("index", (node,), (name,), NUMBER)
    if theirs.get(name) == size:
        return node
    old = [index for index, kind in theirs.items() if kind == size]
    return _renamed(node, old[0], name) if len(old) == 1 else node


def _renamed(node: Expr, old: str, new: str) -> Expr:
    def change(part: Expr) -> Expr:
        if part.op != "index":
            return part
        places = tuple(new if place == old else place for place in part.data)
        return Expr("index", part.args, places, part.shape)

    return node.map(change)


def schwarz_bound(node: Expr) -> Expr | None:
    """‖u‖²‖v‖² for the square of an inner product, by Cauchy and Schwarz."""
    if node.op != "pow" or node.args[1].data != 2:
        return None
    inner = node.args[0]
    if inner.op == "call" and inner.data == "dot":
        one, two = inner.args
    elif inner.op == "mul" and inner.args[0].op == "transpose":
        one, two = inner.args[0].args[0], inner.args[1]
    else:
        return None
    if one.shape != two.shape or one.shape is None or one.shape[1] != "1":
        return None
    norms = tuple(Expr("call", (v,), "norm2", NUMBER) for v in (one, two))
    return Expr("mul", norms, "*", NUMBER)
