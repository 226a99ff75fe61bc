"""Random worlds in which given equations hold.

A relation follows from an equation if it holds at random points of the equation's
solution set. The set is computed exactly: the equation is affine in some unknown, its
solutions are one of them plus the kernel, and the point is drawn from all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, permutations, product
from typing import Any

import numpy as np

from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds import dual
from kernellab.grading.worlds.dual import Value
from kernellab.grading.worlds.fields import Array, Undecided, solutions, zeros
from kernellab.grading.worlds.world import World

Equation = tuple[Expr, Expr, Mapping[str, str]]  # left, right, free indices
MAX_PLACES = 36


def residual(world: World, equation: Equation) -> Array:
    """left − right as one column, over all values of the free indices."""
    left, right, free = equation
    parts = []
    for one, two in everywhere(world, (left, right), free):
        difference = dual.value(one) - dual.value(two)
        parts.append(
            np.asarray(world.field.reduce(difference), dtype=object).reshape(-1)
        )
    return np.concatenate(parts)


def everywhere(
    world: World, nodes: Sequence[Expr], free: Mapping[str, str]
) -> list[list[Value]]:
    """The values of some expressions, for all values of the free indices."""
    found = []
    for place in _places(world, free):
        world.scope = dict(place)
        try:
            found.append([world.value(node) for node in nodes])
        finally:
            world.scope = {}
    return found


def _places(world: World, free: Mapping[str, str]) -> list[dict[str, int]]:
    """All values of the free indices; a random part of them if there are many."""
    ranges = [range(world.size(size)) for size in free.values()]
    places = [dict(zip(free, place, strict=True)) for place in product(*ranges)]
    if len(places) > MAX_PLACES:
        places = world.rng.sample(places, MAX_PLACES)
    return places


def holds(world: World, equation: Equation) -> bool:
    """Whether the equation is true in this world."""
    return not residual(world, equation).any()


def impose(
    world: World,
    equations: Sequence[Equation],
    unknowns: Sequence[str],
    only: bool = False,
) -> None:
    """Change the random values so that all equations hold; `Undecided` if it fails.

    Parameters
    ----------
    unknowns : names to solve for, in this order.
    only : whether nothing else may be solved for.
    """
    for equation in equations:
        _assign_covariance(world, equation)
    waiting = [e for e in equations if not holds(world, e)]
    if not waiting:
        return
    start = dict(world.atoms)
    keys = _candidates(world, waiting, unknowns, only)
    if len(waiting) > 1:
        for key in keys:
            if _solve(world, waiting, key) and all(holds(world, e) for e in equations):
                return
            _restore(world, start)
    orders = permutations(waiting) if len(waiting) < 4 else [tuple(waiting)]
    for order, choice in islice(product(orders, permutations(keys, len(waiting))), 60):
        solved = all(
            _solve(world, [e], key) for e, key in zip(order, choice, strict=True)
        )
        if solved and all(holds(world, e) for e in equations):
            return
        _restore(world, start)
    raise Undecided("the equations cannot be solved")


def _assign_covariance(world: World, equation: Equation) -> None:
    """cov(y, f) = … gives an opaque covariance its value."""
    left, right, _ = equation
    if left.op != "call" or left.data != "cov" or world.opened.covariance:
        return
    names = [arg.data for arg in left.args if arg.op == "sym"]
    opaque = [n for n in names if n not in world.opened.definitions]
    if len(opaque) < 2:
        return
    value = world.value(right)
    column = (
        value if isinstance(value, np.ndarray) else np.array([[value]], dtype=object)
    )
    one, two = names
    world.set_atom(("cov", *sorted(names)), column if one <= two else column.T)


def _restore(world: World, atoms: dict[Any, Any]) -> None:
    world.atoms = dict(atoms)
    world.memo.clear()


def _candidates(
    world: World, equations: Sequence[Equation], unknowns: Sequence[str], only: bool
) -> list[Any]:
    """What the equations can be solved for: opaque results, unknowns, other columns."""
    named = [name for name in unknowns if name in world.atoms]
    if only:
        return named
    results = [k for k in world.atoms if isinstance(k, tuple) and k[0] in _SOLVABLE]
    others = [
        name
        for name in world.atoms
        if isinstance(name, str) and name not in named and _is_column(world, name)
    ]
    return results + named + others


_SOLVABLE = ("grad", "d", "cov")


def _is_column(world: World, name: str) -> bool:
    symbol = world.scene.symbols.get(name)
    return symbol is not None and symbol.kind != "positive" and symbol.shape[1] == "1"


def _solve(world: World, equations: Sequence[Equation], key: Any) -> bool:
    """Draw the atom from all solutions of equations that are affine in it."""
    old = world.atoms[key]
    shape = (1, 1) if not isinstance(old, np.ndarray) else old.shape
    scalar = not isinstance(old, np.ndarray)

    def at(x: Array) -> Array:
        world.set_atom(key, x[0] if scalar else x.reshape(shape))
        return np.concatenate([residual(world, e) for e in equations])

    n = shape[0] * shape[1]
    zero = zeros(world.field, n, 1)[:, 0]
    base = at(zero)
    columns = []
    for i in range(n):
        unit = zero.copy()
        unit[i] = world.field.number(1)
        columns.append(world.field.reduce(at(unit) - base))
    A = np.stack(columns, axis=1)
    if not A.any():
        world.set_atom(key, old)
        return False
    found = solutions(world.field, A, world.field.reduce(-base))
    if found is None:
        world.set_atom(key, old)
        return False
    x, kernel = found
    for j in range(kernel.shape[1]):
        x = world.field.reduce(x + kernel[:, j] * world.draw_number("any"))
    if not at(x).any():
        return True
    world.set_atom(key, old)
    return False
