"""The value of an expression in an instance, one function for each operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.dual import Dual, Value
from kernellab.grading.instances.fields import Array, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import eye, inverse, zeros
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr

Operation = Callable[[Instance, Expr], Value]
OPERATIONS: dict[str, Operation] = {}  # also filled by functions, derivatives


def operation(*names: str) -> Callable[[Operation], Operation]:
    """Register the function that evaluates these operations."""

    def register(f: Operation) -> Operation:
        OPERATIONS.update(dict.fromkeys(names, f))
        return f

    return register


def value(it: Instance, node: Expr) -> Value:
    """Return the value of an expression; closed ones are remembered."""
    if node.indices:
        return OPERATIONS[node.op](it, node)
    known = it.memo.get(id(node))
    if known is not None:
        return known[1]
    if it.axes:
        with it.closed():
            return value(it, node)
    result = OPERATIONS[node.op](it, node)
    it.memo[id(node)] = node, result
    return result


def difference(it: Instance, left: Expr, right: Expr, free: Mapping[str, str]) -> Array:
    """Return left − right for all values of the free indices, an axis for each.

    The last index has the first axis; rows and columns are the last two.
    """
    lengths = [it.size(size) for size in free.values()]
    with ExitStack() as stack:
        for name, length in zip(free, lengths, strict=True):
            stack.enter_context(it.axis(name, length))
        one, two = (dual.plain(value(it, side)) for side in (left, right))
    result: Array = it.field.reduce(one - two)
    shape = np.broadcast_shapes(
        result.shape, (*lengths[::-1], *(1,) * it.depth, *it.extent(left.shape))
    )
    return np.broadcast_to(result, shape)


def each_matrix(X: Array, f: Callable[[Array], Array]) -> Array:
    """Apply a function of a matrix at all values of the indices."""
    if X.ndim == 2:
        return f(X)
    matrices = X.reshape(-1, *X.shape[-2:])
    results = np.stack([f(matrix) for matrix in matrices])
    return results.reshape(*X.shape[:-2], *results.shape[-2:])


@operation("num")
def _number(it: Instance, node: Expr) -> Value:
    if node.shape == NUMBER:
        return it.number(node.data)
    return zeros(it.field, *it.extent(node.shape))


@operation("sym")
def _symbol(it: Instance, node: Expr) -> Value:
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


def _defined(it: Instance, name: str) -> Value:
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
    through = name in setting.variables and any(
        name in setting.reach([seed]) for seed in it.seeds
    )
    if through or name in [setting.tangents.get(seed) for seed in it.seeds]:
        raise Undecided(f"{name} is not constant here")


@operation("eye")
def _identity(it: Instance, node: Expr) -> Value:
    return eye(it.field, it.size(node.data))


@operation("ones")
def _ones(it: Instance, node: Expr) -> Value:
    return zeros(it.field, it.size(node.data), 1) + it.field.number(1)


@operation("mul")
def _product(it: Instance, node: Expr) -> Value:
    left, right = (value(it, arg) for arg in node.args)
    return (dual.times if node.data == "*" else dual.matmul)(it.field, left, right)


ARITHMETIC: dict[str, Callable[..., Value]] = {
    "neg": lambda f, x: dual.linear(f, x, np.negative),
    "add": dual.add,
    "sub": lambda f, x, y: dual.add(f, x, dual.linear(f, y, np.negative)),
    "div": lambda f, x, y: dual.times(f, x, dual.reciprocal(f, y)),
    "transpose": lambda f, x: dual.linear(f, x, lambda v: np.swapaxes(v, -1, -2)),
}


@operation(*ARITHMETIC)
def _arithmetic(it: Instance, node: Expr) -> Value:
    return ARITHMETIC[node.op](it.field, *(value(it, arg) for arg in node.args))


@operation("inv")
def _inverse(it: Instance, node: Expr) -> Value:
    return inverted(it, value(it, node.args[0]))


def inverted(it: Instance, x: Value) -> Value:
    """Return 1/x or X⁻¹."""
    X = dual.plain(x)
    if X.shape[-2:] == (1, 1):
        return dual.reciprocal(it.field, x)
    return dual.matrix_inverse(
        it.field, x, each_matrix(X, lambda A: inverse(it.field, A))
    )


@operation("pow")
def _power(it: Instance, node: Expr) -> Value:
    base, exponent = value(it, node.args[0]), node.args[1].data
    if exponent.denominator == 2:
        base, exponent = root(it, base), exponent * 2
    if exponent < 0:
        base = inverted(it, base)
    number = node.shape == NUMBER
    result: Value = it.number(1) if number else eye(it.field, it.extent(node.shape)[0])
    multiply = dual.times if number else dual.matmul
    for _ in range(abs(int(exponent))):
        result = multiply(it.field, result, base)
    return result


def root(it: Instance, x: Value) -> Value:
    """Return √x."""
    result = dual.entrywise(it.field.sqrt, dual.plain(x))
    if not isinstance(x, Dual):
        return result
    slope = dual.entrywise(it.field.invert, it.field.reduce(2 * result))
    return dual.lift(it.field, x, result, slope)


@operation("index")
def _entry(it: Instance, node: Expr) -> Value:
    return entry(it, value(it, node.args[0]), node.data, node.shape == NUMBER)


def entry(
    it: Instance, x: Value, indices: tuple[str | int, ...], number: bool
) -> Value:
    """Return a[n], K[n,m], or row n of a matrix as a column."""
    places = [it.places(index) for index in indices]
    if number and len(places) == 1:
        places.append(np.array(0))

    def at(v: Array) -> Array:
        shape = np.broadcast_shapes(v.shape[:-2], *(p.shape for p in places))
        v = np.broadcast_to(v, (*shape, *v.shape[-2:]))
        picked = v[(*np.ogrid[tuple(map(slice, shape))], *places)]
        return np.asarray(picked, dtype=object).reshape(*shape, -1, 1)

    return dual.linear(it.field, x, at)


@operation("sum")
def _sum(it: Instance, node: Expr) -> Value:
    name, length = node.data[0], it.size(node.data[1])
    with it.axis(name, length):
        body = value(it, node.args[0])
    return dual.linear(it.field, body, lambda v: _along(it, v, length).sum(axis=0))


@operation("stack")
def _stack(it: Instance, node: Expr) -> Value:
    name, length = node.data[0], it.size(node.data[1])
    with it.axis(name, length):
        body = value(it, node.args[0])
    return dual.linear(
        it.field, body, lambda v: np.moveaxis(_along(it, v, length)[..., 0], 0, -2)
    )


def _along(it: Instance, v: Array, length: int) -> Array:
    """Return an array whose first axis is that of the innermost index."""
    dimensions = it.depth + 3
    v = v.reshape((1,) * (dimensions - v.ndim) + v.shape)
    return np.broadcast_to(v, (length, *v.shape[1:]))
