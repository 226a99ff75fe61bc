"""Symbols and their indices: a[n], K_{nm}, w_*, phi(x_n)."""

from __future__ import annotations

from kernellab.grading.language.cursor import Cursor
from kernellab.grading.language.lexer import ReadError, Token, UnknownName
from kernellab.grading.language.printing import plain
from kernellab.grading.language.tree import Expr, sym

Indices = tuple[str | int, ...]


def symbol(c: Cursor, name: str, shown: str = "") -> Expr:
    """Return the symbol of this name, which must have a meaning.

    Parameters
    ----------
    shown : how it is written, if not by its name: w_* is called ws.
    """
    name = c.words.aliases.get(name, name)
    if name in c.words.symbols or name in c.words.sizes:
        return sym(name)
    if name == "Sigma":
        raise ReadError("a sum needs its index: Σ_n …, or sum(… for n in N)")
    if name not in c.words.rows:
        raise UnknownName(name, *c.words.unknown(name, shown))
    if c.token.text not in ("[", "_"):
        raise ReadError(f"{name} needs an index: {name}[n]")
    return sym(name)


def starred(c: Cursor, name: str, stars: int = 1) -> Expr:
    """Return the symbol w_*, which is called ws."""
    return symbol(c, name + "s" * stars, f"{name}_{'*' * stars}")


def subscripted(c: Cursor, name: str) -> str:
    """Step over what is part of the name: a_1 is a1, C_y is C_y, and s² may be s2."""
    start = c.at
    square = c.token.text == "^" and name not in c.words.declared
    if not c.take("^" if square else "_"):
        return name
    braces = c.take("{")
    below = c.next().text
    whole = f"{name}{below}" if below.isdigit() else f"{name}_{below}"
    known = whole in c.words.symbols and (below == "2" or not square)
    if known and (not braces or c.take("}")):
        return whole
    c.at = start
    return name


def indexed(c: Cursor, base: Expr, indices: Indices) -> Expr:
    """Return a component or a row: phi[n] is row n of Phi, phi[n][i] an entry of it."""
    if base.op == "sym" and base.data in c.words.rows:
        base = sym(c.words.rows[base.data])
    elif base.op == "index" and len(base.data) == 1 and len(indices) == 1:
        (base,), indices = base.args, base.data + indices
    return Expr("index", (base,), indices)


def bracketed_indices(c: Cursor) -> Indices:
    """Read [n, m]."""
    c.need("[")
    found: list[str | int] = []
    while True:
        token = c.next()
        if token.kind != "name" and not token.text.isdigit():
            raise ReadError(f"{token.quoted} is not an index")
        found.append(token.text if token.kind == "name" else int(token.text))
        if c.take("]"):
            return tuple(found)
        c.need(",")


def lowered_indices(c: Cursor, most: int = 2) -> Indices:
    """Read _n, _{nm} or _{n,m}; a star is an index of its own.

    Without braces there are at most so many letters: v_nA_{nm} is v_n A_{nm}.
    """
    c.need("_")
    if not c.take("{"):
        text = c.token.text
        glued = c.token.kind == "name" and text not in (*c.words.sizes, "star")
        if glued and text[most:].isalpha():
            c.split(text[:most], text[most:])
        return _index_names(c, c.next())
    found: list[str | int] = []
    while not c.take("}"):
        if not c.take(","):
            found += _index_names(c, c.next())
    if not found:
        raise ReadError("an index is empty")
    return tuple(found)


def _index_names(c: Cursor, token: Token) -> Indices:
    if token.text.isdigit():
        return tuple(map(int, token.text))  # K_{11} is K[1,1]
    if token.text in ("*", "star", "**"):
        return ("**" if token.text == "**" else "*",)
    if token.kind != "name":
        raise ReadError(f"{token.quoted} is not an index")
    return (token.text,) if token.text in c.words.sizes else tuple(token.text)


