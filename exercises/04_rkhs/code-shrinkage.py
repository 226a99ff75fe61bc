r"""
---
kind: code
title: Shrinkage from one decomposition
points: 6
proofs: own
signature: def shrinkage(K, t, lams):
---

Kernel ridge regression multiplies the coefficient of the targets in each direction
$u_j$ of $K$ by $\mu_j/(\mu_j + \lambda)$. Write `shrinkage(K, t, lams)`, which returns
an array with one row per $\lambda$ in `lams` and two columns: the degrees of freedom
$\sum_j \mu_j/(\mu_j + \lambda)$, and the squared norm $\|f\|^2$ of the fit. One
eigendecomposition (`np.linalg.eigh`) serves all of them. `K` may be singular.

```hints
`mu, U = np.linalg.eigh(K)` gives $K = U\,\mathrm{diag}(\mu)\,U^\top$. The coefficients
are `c = U.T @ t`.

The fit has $a = \sum_j \frac{c_j}{\mu_j + \lambda}\,u_j$, and $\|f\|^2 = a^\top K a$.

$\|f\|^2 = \sum_j \mu_j c_j^2/(\mu_j + \lambda)^2$.
```

```reference one decomposition
import numpy as np


def shrinkage(K, t, lams):
    mu, U = np.linalg.eigh(K)
    c = U.T @ t
    rows = [
        (np.sum(mu / (mu + lam)), np.sum(mu * c**2 / (mu + lam) ** 2)) for lam in lams
    ]
    return np.array(rows)
```

```reference by solving
import numpy as np


def shrinkage(K, t, lams):
    rows = []
    for lam in lams:
        inverse = np.linalg.inv(K + lam * np.eye(len(t)))
        a = inverse @ t
        rows.append([np.trace(K @ inverse), a @ K @ a])
    return np.array(rows)
```

```mistake at_most=0
# the squared length of the fitted values, not of the function
import numpy as np


def shrinkage(K, t, lams):
    mu, U = np.linalg.eigh(K)
    c = U.T @ t
    return np.array(
        [(np.sum(mu / (mu + l)), np.sum((mu * c / (mu + l)) ** 2)) for l in lams]
    )
```

```mistake at_most=0
# the factor without λ in the norm: that of the interpolant
import numpy as np


def shrinkage(K, t, lams):
    mu, U = np.linalg.eigh(K + 1e-9 * np.eye(len(t)))
    c = U.T @ t
    return np.array([(np.sum(mu / (mu + l)), np.sum(c**2 / mu)) for l in lams])
```

```mistake at_most=0
# the rows of U for its columns
import numpy as np


def shrinkage(K, t, lams):
    mu, U = np.linalg.eigh(K)
    c = U @ t
    return np.array(
        [(np.sum(mu / (mu + l)), np.sum(mu * c**2 / (mu + l) ** 2)) for l in lams]
    )
```

```mistake at_most=0.5 says="singular K"
# counts the directions instead of adding up the factors, and inverts K
import numpy as np


def shrinkage(K, t, lams):
    inverse = np.linalg.inv(K)
    rows = []
    for lam in lams:
        H = np.linalg.inv(np.eye(len(t)) + lam * inverse)
        f = H @ t
        rows.append((np.trace(H), f @ inverse @ f))
    return np.array(rows)
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases

Task = tuple[np.ndarray, np.ndarray, list[float]]


def gram(rng: np.random.Generator, size: int) -> Task:
    """A small Gram matrix of full rank, targets, and three λ."""
    Phi = rng.integers(-2, 3, (size, size)) + 4.0 * np.eye(size)
    return _task(rng, Phi @ Phi.T)


def singular(rng: np.random.Generator, size: int) -> Task:
    """More points than features."""
    Phi = rng.integers(1, 4, (size, max(size // 2, 1))).astype(float)
    return _task(rng, Phi @ Phi.T)


def one_lambda(rng: np.random.Generator, size: int) -> Task:
    """A single λ, and a single point."""
    K, t, lams = gram(rng, 1)
    return K, t, lams[:1]


def _task(rng: np.random.Generator, K: np.ndarray) -> Task:
    t = rng.integers(1, 10, len(K)) * rng.choice([-1.0, 1.0], len(K))
    return K, t, [float(lam) for lam in rng.permutation([0.25, 1.0, 8.0])]


def fitted_norms(K: np.ndarray, t: np.ndarray, lams: list[float]) -> np.ndarray:
    """Degrees of freedom and squared norms, by one system per λ."""
    rows = []
    for lam in lams:
        A = K + lam * np.eye(len(t))
        a = np.linalg.solve(A, t)
        rows.append((float(np.trace(np.linalg.solve(A, K))), float(a @ K @ a)))
    return np.array(rows)


QUESTION = question(
    __file__,
    __doc__,
    reference=fitted_norms,
    inputs=gram,
    edge_cases=(
        Cases("singular K", singular),
        Cases("one point, one λ", one_lambda, count=1),
    ),
)
