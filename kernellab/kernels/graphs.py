"""Graphs with labelled nodes, and the Weisfeiler–Lehman subtree kernel on them.

Legend: n nodes 0, …, n−1; ℓ(v) the label of node v; h rounds of refinement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from kernellab.errors import InfiniteDimensional, InputError
from kernellab.features import FeatureMap
from kernellab.kernels.printing import SUM, Text
from kernellab.kernels.sets import Counting, tally, whole
from kernellab.kernels.spaces import objects_of
from kernellab.validity.domains import Domain


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
    labels : one hashable label a node; all nodes carry 0 if not given.

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
        """The two ends of an edge, the smaller one first."""
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
        """A graph whose nodes have names, numbered as they appear.

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
        """The graph of a symmetric (n, n) matrix of 0 and 1 with a zero diagonal.

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


GRAPHS = objects_of(
    "graphs", lambda item: isinstance(item, Graph), "[Graph(3, edges=[(0, 1), (1, 2)])]"
)


@dataclass(frozen=True, repr=False)
class WeisfeilerLehman(Counting):
    """Σ_{i≤h} Σ_c #_c⁽ⁱ⁾(x) #_c⁽ⁱ⁾(x'): common labels in h rounds of refinement.

    In each round a node's label becomes the pair of its label and the multiset of its
    neighbours' labels: ℓ_{i+1}(v) = (ℓ_i(v), {ℓ_i(w) : w next to v}). #_c⁽ⁱ⁾(x) counts
    the nodes with label c after i rounds. Isomorphic graphs get the same counts; some
    that are not isomorphic do too (a hexagon and two triangles).

    The subtree kernel of Shervashidze et al. (2011), "Weisfeiler–Lehman graph
    kernels", JMLR 12. Refining costs O(h·Σ(n + edges)) up to the sorting of
    neighbours' labels.

    Parameters
    ----------
    h : rounds of refinement, an integer ≥ 0; 0 compares the given labels only.

    Examples
    --------
    >>> path = Graph(3, edges=[(0, 1), (1, 2)])
    >>> triangle = Graph(3, edges=[(0, 1), (1, 2), (0, 2)])
    >>> WeisfeilerLehman(h=1)([path, triangle])
    array([[14., 12.],
           [12., 18.]])
    """

    h: int = 2
    _space = GRAPHS

    def __post_init__(self) -> None:
        object.__setattr__(self, "h", whole(self.h, "the number of rounds h", 0))

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        return tally(refine(items, self.h))[0]

    def _latex(self, x: str, z: str) -> Text:
        terms = rf"\#_c^{{(i)}}({x}) \, \#_c^{{(i)}}({z})"
        return rf"\sum_{{i=0}}^{{{self.h}}} \sum_c {terms}", SUM

    def _positive_diagonal(self, domain: Domain) -> bool:
        return True  # a graph has a node, and a node has a label

    def _features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} has one feature for every label that refinement can make: "
            "infinitely many. Use the kernel itself, k(X, Z)."
        )


def refine(graphs: Sequence[Graph], h: int) -> list[list[int]]:
    """The labels of all nodes after 0, 1, …, h rounds, one list a graph.

    Labels are renamed by numbers, equal ones alike in all graphs, and never the same
    number in two rounds. Only their equality matters, so neither the order of the
    nodes nor the order of the graphs changes a kernel's value.
    """
    fresh = count()
    first: defaultdict[Hashable, int] = defaultdict(fresh.__next__)
    colours = [[first[label] for label in graph.labels or ()] for graph in graphs]
    history = [list(row) for row in colours]
    for _ in range(h):
        code: defaultdict[Hashable, int] = defaultdict(fresh.__next__)
        colours = [
            [code[key] for key in _signatures(graph, row)]
            for graph, row in zip(graphs, colours, strict=True)
        ]
        for seen, row in zip(history, colours, strict=True):
            seen += row
    return history


def _signatures(graph: Graph, colours: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """(ℓ(v), the sorted labels of v's neighbours) for every node v."""
    return [
        (colour, tuple(sorted(colours[w] for w in near)))
        for colour, near in zip(colours, graph.neighbours, strict=True)
    ]


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
