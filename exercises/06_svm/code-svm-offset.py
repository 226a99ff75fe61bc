r"""
---
kind: code
title: The offset from the multipliers
points: 5
proofs: P-08, P-54
signature: def offset(alpha, y, K, C):
---

The dual has a solution $\alpha$, but it does not contain $b$. Write
`offset(alpha, y, K, C)`, which finds it from optimal multipliers of the soft-margin
machine by the conditions of Kuhn and Tucker, and returns a number.

- If there are *free* support vectors, $0 < \alpha_i < C$, each of them gives
  $y_i F(x_i) = 1$, that is, $b$. Return the mean of these values.
- If there are none, every point gives an inequality for $b$. Return the midpoint of the
  interval that is left.

A solver works with rounding errors: count a multiplier as 0 if it is at most
$10^{-8}C$, and as $C$ if it is at least $(1 - 10^{-8})C$. There are points of both
classes.

```hints
With $e_i = y_i - \sum_j \alpha_j y_j K_{ij}$, what does $y_i F(x_i) = 1$ say about $b$?
Remember that $y_i^2 = 1$.

At $\alpha_i = 0$, $y_i F(x_i) \ge 1$; at $\alpha_i = C$, $y_i F(x_i) \le 1$. Solved for
$b$, the direction depends on the label.

Four kinds of points, two of which give lower bounds $b \ge e_i$: $\alpha = 0$ with
label $+1$, and $\alpha = C$ with label $-1$.
```

```reference masks
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    zero, full = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C
    free = ~zero & ~full
    if free.any():
        return e[free].mean()
    lower = (zero & (y > 0)) | (full & (y < 0))
    return (e[lower].max() + e[~lower].min()) / 2
```

```reference a loop
import numpy as np


def offset(alpha, y, K, C):
    low, high, exact = -np.inf, np.inf, []
    for i in range(len(y)):
        e = y[i] - np.sum(alpha * y * K[i])
        if 1e-8 * C < alpha[i] < (1 - 1e-8) * C:
            exact.append(e)
        elif (alpha[i] < C / 2) == (y[i] == 1):
            low = max(low, e)
        else:
            high = min(high, e)
    return np.mean(exact) if exact else (low + high) / 2
```

```reference the interval alone: at free points it is one number
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    up = np.where(y > 0, alpha < (1 - 1e-8) * C, alpha > 1e-8 * C)
    down = np.where(y > 0, alpha > 1e-8 * C, alpha < (1 - 1e-8) * C)
    return (e[up].max() + e[down].min()) / 2
```

```mistake at_most=0 says="regular: "
# all support vectors, also those inside the margin
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    return e[alpha > 1e-8 * C].mean()
```

```mistake at_most=0 says="regular: "
# 1 − f, where yᵢ − f belongs
import numpy as np


def offset(alpha, y, K, C):
    e = 1 - K @ (alpha * y)
    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)
    return e[free].mean()
```

```mistake at_most=0 says="regular: "
# the labels are missing in F
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ alpha
    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)
    return e[free].mean()
```

```mistake at_most=0.5 says="no free support vector: "
# the mean of all where there is an interval
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)
    return e[free].mean() if free.any() else e.mean()
```

```mistake at_most=0.5 says="rounded multipliers: "
# rounding errors taken for free support vectors
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return e[free].mean()
    lower = (alpha == 0) == (y > 0)
    return (e[lower].max() + e[~lower].min()) / 2
```

```mistake at_most=0.5 says="no free support vector: "
# the textbook formula of the hard margin, at bounded points too
import numpy as np


def offset(alpha, y, K, C):
    e = y - K @ (alpha * y)
    zero, full = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C
    free = ~zero & ~full
    if free.any():
        return e[free].mean()
    return (e[y > 0].max() + e[y < 0].min()) / 2
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases

Machine = tuple[np.ndarray, np.ndarray, np.ndarray, float]


def solved_machine(
    rng: np.random.Generator, size: int, free: bool = True, zeros: bool = True
) -> Machine:
    """A soft-margin machine made backwards: the multipliers first, then the points.

    Points with α > 0 have small random features, which give F₀ = Σ αyz⊤z. A free point
    gets a coordinate of its own, long enough for yF = 1; points with α = 0 lie far
    out along ± w.
    """
    C, b = float(rng.choice([1.0, 2.0])), float(rng.choice([-0.5, -0.25, 0.25, 0.5]))
    pairs = max(size // 2, 1)
    bounded = np.tile([1.0, -1.0], pairs)
    shares, signs = (
        ([0.5, 0.5], [1, -1]) if size < 4 else ([0.5, 0.25, 0.75], [1, 1, -1])
    )
    inner, labels = (C * np.array(shares), signs) if free else (np.zeros(0), [])
    y = np.r_[bounded, labels]
    alpha = np.r_[np.full(len(bounded), C), inner]
    Z = rng.integers(1, 6, (len(y), 3)) * y[:, None]
    Z = Z / np.sqrt(4 * np.abs(Z @ Z.T @ (alpha * y)).max())  # so that |F₀| ≤ ¼
    F = Z @ Z.T @ (alpha * y)
    own = np.where((alpha > 0) & (alpha < C), (1 - y * b - y * F) / alpha, 0.0)
    w = Z.T @ (alpha * y)
    far = np.array([1.0, -1.0, 1.0])[: size - 1] if zeros else np.zeros(0)
    reach = (1 - far * b + rng.integers(1, 4, len(far)) / 2) / (w @ w)
    Z = np.r_[Z, (far * reach)[:, None] * w]
    K = Z @ Z.T + np.diag(np.r_[own, np.zeros(len(far))])
    order = rng.permutation(len(Z))
    alpha, y = np.r_[alpha, np.zeros(len(far))][order], np.r_[y, far][order]
    return alpha, y, K[np.ix_(order, order)], C


def without_free(rng: np.random.Generator, size: int) -> Machine:
    """All multipliers are 0 or C."""
    return solved_machine(rng, size, free=False)


def only_bounded(rng: np.random.Generator, size: int) -> Machine:
    """All multipliers are C."""
    return solved_machine(rng, size, free=False, zeros=False)


def rounded(rng: np.random.Generator, size: int) -> Machine:
    """Multipliers as a solver leaves them: 0 and C with a little noise."""
    alpha, y, K, C = solved_machine(rng, size)
    noise = rng.uniform(1e-13, 1e-11, len(alpha)) * C
    noisy = np.where(alpha == 0, noise, np.where(alpha == C, C - noise, alpha))
    return noisy, y, K, C


def offset_of(alpha: np.ndarray, y: np.ndarray, K: np.ndarray, C: float) -> float:
    """b by its conditions, point by point."""
    lower, upper, exact = [-np.inf], [np.inf], []
    for k in range(len(y)):
        bound = float(y[k] - sum(alpha[j] * y[j] * K[k, j] for j in range(len(y))))
        if 1e-8 * C < alpha[k] < (1 - 1e-8) * C:
            exact.append(bound)
        elif (alpha[k] <= 1e-8 * C) == (y[k] > 0):
            lower.append(bound)
        else:
            upper.append(bound)
    return float(np.mean(exact)) if exact else (max(lower) + min(upper)) / 2


QUESTION = question(
    __file__,
    __doc__,
    reference=offset_of,
    inputs=solved_machine,
    edge_cases=(
        Cases("no free support vector", without_free),
        Cases("all multipliers are C", only_bounded),
        Cases("rounded multipliers", rounded),
    ),
)
