"""Expressions as plain text, in the syntax that the reader reads.

What is printed reads back to the same tree, so brackets stand where the reader needs
them: a minus binds like a factor (``-2*x`` is the product of -2 and x), and sums and
products group to the left.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.lexer import MAX_DIGITS
from kernellab.grading.tree import Expr

_SUM, _PRODUCT, _UNARY, _POWER, _ATOM = range(1, 6)
_SPELT = {"total": "sum"}


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
        case "eye" | "ones":
            name = "I" if node.op == "eye" else "ones"
            return (f"{name}({node.data})" if node.data else name), _ATOM
        case "neg":
            return f"-{_inside(node.args[0], _POWER)}", _UNARY
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
            name = _SPELT.get(node.data, node.data) if node.op == "call" else node.op
            return f"{name}({', '.join(map(plain, node.args))})", _ATOM


def _binary(node: Expr, sign: str, strength: int) -> tuple[str, int]:
    left, right = node.args
    end = _inside(right, strength + 1)
    if end.startswith("-"):  # a - (-b) reads better than a - -b
        end = f"({end})"
    return f"{_inside(left, strength)}{sign}{end}", strength


def _inside(node: Expr, strength: int) -> str:
    text, own = _write(node)
    return text if own >= strength else f"({text})"


def _number(value: Fraction) -> tuple[str, int]:
    text = _decimal(abs(value))
    if text is None:
        return str(value), _PRODUCT
    return (text, _ATOM) if value >= 0 else (f"-{text}", _UNARY)


def _decimal(value: Fraction) -> str | None:
    """A numeral that the reader takes, 3, 0.5 or 1e-12; None for 1/3."""
    for exponent in (0, *(s * i for i in range(1, MAX_DIGITS + 1) for s in (1, -1))):
        shifted = value / Fraction(10) ** exponent
        for places in range(MAX_DIGITS):
            whole = shifted * 10**places
            if whole.denominator == 1:
                digits = str(whole.numerator).zfill(places + 1)
                if len(digits) > MAX_DIGITS:
                    break
                point = f".{digits[-places:]}" if places else ""
                tail = f"e{exponent}" if exponent else ""
                return digits[: len(digits) - places] + point + tail
    return None
