"""Words for shapes that do not fit, with what was probably meant."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.language.printing import plain
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import NUMBER, Expr, Shape

NO_SUM = "they cannot be added"
NO_ORDER = "only numbers can be compared; write it for one entry, such as a[n]"
NO_NORM = "only the squared norm is used here: norm2(x) or ‖x‖²"
NO_SPECTRUM = "only a column has a length ‖x‖₂; the squares of all entries are ‖X‖_F²"
_LONGEST_NAME = 40
_NUMERIC = {"num", "neg", "add", "sub", "mul", "div"}


class ShapeError(ValueError):
    """Shapes that do not fit; the message is for the student."""


def describe(shape: Shape) -> str:
    """Return "N×1", or "a number"."""
    if shape == NUMBER:
        return "a number"
    return "×".join("?" if size.startswith("?") else size for size in shape)


def name(node: Expr) -> str:
    """Return the text of an expression, cut if it is long."""
    text = plain(node)
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 3] + "…"


def literal(node: Expr) -> Fraction | None:
    """Return the value of a number that is written out, also -1 and 1/2."""
    value = tidied(node) if {n.op for n in node.walk()} <= _NUMERIC else node
    return value.data if value.op == "num" else None


def misfit(node: Expr, shape: Shape, why: str) -> ShapeError:
    """Return the error of one expression that has the wrong shape."""
    return ShapeError(f"`{name(node)}` is {describe(shape)}: {why}")


def clash(left: Expr, right: Expr, one: Shape, two: Shape, why: str) -> ShapeError:
    """Return the error of two expressions whose shapes do not go together."""
    first = f"`{name(left)}` is {describe(one)}"
    return ShapeError(f"{first}, `{name(right)}` is {describe(two)}: {why}")


def unequal(left: Expr, right: Expr, one: Shape, two: Shape, why: str) -> ShapeError:
    """Return the error of two shapes that must be equal."""
    for node, own, other in ((left, one, two), (right, two, one)):
        column = other[1] == "1" and not other[0].startswith("?")
        if why == NO_SUM and own == NUMBER and column and _is_scalar(node):
            factor = "" if literal(node) == 1 else f"{name(node)}*"
            meant = f"the same number in every entry is `{factor}ones({other[0]})`"
            return clash(left, right, one, two, f"{why}; {meant}")
        if own == NUMBER and other[0] == other[1]:
            return clash(left, right, one, two, f"`{name(node)}*I` was meant?")
    if one == (two[1], two[0]):
        why = f"`{name(_transposed(right))}` was meant?"
    return clash(left, right, one, two, why)


def no_product(left: Expr, right: Expr, one: Shape, two: Shape) -> ShapeError:
    """Return the error of a matrix product whose sizes differ."""
    why, meant = "their product has no meaning", None
    if one[0] == two[0]:
        meant = Expr("mul", (_transposed(left), right), "@")
    elif one[1] == two[1]:
        meant = Expr("mul", (left, _transposed(right)), "@")
    why = why if meant is None else f"{why}; `{name(meant)}` was meant?"
    return clash(left, right, one, two, why)


def _is_scalar(node: Expr) -> bool:
    """Return whether it is made of numbers alone: C, 2*C, but not w.T@w."""
    return all(n.shape == NUMBER and n.op not in ("sum", "call") for n in node.walk())


def _transposed(node: Expr) -> Expr:
    return node.args[0] if node.op == "transpose" else Expr("transpose", (node,))
