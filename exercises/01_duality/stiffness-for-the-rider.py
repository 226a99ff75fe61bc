r"""
---
kind: code
title: How stiff for the rider?
points: 6
proofs: own
signature: def best_lambda(x, t, sigma, lams):
---

Some of the 133 measurements of the [rider's head](../chapters/00_tour.ipynb) are handed
to you: times `x` in milliseconds and accelerations `t` in $g$, two arrays of the same
length. Write `best_lambda(x, t, sigma, lams)`, which returns that number in the list
`lams` for which kernel ridge regression with the Gaussian kernel of width `sigma` (no
intercept) has the smallest mean squared *leave-one-out* error. A time may occur
more than once: now and then several measurements were taken at the same moment.

```hints
The kernel is $k(x, x') = e^{-(x - x')^2/2\sigma^2}$, and `x[:, None] - x` is the matrix
of all differences.

The residuals with a point left out are $a_i / [(K + \lambda I)^{-1}]_{ii}$, where
$a = (K + \lambda I)^{-1}t$: no refitting.

`min(lams, key=error)` returns the number at which a function `error` is smallest.
```

```reference closed form
import numpy as np


def best_lambda(x, t, sigma, lams):
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))

    def error(lam):
        inverse = np.linalg.inv(K + lam * np.eye(len(t)))
        return np.mean((inverse @ t / np.diag(inverse)) ** 2)

    return min(lams, key=error)
```

```reference one decomposition for all
import numpy as np


def best_lambda(x, t, sigma, lams):
    mu, U = np.linalg.eigh(np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2)))
    c = U.T @ t
    errors = [
        np.mean((U @ (c / (mu + lam)) / (U**2 @ (1 / (mu + lam)))) ** 2)
        for lam in lams
    ]
    return lams[int(np.argmin(errors))]
```

```mistake at_most=0
# the training error is smallest for the smallest λ
import numpy as np


def best_lambda(x, t, sigma, lams):
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))

    def error(lam):
        return np.mean((t - K @ np.linalg.solve(K + lam * np.eye(len(t)), t)) ** 2)

    return min(lams, key=error)
```

```mistake at_most=0.5
# the penalty of a mean, nλ
import numpy as np


def best_lambda(x, t, sigma, lams):
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))

    def error(lam):
        inverse = np.linalg.inv(K + lam * len(t) * np.eye(len(t)))
        return np.mean((inverse @ t / np.diag(inverse)) ** 2)

    return min(lams, key=error)
```

```mistake at_most=0.5
# the index and not the number
import numpy as np


def best_lambda(x, t, sigma, lams):
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))

    def error(lam):
        inverse = np.linalg.inv(K + lam * np.eye(len(t)))
        return np.mean((inverse @ t / np.diag(inverse)) ** 2)

    return int(np.argmin([error(lam) for lam in lams]))
```
"""

from typing import Any

import numpy as np

from kernellab import KernelRidge, data
from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian

LAMBDAS = [1e-4, 1e-2, 1.0, 30.0, 1000.0]


def left_out(
    x: np.ndarray, t: np.ndarray, sigma: float, lams: list[float]
) -> list[float]:
    """The mean squared leave-one-out error for each λ, by the library."""
    fits = [KernelRidge(Gaussian(sigma), lam=lam).fit(x[:, None], t) for lam in lams]
    return [float(np.mean(fit.loo_residuals_**2)) for fit in fits]


def best_lambda(x: np.ndarray, t: np.ndarray, sigma: float, lams: list[float]) -> float:
    """The reference of `stiffness-for-the-rider`."""
    return lams[int(np.argmin(left_out(x, t, sigma, lams)))]


def sample(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Measurements of the rider, drawn until one λ wins by a clear margin."""
    rider = data.motorcycle()
    while True:
        rows = np.sort(rng.choice(len(rider.y), min(10 * size, 100), replace=False))
        x, t = rider.X[rows, 0], rider.y[rows]
        sigma = float(rng.choice([3.0, 5.0, 8.0]))
        first, second = sorted(left_out(x, t, sigma, LAMBDAS))[:2]
        if second > 1.02 * first:
            return x, t, sigma, LAMBDAS


def wide(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """A list in no order."""
    x, t, sigma, lams = sample(rng, size)
    return x, t, sigma, [float(lam) for lam in rng.permutation(lams)]


QUESTION = question(
    __file__,
    __doc__,
    reference=best_lambda,
    inputs=sample,
    edge_cases=(Cases("a list in no order", wide, count=2),),
)
