"""The nearest repair: one edit of a line that makes it right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from kernellab.grading.language.tree import NUMBER, Expr, num, sym, terms
from kernellab.grading.symbols import Symbol

SHORT = 30  # characters of a part that is shown as it stands


@dataclass(frozen=True)
class Repair:
    """An edit of a side.

    Parameters
    ----------
    before, side : the side without and with it.
    node, new : the part that it exchanges, and what for.
    what : what it is called.
    """

    before: Expr
    side: Expr
    node: Expr
    new: Expr
    what: str

    def difference(self) -> tuple[str, str]:
        """Return the term that it changes, before and after, or a part of a long one.

        A part is shown only if it occurs once, so that it is clear which one is meant.
        """
        found = [_changed(*pair) for pair in _nested(self.before, self.side)]
        whole, text = found[0], str(self.before)
        short = (p for p in found[1:] if len(p[0]) <= SHORT and text.count(p[0]) == 1)
        return whole if len(whole[0]) <= SHORT else next(short, whole)


def repairs(
    side: Expr, symbols: Mapping[str, Symbol], near: Sequence[Expr] = ()
) -> Iterator[Repair]:
    """All single edits of one side, the likeliest first.

    Parameters
    ----------
    near : inverses in the line, which may be missing elsewhere.
    """
    seen = {str(side)}
    for kind in (_numbers, _signs, _factors, _inserts, _orders, _names, _drops):
        for node, parent, put in _places(side):
            for new, what in kind(_Place(node, parent, symbols, near)):
                whole = put(new)
                if str(whole) not in seen:
                    seen.add(str(whole))
                    yield Repair(side, whole, node, new, what)


# What an edit changes


def _nested(one: Expr, two: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield two trees, and the parts in which alone they differ, down to the least."""
    while True:
        yield one, two
        pairs = list(zip(one.args, two.args, strict=False))
        differing = [(a, b) for a, b in pairs if a != b]
        alike = (one.op, one.data, len(one.args)) == (two.op, two.data, len(two.args))
        if not alike or len(differing) != 1:
            return
        one, two = differing[0]


def _changed(one: Expr, two: Expr) -> tuple[str, str]:
    """Return the one term in which two sums differ, or else the sums."""
    before, after = _signed(one), _signed(two)
    gone = [term for term in before if term not in after]
    come = [term for term in after if term not in before]
    if len(gone) == len(come) == 1:
        return gone[0], come[0]
    return str(one), str(two)


def _signed(node: Expr) -> list[str]:
    """The terms of a sum with their signs, as text."""
    found = []
    for positive, term in terms(node):
        text = str(term)
        if not positive:
            text = f"-{text}" if term.op not in ("add", "sub") else f"-({text})"
        found.append(text)
    return found


# Where an edit is made

Args = tuple[Expr, ...]
Put = Callable[[Expr], Expr]  # returns the whole tree with another node in one place


def _places(
    node: Expr, parent: Expr | None = None, put: Put = lambda new: new
) -> Iterator[tuple[Expr, Expr | None, Put]]:
    """All nodes of a tree, each with what exchanges it in this place alone."""
    yield node, parent, put
    for i, arg in enumerate(node.args):
        before, after = node.args[:i], node.args[i + 1 :]

        def inside(new: Expr, before: Args = before, after: Args = after) -> Expr:
            return put(replace(node, args=(*before, new, *after)))

        yield from _places(arg, node, inside)


@dataclass(frozen=True)
class _Place:
    """A node that may be edited, what it stands in, and what may be missing in it."""

    node: Expr
    parent: Expr | None
    symbols: Mapping[str, Symbol]
    near: Sequence[Expr]

    @property
    def square(self) -> bool:
        """Whether it is a square matrix."""
        shape = self.node.shape
        return bool(shape and shape[0] == shape[1] != "1")


Edits = Iterator[tuple[Expr, str]]


def _scaled(factor: Expr, node: Expr) -> Expr:
    """factor · node, written in front: 2*a.T@K@t; s·2s is 2*s**2."""
    if node == factor:
        return node**2
    if node.op == "pow" and node.args[0] == factor:
        return replace(node, args=(factor, num(node.args[1].data + 1)))
    if node.op != "mul":
        return factor * node
    left, right = node.args
    if left.op == "num" or right == factor:
        return replace(node, args=(left, _scaled(factor, right)))
    return replace(node, args=(_scaled(factor, left), right))


def _over(node: Expr, number: int | Fraction) -> Expr:
    return Expr("div", (node, num(number)), None, node.shape)


def _multiplied(X: Expr, node: Expr, first: bool = True) -> Expr:
    """X · node, or node · X, with X behind the numbers in front: 2*lam*K@a."""
    if node.op == "neg":
        return -_multiplied(X, node.args[0], first)
    if not first:
        return node @ X
    if node.op != "mul":
        return X @ node
    left, right = node.args
    if left.shape != NUMBER:
        return replace(node, args=(_multiplied(X, left), right))
    if right.op == "mul":
        return replace(node, args=(left, _multiplied(X, right)))
    return (left * X) @ right


# Edits

