"""The values of functions: norms, traces, determinants, exp, log, …"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.dual import Dual, Value
from kernellab.grading.instances.evaluate import (
    each_matrix,
    inverted,
    operation,
    root,
    value,
)
from kernellab.grading.instances.fields import (
    Array,
    Modular,
    Reals,
    Undecided,
)
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import determinant, eye
from kernellab.grading.language.tree import Expr

Function = Callable[..., Value]
FUNCTIONS: dict[str, Function] = {}


@operation("call")
def _call(it: Instance, node: Expr) -> Value:
    if node.data in EXPRESSIONS:
        return EXPRESSIONS[node.data](it, *node.args)
    return FUNCTIONS[node.data](it, *(value(it, arg) for arg in node.args))


def _total(it: Instance, x: Value) -> Value:
    return dual.linear(it.field, x, lambda v: v.sum(axis=(-2, -1), keepdims=True))


def _dot(it: Instance, x: Value, y: Value) -> Value:
    return _total(it, dual.times(it.field, x, y))


def _norm2(it: Instance, x: Value) -> Value:
    return _dot(it, x, x)


def _hadamard(it: Instance, x: Value, y: Value) -> Value:
    return dual.times(it.field, x, y)


def _diag(it: Instance, x: Value) -> Value:
    rows, columns = dual.plain(x).shape[-2:]
    if columns == 1:
        return dual.linear(it.field, x, lambda v: v * eye(it.field, rows))
    return dual.linear(it.field, x, _diagonal)


def _diagonal(v: Array) -> Array:
    return np.diagonal(v, axis1=-2, axis2=-1)[..., None]


def _trace(it: Instance, x: Value) -> Value:
    return _total(it, dual.linear(it.field, x, _diagonal))


def _vec(it: Instance, *parts: Value) -> Value:
    column = _stacked([dual.plain(part) for part in parts])
    if not any(isinstance(part, Dual) for part in parts):
        return column
    return Dual(column, _stacked([dual.tangent(part) for part in parts]))


def _stacked(parts: list[Array]) -> Array:
    return np.concatenate(np.broadcast_arrays(*parts), axis=-2)


def _det(it: Instance, x: Value) -> Value:
    """Return det X; its derivative is det X · tr(X⁻¹ X′) (Jacobi)."""
    result = each_matrix(dual.plain(x), lambda A: determinant(it.field, A))
    if not isinstance(x, Dual):
        return result
    R = dual.plain(inverted(it, x.value))
    rate = _trace(it, it.field.reduce(np.matmul(R, x.tangent)))
    return Dual(result, it.field.reduce(result * dual.plain(rate)))


def _log(it: Instance, x: Value) -> Value:
    """Return log x; without an order it is known only that equals have equal logs."""
    plain = dual.plain(x)
    if isinstance(it.field, Modular):
        result = dual.entrywise(lambda u: it.opaque(("log", u))[0, 0], plain)
    else:
        result = dual.entrywise(it.field.log, plain)
    slope = dual.entrywise(it.field.invert, plain)
    return dual.lift(it.field, x, result, slope)


def _loss(it: Instance, x: Value) -> Value:
    """Return an arbitrary function: equal arguments have equal values."""
    if isinstance(x, Dual):
        raise Undecided("the loss need not have a gradient")
    return each_matrix(x, lambda A: it.opaque(("loss", _key(it, A))))


def _key(it: Instance, A: Array) -> tuple[Any, ...]:
    entries = tuple(A.flat)
    return (
        tuple(round(u, 30) for u in entries) if isinstance(it.field, Reals) else entries
    )


FUNCTIONS.update(
    total=_total, dot=_dot, norm2=_norm2, had=_hadamard, diag=_diag, trace=_trace,
    vec=_vec, det=_det, log=_log, loss=_loss, sqrt=root,
)  # fmt: skip


def _exp(it: Instance, argument: Expr) -> Value:
    """Return exp(u); modulo a prime, u is evaluated in the field of exponents."""
    u = value(it, argument) if it.field.ordered or it.seeds else it.number(0)
    exponent = dual.plain(u)
    if isinstance(it.field, Modular):
        exponent = _exponent(it, argument)
    result = dual.entrywise(it.field.exp, exponent)
    return dual.lift(it.field, u, result, result)


def _exponent(it: Instance, argument: Expr) -> Array:
    if it.below is None:
        raise Undecided("exp inside exp")
    it.below.axes, it.below.depth = it.axes, it.depth
    try:
        return dual.plain(value(it.below, argument))
    finally:
        it.below.axes, it.below.depth = {}, 0


EXPRESSIONS: dict[str, Function] = {"exp": _exp}  # these do not just take values
