"""Pools: candidate points on which to test a function, the simplest first.

Small integers times a power of two, so that what is found can be read; random
points at every scale, for what needs more; for objects, small strings, sets, graphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.expression import Expression
from kernellab.kernels.labelled_graph import Graph
from kernellab.kernels.points import Points
from kernellab.validity.domains import Box, Domain, Objects, PositiveDiagonal

SCALES = tuple(sorted(range(-16, 17), key=abs))
LINE_POINTS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 8, -8, 12, -12, 16, -16)
POOL_SIZE = 26
DENSE_POOL_SIZE = 144
DENSE_MAX_DIMENSION = 3


def stages(
    kernel: Expression, domain: Domain, rng: np.random.Generator
) -> Iterator[Iterator[Points]]:
    """Lists of points of the domain; a stage for each kind of them.

    Small lattices, random points, dense lattices; the line before the plane.
    """
    if isinstance(domain, PositiveDiagonal):
        for stage in stages(kernel, domain.base, rng):
            yield (_inside(points, domain) for points in stage)
    elif isinstance(domain, Box):
        for dimension in dimensions(kernel, domain):
            box = domain.of_dimension(dimension)
            yield _lattices(box)
            yield _random(box, rng)
            yield _dense(box)
    elif isinstance(domain, Objects) and domain.kind == "anything":
        yield from stages(kernel, Box(), rng)
    elif isinstance(domain, Objects) and domain.kind == "nodes":
        yield iter([_nodes(kernel)])
    elif isinstance(domain, Objects):
        yield _objects(domain.kind, _letters(kernel), rng)


def dimensions(kernel: Expression, domain: Box) -> list[int]:
    """Return the dimensions to try: the domain's, or 1 and 2 if the kernel takes
    them.
    """
    if domain.dimension is not None:
        return [domain.dimension]
    most = domain.at_most or 64
    fitting = [d for d in range(1, most + 1) if kernel.dimension_error(d) is None]
    return fitting[:2]


def _lattices(domain: Box) -> Iterator[Points]:
    d = domain.dimension
    assert d is not None
    lattice = _lattice(d)
    for scale in SCALES:
        yield _inside(Points(lattice * 2.0**scale), domain)
    if np.isfinite([domain.low, domain.high]).any():
        for steps in (4, 8, 16, 10):
            yield _inside(Points(_grid(domain, steps, d)), domain)


def _random(domain: Box, rng: np.random.Generator) -> Iterator[Points]:
    d = domain.dimension
    assert d is not None
    for scale in SCALES:
        for shape in (rng.normal, rng.standard_cauchy):
            X = shape(size=(POOL_SIZE, d)) * 2.0**scale
            yield _inside(Points(_fold(X, domain)), domain)


def _dense(domain: Box) -> Iterator[Points]:
    """Yield many points in a row, for functions that only a long wave can tell
    apart.
    """
    d = domain.dimension
    assert d is not None
    if d > DENSE_MAX_DIMENSION:
        return
    line = np.arange(round(DENSE_POOL_SIZE ** (1 / d)), dtype=np.float64)
    lattice = np.array(list(product(line, repeat=d)))
    start = domain.low if np.isfinite(domain.low) else 0.0
    for scale in SCALES:
        yield _inside(
            Points(start + lattice * 2.0**scale), domain, most=DENSE_POOL_SIZE
        )


def _lattice(d: int) -> Array:
    """Return points with small integer coordinates, near ones first."""
    if d == 1:
        return np.array(LINE_POINTS, dtype=np.float64)[:, None]
    if d == 2:
        corners = sorted(product(range(-2, 3), repeat=2), key=_size)
        return np.array(corners, dtype=np.float64)
    axes = [
        sign * np.eye(d)[i] for i in range(min(d, POOL_SIZE // 3)) for sign in (1, -1)
    ]
    sums = [np.eye(d)[i] + np.eye(d)[j] for i, j in combinations(range(min(d, 5)), 2)]
    return np.array([np.zeros(d), *axes, *sums][:POOL_SIZE])


def _size(point: tuple[int, ...]) -> tuple[int, ...]:
    """Return an order in which simple points come first."""
    return (sum(map(abs, point)), max(map(abs, point)), *(-x for x in point))


def _grid(domain: Box, steps: int, d: int) -> Array:
    """Equal steps between the bounds (or from one bound), the middle first."""
    low = domain.low if np.isfinite(domain.low) else domain.high - steps
    high = domain.high if np.isfinite(domain.high) else domain.low + steps
    line = np.linspace(low, high, steps + 1)
    if not domain.closed:
        line = np.concatenate([line[1:-1], low + (high - low) * np.array([0.05, 0.95])])
    if d == 1:
        return line[:, None]
    coarse = line[:: max(1, len(line) // 4)]
    return np.array(list(product(coarse, repeat=d))[: 2 * POOL_SIZE])


def _fold(X: Array, domain: Box) -> Array:
    """Bring points that are out of bounds back in, by reflection or by wrapping."""
    low, high = domain.low, domain.high
    if np.isfinite(low) and np.isfinite(high):
        return low + np.mod(X - low, high - low)
    if np.isfinite(low):
        return low + np.abs(X)
    return high - np.abs(X) if np.isfinite(high) else X


def _inside(points: Points, domain: Domain, most: int = POOL_SIZE) -> Points:
    """Return the points that belong to the domain, no more than a pool."""
    kept = [i for i, item in enumerate(points.items) if domain.contains(item)]
    if isinstance(points.items, np.ndarray):
        return Points(points.items[kept[:most]])
    return Points(tuple(points.items[i] for i in kept[:most]))


def _objects(kind: str, letters: str, rng: np.random.Generator) -> Iterator[Points]:
    if kind == "strings":
        words = ["".join(w) for n in range(4) for w in product(letters[:2], repeat=n)]
        yield Points(tuple(words))
        for _ in range(8):
            lengths = rng.integers(1, 9, size=POOL_SIZE)
            yield Points(tuple("".join(rng.choice([*letters], n)) for n in lengths))
    elif kind == "sets":
        subsets = chain.from_iterable(combinations(range(4), n) for n in range(5))
        yield Points(tuple(frozenset(subset) for subset in subsets))
    elif kind == "graphs":
        yield from (_graphs(n, rng) for n in (1, 2, 3, 4, 5))


def _letters(kernel: Expression) -> str:
    """Letters that every part of a kernel on strings takes."""
    alphabets = [getattr(node, "alphabet", None) for node in kernel.nodes()]
    common = [letter for letter in next(filter(None, alphabets), "abc")]
    return "".join(x for x in common if all(x in a for a in alphabets if a))


def _nodes(kernel: Expression) -> Points:
    """Return the first nodes that the graphs of all parts of a kernel have."""
    sizes = [node.graph.n for node in kernel.nodes() if hasattr(node, "graph")]
    return Points(tuple(range(min([DENSE_POOL_SIZE, *sizes]))))


def _graphs(n: int, rng: np.random.Generator) -> Points:
    """Return random graphs of n nodes with one of three labels each."""
    pairs = list(combinations(range(n), 2))
    graphs = []
    for _ in range(POOL_SIZE):
        edges = tuple(pair for pair in pairs if rng.random() < 0.5)
        labels = tuple(rng.choice(["a", "b", "c"], size=n).tolist())
        graphs.append(Graph(n, edges, labels))
    return Points(tuple(graphs))
