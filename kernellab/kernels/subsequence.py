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
        """Return k(s_i, s_j) for many pairs, batches of similar lengths at a time."""
        length = np.array([len(x) for x in s], dtype=np.int64)
        swap = length[i] > length[j]  # so that the loop runs over the shorter string
        i, j = np.where(swap, j, i), np.where(swap, i, j)
        values, text = np.zeros(len(i)), _padded(s)
        for batch in _batches(length[i], length[j], self.p):
            a, b = i[batch], j[batch]
            S, T = text[a, : length[a].max()], text[b, : length[b].max()]
            values[batch] = _gappy(S, np.where(T < 0, -2, T), self.p, self.decay)
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


def _gappy(S: Integers, T: Integers, p: int, decay: float) -> Array:
    """Return the subsequence kernel of S[r] and T[r] for every row r.

    E_q(a, b) collects the common words of length q that end at places a and b:

        E_1(a, b) = λ² 1[s_a = t_b]
        E_q(a, b) = E_1(a, b) Σ_{a'<a} Σ_{b'<b} λ^(a−a'−1) λ^(b−b'−1) E_{q−1}(a', b')
        k(s, t)   = Σ_a Σ_b E_p(a, b)

    Both inner sums are recurrences of first order. The one over a' is carried along
    in `held`; the one over b' is a linear filter, y_b = λ y_{b−1} + x_{b−1}.
    """
    from scipy.signal import lfilter  # here: it would double the time to import all

    ends = np.empty((p, *T.shape))
    held = np.zeros((p - 1, *T.shape))
    total = np.zeros(len(T))
    for letters in S.T:
        ends[0] = decay**2 * (letters[:, None] == T)
        ends[1:] = ends[0] * lfilter([0.0, 1.0], [1.0, -decay], held)
        total += ends[-1].sum(axis=1)
        held *= decay
        held += ends[:-1]
    return total


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
