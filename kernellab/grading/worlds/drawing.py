"""Drawing: the random objects of a world, each drawn when first asked for."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.grading.language.shapes import NUMBER, Shape
from kernellab.grading.language.tree import Expr
from kernellab.grading.symbols import Symbol
from kernellab.grading.worlds.dual import Value
from kernellab.grading.worlds.fields import Array, Field, Rationals, Reals, zeros
from kernellab.grading.worlds.scenes import Opened, Scene


class Drawing:
    """One instance: sizes, random values, and exact evaluation.

    Parameters
    ----------
    scene : the symbols.
    arithmetic : the field.
    sizes : name → how many: {"N": 5, "M": 3}.
    opened : what the reasons opened.
    rng : where the random values come from.
    low_rank : whether an opaque positive semi-definite matrix is singular.
    until : when to give up, on the judge's clock.
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
        self.level_below: Any = None

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
