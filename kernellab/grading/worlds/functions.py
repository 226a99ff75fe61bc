"""Functions of numbers and matrices: norms, traces, determinants, exp, log, …"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds import dual
from kernellab.grading.worlds.dual import Dual, Value
from kernellab.grading.worlds.fields import (
    Array,
    Rationals,
    Reals,
    Undecided,
    determinant,
    eye,
    zeros,
)
from kernellab.grading.worlds.inverses import Inverses


class Functions(Inverses):
    """The value of a call, one method for each function."""

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

    def _call_exp(self, node: Expr) -> Value:
        if self.seeds:
            raise Undecided("the derivative of exp")
        if isinstance(self.field, Rationals | Reals):
            return self.field.exp(dual.value(self.value(node.args[0])))
        return self.field.exp(self._below().exponent(node.args[0], self.scope))

    def _below(self) -> Functions:
        """The world of the exponents: the same scene modulo the other prime."""
        if self.field.exponents is None:
            raise Undecided("exp inside exp")
        if self.level_below is None:
            self.level_below = type(self)(
                self.scene, self.field.exponents, self.sizes, self.opened,
                random.Random(self.rng.random()), self.low_rank, self.until,
            )  # fmt: skip
        below: Functions = self.level_below
        return below

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
