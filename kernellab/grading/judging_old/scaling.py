"""Was an equation only moved around and scaled, or was something cancelled?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernellab.grading.judging_old.setting import Setting, has_root
from kernellab.grading.judging_old.verdicts import Pair
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds.fields import Array, Undecided, solutions
from kernellab.grading.worlds.instances import Equation, residual
from kernellab.grading.worlds.world import Opened, World


class Scaling(Setting):
    """Compares left − right of a new equation with those of old ones."""

    def proportional(
        self, pair: Pair, opened: Opened, equations: list[Equation]
    ) -> bool:
        """Whether the equation was only moved around, scaled and added up.

        left − right of the new line is then a combination of those of the old ones, at
        points where none of them vanishes, and its coefficients are numbers, up to
        factors that are known to be positive: nothing was cancelled.
        """
        if not equations or has_root(pair.left, pair.right):
            return False
        sizes, low = self.regimes((pair.left, pair.right))[-1]
        try:
            first, second = (
                self.combination(pair, opened, equations, sizes, low) for _ in range(2)
            )
        except Undecided:
            return False
        if first is None or second is None:
            return False
        scales = list(zip(first[1], second[1], strict=True))
        return all(
            any(self.field.reduce(x * m - y * n) == 0 for m, n in scales)
            for x, y in zip(first[0], second[0], strict=True)
        )

    def combination(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        sizes: dict[str, int],
        low: bool,
    ) -> tuple[list[int], list[int]] | None:
        """The coefficients in one random world, and the positive factors there."""
        world = self.world(sizes, low, opened)
        new = residual(world, pair.equation)
        old = [residual(world, equation) for equation in equations]
        old = [r for r in old if r.shape == new.shape and r.any()]
        if not new.any():
            return [], self.positive_factors(world)
        if not old:
            return None
        found = solutions(world.field, np.stack(old, axis=1), new)
        if found is None or found[1].shape[1]:
            return None
        return list(found[0]), self.positive_factors(world)

    def positive_factors(self, world: World) -> list[int]:
        """1, and small powers of the positive numbers and of the sizes."""
        names = [n for n, s in self.symbols.items() if s.kind == "positive"]
        values = [world.value(Expr("sym", data=n, shape=NUMBER)) for n in names]
        values += [world.field.number(size) for size in world.sizes.values()]
        inverse = [self.field.invert(v) for v in values]
        single = [1, *values, *inverse]
        return [self.field.reduce(x * y) for x in single for y in single]

    def multiplied(self, pair: Pair, opened: Opened, equations: list[Equation]) -> bool:
        """Whether both sides were multiplied by a matrix of the problem."""
        sizes, low = self.regimes((pair.left, pair.right))[-1]
        matrices = [
            Expr("sym", data=name, shape=symbol.shape)
            for name, symbol in self.symbols.items()
            if "1" not in symbol.shape
        ]
        try:
            world = self.world(sizes, low, opened)
            new = residual(world, pair.equation)
            old = [residual(world, equation) for equation in equations]
            values = [world.value(node) for node in matrices]
            values += [X.T for X in values]
            return any(_is_multiple(world, X, r, new) for X in values for r in old)
        except Undecided:
            return False

    def explained(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        named: Sequence[Expr],
    ) -> bool:
        """Whether a named matrix was cancelled: old = X · new, up to a factor.

        Then the reason that names it accounts for the step; otherwise cancelling is a
        fact of its own.
        """
        sizes, low = self.regimes((pair.left, pair.right))[-1]
        try:
            world = self.world(sizes, low, opened)
            new = residual(world, pair.equation)
            for equation in equations:
                old = residual(world, equation)
                for X in map(world.value, named):
                    if _is_multiple(world, X, new, old) or _is_multiple(
                        world, X, old, new
                    ):
                        return True
        except Undecided:
            return False
        return False


def _is_multiple(world: World, X: object, one: Array, two: Array) -> bool:
    """Whether two = c X one for some number c."""
    if not isinstance(X, np.ndarray) or X.shape[1] != len(one) or len(X) != len(two):
        return False
    turned = world.field.reduce(np.dot(X, one)).reshape(-1, 1)
    return solutions(world.field, turned, two) is not None
