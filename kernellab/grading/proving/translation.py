"""From trees to polynomials of tensor networks.

Definitions stay closed unless they are opened by name; the student's own symbols are
abbreviations, and always opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any

from kernellab.grading.language.tree import NUMBER, Expr, Shape, call, put_in
from kernellab.grading.proving.covariances import covariance
from kernellab.grading.proving.derivatives import along, gradient
from kernellab.grading.proving.elements import (
    axes_of,
    basis,
    eye,
    inverse_of,
    ones,
    power,
    symbol_poly,
)
from kernellab.grading.proving.networks import (
    COLUMN,
    ONE,
    ROW,
    Algebra,
    Poly,
    Untranslatable,
)
from kernellab.grading.proving.rationals import Rational, whole
from kernellab.grading.symbols import Symbol, below


@dataclass(frozen=True)
class Scope:
    """What the names of a line mean.

    Parameters
    ----------
    symbols : the problem's and the student's.
    own : the names that the student defined, which are always opened.
    tangents : name → its derivative along θ: C → dC.
    covariances : pairs of random variables → their covariance.
    sizes : the sizes of free indices, by name.
    """

    symbols: Mapping[str, Symbol]
    own: frozenset[str] = frozenset()
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)

    def definition(self, name: str) -> Expr | None:
        """Return what a name stands for, if it stands for something."""
        return self.symbols[name].definition if name in self.symbols else None

    def depends(self, name: str, on: str) -> bool:
        """Return True if a symbol is defined, at any depth, through another."""
        return on in self.below(name)

    def below(self, name: str) -> set[str]:
        """Return all names in the definition of a name, at any depth."""
        if name not in self._below:
            self._below[name] = below(name, self.definition)
        return self._below[name]

    @cached_property
    def _below(self) -> dict[str, set[str]]:
        return {}

    def varies(self, name: str) -> bool:
        """Return True if a symbol depends on θ."""
        return bool(({name} | self.below(name)) & set(self.tangents))


class Translator:
    """Translates trees, with some definitions opened."""

    def __init__(
        self, algebra: Algebra, scope: Scope, opened: frozenset[str] = frozenset()
    ) -> None:
        self.algebra = algebra
        self.scope = scope
        self.opened = opened | scope.own
        self.sizes = dict(scope.sizes)
        self.memo: dict[int, tuple[Expr, Poly]] = {}
        self.facts: dict[object, Any] = {}  # that were found with it
        self.others: dict[object, Translator] = {}

    def with_opened(self, opened: frozenset[str]) -> Translator:
        """Return a translator with other definitions opened."""
        key = (opened, *self.sizes.items())
        if key not in self.others:
            scope = replace(self.scope, sizes=dict(self.sizes))
            self.others[key] = Translator(self.algebra, scope, opened)
        return self.others[key]

    def __call__(self, node: Expr) -> Poly:
        """Return the polynomial of an expression.

        Raises
        ------
        Untranslatable
            If it has no normal form.
        """
        if not node.indices and id(node) in self.memo:
            return self.memo[id(node)][1]
        rule = _RULES.get(node.data if node.op == "call" else node.op)
        if rule is None:
            raise Untranslatable(f"{node.op} {node.data}")
        poly = rule(self, node)
        if not node.indices:
            self.memo[id(node)] = (node, poly)
        return poly

    def positive(self, poly: Poly) -> bool:
        """Return True if a number is known to be positive: s, 1 + s, 2·s·t."""
        sharp = False
        for (powers, nets), c in poly.items():
            above = all(self.algebra.atoms[a].positive for a, _ in powers)
            if c < 0 or nets or not (above or all(p % 2 == 0 for _, p in powers)):
                return False
            sharp = sharp or above
        return sharp

    def written_out(self, node: Expr) -> Expr:
        """Return the tree with the opened definitions put in."""
        definition, opened = self.scope.definition, self.opened
        return put_in(node, lambda name: definition(name) if name in opened else None)


def shape_of(node: Expr) -> Shape:
    """Return the shape that every node has after the reader."""
    assert node.shape is not None
    return node.shape


# Leaves and algebra


def _sym(t: Translator, node: Expr) -> Poly:
    known = t.scope.symbols.get(node.data)
    if known is None and node.data == "pi":
        atom = t.algebra.atom("symbol", "pi", positive=True, nonneg=True, tree=node)
        return t.algebra.single(atom)
    if known is None:
        return t.algebra.single(t.algebra.size(node.data))
    if node.data in t.opened and known.definition is not None:
        return t(known.definition)
    return symbol_poly(t.algebra, known)


def _mul(t: Translator, node: Expr) -> Poly:
    left, right = map(t, node.args)
    if node.data == "*":
        return t.algebra.multiply(left, right)
    return t.algebra.matmul(left, right, shape_of(node.args[0])[1])


def _pow(t: Translator, node: Expr) -> Poly:
    exponent = whole(Fraction(node.args[1].data))
    if node.shape == NUMBER:
        return _power_of(t, node.args[0], exponent)
    size = shape_of(node)[0]
    base = inverse(t, node.args[0]) if exponent < 0 else t(node.args[0])
    result = eye(t.algebra, size)
    for _ in range(abs(int(exponent))):
        result = t.algebra.matmul(result, base, size)
    return result


def _power_of(t: Translator, node: Expr, exponent: Rational) -> Poly:
    base = t(node)
    try:
        if not t.algebra.free(base) or (exponent >= 0 and exponent.denominator == 1):
            return power(t.algebra, base, exponent, t.positive)
        if exponent.denominator > 1:
            raise Untranslatable("the root of a number with an index")
        one = _applied(t, "reciprocal", base, node)
        return power(t.algebra, one, -exponent, t.positive)
    except ZeroDivisionError as error:
        raise Untranslatable("a power of 0") from error


def inverse(t: Translator, node: Expr) -> Poly:
    """Return 1/x, or the inverse of a matrix."""
    if node.shape == NUMBER:
        return _power_of(t, node, -1)
    return inverse_of(t.algebra, t(node), t.written_out(node), t.positive)


def _transpose(t: Translator, node: Expr) -> Poly:
    poly = t(node.args[0])
    return poly if node.shape == NUMBER else t.algebra.transposed(poly)


# Indices


def _index(t: Translator, node: Expr) -> Poly:
    base, (rows, columns) = t(node.args[0]), shape_of(node.args[0])
    base = at_place(t, base, ROW, rows, node.data[0])
    if len(node.data) == 2:
        return at_place(t, base, COLUMN, columns, node.data[1])
    return base if node.shape == NUMBER else t.algebra.transposed(base)


def at_place(t: Translator, poly: Poly, axis: int, size: str, place: str | int) -> Poly:
    """Return the entries at one place of an axis."""
    if isinstance(place, int):
        unit = basis(t.algebra, place, size, axis)
        return t.algebra.multiply(poly, unit, {axis: size})
    t.sizes.setdefault(place, size)
    return t.algebra.renamed(poly, {axis: t.algebra.index(place)})


def _sum(t: Translator, node: Expr) -> Poly:
    name, size = node.data
    outer = t.sizes.get(name)
    t.sizes[name] = size
    body = t(node.args[0])
    del t.sizes[name]
    if outer is not None:
        t.sizes[name] = outer
    return t.algebra.sum_over(body, {t.algebra.index(name): size})


def _stack(t: Translator, node: Expr) -> Poly:
    name, size = node.data
    t.sizes[name] = size
    return t.algebra.renamed(t(node.args[0]), {t.algebra.index(name): ROW})


# Functions


def _dot(t: Translator, node: Expr) -> Poly:
    """Return Σ xᵢ yᵢ; also the squared norm, where both are the same."""
    one, two = t(node.args[0]), t(node.args[-1])
    return t.algebra.multiply(one, two, axes_of(node.args[0].shape))


def _trace(t: Translator, node: Expr) -> Poly:
    diagonal = t.algebra.renamed(t(node.args[0]), {COLUMN: ROW})
    return t.algebra.sum_over(diagonal, {ROW: shape_of(node.args[0])[0]})


def _diag(t: Translator, node: Expr) -> Poly:
    x, (rows, columns) = t(node.args[0]), shape_of(node.args[0])
    if columns == "1":
        return t.algebra.multiply(x, eye(t.algebra, rows))
    return t.algebra.renamed(x, {COLUMN: ROW})


def _vec(t: Translator, node: Expr) -> Poly:
    if len(node.args) == 1:
        return t(node.args[0])
    size = str(len(node.args))
    units = (basis(t.algebra, k, size, ROW) for k in range(len(node.args)))
    parts = zip(map(t, node.args), units, strict=True)
    return t.algebra.add(*(t.algebra.multiply(*pair) for pair in parts))


def _function(t: Translator, node: Expr) -> Poly:
    inner = t(node.args[0])
    if node.data == "exp" and not inner:
        return t.algebra.number(1)
    if node.data == "log":
        known = {} if inner == {ONE: 1} else _exponent(t.algebra, inner)
        if known is not None:
            return known
    return _applied(t, node.data, inner, node.args[0])


def _exponent(algebra: Algebra, poly: Poly) -> Poly | None:
    """Return p for exp(p)."""
    for atom in {a for powers, _ in poly for a, _ in powers}:
        known = algebra.atoms[atom]
        is_exp = known.kind == "function" and known.data[0] == "exp"
        if is_exp and poly == algebra.single(atom):
            return known.inner
    return None


def _applied(t: Translator, name: str, inner: Poly, node: Expr) -> Poly:
    """Return a function of a number, which may depend on indices."""
    algebra = t.algebra
    free = sorted(algebra.free(inner) - {ROW, COLUMN}, reverse=True)
    if name == "loss":
        if free:
            raise Untranslatable("loss of an indexed column")
        tree = call("loss", t.written_out(node))
        # Of 𝟏 it is a number for each size.
        return algebra.single(algebra.function(name, inner, shape_of(node), tree=tree))
    sizes = {algebra.index(n): size for n, size in t.sizes.items()}
    places = {i: algebra.index(f"#{k}") for k, i in enumerate(free)}
    inner = algebra.renamed(inner, places)
    atom = algebra.function(name, inner, sizes=tuple(sizes[i] for i in free))
    return algebra.single(atom, tuple(free))


def _det(t: Translator, node: Expr) -> Poly:
    X, size = node.args[0], shape_of(node.args[0])[0]
    inner = t(X)
    if inner == eye(t.algebra, size):
        return t.algebra.number(1)
    if t.algebra.free(inner) - {ROW, COLUMN}:
        raise Untranslatable("a determinant with an index")
    if size.isdigit():
        return _literal_det(t, X, int(size))
    tree = call("det", t.written_out(X))
    key = (size, frozenset(inner.items()))  # det 2·11ᵀ is one number for each size
    atom = t.algebra.atom("det", key, inner=inner, tree=tree)
    return t.algebra.single(atom)


def _literal_det(t: Translator, node: Expr, size: int) -> Poly:
    """Return Leibniz' formula for a determinant of literal size."""
    if size > 3:
        raise Untranslatable("a determinant of this size")
    total: Poly = {}
    for order in permutations(range(size)):
        odd = sum(a > b for k, a in enumerate(order) for b in order[k + 1 :]) % 2
        product = t.algebra.number(-1 if odd else 1)
        for place in enumerate(order):
            entry = Expr("index", (node,), place, NUMBER)
            product = t.algebra.multiply(product, t(entry))
        total = t.algebra.add(total, product)
    return total


