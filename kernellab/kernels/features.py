"""Explicit feature maps: φ with φ(X) φ(Z)ᵀ = k(X, Z), when φ is finite.

A map is built along the kernel's expression: a sum puts features side by side, a
product multiplies them two by two, a power takes their monomials.

Legend: φ(X) is n×p, one column per feature; d is the dimension of the inputs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from kernellab.arrays import Array
from kernellab.kernels.points import Points, vectors

Term = tuple[float, tuple[str, ...]]
"""A feature on paper: a coefficient, and the names that are multiplied."""


@dataclass(frozen=True)
class FeatureMap:
    """φ : points → rows of features. Call it on what the kernel takes.

    Parameters
    ----------
    rows : function from checked points to the matrix φ(X).
    terms : function from d to the names of the columns, for inputs in ℝᵈ.
    read : function that checks the points.
    remainder : for a truncated map, a bound on |φ(X)φ(Z)ᵀ − k(X,Z)|.

    Examples
    --------
    >>> from kernellab import kernels as kl
    >>> phi = kl.Polynomial(degree=2, c=3.0).features()
    >>> phi.labels(2)
    ['x1²', '√2·x1·x2', '√6·x1', 'x2²', '√6·x2', '3']
    >>> phi([[2.0, 0.0]]).round(3)
    array([[4.   , 0.   , 4.899, 0.   , 0.   , 3.   ]])
    """

    rows: Callable[[Points], Array]
    terms: Callable[[int], list[Term]]
    read: Callable[[Any, str], Points] = vectors
    remainder: Callable[[Points, Points], Array] | None = field(default=None)

    def __call__(self, X: Any) -> Array:
        return self.rows(self.read(X, "X"))

    def labels(self, dimension: int = 0) -> list[str]:
        """Return the columns in words, for inputs in ℝᵈ (for objects d does not
        matter).
        """
        return [_label(term) for term in self.terms(dimension)]

    def bound(self, X: Any, Z: Any) -> Array:
        """Return how far φ(X)φ(Z)ᵀ can be from k(X, Z), entry by entry."""
        P, Q = self.read(X, "X"), self.read(Z, "Z")
        if self.remainder is None:
            return np.zeros((len(P), len(Q)))
        return self.remainder(P, Q)

    @staticmethod
    def constant(value: float) -> FeatureMap:
        """Return the same number for every point."""
        return FeatureMap(
            lambda P: np.full((len(P), 1), value), lambda d: [(value, ())]
        )

    @staticmethod
    def coordinates() -> FeatureMap:
        """x itself."""
        return FeatureMap(
            lambda P: P.X.copy(), lambda d: [(1.0, (f"x{j + 1}",)) for j in range(d)]
        )

    @staticmethod
    def beside(maps: Sequence[FeatureMap]) -> FeatureMap:
        """Return (φ₁, φ₂, …): the map of a sum of kernels."""
        return FeatureMap(
            lambda P: np.hstack([phi.rows(P) for phi in maps]),
            lambda d: [term for phi in maps for term in phi.terms(d)],
        )

    def scaled(self, factor: float) -> FeatureMap:
        """Return factor·φ: the map of factor²·k."""
        return FeatureMap(
            lambda P: factor * self.rows(P),
            lambda d: [(factor * c, names) for c, names in self.terms(d)],
        )

    def weighted(self, weight: Callable[[Points], Array], name: str) -> FeatureMap:
        """Return f·φ: the map of f(x) k(x,x') f(x')."""
        return FeatureMap(
            lambda P: weight(P)[:, None] * self.rows(P),
            lambda d: [(c, (name, *names)) for c, names in self.terms(d)],
        )

    def times(self, other: FeatureMap) -> FeatureMap:
        """Return all products of two features: the map of k₁·k₂."""

        def rows(P: Points) -> Array:
            A, B = self.rows(P), other.rows(P)
            columns = A.shape[1] * B.shape[1]
            return (A[:, :, None] * B[:, None, :]).reshape(len(A), columns)

        return FeatureMap(
            rows,
            lambda d: [
                (c * e, a + b) for c, a in self.terms(d) for e, b in other.terms(d)
            ],
        )

    def to_the(self, degree: int) -> FeatureMap:
        """Return the monomials of the features, each once: the map of k^degree.

        (Σ_j u_j v_j)^r = Σ_{|m|=r} r!/(m₁!m₂!…) u^m v^m, the multinomial theorem.
        """

        def rows(P: Points) -> Array:
            phi = self.rows(P)
            columns = np.ones((len(phi), len(_monomials(phi.shape[1], degree))))
            for place, (monomial, root) in enumerate(_monomials(phi.shape[1], degree)):
                for j in monomial:
                    columns[:, place] *= phi[:, j]
                columns[:, place] *= root
            return columns

        def terms(d: int) -> list[Term]:
            inner = self.terms(d)
            return [
                (
                    root * math.prod(inner[j][0] for j in monomial),
                    tuple(name for j in monomial for name in inner[j][1]),
                )
                for monomial, root in _monomials(len(inner), degree)
            ]

        return FeatureMap(rows, terms)

    def renamed(self, name: Callable[[int], str]) -> FeatureMap:
        """Return the same map, with another name for the coordinate number j = 1,
        2, …
        """

        def terms(d: int) -> list[Term]:
            new = {f"x{j}": name(j) for j in range(1, d + 1)}
            return [
                (c, tuple(new.get(old, old) for old in names))
                for c, names in self.terms(d)
            ]

        return replace(self, terms=terms)

    def reading(self, read: Callable[[Any, str], Points]) -> FeatureMap:
        """Return the same map, checking its points this way."""
        return replace(self, read=read)


def _monomials(p: int, degree: int) -> list[tuple[tuple[int, ...], float]]:
    """Multi-indices of degree r in p variables, with √(r!/(m₁!m₂!…))."""
    return [
        (monomial, math.sqrt(_multinomial(monomial)))
        for monomial in combinations_with_replacement(range(p), degree)
    ]


def _multinomial(monomial: tuple[int, ...]) -> int:
    count = math.factorial(len(monomial))
    for multiplicity in Counter(monomial).values():
        count //= math.factorial(multiplicity)
    return count


def _label(term: Term) -> str:
    coefficient, names = term
    powers = [
        name if times == 1 else name + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(t)] for t in str(times))
        for name, times in Counter(names).items()
    ]
    number = _number(coefficient)
    return "·".join(powers if number == "1" and powers else [number, *powers])


def _number(value: float) -> str:
    """Return 2, √2 or 0.347: the simplest that is right to six digits."""
    if abs(value - round(value)) < 1e-9 * abs(value):
        return str(round(value))
    square = value * value
    if abs(square - round(square)) < 1e-9 * square and value > 0:
        return f"√{round(square)}"
    return f"{value:.6g}"
