"""What stands behind an atom: transposes, indices, exponents, NumPy's methods."""

from __future__ import annotations

from kernellab.grading.language.cursor import ATOM, FACTOR, MAX_DEPTH, Cursor
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.slips import NO_NORM
from kernellab.grading.language.symbols import (
    bracketed_indices,
    gradient_of,
    indexed,
    lowered_indices,
    starred,
    symbol,
)
from kernellab.grading.language.tree import Expr, is_zero, num

_METHODS = ("dot", "transpose", "sum")


def postfix(c: Cursor, base: Expr) -> Expr:
    """Read all marks behind an atom."""
    for _ in range(MAX_DEPTH):
        if c.take(".T"):
            base = Expr("transpose", (base,))
        elif c.take("'"):
            base = _primed(c, base)
        elif c.token.text == "[" and _index_ahead(c):
            base = indexed(c, base, bracketed_indices(c))
        elif c.token.text == "_":
            base = _subscript(c, base)
        elif c.take("^"):
            base = _superscript(c, base)
        elif c.token.text == "." and c.peek().text in _METHODS:
            base = _method(c, base)
        else:
            return base
    raise ReadError(f"more than {MAX_DEPTH} marks behind one symbol")


def power_of(base: Expr, exponent: Expr) -> Expr:
    """Return a power; the exponent -1 is an inverse, and ‖x‖² a squared norm."""
    if base.op == "call" and base.data in ("norm", "length"):
        if exponent == num(2):
            return Expr("call", base.args, f"{base.data}2")
        raise ReadError(NO_NORM)
    if exponent in (Expr("neg", (num(1),)), num(-1)):
        return Expr("inv", (base,))
    return Expr("pow", (base, exponent))


def _primed(c: Cursor, base: Expr) -> Expr:
    """Read x': a symbol of that name, the derivative of a function, or a transpose."""
    if base.op == "sym" and f"{base.data}_prime" in c.words.symbols:
        return symbol(c, f"{base.data}_prime")
    if base.op == "sym" and base.data in c.words.applied:
        if c.token.text == "(" and c.peek().text in c.words.symbols:
            c.next()
            variable = symbol(c, c.next().text)
            c.need(")")
            return gradient_of(c, base, variable)
        raise ReadError(f"{base.data}' is not clear: write grad({base.data}, …)")
    return Expr("transpose", (base,), "'")


def _superscript(c: Cursor, base: Expr) -> Expr:
    with c.braces() as braces:
        primed = c.take("prime", "'")
        raised = base if primed else _raised(c, base, braces)
    return _primed(c, base) if primed else raised


def _raised(c: Cursor, base: Expr, braces: bool) -> Expr:
    if base.op == "sym" and c.take("*", "star"):
        return starred(c, base.data)
    minus = c.take("-")
    if not braces and c.token.kind == "name" and c.token.text[0] == "T":
        c.split(*filter(None, ("T", c.token.text[1:])))  # w^Tw is w^T w
    if c.take("top", "T"):
        turned = Expr("transpose", (Expr("ones") if base == num(1) else base,))
        if base == num(11):  # 11ᵀ
            return Expr("mul", (Expr("ones"), Expr("transpose", (Expr("ones"),))), "@")
        return Expr("inv", (turned,)) if minus else turned
    c.at -= minus
    exponent = c.read() if braces else c.read(FACTOR if minus else ATOM)
    return power_of(base, exponent)


def _subscript(c: Cursor, base: Expr) -> Expr:
    if base.op in ("eye", "ones") or is_zero(base):
        return _sized(c, base)
    squared = base.op == "pow" and base.args[1] == num(2)  # |x|^2_2
    bars = base.args[0] if squared else base
    if bars.op == "call" and bars.data in ("norm", "norm2", "abs"):
        squared = squared or bars.data == "norm2"
        return Expr("call", bars.args, _kind_of_norm(c) + "2" * squared)
    column = base.op == "sym" and base.data in c.words.columns
    indices = lowered_indices(c, most=1 if column else 2)
    if base.op == "sym" and indices in (("*",), ("**",)):
        return starred(c, base.data, len(str(indices[0])))
    if {"*", "**"} & set(indices):
        raise ReadError("a star is no index: it is part of a name, as in w_*")
    shift = int(c.one_based)
    return indexed(
        c, base, tuple(i - shift if isinstance(i, int) else i for i in indices)
    )


def _kind_of_norm(c: Cursor) -> str:
    """Read the index of ‖x‖₂, the length of a column, or of ‖X‖_F."""
    c.need("_")
    with c.braces() as braces:
        index = c.next().text
        while braces and c.token.kind != "end" and c.token.text != "}":
            index += c.next().text
    if index not in ("2", "F"):
        raise ReadError(
            f"the norm with the index {index} has no meaning here; {NO_NORM}"
        )
    return "length" if index == "2" else "norm"


def _sized(c: Cursor, base: Expr) -> Expr:
    """Read the sizes of I_N, I_{N×N}, 0_N."""
    c.need("_")
    with c.braces() as braces:
        sizes = [c.size("a size is")]
        while braces and c.take("cdot", ","):
            sizes.append(c.size("a size is"))
    if is_zero(base) and len(sizes) <= 2:
        return num(0, (sizes[0], sizes[1] if len(sizes) == 2 else "1"))
    if len(sizes) > 1 and (base.op == "ones" or sizes != sizes[:1] * 2):
        shown = {"eye": "I", "ones": "ones"}.get(base.op, "0")
        raise ReadError(f"{'×'.join(sizes)} is not a size of {shown}")
    return Expr(base.op, data=sizes[0])


def _index_ahead(c: Cursor) -> bool:
    """Return whether [ opens a list of indices; in LaTeX it may be a bracket."""
    at = c.at + 1
    while c.stream[at].kind in ("name", "number") or c.stream[at].text == ",":
        at += 1
    return not c.latex or c.stream[at].text == "]"


def _method(c: Cursor, base: Expr) -> Expr:
    """Read K.dot(a), K.transpose(), x.sum()."""
    c.next()
    name = c.next().text
    c.need("(")
    if name == "dot":
        return Expr("mul", (base, c.read_to(")")), "@")
    c.need(")")
    if name == "sum":
        return Expr("call", (base,), "total")
    return Expr("transpose", (base,))
