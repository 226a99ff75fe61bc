r"""
---
kind: code
title: The power method, with its number of steps
points: 6
proofs: P-23
signature: def power_method(K, v, tol, most):
---

Write `power_method(K, v, tol, most)` for a positive semi-definite matrix $K$ and a
start $v \ne 0$, which need not have length 1. In each step

1. divide $v$ by its length;
2. compute $y = Kv$ (this is what costs $n^2$, and what is counted) and
   $\mu = v^\top y$;
3. stop if $\|y - \mu v\| \le \texttt{tol} \cdot \mu$, or if this was step number
   `most`; otherwise go on with $y$ in place of $v$.

Return two numbers: $\mu$, and how many products with $K$ were computed. Use the start
that is given, no random one. If $Kv = 0$, the first step ends it: $\mu = 0$, after one
product.

```hints
A loop `for count in range(1, most + 1):` counts by itself. What has to be done before,
and what after the test?

The test compares with `tol * mu`, not with `tol`: then it does not depend on the unit
in which $K$ is measured.

Divide by the length at the *beginning* of a step. Then nothing is divided by 0 if
$Kv = 0$, since the loop has ended before.
```

```reference a loop that counts
import numpy as np


def power_method(K, v, tol, most):
    for count in range(1, most + 1):
        v = v / np.linalg.norm(v)
        y = K @ v
        mu = v @ y
        if np.linalg.norm(y - mu * v) <= tol * mu:
            break
        v = y
    return mu, count
```

```reference while True
import numpy as np


def power_method(K, v, tol, most):
    count = 0
    while True:
        v = np.array(v, dtype=float)
        v /= np.sqrt(np.sum(v**2))
        y = K.dot(v)
        count += 1
        mu = float(np.dot(v, y))
        rest = np.sqrt(np.sum((y - mu * v) ** 2))
        if rest <= tol * mu or count == most:
            return mu, count
        v = y
```

```reference recursion
import numpy as np


def power_method(K, v, tol, most, done=0):
    v = v / np.linalg.norm(v)
    y = K @ v
    mu = np.inner(v, y)
    small = np.linalg.norm(y - mu * v) <= tol * mu
    if small or done + 1 == most:
        return mu, done + 1
    return power_method(K, y, tol, most, done + 1)
```

```mistake at_most=0.5 says="huge entries: 0 of 2"
# never normalised: overflow and underflow
import numpy as np

def power_method(K, v, tol, most):
    for count in range(1, most + 1):
        y = K @ v
        mu = (v @ y) / (v @ v)
        if np.linalg.norm(y - mu * v) <= tol * mu * np.linalg.norm(v):
            break
        v = y
    return mu, count
```

```mistake at_most=0 says="cases right"
# the new vector with the old quotient, and a product that is not counted
import numpy as np

def power_method(K, v, tol, most):
    v = v / np.linalg.norm(v)
    for count in range(1, most + 1):
        y = K @ v
        mu = v @ y
        v = y / np.linalg.norm(y)
        if np.linalg.norm(K @ v - mu * v) <= tol * mu:
            break
    return mu, count
```

```mistake at_most=0 says="value 2 of 2"
# all eigenvalues, and no steps to count
import numpy as np

def power_method(K, v, tol, most):
    values, vectors = np.linalg.eigh(K)
    return values[-1], 1
```

```mistake at_most=0 says="cases right"
# stops when the quotient stands still, long before the vector does
import numpy as np

def power_method(K, v, tol, most):
    old = 0.0
    for count in range(1, most + 1):
        v = v / np.linalg.norm(v)
        y = K @ v
        mu = v @ y
        if abs(mu - old) <= tol * mu:
            break
        old, v = mu, y
    return mu, count
```

```mistake at_most=0 says="value 2 of 2"
# an absolute tolerance
import numpy as np

def power_method(K, v, tol, most):
    for count in range(1, most + 1):
        v = v / np.linalg.norm(v)
        y = K @ v
        mu = v @ y
        if np.linalg.norm(y - mu * v) <= tol:
            break
        v = y
    return mu, count
```

```mistake at_most=0.5 says="a start with Kv = 0: 0 of 2"
# the quotient of the next vector, which is 0/0 if Kv = 0
import numpy as np

def power_method(K, v, tol, most):
    v = v / np.linalg.norm(v)
    count = 0
    while count < most:
        y = K @ v
        count += 1
        v_new = y / np.linalg.norm(y)
        mu = v @ y
        if np.linalg.norm(y - mu * v) <= tol * mu:
            break
        v = v_new
    return (v_new @ K @ v_new), count
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def power_method(K: np.ndarray, v: np.ndarray, tol: float, most: int) -> Any:
    """The reference of `code-power-method`."""
    for count in range(1, most + 1):
        v = v / np.linalg.norm(v)
        y = K @ v
        mu = v @ y
        if np.linalg.norm(y - mu * v) <= tol * mu or count == most:
            return mu, count
        v = y
    raise ValueError("at least one step is needed")


def gram_and_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A Gram matrix of small integers, and any start."""
    X = rng.integers(-2, 3, size=(size, size + 1)).astype(float)
    return X @ X.T, rng.normal(size=size).round(3), 1e-6, 500


def slow_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A small gap, and so few steps that the tolerance is out of reach."""
    K = np.diag(np.arange(40.0, 40 + size))
    return K, rng.integers(1, 9, size=size).astype(float), 1e-8, 3 + size


def orthogonal_start(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A start that is orthogonal to the largest eigenvector, and stays so."""
    K = np.diag(rng.permutation(np.arange(1.0, size + 2)))
    v = rng.integers(1, 5, size=size + 1).astype(float)
    v[np.argmax(np.diag(K))] = 0
    return K, v, 1e-6, 500


def zero_image(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A start with Kv = 0."""
    K = np.zeros((size + 1, size + 1))
    K[0, 0] = size - 2
    v = rng.integers(1, 5, size=size + 1).astype(float)
    v[0] = 0
    return K, v, 1e-6, 20


def huge_entries(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """K⁴v would be infinite."""
    K, v, tol, most = gram_and_start(rng, size)
    return 1e80 * (K + np.eye(size)), v, tol, most


def tiny_entries(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """K⁴v would be 0, and so would a residual be beside a fixed tolerance."""
    K, v, tol, most = gram_and_start(rng, size)
    return 1e-80 * (K + np.eye(size)), v, tol, most


QUESTION = question(
    __file__,
    __doc__,
    reference=power_method,
    inputs=gram_and_start,
    edge_cases=(
        Cases("the steps run out", slow_start, count=2, smallest=3),
        Cases("a start orthogonal to the largest eigenvector", orthogonal_start),
        Cases("a start with Kv = 0", zero_image, count=2),
        Cases("huge entries", huge_entries, count=2),
        Cases("tiny entries", tiny_entries, count=2),
    ),
    rtol=1e-6,
    atol=0.0,
)
