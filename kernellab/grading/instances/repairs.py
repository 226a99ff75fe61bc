"""The nearest repair: one edit of a line that makes it right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from kernellab.grading.language.tree import NUMBER, Expr, num, sym, terms
from kernellab.grading.symbols import Symbol


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
        """Return the term that it changes, before and after; the node if none is."""
        before, after = _signed(self.before), _signed(self.side)
        gone = [term for term in before if term not in after]
        come = [term for term in after if term not in before]
        if len(gone) == len(come) == 1:
            return gone[0], come[0]
        return str(self.node), str(self.new)


def repairs(side: Expr, symbols: Mapping[str, Symbol]) -> Iterator[Repair]:
    """All single edits of one side, the likeliest first."""
    kinds = (_numbers, _signs, _factors, _inserts, _orders, _names, _drops)
    for kind in kinds:
        for node, put in _places(side):
            for new, what in kind(node, symbols):
                yield Repair(side, put(new), node, new, what)


def _signed(node: Expr) -> list[str]:
    """The terms of a sum with their signs, as text."""
    found = []
    for positive, term in terms(node):
        text = str(term)
        if not positive:
            text = f"-{text}" if term.op not in ("add", "sub") else f"-({text})"
        found.append(text)
    return found


Args = tuple[Expr, ...]
Put = Callable[[Expr], Expr]  # returns the whole tree with another node in one place


def _places(node: Expr, put: Put = lambda new: new) -> Iterator[tuple[Expr, Put]]:
    """All nodes of a tree, each with what exchanges it in this place alone."""
    yield node, put
    for i, arg in enumerate(node.args):
        before, after = node.args[:i], node.args[i + 1 :]

        def inside(new: Expr, before: Args = before, after: Args = after) -> Expr:
            return put(replace(node, args=(*before, new, *after)))

        yield from _places(arg, inside)


Edits = Iterator[tuple[Expr, str]]


def _scaled(factor: Expr, node: Expr) -> Expr:
    """factor · node, written in front: 2*a.T@K@t rather than 2*(a.T@K@t)."""
    if node.op == "mul":
        return replace(node, args=(_scaled(factor, node.args[0]), node.args[1]))
    return factor * node


_TERMS = ("mul", "sym", "call", "div", "sum", "transpose", "pow", "index")


def _numbers(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """A number twice or half as large as it should be."""
    if node.op == "num" and node.shape == NUMBER and node.data != 0:
        yield num(node.data * 2), "a factor 2 was lost"
        yield num(Fraction(node.data) / 2), "a factor 2 too many"
    if node.op == "mul" and node.args[0].op == "num":
        yield node.args[1], f"the factor `{node.args[0]}` is too many"


def _factors(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """A factor lost or added."""
    if node.op not in _TERMS:
        return
    yield _scaled(num(2), node), "a factor 2 was lost"
    yield _scaled(num(Fraction(1, 2)), node), "a factor 2 too many"
    for name, symbol in symbols.items():
        if symbol.kind == "positive":
            yield _scaled(sym(name, NUMBER), node), f"the factor `{name}` was lost"


def _inserts(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """A matrix lost in front of a column."""
    if node.shape is None or node.shape == NUMBER or node.op == "num":
        return
    for name, symbol in symbols.items():
        if symbol.shape == (node.shape[0], node.shape[0]):
            yield sym(name, symbol.shape) @ node, f"the factor `{name}` was lost"


def _signs(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """A sign the wrong way round."""
    if node.op == "add":
        yield replace(node, op="sub"), "a sign is wrong"
    if node.op == "sub":
        yield replace(node, op="add"), "a sign is wrong"
    if node.op == "neg":
        yield node.args[0], "a sign is wrong"
    if node.op in ("mul", "sum", "call", "div", "sym") and node.shape is not None:
        yield -node, "a sign is wrong"


def _orders(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """Factors or indices in the wrong order, transposes lost or added."""
    if node.op == "mul" and node.data == "@":
        one, two = node.args
        if one.shape == two.shape:
            yield replace(node, args=(two, one)), "the factors are in the wrong order"
    if node.op == "index" and len(node.data) == 2:
        yield replace(node, data=node.data[::-1]), "the indices are in the wrong order"
    if node.shape and node.shape[0] == node.shape[1] != "1":
        if node.op == "transpose":
            yield node.args[0], "a transpose too many"
        else:
            yield node.T, "a transpose was lost"
    if node.op == "pow" and node.args[1].data == 2:
        yield node.args[0], "a square too many"
    if node.shape == NUMBER and node.op in ("sym", "sum"):
        yield node**2, "a square was lost"
    if node.shape and node.op == "inv":
        yield node.args[0], "it should not be inverted"


def _names(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """One symbol for another of the same shape."""
    if node.op != "sym" or node.data not in symbols:
        return
    for name, symbol in symbols.items():
        if name != node.data and symbol.shape == node.shape:
            meant = f"`{name}` was meant instead of `{node.data}`"
            yield sym(name, symbol.shape), meant


def _drops(node: Expr, symbols: Mapping[str, Symbol]) -> Edits:
    """A term or a factor too many."""
    if node.op in ("add", "sub"):
        one, two = node.args
        yield one, f"the term `{two}` is too many"
        if node.op == "add":
            yield two, f"the term `{one}` is too many"
    if node.op == "mul":
        for kept, dropped in (node.args, node.args[::-1]):
            if kept.shape == node.shape:
                yield kept, f"the factor `{dropped}` is too many"
