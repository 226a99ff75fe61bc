r"""
---
kind: code
title: Train a kernel perceptron
points: 7
proofs: P-43, P-44
signature: def perceptron(K, y, L, passes):
---

Write `perceptron(K, y, L, passes)`, the kernel perceptron, which on data that
cannot be separated would never end by itself. The function is given

- the Gram matrix $K_{ij} = k(x_i, x_j)$ of the training points and their labels `y`
  ($+1$ or $-1$);
- the $m \times n$ matrix $L_{ij} = k(z_i, x_j)$ of new points against training points;
- `passes`, the largest number of passes.

Start with $\alpha = 0$. A point is a mistake if $y_i\, g(x_i) \le 0$, where
$g(x) = \sum_j \alpha_j y_j\, (k(x_j, x) + 1)$, with the bias in the kernel; then
$\alpha_i$ grows by 1. Go through the points in their order, and end after a pass
without a mistake, or when the passes are used up. Return two arrays:

- $\alpha$, the number of mistakes on each point;
- the predicted labels of the new points, $+1$ where $g \ge 0$ and $-1$ where $g < 0$.

Keep the scores of all training points, and add a column at each mistake: then a pass
costs $O(n)$ and a mistake $O(n)$ more, instead of $O(n^2)$ for every pass.

```hints
Two loops: `for _ in range(passes)` and, inside, `for i in range(n)`. How does the outer
one know that a pass had no mistake?

At a mistake on point $i$ the score of $x_j$ changes by $y_i (K_{ji} + 1)$: *Mistakes
are weights*, with the bias in the kernel.

The scores of the new points are `(L + 1) @ (alpha * y)`. `np.sign` gives 0 at a tie;
the rule above does not.
```

```reference with a column at each mistake
import numpy as np


def perceptron(K, y, L, passes):
    n = len(y)
    alpha = np.zeros(n)
    g = np.zeros(n)
    for _ in range(passes):
        mistakes = 0
        for i in range(n):
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * (K[:, i] + 1)
                mistakes += 1
        if mistakes == 0:
            break
    scores = (L + 1) @ (alpha * y)
    return alpha, np.where(scores >= 0, 1, -1)
```

```reference scores computed anew, plain Python
import numpy as np


def perceptron(K, y, L, passes):
    alpha = [0] * len(y)
    changed = True
    while changed and passes > 0:
        changed, passes = False, passes - 1
        for i in range(len(y)):
            g = sum(a * c * (k + 1) for a, c, k in zip(alpha, y, K[i]))
            if y[i] * g <= 0:
                alpha[i] += 1
                changed = True
    g = [sum(a * c * (k + 1) for a, c, k in zip(alpha, y, row))
         for row in L]
    return np.array(alpha), np.array([1 if s >= 0 else -1 for s in g])
```

```reference with a separate bias
import numpy as np


def perceptron(K, y, L, passes):
    signed, bias, alpha = np.zeros(len(y)), 0.0, np.zeros(len(y), int)
    for _ in range(passes):
        before = alpha.copy()
        for i, label in enumerate(y):
            if label * (K[i] @ signed + bias) <= 0:
                alpha[i] += 1
                signed[i] += label
                bias += label
        if (alpha == before).all():
            break
    scores = L @ signed + bias
    labels = np.sign(scores)
    labels[scores == 0] = 1
    return alpha, labels
```

```mistake at_most=0 says="regular: 0 of 8"
# < for ≤: it never starts
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha, g = np.zeros(n), np.zeros(n)
    for _ in range(passes):
        mistakes = 0
        for i in range(n):
            if y[i] * g[i] < 0:
                alpha[i] += 1
                g += y[i] * (K[:, i] + 1)
                mistakes += 1
        if mistakes == 0:
            break
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)
```

```mistake at_most=0 says=came
# no bias
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha, g = np.zeros(n), np.zeros(n)
    for _ in range(passes):
        mistakes = 0
        for i in range(n):
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * K[:, i]
                mistakes += 1
        if mistakes == 0:
            break
    return alpha, np.where(L @ (alpha * y) >= 0, 1, -1)
```

```mistake at_most=0 says="regular: 0 of 8"
# S2's algorithm to the letter: g is never computed again
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha = np.zeros(n)
    g = (K + 1) @ (alpha * y)
    for _ in range(passes):
        m = 0
        for i in range(n):
            if y[i] * g[i] <= 0:
                alpha[i] += 1
            else:
                m += 1
        if m == n:
            break
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)
```

```mistake at_most=0 says=came
# all mistakes of a pass at once: another algorithm
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha, g = np.zeros(n), np.zeros(n)
    for _ in range(passes):
        wrong = np.flatnonzero(y * g <= 0)
        if len(wrong) == 0:
            break
        alpha[wrong] += 1
        g = (K + 1) @ (alpha * y)
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)
```

```mistake at_most=0.5 says="an endless loop?"
# do … while, as printed: no end on data that cannot be separated
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha, g = np.zeros(n), np.zeros(n)
    while True:
        mistakes = 0
        for i in range(n):
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * (K[:, i] + 1)
                mistakes += 1
        if mistakes == 0:
            break
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)
```

```mistake at_most=0.5 says="no pass: 0 of 2"
# the label 0 at a tie
import numpy as np

def perceptron(K, y, L, passes):
    n = len(y)
    alpha, g = np.zeros(n), np.zeros(n)
    for _ in range(passes):
        mistakes = 0
        for i in range(n):
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * (K[:, i] + 1)
                mistakes += 1
        if mistakes == 0:
            break
    return alpha, np.sign((L + 1) @ (alpha * y))
```
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases


def run(K: np.ndarray, y: np.ndarray, order: Sequence[int], passes: int) -> np.ndarray:
    """Mistakes of a perceptron with kernel K and no bias; at most so many passes."""
    alpha, g = np.zeros(len(y)), np.zeros(len(y))
    for _ in range(passes):
        before = alpha.sum()
        for i in order:
            if y[i] * g[i] <= 0:
                alpha[i] += 1
                g += y[i] * K[:, i]
        if alpha.sum() == before:
            break
    return alpha


def perceptron(
    K: np.ndarray, y: np.ndarray, L: np.ndarray, passes: int
) -> tuple[np.ndarray, np.ndarray]:
    """The reference of `train-a-kernel-perceptron`."""
    alpha = run(K + 1, y, range(len(y)), passes)
    return alpha, np.where((L + 1) @ (alpha * y) >= 0, 1, -1)


def labelled_points(
    rng: np.random.Generator, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct points with small integers, on both sides of a line."""
    grid = np.array([[i, j] for i in range(-3, 4) for j in range(-3, 4)])
    X = grid[rng.choice(len(grid), size, replace=False)]
    while True:
        normal = rng.choice([-2, -1, 1, 2], 2)
        y = np.where(2 * X @ normal + rng.choice([-5, -3, -1, 1, 3, 5]) > 0, 1, -1)
        if abs(y.sum()) < size:
            return X.astype(float), y


def training(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A linear kernel, new points, and passes enough."""
    X, y = labelled_points(rng, size)
    Z = rng.integers(-3, 4, size=(size // 2 + 2, 2)).astype(float)
    return X @ X.T, y, Z @ X.T, 500


def stopped_early(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Labels of an exclusive or, which no line separates: the passes run out."""
    X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [2.0, 1.0]])
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    order = rng.permutation(len(y))
    X, y = X[order], y[order]
    Z = rng.integers(-2, 3, size=(3, 2)).astype(float)
    return X @ X.T, y, Z @ X.T, size


def no_pass(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """No pass at all: every score is a tie."""
    K, y, L, _ = training(rng, size)
    return K, y, L, 0


def one_class(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """All labels are -1."""
    K, y, L, passes = training(rng, size)
    return K, np.full_like(y, -1), L, passes


QUESTION = question(
    __file__,
    __doc__,
    reference=perceptron,
    inputs=training,
    edge_cases=(
        Cases("not separable", stopped_early, count=4, smallest=1),
        Cases("one class only", one_class, count=2),
        Cases("no pass", no_pass, count=2),
    ),
)
