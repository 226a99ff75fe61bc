"""Kernels on finite sets; and what the kernels on strings and graphs share with them.

An object (a set, a string, a graph) is compared through the multiset of its parts:
elements, substrings, labels of nodes. The counts of all parts in all objects are one
sparse matrix over one vocabulary, and a Gram block is a product of its rows.

Legend: u a part; #_u(x) how often x has it; A, B sets; n objects.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from kernellab.arrays import Array
from kernellab.errors import InfiniteDimensional, InputError
from kernellab.kernels.base import Kernel
from kernellab.kernels.expression import Justification
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, PRODUCT, Text
from kernellab.kernels.spaces import Space, objects_of
from kernellab.validity.domains import Domain, Objects
from kernellab.validity.rules import Condition, Rule
from kernellab.validity.theorems import COUNTS

SPARSE = 8
"""A matrix of counts is kept sparse if fewer than one entry in SPARSE is not zero."""

MINHASH = Rule(
    "min-hash",
    r"$|A \cap B| / |A \cup B|$, with $1$ for two empty sets, is a kernel on finite "
    r"sets.",
    r"Put the elements of the given sets $A_1, \dots, A_n$ in a random order, all "
    r"orders equally likely. Let $h(A)$ be the first element of $A$, and "
    r"$h(\emptyset)$ a symbol of its own. The first element of $A \cup B$ is equally "
    r"likely to be any of them, and $h(A) = h(B)$ exactly if it lies in $A \cap B$. So "
    r"$|A \cap B| / |A \cup B| = \mathbb{E}\, 1_{[h(A) = h(B)]}$, an average of Dirac "
    r"deltas after the change of variable $h$.",
)


def _read(X: Any, name: str) -> Points:
    """Check a list of sets, and freeze them: then any kernel can look them up."""
    if isinstance(X, set | frozenset):
        raise InputError(
            f"{name} must be a list of sets, got one set; write [{name}] for one "
            "point (a set of sets has no order: make it a list)"
        )
    return Points(tuple(map(frozenset, _LIST_OF_SETS.read(X, name).items)))


_LIST_OF_SETS = objects_of(
    "sets", lambda item: isinstance(item, set | frozenset), "[{1, 2}, {2, 3}]"
)
SETS = Space("sets", _read)


@dataclass(frozen=True, repr=False)
class Discrete(Kernel):
    """A kernel on objects: its natural domain is all objects of its space."""

    def natural_domain(self) -> Domain:
        return Objects(self.point_space.name)

    def justify(self, domain: Domain) -> Justification:
        return Justification(COUNTS, conditions=(self._lives_on(domain),))

    def _lives_on(self, domain: Domain) -> Condition:
        kind = self.point_space.name
        held = domain.within(self.natural_domain())
        return Condition(f"the points are {kind}", held, f"keep to {kind}")

    def _items(self, points: Points) -> tuple[Any, ...]:
        """Return the objects, checked: points that a map or a search made were not
        read.
        """
        if isinstance(points.items, np.ndarray):
            raise InputError(
                f"{self!r} compares {self.point_space.name}, it was given vectors; a "
                "map before it (.pullback) makes vectors: map and list the objects "
                "yourself"
            )
        return tuple(self.point_space.read(points.items, "X").items)


@dataclass(frozen=True, repr=False)
class Counting(Discrete):
    """Σ_u #_u(x) #_u(x'): the inner product of the counts of all parts u."""

    @abstractmethod
    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        """Return #_u(x): one row an object, one column a part that occurs."""

    def evaluate(self, pair: PointPairs) -> Array:
        return pair.dot(*self._rows(pair))

    def _rows(self, pair: PointPairs) -> tuple[Any, Any]:
        """Return the counts of the left and of the right objects, over one
        vocabulary.
        """
        return pair.joint(self, self._count_both)

    def _count_both(self, left: Points, right: Points) -> tuple[Any, Any]:
        if left is right:
            rows = pack(self._count(self._items(left)))
            return rows, rows
        rows = pack(self._count(self._items(left) + self._items(right)))
        return rows[: len(left)], rows[len(left) :]


@dataclass(frozen=True, repr=False)
class Intersection(Counting):
    """|A ∩ B|, the number of common elements of two finite sets.

    It is Σ_u 1[u ∈ A] 1[u ∈ B], the inner product of the indicators. Elements are
    compared by Python's ==. Building costs O(Σ|A|), a block O(n·m·|A|) at most.

    Examples
    --------
    >>> Intersection()([{"tea", "milk"}, {"milk", "rice", "salt"}, set()])
    array([[2., 1., 0.],
           [1., 3., 0.],
           [0., 0., 0.]])
    """

    point_space = SETS

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        return tally(items)[0]

    def format_latex(self, x: str, z: str) -> Text:
        return rf"|{x} \cap {z}|", ATOM

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} has one feature 1[u ∈ A] for every possible element u: "
            "infinitely many. With a finite list of elements, write these indicators "
            "as vectors and use Linear()."
        )


@dataclass(frozen=True, repr=False)
class Jaccard(Intersection):
    """|A ∩ B| / |A ∪ B|, the share of common elements; 1 for two empty sets.

    It is the probability that A and B have the same first element when all elements
    are put in a random order (min-hash). Cost as for `Intersection`.

    Examples
    --------
    >>> Jaccard()([{1, 2}, {2, 3, 4}, set()])
    array([[1.  , 0.25, 0.  ],
           [0.25, 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """

    def evaluate(self, pair: PointPairs) -> Array:
        U, V = self._rows(pair)
        common = pair.dot(U, V)
        left, right = pair.lift(U.sum(axis=1), V.sum(axis=1))
        union = left + right - common
        return np.divide(common, union, out=np.ones_like(common), where=union > 0)

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\frac{{|{x} \cap {z}|}}{{|{x} \cup {z}|}}", PRODUCT

    def justify(self, domain: Domain) -> Justification:
        return Justification(MINHASH, conditions=(self._lives_on(domain),))

    def has_positive_diagonal(self, domain: Domain) -> bool:
        return True

    def build_features(self) -> FeatureMap:
        raise InfiniteDimensional(
            f"{self!r} is the identity matrix on {{1}}, {{2}}, {{3}}, …: no finite "
            "feature map reproduces it"
        )


# --- counting -----------------------------------------------------------------------


def tally(
    bags: Iterable[Iterable[Hashable]],
) -> tuple[csr_array[np.float64], list[Any]]:
    """Return how often each part occurs in each bag, and the parts: the columns.

    >>> counts, parts = tally(["abba", "cab"])
    >>> counts.toarray(), parts
    (array([[2., 2., 0.],
           [1., 1., 1.]]), ['a', 'b', 'c'])
    """
    columns: defaultdict[Hashable, int] = defaultdict(count().__next__)
    indices: list[int] = []
    ends = [0]
    for bag in bags:
        indices.extend(map(columns.__getitem__, bag))
        ends.append(len(indices))
    shape = len(ends) - 1, len(columns)
    counts = csr_array((np.ones(len(indices)), indices, ends), shape=shape)
    counts.sum_duplicates()
    return counts, list(columns)


def pack(counts: csr_array[np.float64]) -> Array | csr_array[np.float64]:
    """Return the same matrix in the form that multiplies faster: dense unless mostly
    zero.
    """
    n, width = counts.shape
    return counts.toarray() if n * width <= SPARSE * counts.nnz else counts
