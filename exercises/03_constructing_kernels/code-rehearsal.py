r"""
---
kind: code
title: Rehearse the forecast
points: 7
proofs: own
signature: def rehearsal(x, t, K, end, lam):
---

On the carbon dioxide of Mauna Loa the left-out error praised a kernel whose forecast
was useless. A rehearsal is more honest: pretend that it is the year `end`, learn from
what was measured before, and forecast the next ten years.

Write `rehearsal(x, t, K, end, lam)`. Here `x` holds the times in years, in any order,
`t` the measurements, and `K` is the Gram matrix of a kernel at all of `x`. Fit kernel
ridge regression with $\lambda$ = `lam` to the points with `x < end`, after subtracting
*their* mean from their targets. Predict at the points with `end <= x < end + 10`, with
the mean added again, and return the root of the mean squared error. If no point lies
in these ten years, return 0.

The tests use months from the real record, and kernels with and without a season.

```hints
Two masks, `past = x < end` and `ahead = (x >= end) & (x < end + 10)`, say which rows
and columns of `K` you need. `K[np.ix_(rows, columns)]` cuts out a block.

$a = (K_{\text{past}} + \lambda I)^{-1}(t_{\text{past}} - m)$, and the predictions are
$m + K_{\text{ahead, past}}\, a$.

Nothing that is measured from the year `end` on may enter the fit, not even through the
mean.
```

```reference two masks
import numpy as np


def rehearsal(x, t, K, end, lam):
    past, ahead = x < end, (x >= end) & (x < end + 10)
    if not ahead.any():
        return 0.0
    mean = t[past].mean()
    A = K[np.ix_(past, past)] + lam * np.eye(past.sum())
    a = np.linalg.solve(A, t[past] - mean)
    error = t[ahead] - mean - K[np.ix_(ahead, past)] @ a
    return np.sqrt(np.mean(error**2))
```

```reference one point after the other
import math

import numpy as np


def rehearsal(x, t, K, end, lam):
    past = [i for i in range(len(x)) if x[i] < end]
    ahead = [i for i in range(len(x)) if end <= x[i] < end + 10]
    mean = sum(t[i] for i in past) / len(past)
    A = np.array([[K[i][j] + lam * (i == j) for j in past] for i in past])
    a = np.linalg.inv(A) @ np.array([t[i] - mean for i in past])
    total = 0.0
    for i in ahead:
        prediction = mean + sum(c * K[i][j] for c, j in zip(a, past))
        total += (t[i] - prediction) ** 2
    return math.sqrt(total / len(ahead)) if ahead else 0.0
```

```mistake at_most=0 says="regular: "
# learns from the years that it forecasts
import numpy as np


def rehearsal(x, t, K, end, lam):
    ahead = (x >= end) & (x < end + 10)
    a = np.linalg.solve(K + lam * np.eye(len(x)), t - t.mean())
    error = (t - t.mean() - K @ a)[ahead]
    return np.sqrt(np.mean(error**2)) if ahead.any() else 0.0
```

```mistake at_most=0 says="regular: "
# the mean knows the future
import numpy as np


def rehearsal(x, t, K, end, lam):
    past, ahead = x < end, (x >= end) & (x < end + 10)
    if not ahead.any():
        return 0.0
    mean = t.mean()
    A = K[np.ix_(past, past)] + lam * np.eye(past.sum())
    a = np.linalg.solve(A, t[past] - mean)
    error = t[ahead] - mean - K[np.ix_(ahead, past)] @ a
    return np.sqrt(np.mean(error**2))
```

```mistake at_most=0 says="regular: "
# no mean: forecasts tend to 0 ppm
import numpy as np


def rehearsal(x, t, K, end, lam):
    past, ahead = x < end, (x >= end) & (x < end + 10)
    if not ahead.any():
        return 0.0
    A = K[np.ix_(past, past)] + lam * np.eye(past.sum())
    error = t[ahead] - K[np.ix_(ahead, past)] @ np.linalg.solve(A, t[past])
    return np.sqrt(np.mean(error**2))
```

```mistake at_most=0 says="regular: "
# all the future, not ten years of it
import numpy as np


def rehearsal(x, t, K, end, lam):
    past = x < end
    mean = t[past].mean()
    A = K[np.ix_(past, past)] + lam * np.eye(past.sum())
    a = np.linalg.solve(A, t[past] - mean)
    error = t[~past] - mean - K[np.ix_(~past, past)] @ a
    return np.sqrt(np.mean(error**2)) if len(error) else 0.0
```

```mistake at_most=0.8 says="nothing to forecast: "
# the mean of nothing
import numpy as np


def rehearsal(x, t, K, end, lam):
    past, ahead = x < end, (x >= end) & (x < end + 10)
    mean = t[past].mean()
    A = K[np.ix_(past, past)] + lam * np.eye(past.sum())
    a = np.linalg.solve(A, t[past] - mean)
    error = t[ahead] - mean - K[np.ix_(ahead, past)] @ a
    return np.sqrt(np.sum(error**2) / max(ahead.sum(), 1)) if ahead.any() else None
```
"""

import numpy as np

from kernellab import data
from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian, Linear, Periodic

Task = tuple[np.ndarray, np.ndarray, np.ndarray, float, float]
KERNELS = (
    100 * Gaussian(sigma=5.0),
    (Linear() + 1) ** 2,
    (Linear() + 1) ** 2 + 10 * Periodic(sigma=1.0, period=1.0),
)


def rehearse(
    x: np.ndarray, t: np.ndarray, K: np.ndarray, end: float, lam: float
) -> float:
    """The reference: each point of the ten years by its own row of K."""
    past, ahead = np.flatnonzero(x < end), np.flatnonzero((x >= end) & (x < end + 10))
    mean = float(t[past].mean())
    system = K[past][:, past] + lam * np.eye(len(past))
    a = np.linalg.solve(system, t[past] - mean)
    errors = [t[i] - mean - K[i, past] @ a for i in ahead]
    return float(np.sqrt(np.mean(np.square(errors)))) if errors else 0.0


def months(rng: np.random.Generator, size: int) -> Task:
    """A few dozen months, before and after a year between 1980 and 2000."""
    return _task(rng, 12 * size, float(rng.integers(1980, 2001)))


def nothing_ahead(rng: np.random.Generator, size: int) -> Task:
    """No month has been measured yet from the year `end` on."""
    return _task(rng, 6 * size, 2021.0)


def _task(rng: np.random.Generator, count: int, end: float) -> Task:
    record = data.mauna_loa_co2()
    picked = rng.permutation(len(record))[:count]
    x, t = record.X[picked, 0], record.y[picked]
    k = KERNELS[int(rng.integers(len(KERNELS)))]
    K = k((x - 1985)[:, None])
    return x, t, K, end, float(rng.choice([0.1, 0.5, 1.0]))


QUESTION = question(
    __file__,
    __doc__,
    reference=rehearse,
    inputs=months,
    edge_cases=(Cases("nothing to forecast", nothing_ahead, count=2, smallest=2),),
)
