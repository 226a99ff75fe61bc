"""What stands behind an atom: transposes, indices, exponents, NumPy's methods."""

from __future__ import annotations

from kernellab.grading.language.cursor import ATOM, MAX_DEPTH, Cursor
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.slips import NO_NORM
from kernellab.grading.language.symbols import (
    bracketed_indices,
    gradient_of,
    indexed,
    lowered_indices,
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
    braces = c.take("{")
    if base.op == "sym" and c.take("*", "star"):
        result = _starred(c, base.data)
    elif c.take("prime", "'"):
        if braces:
            c.need("}")
        return _primed(c, base)
    else:
        result = _raised(c, base, braces)
    if braces:
        c.need("}")
    return result


def _raised(c: Cursor, base: Expr, braces: bool) -> Expr:
    minus = c.take("-")
    if not braces and c.token.kind == "name" and c.token.text[0] == "T":
        c.split(*filter(None, ("T", c.token.text[1:])))  # w^Tw is w^T w
    if c.take("top", "T"):
        turned = Expr("transpose", (Expr("ones") if base == num(1) else base,))
        if base == num(11):  # 11ᵀ
            return Expr("mul", (Expr("ones"), Expr("transpose", (Expr("ones"),))), "@")
        return Expr("inv", (turned,)) if minus else turned
    exponent = c.read() if braces else c.read(ATOM)
    return power_of(base, Expr("neg", (exponent,)) if minus else exponent)


def _subscript(c: Cursor, base: Expr) -> Expr:
    if base.op in ("eye", "ones") or is_zero(base):
        return _sized(c, base)
    squared = base.op == "pow" and base.args[1] == num(2)  # |x|^2_2
    bars = base.args[0] if squared else base
    if bars.op == "call" and bars.data in ("norm", "norm2", "abs"):
        squared = squared or bars.data == "norm2"
        return Expr("call", bars.args, _kind_of_norm(c) + "2" * squared)
    indices = lowered_indices(c)
    if base.op == "sym" and indices in (("*",), ("**",)):
        return _starred(c, base.data, len(str(indices[0])))
    shift = int(c.one_based)
    return indexed(
        c, base, tuple(i - shift if isinstance(i, int) else i for i in indices)
    )


def _kind_of_norm(c: Cursor) -> str:
    """Read the index of ‖x‖₂, the length of a column, or of ‖X‖_F."""
    c.need("_")
    found = [c.next().text]
    if found == ["{"]:
        found = []
        while c.token.kind != "end" and not c.take("}"):
            found.append(c.next().text)
    index = "".join(found)
    if index not in ("2", "F"):
        raise ReadError(
            f"the norm with the index {index} has no meaning here; {NO_NORM}"
        )
    return "length" if index == "2" else "norm"


def _sized(c: Cursor, base: Expr) -> Expr:
    """Read the sizes of I_N, I_{N×N}, 0_N."""
    c.need("_")
    braces = c.take("{")
    sizes = [_size(c)]
    while braces and c.take("cdot", ","):
        sizes.append(_size(c))
    if braces:
        c.need("}")
    if is_zero(base) and len(sizes) <= 2:
        return num(0, (sizes[0], sizes[1] if len(sizes) == 2 else "1"))
    if len(sizes) > 1 and (base.op == "ones" or sizes != sizes[:1] * 2):
        shown = {"eye": "I", "ones": "ones"}.get(base.op, "0")
        raise ReadError(f"{'×'.join(sizes)} is not a size of {shown}")
    return Expr(base.op, data=sizes[0])


def _size(c: Cursor) -> str:
    size = c.next().text
    if not size.isdigit() and size not in c.words.sizes:
        raise ReadError(f"“{size}” is not a size")
    return size


def _starred(c: Cursor, name: str, stars: int = 1) -> Expr:
    """Return the symbol w_*, which is called ws."""
    whole = name + "s" * stars
    if not c.words.declares(whole):
        shown = f"{name}_" + "*" * stars
        raise ReadError(
            f"I do not know {shown}; give it a meaning with let {shown} = …"
        )
    return symbol(c, whole)


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
        base = Expr("mul", (base, c.read()), "@")
    elif name == "transpose":
        base = Expr("transpose", (base,))
    else:
        base = Expr("call", (base,), "total")
    c.need(")")
    return base
