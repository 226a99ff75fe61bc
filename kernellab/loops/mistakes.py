"""One pass of a perceptron: show every point once, and learn from the mistakes.

A point is a mistake if y_i g(x_i) ≤ 0. With weights, g(x_i) = w·x_i, and a mistake adds
y_i x_i to w; with a kernel, g is kept at all points, and a mistake adds y_i K_i to it.

The twins in NumPy look for the next mistake among many points at once:
`kernellab.perceptron.machines`.

Legend: n points in the order in which they are shown; y signs; w (d) weights; g (n)
values at the points; K (n×n).
"""

from __future__ import annotations

from typing import Any

from kernellab.loops.compiler import Loop, compiled


def primal_pass(X: Any, y: Any, order: Any, w: Any, mistakes: Any) -> int:
    """Show all points, in place; return how many of `mistakes`, by place, there are."""
    count = 0
    for shown in range(len(order)):
        i = order[shown]
        x = X[i]
        g = 0.0
        for c in range(len(w)):
            g += w[c] * x[c]
        if y[i] * g <= 0:
            for c in range(len(w)):
                w[c] += y[i] * x[c]
            mistakes[count] = shown
            count += 1
    return count


def dual_pass(
    store: Any,
    place: Any,
    stamp: Any,
    y: Any,
    order: Any,
    g: Any,
    mistakes: Any,
    start: int,
    count: int,
) -> tuple[int, int]:
    """Show the points from a `start` on, in place; return where it ended, and `count`.

    K_i is store[place[i]]; where the place is −1 the pass ends, to have it computed.
    `stamp` notes in which order rows were used; its last number counts the uses.
    """
    for shown in range(start, len(order)):
        i = order[shown]
        if y[i] * g[i] > 0:
            continue
        where = place[i]
        if where < 0:
            return shown, count
        stamp[-1] += 1
        stamp[where] = stamp[-1]
        row = store[where]
        for k in range(len(g)):
            g[k] += y[i] * row[k]
        mistakes[count] = shown
        count += 1
    return len(order), count


def compiled_primal_pass() -> Loop | None:
    """Return `primal_pass`, compiled; None without Numba."""
    return compiled(primal_pass)


def compiled_dual_pass() -> Loop | None:
    """Return `dual_pass`, compiled; None without Numba."""
    return compiled(dual_pass)