def applied(c: Cursor, name: str) -> Expr:
    """Read a symbol: J(a) is J, φ(xₙ) is row n, k(xₙ, xₘ) is K[n,m]."""
    if c.token.text != "(":
        return symbol(c, name)
    start, named = c.at, _arguments(c)
    matrix = "K" if name == "k" and "K" in c.words.symbols else None
    if (name in c.words.rows or matrix) and {x for x, _ in named} == {"x"}:
        points = tuple(mark for _, marks in named for mark in marks)
        if points == ("*",) and name in c.words.rows:
            return starred(c, name)
        if points and not {"*", "'"} & {*points} and (not matrix or len(points) == 2):
            return indexed(c, sym(matrix or name), points)
    names = [x + "s" * (marks == ("*",)) for x, marks in named]  # w_* is ws
    new = not any(map(c.words.knows, names))  # k(x), where x has no meaning
    if not names or not (name in c.words.applied or new):
        c.at = start
        if name in c.words.applied and (column := _skip_point(c, name)):
            _keep_point(c, name, [column], start)
        return symbol(c, name)
    if f"{name}s" in c.words.symbols and any(
        n[-1:] == "s" and n[:-1] in c.words.symbols for n in names
    ):
        name = f"{name}s"  # f(w_*) is f_*
    known, different = c.words.applied.get(name), len({*names}) == len(names)
    if not new and known and not (known.issuperset(names) and different):
        raise ReadError(
            f"{name}{c.since(start)} has no meaning here: {name} stands for its "
            "definition; let something else be a symbol of your own"
        )
    point = [x + "".join(map(str, marks)).replace("*", "s") for x, marks in named]
    _keep_point(c, name, point, start)
    return symbol(c, name)


def _keep_point(c: Cursor, name: str, point: list[str], start: int) -> None:
    """Keep what a function is written with, which is one point in the whole line."""
    text = name + c.since(start)
    kept = c.points.setdefault(name, [])
    for other, before in kept:
        if not c.words.is_one_point(point, other):
            raise ReadError(
                f"{before} and {text} in one line: {name} stands for one thing here, "
                "whatever is in the brackets; write out what it is at another point"
            )
    kept.append((point, text))


def _skip_point(c: Cursor, name: str) -> str | None:
    """Step over (Φᵀa), if a symbol stands for Φᵀa, and return that symbol.

    No brackets may be inside.
    """
    start, depth, bars = c.at, c.depth, c.bars[:]
    c.need("(")
    if c.token.kind == "number" and c.peek().text == ")":
        raise ReadError(
            f"is this a value or a product? write 2 {name} for 2 times {name}; "
            f"{name} at another point is not read here: write out what {name} is there"
        )
    brackets = (t.text for t in c.stream[c.at :] if t.text in ("(", ")"))
    if next(brackets, "") == ")":
        try:
            point = c.words.points.get(shown(c.read()))
            if point and c.take(")"):
                return point
        except ReadError:
            c.depth, c.bars = depth, bars
    c.at = start
    return None


def shown(node: Expr) -> str:
    """Return an expression as text, the same for all ways to write its products."""
    return plain(node).replace("@", "*")


def _arguments(c: Cursor) -> list[tuple[str, Indices]]:
    """Step over (a), (w_*, b), (x_n, x'); return the names and their marks.

    Nothing is returned if something else stands in the brackets.
    """
    c.need("(")
    found: list[tuple[str, Indices]] = []
    while c.token.kind == "name":
        name = c.next().text
        if name == "sum":
            break
        marks: Indices = ("'",) if c.take("'") else ()
        if c.token.text == "_":
            marks += lowered_indices(c)
        elif name == "x" and c.token.text == "[":
            marks += bracketed_indices(c)
        elif c.take("star", "*"):
            marks += ("*",)
        found.append((name, marks))
        if c.take(")"):
            return found
        if not c.take(",", ";"):
            break
    return []


def gradient_of(c: Cursor, function: Expr, variable: Expr | None = None) -> Expr:
    """Return the gradient, or the derivative by a component."""
    if variable is None:
        if c.words.variable is None:
            raise ReadError("say by what the gradient is taken: grad(J, a)")
        variable = sym(c.words.variable)
    if variable.op not in ("sym", "index"):
        raise ReadError("a gradient is taken by a symbol: grad(J, a)")
    op = "diff" if variable.op == "index" else "grad"
    return Expr(op, (function, variable))
