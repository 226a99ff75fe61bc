r"""
---
kind: code
title: Pivoted Cholesky that never holds K
points: 8
proofs: P-23
signature: def pivoted(X, sigma, tol):
---

Write `pivoted(X, sigma, tol)` for the rows of `X` as points and the Gaussian kernel
$k(x, x') = \exp(-\|x - x'\|^2/(2\sigma^2))$. It builds $L$, $n \times r$, with
$K \approx LL^\top$, one column at a time:

1. Keep the diagonal of what is left, $e_i = k(x_i, x_i) - \sum_m L_{im}^2$. At first
   $L$ has no columns, and $e_i = 1$.
2. The *pivot* $p$ is the index of the largest $e_i$ (the first one, if there are
   several).
3. The new column is $\bigl(k(x_i, x_p) - \sum_m L_{im}L_{pm}\bigr)_i \big/ \sqrt{e_p}$.
4. Stop as soon as $\sum_i e_i \le \texttt{tol} \cdot n$, and at the latest with $n$
   columns.

Return two arrays: $L$, and the errors $\sum_i e_i$ with $0, 1, \dots, r$ columns, which
are $r + 1$ numbers. They are the trace of $K - LL^\top$, exactly: the method knows how
good it is.

One of the inputs has 20 000 points. Compute the kernel values with the pivot, and no
others: $O(nr)$ of them, and $O(nr^2)$ work.

```hints
All you need in a step is
`column = np.exp(-((X - X[p])**2).sum(axis=1) / (2 * sigma**2))`: one column of $K$.

With the columns so far as an $n \times m$ array `L`, the sum in step 3 is `L @ L[p]`.
`np.zeros((n, 0))` is an array without columns, and such products work with it.

After a step subtract the squares of the new column from $e$. Rounding may leave tiny
negative numbers; they do no harm, but no root may be taken of them.
```

```reference columns stacked
import numpy as np


def pivoted(X, sigma, tol):
    n = len(X)
    L = np.zeros((n, 0))
    e = np.ones(n)
    errors = [e.sum()]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = np.argmax(e)
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / np.sqrt(e[p])
        L = np.column_stack([L, column])
        e = e - column**2
        errors.append(e.sum())
    return L, np.array(errors)
```

```reference a list of rows
import numpy as np
from scipy.spatial.distance import cdist


def pivoted(X, sigma, tol):
    n = X.shape[0]
    rows, e = [], np.ones(n)
    errors = [float(n)]
    while errors[-1] > tol * n and len(rows) < n:
        p = int(e.argmax())
        squares = cdist(X, X[[p]], 'sqeuclidean')[:, 0]
        k = np.exp(-squares / (2 * sigma**2))
        for row in rows:
            k = k - row * row[p]
        k = k / np.sqrt(e[p])
        rows.append(k)
        e = np.clip(e - k * k, 0, None)
        errors.append(e.sum())
    return np.array(rows).T, np.array(errors)
```

```reference room that doubles
import numpy as np


def pivoted(X, sigma, tol):
    n = len(X)
    room = 16
    L = np.zeros((n, room))
    e = np.ones(n)
    errors = [e.sum()]
    squares = np.sum(X**2, axis=1)
    r = 0
    while errors[-1] > tol * n and r < n:
        if r == L.shape[1]:
            L = np.hstack([L, np.zeros((n, r))])
        p = int(np.argmax(e))
        distances = np.maximum(squares + squares[p] - 2 * X @ X[p], 0)
        k = np.exp(-distances / (2 * sigma**2))
        L[:, r] = (k - L[:, :r] @ L[p, :r]) / np.sqrt(e[p])
        e -= L[:, r] ** 2
        r += 1
        errors.append(e.sum())
    return L[:, :r], np.array(errors)
```

```mistake at_most=0.5 says="more memory than the 1 GiB"
# the whole of K
import numpy as np

def pivoted(X, sigma, tol):
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    K = np.exp(-D / (2 * sigma**2))
    n = len(X)
    L = np.zeros((n, 0))
    e = np.ones(n)
    errors = [e.sum()]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = np.argmax(e)
        column = (K[:, p] - L @ L[p]) / np.sqrt(e[p])
        L = np.column_stack([L, column])
        e = e - column**2
        errors.append(e.sum())
    return L, np.array(errors)
```

```mistake at_most=0 says="cases right"
# the first columns, as S1 has it
import numpy as np

def pivoted(X, sigma, tol):
    n = len(X)
    L = np.zeros((n, 0))
    e = np.ones(n)
    errors = [e.sum()]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = L.shape[1]
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / np.sqrt(e[p])
        L = np.column_stack([L, column])
        e = e - column**2
        errors.append(e.sum())
    return L, np.array(errors)
```

```mistake at_most=0 says="cases right"
# tol against the sum, not against tol times n
import numpy as np

def pivoted(X, sigma, tol):
    n = len(X)
    L = np.zeros((n, 0))
    e = np.ones(n)
    errors = [e.sum()]
    while errors[-1] > tol and L.shape[1] < n:
        p = np.argmax(e)
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / np.sqrt(e[p])
        L = np.column_stack([L, column])
        e = e - column**2
        errors.append(e.sum())
    return L, np.array(errors)
```

```mistake at_most=0 says="cases right"
# the root is forgotten
import numpy as np

def pivoted(X, sigma, tol):
    n = len(X)
    L = np.zeros((n, 0))
    e = np.ones(n)
    errors = [e.sum()]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = np.argmax(e)
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / e[p]
        L = np.column_stack([L, column])
        e = e - column**2
        errors.append(e.sum())
    return L, np.array(errors)
```

```mistake at_most=0 says="value 2 of 2: a number came"
# the last error only
import numpy as np

def pivoted(X, sigma, tol):
    n = len(X)
    columns, e = [], np.ones(n)
    while e.sum() > tol * n and len(columns) < n:
        p = np.argmax(e)
        k = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        for c in columns:
            k = k - c * c[p]
        k = k / np.sqrt(e[p])
        columns.append(k)
        e = e - k**2
    return np.array(columns).T, e.sum()
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def pivoted(X: np.ndarray, sigma: float, tol: float) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `code-pivoted-cholesky`."""
    n = len(X)
    L, left, errors = np.zeros((n, 0)), np.ones(n), [float(n)]
    while errors[-1] > tol * n and L.shape[1] < n:
        p = int(np.argmax(left))
        column = np.exp(-np.sum((X - X[p]) ** 2, axis=1) / (2 * sigma**2))
        column = (column - L @ L[p]) / np.sqrt(left[p])
        L = np.column_stack([L, column])
        left = np.maximum(left - column**2, 0)
        left[p] = 0
        errors.append(left.sum())
    return L, np.array(errors)


def scattered(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A few points of the plane."""
    return rng.normal(size=(size + 2, 2)).round(2), 1.0, 0.05


def strict_tolerance(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A width so small that all points are needed."""
    return 10.0 * rng.permutation(size + 1)[:, None], 1.0, 1e-4


def repeated_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Every point three times."""
    X = rng.normal(size=(size + 1, 2)).round(2)
    return X[np.arange(3 * len(X)) % len(X)], 1.0, 1e-6


def one_point(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """One point in many dimensions."""
    return rng.normal(size=(1, size)).round(2), 2.0, 0.1


def many_points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """20 000 points: K would take 3.2 GB."""
    return rng.uniform(size=(20_000, 2)), 1.0, 1e-3 / size


QUESTION = question(
    __file__,
    __doc__,
    reference=pivoted,
    inputs=scattered,
    edge_cases=(
        Cases("all points are needed", strict_tolerance),
        Cases("every point three times", repeated_points),
        Cases("one point", one_point, count=2, weight=0.5),
        Cases("20 000 points", many_points, count=1),
    ),
    rtol=1e-5,
)
