r"""
---
kind: code
title: Centre a Gram matrix, and new points with it
points: 6
proofs: P-64
signature: def centre(K, L):
---

Write `centre(K, L)`. It is given the Gram matrix $K_{ij} = k(x_i, x_j)$ of $n$ training
points and the $m \times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training
points. It returns two matrices:

- the inner products $\langle \varphi(x_i) - \bar\varphi,\ \varphi(x_j) -
  \bar\varphi\rangle$ of the centred training points;
- the inner products $\langle \varphi(z_i) - \bar\varphi,\ \varphi(x_j) -
  \bar\varphi\rangle$ of the new points with them,

with the mean $\bar\varphi = \frac1n \sum_i \varphi(x_i)$ of the *training* points in
both.

```hints
Expand $\langle \varphi(z) - \bar\varphi,\ \varphi(x_j) - \bar\varphi\rangle$: four
terms. Which of them are means of rows or columns of $K$ or $L$?

$\langle \bar\varphi, \varphi(x_j)\rangle$ is the mean of column $j$ of $K$,
$\langle \varphi(z_i), \bar\varphi\rangle$ the mean of row $i$ of $L$, and
$\langle \bar\varphi, \bar\varphi\rangle$ the mean of $K$.

A test: if the new points are the training points, both results agree.
```

```reference means
import numpy as np


def centre(K, L):
    columns = K.mean(axis=0)
    mean = K.mean()
    G = K - columns - columns[:, None] + mean
    F = L - columns - L.mean(axis=1, keepdims=True) + mean
    return G, F
```

```reference the matrix H
import numpy as np


def centre(K, L):
    n = len(K)
    H = np.eye(n) - np.ones((n, n)) / n
    J = np.ones((len(L), n)) / n
    return H @ K @ H, (L - J @ K) @ H
```

```reference loops
import numpy as np


def centre(K, L):
    n, m = len(K), len(L)
    G, F = np.zeros((n, n)), np.zeros((m, n))
    for j in range(n):
        for i in range(n):
            G[i, j] = K[i, j] - K[i].mean() - K[j].mean() + K.mean()
        for i in range(m):
            F[i, j] = L[i, j] - L[i].mean() - K[j].mean() + K.mean()
    return G, F
```

```mistake at_most=0 says="0 of 8"
# centres one side only
import numpy as np

def centre(K, L):
    return K - K.mean(axis=0), L - L.mean(axis=0)
```

```mistake at_most=0 says="for `K ="
# subtracts one number
import numpy as np

def centre(K, L):
    return K - K.mean(), L - K.mean()
```

```mistake at_most=0.5 says="the training points again: 2 of 2"
# centres the new points with their own mean
import numpy as np

def centre(K, L):
    def both(A):
        return (A - A.mean(axis=0) - A.mean(axis=1, keepdims=True)
                + A.mean())
    return both(K), both(L)
```

```mistake at_most=0.5 says="cases right"
# the new points are not centred themselves
import numpy as np

def centre(K, L):
    n = len(K)
    H = np.eye(n) - np.ones((n, n)) / n
    return H @ K @ H, L @ H
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def centre(K: np.ndarray, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `centre-gram`, with the matrix H."""
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H, (L - K.mean(axis=0)) @ H


def gram_matrices(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """K and L of small integer features, with one new point more than half."""
    X = rng.integers(-2, 4, size=(size, 2)).astype(float)
    Z = rng.integers(-2, 4, size=(size // 2 + 1, 2)).astype(float)
    return X @ X.T, Z @ X.T


def training_again(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """The training points as new points."""
    K, _ = gram_matrices(rng, size)
    return K, K.copy()


def one_new_point(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A single new point: its own mean says nothing."""
    K, L = gram_matrices(rng, size)
    return K, L[:1]


QUESTION = question(
    __file__,
    __doc__,
    reference=centre,
    inputs=gram_matrices,
    edge_cases=(
        Cases("the training points again", training_again, count=2),
        Cases("one new point", one_new_point, count=2),
    ),
)
