r"""
---
kind: code
title: Leave-one-out without refitting
points: 8
proofs: P-02
signature: def loo_residuals(K, t, lam):
---

Write `loo_residuals(K, t, lam)`, which returns the vector of the leave-one-out
residuals $t_i - f_{-i}(x_i)$ of kernel ridge regression, where $f_{-i}$ is fitted
without point $i$ (and with the same $\lambda$). Use the closed form of the chapter,
with one factorisation or inverse, instead of $n$ fits. `K` may be singular, and there
may be a single point: without it, the prediction is 0.

```hints
$t_i - f_{-i}(x_i) = (t_i - f(x_i)) / (1 - H_{ii})$ with $H = K(K + \lambda I)^{-1}$.

Both $t - Ht$ and $1 - H_{ii}$ are $\lambda$ times something that $(K + \lambda I)^{-1}$
knows: the quotient is $a_i / [(K + \lambda I)^{-1}]_{ii}$.
```

```reference from the inverse
import numpy as np


def loo_residuals(K, t, lam):
    inverse = np.linalg.inv(K + lam * np.eye(len(t)))
    return inverse @ t / np.diag(inverse)
```

```reference from the hat matrix
import numpy as np


def loo_residuals(K, t, lam):
    H = np.linalg.solve(K + lam * np.eye(len(t)), K).T
    return (t - H @ t) / (1 - np.diag(H))
```

```reference from the eigenvectors
import numpy as np


def loo_residuals(K, t, lam):
    mu, U = np.linalg.eigh(K)
    a = U @ ((U.T @ t) / (mu + lam))
    return a / (U**2 @ (1 / (mu + lam)))
```

```mistake at_most=0
# the residuals of the fit on all points
import numpy as np


def loo_residuals(K, t, lam):
    a = np.linalg.solve(K + lam * np.eye(len(t)), t)
    return t - K @ a
```

```mistake at_most=0
# two forms mixed: off by the factor λ
import numpy as np


def loo_residuals(K, t, lam):
    inverse = np.linalg.inv(K + lam * np.eye(len(t)))
    return (t - K @ inverse @ t) / np.diag(inverse)
```

```mistake at_most=0
# the mean of the diagonal: generalised cross-validation
import numpy as np


def loo_residuals(K, t, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(t)))
    return (t - H @ t) / (1 - np.trace(H) / len(t))
```

```mistake at_most=0.5 says="singular K"
# inverts K
import numpy as np


def loo_residuals(K, t, lam):
    inverse = np.linalg.inv(K)
    A = np.linalg.inv(np.eye(len(t)) + lam * inverse)
    return (t - A @ t) / (1 - np.diag(A))
```

```mistake at_most=0
# n fits, and λ on every entry
import numpy as np


def loo_residuals(K, t, lam):
    out = []
    for i in range(len(t)):
        k = np.delete(np.delete(K, i, 0), i, 1)
        a = np.linalg.solve(k + lam, np.delete(t, i))
        out.append(t[i] - np.delete(K[i], i) @ a)
    return np.array(out)
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


def refit_residuals(K: np.ndarray, t: np.ndarray, lam: float) -> np.ndarray:
    """Leave-one-out residuals by n fits, each without one point."""
    residuals = []
    for i in range(len(t)):
        keep = np.arange(len(t)) != i
        a = solve_ridge(K[np.ix_(keep, keep)], t[keep], lam)
        residuals.append(t[i] - K[i, keep] @ a)
    return np.array(residuals)


EDGES = (
    Cases("singular K", singular),
    Cases("one point", gram, count=1, smallest=1),
    Cases("other units", scaled, count=2, smallest=4),
)


QUESTION = question(
    __file__,
    __doc__,
    reference=refit_residuals,
    inputs=gram,
    edge_cases=EDGES,
)
