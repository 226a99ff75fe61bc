"""What was probably meant where shapes do not fit: a multiple of I, a transpose, @."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from kernellab.grading.judging.context import Context
from kernellab.grading.language.shapes import ShapeError, literal
from kernellab.grading.language.tree import NUMBER, Expr, Relation, call

Edit = Callable[[Relation], Relation]


def edits(context: Context, error: ShapeError) -> Iterator[tuple[Edit, Expr]]:
    """Yield edits of a line, and what they put in the place of a part."""
    at = error.at
    if at is None or at.op in ("add", "sub", "call"):
        for part in error.parts:
            for new in _matching(context, part):
                yield partial(_replaced, at, part, new), new
    elif at.op == "pow":
        new = call("norm2", _shaped(context, at.args[0]))
        yield partial(_with_norms, context), new
    else:
        for new in _instead(context, at):
            yield partial(_replaced, None, at, new), new


def _replaced(whole: Expr | None, part: Expr, new: Expr, line: Relation) -> Relation:
    """Return a line with a part replaced, wherever it stands right below `whole`.

    Parameters
    ----------
    whole : None if the part may stand anywhere.
    """

    def put(node: Expr) -> Expr:
        return new if node == part else node

    def below(node: Expr) -> Expr:
        args = tuple(map(put, node.args))
        return Expr(node.op, args, node.data) if node == whole else node

    step = put if whole is None else below
    return Relation(tuple(side.map(step) for side in line.sides), line.signs)


def _matching(context: Context, part: Expr) -> Iterator[Expr]:
    """Yield a part in other shapes: lam*I or lam*ones(N) for lam, else a transpose."""
    bare = _shaped(context, part)
    if bare.shape != NUMBER:
        yield _turned(bare)
        return
    found = [Expr("eye"), *(Expr("ones", data=size) for size in context.problem.sizes)]
    one = literal(bare) == 1
    yield from (new if one else Expr("mul", (bare, new), "*") for new in found)


def _instead(context: Context, node: Expr) -> Iterator[Expr]:
    """Yield what could stand in the place of an operation that does not fit."""
    parts = [_shaped(context, arg) for arg in node.args]
    match node.op:
        case "mul":
            left, right = parts
            yield from (left @ right, _turned(left) @ right, left @ _turned(right))
        case "div":
            top, bottom = parts
            inverse = Expr("inv", (bottom,))
            yield from (
                Expr("mul", both, "@") for both in ((top, inverse), (inverse, top))
            )


def _turned(part: Expr) -> Expr:
    return part.args[0] if part.op == "transpose" else part.T


def _with_norms(context: Context, line: Relation) -> Relation:
    """Return a line with the squared norm of each column that is squared."""

    def put(node: Expr) -> Expr:
        if node.op != "pow" or literal(node.args[1]) != 2:
            return node
        base = _shaped(context, node.args[0])
        column = base.shape is not None and base.shape[0] != base.shape[1] == "1"
        return call("norm2", base) if column else node

    return Relation(tuple(side.map(put) for side in line.sides), line.signs)


def _shaped(context: Context, part: Expr) -> Expr:
    """Return a part with its shape, which tells how its products are written."""
    with suppress(ShapeError):
        return context.shaped(Relation((part,), ()))[0].sides[0]
    return part
