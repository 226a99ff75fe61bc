"""Derivatives: gradients and derivatives along θ, exact by dual numbers, or opaque."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, sym, without_factor
from kernellab.grading.worlds import dual
from kernellab.grading.worlds.dual import Value
from kernellab.grading.worlds.fields import Undecided, zeros
from kernellab.grading.worlds.functions import Functions


class Differentiation(Functions):
    """grad, diff and d."""

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
        thing = without_factor(function)[0]
        if thing == sym(self.scene.object or "") and name in self.opened.stationary:
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

    def _key(self, x: Any) -> Any:
        """A value as the key of an opaque object: equal values, equal objects."""
        return tuple(x.flat) if isinstance(x, np.ndarray) else x

    def _slope(self, function: Expr, seeds: dict[str, Any]) -> Any:
        with self.seeded(seeds):
            return dual.tangent(self.value(function))

    def _call_d(self, node: Expr) -> Value:
        inner = node.args[0]
        if inner.op == "sym" and inner.data in self.scene.tangents:
            return self._plain(self.scene.tangents[inner.data])
        if not self.opened.derivative:
            assert node.shape is not None
            return self.atom(("d", self._key(self.value(inner))), node.shape)
        pairs = self.scene.tangents.items()
        with self.seeded({name: self._plain(to) for name, to in pairs}):
            return dual.tangent(self.value(inner))
