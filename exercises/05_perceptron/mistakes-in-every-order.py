r"""
---
kind: code
title: Mistakes in every order, and one bound for all
points: 7
proofs: P-45
signature: def mistakes(K, y, orders):
---

The bound holds for every order of the points, but the number of mistakes does not stay
the same. And nobody knows the best $\gamma$ before the data have been separated;
afterwards any run gives a margin of its own.

Write `mistakes(K, y, orders)`. It is given a Gram matrix $K$ (no bias is added), labels
`y`, and an array `orders`, each of whose rows is a permutation of $0, \dots, n-1$. The
data are separable. For each row, run the kernel perceptron from $\alpha = 0$, going
through the points in that order again and again, until a pass has no mistake. Return

- an array with the number of mistakes of each run;
- the number $R^2/\gamma^2$ with $R^2 = \max_i K_{ii}$ and $\gamma$ the largest of the
  margins of the solutions found. The margin of a solution is

  $$
  \min_i \frac{y_i\, g(x_i)}{\|w\|}, \qquad
  g(x_i) = \sum_j \alpha_j y_j K_{ij}, \qquad
  \|w\|^2 = \sum_{ij} \alpha_i y_i\, \alpha_j y_j\, K_{ij} .
  $$

It bounds all of the counts, and those of all orders that have not been tried.

```hints
The run is the one of *Train a kernel perceptron* with `for i in order`, and without the
`+ 1`.

With $c = \alpha \circ y$: scores $Kc$ and $\|w\|^2 = c^\top K c$.

Start each run from zero. A point can be missed more than once.
```

```reference with a column at each mistake
import numpy as np


def mistakes(K, y, orders):
    counts, margins = [], []
    for order in orders:
        alpha, g = np.zeros(len(y)), np.zeros(len(y))
        missed = True
        while missed:
            missed = False
            for i in order:
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(alpha.sum())
        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
```

```reference signed counts, squared margins
import numpy as np


def one_run(K, y, order):
    signed, count, right = np.zeros(len(y)), 0, 0
    position = 0
    while right < len(y):
        if position == 0:
            right = 0
        i = order[position]
        if y[i] * (K[i] @ signed) > 0:
            right += 1
        else:
            signed[i] += y[i]
            count += 1
        position = (position + 1) % len(y)
    margin2 = np.min(y * (K @ signed)) ** 2 / (signed @ K @ signed)
    return count, margin2


def mistakes(K, y, orders):
    runs = [one_run(K, y, order) for order in orders]
    counts = np.array([count for count, _ in runs])
    best = max(margin2 for _, margin2 in runs)
    return counts, max(np.diag(K)) / best
```

```reference points renamed, labels in the matrix
import numpy as np


def mistakes(K, y, orders):
    counts, bounds = [], []
    for order in orders:
        G = (y[:, None] * K * y)[np.ix_(order, order)]
        alpha = np.zeros(len(y))
        before = -1
        while alpha.sum() > before:
            before = alpha.sum()
            for i in range(len(y)):
                alpha[i] += G[i] @ alpha <= 0
        counts.append(alpha.sum())
        gamma2 = (G @ alpha).min() ** 2 / (alpha @ G @ alpha)
        bounds.append(np.diag(K).max() / gamma2)
    return np.array(counts), min(bounds)
```

```mistake at_most=0 says="value 1 of 2"
# counts the points that were missed, not the mistakes
import numpy as np

def mistakes(K, y, orders):
    counts, margins = [], []
    for order in orders:
        alpha, g = np.zeros(len(y)), np.zeros(len(y))
        missed = True
        while missed:
            missed = False
            for i in order:
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(np.count_nonzero(alpha))
        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
```

```mistake at_most=0 says="one order: 2 of 2"
# the second run starts where the first one ended
import numpy as np

def mistakes(K, y, orders):
    counts, margins = [], []
    alpha, g = np.zeros(len(y)), np.zeros(len(y))
    for order in orders:
        missed = True
        while missed:
            missed = False
            for i in order:
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(alpha.sum())
        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
```

```mistake at_most=0 says="value 2 of 2"
# w is not made a unit vector: the “bound” is no bound
import numpy as np

def mistakes(K, y, orders):
    counts, margins = [], []
    for order in orders:
        alpha, g = np.zeros(len(y)), np.zeros(len(y))
        missed = True
        while missed:
            missed = False
            for i in order:
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(alpha.sum())
        margins.append(np.min(y * g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
```

```mistake at_most=0 says="cases right"
# the orders are ignored
import numpy as np

def mistakes(K, y, orders):
    counts, margins = [], []
    for order in orders:
        alpha, g = np.zeros(len(y)), np.zeros(len(y))
        missed = True
        while missed:
            missed = False
            for i in range(len(y)):
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(alpha.sum())
        margins.append(np.min(y * g) / np.sqrt((alpha * y) @ g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
```

```mistake at_most=0 says="cases right"
# the norm without the labels: αᵀKα
import numpy as np

def mistakes(K, y, orders):
    counts, margins = [], []
    for order in orders:
        alpha, g = np.zeros(len(y)), np.zeros(len(y))
        missed = True
        while missed:
            missed = False
            for i in order:
                if y[i] * g[i] <= 0:
                    alpha[i] += 1
                    g += y[i] * K[:, i]
                    missed = True
        counts.append(alpha.sum())
        margins.append(np.min(y * g) / np.sqrt(alpha @ g))
    return np.array(counts), K.diagonal().max() / max(margins) ** 2
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


def mistakes(
    K: np.ndarray, y: np.ndarray, orders: np.ndarray
) -> tuple[np.ndarray, float]:
    """The reference of `mistakes-in-every-order`."""
    counts, margins = [], []
    for order in orders:
        alpha = run(K, y, order, 100_000)
        scores = K @ (alpha * y)
        length = np.sqrt((alpha * y) @ scores)
        counts.append(alpha.sum())
        margins.append((y * scores).min() / length)
    return np.array(counts), K.diagonal().max() / max(margins) ** 2


def separable_orders(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A line separates; one kernel, three orders."""
    X, y = labelled_points(rng, size)
    orders = np.array([rng.permutation(size) for _ in range(3)])
    return X @ X.T + 1, y, orders


def strict_orders(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Any labels, and a polynomial of degree 2 plus 1 on the diagonal."""
    X = rng.integers(-1, 2, size=(size, 2)).astype(float)
    y = rng.choice([-1, 1], size)
    orders = np.array([rng.permutation(size) for _ in range(2)])
    return (X @ X.T + 1) ** 2 + np.eye(size), y, orders


def one_order(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A single order, backwards."""
    K, y, _ = separable_orders(rng, size)
    return K, y, np.arange(size)[None, ::-1].copy()


QUESTION = question(
    __file__,
    __doc__,
    reference=mistakes,
    inputs=separable_orders,
    edge_cases=(
        Cases("any labels, strict kernel", strict_orders, count=3),
        Cases("one order", one_order, count=2),
    ),
)
