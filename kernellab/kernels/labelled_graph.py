"""Graphs with labelled nodes, as data: what a kernel on graphs compares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kernellab.arrays import whole
from kernellab.errors import InputError


@dataclass(frozen=True, repr=False)
class Graph:
    """An undirected graph with at least one node and with labels on the nodes.

    An edge is a pair of different nodes; given twice, in either direction, it counts
    once. Loops are refused. Two graphs are equal (==) if they have the same edges
    and labels node by node; isomorphic graphs may differ.

    Parameters
    ----------
    n : the number of nodes, which are called 0, …, n−1.
    edges : pairs of nodes.
    labels : one hashable label per node; all nodes carry 0 if not given.

    Examples
    --------
    >>> Graph(3, edges=[(0, 1), (2, 1)], labels="HOH")
    Graph(n=3, edges=((0, 1), (1, 2)), labels=('H', 'O', 'H'))
    >>> Graph.from_edges([("Ann", "Bob"), ("Bob", "Eve")])
    Graph(n=3, edges=((0, 1), (1, 2)))
    """

    n: int
    edges: tuple[tuple[int, int], ...] = ()
    labels: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole(self.n, "the number of nodes n", 1))
        edges = {self._edge(edge) for edge in _listed(self.edges, "edges")}
        object.__setattr__(self, "edges", tuple(sorted(edges)))
        object.__setattr__(self, "labels", self._checked_labels())

    def _edge(self, edge: Any) -> tuple[int, int]:
        """Return the two ends of an edge, the smaller one first."""
        try:
            u, v = (whole(node, "a node", 0) for node in edge)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"an edge must be a pair of nodes such as (0, 1), got {edge!r}"
            ) from error
        if max(u, v) >= self.n:
            raise InputError(
                f"the nodes are 0, …, {self.n - 1}; the edge {edge!r} names another. "
                "For nodes with other names use Graph.from_edges."
            )
        if u == v:
            raise InputError(
                f"a graph has no loops here, got the edge {edge!r}; leave it out, or "
                "mark the node by its label"
            )
        return min(u, v), max(u, v)

    def _checked_labels(self) -> tuple[Hashable, ...]:
        if self.labels is None:
            return (0,) * self.n
        labels = tuple(_listed(self.labels, "labels"))
        if len(labels) != self.n:
            raise InputError(
                f"labels must hold one label for each of the {self.n} nodes, "
                f"got {len(labels)}"
            )
        for label in labels:
            if not _hashable(label):
                raise InputError(
                    f"a label must be hashable (a number, a string, a tuple), "
                    f"got {type(label).__name__} {label!r}"
                )
        return labels

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[Hashable, Hashable]],
        labels: Mapping[Any, Hashable] | None = None,
        nodes: Iterable[Hashable] = (),
    ) -> Self:
        """Return a graph whose nodes have names, numbered as they appear.

        Parameters
        ----------
        edges : pairs of names.
        labels : the label of each name; all nodes carry 0 if not given.
        nodes : names to number first; the ones without an edge must stand here.
        """
        number: defaultdict[Hashable, int] = defaultdict(count().__next__)
        try:
            for node in nodes:
                _ = number[node]
            pairs = [tuple(number[node] for node in edge) for edge in edges]
        except TypeError as error:
            raise InputError(
                "edges must be pairs of names, and a name must be hashable (a number, "
                f"a string, a tuple); got edges = {edges!r}"
            ) from error
        missing = [] if labels is None else [v for v in number if v not in labels]
        if missing:
            raise InputError(
                f"labels must have a label for every node; {missing[0]!r} has none"
            )
        given = None if labels is None else tuple(labels[v] for v in number)
        return cls(len(number), pairs, given)  # type: ignore[arg-type]

    @classmethod
    def from_adjacency(
        cls, A: ArrayLike, labels: Sequence[Hashable] | None = None
    ) -> Self:
        """Return the graph of a symmetric (n, n) matrix of 0 and 1 with a zero
        diagonal.

        >>> Graph.from_adjacency([[0, 1], [1, 0]])
        Graph(n=2, edges=((0, 1),))
        """
        matrix = np.asarray(A)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InputError(
                f"an adjacency matrix must be square, got shape {matrix.shape}"
            )
        if not np.isin(matrix, (0, 1)).all():
            raise InputError(
                "an adjacency matrix must hold 0 and 1 only; weights are not used: "
                "for an edge wherever A is not zero write A != 0"
            )
        if (matrix != matrix.T).any():
            raise InputError(
                "an adjacency matrix must be symmetric, for edges have no direction; "
                "to forget directions write A | A.T"
            )
        edges = np.argwhere(np.triu(matrix)).tolist()
        return cls(len(matrix), edges, labels)  # type: ignore[arg-type]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The nodes that each node shares an edge with."""
        near: list[list[int]] = [[] for _ in range(self.n)]
        for u, v in self.edges:
            near[u].append(v)
            near[v].append(u)
        return tuple(map(tuple, near))

    def __repr__(self) -> str:
        plain = self.labels == (0,) * self.n
        labels = "" if plain else f", labels={self.labels!r}"
        return f"Graph(n={self.n}, edges={self.edges!r}{labels})"


def _listed(items: Any, what: str) -> list[Any]:
    try:
        return list(items.tolist() if isinstance(items, np.ndarray) else items)
    except TypeError as error:
        raise InputError(f"{what} must be a list, got {items!r}") from error


def _hashable(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True