# Derivatives, which stay closed until a fact computes them, and covariances


def _diff(t: Translator, node: Expr) -> Poly:
    function, component = node.args
    slope = gradient(t, function, component.args[0].data)
    size = shape_of(component.args[0])[0]
    return at_place(t, slope, ROW, size, component.data[0])


Rule = Callable[[Translator, Expr], Poly]
_RULES: dict[str, Rule] = {
    "num": lambda t, node: t.algebra.number(node.data),
    "sym": _sym,
    "eye": lambda t, node: eye(t.algebra, node.data),
    "ones": lambda t, node: ones(t.algebra, node.data),
    "neg": lambda t, node: t.algebra.scale(t(node.args[0]), -1),
    "add": lambda t, node: t.algebra.add(*map(t, node.args)),
    "sub": lambda t, node: t.algebra.subtract(*map(t, node.args)),
    "mul": _mul,
    "div": lambda t, node: t.algebra.multiply(
        t(node.args[0]), _power_of(t, node.args[1], -1)
    ),
    "pow": _pow,
    "transpose": _transpose,
    "inv": lambda t, node: inverse(t, node.args[0]),
    "index": _index, "sum": _sum, "stack": _stack,
    "norm2": _dot, "dot": _dot,
    "had": lambda t, node: t.algebra.multiply(t(node.args[0]), t(node.args[1])),
    "trace": _trace,
    "total": lambda t, node: t.algebra.sum_over(
        t(node.args[0]), axes_of(node.args[0].shape)
    ),
    "diag": _diag, "vec": _vec,
    "sqrt": lambda t, node: _power_of(t, node.args[0], Fraction(1, 2)),
    "exp": _function, "log": _function, "loss": _function, "det": _det,
    "grad": lambda t, node: gradient(t, node.args[0], node.args[1].data),
    "diff": _diff,
    "d": lambda t, node: along(t, t.with_opened(frozenset())(node.args[0])),
    "cov": lambda t, node: covariance(t, *map(t, node.args)),
}  # fmt: skip
