"""Expansion: a tree multiplied out, with some definitions put in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as places_of

from kernellab.grading.checking.atoms import (
    Atom,
    Refused,
    basis_atom,
    eye_atom,
    size_atom,
    tensor_atom,
)
from kernellab.grading.checking.covariances import covariance
from kernellab.grading.checking.derivatives import along, closed_gradient
from kernellab.grading.checking.functions import exponential, function, inverse, power
from kernellab.grading.checking.names import SYMMETRIC, Names
from kernellab.grading.checking.sums import (
    COLUMN,
    ROW,
    Sum,
    add,
    multiply,
    number,
    rename,
    scale,
    single,
    subtract,
    sum_over,
    transpose,
)
from kernellab.grading.language.shapes import NUMBER, Shape
from kernellab.grading.language.tree import Expr
from kernellab.grading.symbols import Symbol


@dataclass(frozen=True)
class Expansion:
    """Multiplies trees out.

    Parameters
    ----------
    opened : the names whose definitions are put in; "cov" for the covariances.
    """

    names: Names
    opened: frozenset[str] = frozenset()

    def __call__(self, node: Expr) -> Sum:
        """Return the sum of a tree.

        Raises
        ------
        Refused
            If it has no sum here.
        """
        rule = _RULES.get(node.op)
        if rule is None:
            raise Refused(f"{node.op} has no expansion")
        return rule(self, node)

    def opening(self, more: frozenset[str], but: str = "") -> Expansion:
        """Return an expansion that puts in more definitions, but not one of them."""
        return Expansion(self.names, (self.opened | more) - {but})

    @property
    def closed(self) -> Expansion:
        """The expansion that puts in the student's own symbols only."""
        return Expansion(self.names)


def shape_of(node: Expr) -> Shape:
    """Return the shape of a tree, which must have been computed."""
    if node.shape is None:
        raise Refused(f"the shape of {node} is not known")
    return node.shape


def axes(shape: Shape) -> dict[str, str]:
    """Return the free indices of a shape, with their sizes."""
    pairs = zip((ROW, COLUMN), shape, strict=True)
    return {index: size for index, size in pairs if size != "1"}


# Leaves


def _sym(e: Expansion, node: Expr) -> Sum:
    name = node.data
    symbol = e.names.table.get(name)
    if symbol is None:
        if name != "pi" and name not in e.names.problem.sizes:
            raise Refused(f"{name} is not known")
        return single(
            tensor_atom("symbol", "pi", ()) if name == "pi" else size_atom(name)
        )
    if symbol.definition is not None and (name in e.opened or name in e.names.own):
        return e(symbol.definition)
    return symbol_sum(symbol)


def symbol_sum(symbol: Symbol) -> Sum:
    """Return a symbol as it stands; one of literal size by its entries."""
    at = axes(symbol.shape)
    if not any(size.isdigit() for size in at.values()):
        matrix = len(at) == 2 and symbol.kind in SYMMETRIC
        sizes = tuple(at.values())
        return single(tensor_atom("symbol", symbol.name, sizes, matrix), *at)
    if not all(size.isdigit() for size in at.values()):
        raise Refused(f"{symbol.name} has one literal size")
    entries = places_of(*(range(int(size)) for size in at.values()))
    return add(*(_entry(symbol, at, places) for places in entries))


def _entry(symbol: Symbol, at: dict[str, str], places: tuple[int, ...]) -> Sum:
    """Return one entry of a symbol, times the unit vectors of its place."""
    symmetric = len(places) == 2 and symbol.kind in SYMMETRIC
    where = tuple(sorted(places)) if symmetric else places
    entry = single(Atom(f"{symbol.name}{where}", "entry", (symbol.name, where)))
    for (index, size), place in zip(at.items(), places, strict=True):
        entry = multiply(entry, single(basis_atom(place, size), index))
    return entry


def eye(size: str) -> Sum:
    """Return the identity of a size."""
    if size == "1":
        return number(1)
    if not size.isdigit():
        return single(eye_atom(size), ROW, COLUMN)
    units = (basis_atom(k, size) for k in range(int(size)))
    return add(*(multiply(single(u, ROW), single(u, COLUMN)) for u in units))


def _ones(e: Expansion, node: Expr) -> Sum:
    if node.data.isdigit() and node.data != "1":
        return add(
            *(single(basis_atom(k, node.data), ROW) for k in range(int(node.data)))
        )
    return number(1)


# Algebra


def _mul(e: Expansion, node: Expr) -> Sum:
    left, right = node.args
    if node.data == "@" and shape_of(left)[1] != "1":
        return matmul(e(left), e(right), shape_of(left)[1])
    return multiply(e(left), e(right))


def matmul(left: Sum, right: Sum, size: str) -> Sum:
    """Return the matrix product, summed over an index of a size."""
    return multiply(rename(left, {COLUMN: "$"}), rename(right, {ROW: "$"}), {"$": size})


def _div(e: Expansion, node: Expr) -> Sum:
    return multiply(e(node.args[0]), power(e.names, e(node.args[1]), Fraction(-1)))


def _pow(e: Expansion, node: Expr) -> Sum:
    exponent, size = Fraction(node.args[1].data), shape_of(node)[0]
    base = e(node.args[0])
    if shape_of(node) == NUMBER:
        return power(e.names, base, exponent)
    if exponent < 0:
        base = inverse(base, size)
    result = eye(size)
    for _ in range(abs(int(exponent))):
        result = matmul(result, base, size)
    return result


def _inv(e: Expansion, node: Expr) -> Sum:
    if shape_of(node) == NUMBER:
        return power(e.names, e(node.args[0]), Fraction(-1))
    return inverse(e(node.args[0]), shape_of(node)[0])


