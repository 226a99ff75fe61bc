"""Expansion: a tree multiplied out, with some definitions put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as places_of

from kernellab.grading.checking import functions, sums
from kernellab.grading.checking.derivatives import derivative, symbols_in
from kernellab.grading.checking.labelling import Atom, Refused, spend
from kernellab.grading.checking.names import SYMMETRIC, Names, axes
from kernellab.grading.checking.sums import COLUMN, ROW, Sum, number
from kernellab.grading.language.tree import NUMBER, Expr, Shape

MOST_LITERAL = 12


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
        """Return the sum of a tree, or raise `Refused` if it has none."""
        if node.op not in _RULES:
            raise Refused(f"{node.op} has no expansion")
        spend(1)
        return _RULES[node.op](self, node)

    def opening(self, more: frozenset[str], but: str = "") -> Expansion:
        """Return an expansion that puts in more definitions, but not one of them."""
        return Expansion(self.names, (self.opened | more) - {but})

    def closed(self, node: Expr) -> Sum:
        """Multiply out with the student's own symbols put in, and no others."""
        return Expansion(self.names)(node)


def shape_of(node: Expr) -> Shape:
    """Return the shape of a tree."""
    if node.shape is None:
        raise Refused(f"the shape of {node} is not known")
    return node.shape


# Leaves


def _sym(e: Expansion, node: Expr) -> Sum:
    name = node.data
    definition = e.names.definition(name)
    if definition is not None and name in e.opened | e.names.own:
        return e(definition)
    if name in e.names.table:
        return _entries(e.names, name)
    if name in e.names.problem.sizes:
        return sums.single(sums.size_atom(name))
    if name != "pi":
        raise Refused(f"{name} is not known")
    return sums.single(e.names.atom(name))


def _entries(names: Names, name: str) -> Sum:
    """Return a symbol as it stands; one of literal size entry by entry."""
    at = axes(names.table[name].shape)
    if not any(size.isdigit() for size in at.values()):
        return sums.single(names.atom(name), *at)
    if not all(size.isdigit() for size in at.values()):
        raise Refused(f"{name} has one literal size")
    parts = []
    for places in places_of(*(range(int(size)) for size in at.values())):
        symmetric = len(places) == 2 and names.kind(name) in SYMMETRIC
        where = tuple(sorted(places)) if symmetric else places
        entry = sums.single(Atom(f"{name}{where}", "entry", (name, where)))
        for (index, size), place in zip(at.items(), places, strict=True):
            entry *= sums.single(sums.unit(place, size), index)
        parts.append(entry)
    return sums.total(parts)


def units(size: str) -> list[Atom]:
    """Return the unit vectors of a literal size."""
    if int(size) > MOST_LITERAL:
        raise Refused(f"{size} is too large a size to be written out")
    return [sums.unit(k, size) for k in range(int(size))]


def eye(size: str) -> Sum:
    """Return the identity of a size."""
    if size == "1":
        return number(1)
    if not size.isdigit():
        return sums.single(sums.eye(size), ROW, COLUMN)
    return sums.total(sums.single(u, ROW) * sums.single(u, COLUMN) for u in units(size))


def _ones(e: Expansion, node: Expr) -> Sum:
    if node.data.isdigit() and node.data != "1":
        return sums.total(sums.single(u, ROW) for u in units(node.data))
    return number(1)


# Algebra


def _mul(e: Expansion, node: Expr) -> Sum:
    left, right = node.args
    if node.data == "@" and shape_of(left)[1] != "1":
        return e(left).matmul(e(right), shape_of(left)[1])
    return e(left) * e(right)


def _pow(e: Expansion, node: Expr) -> Sum:
    base, exponent = e(node.args[0]), Fraction(node.args[1].data)
    if shape_of(node) == NUMBER:
        return functions.power(e.names, base, exponent)
    size = shape_of(node)[0]
    base, result = functions.inverse(base, size) if exponent < 0 else base, eye(size)
    for _ in range(abs(int(exponent))):
        result = result.matmul(base, size)
    return result


def _inv(e: Expansion, node: Expr) -> Sum:
    if shape_of(node) == NUMBER:
        return functions.power(e.names, e(node.args[0]), Fraction(-1))
    return functions.inverse(e(node.args[0]), shape_of(node)[0])


# Indices


def _index(e: Expansion, node: Expr) -> Sum:
    base = _at(e(node.args[0]), shape_of(node.args[0]), node.data)
    return base.renamed({COLUMN: ROW}) if len(node.data) == 1 else base


def _at(base: Sum, shape: Shape, places: tuple[str | int, ...]) -> Sum:
    """Return an entry, or a row as a column."""
    for index, size, place in zip((ROW, COLUMN), shape, places, strict=False):
        if isinstance(place, int):
            base = base.times(sums.single(sums.unit(place, size), index), {index: size})
        else:
            base = base.renamed({index: index_name(place)})
    return base


def index_name(name: str) -> str:
    """Return the name of an index, which must not be that of a row or column."""
    if name in (ROW, COLUMN) or not name.isidentifier():
        raise Refused(f"an index cannot be called {name}")
    return name


def _sum(e: Expansion, node: Expr) -> Sum:
    name, size = node.data
    return e(node.args[0]).over({index_name(name): size})


# Functions of matrices


def _trace(e: Expansion, x: Expr) -> Sum:
    return e(x).renamed({COLUMN: ROW}).over({ROW: shape_of(x)[0]})


def _diag(e: Expansion, x: Expr) -> Sum:
    rows, columns = shape_of(x)
    return e(x) * eye(rows) if columns == "1" else e(x).renamed({COLUMN: ROW})


