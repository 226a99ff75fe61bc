"""The values of functions: norms, traces, determinants, exp, log, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.grading.instances import dual
from kernellab.grading.instances.dual import Dual
from kernellab.grading.instances.evaluate import (
    FUNCTIONS,
    each_matrix,
    inverted,
    rule,
    value,
)
from kernellab.grading.instances.fields import Array, Modular, Reals, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import determinant, eye
from kernellab.grading.language.tree import Expr


def _total(it: Instance, x: Array) -> Array:
    return x.sum(axis=(-2, -1), keepdims=True)  # type: ignore[no-any-return]


def _diagonal(v: Array) -> Array:
    return np.diagonal(v, axis1=-2, axis2=-1)[..., None]


def _diag(it: Instance, x: Array) -> Array:
    rows, columns = x.shape[-2:]
    return x * eye(it.field, rows) if columns == 1 else _diagonal(x)


def _vec(it: Instance, *parts: Array) -> Array:
    return np.concatenate(np.broadcast_arrays(*parts), axis=-2)


def _det(it: Instance, X: Array) -> Array:
    """Return det X; its derivative is det X · tr(X⁻¹ X′) (Jacobi)."""
    plain = dual.values(X)
    result = each_matrix(plain, lambda A: determinant(it.field, A))
    if not it.seeds or not dual.is_dual(X):
        return result
    rate = _diagonal(np.matmul(inverted(it, plain), dual.slopes(X)))
    return dual.entrywise(Dual, result, result * _total(it, rate))


def _log(it: Instance, x: Array) -> Array:
    """Return log x; without an order it is known only that equals have equal logs."""
    field = it.field

    def log(u: Any) -> Any:
        if isinstance(field, Modular):
            return it.opaque(("log", u))[0, 0]
        return field.log(u)

    return dual.lifted(log, lambda u, _: field.invert(u), x)


def _loss(it: Instance, x: Array) -> Array:
    """Return an arbitrary function: equal arguments have equal values."""
    if dual.is_dual(x):
        raise Undecided("the loss need not have a gradient")
    return each_matrix(x, lambda A: it.opaque(("loss", _key(it, A))))


def _key(it: Instance, A: Array) -> tuple[Any, ...]:
    entries = tuple(A.flat)
    return (
        tuple(round(u, 30) for u in entries) if isinstance(it.field, Reals) else entries
    )


FUNCTIONS.update(
    total=_total,
    dot=lambda it, x, y: _total(it, x * y),
    norm2=lambda it, x: _total(it, x * x),
    had=lambda it, x, y: x * y,
    trace=lambda it, x: _total(it, _diagonal(x)),
    diag=_diag, vec=_vec, det=_det, log=_log, loss=_loss,
)  # fmt: skip


@rule("exp")
def _exp(it: Instance, node: Expr) -> Array:
    """Return exp(u); modulo a prime, u is evaluated in the field of exponents."""
    (argument,) = node.args
    if not isinstance(it.field, Modular):
        return dual.lifted(it.field.exp, lambda _, y: y, value(it, argument))
    if it.below is None:
        raise Undecided("exp inside exp")
    with it.below.changed(axes=it.axes, depth=it.depth):
        result = dual.entrywise(it.field.exp, value(it.below, argument))
    if not it.seeds:
        return result
    rate = it.field.reduce(result * dual.slopes(value(it, argument)))
    return dual.entrywise(Dual, result, rate)
