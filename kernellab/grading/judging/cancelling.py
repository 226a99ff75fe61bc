"""Cancelling: which factor a line leaves out, and why it may not be left out.

From K u = K v does not follow u = v: K may map u − v to 0. Neither does it from
vᵀu = 0 that u = 0, nor from s x = s y that x = y if s may be 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kernellab.grading.judging.context import Context
from kernellab.grading.judging.licences import licensed
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.wording import quoted
from kernellab.grading.language.tree import NUMBER, Expr, is_zero, sym
from kernellab.grading.proving.knowledge import Link, aim

_CANCELLING = re.compile(r"cancel|divid|kurz|simplif", re.IGNORECASE)


def cancelled(context: Context, line: Statement) -> Expr | None:
    """Return the factor by which a line above differs from this one, or its words say.

    A factor that may be cancelled, because it has an inverse, is none.
    """
    (link, *more), known = line.links(), context.knowledge((), False, line.at)
    if more or link.sign != "=":
        return None
    signs, links = context.signs(), [k for k in known.links if k.sign == "="]
    lines = [k for k in links if k.label[0] == "line" and not k.free]
    above = [poly for k in lines if (poly := signs.poly(k.difference))]
    said = line.said.names if _CANCELLING.search(line.said.text) else ()
    for X, whole in _multiples(context, link):
        poly = signs.poly(whole.difference)
        found = poly and any(context.ratio(p, poly) for p in above)
        if found or (X.names <= set(said) and context.proof(whole, known)):
            return None if licensed(context, X) else X
    return None


def _multiples(context: Context, link: Link) -> Iterator[tuple[Expr, Link]]:
    """Yield each symbol that may stand before or behind a side, and what it makes."""
    shape = link.left.shape or link.right.shape
    if shape is None or link.free:
        return
    for name, symbol in context.symbols.items():
        X = sym(name, symbol.shape)
        for Y in dict.fromkeys((X, X.T)) if symbol.shape != NUMBER else (X,):
            if symbol.shape == NUMBER:
                yield X, _times(link, Y, None)
            elif Y.shape and Y.shape[1] == shape[0]:
                yield Y, _times(link, Y, True)
            elif Y.shape and Y.shape[0] == shape[1]:
                yield Y, _times(link, Y, False)


def _times(link: Link, X: Expr, first: bool | None) -> Link:
    def product(side: Expr) -> Expr:
        if is_zero(side):
            return side
        return X * side if first is None else X @ side if first else side @ X

    left, right = product(link.left), product(link.right)
    if is_zero(right):
        right = replace(right, shape=left.shape)
    return aim(left, link.sign, right)


def not_cancelled(X: Expr) -> str:
    """Say why a factor that was cancelled may not be."""
    shape, what = X.shape or NUMBER, quoted(X.names)
    if shape == NUMBER:
        return f"{what} was cancelled, which may be 0: distinguish cases"
    if shape[0] == shape[1]:
        return f"{what} was cancelled, which may be singular"
    if "1" in shape:
        return f"{what} was cancelled: a product with it may be 0 where no factor is 0"
    return f"{what} was cancelled, which may map to 0 what is not 0"