_TERMS = ("mul", "sym", "call", "div", "sum", "transpose", "pow", "index", "eye")
_HALF = "a factor 2 was lost"
_TWICE = "a factor 2 too many"


def _numbers(at: _Place) -> Edits:
    """A number twice or half as large as it should be."""
    node = at.node
    front = node.op == "mul" and node.args[0].op == "num" and node.args[0].data
    if front:
        number, rest = node.args
        yield replace(node, args=(num(front * 2), rest)), _HALF
        if front != 2:
            yield replace(node, args=(num(front / 2), rest)), _TWICE
        yield rest, f"the factor `{number}` is too many"
    if node.op == "div" and node.args[1].op == "num" and node.args[1].data:
        top, below = node.args
        yield top if below.data == 2 else _over(top, below.data / 2), _HALF
        yield _over(top, below.data * 2), _TWICE
    if node.op == "num" and node.shape == NUMBER and node.data != 0:
        exponent = at.parent is not None and at.parent.op == "pow"
        for other in (node.data * 2, node.data / 2) if not exponent else ():
            yield num(other), f"`{num(other)}` was meant instead of `{node}`"


def _factors(at: _Place) -> Edits:
    """A factor lost or added."""
    node = at.node
    if node.op not in _TERMS or node.shape is None:
        return
    yield _scaled(num(2), node), _HALF
    yield _over(node, 2), _TWICE
    for name, symbol in at.symbols.items():
        if symbol.kind == "positive":
            factor = sym(name, NUMBER)
            yield _scaled(factor, node), f"the factor `{name}` was lost"
    if node.op == "index" and node.shape == NUMBER and len(node.data) == 1:
        (base,) = node.args
        for name, symbol in at.symbols.items():
            if symbol.shape == base.shape and name != base.data:
                factor = replace(node, args=(sym(name, symbol.shape),))
                yield factor * node, f"the factor `{factor}` was lost"


def _inserts(at: _Place) -> Edits:
    """A matrix lost in front of a column, or behind a row."""
    node, parent = at.node, at.parent
    if node.shape is None or node.shape == NUMBER or node.op in ("num", "eye"):
        return
    if parent is not None and parent.op == "transpose":  # a.T@K, not (K@a).T
        return
    matrices = [sym(name, symbol.shape) for name, symbol in at.symbols.items()]
    for X in (*matrices, *at.near):
        what = f"the factor `{X}` was lost"
        rows, columns = node.shape
        if X.shape == (rows, rows) != NUMBER:
            yield _multiplied(X, node), what
        if X.shape == (columns, columns) != NUMBER:
            yield _multiplied(X, node, first=False), what


def _signs(at: _Place) -> Edits:
    """A sign the wrong way round."""
    node, wrong = at.node, "a sign is wrong"
    if node.op == "add":
        yield replace(node, op="sub"), wrong
    if node.op == "sub":
        yield replace(node, op="add"), wrong
    if node.op == "neg":
        yield node.args[0], wrong
    if node.op in ("mul", "sum", "call", "div", "sym") and node.shape is not None:
        yield -node, wrong


def _orders(at: _Place) -> Edits:
    """Factors or indices in the wrong order, transposes, squares, inverses lost."""
    node = at.node
    if node.op == "mul" and node.data == "@":
        one, two = node.args
        if one.shape == two.shape:
            yield replace(node, args=(two, one)), "the factors are in the wrong order"
    if node.op == "index" and len(node.data) == 2:
        yield replace(node, data=node.data[::-1]), "the indices are in the wrong order"
    if at.square and node.op == "transpose":
        yield node.args[0], "a transpose too many"
    elif at.square:
        yield node.T, "a transpose was lost"
    if node.op == "pow" and node.args[1].data == 2:
        yield node.args[0], "a square too many"
    if node.shape == NUMBER and node.op in ("sym", "sum", "index"):
        yield node**2, "a square was lost"
    if node.shape and node.op == "inv":
        yield node.args[0], "it should not be inverted"
        yield node.args[0].T, "it should be transposed, not inverted"
    elif at.square and node.op in ("add", "sub", "sym"):
        yield Expr("inv", (node,), shape=node.shape), "it should be inverted"


def _names(at: _Place) -> Edits:
    """One symbol for another, of the same shape first."""
    node = at.node
    if node.op != "sym" or node.data not in at.symbols:
        return
    random = at.symbols[node.data].kind == "random"
    alike = [s for s in at.symbols.values() if (s.kind == "random") == random]
    for symbol in sorted(alike, key=lambda symbol: symbol.shape != node.shape):
        if symbol.name != node.data:
            meant = f"`{symbol.name}` was meant instead of `{node.data}`"
            yield sym(symbol.name, symbol.shape), meant


def _drops(at: _Place) -> Edits:
    """A term or a factor too many."""
    node = at.node
    if node.op in ("add", "sub"):
        one, two = node.args
        yield one, f"the term `{two}` is too many"
        if node.op == "add":
            yield two, f"the term `{one}` is too many"
    if node.op == "mul":
        for kept, dropped in (node.args, node.args[::-1]):
            if kept.shape == node.shape:
                yield kept, f"the factor `{dropped}` is too many"
