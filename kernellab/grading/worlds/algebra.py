"""Algebra: sums, products, powers, indices, and symbols that have been opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds import clock, dual
from kernellab.grading.worlds.drawing import Drawing
from kernellab.grading.worlds.dual import Dual, Value
from kernellab.grading.worlds.fields import OutOfTime, Undecided, eye, zeros


class Algebra(Drawing):
    """The value of an expression, one method for each operation."""

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
            return Dual(self._point(name), self.seeds[name])
        if name in self.opened.definitions:
            return self._unfold(name)
        if self.seeds:
            self._refuse_hidden(name)
        return self._plain(name)

    def _point(self, name: str) -> Any:
        """Where a derivative by this symbol is taken."""
        if name not in self.opened.definitions:
            return self._plain(name)
        seeds, memo, self.seeds, self.memo = self.seeds, self.memo, {}, {}
        try:
            return self._unfold(name)
        finally:
            self.seeds, self.memo = seeds, memo

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
        if clock.now() > self.until:
            raise OutOfTime
        for part in self._along(name, size, node.args[0]):
            total = dual.add(self.field, total, part)
        return total

    def _stack(self, node: Expr) -> Value:
        name, size = node.data
        parts = list(self._along(name, size, node.args[0]))
        column = np.array([dual.value(part) for part in parts], dtype=object)
        if not any(isinstance(part, Dual) for part in parts):
            return column.reshape(-1, 1)
        slopes = np.array([dual.tangent(part) for part in parts], dtype=object)
        return Dual(column.reshape(-1, 1), slopes.reshape(-1, 1))

    def _along(self, name: str, size: str, body: Expr) -> Iterator[Value]:
        """The values of a body as its index runs; an outer index of that name waits."""
        outer = self.scope.get(name)
        for i in range(self.size(size)):
            self.scope[name] = i
            yield self.value(body)
        if outer is None:
            del self.scope[name]
        else:
            self.scope[name] = outer
