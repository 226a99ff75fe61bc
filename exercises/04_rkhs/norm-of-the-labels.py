r"""
---
kind: code
title: What norm do these labels need?
points: 6
proofs: own
signature: def norm_needed(X, y, sigma, lams):
---

Some images of the digits 4 and 9 are handed to you, the rows of `X` (64 pixels between
0 and 1), with labels `y` $= \pm1$. Sometimes these are the labels of the digits, and
sometimes they have been shuffled. Write `norm_needed(X, y, sigma, lams)`: fit kernel
ridge regression (Gaussian kernel of width `sigma`, no intercept) with each $\lambda$ of
the list `lams`, and return the smallest norm $\|f\|$ among those fits that classify
every one of the images correctly, $y_i f(x_i) > 0$. There is always one. Then try it on
labels of both kinds: the number tells you which are which.

```hints
The squared distances are $\|x_i\|^2 - 2x_i^\top x_j + \|x_j\|^2$, and
$k(x, x') = e^{-\|x - x'\|^2/2\sigma^2}$.

With $a = (K + \lambda I)^{-1}y$ the values at the images are $Ka$.

The norm is $\sqrt{a^\top K a}$.
```

```reference one system per λ
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / (2 * sigma**2))
    norms = []
    for lam in lams:
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        if np.all(y * (K @ a) > 0):
            norms.append(np.sqrt(a @ K @ a))
    return min(norms)
```

```reference from the spectrum
import numpy as np


def norm_needed(X, y, sigma, lams):
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    mu, U = np.linalg.eigh(np.exp(-(distances**2) / (2 * sigma**2)))
    c = U.T @ y
    right = [
        np.sum(mu * c**2 / (mu + lam) ** 2)
        for lam in lams
        if np.all(y * (U @ (mu * c / (mu + lam))) > 0)
    ]
    return np.sqrt(min(right))
```

```mistake at_most=0
# the norm of the coefficients
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / (2 * sigma**2))
    norms = []
    for lam in lams:
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        if np.all(y * (K @ a) > 0):
            norms.append(np.linalg.norm(a))
    return min(norms)
```

```mistake at_most=0
# the squared norm
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / (2 * sigma**2))
    norms = []
    for lam in lams:
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        if np.all(y * (K @ a) > 0):
            norms.append(a @ K @ a)
    return min(norms)
```

```mistake at_most=0.5
# the interpolant, whose norm is larger than needed
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / (2 * sigma**2))
    return np.sqrt(y @ np.linalg.solve(K, y))
```

```mistake at_most=0.5
# every fit, whether it classifies the images or not
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / (2 * sigma**2))
    fits = [np.linalg.solve(K + lam * np.eye(len(y)), y) for lam in lams]
    return min(np.sqrt(a @ K @ a) for a in fits)
```

```mistake at_most=0.5
# σ² without its 2
import numpy as np


def norm_needed(X, y, sigma, lams):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares[:, None] - 2 * X @ X.T + squares) / sigma**2)
    norms = []
    for lam in lams:
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        if np.all(y * (K @ a) > 0):
            norms.append(np.sqrt(a @ K @ a))
    return min(norms)
```
"""

from functools import cache
from typing import Any

import numpy as np

from kernellab import data
from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian

LAMBDAS = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001]


@cache
def images() -> data.Dataset:
    """The digits 4 and 9 with labels −1 and +1."""
    return data.digits().binary(4, 9)


def fits(X: Any, y: Any, sigma: float, lams: list[float]) -> list[tuple[float, float]]:
    """The norm and the smallest margin of each fit."""
    K = Gaussian(sigma)(X)
    found = []
    for lam in lams:
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        found.append((float(np.sqrt(a @ K @ a)), float(np.min(y * (K @ a)))))
    return found


def norm_needed(X: Any, y: Any, sigma: float, lams: list[float]) -> float:
    """The reference of `norm-of-the-labels`."""
    return min(norm for norm, margin in fits(X, y, sigma, lams) if margin > 0)


def sample(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Images with their labels, drawn until no margin is close to zero."""
    return _drawn(rng, size, shuffle=False)


def shuffled(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """The same with shuffled labels."""
    return _drawn(rng, size, shuffle=True)


def _drawn(rng: np.random.Generator, size: int, shuffle: bool) -> tuple[Any, ...]:
    digits = images()
    while True:
        rows = rng.choice(len(digits), min(8 * size, 60), replace=False)
        X, y = digits.X[rows] / 16, digits.y[rows]
        y = rng.permutation(y) if shuffle else y
        sigma = float(rng.choice([2.0, 3.0]))
        margins = [margin for _, margin in fits(X, y, sigma, LAMBDAS)]
        clear = min(abs(margin) for margin in margins) > 1e-5
        if clear and margins[0] < 0 < margins[-1]:
            return X, y, sigma, LAMBDAS


QUESTION = question(
    __file__,
    __doc__,
    reference=norm_needed,
    inputs=sample,
    edge_cases=(Cases("shuffled labels", shuffled, count=2),),
)
