r"""
---
kind: code
title: Ridge regression, a block at a time
points: 7
proofs: P-23
signature: def ridge_in_blocks(X, t, Z, sigma, lam, size):
---

The features of a point are its kernel values with $r$ landmarks, $\varphi_j(x) =
\exp(-\|x - z_j\|^2/(2\sigma^2))$. Ridge regression with them minimises
$J(w) = \|t - \Phi w\|^2 + \lambda\|w\|^2$, and the solution is
$w = (\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top t$. Both $\Phi^\top\Phi$ and
$\Phi^\top t$ are sums over the points: one can look at the rows of $\Phi$ a block at a
time, and forget them.

Write `ridge_in_blocks(X, t, Z, sigma, lam, size)`: points as the rows of `X`
($n \times d$), targets `t`, landmarks as the rows of `Z` ($r \times d$), and the number
of rows in a block; the last block may be shorter. Return

- $w$, an array of $r$ numbers;
- the least value $J(w)$, computed **without a second pass** over the points: it is
  $t^\top t - w^\top\Phi^\top t$.

One of the inputs has 500 000 points and 60 landmarks, and your program has 512 MiB of
memory here. There is no room for $\Phi$ and what is needed to compute it, but for a
block there is.

```hints
`for start in range(0, len(X), size):` and then `X[start:start + size]`: a slice that
goes beyond the end is simply shorter.

Begin with an $r \times r$ matrix and a vector of zeros, and add `F.T @ F` and
`F.T @ t_block` for each block. Where does $\lambda$ come in, and how often?

At the minimum $(\Phi^\top\Phi + \lambda I)w = \Phi^\top t$. Multiply $J(w)$ out and use
it: three of the four terms become one.
```

```reference slices
import numpy as np


def ridge_in_blocks(X, t, Z, sigma, lam, size):
    A = lam * np.eye(len(Z))
    b = np.zeros(len(Z))
    for start in range(0, len(X), size):
        block = X[start:start + size]
        squares = np.zeros((len(block), len(Z)))
        for c in range(X.shape[1]):
            squares += (block[:, [c]] - Z[:, c]) ** 2
        F = np.exp(-squares / (2 * sigma**2))
        A += F.T @ F
        b += F.T @ t[start:start + size]
    w = np.linalg.solve(A, b)
    return w, t @ t - w @ b
```

```reference sums that are added up
import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def ridge_in_blocks(X, t, Z, sigma, lam, size):
    def sums(X, t):
        F = np.exp(-cdist(X, Z, 'sqeuclidean') / (2 * sigma**2))
        return F.T @ F, F.T @ t, t @ t

    total = [0, 0, 0]
    at = 0
    while at < len(X):
        new = sums(X[at : at + size], t[at : at + size])
        total = [old + more for old, more in zip(total, new)]
        at += size
    A, b, tt = total
    w = cho_solve(cho_factor(A + lam * np.eye(len(Z))), b)
    return w, tt - b @ w
```

```mistake at_most=0.5 says="more memory than the 512 MiB"
# the whole of Φ at once
import numpy as np

def ridge_in_blocks(X, t, Z, sigma, lam, size):
    D = ((X[:, None] - Z[None]) ** 2).sum(axis=2)
    F = np.exp(-D / (2 * sigma**2))
    b = F.T @ t
    w = np.linalg.solve(F.T @ F + lam * np.eye(len(Z)), b)
    return w, t @ t - b @ w
```

```mistake at_most=0 says="regular: 0 of 8"
# λ once for each block
import numpy as np

def ridge_in_blocks(X, t, Z, sigma, lam, size):
    A = np.zeros((len(Z), len(Z)))
    b = np.zeros(len(Z))
    for s in range(0, len(X), size):
        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)
        F = np.exp(-D / (2 * sigma**2))
        A += F.T @ F + lam * np.eye(len(Z))
        b += F.T @ t[s:s + size]
    w = np.linalg.solve(A, b)
    return w, t @ t - b @ w
```

```mistake at_most=0.5 says="one block: 0 of 2"
# the last block is left out if it is not full
import numpy as np

def ridge_in_blocks(X, t, Z, sigma, lam, size):
    A = lam * np.eye(len(Z))
    b = np.zeros(len(Z))
    for i in range(len(X) // size):
        rows = slice(i * size, (i + 1) * size)
        D = ((X[rows, None] - Z[None]) ** 2).sum(axis=2)
        F = np.exp(-D / (2 * sigma**2))
        A += F.T @ F
        b += F.T @ t[rows]
    w = np.linalg.solve(A, b)
    return w, t @ t - b @ w
```

```mistake at_most=0 says="value 1 of 2"
# a solution for each block, and their mean
import numpy as np

def ridge_in_blocks(X, t, Z, sigma, lam, size):
    ws = []
    for s in range(0, len(X), size):
        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)
        F = np.exp(-D / (2 * sigma**2))
        A = F.T @ F + lam * np.eye(len(Z))
        ws.append(np.linalg.solve(A, F.T @ t[s:s + size]))
    w = np.mean(ws, axis=0)
    return w, 0.0
```

```mistake at_most=0 says="value 2 of 2"
# λ twice in the value: A holds it already
import numpy as np

def ridge_in_blocks(X, t, Z, sigma, lam, size):
    A = lam * np.eye(len(Z))
    b = np.zeros(len(Z))
    for s in range(0, len(X), size):
        D = ((X[s:s + size, None] - Z[None]) ** 2).sum(axis=2)
        F = np.exp(-D / (2 * sigma**2))
        A += F.T @ F
        b += F.T @ t[s:s + size]
    w = np.linalg.solve(A, b)
    return w, t @ t - 2 * b @ w + w @ A @ w + lam * w @ w
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.grading.sandbox import Limits


def ridge_in_blocks(X: np.ndarray, t: np.ndarray, Z: np.ndarray, sigma: float,
                    lam: float, size: int) -> tuple[np.ndarray, float]:  # fmt: skip
    """The reference of `code-streaming-ridge`."""
    A, b = lam * np.eye(len(Z)), np.zeros(len(Z))
    for start in range(0, len(X), size):
        block = X[start : start + size]
        squares = sum((block[:, [c]] - Z[:, c]) ** 2 for c in range(Z.shape[1]))
        F = np.exp(-squares / (2 * sigma**2))
        A += F.T @ F
        b += F.T @ t[start : start + size]
    w = np.linalg.solve(A, b)
    return w, t @ t - b @ w


def streamed(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points, in blocks that fit."""
    X = rng.integers(-2, 3, size=(3 * size, 2)).astype(float)
    Z = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    return X, rng.integers(-3, 4, size=3 * size).astype(float), Z, 1.0, 0.5, size


