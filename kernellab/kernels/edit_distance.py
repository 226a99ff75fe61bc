"""The edit distance of two strings: a fine similarity, and not a kernel."""

from __future__ import annotations


def edit_distance(s: str, t: str) -> int:
    """Return the least number of insertions, deletions and replacements from s to t.

    The Levenshtein distance, D(|s|, |t|) of

        D(i, j) = min(D(i−1, j) + 1, D(i, j−1) + 1, D(i−1, j−1) + 1[s_i ≠ t_j]).

    Neighbours in this table differ by −1, 0 or 1, so that a whole column fits into
    the bits of two integers, `up` and `down` (Myers 1999; Hyyrö 2003): |t| steps, each
    with a few operations on integers of |s| bits.

    exp(−edit_distance/ℓ) looks like a kernel, and five words are enough to refute it.

    Examples
    --------
    >>> edit_distance("kernel", "colonel")
    4
    >>> import math
    >>> from kernellab import kernels as kl
    >>> def similarity(s, t):
    ...     return math.exp(-edit_distance(s, t) / 5)
    >>> words = ["ab", "ba", "a", "aba", "bab"]  # ab and ba are one step from the rest
    >>> kl.FromFunction(similarity, domain=kl.FiniteSet(words)).verdict()
    REFUTED
    """
    given: tuple[object, object] = s, t
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"edit_distance takes two strings, got {word!r}")
    if not s:
        return len(t)
    where: dict[str, int] = {}
    for i, letter in enumerate(s):
        where[letter] = where.get(letter, 0) | 1 << i
    every, last, distance = (1 << len(s)) - 1, 1 << (len(s) - 1), len(s)
    up, down = every, 0  # D(i, j) − D(i−1, j) is 1, or −1, where the bit i is set
    for letter in t:
        same = where.get(letter, 0)
        flat = (((same & up) + up) ^ up) | same | down
        more, less = down | ~(flat | up) & every, up & flat
        distance += bool(more & last) - bool(less & last)
        more = more << 1 | 1
        up = (less << 1 | ~(flat | more)) & every
        down = more & flat & every
    return distance
