r"""
---
kind: code
title: The likelihood and its gradient
points: 7
proofs: P-62
signature: def likelihood(C, D, y):
---

Write `likelihood(C, D, y)`. It is given the covariance matrix $C$ of $n$ observations
$y$ and an array `D` of shape $p \times n \times n$ with the derivatives
$\partial C/\partial\theta_1, \dots, \partial C/\partial\theta_p$. Return

- the number $L = -\frac12 y^\top C^{-1} y - \frac12\log\det C - \frac n2 \log 2\pi$;
- the array of its $p$ derivatives.

With a hundred observations $\det C$ may be smaller, or larger, than any floating point
number. Its logarithm is not.

```hints
If $C = GG^\top$ with a triangular $G$, then $\log\det C = 2\sum_i \log G_{ii}$. Or use
`np.linalg.slogdet`.

The derivative by $\theta_j$ is
$\frac12 \mathrm{tr}((\alpha\alpha^\top - C^{-1})\, D_j)$ with $\alpha = C^{-1}y$.

The trace of a product of two symmetric matrices is the sum of the products of their
entries: `np.sum(A * B)`.
```

```reference a Cholesky factor
import numpy as np
from scipy.linalg import cho_factor, cho_solve


def likelihood(C, D, y):
    n = len(y)
    factor = cho_factor(C, lower=True)
    alpha = cho_solve(factor, y)
    logdet = 2 * np.sum(np.log(np.diag(factor[0])))
    value = -0.5 * (y @ alpha + logdet + n * np.log(2 * np.pi))
    A = np.outer(alpha, alpha) - cho_solve(factor, np.eye(n))
    return value, np.array([0.5 * np.sum(A * d) for d in D])
```

```reference slogdet and solve
import numpy as np


def likelihood(C, D, y):
    alpha = np.linalg.solve(C, y)
    logdet = np.linalg.slogdet(C)[1]
    constant = len(y) * np.log(2 * np.pi)
    value = -(y @ alpha + logdet + constant) / 2
    gradient = [
        (alpha @ d @ alpha - np.trace(np.linalg.solve(C, d))) / 2
        for d in D
    ]
    return value, np.array(gradient)
```

```reference eigenvalues
import numpy as np


def likelihood(C, D, y):
    values, U = np.linalg.eigh(C)
    inverse = (U / values) @ U.T
    alpha = inverse @ y
    value = -0.5 * (y @ alpha + np.log(values).sum()
                    + len(y) * np.log(2 * np.pi))
    A = np.outer(alpha, alpha) - inverse
    return value, np.einsum('ij,pji->p', A, D) / 2
```

```mistake at_most=0.5 says="det C underflows: 0 of 2"
# the determinant itself: 0 or infinite
import numpy as np

def likelihood(C, D, y):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    with np.errstate(all='ignore'):
        logdet = np.log(np.linalg.det(C))
    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))
    A = np.outer(alpha, alpha) - inverse
    return value, np.array([0.5 * np.sum(A * d) for d in D])
```

```mistake at_most=0 says="value 2 of 2"
# the gradient of -L
import numpy as np

def likelihood(C, D, y):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    logdet = np.linalg.slogdet(C)[1]
    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))
    A = np.outer(alpha, alpha) - inverse
    return value, np.array([-0.5 * np.sum(A * d) for d in D])
```

```mistake at_most=0 says="value 2 of 2"
# the derivative of the log determinant is forgotten
import numpy as np

def likelihood(C, D, y):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    logdet = np.linalg.slogdet(C)[1]
    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))
    return value, np.array([0.5 * alpha @ d @ alpha for d in D])
```

```mistake at_most=0 says="value 1 of 2"
# the constant is left out
import numpy as np

def likelihood(C, D, y):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    logdet = np.linalg.slogdet(C)[1]
    value = -0.5 * (y @ alpha + logdet)
    A = np.outer(alpha, alpha) - inverse
    return value, np.array([0.5 * np.sum(A * d) for d in D])
```

```mistake at_most=0 says="value 1 of 2"
# det C is the square of the factor's determinant
import numpy as np

def likelihood(C, D, y):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    logdet = np.sum(np.log(np.diag(np.linalg.cholesky(C))))
    value = -0.5 * (y @ alpha + logdet + len(y) * np.log(2 * np.pi))
    A = np.outer(alpha, alpha) - inverse
    return value, np.array([0.5 * np.sum(A * d) for d in D])
```
"""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def likelihood(C: np.ndarray, D: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The reference of `likelihood-and-gradient`, by a Cholesky factor."""
    factor = cho_factor(C, lower=True)
    alpha = cho_solve(factor, y)
    logdet = 2 * np.log(np.diag(factor[0])).sum()
    value = -(y @ alpha + logdet + len(y) * np.log(2 * np.pi)) / 2
    inner = np.outer(alpha, alpha) - cho_solve(factor, np.eye(len(y)))
    return value, np.einsum("ij,pij->p", inner, D) / 2


def covariances(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """C of small integers, three directions, observations."""
    X = rng.integers(-2, 3, size=(size, size)).astype(float)
    C = X @ X.T + np.eye(size)
    D = rng.integers(-2, 3, size=(3, size, size)).astype(float)
    return C, D + D.transpose(0, 2, 1), rng.integers(-3, 4, size=size).astype(float)


def small_scale(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """So many small numbers that det C is 0 in floating point."""
    n = 120 + size
    C = 1e-3 * (np.eye(n) + 0.25)
    y = 0.03 * rng.normal(size=n)
    return C, np.stack([np.eye(n), np.ones((n, n))]), y


def large_scale(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """And so many large ones that det C is infinite."""
    C, D, y = small_scale(rng, size)
    return 1e6 * C, D, 1e3 * y


def one_direction(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One observation, one parameter."""
    C, D, y = covariances(rng, size)
    return C[:1, :1], D[:1, :1, :1], y[:1]


QUESTION = question(
    __file__,
    __doc__,
    reference=likelihood,
    inputs=covariances,
    edge_cases=(
        Cases("det C underflows", small_scale, count=2),
        Cases("det C overflows", large_scale, count=2),
        Cases("one observation", one_direction, count=2),
    ),
    rtol=1e-6,
)
