"""Kernels on strings: common substrings, with mismatches, or with gaps.

Legend: s, t strings (characters are Unicode code points); u a word of length p;
#_u(s) how often u stands in s; λ = decay; a letters in the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernellab.arrays import Array, number, whole
from kernellab.errors import InputError, NoFeatureMap
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.pairs import PointPairs, SelfPairs
from kernellab.kernels.points import Points
from kernellab.kernels.printing import SUM, Text, tex_number
from kernellab.kernels.sets import Counting, Discrete, tally
from kernellab.kernels.spaces import objects_of

Integers = NDArray[np.int64]

STRINGS = objects_of(
    "strings", lambda item: isinstance(item, str), '["gattaca", "tacat"]'
)

MANY_WORDS = 10**6
"""An explicit feature map lists no more words than this."""

MANY_NUMBERS = 5 * 10**7
"""A table with more numbers than this (400 MB) is refused."""

CELLS = 2**16
"""Pairs of strings are worked on in batches of arrays of about this size."""


@dataclass(frozen=True, repr=False)
class Spectrum(Counting):
    """Σ_u #_u(s) #_u(t) over the words u of length p: common substrings.

    The p-spectrum kernel of Leslie, Eskin & Noble (2002). A string shorter than p has
    no substring of length p, so k(s, s) = 0. Building costs O(p·Σ|s|).

    Parameters
    ----------
    p : length of the words, an integer ≥ 1.
    alphabet : the characters that may occur, optional; `features` needs it.

    Examples
    --------
    >>> Spectrum(p=2)(["abab", "baba", "b"])
    array([[5., 4., 0.],
           [4., 5., 0.],
           [0., 0., 0.]])
    >>> Spectrum(p=2, alphabet="ab").features()(["abab"])  # aa, ab, ba, bb
    array([[0., 2., 1., 0.]])
    """

    p: int = 3
    alphabet: str | None = None
    point_space = STRINGS

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", whole(self.p, "the length p", 1))
        if self.alphabet is not None:
            _check_alphabet(self.alphabet)

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        if self.alphabet is not None:
            _check_letters(items, self.alphabet, self)
        return tally(_grams(s, self.p) for s in items)[0]

    def format_latex(self, x: str, z: str) -> Text:
        return rf"\sum_{{|u| = {self.p}}} \#_u({x}) \, \#_u({z})", SUM

    def build_features(self) -> FeatureMap:
        if self.alphabet is None:
            raise NoFeatureMap(
                f"{self!r} has one feature for every word of {self.p} characters; to "
                "list them name the characters that may occur, for example "
                f'Spectrum(p={self.p}, alphabet="ACGT")'
            )
        return _word_map(self, self.alphabet, 0)


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
        _check_alphabet(self.alphabet)
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
        _check_letters(items, self.alphabet, self)
        counts, grams = tally(_grams(s, self.p) for s in items)
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
        return _word_map(self, self.alphabet, self.m)


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


# --- words --------------------------------------------------------------------------


def _grams(s: str, p: int) -> Iterator[str]:
    """Yield the substrings of length p, as often as they occur."""
    return (s[i : i + p] for i in range(len(s) - p + 1))


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


def _word_map(kernel: Spectrum | Mismatch, alphabet: str, m: int) -> FeatureMap:
    """Return one column per word over the alphabet: its substrings within m
    mismatches.
    """
    a, p = len(alphabet), kernel.p
    if a**p > MANY_WORDS:
        raise NoFeatureMap(
            f"there are {a}^{p} = {a**p} words of length {p}, too many to list as "
            "features; use the kernel itself, k(X, Z)"
        )

    counter = Mismatch(p, m, alphabet)

    def rows(points: Points) -> Array:
        strings = kernel._items(points)
        _check_letters(strings, alphabet, kernel)
        return counter._count(strings).toarray()

    words = ["".join(letters) for letters in product(alphabet, repeat=p)]
    return FeatureMap(rows, lambda d: [(1.0, (word,)) for word in words])


def _indicators(columns: Integers, width: int) -> csr_array[np.float64]:
    """Return the matrix with a 1 in the given columns of each row."""
    g, size = columns.shape
    ends = np.arange(0, g * size + 1, size)
    return csr_array((np.ones(g * size), columns.ravel(), ends), shape=(g, width))


def _check_alphabet(alphabet: object) -> None:
    if not isinstance(alphabet, str) or not alphabet:
        raise InputError(
            'an alphabet is a string of characters such as "ACGT", '
            f"got {type(alphabet).__name__} {alphabet!r}"
        )
    if len(set(alphabet)) < len(alphabet):
        raise InputError(f"an alphabet lists each character once, got {alphabet!r}")


def _check_letters(strings: tuple[str, ...], alphabet: str, kernel: object) -> None:
    for s in strings:
        foreign = set(s).difference(alphabet)
        if foreign:
            raise InputError(
                f"{kernel!r} takes strings over the alphabet {alphabet!r}; "
                f"{s!r} contains {min(foreign)!r}. Add it to the alphabet, or clean "
                "the strings first (upper case, for example)."
            )
