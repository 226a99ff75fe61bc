"""The Weisfeiler–Lehman subtree kernel on graphs with labelled nodes.

Legend: n nodes 0, …, n−1; ℓ(v) the label of node v; h rounds of refinement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from kernellab.arrays import whole
from kernellab.errors import InfiniteDimensional
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.labelled_graph import Graph
from kernellab.kernels.printing import SUM, Text
from kernellab.kernels.sets import Counting, tally
from kernellab.kernels.spaces import objects_of
from kernellab.validity.domains import Domain

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
    point_space = GRAPHS

    def __post_init__(self) -> None:
        object.__setattr__(self, "h", whole(self.h, "the number of rounds h", 0))

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        return tally(refine(items, self.h))[0]

    def format_latex(self, x: str, z: str) -> Text:
        terms = rf"\#_c^{{(i)}}({x}) \, \#_c^{{(i)}}({z})"
        return rf"\sum_{{i=0}}^{{{self.h}}} \sum_c {terms}", SUM

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True  # a graph has a node, and a node has a label

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} has one feature for every label that refinement can make: "
            "infinitely many. Use the kernel itself, k(X, Z)."
        )


def refine(graphs: Sequence[Graph], h: int) -> list[list[int]]:
    """Return the labels of all nodes after 0, 1, …, h rounds, one list per graph.

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
    """Return (ℓ(v), the sorted labels of v's neighbours) for every node v."""
    return [
        (colour, tuple(sorted(colours[w] for w in near)))
        for colour, near in zip(colours, graph.neighbours, strict=True)
    ]
