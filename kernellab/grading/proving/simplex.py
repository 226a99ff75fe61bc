"""A linear programme in exact arithmetic: a combination with no negative coefficient.

Phase one of the simplex method by Bland's rule, which cannot cycle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kernellab.grading.work import Work

MOST_PIVOTS = 300
RIGHT = -1  # the place of the right side

Row = dict[int, Fraction]  # without zeros


def nonnegative_solution(
    columns: Sequence[Mapping[int, Fraction]],
    target: Mapping[int, Fraction],
    work: Work,
) -> dict[int, Fraction] | None:
    """Return x ≥ 0 with Σ x_k · column_k = target, as {k: x_k}; None if there is none.

    Examples
    --------
    >>> one = Fraction(1)
    >>> nonnegative_solution([{0: one}, {0: one, 1: one}], {0: 3 * one, 1: one}, Work())
    {0: Fraction(2, 1), 1: Fraction(1, 1)}
    >>> nonnegative_solution([{0: one}], {0: -one}, Work()) is None
    True
    """
    places = sorted({i for column in (*columns, target) for i in column})
    table = [_row(columns, target, place) for place in places]
    missing = _sum(table)  # what the artificial variables still add up to
    basis = [-1] * len(table)  # −1: still artificial
    for _ in range(MOST_PIVOTS):
        entering = min((k for k, x in missing.items() if x > 0 and k >= 0), default=-1)
        if entering < 0:
            break
        ratios = [
            (row.get(RIGHT, 0) / row[entering], basis[k], k)
            for k, row in enumerate(table)
            if row.get(entering, 0) > 0
        ]
        leaving = min(ratios)[2]
        basis[leaving] = entering
        pivot = table[leaving]
        scale = pivot[entering]
        table[leaving] = pivot = {k: x / scale for k, x in pivot.items()}
        for row in (missing, *table):
            if row is not pivot and entering in row:
                work.do(4 * len(pivot))
                _subtract(row, pivot, row[entering])
    if missing.get(RIGHT):
        return None
    found = {b: row[RIGHT] for row, b in zip(table, basis, strict=True) if RIGHT in row}
    return {k: found[k] for k in sorted(found)}


def _row(
    columns: Sequence[Mapping[int, Fraction]],
    target: Mapping[int, Fraction],
    place: int,
) -> Row:
    """Return one equation, with a right side that is not negative."""
    row = {k: column[place] for k, column in enumerate(columns) if column.get(place)}
    if target.get(place):
        row[RIGHT] = target[place]
    return {k: -x for k, x in row.items()} if row.get(RIGHT, 0) < 0 else row


def _sum(rows: Sequence[Row]) -> Row:
    total: Row = {}
    for row in rows:
        _subtract(total, row, Fraction(-1))
    return total


def _subtract(row: Row, other: Row, factor: Fraction) -> None:
    for k, x in other.items():
        value = row.get(k, 0) - factor * x
        if value:
            row[k] = value
        else:
            row.pop(k, None)
