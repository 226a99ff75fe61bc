"""What a line may hold: not too much, nothing undeclared, and no claim inside."""

from __future__ import annotations

from collections.abc import Callable

from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.tree import Expr, Relation
from kernellab.grading.problem import Problem

MAX_WORK = 80_000  # operations to evaluate a line
MAX_SIDES = 12
MAX_DEGREE = 64
CLAIMS = ("unique", "invertible", "not")


def check_line(
    relation: Relation, problem: Problem, of_symbol: Callable[[str], int]
) -> None:
    """Raise `ReadError` if a line holds what it may not.

    Parameters
    ----------
    of_symbol : the degree of a symbol: that of its definition, if it is the student's.
    """
    nodes = [node for side in relation.sides for node in side.walk()]
    _check_claims(relation, nodes)
    _check_functions(problem, nodes)
    large = sum(map(work, relation.sides)) > MAX_WORK
    steep = max(degree(side, of_symbol) for side in relation.sides) > MAX_DEGREE
    if large or steep or len(relation.sides) > MAX_SIDES:
        raise ReadError("this line is too large; split it")


def _check_claims(relation: Relation, nodes: list[Expr]) -> None:
    claim = () if relation.signs else relation.sides
    for node in nodes:
        whole = node in claim or claim == (Expr("not", (node,)),)
        if node.op in CLAIMS and not whole:
            raise ReadError("a claim, such as unique(a), is a line by itself")


def _check_functions(problem: Problem, nodes: list[Expr]) -> None:
    """d, cov and loss mean something only where the problem declares it."""
    known = {
        "d": bool(problem.tangents),
        "cov": bool(problem.covariances),
        "loss": "loss(" in problem.symbols,
    }
    for node in nodes:
        if node.op == "call" and not known.get(node.data, True):
            raise ReadError(f"{node.data}(…) has no meaning in this problem")


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
        exponent = node.args[1].args[0] if node.args[1].op == "neg" else node.args[1]
        return parts[0] * (int(exponent.data) if exponent.op == "num" else 1) or 1
    if node.op == "call" and node.data in ("norm2", "length2"):
        return 2 * sum(parts)
    together = node.op in ("mul", "div") or node.data in ("had", "dot", "cov")
    return max(1, sum(parts) if together else max(parts, default=1))


def work(node: Expr) -> int:
    """Return about how many operations an evaluation takes."""
    inner = sum(map(work, node.args)) + 1
    return inner * 6 if node.op == "sum" else inner
