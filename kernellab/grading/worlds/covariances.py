"""Covariances: bilinear in the random variables, around opaque matrices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER, Shape
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds.differentiation import Differentiation
from kernellab.grading.worlds.dual import Value
from kernellab.grading.worlds.fields import Array, Undecided, eye, zeros


class Covariances(Differentiation):
    """cov(u, v), from the coefficients of u and v."""

    def _call_cov(self, node: Expr) -> Value:
        """Bilinear in the random variables: coefficients around an opaque matrix."""
        left, right = (self.coefficients(arg) for arg in node.args)
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

    def coefficients(self, node: Expr) -> dict[str, Array]:
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

    def offset(self, node: Expr) -> bool:
        """Whether a random vector has a part that depends on no random variable."""
        held = {name: self._plain(name) for name in self._random_variables()}
        memo, self.memo = self.memo, {}
        self.atoms.update({name: value * 0 for name, value in held.items()})
        try:
            return bool(np.any(self._as_column(self.value(node))))
        finally:
            self.atoms.update(held)
            self.memo = memo

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
