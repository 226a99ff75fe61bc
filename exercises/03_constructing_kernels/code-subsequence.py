r"""
---
kind: code
title: A sum over exponentially many features
points: 7
proofs: own
signature: def subsequence(s, t, p, decay):
---

A word of 60 letters has $\binom{60}{8} \approx 2.6 \cdot 10^9$ subsequences of 8
letters. Nobody can list these features, and yet their inner product is computed in
a moment. Write `subsequence(s, t, p, decay)`, which returns

$$
k(s, t) = \sum_{|u| = p} \Bigl( \sum_{i \,:\, s[i] = u} \lambda^{l(i)} \Bigr)
  \Bigl( \sum_{j \,:\, t[j] = u} \lambda^{l(j)} \Bigr) ,
\qquad l(i) = i_p - i_1 + 1 ,
$$

for two strings, an integer $p \ge 1$ and $\lambda$ = `decay` with $0 < \lambda \le 1$.
Here $i_1 < \dots < i_p$ are places in $s$ at which the letters of $u$ stand; there may
be others between them. A word with fewer than $p$ letters has no such places.

```hints
To list all places with `itertools.combinations` is right, and too slow for long words.
It is good for checking what you write next.

Let $M_q(i, j)$ be the part of the sum, for subsequences of $q$ letters, whose last
letters are exactly $s_i$ and $t_j$. It is zero unless $s_i = t_j$, and
$M_1(i, j) = \lambda^2$ if they are equal.

One letter more: $M_q(i, j) = \lambda^2 S(i-1, j-1)$ if $s_i = t_j$, where
$S(i, j) = \sum_{i' \le i,\, j' \le j} \lambda^{(i - i') + (j - j')} M_{q-1}(i', j')$
obeys $S(i, j) = M_{q-1}(i, j) + \lambda S(i-1, j) + \lambda S(i, j-1) - \lambda^2
S(i-1, j-1)$. In the end, add up $M_p$.
```

```reference a table per letter
import numpy as np


def subsequence(s, t, p, decay):
    equal = np.array([[a == b for b in t] for a in s], dtype=float)
    equal = equal.reshape(len(s), len(t))
    M = decay**2 * equal
    for _ in range(p - 1):
        S = np.zeros((len(s) + 1, len(t) + 1))
        for i in range(len(s)):
            for j in range(len(t)):
                S[i + 1, j + 1] = (
                    M[i, j]
                    + decay * (S[i, j + 1] + S[i + 1, j])
                    - decay**2 * S[i, j]
                )
        M = decay**2 * equal * S[:-1, :-1]
    return M.sum()
```

```reference products with a matrix of powers
import numpy as np


def subsequence(s, t, p, decay):
    def powers(n):  # decay**(i - j) below the diagonal
        i = np.arange(n)
        gap = i[:, None] - i
        return np.where(gap > 0, decay ** np.maximum(gap, 0.0), 0.0)

    A, B = powers(len(s)), powers(len(t))
    equal = np.zeros((len(s), len(t)))
    for i, a in enumerate(s):
        for j, b in enumerate(t):
            equal[i, j] = a == b
    M = decay**2 * equal
    for _ in range(p - 1):
        M = equal * (A @ M @ B.T)
    return M.sum()
```

```reference a recursion with a memory
from functools import lru_cache


def subsequence(s, t, p, decay):
    @lru_cache(maxsize=None)
    def closed(q, m, n):  # pairs that end at letters m and n
        if s[m - 1] != t[n - 1]:
            return 0.0
        return decay**2 * (1.0 if q == 1 else opened(q - 1, m - 1, n - 1))

    @lru_cache(maxsize=None)
    def opened(q, m, n):
        if m < q or n < q:
            return 0.0
        return (
            closed(q, m, n)
            + decay * opened(q, m - 1, n)
            + decay * opened(q, m, n - 1)
            - decay**2 * opened(q, m - 1, n - 1)
        )

    total = 0.0
    for m in range(p, len(s) + 1):
        for n in range(p, len(t) + 1):
            total += closed(p, m, n)
    return total
```

```mistake at_most=0.5 says="long words: "
# lists all features
from itertools import combinations


def subsequence(s, t, p, decay):
    def features(word):
        found = {}
        for places in combinations(range(len(word)), p):
            u = "".join(word[i] for i in places)
            span = places[-1] - places[0] + 1
            found[u] = found.get(u, 0.0) + decay**span
        return found

    a, b = features(s), features(t)
    return sum(a[u] * b.get(u, 0.0) for u in a)
```

```mistake at_most=0 says="regular: "
# every letter costs the same, gaps cost nothing
import numpy as np


def subsequence(s, t, p, decay):
    equal = np.array([[float(a == b) for b in t] for a in s])
    M = decay**2 * equal
    for _ in range(p - 1):
        before = np.zeros_like(M)
        before[1:, 1:] = M.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
        M = decay**2 * equal * before
    return M.sum()
```

```mistake at_most=0 says="regular: "
# substrings, not subsequences
def subsequence(s, t, p, decay):
    total = 0.0
    for i in range(len(s) - p + 1):
        for j in range(len(t) - p + 1):
            total += decay ** (2 * p) * (s[i : i + p] == t[j : j + p])
    return total
```

```mistake at_most=0 says="regular: "
# the overlap is added twice: what S(i-1, j-1) takes off is forgotten
import numpy as np


def subsequence(s, t, p, decay):
    equal = np.array([[float(a == b) for b in t] for a in s])
    M = decay**2 * equal
    for _ in range(p - 1):
        S = np.zeros((len(s) + 1, len(t) + 1))
        for i in range(len(s)):
            for j in range(len(t)):
                S[i + 1, j + 1] = M[i, j] + decay * (S[i, j + 1] + S[i + 1, j])
        M = decay**2 * equal * S[:-1, :-1]
    return M.sum()
```

```mistake at_most=0 says="regular: "
# the last letters may stand at the same place as the ones before
import numpy as np


def subsequence(s, t, p, decay):
    equal = np.array([[float(a == b) for b in t] for a in s])
    M = decay**2 * equal
    for _ in range(p - 1):
        S = np.zeros((len(s) + 1, len(t) + 1))
        for i in range(len(s)):
            for j in range(len(t)):
                S[i + 1, j + 1] = (
                    M[i, j]
                    + decay * (S[i, j + 1] + S[i + 1, j])
                    - decay**2 * S[i, j]
                )
        M = decay**2 * equal * S[1:, 1:]
    return M.sum()
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Subsequence

Words = tuple[str, str, int, float]


def subsequence(s: str, t: str, p: int, decay: float) -> float:
    """The reference of `code-subsequence`, by the library."""
    return float(Subsequence(p=p, decay=decay)([s], [t])[0, 0])


def draw(
    rng: np.random.Generator, lengths: tuple[int, int], p: int, letters: str = "abc"
) -> Words:
    """Two random words over a few letters, and a decay with few digits."""
    s, t = ("".join(rng.choice(list(letters), size=n)) for n in lengths)
    return s, t, p, float(rng.choice([0.5, 0.75, 1.0]))


def short_words(rng: np.random.Generator, size: int) -> Words:
    """Words of three to ten letters, with p = 2 or p = 3."""
    return draw(rng, (size + 1, size + 2), 2 + size % 2)


def too_short(rng: np.random.Generator, size: int) -> Words:
    """One of the words has no subsequence of p letters."""
    return draw(rng, (size, size + 3), size + 1)


def single_letters(rng: np.random.Generator, size: int) -> Words:
    """p = 1: there are no gaps."""
    return draw(rng, (size + 2, size + 1), 1, "ab")


def long_words(rng: np.random.Generator, size: int) -> Words:
    """Sixty letters, of which eight are chosen."""
    s, t, p, _ = draw(rng, (60, 58 + size), 8, "acgt")
    return s, t, p, 0.9


QUESTION = question(
    __file__,
    __doc__,
    reference=subsequence,
    inputs=short_words,
    edge_cases=(
        Cases("one letter", single_letters, count=2),
        Cases("a word that is too short", too_short, count=2),
        Cases("long words", long_words, count=2),
    ),
)