def _transpose(e: Expansion, node: Expr) -> Sum:
    return transpose(e(node.args[0]))


# Indices


def _index(e: Expansion, node: Expr) -> Sum:
    base, shape = e(node.args[0]), shape_of(node.args[0])
    for index, size, place in zip((ROW, COLUMN), shape, node.data, strict=False):
        base = _at(base, index, size, place)
    return rename(base, {COLUMN: ROW}) if len(node.data) == 1 else base


def _named(name: str) -> str:
    """Return the name of an index, which must not be one of the axes."""
    if name in (ROW, COLUMN):
        raise Refused(f"an index cannot be called {name}")
    return name


def _at(base: Sum, index: str, size: str, place: str | int) -> Sum:
    if isinstance(place, int):
        return multiply(base, single(basis_atom(place, size), index), {index: size})
    return rename(base, {index: _named(place)})


def _sum(e: Expansion, node: Expr) -> Sum:
    name, size = node.data
    return sum_over(e(node.args[0]), {_named(name): size})


def _stack(e: Expansion, node: Expr) -> Sum:
    return rename(e(node.args[0]), {_named(node.data[0]): ROW})


# Functions


def _dot(e: Expansion, one: Expr, two: Expr) -> Sum:
    return multiply(e(one), e(two), axes(shape_of(one)))


def _norm2(e: Expansion, x: Expr) -> Sum:
    return _dot(e, x, x)


def _had(e: Expansion, one: Expr, two: Expr) -> Sum:
    return multiply(e(one), e(two))


def _trace(e: Expansion, x: Expr) -> Sum:
    return sum_over(rename(e(x), {COLUMN: ROW}), {ROW: shape_of(x)[0]})


def _total(e: Expansion, x: Expr) -> Sum:
    return sum_over(e(x), axes(shape_of(x)))


def _diag(e: Expansion, x: Expr) -> Sum:
    if shape_of(x)[1] == "1":
        return multiply(e(x), eye(shape_of(x)[0]))
    return rename(e(x), {COLUMN: ROW})


def _vec(e: Expansion, *entries: Expr) -> Sum:
    size = str(len(entries))
    if size == "1":
        return e(entries[0])
    units = (single(basis_atom(k, size), ROW) for k in range(len(entries)))
    return add(*(multiply(e(x), u) for x, u in zip(entries, units, strict=True)))


def _sqrt(e: Expansion, x: Expr) -> Sum:
    return power(e.names, e(x), Fraction(1, 2))


def _det(e: Expansion, x: Expr) -> Sum:
    inner = e(x)
    if shape_of(x)[0] == "2":
        a, b, c, d = (
            e(Expr("index", (x,), at, NUMBER))
            for at in ((0, 0), (0, 1), (1, 0), (1, 1))
        )
        return subtract(multiply(a, d), multiply(b, c))
    return number(1) if inner == eye(shape_of(x)[0]) else function("det", inner)


def _log(e: Expansion, x: Expr) -> Sum:
    """Expand log; of a product of exponentials it is the sum of the exponents."""
    inner = e(x)
    for (powers, factors), c in inner.items() if len(inner) == 1 else ():
        known = [(scale(a.inner, p)) for a, p in powers if a.kind == "exp" and a.inner]
        if powers and not factors and c == 1 and len(known) == len(powers):
            return add(*known)
    return function("log", inner)


def _loss(e: Expansion, x: Expr) -> Sum:
    return function("loss", e(x))


def _cov(e: Expansion, one: Expr, two: Expr) -> Sum:
    declared = None
    if "cov" in e.opened:
        declared = {pair: e(tree) for pair, tree in e.names.covariances.items()}
    return covariance(e.names, e(one), e(two), declared)


def _d(e: Expansion, x: Expr) -> Sum:
    return along(e.names, e.closed(x))


# Derivatives, which stay closed


def _grad(e: Expansion, node: Expr) -> Sum:
    function_of, variable = node.args
    if variable.op != "sym":
        raise Refused("a gradient is taken by a symbol")
    return closed_gradient(e.names, e.closed(function_of), variable.data)


def _diff(e: Expansion, node: Expr) -> Sum:
    function_of, component = node.args
    if component.op == "sym":
        return _grad(e, node)
    (symbol,) = component.args
    gradient = closed_gradient(e.names, e.closed(function_of), symbol.data)
    for index, size, place in zip(
        (ROW, COLUMN), shape_of(symbol), component.data, strict=False
    ):
        gradient = _at(gradient, index, size, place)
    return gradient


_CALLS: dict[str, Callable[..., Sum]] = {
    "norm2": _norm2, "dot": _dot, "had": _had, "trace": _trace, "total": _total,
    "diag": _diag, "vec": _vec, "sqrt": _sqrt, "det": _det, "loss": _loss,
    "cov": _cov, "d": _d,
    "exp": lambda e, x: exponential(e(x)),
    "log": _log,
}  # fmt: skip


def _call(e: Expansion, node: Expr) -> Sum:
    if node.data not in _CALLS:
        raise Refused(f"{node.data}(…) has no expansion")
    return _CALLS[node.data](e, *node.args)


_RULES: dict[str, Callable[[Expansion, Expr], Sum]] = {
    "num": lambda e, node: number(Fraction(node.data)),
    "sym": _sym, "ones": _ones, "mul": _mul, "div": _div, "pow": _pow, "inv": _inv,
    "eye": lambda e, node: eye(node.data),
    "neg": lambda e, node: scale(e(node.args[0]), -1),
    "add": lambda e, node: add(*map(e, node.args)),
    "sub": lambda e, node: subtract(*map(e, node.args)),
    "transpose": _transpose, "index": _index, "sum": _sum, "stack": _stack,
    "call": _call, "grad": _grad, "diff": _diff,
}  # fmt: skip
