"""Counterexamples in small numbers that a person can check by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from kernellab.grading.problem import Problem
from kernellab.grading.worlds import dual
from kernellab.grading.worlds.fields import Rationals, Reals, Undecided
from kernellab.grading.worlds.instances import Equation, impose, residual
from kernellab.grading.worlds.world import Opened, Scene, World

DRAWS = 25
CLOSE = 1e-9


@dataclass(frozen=True)
class Counterexample:
    """Values of the symbols, and what the two sides come to."""

    values: dict[str, Any]
    left: Any
    right: Any

    @property
    def cost(self) -> float:
        """How hard it is to check by hand: many and large numbers cost."""
        numbers = [x for v in self.values.values() for x in np.ravel(v)]
        odd = sum(1 for x in numbers if Fraction(x).denominator > 1)
        none = sum(1 for x in numbers if x == 0)
        size = sum(float(abs(x)) for x in numbers)
        return len(numbers) * 3 + size + 5 * odd + 4 * none

    def __str__(self) -> str:
        given = ", ".join(f"{name} = {written(v)}" for name, v in self.values.items())
        left, right = written(self.left), written(self.right)
        return f"{given}: the left side is {left}, the right side is {right}"


def written(value: Any) -> str:
    """A number, a column as (1, 2), a matrix as [1 2; 3 4]."""
    if not isinstance(value, np.ndarray):
        return _number(value)
    if value.size == 1:
        return _number(value.flat[0])
    if value.shape[1] == 1:
        return "(" + ", ".join(map(_number, value[:, 0])) + ")"
    rows = (" ".join(map(_number, row)) for row in value)
    return "[" + "; ".join(rows) + "]"


def _number(x: Any) -> str:
    if isinstance(x, float):
        return f"{x:.4g}"
    return str(Fraction(x))


def smallest(
    problem: Problem,
    scene: Scene,
    opened: Opened,
    pair: Equation,
    equations: Sequence[Equation],
    sign: str = "=",
    regular: bool = False,
) -> Counterexample | None:
    """The simplest instance found in which the equations hold and the pair does not."""
    best: Counterexample | None = None
    for sizes in islice(_sizes(problem, regular), 9):
        for arithmetic in (Rationals(), Reals()):
            for seed in range(DRAWS):
                found = _try(scene, arithmetic, sizes, opened, pair, equations, sign,
                             seed, problem.unknowns)  # fmt: skip
                if found and (best is None or found.cost < best.cost):
                    best = found
            if best is not None:
                return best
    return best


def _sizes(problem: Problem, regular: bool) -> list[dict[str, int]]:
    """Small sizes, the smallest first; `regular` leaves out those with a singular K."""
    names = list(problem.sizes)
    choices = sorted(product((1, 2, 3), repeat=len(names)), key=sum)
    found = [dict(zip(names, choice, strict=True)) for choice in choices]
    if regular and "M" in names:
        found = [sizes for sizes in found if sizes["N"] <= sizes["M"]]
    return found or [{}]


def _try(
    scene: Scene,
    arithmetic: Any,
    sizes: dict[str, int],
    opened: Opened,
    pair: Equation,
    equations: Sequence[Equation],
    sign: str,
    seed: int,
    unknowns: Sequence[str],
) -> Counterexample | None:
    world = World(scene, arithmetic, sizes, opened, random.Random(seed))
    try:
        with np.errstate(all="ignore"):
            return _found(world, pair, equations, sign, unknowns)
    except (Undecided, OverflowError, ZeroDivisionError, ValueError):
        return None


def _found(
    world: World,
    pair: Equation,
    equations: Sequence[Equation],
    sign: str,
    unknowns: Sequence[str],
) -> Counterexample | None:
    difference = residual(world, pair)
    for equation in equations:
        residual(world, equation)
    if equations:
        impose(world, equations, unknowns)
        difference = residual(world, pair)
    return _made(world, pair, difference) if _fails(difference, sign) else None


def _fails(difference: Any, sign: str) -> bool:
    numbers = [float(x) for x in difference]
    if sign == ">=":
        return any(x < -CLOSE for x in numbers)
    if sign == "<=":
        return any(x > CLOSE for x in numbers)
    return any(abs(x) > CLOSE for x in numbers)


def _made(world: World, pair: Equation, difference: Any) -> Counterexample:
    left, right, free = pair
    values: dict[str, Any] = {}
    if free:  # the first place at which the two sides differ
        at = next(i for i, x in enumerate(difference) if abs(float(x)) > CLOSE)
        ranges = [range(world.size(size)) for size in free.values()]
        place = list(product(*ranges))[at]
        world.scope = dict(zip(free, place, strict=True))
        values |= {f"{name}": number for name, number in world.scope.items()}
    sides = [dual.value(world.value(side)) for side in (left, right)]
    world.scope = {}
    known = [name for name in world.scene.symbols if name in world.atoms]
    values |= {name: world.atoms[name] for name in known}
    return Counterexample(values, sides[0], sides[1])