def ragged(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A last block that is shorter than the others."""
    X, t, Z, sigma, lam, _ = streamed(rng, size)
    return X, t, Z, sigma, lam, 2 * size - 1


def one_block(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A block that is larger than all of the data."""
    X, t, Z, sigma, lam, _ = streamed(rng, size)
    return X, t, Z, sigma, lam, 1000


def same_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A landmark twice: ΦᵀΦ is singular, ΦᵀΦ + λI is not."""
    X, t, Z, sigma, lam, block = streamed(rng, size)
    return X, t, Z[[0, 1, 0]], sigma, lam, block


def half_a_million(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Half a million points, 60 landmarks: Φ would take 240 MB, and 480 to make."""
    X = rng.uniform(0, 10, size=(500_000, 1))
    t = np.sin(X[:, 0]) + 0.1 * rng.normal(size=len(X))
    return X, t, np.linspace(0, 10, 60)[:, None], 0.3, 1000.0, 10_000


QUESTION = question(
    __file__,
    __doc__,
    reference=ridge_in_blocks,
    inputs=streamed,
    edge_cases=(
        Cases("a shorter last block", ragged),
        Cases("one block", one_block, count=2, weight=0.5),
        Cases("a landmark twice", same_landmark, count=2, weight=0.5),
        Cases("500 000 points", half_a_million, count=1),
    ),
    rtol=1e-6,
    limits=Limits(memory=512 << 20),
)