def _vec(e: Expansion, *entries: Expr) -> Sum:
    if len(entries) == 1:
        return e(entries[0])
    pairs = zip(entries, units(str(len(entries))), strict=True)
    return sums.total(e(x) * sums.single(u, ROW) for x, u in pairs)


def _det(e: Expansion, x: Expr) -> Sum:
    size = shape_of(x)[0]
    if size == "1":
        return e(x)
    if size == "2":
        a, b, c, d = (_at(e(x), ("2", "2"), (i, j)) for i in (0, 1) for j in (0, 1))
        return a * d - b * c
    return number(1) if e(x) == eye(size) else functions.function("det", e(x), size)


# Covariances


def _cov(e: Expansion, one: Expr, two: Expr) -> Sum:
    """Return Σ x cov(u, v) yᵀ over the random symbols u and v, as cov is bilinear."""
    parts = []
    for u, x in linear_parts(e(one), e.names.random):
        for v, y in linear_parts(e(two), e.names.random):
            between = _between(e, u, v).renamed({ROW: "$", COLUMN: "$c"})
            left = x.times(between, _running(e.names, u, "$"))
            right = y.renamed({ROW: COLUMN, "$": "$c"})
            parts.append(left.times(right, _running(e.names, v, "$c")))
    return sums.total(parts)


def _running(names: Names, name: str, index: str) -> dict[str, str]:
    size = names.table[name].shape[0]
    return {} if size == "1" else {index: size}


def _between(e: Expansion, u: str, v: str) -> Sum:
    """Return cov(u, v) of two random symbols, rows for u and columns for v."""
    declared = e.names.problem.covariance_of if "cov" in e.opened else {}
    if (u, v) in declared and not declared[u, v].symbols() & e.names.own:
        return e(declared[u, v])
    if u > v or ((v, u) in declared and (u, v) not in declared):
        return _between(e, v, u).T
    at = _running(e.names, u, ROW) | _running(e.names, v, COLUMN)
    sizes, same = tuple(at.values()), u == v and len(at) == 2
    return sums.single(Atom(f"cov({u}, {v}):{sizes}", "cov", (u, v), sizes, same), *at)


def linear_parts(one: Sum, symbols: Set[str]) -> Iterator[tuple[str, Sum]]:
    """Yield each symbol, with what multiplies its entry $; what has none drops out.

    Raises
    ------
    Refused
        If a term is not linear in the symbols.
    """
    for term, c in one.terms.items():
        powers, factors = sums.opened(term, nets=True)
        atoms = [*powers, *(atom for atom, _ in factors)]
        moving = [atom for atom in atoms if symbols_in(atom) & symbols]
        if not moving:
            continue
        (atom, *more) = moving
        if more or atom.kind != "symbol" or powers.pop(atom, 1) != 1:
            raise Refused(f"{one.text} is not linear in {', '.join(sorted(symbols))}")
        rest = [
            (sums.eye(a.sizes[0]), (at[0], "$")) if a == atom else (a, at)
            for a, at in factors
        ]
        yield atom.data, sums.normal(c, powers, rest)


# Tables


_CALLS: dict[str, Callable[..., Sum]] = {
    "dot": lambda e, x, y: e(x).times(e(y), axes(shape_of(x))),
    "norm2": lambda e, x: e(x).times(e(x), axes(shape_of(x))),
    "had": lambda e, x, y: e(x) * e(y),
    "total": lambda e, x: e(x).over(axes(shape_of(x))),
    "trace": _trace, "diag": _diag, "vec": _vec, "det": _det, "cov": _cov,
    "sqrt": lambda e, x: functions.power(e.names, e(x), Fraction(1, 2)),
    "exp": lambda e, x: functions.exponential(e(x)),
    "log": lambda e, x: functions.logarithm(e(x)),
    "loss": lambda e, x: functions.function("loss", e(x), shape_of(x)),
    "d": lambda e, x: derivative(e.names, e.closed(x)),
}  # fmt: skip


def _call(e: Expansion, node: Expr) -> Sum:
    if node.data not in _CALLS:
        raise Refused(f"{node.data}(…) has no expansion")
    return _CALLS[node.data](e, *node.args)


def _grad(e: Expansion, node: Expr) -> Sum:
    """Return a gradient, or one of its entries; definitions in it stay closed."""
    function, variable = node.args
    places = () if variable.op == "sym" else variable.data
    symbol = variable.args[0] if places else variable
    if symbol.op != "sym" or symbol.data not in e.names.table:
        raise Refused("a gradient is taken by a symbol")
    gradient = derivative(e.names, e.closed(function), symbol.data)
    return _at(gradient, shape_of(symbol), places)


_RULES: dict[str, Callable[[Expansion, Expr], Sum]] = {
    "num": lambda e, node: number(Fraction(node.data)),
    "sym": _sym, "ones": _ones, "mul": _mul, "pow": _pow, "inv": _inv,
    "eye": lambda e, node: eye(node.data),
    "neg": lambda e, node: -e(node.args[0]),
    "add": lambda e, node: e(node.args[0]) + e(node.args[1]),
    "sub": lambda e, node: e(node.args[0]) - e(node.args[1]),
    "div": lambda e, node: e(node.args[0])
    * functions.power(e.names, e(node.args[1]), Fraction(-1)),
    "transpose": lambda e, node: e(node.args[0]).T,
    "stack": lambda e, node: e(node.args[0]).renamed({index_name(node.data[0]): ROW}),
    "index": _index, "sum": _sum, "call": _call, "grad": _grad, "diff": _grad,
}  # fmt: skip
