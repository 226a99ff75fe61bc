"""Inverses: the true one where it was opened, a random matrix otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds import dual
from kernellab.grading.worlds.algebra import Algebra
from kernellab.grading.worlds.dual import Dual, Value
from kernellab.grading.worlds.fields import Array, Undecided, eye, inverse


class Inverses(Algebra):
    """Matrix inverses and powers, opaque or true."""

    def _inv(self, node: Expr) -> Value:
        return self._reciprocal(node.args[0], self.value(node.args[0]))

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

    def _root(self, x: Value) -> Value:
        root = self.field.sqrt(dual.value(x))
        half = Dual(0, 0) if not isinstance(x, Dual) else x
        if half is not x:
            return root
        slope = self.field.invert(self.field.reduce(2 * root))
        return dual.lift(self.field, x, root, slope)

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
