"""Licences: what is inverted has an inverse, what divides is not 0."""

from __future__ import annotations

from collections.abc import Sequence

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.verdicts import Rejected
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr


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
    elif node.op == "call" and node.data == "log" and not _has_log(context, node):
        raise Rejected(
            f"`{node.args[0]}` may be 0 or negative: it has no log", "licence"
        )
    root = node.op == "call" and node.data == "sqrt"
    half = node.op == "pow" and node.args[1].data.denominator == 2
    if (root or half) and not _has_root(context, node.args[0]):
        raise Rejected(f"`{node.args[0]}` may be negative: it has no root", "licence")


def _has_log(context: Context, node: Expr) -> bool:
    """Return True if the argument of a logarithm is seen to be positive."""
    for opened in context.openings():
        signs = context.signs(opened)
        poly = signs.poly(node.args[0])
        if poly and signs.positive(poly):
            return True
    return False


def _has_root(context: Context, node: Expr) -> bool:
    """Return True if a sign is seen as it stands: to open q to see it is a step."""
    return context.signs().tree_nonneg(node)


def _need(context: Context, X: Expr, how: str) -> None:
    if X.shape and X.shape[0] != X.shape[1]:
        raise Rejected(f"`{X}` is not square: it cannot be {how}", "licence")
    if not licensed(context, X):
        what = "may be 0" if X.shape == NUMBER else "may be singular"
        advice = ""
        if str(X) in context.problem.assumable:
            advice = "; assume that it is invertible and say so, or find another way"
        raise Rejected(f"`{X}` {what}: it cannot be {how}{advice}", "licence")


def licensed(context: Context, X: Expr) -> bool:
    """Return True if a matrix is known to be invertible, a number not to be 0."""
    if X.op == "num":
        return bool(X.data)
    if X.op in ("inv", "pow"):
        return licensed(context, X.args[0])
    square = X.op == "mul" and all(a.shape == X.shape for a in X.args)
    if square and all(licensed(context, arg) for arg in X.args):
        return True
    for opened in context.openings():
        signs = context.signs(opened)
        poly = signs.poly(X)
        if not poly:
            continue
        if signs.nonzero(poly) if X.shape == NUMBER else signs.invertible(poly):
            return True
    return False
