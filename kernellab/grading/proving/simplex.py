"""A linear programme in exact arithmetic: a combination with no negative coefficient.

Phase one of the simplex method by Bland's rule, which cannot cycle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

MOST_PIVOTS = 300


def nonnegative_solution(
    columns: Sequence[Mapping[int, Fraction]], target: Mapping[int, Fraction]
) -> dict[int, Fraction] | None:
    """Return x ≥ 0 with Σ x_k · column_k = target, as {k: x_k}; None if there is none.

    Examples
    --------
    >>> one = Fraction(1)
    >>> nonnegative_solution([{0: one}, {0: one, 1: one}], {0: 3 * one, 1: one})
    {0: Fraction(2, 1), 1: Fraction(1, 1)}
    >>> nonnegative_solution([{0: one}], {0: -one}) is None
    True
    """
    places = sorted({i for column in (*columns, target) for i in column})
    table = [_row(columns, target, place) for place in places]
    basis: list[int | None] = [None] * len(table)  # None: still artificial
    for _ in range(MOST_PIVOTS):
        slopes = [
            sum(row[k] for row, b in zip(table, basis, strict=True) if b is None)
            for k in range(len(columns))
        ]
        entering = next((k for k, slope in enumerate(slopes) if slope > 0), None)
        if entering is None:
            break
        _pivot(table, basis, entering)
    if any(b is None and row[-1] for row, b in zip(table, basis, strict=True)):
        return None
    return {
        b: row[-1]
        for row, b in zip(table, basis, strict=True)
        if b is not None and row[-1]
    }


def _row(
    columns: Sequence[Mapping[int, Fraction]],
    target: Mapping[int, Fraction],
    place: int,
) -> list[Fraction]:
    """Return one equation, with a right side that is not negative."""
    row = [Fraction(column.get(place, 0)) for column in columns]
    row.append(Fraction(target.get(place, 0)))
    return [-x for x in row] if row[-1] < 0 else row


def _pivot(table: list[list[Fraction]], basis: list[int | None], entering: int) -> None:
    ratios = [
        (row[-1] / row[entering], -1 if b is None else b, k)
        for k, (row, b) in enumerate(zip(table, basis, strict=True))
        if row[entering] > 0
    ]
    _, _, leaving = min(ratios)
    pivot = table[leaving]
    scale = pivot[entering]
    table[leaving] = pivot = [x / scale for x in pivot]
    basis[leaving] = entering
    for k, row in enumerate(table):
        if k != leaving and row[entering]:
            factor = row[entering]
            table[k] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
