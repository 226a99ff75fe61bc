r"""
---
kind: code
title: Predict with a Gaussian process
points: 6
proofs: P-10, P-11
signature: def predict(K, L, v, y, m, s2):
---

Write `predict(K, L, v, y, m, s2)` for a process with constant mean $m$ (a number) and
noise of variance $\sigma^2$ (`s2`). It is given the Gram matrix $K$ of $n$ training
points, the $n'\times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training
points, the numbers $v_i = k(z_i, z_i)$, and the observations $y$. Return two arrays of
length $n'$:

- the means of the new observations, given $y$;
- their variances. (Of the *observations*, noise included.)

Solve with a Cholesky factor of $K + \sigma^2 I$ rather than with an inverse: it is
faster, and more exact.

```hints
Subtract the mean from $y$, predict with mean zero, and add the mean again.

With $C = K + \sigma^2 I = GG^\top$: the mean is $m + L C^{-1}(y - m)$, and the variance
$v_i + \sigma^2 - \|G^{-1} L_i^\top\|^2$.

`scipy.linalg.cho_factor` and `cho_solve`, or `np.linalg.cholesky` and
`scipy.linalg.solve_triangular`.
```

```reference cho_factor
import numpy as np
from scipy.linalg import cho_factor, cho_solve


def predict(K, L, v, y, m, s2):
    C = cho_factor(K + s2 * np.eye(len(y)))
    mean = m + L @ cho_solve(C, y - m)
    explained = np.sum(L * cho_solve(C, L.T).T, axis=1)
    return mean, v + s2 - explained
```

```reference triangular systems
import numpy as np
from scipy.linalg import solve_triangular


def predict(K, L, v, y, m, s2):
    G = np.linalg.cholesky(K + s2 * np.eye(len(y)))
    A = solve_triangular(G, L.T, lower=True)
    b = solve_triangular(G, y - m, lower=True)
    return m + A.T @ b, v + s2 - (A**2).sum(axis=0)
```

```reference solve, and a loop
import numpy as np


def predict(K, L, v, y, m, s2):
    n = len(y)
    C = np.array(K, dtype=float)
    C[np.diag_indices(n)] += s2
    W = np.linalg.solve(C, L.T)
    means, variances = [], []
    for i in range(len(L)):
        means.append(m + W[:, i] @ (y - m))
        variances.append(v[i] + s2 - L[i] @ W[:, i])
    return np.array(means), np.array(variances)
```

```mistake at_most=0 says="regular: 0 of 8"
# 1/σ², as printed
import numpy as np

def predict(K, L, v, y, m, s2):
    C = K + np.eye(len(y)) / s2
    W = np.linalg.solve(C, L.T)
    return m + W.T @ (y - m), v + s2 - (L * W.T).sum(axis=1)
```

```mistake at_most=0 says="value 1 of 2"
# the mean of the process is forgotten
import numpy as np

def predict(K, L, v, y, m, s2):
    C = K + s2 * np.eye(len(y))
    W = np.linalg.solve(C, L.T)
    return W.T @ y, v + s2 - (L * W.T).sum(axis=1)
```

```mistake at_most=0 says="value 2 of 2"
# the variance of the value, not of an observation
import numpy as np

def predict(K, L, v, y, m, s2):
    C = K + s2 * np.eye(len(y))
    W = np.linalg.solve(C, L.T)
    return m + W.T @ (y - m), v - (L * W.T).sum(axis=1)
```

```mistake at_most=0 says="an array of shape"
# a matrix for the variances, with noise everywhere
import numpy as np

def predict(K, L, v, y, m, s2):
    C = K + s2 * np.eye(len(y))
    W = np.linalg.solve(C, L.T)
    return m + W.T @ (y - m), np.diag(v) + s2 - L @ W
```

```mistake at_most=0 says="cases right"
# σ² added to every entry: the same noise for all observations
import numpy as np

def predict(K, L, v, y, m, s2):
    C = K + s2
    W = np.linalg.lstsq(C, L.T, rcond=None)[0]
    return m + W.T @ (y - m), v + s2 - (L * W.T).sum(axis=1)
```
"""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def predict(
    K: np.ndarray, L: np.ndarray, v: np.ndarray, y: np.ndarray, m: float, s2: float
) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `predict-a-process`, by Cholesky factors."""
    factor = cho_factor(K + s2 * np.eye(len(y)), lower=True)
    mean = m + L @ cho_solve(factor, y - m)
    return mean, v + s2 - np.sum(L * cho_solve(factor, L.T).T, axis=1)


def _gram(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """(1 + x⊤z/4)², a kernel with short decimals."""
    return (1 + X @ Z.T / 4) ** 2


def observations(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Points with small integers, new points, level and noise."""
    X = rng.integers(-2, 3, size=(size, 2)).astype(float)
    Z = rng.integers(-2, 3, size=(size // 2 + 1, 2)).astype(float)
    y = rng.integers(-4, 5, size=size).astype(float)
    level = float(rng.integers(1, 4))
    noise = float(rng.choice([0.25, 0.5, 2.0]))
    return _gram(X, X), _gram(Z, X), np.diag(_gram(Z, Z)).copy(), y, level, noise


def many_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More points than features, and little noise: K is singular."""
    K, L, v, y, level, _ = observations(rng, 20 + size)
    return K, L, v, y, level, 0.01


def far_away(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """New points that are uncorrelated with all others: the prior comes back."""
    K, L, v, y, level, noise = observations(rng, size)
    return K, np.zeros_like(L), v, y, level, noise


def one_observation(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A single observation, a single new point."""
    K, L, v, y, level, noise = observations(rng, size)
    return K[:1, :1], L[:1, :1], v[:1], y[:1], level, noise


QUESTION = question(
    __file__,
    __doc__,
    reference=predict,
    inputs=observations,
    edge_cases=(
        Cases("singular K, little noise", many_points, count=2),
        Cases("far away", far_away, count=2),
        Cases("one observation", one_observation, count=2),
    ),
    rtol=1e-6,
)
