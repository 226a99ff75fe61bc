r"""
---
kind: code
title: Fit with bumps
points: 6
proofs: own
signature: def fit_bumps(x, t, centres, sigma, lam, new):
---

Polynomials bend everywhere at once: a point at one end moves the curve at the other.
Bumps are local. Take a bias and one Gaussian bump around each of $M$ given centres,

$$
\varphi(x) = \bigl(1,\; e^{-(x - \mu_1)^2/(2\sigma^2)},\; \dots,\;
  e^{-(x - \mu_M)^2/(2\sigma^2)}\bigr) .
$$

Write `fit_bumps(x, t, centres, sigma, lam, new)`. It finds the weights $w$ that
minimise $\|t - \Phi w\|^2 + \lambda\|w\|^2$ for the training inputs `x` and targets
`t`, where the bias is penalised like all other weights, and returns the predictions
$w^\top\varphi$ at the inputs `new`, as an array. All inputs are numbers; `x`, `t`,
`centres` and `new` are arrays of one dimension. There may be more bumps than points.

```hints
Write the features as a function of the inputs: training and new inputs need the same
ones. `x[:, None] - centres` has a row per input and a column per centre.

Put a column of ones in front, with `np.column_stack` or `np.hstack`.

$w = (\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top t$, a system of $M + 1$ equations; and
with $K = \Phi\Phi^\top$ there is a way with $n$ equations.
```

```reference in the primal
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        bumps = np.exp(-((z[:, None] - centres) ** 2) / (2 * sigma**2))
        return np.hstack([np.ones((len(z), 1)), bumps])

    Phi = features(x)
    A = Phi.T @ Phi + lam * np.eye(Phi.shape[1])
    return features(new) @ np.linalg.solve(A, Phi.T @ t)
```

```reference in the dual
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def gram(u, v):
        a = np.exp(-0.5 * (np.subtract.outer(u, centres) / sigma) ** 2)
        b = np.exp(-0.5 * (np.subtract.outer(v, centres) / sigma) ** 2)
        return 1 + a @ b.T

    a = np.linalg.solve(gram(x, x) + lam * np.eye(len(x)), t)
    return gram(new, x) @ a
```

```reference least squares with more rows
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        rows = []
        for value in z:
            bumps = [np.exp(-((value - m) ** 2) / (2 * sigma**2)) for m in centres]
            rows.append([1.0, *bumps])
        return np.array(rows)

    Phi = features(x)
    p = Phi.shape[1]
    tall = np.vstack([Phi, np.sqrt(lam) * np.eye(p)])
    w = np.linalg.lstsq(tall, np.append(t, np.zeros(p)), rcond=None)[0]
    return features(new) @ w
```

```mistake at_most=0 says="regular: "
# the bias is forgotten
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        return np.exp(-((z[:, None] - centres) ** 2) / (2 * sigma**2))

    Phi = features(x)
    A = Phi.T @ Phi + lam * np.eye(Phi.shape[1])
    return features(new) @ np.linalg.solve(A, Phi.T @ t)
```

```mistake at_most=0 says="regular: "
# bumps around the training points: this is the Gaussian kernel, another model
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def kernel(u, v):
        return 1 + np.exp(-((u[:, None] - v) ** 2) / (2 * sigma**2))

    a = np.linalg.solve(kernel(x, x) + lam * np.eye(len(x)), t)
    return kernel(new, x) @ a
```

```mistake at_most=0 says="regular: "
# the 2 of the exponent is missing
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        bumps = np.exp(-((z[:, None] - centres) ** 2) / sigma**2)
        return np.hstack([np.ones((len(z), 1)), bumps])

    Phi = features(x)
    A = Phi.T @ Phi + lam * np.eye(Phi.shape[1])
    return features(new) @ np.linalg.solve(A, Phi.T @ t)
```

```mistake at_most=0 says="regular: "
# the bias is left free of the penalty
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        bumps = np.exp(-((z[:, None] - centres) ** 2) / (2 * sigma**2))
        return np.hstack([np.ones((len(z), 1)), bumps])

    Phi = features(x)
    penalty = lam * np.eye(Phi.shape[1])
    penalty[0, 0] = 0
    A = Phi.T @ Phi + penalty
    return features(new) @ np.linalg.solve(A, Phi.T @ t)
```

```mistake at_most=0 says="regular: "
# λ of the mean squared error, where that of the sum is asked for
import numpy as np


def fit_bumps(x, t, centres, sigma, lam, new):
    def features(z):
        bumps = np.exp(-((z[:, None] - centres) ** 2) / (2 * sigma**2))
        return np.hstack([np.ones((len(z), 1)), bumps])

    Phi = features(x)
    A = Phi.T @ Phi + lam * len(x) * np.eye(Phi.shape[1])
    return features(new) @ np.linalg.solve(A, Phi.T @ t)
```
"""

from typing import Any

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian
from kernellab.ridge import primal_ridge


def fit_bumps(
    x: np.ndarray,
    t: np.ndarray,
    centres: np.ndarray,
    sigma: float,
    lam: float,
    new: np.ndarray,
) -> np.ndarray:
    """The reference of `code-gaussian-basis`, by the library."""

    def features(z: np.ndarray) -> np.ndarray:
        bumps = Gaussian(sigma=sigma)(z[:, None], centres[:, None])
        return np.hstack([np.ones((len(z), 1)), bumps])

    return np.asarray(features(new) @ primal_ridge(features(x), t, lam))


def draw(rng: np.random.Generator, points: int, bumps: int) -> tuple[Any, ...]:
    """Points and centres on a short stretch of the line, with few digits."""
    x = rng.integers(-8, 9, size=points) / 4
    t = rng.integers(-4, 5, size=points).astype(float) + 5
    centres = np.linspace(-2, 2, bumps)
    sigma, lam = float(rng.choice([0.5, 0.75, 1.0])), float(rng.choice([0.5, 1.0]))
    return x, t, centres, sigma, lam, np.array([-1.5, 0.25, 1.0])


def points(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More points than weights."""
    return draw(rng, size + 4, size)


def many_bumps(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """More weights than points."""
    return draw(rng, size, size + 5)


def far_away(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """New inputs where every bump has died out: the bias is left."""
    x, t, centres, _, lam, _ = draw(rng, size + 4, size)
    return x, t, centres, 0.5, lam, np.array([-40.0, 40.0])


QUESTION = question(
    __file__,
    __doc__,
    reference=fit_bumps,
    inputs=points,
    edge_cases=(
        Cases("more bumps than points", many_bumps),
        Cases("far away", far_away, count=2),
    ),
)
