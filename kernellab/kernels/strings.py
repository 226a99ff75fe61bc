"""The spectrum kernel on strings: common substrings. And what string kernels share.

Legend: s, t strings (characters are Unicode code points); u a word; #_u(s) how often
u stands in s; p, …, q the lengths of words; ⟨s⟩ the string s between two marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from kernellab.arrays import Array, whole
from kernellab.errors import InputError, NoFeatureMap
from kernellab.kernels.features import FeatureMap
from kernellab.kernels.points import Points
from kernellab.kernels.printing import ATOM, SUM, Text
from kernellab.kernels.sets import Counting, tally
from kernellab.kernels.spaces import objects_of

STRINGS = objects_of(
    "strings", lambda item: isinstance(item, str), '["gattaca", "tacat"]'
)

START, STOP = "⟨", "⟩"
"""The marks before and after a string whose ends count."""

MANY_WORDS = 10**6
"""An explicit feature map lists no more words than this."""


@dataclass(frozen=True, repr=False)
class Spectrum(Counting):
    """Σ_u #_u(s) #_u(t) over the words u of length p, or p to q: common substrings.

    The p-spectrum kernel of Leslie, Eskin & Noble (2002). A string shorter than p has
    no substring of length p, so k(s, s) = 0. With `ends`, s is read as ⟨s⟩, so that
    a word knows whether it begins or ends the string. Building costs O(q²·Σ|s|).

    Parameters
    ----------
    p : length of the words, an integer ≥ 1.
    longest : q ≥ p; words of all lengths p, …, q then count. By default p.
    alphabet : the characters that may occur, optional; `features` needs it.
    ends : whether the two ends of a string are marked, by a character each.

    Examples
    --------
    >>> Spectrum(p=2)(["abab", "baba", "b"])
    array([[5., 4., 0.],
           [4., 5., 0.],
           [0., 0., 0.]])
    >>> Spectrum(p=2, alphabet="ab").features()(["abab"])  # aa, ab, ba, bb
    array([[0., 2., 1., 0.]])
    >>> Spectrum(1, 3)(["abc", "abd"])  # a, b, ab in common
    array([[6., 3.],
           [3., 6.]])
    >>> Spectrum(2, ends=True)(["no", "on"])  # ⟨n, no, o⟩ and ⟨o, on, n⟩
    array([[3., 0.],
           [0., 3.]])
    """

    p: int = 3
    longest: int | None = None
    alphabet: str | None = None
    ends: bool = False
    point_space = STRINGS

    def __post_init__(self) -> None:
        set_lengths(self)
        if self.alphabet is not None:
            check_alphabet(self.alphabet)
        if not isinstance(self.ends, bool | np.bool_):
            raise InputError(f"ends must be True or False, got {self.ends!r}")
        object.__setattr__(self, "ends", bool(self.ends))

    def _count(self, items: tuple[Any, ...]) -> csr_array[np.float64]:
        return tally(map(self._words_in, items))[0]

    def _words_in(self, s: str) -> Iterator[str]:
        """Yield the substrings that count, checked."""
        if self.alphabet is not None:
            check_letters((s,), self.alphabet, self)
        if self.ends:
            s = _marked(s)
        return substrings(s, self.p, self.longest or self.p)

    def format_source(self) -> Text:
        if self.ends:
            return super().format_source()
        return super().format_source()[0].replace(", ends=False", ""), ATOM

    def format_latex(self, x: str, z: str) -> Text:
        lengths = length_range(self.p, self.longest)
        if self.ends:
            x, z = rf"\langle {x} \rangle", rf"\langle {z} \rangle"
        return rf"\sum_{{{lengths}}} \#_u({x}) \, \#_u({z})", SUM

    def build_features(self) -> FeatureMap:
        if self.alphabet is None:
            example = repr(replace(self, alphabet="ACGT"))
            raise NoFeatureMap(
                f"{self!r} has one feature for every word of {self.p} characters; to "
                f"list them name the characters that may occur, for example {example}"
            )
        words = self._all_words(self.alphabet)
        column = {word: j for j, word in enumerate(words)}

        def rows(points: Points) -> Array:
            strings = self._items(points)
            table = np.zeros((len(strings), len(words)))
            for row, s in zip(table, strings, strict=True):
                np.add.at(row, [column[u] for u in self._words_in(s)], 1.0)
            return table

        return FeatureMap(rows, lambda d: [(1.0, (word,)) for word in words])

    def _all_words(self, alphabet: str) -> list[str]:
        """Return every word that ⟨s⟩, or s, can contain."""
        a, q = len(alphabet), self.longest or self.p
        lengths = range(self.p, q + 1)
        named = f"of length {self.p}" + (f" to {q}" if q > self.p else "")
        require_few_words(sum(a**n for n in lengths), named)
        return [word for n in lengths for word in _words(alphabet, n, self.ends)]


# --- words --------------------------------------------------------------------------


def set_lengths(kernel: Any) -> None:
    """Check the lengths p and `longest` of a frozen kernel; equal ones are one."""
    p = whole(kernel.p, "the length p", 1)
    object.__setattr__(kernel, "p", p)
    if kernel.longest is None:
        return
    longest = whole(kernel.longest, "longest, the largest length,", p)
    object.__setattr__(kernel, "longest", longest if longest > p else None)


def length_range(p: int, longest: int | None) -> str:
    """Return the lengths of the words u as a formula."""
    return rf"|u| = {p}" if longest is None else rf"{p} \le |u| \le {longest}"


def substrings(s: str, p: int, q: int) -> Iterator[str]:
    """Yield the substrings of lengths p, …, q, as often as they occur."""
    return (s[i : i + n] for n in range(p, q + 1) for i in range(len(s) - n + 1))


def _marked(s: str) -> str:
    if START in s or STOP in s:
        raise InputError(
            f"ends=True marks the ends of a string by {START} and {STOP}, which "
            f"{s!r} contains; replace them by other characters"
        )
    return START + s + STOP


def _words(alphabet: str, n: int, ends: bool) -> Iterator[str]:
    """Yield the words of length n, and with `ends` those that touch an end."""
    frames = [("", "")]
    if ends:
        frames += [(START, ""), ("", STOP)] + [(START, STOP)] * (n > 1)
    for first, last in frames:
        for letters in product(alphabet, repeat=n - len(first + last)):
            yield first + "".join(letters) + last


def require_few_words(count: int, which: str) -> None:
    if count > MANY_WORDS:
        raise NoFeatureMap(
            f"there are {count} words {which}, too many to list as features; use the "
            "kernel itself, k(X, Z)"
        )


def check_alphabet(alphabet: object) -> None:
    if not isinstance(alphabet, str) or not alphabet:
        raise InputError(
            'an alphabet is a string of characters such as "ACGT", '
            f"got {type(alphabet).__name__} {alphabet!r}"
        )
    if len(set(alphabet)) < len(alphabet):
        raise InputError(f"an alphabet lists each character once, got {alphabet!r}")


def check_letters(strings: tuple[str, ...], alphabet: str, kernel: object) -> None:
    for s in strings:
        foreign = set(s).difference(alphabet)
        if foreign:
            raise InputError(
                f"{kernel!r} takes strings over the alphabet {alphabet!r}; "
                f"{s!r} contains {min(foreign)!r}. Add it to the alphabet, or clean "
                "the strings first (upper case, for example)."
            )
