"""The size of an expression: its degree, and the work to evaluate it."""

from __future__ import annotations

from collections.abc import Callable

from kernellab.grading.language.tree import Expr

_PRODUCTS = ("mul", "div")


def degree(node: Expr, of_symbol: Callable[[str], int]) -> int:
    """Return about what degree an expression has in its symbols; 1 at least.

    Examples
    --------
    >>> from kernellab.grading.language.tree import sym
    >>> degree((sym("x") ** 2 @ sym("y")) ** 4, lambda name: 1)
    12
    """
    if node.op == "sym":
        return of_symbol(node.data)
    parts = [degree(arg, of_symbol) for arg in node.args]
    if node.op == "pow":
        exponent = node.args[1].data
        return parts[0] * max(1, abs(int(exponent))) if exponent else parts[0]
    if node.op == "call" and node.data in ("norm2", "length2"):
        return 2 * sum(parts)
    together = node.op in _PRODUCTS or node.op == "call"
    return max(1, sum(parts) if together else max(parts, default=1))


def work(node: Expr) -> int:
    """Return about how many operations an evaluation takes."""
    inner = sum(map(work, node.args)) + 1
    return inner * 6 if node.op == "sum" else inner
