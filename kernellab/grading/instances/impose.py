"""Instances in which given equations hold.

The equations are affine in some of the unknowns. Their solutions are one of them plus
the kernel, computed exactly, and the values are drawn from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice

import numpy as np

from kernellab.grading.instances.evaluate import difference
from kernellab.grading.instances.fields import Array, Undecided
from kernellab.grading.instances.instance import Instance
from kernellab.grading.instances.linear_algebra import solutions, zeros
from kernellab.grading.instances.setting import Equation

MAX_TRIES = 40  # groups of unknowns


def impose(it: Instance, equations: Sequence[Equation]) -> None:
    """Change the random values so that all equations hold; `Undecided` if it fails."""
    if not equations:
        return
    used = set().union(*(side.symbols() for e in equations for side in e[:2]))
    for name in sorted(it.setting.reach(used) & set(it.setting.symbols)):
        if name not in it.setting.definitions:
            it.atom(name)
    tries = (solve(it, equations, names) for names in _groups(it))
    if not any(islice(tries, MAX_TRIES)) and not all_hold(it, equations):
        raise Undecided("the equations cannot be solved")


def all_hold(it: Instance, equations: Sequence[Equation]) -> bool:
    """Tell whether equations are true in the instance."""
    return all(
        all(map(it.field.is_zero, difference(it, *equation).flat))
        for equation in equations
    )


def _groups(it: Instance) -> Iterator[tuple[str, ...]]:
    """Yield what to solve for: all unknowns, some of them, other columns, both."""
    named = [name for name in it.setting.problem.unknowns if name in it.atoms]
    symbols = it.setting.symbols
    columns = [
        name
        for name in it.atoms
        if name in symbols and symbols[name].shape[1] == "1" and name not in named
        if symbols[name].kind != "positive"
    ]
    yield tuple(named)
    groups = (combinations(named, n) for n in range(1, len(named)))
    yield from chain.from_iterable(groups)
    yield from ((column,) for column in columns)
    yield from ((*named, column) for column in columns if named)


def solve(it: Instance, equations: Sequence[Equation], names: Sequence[str]) -> bool:
    """Draw these atoms from all solutions of equations that are affine in them.

    The equations are evaluated at 0 and at the unit vectors all at once, along an axis.
    """
    field = it.field
    n = sum(it.atoms[name].size for name in names)
    if not n:
        return False
    points = zeros(field, n + 1, n)
    for i in range(n):
        points[i + 1, i] = field.number(1)
    with it.trying(_split(it, names, points), axis=True):
        values = np.concatenate([_rows(it, e, n + 1) for e in equations], axis=1)
    A = field.reduce(values[1:] - values[:1]).T
    found = solutions(field, A, field.reduce(-values[0]))
    if found is None:
        return False
    x, kernel = found
    if kernel.shape[1]:
        x = field.reduce(x + np.dot(kernel, it.draw(kernel.shape[1], 1)[:, 0]))
    solved = {name: v[0] for name, v in _split(it, names, x[None]).items()}
    with it.trying(solved):
        if not all_hold(it, equations):
            return False
    it.set_atoms(solved)
    return True


def _split(it: Instance, names: Sequence[str], points: Array) -> dict[str, Array]:
    """Cut rows of numbers into the atoms that they are the entries of."""
    found, start = {}, 0
    for name in names:
        atom = it.atoms[name]
        part = points[:, start : start + atom.size]
        found[name] = part.reshape(len(points), *atom.shape)
        start += atom.size
    return found


def _rows(it: Instance, equation: Equation, count: int) -> Array:
    """Return left − right at each point, one row per point."""
    residual = difference(it, *equation)
    shape = (*residual.shape[:-3], count, *residual.shape[-2:])
    points_first = np.moveaxis(np.broadcast_to(residual, shape), -3, 0)
    return points_first.reshape(count, -1)
