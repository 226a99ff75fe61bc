"""Licences: what is inverted has an inverse, what divides is not 0."""

from __future__ import annotations

from collections.abc import Sequence

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Rejected
from kernellab.grading.judging.wording import shown
from kernellab.grading.language.tree import NUMBER, Expr


def check_licences(context: Context, sides: Sequence[Expr]) -> None:
    """Raise `Rejected` if something has no inverse, or may be 0."""
    for side in sides:
        for node in side.walk():
            _check(context, node)


def _check(context: Context, node: Expr) -> None:
    if node.op == "inv" or (node.op == "pow" and node.args[1].data < 0):
        _need(context, node.args[0], "inverted")
    elif node.op == "div":
        _need(context, node.args[1], "divided by")
    function = node.data if node.op == "call" else ""
    if function == "log" and not _is_positive(context, node.args[0]):
        raise Rejected(
            f"`{node.args[0]}` may be 0 or negative: it has no log", "licence"
        )
    half = node.op == "pow" and node.args[1].data.denominator == 2
    # The sign is to be seen as it stands: to open q to see it is a step.
    if (function == "sqrt" or half) and not context.signs().tree_nonneg(node.args[0]):
        raise Rejected(f"`{node.args[0]}` may be negative: it has no root", "licence")


def _is_positive(context: Context, node: Expr) -> bool:
    """Return True if a number is seen to be positive."""
    known = map(context.signs, context.openings())
    return any((p := signs.poly(node)) and signs.positive(p) for signs in known)


def _need(context: Context, X: Expr, how: str) -> None:
    if X.shape and X.shape[0] != X.shape[1]:
        raise Rejected(f"`{X}` is not square: it cannot be {how}", "licence")
    if not licensed(context, X):
        what = "may be 0" if X.shape == NUMBER else "may be singular"
        advice = ""
        if str(X) in context.problem.assumable:
            advice = "; assume that it is invertible and say so, or find another way"
        raise Rejected(f"{shown(X)} {what}: it cannot be {how}{advice}", "licence")


def licensed(context: Context, X: Expr) -> bool:
    """Return True if a matrix is known to be invertible, a number not to be 0."""
    if X.op == "num":
        return bool(X.data)
    if X.op in ("inv", "pow"):
        return licensed(context, X.args[0])
    square = X.op == "mul" and all(a.shape == X.shape for a in X.args)
    if square and all(licensed(context, arg) for arg in X.args):
        return True
    return any(context.signs(opened).licenses(X) for opened in context.openings())
