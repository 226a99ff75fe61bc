"""Level lines and regions of a function on a grid, by marching squares.

Each cell of the grid is cut by straight segments between its edges, where linear
interpolation finds the level; the segments are then joined. Higher values lie to the
left of a line, so that the border of a hole runs the other way round than the border
around it. Cost O(hw) for a grid of h × w places.

Legend: f (h × w) values, f[i, j] at (x[j], y[i]); a corner is "in" if f > level there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernellab.arrays import Array
from kernellab.errors import InputError
from kernellab.figures.marks import Area, Line

# Sides of a cell: 0 bottom, 1 right, 2 top, 3 left. Corners, as bits of a case:
# 1 bottom left, 2 bottom right, 4 top right, 8 top left. Segments run from side to
# side with the corners that are in on their left.
_SEGMENTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 3),),
    2: ((1, 0),),
    3: ((1, 3),),
    4: ((2, 1),),
    5: ((0, 1), (2, 3)),  # a saddle whose middle is in; see _joined for the other
    6: ((2, 0),),
    7: ((2, 3),),
    8: ((3, 2),),
    9: ((0, 2),),
    10: ((3, 0), (1, 2)),
    11: ((1, 2),),
    12: ((3, 1),),
    13: ((0, 1),),
    14: ((3, 0),),
}
_APART = {5: ((0, 3), (2, 1)), 10: ((1, 0), (3, 2))}
"""Saddles whose middle is out: the two corners are cut off by themselves."""

TOLERANCE = 0.05
"""Corners of a line may be left out if it moves less than this part of a cell."""


def level_lines(
    x: ArrayLike, y: ArrayLike, f: ArrayLike, level: float = 0.0
) -> list[Array]:
    """Find the lines on which f has the value `level`, each an (m, 2) array of points.

    A closed line ends where it began. Cells with a corner that is not a number are
    left out.

    Examples
    --------
    >>> level_lines([0, 1], [0, 1], [[0, 2], [0, 2]], 1.0)
    [array([[0.5, 1. ],
           [0.5, 0. ]])]
    """
    across, up, F = _read(x, y, f)
    starts, ends = _segments(F, level)
    return [
        _points(across, up, F, level, np.array(chain))
        for chain in _chains(starts.tolist(), ends.tolist())
    ]


def level_line(
    x: ArrayLike, y: ArrayLike, f: ArrayLike, level: float = 0.0, **style: Any
) -> Line:
    """Join all lines of a level into one mark; `style` is that of `Line`.

    >>> level_line([0, 1], [0, 1], [[0, 2], [0, 2]], 1.0, colour="ink").x.tolist()
    [0.5, 0.5]
    """
    lines = level_lines(x, y, f, level)
    return Line(*_broken(lines, _tolerance(x, y)), **style)


def region(
    x: ArrayLike, y: ArrayLike, f: ArrayLike, level: float = 0.0, **style: Any
) -> Area:
    """Return the area f > level, closed along the edge of the grid.

    Where f is not a number, nothing is; `style` is that of `Area`.

    >>> region([0, 1], [0, 1], [[0, 2], [0, 2]], 1.0).y.tolist()
    [1.0, 1.0, 0.0, 0.0, 1.0]
    """
    across, up, F = _read(x, y, f)
    # A frame of no width around the grid, far below the level: the lines follow it.
    low = min(level, float(np.nanmin(F))) - 1
    framed = np.pad(np.where(np.isfinite(F), F, low), 1, constant_values=low)
    wide, tall = np.pad(across, 1, mode="edge"), np.pad(up, 1, mode="edge")
    lines = level_lines(wide, tall, framed, level)
    return Area(*_broken(lines, _tolerance(x, y)), **style)


def simplify(points: Array, tolerance: float) -> Array:
    """Leave out corners of a line that lie within `tolerance` of it (Douglas, Peucker).

    Examples
    --------
    >>> simplify(np.array([[0, 0], [1, 0.01], [2, 0], [2, 1.0]]), 0.1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
    """
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    waiting = [(0, len(points) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        distance = _distances(points[first + 1 : last], points[first], points[last])
        worst = int(distance.argmax())
        if distance[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            waiting += [(first, middle), (middle, last)]
    kept: Array = points[keep]
    return kept


def _distances(points: Array, a: Array, b: Array) -> Array:
    """From each point to the segment from a to b."""
    along = b - a
    length = float(along @ along)
    share = np.clip((points - a) @ along / length, 0, 1) if length else np.zeros(1)
    foot: Array = points - a - share[:, None] * along
    return np.asarray(np.hypot(foot[:, 0], foot[:, 1]))


def _read(x: ArrayLike, y: ArrayLike, f: ArrayLike) -> tuple[Array, Array, Array]:
    across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    F = np.asarray(f, dtype=float)
    if across.ndim != 1 or up.ndim != 1 or F.shape != (len(up), len(across)):
        raise InputError(
            f"f must have shape (len(y), len(x)), got {F.shape} for "
            f"x of shape {across.shape} and y of shape {up.shape}"
        )
    return across, up, F


def _segments(F: Array, level: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the edges where segments begin and end, as numbers of edges.

    Edge (i, j) to (i, j+1) has the number 2(iw + j), edge (i, j) to (i+1, j) the next.
    """
    h, w = F.shape
    inside = level < F
    corners = inside[:-1, :-1] + 2 * inside[:-1, 1:]
    case = corners + 4 * inside[1:, 1:] + 8 * inside[1:, :-1]
    total = F[:-1, :-1] + F[:-1, 1:] + F[1:, 1:] + F[1:, :-1]
    case[~np.isfinite(total)] = 0
    cells = 2 * (np.arange(h - 1)[:, None] * w + np.arange(w - 1))
    sides = np.stack([cells, cells + 3, cells + 2 * w, cells + 1])
    joined = total > 4 * level
    starts, ends = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for number, segments in _SEGMENTS.items():
        for here, pairs in _split(case == number, joined, number, segments):
            for a, b in pairs:
                starts.append(sides[a][here])
                ends.append(sides[b][here])
    return np.concatenate(starts), np.concatenate(ends)


def _split(here: Any, joined: Any, number: int, segments: Any) -> list[tuple[Any, Any]]:
    """Split saddles by the side of their middle; the other cases have one way."""
    if number not in _APART:
        return [(here, segments)]
    return [(here & joined, segments), (here & ~joined, _APART[number])]


def _chains(starts: list[int], ends: list[int]) -> list[list[int]]:
    """Join segments end to start: open lines first, then the closed ones."""
    following = dict(zip(starts, ends, strict=True))
    reached = set(ends)
    heads = [edge for edge in starts if edge not in reached]
    chains = []
    for head in [*heads, *starts]:
        if head not in following:
            continue
        chain = [head]
        while chain[-1] in following:
            chain.append(following.pop(chain[-1]))
        chains.append(chain)
    return chains


def _points(
    x: Array, y: Array, F: Array, level: float, edges: NDArray[np.intp]
) -> Array:
    """Locate the level on each of the edges."""
    (i, j), upright = np.divmod(edges // 2, F.shape[1]), edges % 2
    k, m = i + upright, j + 1 - upright
    a, b = F[i, j], F[k, m]
    share = (level - a) / (b - a)
    return np.column_stack([x[j] + share * (x[m] - x[j]), y[i] + share * (y[k] - y[i])])


def _broken(lines: list[Array], tolerance: float) -> tuple[Array, Array]:
    """Simplify several lines and join them, with NaN in between."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines for part in (simplify(line, tolerance), gap)]
    whole = np.vstack(parts[:-1]) if parts else np.zeros((0, 2))
    return whole[:, 0], whole[:, 1]


def _tolerance(x: ArrayLike, y: ArrayLike) -> float:
    cells = [np.ptp(np.asarray(v, dtype=float)) / (np.size(v) - 1) for v in (x, y)]
    return TOLERANCE * float(min(cells))
