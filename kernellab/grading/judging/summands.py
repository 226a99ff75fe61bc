"""An expression as the sum of its summands, and back: what is needed to move terms."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import Expr, Shape, is_zero, num


def summands(node: Expr) -> dict[Expr, Fraction]:
    """Return the summands of an expression, each with its coefficient."""
    found: dict[Expr, Fraction] = {}
    todo = [(node, Fraction(1))]
    while todo:
        one, c = todo.pop()
        if one.op in ("add", "sub"):
            first, second = one.args
            todo += [(second, c if one.op == "add" else -c), (first, c)]
        elif one.op == "neg":
            todo.append((one.args[0], -c))
        elif one.op == "mul" and one.args[0].op == "num":
            todo.append((one.args[1], c * one.args[0].data))
        elif one.op == "div" and one.args[1].op == "num" and one.args[1].data:
            todo.append((one.args[0], c / one.args[1].data))
        else:
            found[one] = found.get(one, Fraction(0)) + c
    return {x: c for x, c in found.items() if c and not is_zero(x)}


def added(parts: Mapping[Expr, Fraction], shape: Shape) -> Expr:
    """Return Σ c·x, without factors 1 and terms 0."""
    total = num(0, shape)
    for x, c in parts.items():
        term = num(abs(c)) * x
        total = total + term if c > 0 else total - term
    return tidied(total)
