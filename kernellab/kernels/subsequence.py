"""The string subsequence kernel: common words with gaps, by dynamic programming.

Legend: s, t strings; u a word of length p; λ = decay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array, number, whole
from kernellab.errors import InputError, NoFeatureMap
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs, SelfPairs
from kernellab.kernels.printing import SUM, Text, tex_number
from kernellab.kernels.sets import Discrete
from kernellab.kernels.strings import STRINGS
from kernellab.loops.subsequences import compiled_pairs, vector_pairs

Integers = NDArray[np.int64]

CELLS = 2**16
"""Pairs of strings are worked on in batches of arrays of about this size."""


@dataclass(frozen=True, repr=False)
class Subsequence(Discrete):
    """Σ_u Σ_{i: s[i]=u} Σ_{j: t[j]=u} λ^(l(i)+l(j)): common subsequences, with gaps.

    i runs over the places i₁ < … < i_p at which u can be read in s, not necessarily
    side by side; l(i) = i_p − i₁ + 1 is their span, so gaps cost. The string
    subsequence kernel of Lodhi et al. (2002), "Text classification using string
    kernels", JMLR 2. O(p·|s|·|t|) for each pair of strings.

    Parameters
    ----------
    p : length of the words, an integer ≥ 1.
    decay : λ, with 0 < λ ≤ 1; 1 counts all occurrences alike.

    Examples
    --------
    >>> Subsequence(p=2, decay=0.5)(["cat", "car", "c"])  # λ²=.25: ca, at; λ³: c·t
    array([[0.140625, 0.0625  , 0.      ],
           [0.0625  , 0.140625, 0.      ],
           [0.      , 0.      , 0.      ]])
    """

    p: int = 3
    decay: float = 0.5
    point_space = STRINGS

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", whole(self.p, "the length p", 1))
        decay = number(self.decay, "decay")
        if not 0 < decay <= 1:
            raise InputError(f"decay must satisfy 0 < decay ≤ 1, got {self.decay!r}")
        object.__setattr__(self, "decay", decay)

    def evaluate(self, pair: PointPairs) -> Array:
        n, m = len(pair.left), len(pair.right)
        s = self._items(pair.left) + self._items(pair.right)
        if isinstance(pair, SelfPairs):
            return self._pairs(s, np.arange(n), np.arange(n))
        K = np.zeros((n, m))
        if pair.left.root is pair.right.root and pair.left.rows == pair.right.rows:
            i, j = np.triu_indices(n)
            K[i, j] = K[j, i] = self._pairs(s, i, j)
        else:
            i, j = np.indices((n, m)).reshape(2, -1)
            K[i, j] = self._pairs(s, i, n + j)
        return K

    def _pairs(self, s: tuple[str, ...], i: Integers, j: Integers) -> Array:
        """Return k(s_i, s_j) for many pairs."""
        length = np.array([len(x) for x in s], dtype=np.int64)
        text, loop = _padded(s), compiled_pairs()
        if loop is not None:
            return np.asarray(loop(text, length, i, j, self.p, self.decay))
        return self._batched(text, length, i, j)

    def _batched(
        self, text: Integers, length: Integers, i: Integers, j: Integers
    ) -> Array:
        """Do the same in NumPy, pairs of similar lengths at a time."""
        swap = length[i] > length[j]  # so that the loop runs over the shorter string
        i, j = np.where(swap, j, i), np.where(swap, i, j)
        values = np.zeros(len(i))
        for batch in _batches(length[i], length[j], self.p):
            a, b = i[batch], j[batch]
            S, T = text[a, : length[a].max()], text[b, : length[b].max()]
            T = np.where(T < 0, -2, T)
            values[batch] = vector_pairs(S, T, self.p, self.decay)
        return values

    def format_latex(self, x: str, z: str) -> Text:
        sums = rf"\sum_{{|u| = {self.p}}} \sum_{{{x}[i] = u}} \sum_{{{z}[j] = u}}"
        return rf"{sums} {tex_number(self.decay)}^{{l(i) + l(j)}}", SUM

    def build_features(self) -> FeatureMap:
        raise NoFeatureMap(
            f"{self!r} has a^{self.p} features for an alphabet of a letters, one for "
            "each word: finitely many, but they are not listed here. Use the kernel "
            "itself, k(X, Z)."
        )


def _batches(shorter: Integers, longer: Integers, p: int) -> Iterator[Integers]:
    """Pairs with lengths alike up to a factor 2; none with a string shorter than p."""
    size = 64 * np.frexp(shorter)[1] + np.frexp(longer)[1]
    order = np.lexsort((shorter, size))
    order = order[shorter[order] >= p]
    for group in np.split(order, np.flatnonzero(np.diff(size[order])) + 1):
        step = max(1, CELLS // (p * int(longer[group].max(initial=1))))
        for first in range(0, len(group), step):
            yield group[first : first + step]


def _padded(strings: tuple[str, ...]) -> Integers:
    """Return the code points of the strings, one row a string, −1 beyond its end."""
    rows = [np.array([ord(letter) for letter in s], dtype=np.int64) for s in strings]
    table = np.full((len(rows), max(map(len, rows), default=0)), -1, dtype=np.int64)
    for place, row in zip(table, rows, strict=True):
        place[: len(row)] = row
    return table
