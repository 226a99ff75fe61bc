"""The value of an expression in an instance, one rule for each operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.fields import Array, Reals, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import eye, inverse, zeros
from kernellab.grading.language.tree import NUMBER, Expr

Rule = Callable[..., Array]
RULES: dict[str, Rule] = {}  # of an instance and a node; also filled by derivatives
FUNCTIONS: dict[str, Rule] = {}  # of an instance and the values of the arguments
REALS = {"exp": 60, "log": 120, "sqrt": 10}  # units of work for each number


def rule(name: str) -> Callable[[Rule], Rule]:
    """Register what evaluates an operation, or a function, from its node."""

    def register(f: Rule) -> Rule:
        RULES[name] = f
        return f

    return register


def value(it: Instance, node: Expr) -> Array:
    """Return the value of an expression; closed ones are remembered."""
    if node.indices:
        return _value(it, node)
    known = it.memo.get(id(node))
    if known is not None:
        return known[1]
    if it.axes:
        with it.closed():
            return value(it, node)
    result = _value(it, node)
    it.memo[id(node)] = node, result
    return result


def _value(it: Instance, node: Expr) -> Array:
    name = node.data if node.op == "call" else node.op
    if name in RULES:
        found = RULES[name](it, node)
    else:
        arguments = (value(it, arg) for arg in node.args)
        found = it.field.reduce(FUNCTIONS[name](it, *arguments))
    unit = REALS.get(name, 3) if isinstance(it.field, Reals) else 1
    it.setting.work.do(10 + unit * found.size)
    return found


def difference(it: Instance, left: Expr, right: Expr, free: Mapping[str, str]) -> Array:
    """Return left − right for all values of the free indices, an axis for each.

    The last index has the first axis; rows and columns are the last two.
    """
    with it.running(free):
        result: Array = it.field.reduce(value(it, left) - value(it, right))
    lengths = [it.size(size) for size in reversed(list(free.values()))]
    shape = np.broadcast_shapes(
        result.shape, (*lengths, *(1,) * it.depth, *it.extent(left.shape))
    )
    return np.broadcast_to(result, shape)


def each_matrix(X: Array, f: Callable[[Array], Array]) -> Array:
    """Apply a function of a matrix at all values of the indices."""
    if X.ndim == 2:
        return f(X)
    matrices = X.reshape(-1, *X.shape[-2:])
    results = np.stack([f(matrix) for matrix in matrices])
    return results.reshape(*X.shape[:-2], *results.shape[-2:])


# Leaves


@rule("num")
def _number(it: Instance, node: Expr) -> Array:
    if node.shape == NUMBER:
        return it.number(node.data)
    return zeros(it.field, *it.extent(node.shape))


@rule("sym")
def _symbol(it: Instance, node: Expr) -> Array:
    name = node.data
    if name in it.seeds:
        return it.seeds[name]
    if name in it.setting.definitions:
        return _defined(it, name)
    if name in it.sizes and name not in it.setting.symbols:
        return it.number(it.sizes[name])
    if it.seeds:
        _refuse_dependent(it, name)
    return it.atom(name)


def _defined(it: Instance, name: str) -> Array:
    if name in it.open:
        raise Undecided(f"{name} is defined through itself")
    it.open.append(name)
    try:
        return value(it, it.setting.definitions[name])
    finally:
        it.open.pop()


def _refuse_dependent(it: Instance, name: str) -> None:
    """Refuse to hold a constant if w = Φᵀa varies, or dC if C varies along θ."""
    setting = it.setting
    through = name in setting.problem.variables and any(
        name in setting.reach([seed]) for seed in it.seeds
    )
    if through or name in map(setting.problem.tangents.get, it.seeds):
        raise Undecided(f"{name} is not constant here")


@rule("eye")
def _identity(it: Instance, node: Expr) -> Array:
    return eye(it.field, it.size(node.data))


@rule("ones")
def _ones(it: Instance, node: Expr) -> Array:
    return zeros(it.field, it.size(node.data), 1) + it.field.number(1)


# Algebra


@rule("mul")
def _product(it: Instance, node: Expr) -> Array:
    left, right = (value(it, arg) for arg in node.args)
    product = np.multiply if node.data == "*" else np.matmul
    found: Array = it.field.reduce(product(left, right))
    return found


@rule("pow")
def _power(it: Instance, node: Expr) -> Array:
    base, exponent = value(it, node.args[0]), node.args[1].data
    if exponent.denominator == 2:
        base, exponent = root(it, base), exponent * 2
    if exponent < 0:
        base = inverted(it, base)
    number = node.shape == NUMBER
    result: Array = it.number(1) if number else eye(it.field, it.extent(node.shape)[0])
    multiply = np.multiply if number else np.matmul
    for _ in range(abs(int(exponent))):
        result = it.field.reduce(multiply(result, base))
    return result


def root(it: Instance, x: Array) -> Array:
    """Return √x."""
    field = it.field
    return dual.lifted(field.sqrt, lambda _, y: field.invert(field.reduce(2 * y)), x)


def reciprocal(it: Instance, x: Array) -> Array:
    """Return 1/x for a number."""
    return dual.lifted(it.field.invert, lambda _, y: it.field.reduce(-y * y), x)


def inverted(it: Instance, X: Array) -> Array:
    """Return 1/x or X⁻¹ = R; its derivative is −R X′ R."""
    if X.shape[-2:] == (1, 1):
        return reciprocal(it, X)
    reduce = it.field.reduce
    R = each_matrix(dual.values(X), lambda A: inverse(it.field, A))
    if not it.seeds or not dual.is_dual(X):
        return R
    turned = -np.matmul(reduce(np.matmul(R, dual.slopes(X))), R)
    return dual.entrywise(dual.Dual, R, reduce(turned))


FUNCTIONS.update(
    neg=lambda it, x: -x,
    add=lambda it, x, y: x + y,
    sub=lambda it, x, y: x - y,
    div=lambda it, x, y: x * reciprocal(it, y),
    transpose=lambda it, x: np.swapaxes(x, -1, -2),
    inv=inverted,
    sqrt=root,
)


# Indices


@rule("index")
def _entry(it: Instance, node: Expr) -> Array:
    return entry(it, value(it, node.args[0]), node.data, node.shape == NUMBER)


def entry(
    it: Instance, x: Array, indices: tuple[str | int, ...], number: bool
) -> Array:
    """Return a[n], K[n,m], or row n of a matrix as a column."""
    places = [it.places(index) for index in indices]
    if number and len(places) == 1:
        places.append(np.array(0))
    shape = np.broadcast_shapes(x.shape[:-2], *(p.shape for p in places))
    along: tuple[Array, ...] = ()  # the axes that x has itself
    if x.ndim > 2:
        x = np.broadcast_to(x, (*shape, *x.shape[-2:]))
        along = np.ogrid[tuple(map(slice, shape))]
    picked = x[(*along, *places)]
    return np.asarray(picked, dtype=object).reshape(*shape, -1, 1)


@rule("sum")
def _sum(it: Instance, node: Expr) -> Array:
    total: Array = it.field.reduce(_along(it, node).sum(axis=0))
    return total


@rule("stack")
def _stack(it: Instance, node: Expr) -> Array:
    return np.moveaxis(_along(it, node)[..., 0], 0, -2)


def _along(it: Instance, node: Expr) -> Array:
    """Return the values of the body; the first axis is that of the new index."""
    name, length = node.data[0], it.size(node.data[1])
    dimensions = it.depth + 3
    with it.axis(name, length):
        body = value(it, node.args[0])
    body = body.reshape((1,) * (dimensions - body.ndim) + body.shape)
    return np.broadcast_to(body, (length, *body.shape[1:]))
