r"""
---
kind: code
title: Dual ridge in code
points: 6
proofs: P-02
signature: def dual_ridge(K, t, lam):
---

Write `dual_ridge(K, t, lam)`. It gets a Gram matrix `K` of shape `(n, n)`, which may be
singular, targets `t` of shape `(n,)` and a number `lam > 0`, and returns the vector
$a = (K + \lambda I)^{-1} t$ of shape `(n,)`. Leave the arrays that you are given as
they are.

```hints
`lam * np.eye(n)` is $\lambda I$; `K + lam` adds it to *every* entry.

`np.linalg.solve(A, t)` solves $Aa = t$ without an inverse.
```

```reference solve
import numpy as np


def dual_ridge(K, t, lam):
    return np.linalg.solve(K + lam * np.eye(len(t)), t)
```

```reference Cholesky
import numpy as np


def dual_ridge(K, t, lam):
    A = K.copy()
    A[np.diag_indices_from(A)] += lam
    L = np.linalg.cholesky(A)
    return np.linalg.solve(L.T, np.linalg.solve(L, t))
```

```mistake at_most=0 says="regular: "
# λ on every entry
import numpy as np


def dual_ridge(K, t, lam):
    return np.linalg.solve(K + lam, t)
```

```mistake at_most=0
# the scale of a mean of squares
import numpy as np


def dual_ridge(K, t, lam):
    n = len(t)
    return np.linalg.solve(K + n * lam * np.eye(n), t)
```

```mistake at_most=0.5 says="singular K"
# the zero of the gradient, solved with its factor K
import numpy as np


def dual_ridge(K, t, lam):
    return np.linalg.solve(K @ K + lam * K, K @ t)
```

```mistake at_most=0 says=shape
# a column of shape (n, 1)
import numpy as np


def dual_ridge(K, t, lam):
    a = np.linalg.solve(K + lam * np.eye(len(t)), t)
    return a.reshape(-1, 1)
```

```mistake at_most=0.5 says="changes the arrays"
# λ is added to the K of the caller
import numpy as np


def dual_ridge(K, t, lam):
    K[np.diag_indices_from(K)] += lam
    return np.linalg.solve(K, t)
```

```mistake at_most=0
# half of it, from a J whose cross term occurs once
import numpy as np


def dual_ridge(K, t, lam):
    return 0.5 * np.linalg.solve(K + lam * np.eye(len(t)), t)
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def gram(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, float]:
    """A small Gram matrix of integers, targets, and λ."""
    Phi = rng.integers(-2, 3, (size, size + 1)).astype(float)
    return _task(rng, Phi @ Phi.T)


def singular(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """More points than features."""
    Phi = rng.integers(1, 4, (size, max(size // 2, 1))).astype(float)
    return _task(rng, Phi @ Phi.T)


def scaled(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Large and small units: K, t and λ far from 1."""
    K, t, lam = singular(rng, size)
    unit = 1e4 if size % 2 else 1e-4
    return unit**2 * K, unit * t, unit**2 * lam


def _task(
    rng: np.random.Generator, K: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    t = rng.integers(1, 10, len(K)) * rng.choice([-1.0, 1.0], len(K))
    return K, t, float(rng.choice([0.25, 0.5, 2.0]))


def solve_ridge(K: np.ndarray, t: np.ndarray, lam: float) -> np.ndarray:
    """The coefficients, by the eigenvectors of K."""
    mu, U = np.linalg.eigh(K)
    return U @ ((U.T @ t) / (np.maximum(mu, 0) + lam))


EDGES = (
    Cases("singular K", singular),
    Cases("one point", gram, count=1, smallest=1),
    Cases("other units", scaled, count=2, smallest=4),
)


QUESTION = question(
    __file__,
    __doc__,
    reference=solve_ridge,
    inputs=gram,
    edge_cases=EDGES,
    keep_arrays=True,
)
