r"""
---
kind: code
title: Random features of the Laplacian kernel
points: 6
proofs: P-23
signature: def random_features(X, U, sigma):
---

By Bochner's theorem, $k(x, x') = \mathbb{E}\cos(\omega^\top(x - x'))$ for random
frequencies $\omega$. For the Laplacian kernel $\exp(-\sum_c |x_c - x'_c|/\sigma)$ the
coordinates of $\omega$ are independent with the *Cauchy* density
$\frac1\pi \frac{\sigma}{1 + \sigma^2\omega_c^2}$.

Write `random_features(X, U, sigma)`. It is given $n$ points (rows of `X`) and an
$m \times d$ array `U` of independent uniform random numbers between 0 and 1.

1. Turn each row of `U` into a frequency: put every entry into the inverse of the
   distribution function of its coordinate, so that larger $u$ gives larger $\omega_c$,
   and $u = \frac12$ gives 0.
2. Compute the $n \times 2m$ features $\hat\varphi(x) = \frac{1}{\sqrt m}
   \bigl(\cos\omega_1^\top x, \dots, \cos\omega_m^\top x, \sin\omega_1^\top x, \dots,
   \sin\omega_m^\top x\bigr)$.

Return this array, and the largest error $\max_{ij} |\hat\varphi(x_i)^\top
\hat\varphi(x_j) - k(x_i, x_j)|$.

```hints
The distribution function is $\frac12 + \frac1\pi\arctan(\sigma\omega)$. Solve it for
$\omega$.

`np.tan(np.pi * (U - 0.5)) / sigma` does it for all entries. All angles
$\omega_j^\top x_i$ together are one matrix product.

The kernel sums absolute values: `np.abs(X[:, None] - X[None]).sum(axis=2)`.
```

```reference tan
import numpy as np


def random_features(X, U, sigma):
    W = np.tan(np.pi * (U - 0.5)) / sigma
    angles = X @ W.T
    F = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(len(W))
    distances = np.abs(X[:, None] - X[None]).sum(axis=2)
    K = np.exp(-distances / sigma)
    return F, np.max(np.abs(F @ F.T - K))
```

```reference a cotangent, and cdist
import numpy as np
from scipy.spatial.distance import cdist


def random_features(X, U, sigma):
    W = -np.cos(np.pi * U) / np.sin(np.pi * U) / sigma
    m = W.shape[0]
    F = np.empty((len(X), 2 * m))
    F[:, :m] = np.cos(X @ W.T)
    F[:, m:] = np.sin(X @ W.T)
    F /= m**0.5
    K = np.exp(-cdist(X, X, 'cityblock') / sigma)
    return F, abs(F @ F.T - K).max()
```

```reference complex waves
import numpy as np


def random_features(X, U, sigma):
    waves = np.exp(1j * X @ (-1 / np.tan(np.pi * U) / sigma).T)
    estimate = (waves @ waves.conj().T).real / len(U)
    F = np.concatenate([waves.real, waves.imag], axis=1) / len(U) ** 0.5
    worst = 0.0
    for i in range(len(X)):
        for j in range(len(X)):
            k = np.exp(-np.sum(np.abs(X[i] - X[j])) / sigma)
            worst = max(worst, abs(estimate[i, j] - k))
    return F, worst
```

```mistake at_most=0 says="value 1 of 2"
# Gaussian frequencies, which belong to the Gaussian kernel
import numpy as np
from scipy.special import ndtri

def random_features(X, U, sigma):
    W = ndtri(U) / sigma
    A = X @ W.T
    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))
    D = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()
```

```mistake at_most=0 says="value 1 of 2"
# a wide kernel has low frequencies: divide
import numpy as np

def random_features(X, U, sigma):
    W = np.tan(np.pi * (U - 0.5)) * sigma
    A = X @ W.T
    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))
    D = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()
```

```mistake at_most=0 says="value 1 of 2"
# divided by the number of columns, where it is that of frequencies
import numpy as np

def random_features(X, U, sigma):
    W = np.tan(np.pi * (U - 0.5)) / sigma
    A = X @ W.T
    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(2 * len(W))
    D = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()
```

```mistake at_most=0 says="value 2 of 2"
# the exponential kernel of the Euclidean distance
import numpy as np

def random_features(X, U, sigma):
    W = np.tan(np.pi * (U - 0.5)) / sigma
    A = X @ W.T
    F = np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(len(W))
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()
```

```mistake at_most=0 says="an array of shape"
# cosines alone: cos a cos b is not cos(a - b)
import numpy as np

def random_features(X, U, sigma):
    W = np.tan(np.pi * (U - 0.5)) / sigma
    A = X @ W.T
    F = np.cos(A) / np.sqrt(len(W))
    D = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-D / sigma)).max()
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def random_features(
    X: np.ndarray, U: np.ndarray, sigma: float
) -> tuple[np.ndarray, float]:
    """The reference of `code-random-features`."""
    W = np.tan(np.pi * (U - 0.5)) / sigma
    angles = X @ W.T
    F = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(len(W))
    distances = np.abs(X[:, None] - X[None]).sum(axis=2)
    return F, np.abs(F @ F.T - np.exp(-distances / sigma)).max()


def points_and_uniforms(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points, a few frequencies."""
    X = rng.integers(-2, 3, size=(size, 2)).astype(float)
    return X, rng.uniform(0.05, 0.95, size=(3, 2)).round(2), 2.0


def one_frequency(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One random frequency, and the middle of the distribution."""
    X = rng.integers(-2, 3, size=(size, 1)).astype(float)
    return X, np.array([[rng.choice([0.25, 0.5, 0.75])]]), 0.5


def many_frequencies(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Enough of them for a small error."""
    X = rng.normal(size=(size + 3, 3)).round(2)
    return X, rng.uniform(0.01, 0.99, size=(2000, 3)), 3.0


QUESTION = question(
    __file__,
    __doc__,
    reference=random_features,
    inputs=points_and_uniforms,
    edge_cases=(
        Cases("one frequency, on the line", one_frequency),
        Cases("2000 frequencies", many_frequencies, count=2),
    ),
    rtol=1e-6,
)
