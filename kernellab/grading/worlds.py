"""A world: one random instance of a problem, in which expressions have exact values.

Everything is opaque unless it has been opened. An opaque K is a random matrix of its
kind (symmetric, and of low rank if it may be singular); an opaque inverse is a random
matrix that depends on what is inverted and on nothing else; an opaque gradient is a
random vector. Opening a definition, an inverse or a gradient replaces the random
object by the true one. So a relation that holds in random worlds follows from what was
opened, and from free algebra alone.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from kernellab.grading import dual
from kernellab.grading.dual import Dual, Value
from kernellab.grading.fields import (
    Array,
    Field,
    OutOfTime,
    Rationals,
    Reals,
    Undecided,
    determinant,
    eye,
    inverse,
    zeros,
)
from kernellab.grading.shapes import NUMBER, Shape
from kernellab.grading.tree import Expr, sym


@dataclass(frozen=True)
class Symbol:
    """A name of a problem: its shape, its kind, and what it stands for.

    Parameters
    ----------
    kind : "any", "symmetric", "psd", "pd" (positive semi-definite, definite),
        "positive" (a number), or "random" (a random variable that cov knows).
    definition : the expression it abbreviates, or None.
    """

    name: str
    shape: Shape
    kind: str = "any"
    definition: Expr | None = None


@dataclass(frozen=True)
class Opened:
    """What the reasons of a line have opened.

    Parameters
    ----------
    definitions : name → the expression that replaces it.
    inverses : the matrices whose inverse is the true one; None opens all of them.
    gradient, derivative, covariance : whether grad, d and cov are computed.
    stationary : variables by which the gradient of the object is zero.
    results : an expression, as text → what a cited line puts in its place.
    """

    definitions: Mapping[str, Expr] = field(default_factory=dict)
    inverses: tuple[Expr, ...] | None = ()
    gradient: bool = False
    derivative: bool = False
    covariance: bool = False
    stationary: frozenset[str] = frozenset()
    results: Mapping[str, Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """What all worlds of a derivation share at one line.

    Parameters
    ----------
    symbols : the problem's and the student's.
    tangents : name → its derivative along θ: C → dC.
    covariances : pairs of random variables → their covariance: (y, f) → k.
    object : the function that is optimised, if any.
    variables : by which it is optimised.
    """

    symbols: Mapping[str, Symbol]
    tangents: Mapping[str, str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], Expr] = field(default_factory=dict)
    object: str | None = None
    variables: tuple[str, ...] = ()

    def depends(self, name: str, on: str) -> bool:
        """Whether a symbol is defined, at any depth, through another."""
        definition = self.symbols[name].definition if name in self.symbols else None
        if definition is None:
            return False
        below = definition.symbols()
        return on in below or any(self.depends(b, on) for b in below - {name})


class World:
    """One instance: sizes, random values, and exact evaluation.

    Parameters
    ----------
    scene : the symbols.
    arithmetic : the field.
    sizes : name → how many: {"N": 5, "M": 3}.
    opened : what the reasons opened.
    rng : where the random values come from.
    low_rank : whether an opaque positive semi-definite matrix is singular.
    until : when to give up, on the monotonic clock.
    """

    def __init__(
        self,
        scene: Scene,
        arithmetic: Field,
        sizes: Mapping[str, int],
        opened: Opened,
        rng: random.Random,
        low_rank: bool = False,
        until: float = math.inf,
    ) -> None:
        self.until = until
        self.scene = scene
        self.field = arithmetic
        self.sizes = sizes
        self.opened = opened
        self.rng = rng
        self.low_rank = low_rank
        self.atoms: dict[Any, Any] = {}
        self.seeds: dict[str, Any] = {}
        self.scope: dict[str, int] = {}
        self.memo: dict[int, tuple[Expr, Value]] = {}
        self.unfolding: list[str] = []
        self.level_below: World | None = None

    # Sizes and random draws

    def size(self, name: str) -> int:
        """The number behind the name of a size."""
        return int(name) if name.isdigit() else self.sizes[name]

    def extent(self, shape: Shape) -> tuple[int, int]:
        """Rows and columns as numbers."""
        return self.size(shape[0]), self.size(shape[1])

    def draw(self, shape: Shape, kind: str = "any") -> Any:
        """A random value of a shape and a kind."""
        if shape == NUMBER:
            return self.draw_number(kind)
        rows, columns = self.extent(shape)
        if kind in ("psd", "pd"):
            rank = max(rows - 2, 1) if self.low_rank and kind == "psd" else rows
            return self.gram(rows, rank)
        entries = [self.draw_number("any") for _ in range(rows * columns)]
        out = zeros(self.field, rows, columns)
        out[:] = np.array(entries, dtype=object).reshape(rows, columns)
        return self.field.reduce(out + out.T) if kind == "symmetric" else out

    def gram(self, rows: int, rank: int) -> Array:
        """A Aᵀ with A random of `rank` columns."""
        A = self.draw_matrix(rows, rank)
        product: Array = self.field.reduce(np.dot(A, A.T))
        return product

    def draw_matrix(self, rows: int, columns: int) -> Array:
        """A random matrix, by its extent in numbers."""
        return (
            self.draw((str(rows), str(columns)))
            if (rows, columns) != (1, 1)
            else (np.array([[self.draw_number("any")]], dtype=object))
        )

    def draw_number(self, kind: str) -> Any:
        """A random number."""
        if isinstance(self.field, Rationals | Reals):
            small = (1, 2, 3) if kind == "positive" else (1, -1, 2, 1, -2, 3, 0)
            return self.field.number(self.rng.choice(small))
        if kind == "positive":
            return self.field.draw_positive(self.rng)
        return self.field.draw(self.rng)

    def atom(self, key: Any, shape: Shape, kind: str = "any") -> Any:
        """The random object of that name, drawn when first asked for."""
        if key not in self.atoms:
            self.atoms[key] = self.draw(shape, kind)
        return self.atoms[key]

    def set_atom(self, key: Any, value: Any) -> None:
        """Give an atom a value; what was computed from the old one is forgotten."""
        self.atoms[key] = value
        self.memo.clear()

    # Values

    def value(self, node: Expr) -> Value:
        """The value of an expression in this world."""
        if node.op == "num" and node.shape == NUMBER:
            return self.field.number(node.data)
        closed = not node.indices
        if closed:
            known = self.memo.get(id(node))
            if known is not None:
                return known[1]
        result = self._rewritten(node) if self.opened.results else None
        if result is None:
            result = getattr(self, f"_{node.op}")(node)
        if closed:
            self.memo[id(node)] = (node, result)
        return result

    def _rewritten(self, node: Expr) -> Value | None:
        """The value of what a cited line puts in the place of this expression."""
        text = str(node)
        if text not in self.opened.results or text in self.unfolding:
            return None
        self.unfolding.append(text)
        try:
            return self.value(self.opened.results[text])
        finally:
            self.unfolding.pop()

    def _num(self, node: Expr) -> Value:
        assert node.shape is not None
        return zeros(self.field, *self.extent(node.shape))

    def _sym(self, node: Expr) -> Value:
        name = node.data
        if name in self.sizes and name not in self.scene.symbols:
            return self.field.number(self.sizes[name])
        if name in self.seeds:
            return Dual(self._plain(name), self.seeds[name])
        if name in self.opened.definitions:
            return self._unfold(name)
        if self.seeds:
            self._refuse_hidden(name)
        return self._plain(name)

    def _plain(self, name: str) -> Any:
        if name == "pi":
            return self.atom("pi", NUMBER, "positive")
        symbol = self.scene.symbols[name]
        if self.low_rank and self._may_vanish(symbol) and name not in self.atoms:
            self.atoms[name] = self.field.number(0)
        return self.atom(name, symbol.shape, symbol.kind)

    def _may_vanish(self, symbol: Symbol) -> bool:
        """A given number that was not said to be positive may be 0."""
        given = symbol.definition is None and symbol.name not in self.scene.variables
        return symbol.shape == NUMBER and symbol.kind == "number" and given

    def _unfold(self, name: str) -> Value:
        if name in self.unfolding:
            raise Undecided(f"{name} is defined through itself")
        self.unfolding.append(name)
        outer, self.scope = self.scope, {}
        try:
            return self.value(self.opened.definitions[name])
        finally:
            self.scope = outer
            self.unfolding.pop()

    def _refuse_hidden(self, name: str) -> None:
        """An opaque w is not constant in a if w is defined through a."""
        for variable in self.seeds:
            linked = name in self.scene.variables and self.scene.depends(variable, name)
            if linked or self.scene.depends(name, variable):
                raise Undecided(f"{name} depends on {variable}: substitute it first")

    def _eye(self, node: Expr) -> Value:
        return eye(self.field, self.size(node.data))

    def _ones(self, node: Expr) -> Value:
        return zeros(self.field, self.size(node.data), 1) + self.field.number(1)

    def _neg(self, node: Expr) -> Value:
        return dual.negate(self.field, self.value(node.args[0]))

    def _add(self, node: Expr) -> Value:
        left, right = map(self.value, node.args)
        return dual.add(self.field, left, right)

    def _sub(self, node: Expr) -> Value:
        left, right = map(self.value, node.args)
        return dual.add(self.field, left, dual.negate(self.field, right))

    def _mul(self, node: Expr) -> Value:
        left, right = map(self.value, node.args)
        if node.data == "*":
            return dual.times(self.field, left, right)
        return self._scalar(node, dual.matmul(self.field, left, right))

    def _scalar(self, node: Expr, result: Value) -> Value:
        """A 1×1 matrix is a number."""
        if node.shape == NUMBER:
            return dual.linear(result, lambda x: x[0, 0])
        return result

    def _div(self, node: Expr) -> Value:
        top, bottom = map(self.value, node.args)
        return dual.times(self.field, top, dual.reciprocal(self.field, bottom))

    def _pow(self, node: Expr) -> Value:
        base, exponent = self.value(node.args[0]), node.args[1].data
        if exponent.denominator == 2:
            base, exponent = self._root(base), exponent * 2
        power = int(exponent)
        number = node.shape == NUMBER
        if power < 0:
            base = self._reciprocal(node.args[0], base)
        result: Value = self.field.number(1) if number else self._one_like(base)
        multiply = dual.times if number else dual.matmul
        for _ in range(abs(power)):
            result = multiply(self.field, result, base)
        return result

    def _one_like(self, x: Value) -> Array:
        return eye(self.field, dual.value(x).shape[0])

    def _transpose(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        return x if node.shape == NUMBER else dual.linear(x, np.transpose)

    def _index(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        places = tuple(self.scope[i] if isinstance(i, str) else i for i in node.data)
        if len(places) == 2:
            return dual.linear(x, lambda v: v[places])
        if node.shape == NUMBER:
            return dual.linear(x, lambda v: v[places[0], 0])
        return dual.linear(x, lambda v: v[places[0]].reshape(-1, 1))

    def _sum(self, node: Expr) -> Value:
        name, size = node.data
        assert node.shape is not None
        total: Value = self.field.number(0)
        if node.shape != NUMBER:
            total = zeros(self.field, *self.extent(node.shape))
        if time.monotonic() > self.until:
            raise OutOfTime
        for i in range(self.size(size)):
            self.scope[name] = i
            total = dual.add(self.field, total, self.value(node.args[0]))
        del self.scope[name]
        return total

    # Inverses

    def _inv(self, node: Expr) -> Value:
        return self._reciprocal(node.args[0], self.value(node.args[0]))

    def _reciprocal(self, inner: Expr, x: Value) -> Value:
        if inner.shape == NUMBER:
            return dual.reciprocal(self.field, x)
        plain = dual.value(x)
        return dual.matrix_inverse(self.field, x, self._inverse(plain))

    def _inverse(self, X: Array) -> Array:
        if self._is_opened(X) or self._is_multiple_of_identity(X):
            return inverse(self.field, X)
        return self._opaque_inverse(X)

    def _is_opened(self, X: Array) -> bool:
        if self.opened.inverses is None:
            return True
        normal = self._normal_form(X)
        return any(
            normal[0] == self._normal_form(self._named_inverse(node))[0]
            for node in self.opened.inverses
            if self.extent(node.shape or NUMBER) == X.shape
        )

    def _named_inverse(self, node: Expr) -> Array:
        seeds, self.seeds = self.seeds, {}
        scope, self.scope = self.scope, {}
        try:
            X: Array = dual.value(self.value(node))
            return X
        finally:
            self.seeds, self.scope = seeds, scope

    def _is_multiple_of_identity(self, X: Array) -> bool:
        multiple = eye(self.field, len(X)) * X[0, 0]
        return X[0, 0] != 0 and bool((multiple == X).all())

    def _normal_form(self, X: Array) -> tuple[tuple[Any, ...], Any, bool]:
        """X up to a factor and a transpose: its key, the factor, whether turned."""
        entries = [x for x in X.flat if x != 0]
        if not entries:
            raise Undecided("the inverse of zero")
        factor = X[np.nonzero(X.astype(bool))][0]
        scaled = self.field.reduce(X * self.field.invert(factor))
        key, turned = tuple(scaled.flat), tuple(scaled.T.flat)
        if scaled[0, 0] == 0 or key <= turned:
            return key, factor, False
        return turned, factor, True

    def _opaque_inverse(self, X: Array) -> Array:
        """inv(cX) = inv(X)/c and inv(Xᵀ) = inv(X)ᵀ are algebra; the rest is hidden."""
        key, factor, turned = self._normal_form(X)
        n = str(len(X))
        symmetric = bool((X == X.T).all())
        if n == "1":
            return inverse(self.field, X)
        R: Array = self.atom(("inv", key), (n, n), "symmetric" if symmetric else "any")
        R = self.field.reduce(R * self.field.invert(factor))
        return R.T if turned else R

    # Functions

    def _call(self, node: Expr) -> Value:
        return getattr(self, f"_call_{node.data}")(node)

    def _call_norm2(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        return self._total(dual.times(self.field, x, x))

    def _call_dot(self, node: Expr) -> Value:
        left, right = map(self.value, node.args)
        return self._total(dual.times(self.field, left, right))

    def _call_total(self, node: Expr) -> Value:
        return self._total(self.value(node.args[0]))

    def _total(self, x: Value) -> Value:
        def entries(v: Any) -> Any:
            return self.field.reduce(v.sum()) if isinstance(v, np.ndarray) else v

        return dual.linear(x, entries)

    def _call_had(self, node: Expr) -> Value:
        left, right = map(self.value, node.args)
        return dual.times(self.field, left, right)

    def _call_diag(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        if node.args[0].shape == NUMBER:
            return x
        if node.args[0].shape[1] != "1":  # type: ignore[index]
            return dual.linear(x, lambda v: v.diagonal().reshape(-1, 1))
        return dual.linear(x, lambda v: eye(self.field, len(v)) * v)

    def _call_trace(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        if node.args[0].shape == NUMBER:
            return x
        return dual.linear(x, lambda v: self.field.reduce(v.trace()))

    def _call_vec(self, node: Expr) -> Value:
        parts = [self.value(arg) for arg in node.args]
        column = self._column([dual.value(part) for part in parts])
        if not any(isinstance(part, Dual) for part in parts):
            return column
        return Dual(column, self._column([dual.tangent(part) for part in parts]))

    def _column(self, entries: list[Any]) -> Array:
        out = zeros(self.field, len(entries), 1)
        out[:, 0] = entries
        return out

    def _call_det(self, node: Expr) -> Value:
        x = self.value(node.args[0])
        if node.args[0].shape == NUMBER:
            return x
        result = determinant(self.field, dual.value(x))
        if not isinstance(x, Dual):
            return result
        # Jacobi: d det X = det X · tr(X⁻¹ dX)
        R = self._inverse(x.value)
        slope = self.field.reduce(np.dot(R, x.tangent).trace())
        return Dual(result, self.field.reduce(result * slope))

    def _call_sqrt(self, node: Expr) -> Value:
        return self._root(self.value(node.args[0]))

    def _root(self, x: Value) -> Value:
        root = self.field.sqrt(dual.value(x))
        half = Dual(0, 0) if not isinstance(x, Dual) else x
        if half is not x:
            return root
        slope = self.field.invert(self.field.reduce(2 * root))
        return dual.lift(self.field, x, root, slope)

    def _call_exp(self, node: Expr) -> Value:
        if self.seeds:
            raise Undecided("the derivative of exp")
        if isinstance(self.field, Rationals | Reals):
            return self.field.exp(dual.value(self.value(node.args[0])))
        return self.field.exp(self._below().exponent(node.args[0], self.scope))

    def _below(self) -> World:
        """The world of the exponents: the same scene modulo the other prime."""
        if self.field.exponents is None:
            raise Undecided("exp inside exp")
        if self.level_below is None:
            self.level_below = World(
                self.scene, self.field.exponents, self.sizes, self.opened,
                random.Random(self.rng.random()), self.low_rank,
            )  # fmt: skip
        return self.level_below

    def exponent(self, node: Expr, scope: Mapping[str, int]) -> int:
        """The argument of an exp, in the field of exponents."""
        self.scope = dict(scope)
        return int(self.value(node))

    def _call_log(self, node: Expr) -> Value:
        """log of a product is a sum of logs; what is left is opaque."""
        total: Value = self.field.number(0)
        for factor, power in log_factors(node.args[0]):
            x = self.value(factor)
            plain = dual.value(x)
            own = self.atom(
                ("log", int(plain) if plain == int(plain) else plain), NUMBER
            )
            if plain == 1:
                own = self.field.number(0)
            slope = self.field.invert(plain)
            term = dual.lift(self.field, x, own, slope)
            times = self._log_power(power)
            total = dual.add(self.field, total, dual.times(self.field, term, times))
        return total

    def _log_power(self, power: Any) -> Any:
        if isinstance(power, str):
            return self.field.number(self.size(power))
        return self.field.number(power)

    def _call_loss(self, node: Expr) -> Value:
        if self.seeds:
            raise Undecided("the loss need not have a gradient")
        x = self.value(node.args[0])
        key = tuple(x.flat) if isinstance(x, np.ndarray) else x
        return self.atom(("loss", key), NUMBER)

    # Derivatives

    @contextmanager
    def seeded(self, seeds: dict[str, Any]) -> Iterator[None]:
        """Differentiate along these directions inside the block."""
        if self.seeds:
            raise Undecided("a derivative inside a derivative")
        memo, self.memo, self.seeds = self.memo, {}, seeds
        try:
            yield
        finally:
            self.memo, self.seeds = memo, {}

    def _grad(self, node: Expr) -> Value:
        function, variable = node.args
        return self.gradient(function, variable.data)

    def _diff(self, node: Expr) -> Value:
        function, component = node.args
        whole = self.gradient(function, component.args[0].data)
        place = component.data[0]
        return whole[self.scope[place] if isinstance(place, str) else place, 0]

    def gradient(self, function: Expr, name: str) -> Any:
        """The gradient of a number by a symbol, of the shape of the symbol."""
        shape = self.scene.symbols[name].shape
        if function == sym(self.scene.object or "") and name in self.opened.stationary:
            return (
                self.field.number(0)
                if shape == NUMBER
                else zeros(self.field, *self.extent(shape))
            )
        if not self.opened.gradient:
            return self.atom(("grad", str(function), name), shape)
        return self.true_gradient(function, name)

    def true_gradient(self, function: Expr, name: str) -> Any:
        """The gradient, one exact directional derivative for each component."""
        shape = self.scene.symbols[name].shape
        if shape == NUMBER:
            return self._slope(function, {name: self.field.number(1)})
        rows, columns = self.extent(shape)
        out = zeros(self.field, rows, columns)
        for i, j in product(range(rows), range(columns)):
            direction = zeros(self.field, rows, columns)
            direction[i, j] = self.field.number(1)
            out[i, j] = self._slope(function, {name: direction})
        return out

    def _slope(self, function: Expr, seeds: dict[str, Any]) -> Any:
        with self.seeded(seeds):
            return dual.tangent(self.value(function))

    def _call_d(self, node: Expr) -> Value:
        inner = node.args[0]
        if inner.op == "sym" and inner.data in self.scene.tangents:
            return self._plain(self.scene.tangents[inner.data])
        if not self.opened.derivative:
            assert node.shape is not None
            return self.atom(("d", str(inner)), node.shape)
        pairs = self.scene.tangents.items()
        with self.seeded({name: self._plain(to) for name, to in pairs}):
            return dual.tangent(self.value(inner))

    # Covariances

    def _call_cov(self, node: Expr) -> Value:
        """Bilinear in the random variables: coefficients around an opaque matrix."""
        left, right = (self._coefficients(arg) for arg in node.args)
        assert node.shape is not None
        total: Any = zeros(self.field, *self.extent(node.shape))
        for one, A in left.items():
            for two, B in right.items():
                middle = self._covariance(one, two)
                total = total + np.dot(self.field.reduce(np.dot(A, middle)), B.T)
        total = self.field.reduce(total)
        return total[0, 0] if node.shape == NUMBER else total

    def _random_variables(self) -> list[str]:
        names = [n for n, s in self.scene.symbols.items() if s.kind == "random"]
        return [name for name in names if name not in self.opened.definitions]

    def _coefficients(self, node: Expr) -> dict[str, Array]:
        """How a random vector depends on each random variable, found by probing."""
        if self.seeds:
            raise Undecided("the derivative of a covariance")
        if node.op == "sym" and node.data in self._random_variables():
            rows = self.extent(self.scene.symbols[node.data].shape)[0]
            return {node.data: eye(self.field, rows)}
        found = {}
        for name in self._random_variables():
            shape = self.scene.symbols[name].shape
            with self._replaced(name, self.draw(shape) * 0):
                base = self._as_column(self.value(node))
            columns = [
                self.field.reduce(self._probe(name, unit, node) - base)
                for unit in self._units(shape)
            ]
            found[name] = np.hstack(columns)
        return found

    def _units(self, shape: Shape) -> list[Any]:
        if shape == NUMBER:
            return [self.field.number(1)]
        rows = self.extent(shape)[0]
        identity = eye(self.field, rows)
        return [identity[:, i : i + 1] for i in range(rows)]

    def _probe(self, name: str, unit: Any, node: Expr) -> Array:
        with self._replaced(name, unit):
            return self._as_column(self.value(node))

    def _as_column(self, x: Any) -> Array:
        return x if isinstance(x, np.ndarray) else np.array([[x]], dtype=object)

    @contextmanager
    def _replaced(self, name: str, value: Any) -> Iterator[None]:
        """Give the random variables other values for a moment."""
        old = {n: self._plain(n) for n in self._random_variables()}
        memo, self.memo = self.memo, {}
        for other, held in old.items():
            self.atoms[other] = held * 0
        self.atoms[name] = value
        try:
            yield
        finally:
            self.atoms.update(old)
            self.memo = memo

    def _covariance(self, one: str, two: str) -> Array:
        known = self.scene.covariances
        if self.opened.covariance and (one, two) in known:
            return self._as_column(self.value(known[one, two]))
        if self.opened.covariance and (two, one) in known:
            return self._as_column(self.value(known[two, one])).T
        if one > two:
            return self._covariance(two, one).T
        rows = self.extent(self.scene.symbols[one].shape)[0]
        columns = self.extent(self.scene.symbols[two].shape)[0]
        kind = "symmetric" if one == two and rows > 1 else "any"
        drawn = self.atom(("cov", one, two), (str(rows), str(columns)), kind)
        return self._as_column(drawn)


def log_factors(node: Expr) -> list[tuple[Expr, Any]]:
    """The factors of a positive number, with their powers, as far as written."""
    match node.op:
        case "mul":
            return log_factors(node.args[0]) + log_factors(node.args[1])
        case "div":
            bottom = [(f, _minus(p)) for f, p in log_factors(node.args[1])]
            return log_factors(node.args[0]) + bottom
        case "inv":
            return [(f, _minus(p)) for f, p in log_factors(node.args[0])]
        case "pow":
            power = node.args[1].data
            factors = log_factors(node.args[0])
            if all(not isinstance(p, str) for _, p in factors):
                return [(f, p * power) for f, p in factors]
        case "call" if node.data == "det":
            return _det_factors(node)
    return [(node, 1)]


def _minus(power: Any) -> Any:
    if isinstance(power, str):
        raise Undecided("log of a power of a size")
    return -power


def _det_factors(node: Expr) -> list[tuple[Expr, Any]]:
    """det(cX) = cⁿ det X and det(XY) = det X det Y."""
    (X,) = node.args
    if X.op == "mul" and X.data == "*":
        number, matrix = X.args if X.args[0].shape == NUMBER else X.args[::-1]
        inner = replace(node, args=(matrix,))
        return [(number, X.shape[0]), *_det_factors(inner)]  # type: ignore[index]
    if X.op == "mul":
        return [
            pair
            for part in X.args
            for pair in _det_factors(replace(node, args=(part,)))
        ]
    if X.op == "inv":
        return [(f, _minus(p)) for f, p in _det_factors(replace(node, args=X.args))]
    return [(node, 1)]
