"""The mismatch kernel: common substrings up to a few different characters.

Legend: s, t strings; u a word of length p; m mismatches; a letters in the alphabet.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernellab.arrays import Array, whole
from kernellab.errors import InputError
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.points import Points
from kernellab.kernels.printing import SUM, Text
from kernellab.kernels.sets import Counting, tally
from kernellab.kernels.strings import (
    MANY_WORDS,
    STRINGS,
    check_alphabet,
    check_letters,
    require_few_words,
    substrings,
)

Integers = NDArray[np.int64]

MANY_NUMBERS = 5 * 10**7
"""A table with more numbers than this (400 MB) is refused."""


@dataclass(frozen=True, repr=False)
class Mismatch(Counting):
    """Σ_u #ᵐ_u(s) #ᵐ_u(t): common substrings of length p, up to m mismatches.

    #ᵐ_u(s) counts the substrings of s that differ from u in at most m places; u runs
    over all words of length p, whether they occur or not. The (p, m)-mismatch kernel
    of Leslie et al. (2004); with m = 0 it is the `Spectrum`. A substring has
    Σ_{i≤m} C(p,i)(a−1)ⁱ neighbours u; building costs as many steps for each
    different substring.

    Parameters
    ----------
    p : length of the words, an integer ≥ 1.
    m : mismatches allowed, 0 ≤ m < p.
    alphabet : the characters that may occur.

    Examples
    --------
    >>> Mismatch(p=3, m=1)(["GAT", "GAC", "CCC"])
    array([[10.,  4.,  0.],
           [ 4., 10.,  2.],
           [ 0.,  2., 10.]])
    """

    p: int = 3
    m: int = 1
    alphabet: str = "ACGT"
    point_space = STRINGS

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", whole(self.p, "the length p", 1))
        object.__setattr__(self, "m", whole(self.m, "the number m of mismatches", 0))
        check_alphabet(self.alphabet)
        if self.m >= self.p:
            raise InputError(
                f"m must be below p (all words match otherwise), got m = {self.m} and "
                f"p = {self.p}"
            )
        if len(self.alphabet) ** self.p >= 2**62:
            raise InputError(
                f"there are {len(self.alphabet)}^{self.p} words of length {self.p}, "
                "more than can be numbered; use a smaller p, or Spectrum for m = 0"
            )
        self._check_size(self._near())

    def _near(self) -> int:
        """Return how many words lie within m mismatches of a word."""
        others = len(self.alphabet) - 1
        return sum(comb(self.p, i) * others**i for i in range(self.m + 1))

    def _check_size(self, numbers: int) -> None:
        """Refuse what would fill the memory."""
        if numbers > MANY_NUMBERS:
            raise InputError(
                f"{self!r} is too large here: {self._near()} words lie within {self.m} "
                f"mismatches of each substring, which makes a table of {numbers} "
                f"numbers; at most {MANY_NUMBERS} are allowed. Use a smaller m, p or "
                "alphabet, fewer strings at a time, or Subsequence."
            )

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        """Return one column for every word, unless they are too many: then what is
        near.
        """
        check_letters(items, self.alphabet, self)
        counts, grams = tally(substrings(s, self.p, self.p) for s in items)
        near, words = self._near(), len(self.alphabet) ** self.p
        self._check_size(
            max(len(grams) * near, min(counts.nnz * near, len(items) * words))
        )
        codes = _neighbours(grams, self.alphabet, self.m)
        if words <= MANY_WORDS:
            return counts @ _indicators(codes, words)
        found, columns = np.unique(codes, return_inverse=True)
        return counts @ _indicators(columns.reshape(codes.shape), len(found))

    def format_latex(self, x: str, z: str) -> Text:
        term = rf"\#_u^{{\le {self.m}}}"
        return rf"\sum_{{|u| = {self.p}}} {term}({x}) \, {term}({z})", SUM

    def build_features(self) -> FeatureMap:
        require_few_words(len(self.alphabet) ** self.p, f"of length {self.p}")

        def rows(points: Points) -> Array:
            return self._count(self._items(points)).toarray()

        words = ["".join(letters) for letters in product(self.alphabet, repeat=self.p)]
        return FeatureMap(rows, lambda d: [(1.0, (word,)) for word in words])


def _neighbours(grams: list[str], alphabet: str, m: int) -> Integers:
    """Return the words within m mismatches of each gram, a row each, as numbers in base
    a.

    Letter by letter, the prefixes with exactly i mismatches are extended by the same
    letter, and those with i−1 mismatches by every other one.
    """
    a, g = len(alphabet), len(grams)
    place = {letter: i for i, letter in enumerate(alphabet)}
    exactly = [np.zeros((g, int(i == 0)), dtype=np.int64) for i in range(m + 1)]
    for letters in zip(*grams, strict=True):
        same = np.array([[place[letter]] for letter in letters])
        other = (same + np.arange(1, a)) % a
        kept = [a * prefix + same for prefix in exactly]
        changed = [
            (a * prefix[:, :, None] + other[:, None, :]).reshape(g, -1)
            for prefix in exactly
        ]
        pairs = zip(kept[1:], changed[:-1], strict=True)
        exactly = [kept[0], *map(np.hstack, pairs)]
    return np.hstack(exactly)


def _indicators(columns: Integers, width: int) -> csr_array[np.float64]:
    """Return the matrix with a 1 in the given columns of each row."""
    g, size = columns.shape
    ends = np.arange(0, g * size + 1, size)
    return csr_array((np.ones(g * size), columns.ravel(), ends), shape=(g, width))
