r"""
---
kind: code
title: One step of SMO
points: 7
proofs: P-07
signature: def smo_step(alpha, y, K, C, i, j):
---

Write `smo_step(alpha, y, K, C, i, j)`. It gets multipliers with $0 \le \alpha \le C$
and $\sum_k \alpha_k y_k = 0$, labels $\pm 1$, the Gram matrix and two different
indices. It changes $\alpha_i$ and $\alpha_j$ only, such that the sum stays 0 and the
box is kept, and returns the multipliers that then make

$$
D(\alpha) = \sum_k \alpha_k - \frac12\sum_{k,l} \alpha_k\alpha_l\, y_k y_l\, K_{kl}
$$

as large as possible, as a new array of shape `(n,)`. If the two points have the same
features, $K_{ii} + K_{jj} - 2K_{ij} = 0$, and $D$ is a straight line along the step: go
to the end where it is larger, and if it is level, return the multipliers as they are.

```hints
The step is $\alpha_i + t\,y_i$, $\alpha_j - t\,y_j$ for a number $t$. Why does that
keep the sum?

Along it $D$ changes by $t\,(e_i - e_j) - \frac12 t^2\,(K_{ii} + K_{jj} - 2K_{ij})$ with
$e_k = y_k - \sum_l \alpha_l y_l K_{kl}$.

Each of the two conditions $0 \le \alpha \le C$ is an interval for $t$; which end is
which depends on the label. `np.clip` cuts $t$ off.
```

```reference a signed step
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    e = y - K @ (alpha * y)
    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]
    up = C - alpha[i] if y[i] > 0 else alpha[i]
    down = alpha[i] if y[i] > 0 else C - alpha[i]
    up = min(up, alpha[j] if y[j] > 0 else C - alpha[j])
    down = min(down, C - alpha[j] if y[j] > 0 else alpha[j])
    if bend > 1e-12:
        t = np.clip(slope / bend, -down, up)
    else:
        t = 0.0 if abs(slope) < 1e-12 else up if slope > 0 else -down
    new = alpha.copy()
    new[i] += t * y[i]
    new[j] -= t * y[j]
    return new
```

```reference Platt's formulas
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    f = (alpha * y) @ K
    Ei, Ej = f[i] - y[i], f[j] - y[j]
    s = y[i] * y[j]
    if s < 0:
        L = max(0.0, alpha[j] - alpha[i])
        H = min(C, C + alpha[j] - alpha[i])
    else:
        L = max(0.0, alpha[i] + alpha[j] - C)
        H = min(C, alpha[i] + alpha[j])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    gain = y[j] * (Ei - Ej)
    if eta > 1e-12:
        aj = min(max(alpha[j] + gain / eta, L), H)
    elif abs(gain) < 1e-12:
        aj = alpha[j]
    else:
        aj = H if gain > 0 else L
    new = np.array(alpha, dtype=float)
    new[i] = alpha[i] + s * (alpha[j] - aj)
    new[j] = aj
    return new
```

```mistake at_most=0 says="regular: "
# the box is forgotten
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    e = y - K @ (alpha * y)
    t = (e[i] - e[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    new = alpha.copy()
    new[i] += t * y[i]
    new[j] -= t * y[j]
    return new
```

```mistake at_most=0 says="regular: "
# each is cut off by itself: the sum is no longer 0
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    e = y - K @ (alpha * y)
    t = (e[i] - e[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    new = alpha.copy()
    new[i] = np.clip(alpha[i] + t * y[i], 0, C)
    new[j] = np.clip(alpha[j] - t * y[j], 0, C)
    return new
```

```mistake at_most=0 says="regular: "
# the outputs, where the errors f − y belong
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    f = K @ (alpha * y)
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    s = y[i] * y[j]
    if s < 0:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    aj = np.clip(alpha[j] + y[j] * (f[i] - f[j]) / eta, L, H)
    new = alpha.copy()
    new[i] += s * (alpha[j] - aj)
    new[j] = aj
    return new
```

```mistake at_most=0.5 says="the same point twice: "
# no step at all if the points are the same
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    e = y - K @ (alpha * y)
    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]
    up = C - alpha[i] if y[i] > 0 else alpha[i]
    down = alpha[i] if y[i] > 0 else C - alpha[i]
    up = min(up, alpha[j] if y[j] > 0 else C - alpha[j])
    down = min(down, C - alpha[j] if y[j] > 0 else alpha[j])
    t = np.clip(slope / bend, -down, up) if bend > 0 else 0.0
    new = alpha.copy()
    new[i] += t * y[i]
    new[j] -= t * y[j]
    return new
```

```mistake at_most=0 says="regular: "
# the box as if both labels were +1
import numpy as np


def smo_step(alpha, y, K, C, i, j):
    e = y - K @ (alpha * y)
    slope, bend = e[i] - e[j], K[i, i] + K[j, j] - 2 * K[i, j]
    t = slope / bend if bend > 0 else np.sign(slope) * 2 * C
    low = max(-alpha[i], alpha[j] - C)
    high = min(C - alpha[i], alpha[j])
    t = np.clip(t, low, high)
    new = alpha.copy()
    new[i] += t * y[i]
    new[j] -= t * y[j]
    return new
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases

Step = tuple[np.ndarray, np.ndarray, np.ndarray, float, int, int]


def dual_value(alpha: np.ndarray, y: np.ndarray, K: np.ndarray) -> float:
    """Σα − ½ αᵀ diag(y) K diag(y) α."""
    signed = alpha * y
    return float(alpha.sum() - signed @ K @ signed / 2)


def best_on_the_line(
    alpha: np.ndarray, y: np.ndarray, K: np.ndarray, C: float, i: int, j: int
) -> np.ndarray:
    """The best of all α + t(yᵢeᵢ − yⱼeⱼ) in the box: try the vertex and both ends."""
    direction = np.zeros(len(alpha))
    direction[i], direction[j] = y[i], -y[j]
    ends = [sorted((-alpha[k] / direction[k], (C - alpha[k]) / direction[k]))
            for k in (i, j)]  # fmt: skip
    low, high = max(e[0] for e in ends), min(e[1] for e in ends)
    bend = K[i, i] + K[j, j] - 2 * K[i, j]
    slope = (direction * (1 - y * (K @ (alpha * y)))).sum()
    vertex = [slope / bend] if bend > 0 else []
    inside = [t for t in (0.0, *vertex) if low <= t <= high]
    tried = [alpha + t * direction for t in (*inside, low, high)]
    values = np.array([dual_value(a, y, K) for a in tried])
    return tried[int(np.argmax(values > values.max() - 1e-12))]


def feasible(
    rng: np.random.Generator, y: np.ndarray, C: float, steps: int
) -> np.ndarray:
    """Multipliers in the box with Σαy = 0: random moves of two of them."""
    alpha = np.zeros(len(y))
    for _ in range(steps):
        i, j = rng.choice(len(y), 2, replace=False)
        move = np.zeros(len(y))
        move[i], move[j] = y[i], -y[j]
        new = alpha + rng.integers(-2, 3) * C / 4 * move
        if new.min() >= 0 and new.max() <= C:
            alpha = new
    return alpha


def pair_of_points(rng: np.random.Generator, size: int) -> Step:
    """Distinct integer points, feasible multipliers, and two indices."""
    n = size + 1
    X = np.c_[rng.permutation(n) - n // 2, rng.integers(-2, 3, n)].astype(float)
    y = rng.choice([-1.0, 1.0], n)
    C = float(rng.choice([2.0, 8.0]))
    i, j = map(int, rng.choice(n, 2, replace=False))
    if size % 2 == 0:
        y[j] = -y[i]
    return feasible(rng, y, C, 3 * n), y, X @ X.T, C, i, j


def same_label(rng: np.random.Generator, size: int) -> Step:
    """Two points of one class, with something to exchange."""
    X = rng.integers(-2, 3, (size + 2, 2)).astype(float)
    y = np.r_[1.0, 1.0, -np.ones(size)] * rng.choice([-1.0, 1.0])
    alpha = np.r_[1.5, 0.5, np.full(size, 2.0 / size)]
    i, j = rng.permutation(2)
    return alpha, y, X @ X.T + np.eye(size + 2), 2.0, int(i), int(j)


def against_the_box(rng: np.random.Generator, size: int) -> Step:
    """Points so near to each other that the step is cut off."""
    X = rng.integers(-2, 3, (size + 1, 2)) / 8
    y = np.r_[1.0, -1.0, rng.choice([-1.0, 1.0], size - 1)]
    alpha = feasible(rng, y, 1.0, 3)
    return alpha, y, X @ X.T + np.eye(size + 1) / 64, 1.0, 0, 1


def equal_points(rng: np.random.Generator, size: int) -> Step:
    """The same point twice, with both labels or with one: no bend at all."""
    X = rng.integers(-2, 3, (size + 1, 2)).astype(float)
    X[1] = X[0]
    first = rng.choice([-1.0, 1.0])
    second = first if size % 2 else -first
    y = np.r_[first, second, rng.choice([-1.0, 1.0], size - 1)]
    alpha = feasible(rng, y, 1.0, 12)
    if first != second:
        alpha[:2] = 0.25  # both can grow together
        alpha[2:] = feasible(rng, y[2:], 1.0, 6) if size > 2 else 0.0
    return alpha, y, X @ X.T, 1.0, 0, 1


QUESTION = question(
    __file__,
    __doc__,
    reference=best_on_the_line,
    inputs=pair_of_points,
    edge_cases=(
        Cases("two points of one class", same_label),
        Cases("against the box", against_the_box),
        Cases("the same point twice", equal_points, count=6),
    ),
)
