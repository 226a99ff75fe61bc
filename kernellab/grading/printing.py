"""Expressions as plain text, in the syntax that the reader reads."""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.tree import Expr

_SUM, _PRODUCT, _UNARY, _POWER, _ATOM = range(1, 6)


def plain(node: Expr) -> str:
    """The expression as one line of text.

    Examples
    --------
    >>> from kernellab.grading.tree import sym, Expr
    >>> plain(Expr("inv", (Expr("add", (sym("K"), Expr("eye"))),)))
    'inv(K + I)'
    """
    return _write(node)[0]


def _write(node: Expr) -> tuple[str, int]:
    """The text, and how tightly its outermost operation binds."""
    match node.op:
        case "num":
            return _number(node.data)
        case "sym":
            return str(node.data), _ATOM
        case "eye":
            return (f"I({node.data})" if node.data else "I"), _ATOM
        case "ones":
            return f"ones({node.data or ''})", _ATOM
        case "neg":
            return f"-{_inside(node.args[0], _PRODUCT)}", _SUM
        case "add" | "sub":
            return _binary(node, " + " if node.op == "add" else " - ", _SUM)
        case "mul":
            return _binary(node, node.data or "@", _PRODUCT)
        case "div":
            return _binary(node, "/", _PRODUCT)
        case "pow":
            base, exponent = node.args
            return f"{_inside(base, _ATOM)}**{_inside(exponent, _ATOM)}", _POWER
        case "transpose":
            return f"{_inside(node.args[0], _ATOM)}.T", _ATOM
        case "index":
            places = ",".join(map(str, node.data))
            return f"{_inside(node.args[0], _ATOM)}[{places}]", _ATOM
        case "sum":
            index, size = node.data
            return f"sum({plain(node.args[0])} for {index} in {size or '?'})", _ATOM
        case "not":
            return f"not {plain(node.args[0])}", _SUM
        case _:
            name = node.data if node.op == "call" else node.op
            return f"{name}({', '.join(map(plain, node.args))})", _ATOM


def _binary(node: Expr, sign: str, strength: int) -> tuple[str, int]:
    left, right = node.args
    tighter = strength + (node.op in ("sub", "div") or node.op == "mul")
    return f"{_inside(left, strength)}{sign}{_inside(right, tighter)}", strength


def _inside(node: Expr, strength: int) -> str:
    text, own = _write(node)
    return text if own >= strength else f"({text})"


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), _ATOM if value >= 0 else _SUM
    return str(value), _PRODUCT if value >= 0 else _SUM
