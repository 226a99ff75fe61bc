"""The recursion of the string subsequence kernel, over the places of two strings.

E_q(a, b) collects the common words of length q that end at places a and b:

    E_1(a, b) = λ² 1[s_a = t_b]
    E_q(a, b) = E_1(a, b) Σ_{a'<a} Σ_{b'<b} λ^(a−a'−1) λ^(b−b'−1) E_{q−1}(a', b')
    k(s, t)   = Σ_a Σ_b E_p(a, b)

Both inner sums are recurrences of first order: the one over a' is carried along in
`held`, the one over b' in `along`: y_b = λ y_{b−1} + x_{b−1}.

Legend: s, t strings of integers; p the length of the words; λ = decay.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.arrays import Array
from kernellab.loops.compiler import Loop, compiled

Integers = NDArray[np.int64]


# --- one number after the other -------------------------------------------------------


def common_words(s: Any, t: Any, p: int, decay: float) -> float:
    """Return k(s, t). O(p·|s|·|t|)."""
    held, along = np.zeros((len(t), p)), np.zeros(p)
    total = 0.0
    for a in range(len(s)):
        along[:] = 0.0
        for b in range(len(t)):
            match = decay * decay if s[a] == t[b] else 0.0
            if p > 1:
                total += match * along[p - 2]
            else:
                total += match
            for q in range(p - 2, -1, -1):
                ends = match * along[q - 1] if q > 0 else match
                along[q] = decay * along[q] + held[b, q]
                held[b, q] = decay * held[b, q] + ends
    return total


def pairs(text: Any, length: Any, i: Any, j: Any, p: int, decay: float) -> Any:
    """Return k(s_i, s_j) for many pairs; row i of `text` begins with the string s_i."""
    values = np.empty(len(i))
    for r in range(len(i)):
        s, t = text[i[r], : length[i[r]]], text[j[r], : length[j[r]]]
        values[r] = common_words(s, t, p, decay)
    return values


def compiled_pairs() -> Loop | None:
    """Return `pairs`, compiled; None without Numba."""
    return compiled(pairs, common_words)


# --- many pairs of strings at a time --------------------------------------------------


def vector_pairs(S: Integers, T: Integers, p: int, decay: float) -> Array:
    """Return k(S[r], T[r]) for every row r; what pads S must not occur in T."""
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
