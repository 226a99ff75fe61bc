"""The string subsequence kernel: its recursion, beside the loops that define it.

No library that a user would pick has it, so the peer is the recursion of
`kernellab.loops.subsequences` in Python, one letter after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.harness import Case, Check, Contest, without_numba
from kernellab import kernels as kl
from kernellab.loops.subsequences import common_words

GROUP = "strings"
LETTERS, P, DECAY = "ACGT", 3, 0.5


def cases(quick: bool) -> Iterator[Case]:
    """Few strings, for the sake of the peer."""
    n, length = (6, 30) if quick else (12, 60)
    for name, plain in (("subsequences", False), ("subsequences, no Numba", True)):
        yield Case(
            GROUP,
            name,
            f"{n} strings of {length} letters",
            "Python loop",
            partial(gram, n, length, plain),
            target=0.1,
            needs=None if plain else "numba",
        )


def gram(n: int, length: int, plain: bool) -> Contest:
    """All pairs of some random strings."""
    rng = np.random.default_rng(0)
    text = rng.integers(0, len(LETTERS), (n, length))
    words = ["".join(LETTERS[k] for k in row) for row in text]
    kernel = kl.Subsequence(p=P, decay=DECAY)
    codes = text.tolist()

    def loops() -> np.ndarray:
        K = np.zeros((n, n))
        for i in range(n):
            for j in range(i, n):
                K[i, j] = K[j, i] = common_words(codes[i], codes[j], P, DECAY)
        return K

    def same(K: np.ndarray, L: np.ndarray) -> list[Check]:
        return [Check("relative difference", float(np.abs(K / L - 1).max()), 1e-10)]

    ours = without_numba(lambda: kernel(words)) if plain else lambda: kernel(words)
    return Contest(ours, loops, same)
