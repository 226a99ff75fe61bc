"""A linear programme in exact arithmetic: a combination with no negative coefficient.

Phase one of the simplex method by Bland's rule, which cannot cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kernellab.grading.proving.cofactors import Vector, divided
from kernellab.grading.proving.rationals import add_to
from kernellab.grading.work import Work

MOST_PIVOTS = 300
RIGHT = -1  # the place of the right side


def nonnegative_solution(
    columns: Sequence[Vector], target: Vector, work: Work
) -> Vector | None:
    """Return x ≥ 0 with Σ x_k · column_k = target, as {k: x_k}; None if there is none.

    Examples
    --------
    >>> nonnegative_solution([{0: 1}, {0: 1, 1: 2}], {0: 3, 1: 2}, Work())
    {0: Fraction(2, 1), 1: Fraction(1, 1)}
    >>> nonnegative_solution([{0: 1}], {0: -1}, Work()) is None
    True
    """
    places = sorted({i for column in (*columns, target) for i in column})
    table = [_equation(columns, target, place) for place in places]
    missing: Vector = {}  # what the artificial variables still add up to
    for row in table:
        add_to(missing, row)
    basis = [-1] * len(table)  # −1: still artificial
    for _ in range(MOST_PIVOTS):
        entering = min((k for k, x in missing.items() if x > 0 and k >= 0), default=-1)
        if entering < 0:
            break
        ratios = [
            (Fraction(row.get(RIGHT, 0)) / row[entering], basis[k], k)
            for k, row in enumerate(table)
            if row.get(entering, 0) > 0
        ]
        leaving = min(ratios)[2]
        basis[leaving] = entering
        pivot = table[leaving]
        table[leaving] = pivot = divided(pivot, pivot[entering])
        for row in (missing, *table):
            if row is not pivot and entering in row:
                work.do(4 * len(pivot))
                add_to(row, pivot, -row[entering])
    if missing.get(RIGHT):
        return None
    found = {b: row[RIGHT] for row, b in zip(table, basis, strict=True) if RIGHT in row}
    return {k: found[k] for k in sorted(found)}


def _equation(columns: Sequence[Vector], target: Vector, place: int) -> Vector:
    """Return one equation, with a right side that is not negative."""
    sides = [*enumerate(columns), (RIGHT, target)]
    row: Vector = {k: side[place] for k, side in sides if place in side}
    return {k: -x for k, x in row.items()} if row.get(RIGHT, 0) < 0 else row
