r"""
---
kind: code
title: Nyström features, also from a singular matrix
points: 7
proofs: P-23
signature: def nystroem(A, C):
---

Write `nystroem(A, C)`. It is given $A = K_{rr}$, the Gram matrix of the landmarks, and
$C = K_{nr}$, the kernel values of $n$ points with them. Return the $n \times r$ matrix
of features

$$
\hat\Phi = C\,A^{-1/2},
$$

where $A^{-1/2}$ is the *symmetric* positive semi-definite square root of the inverse of
$A$. Then $\hat\Phi\hat\Phi^\top = CA^{-1}C^\top = \hat K$.

But $A$ may be singular: a landmark was taken twice, or the kernel has fewer features
than there are landmarks. Then $A^{-1/2}$ is taken on the range of $A$ and 0 on its
kernel: if $A = \sum_i \mu_i u_i u_i^\top$, it is $\sum \mu_i^{-1/2} u_i u_i^\top$ over
the eigenvalues with $\mu_i > 10^{-10}\mu_{\max}$; the others are zero but for rounding.
If all are zero, so is $\hat\Phi$. (Kernel values are never exact; those in $C$ may have
errors of about $10^{-7}$. Divided by the root of an eigenvalue of $10^{-16}$, they
would be all that one sees.)

```hints
`values, U = np.linalg.eigh(A)` gives the eigenvalues in rising order, and the
eigenvectors as the columns of `U`.

Choose the columns that you keep: `kept = values > 1e-10 * values[-1]`. An absolute
limit would depend on the unit in which $k$ is measured.

With the columns and values that were kept,
$A^{-1/2} = U\,\mathrm{diag}(\mu^{-1/2})\,U^\top$. With none of them, NumPy's empty
products give the zero matrix by themselves.
```

```reference eigenvectors that are kept
import numpy as np


def nystroem(A, C):
    values, U = np.linalg.eigh(A)
    kept = values > 1e-10 * values[-1]
    U, values = U[:, kept], values[kept]
    return C @ (U / np.sqrt(values)) @ U.T
```

```reference singular values
import numpy as np


def nystroem(A, C):
    U, s, Vt = np.linalg.svd(A, hermitian=True)
    inverse = np.zeros(len(s))
    good = s > 1e-10 * s.max()
    inverse[good] = 1 / np.sqrt(s[good])
    return C @ (U * inverse) @ U.T
```

```reference a sum over eigenvectors
import numpy as np


def nystroem(A, C):
    mu, U = np.linalg.eigh(A)
    root = np.zeros(A.shape)
    for m, u in zip(mu, U.T):
        if m > 1e-10 * max(mu):
            root += np.outer(u, u) / m**0.5
    return C @ root
```

```mistake at_most=0.5 says="a landmark twice: 0 of 3"
# the zero eigenvalues are inverted with the others
import numpy as np

def nystroem(A, C):
    mu, U = np.linalg.eigh(A)
    return C @ (U / np.sqrt(np.abs(mu))) @ U.T
```

```mistake at_most=0 says="regular: 0 of 8"
# features, but not the symmetric root, and no singular A
import numpy as np
from scipy.linalg import solve_triangular

def nystroem(A, C):
    L = np.linalg.cholesky(A)
    return solve_triangular(L, C.T, lower=True).T
```

```mistake at_most=0 says="regular: 0 of 8"
# the inverse in place of its root
import numpy as np

def nystroem(A, C):
    return C @ np.linalg.pinv(A)
```

```mistake at_most=0.5 says="all of it tiny, and singular: 0 of 2"
# an absolute limit: everything tiny is thrown away
import numpy as np

def nystroem(A, C):
    mu, U = np.linalg.eigh(A)
    kept = mu > 1e-10
    U, mu = U[:, kept], mu[kept]
    return C @ (U / np.sqrt(mu)) @ U.T
```

```mistake at_most=0 says="regular: 0 of 8"
# a jitter that changes the answer
import numpy as np

def nystroem(A, C):
    mu, U = np.linalg.eigh(A + 0.01 * np.eye(len(A)))
    return C @ (U / np.sqrt(mu)) @ U.T
```

```mistake at_most=0 says="regular: 0 of 8"
# without the last factor: as many columns as were kept
import numpy as np

def nystroem(A, C):
    mu, U = np.linalg.eigh(A)
    kept = mu > 1e-10 * mu[-1]
    U, mu = U[:, kept], mu[kept]
    return C @ (U / np.sqrt(mu))
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def nystroem(A: np.ndarray, C: np.ndarray) -> np.ndarray:
    """The reference of `code-nystroem`."""
    values, U = np.linalg.eigh(A)
    kept = values > 1e-10 * values[-1]
    U, values = U[:, kept], values[kept]
    return (C @ (U / np.sqrt(values))) @ U.T


def landmarks_and_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More features than landmarks, small integers."""
    Z = rng.integers(-2, 3, size=(size, size + 3)).astype(float)
    Z[:, :size] += 3 * np.eye(size)
    X = rng.integers(-2, 3, size=(size + 1, size + 3)).astype(float)
    return Z @ Z.T, X @ Z.T


def inexact(rng: np.random.Generator, A: np.ndarray, C: np.ndarray) -> tuple[Any, ...]:
    """Kernel values with errors: then C does not vanish on the kernel of A."""
    return A, C + 1e-7 * rng.normal(size=C.shape)


def repeated_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """The first landmark once more, as the last one: K_rr is singular."""
    Z = rng.integers(-2, 3, size=(size, size + 3)).astype(float)
    Z[:, :size] += 3 * np.eye(size)
    X = rng.integers(-2, 3, size=(size + 1, size + 3)).astype(float)
    Z = np.vstack([Z, Z[:1]])
    return inexact(rng, Z @ Z.T, X @ Z.T)


def few_features(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """The linear kernel in the plane: rank 2, however many landmarks."""
    Z = rng.integers(-3, 4, size=(size + 2, 2)).astype(float)
    Z[:2] = [[1, 2], [2, -1]]
    X = rng.integers(-3, 4, size=(size, 2)).astype(float)
    return inexact(rng, Z @ Z.T, X @ Z.T)


def small_units(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A singular K_rr in units in which all of it is tiny."""
    A, C = repeated_landmark(rng, size)
    return 1e-14 * A, 1e-14 * C


def zero_landmark(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One landmark, with features that are all zero."""
    return np.zeros((1, 1)), np.zeros((size, 1))


QUESTION = question(
    __file__,
    __doc__,
    reference=nystroem,
    inputs=landmarks_and_points,
    edge_cases=(
        Cases("a landmark twice", repeated_landmark),
        Cases("fewer features than landmarks", few_features),
        Cases("all of it tiny, and singular", small_units, count=2),
        Cases("zero", zero_landmark, count=2, weight=0.5),
    ),
    rtol=1e-6,
    atol=0.0,
)
