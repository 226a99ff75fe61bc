"""An instance: sizes, and a value for each symbol that has no definition.

An index that is bound by a sum, or free, is an axis: the value of t[n] for all n at
once is an array (N, 1, 1), and that of a sum is the array added up along its axis. The
axis of the d-th index in force, counted from the outermost, is −(3 + d); so a value
that does not depend on an inner index broadcasts by itself.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import numpy as np

from kernellab.grading.instances.fields import (
    PI,
    Array,
    Field,
    Reals,
    Undecided,
)
from kernellab.grading.instances.setting import Setting
from kernellab.grading.language.tree import NUMBER, Expr, Shape

MAX_ENTRIES = 200_000  # of an array, over all its indices


@dataclasses.dataclass
class Instance:
    """One instance of a setting, and the state of an evaluation in it.

    Parameters
    ----------
    field : the arithmetic.
    sizes : name → how many: {"N": 5, "M": 3}.
    rng : where the random values come from.
    degenerate : whether a semi-definite matrix is singular, and a given number 0.
    atoms : the values drawn so far.
    axes : index → the position and the length of its axis.
    depth, base : how many axes are in use, here and in closed expressions.
    seeds : symbols by which a derivative is taken.
    memo : values of closed expressions.
    below : the instance in which the arguments of exp live.
    """

    setting: Setting
    field: Field
    sizes: Mapping[str, int]
    rng: random.Random
    degenerate: bool = False
    atoms: dict[Any, Array] = dataclasses.field(default_factory=dict)
    axes: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    depth: int = 0
    base: int = 0
    seeds: dict[str, Array] = dataclasses.field(default_factory=dict)
    memo: dict[int, tuple[Expr, Array]] = dataclasses.field(default_factory=dict)
    open: list[str] = dataclasses.field(default_factory=list)
    below: Instance | None = None

    def size(self, name: str) -> int:
        """Return the number behind the name of a size."""
        return int(name) if name.isdigit() else self.sizes[name]

    def extent(self, shape: Shape | None) -> tuple[int, int]:
        """Return rows and columns as numbers."""
        rows, columns = shape or NUMBER
        return self.size(rows), self.size(columns)

    def number(self, value: Any) -> Array:
        """Return a number as a 1×1 matrix."""
        return np.array([[self.field.number(value)]], dtype=object)

    # What is drawn

    def atom(self, name: str) -> Array:
        """Return the value of a symbol without a definition, drawn when first used."""
        if name not in self.atoms:
            self.atoms[name] = self._draw_symbol(name)
        return self.atoms[name]

    def opaque(
        self, key: Any, rows: int = 1, columns: int = 1, kind: str = "any"
    ) -> Array:
        """Return the value of something of which nothing is known, such as a loss."""
        if key not in self.atoms:
            self.atoms[key] = self.draw(rows, columns, kind)
        return self.atoms[key]

    def _draw_symbol(self, name: str) -> Array:
        if name == "pi":
            return self._draw_pi()
        symbol = self.setting.symbols[name]
        if self.degenerate and symbol.kind == "number" and self._is_given(name):
            return self.number(0)
        rows, columns = self.extent(symbol.shape)
        return self.draw(rows, columns, symbol.kind)

    def _draw_pi(self) -> Array:
        if isinstance(self.field, Reals):
            return np.array([[PI]], dtype=object)
        if self.field.ordered:
            raise Undecided("π is irrational")
        return self.draw(1, 1, "positive")

    def _is_given(self, name: str) -> bool:
        """Tell whether a symbol is neither varied nor solved for."""
        problem = self.setting.problem
        return name not in (*problem.variables, *problem.unknowns)

    def draw(self, rows: int, columns: int, kind: str = "any") -> Array:
        """Return a random matrix of a kind."""
        if kind in ("psd", "pd"):
            return self._draw_definite(rows, kind)
        entries = [self.field.draw(self.rng, kind) for _ in range(rows * columns)]
        out: Array = np.array(entries, dtype=object).reshape(rows, columns)
        if kind == "symmetric":
            out = self.field.reduce(out + out.T)
        return out

    def _draw_definite(self, n: int, kind: str) -> Array:
        """Return A Aᵀ with A random; of low rank if it may be singular, else + I."""
        rank = max(n - 2, 1) if self.degenerate and kind == "psd" else n
        A = self.draw(n, rank)
        product = np.matmul(A, A.T)
        if kind == "pd":
            product = product + np.eye(n, dtype=int).astype(object)
        return self.field.reduce(product)  # type: ignore[no-any-return]

    # Another state for a moment

    @contextmanager
    def changed(self, **state: Any) -> Iterator[None]:
        """Have another state inside the block."""
        old = {name: getattr(self, name) for name in state}
        vars(self).update(state)
        try:
            yield
        finally:
            vars(self).update(old)

    def axis(self, name: str, length: int) -> AbstractContextManager[None]:
        """Let an index run along a new axis inside the block."""
        if math.prod(n for _, n in self.axes.values()) * length > MAX_ENTRIES:
            raise Undecided("too many sums inside each other")
        axes = {**self.axes, name: (self.depth, length)}
        return self.changed(axes=axes, depth=self.depth + 1)

    @contextmanager
    def running(self, free: Mapping[str, str]) -> Iterator[None]:
        """Let free indices run along axes of their own inside the block."""
        with ExitStack() as stack:
            for name, size in free.items():
                stack.enter_context(self.axis(name, self.size(size)))
            yield

    def places(self, index: str | int) -> Array:
        """Return the values of an index along its axis."""
        if isinstance(index, int):
            return np.array(index)
        position, length = self.axes[index]
        return np.arange(length).reshape((length,) + (1,) * position)

    def closed(self) -> AbstractContextManager[None]:
        """Evaluate inside the block where no index is in force."""
        return self.changed(axes={}, depth=self.base)

    def differentiating(self, seeds: dict[str, Array]) -> AbstractContextManager[None]:
        """Take derivatives inside the block; their directions have an axis."""
        if self.seeds:
            raise Undecided("a derivative inside a derivative")
        depth = self.depth + 1
        return self.changed(memo={}, seeds=seeds, depth=depth, base=depth)

    @contextmanager
    def trying(self, atoms: Mapping[str, Array], axis: bool = False) -> Iterator[None]:
        """Give atoms other values inside the block, several along an axis if said."""
        old, base, depth = self.atoms, self.base + axis, self.depth + axis
        tried = {**old, **atoms}
        with self.changed(atoms=tried, memo={}, base=base, depth=depth):
            yield
        old.update({k: v for k, v in tried.items() if k not in old})

    def set_atoms(self, atoms: Mapping[str, Array]) -> None:
        """Change atoms for good; what was computed from the old ones is forgotten."""
        self.atoms.update(atoms)
        self.memo.clear()
