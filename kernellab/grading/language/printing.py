"""Expressions as plain text, in the syntax that the reader reads.

What is printed reads back to the same tree, so brackets stand where the reader needs
them: a minus binds like a factor (``-2*x`` is the product of -2 and x), and sums and
products group to the left.
"""

from __future__ import annotations

from fractions import Fraction

from kernellab.grading.language.lexer import MAX_DIGITS
from kernellab.grading.language.tree import Expr

_SUM, _PRODUCT, _UNARY, _POWER, _ATOM = range(1, 6)
_SIGNS = {
    "add": (" + ", _SUM),
    "sub": (" - ", _SUM),
    "mul": ("@", _PRODUCT),
    "div": ("/", _PRODUCT),
}
_SPELT = {"total": "sum"}


def plain(node: Expr) -> str:
    """The expression as one line of text.

    Examples
    --------
    >>> from kernellab.grading.language.tree import sym, Expr
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
        case "add" | "sub" | "mul" | "div":
            return _chain(node, _SIGNS[node.op][1])
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
        case "stack":
            index, size = node.data
            return f"[{plain(node.args[0])} for {index} in {size}]", _ATOM
        case "not":
            return f"not {plain(node.args[0])}", _SUM
        case _:
            name = _SPELT.get(node.data, node.data) if node.op == "call" else node.op
            return f"{name}({', '.join(map(plain, node.args))})", _ATOM


def _chain(node: Expr, strength: int) -> tuple[str, int]:
    """A sum or a product; a loop, as it may be longer than the stack is deep."""
    ends: list[str] = []
    while node.op in _SIGNS and _SIGNS[node.op][1] == strength:
        numeral = "num" in (arg.op for arg in node.args)  # 2 K is 2*K, and not 2@K
        sign = node.data or "@*"[numeral] if node.op == "mul" else _SIGNS[node.op][0]
        node, right = node.args
        end = _inside(right, strength + 1)
        if end.startswith("-"):  # a - (-b) reads better than a - -b
            end = f"({end})"
        ends.append(sign + end)
    return _inside(node, strength) + "".join(reversed(ends)), strength


def _inside(node: Expr, strength: int) -> str:
    text, own = _write(node)
    return text if own >= strength else f"({text})"


def _number(value: Fraction) -> tuple[str, int]:
    text = _decimal(abs(value))
    if text is None:
        return str(value), _PRODUCT
    return (text, _ATOM) if value >= 0 else (f"-{text}", _UNARY)


def _decimal(value: Fraction) -> str | None:
    """A numeral that the reader takes, 3, 0.5 or 1e-9; None for 1/3."""
    digits = _digits(value)
    if digits is not None:
        return digits
    powers = range(-MAX_DIGITS, MAX_DIGITS + 1)
    scaled = ((_digits(value / Fraction(10) ** power), power) for power in powers)
    found = [f"{digits}e{power}" for digits, power in scaled if digits is not None]
    return min(found, key=len, default=None)


def _digits(value: Fraction) -> str | None:
    """A decimal fraction, if the reader's number of digits is enough."""
    for places in range(MAX_DIGITS):
        whole = value * 10**places
        if whole.denominator == 1:
            text = str(whole.numerator).zfill(places + 1)
            cut = len(text) - places
            point = f".{text[cut:]}" if places else ""
            return text[:cut] + point if len(text) <= MAX_DIGITS else None
    return None
