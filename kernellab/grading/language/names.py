"""Names: functions, constants, and the symbols of the problem."""

from __future__ import annotations

from kernellab.grading.language.cursor import (
    ATOM,
    CLOSING,
    FACTOR,
    POWER,
    PRODUCT,
    Cursor,
)
from kernellab.grading.language.formulas import derivative, differential, nabla, summed
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.symbols import applied, gradient_of, subscripted
from kernellab.grading.language.tree import Expr, sym
from kernellab.grading.language.vocabulary import FUNCTIONS, PREFIXES


def named(c: Cursor) -> Expr:
    """Read what starts with a name."""
    while c.token.text in PREFIXES and c.peek().text == ".":
        c.at += 2
    if c.token.kind != "name":
        raise ReadError(f"I expected a name before {c.token.quoted}")
    name = subscripted(c, c.next().text)
    if name in c.words.symbols:
        return applied(c, name)
    match name:
        case "I" | "Id" | "eye" | "identity":
            return Expr("eye", data=_size(c))
        case "sum":
            return _python_sum(c)
        case "inv" | "transpose" | "unique" | "invertible":
            return Expr(name, _arguments(c, 1))
        case "solve":
            matrix, right = _arguments(c, 2)
            return Expr("mul", (Expr("inv", (matrix,)), right), "@")
        case "grad" | "gradient" if c.token.text != "(":
            return nabla(c)
        case "grad" | "gradient" | "diff":
            return gradient_of(c, *_arguments(c, 1, 2))
        case "logdet":
            inner = Expr("call", _arguments(c, 1), "det")
            return Expr("call", (inner,), "log")
        case "vec":
            return Expr("call", _arguments(c), "vec")
        case "ones":
            return Expr("ones", data=_size(c))
        case "var" | "Var" if c.token.text == "(":
            return Expr("call", _arguments(c, 1) * 2, "cov")
        case "pi":
            return sym("pi")
        case "e" if c.token.text in ("^", "**"):
            level = ATOM if c.next().text == "^" else FACTOR
            return Expr("call", (c.read(level),), "exp")
    return _function(c, name) if name in FUNCTIONS else _symbol(c, name)


def _function(c: Cursor, name: str) -> Expr:
    spelt, count = FUNCTIONS[name]
    if spelt == "sqrt" and c.token.text == "[" and c.latex:
        raise ReadError("only square roots are read here: write x^{1/2} or \\sqrt{x}")
    if c.token.text in CLOSING:
        return Expr("call", _arguments(c, count), spelt)
    if spelt == "trace":
        return Expr("call", (c.read(PRODUCT),), spelt)  # tr AB
    if count == 1 and spelt != "diag" and c.token.kind != "end":
        inner = c.read(POWER)  # \log x, \det C, \sqrt 2
        while spelt == "log" and inner.symbols() <= {"pi"} and c.token.kind == "name":
            inner = Expr("mul", (inner, c.read(POWER)), "")  # \log 2\pi\sigma^2
        return Expr("call", (inner,), spelt)
    raise ReadError(f"{name} needs {_arguments_in_words(count)} in brackets")


def _symbol(c: Cursor, name: str) -> Expr:
    """Read a symbol, a differential such as dL, or letters side by side."""
    whole = name + c.token.text
    if name in c.words.rows and whole in c.words.symbols:
        c.next()  # φs is phis: a row φ has an index
        return applied(c, whole)
    if name in c.words.declared:
        return applied(c, name)
    c.at -= 1
    if differential(c):
        return derivative(c)
    parts = c.words.factors(name) or ()
    if len(parts) > 1:
        c.split(*parts)
        return named(c)
    c.at += 1
    return applied(c, name)


def _arguments(c: Cursor, *counts: int) -> tuple[Expr, ...]:
    if c.token.text not in CLOSING:
        raise ReadError(f"I expected “(” before {c.token.quoted}")
    closing = CLOSING[c.next().text]
    found = [c.read()]
    while c.take(","):
        found.append(c.read())
    c.need(closing)
    if counts and len(found) not in counts:
        raise ReadError(
            f"I expected {_arguments_in_words(counts[-1])}, not {len(found)}"
        )
    return tuple(found)


def _arguments_in_words(count: int) -> str:
    return f"{count} argument{'s' * (count != 1)}"


def _size(c: Cursor) -> str | None:
    """Read the (N) of I(N) and ones(N), if it is there; I(K + …) is a product."""
    size = c.peek().text
    known = size in c.words.sizes or size.isdigit()
    if c.token.text != "(" or not known or c.peek(2).text != ")":
        return None
    c.at += 3
    return size


def _python_sum(c: Cursor) -> Expr:
    """Read sum(body for n in N for m in N), or sum(x), the sum of all entries."""
    if not c.take("("):
        raise ReadError("a sum is written sum(… for n in N)")
    body = c.read()
    loops: list[tuple[str, str | None]] = []
    while c.take("for"):
        names = [c.next().text]
        while c.take(","):
            names.append(c.next().text)
        c.need("in")
        ranged = c.take("range") and c.take("(")
        size = c.size("an index runs in")
        if ranged:
            c.need(")")
        loops += [(name, size) for name in names]
    c.need(")")
    return summed(body, loops) if loops else Expr("call", (body,), "total")
