r"""
---
kind: code
title: A stochastic gradient that proves its error
points: 7
proofs: own
signature: def pegasos(X, y, lam, orders):
---

The usual stochastic gradient ends when you lose patience. This one tells you how far
from the optimum it can be at most. Write `pegasos(X, y, lam, orders)` for the linear
machine without bias. `X` has a row per document, `y` holds labels $\pm1$, and each
row of `orders` is a pass: a permutation of $0, \dots, n - 1$. Start from $w = 0$ and
visit the documents in these orders, one pass after the other, with

$$
w \leftarrow w - \eta_t\,\bigl(\lambda w - [\,y_i\, w^\top x_i < 1\,]\; y_i x_i\bigr),
\qquad \eta_t = \frac{1}{\lambda t} ,
$$

where $t = 1, 2, \dots$ counts all visits. With $C = 1/(\lambda n)$, return

- the last $w$;
- the array $\alpha$, where $\alpha_i$ is $C$ times the share of its visits at which
  document $i$ was violated;
- the duality gap $\frac12\|w\|^2 + C\sum_i \max(0, 1 - y_i\, w^\top x_i) - D(\alpha)$,
  with $D(\alpha) = \sum_i \alpha_i - \frac12\|\sum_i \alpha_i y_i x_i\|^2$.

```hints
After $k$ passes $w = \sum_i \alpha_i y_i x_i$. A program that keeps the sum of the
violated $y_i x_i$ and divides it by $\lambda t$ never has to shrink $w$.

Count the visits over all passes: $t$ does not start again.

Each document has as many visits as there are passes, `len(orders)`.
```

```reference step by step
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints, t = np.zeros(d), np.zeros(n), 0
    for order in orders:
        for i in order:
            t += 1
            violated = y[i] * (X[i] @ w) < 1
            w = w - (lam * w - violated * y[i] * X[i]) / (lam * t)
            complaints[i] += violated
    C = 1 / (lam * n)
    alpha = C * complaints / len(orders)
    v = X.T @ (alpha * y)
    primal = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
    return w, alpha, primal - (alpha.sum() - v @ v / 2)
```

```reference by the sum
import numpy as np


def pegasos(X, y, lam, orders):
    Z = X * y[:, None]
    complaints = np.zeros(len(Z))
    total = np.zeros(Z.shape[1])
    for t, i in enumerate(np.ravel(orders)):
        if t == 0 or Z[i] @ total < lam * t:
            total += Z[i]
            complaints[i] += 1
    w = total / (lam * np.size(orders))
    alpha = complaints / (lam * np.size(orders))
    hinge = np.clip(1 - Z @ w, 0, None)
    return w, alpha, w @ w + hinge.sum() / (lam * len(Z)) - alpha.sum()
```

```mistake at_most=0 says="regular: "
# a perceptron: documents count only if they are on the wrong side
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints, t = np.zeros(d), np.zeros(n), 0
    for order in orders:
        for i in order:
            t += 1
            violated = y[i] * (X[i] @ w) <= 0
            w = w - (lam * w - violated * y[i] * X[i]) / (lam * t)
            complaints[i] += violated
    C = 1 / (lam * n)
    alpha = C * complaints / len(orders)
    primal = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
    return w, alpha, primal - (alpha.sum() - w @ w / 2)
```

```mistake at_most=0.5 says="cases right"
# t starts again with each pass
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints = np.zeros(d), np.zeros(n)
    for order in orders:
        for t, i in enumerate(order, start=1):
            violated = y[i] * (X[i] @ w) < 1
            w = w - (lam * w - violated * y[i] * X[i]) / (lam * t)
            complaints[i] += violated
    C = 1 / (lam * n)
    alpha = C * complaints / len(orders)
    v = X.T @ (alpha * y)
    primal = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
    return w, alpha, primal - (alpha.sum() - v @ v / 2)
```

```mistake at_most=0 says="value 1 of 3"
# w does not shrink
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints, t = np.zeros(d), np.zeros(n), 0
    for order in orders:
        for i in order:
            t += 1
            if y[i] * (X[i] @ w) < 1:
                w = w + y[i] * X[i] / (lam * t)
                complaints[i] += 1
    C = 1 / (lam * n)
    alpha = C * complaints / len(orders)
    v = X.T @ (alpha * y)
    primal = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
    return w, alpha, primal - (alpha.sum() - v @ v / 2)
```

```mistake at_most=0 says="value 2 of 3"
# complaints are not divided by the number of visits
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints, t = np.zeros(d), np.zeros(n), 0
    for order in orders:
        for i in order:
            t += 1
            violated = y[i] * (X[i] @ w) < 1
            w = w - (lam * w - violated * y[i] * X[i]) / (lam * t)
            complaints[i] += violated
    C = 1 / (lam * n)
    alpha = C * complaints
    primal = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
    return w, alpha, primal - (alpha.sum() - w @ w / 2)
```

```mistake at_most=0 says="value 3 of 3"
# the primal value in the scale of λ, the dual value in that of C
import numpy as np


def pegasos(X, y, lam, orders):
    n, d = X.shape
    w, complaints, t = np.zeros(d), np.zeros(n), 0
    for order in orders:
        for i in order:
            t += 1
            violated = y[i] * (X[i] @ w) < 1
            w = w - (lam * w - violated * y[i] * X[i]) / (lam * t)
            complaints[i] += violated
    C = 1 / (lam * n)
    alpha = C * complaints / len(orders)
    primal = lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
    return w, alpha, primal - (alpha.sum() - w @ w / 2)
```
"""

import numpy as np

from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases

Documents = tuple[np.ndarray, np.ndarray, float, np.ndarray]


def pegasos(
    X: np.ndarray, y: np.ndarray, lam: float, orders: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The reference of `code-pegasos`: w as the sum of the violated documents."""
    Z, C = y[:, None] * X, 1 / (lam * len(y))
    complaints, w = np.zeros(len(y)), np.zeros(X.shape[1])
    for t, i in enumerate(orders.ravel(), start=1):
        complaints[i] += Z[i] @ w < 1
        w = complaints @ Z / (lam * t)
    alpha = C * complaints / len(orders)
    slack = np.maximum(0, 1 - Z @ w).sum()
    dual = alpha.sum() - np.sum((alpha @ Z) ** 2) / 2
    return w, alpha, float(w @ w / 2 + C * slack - dual)


def draw(rng: np.random.Generator, n: int, passes: int) -> Documents:
    """Documents with noise; λ has many digits, so that no margin is exactly 1."""
    y = rng.choice([-1.0, 1.0], size=n)
    X = (rng.normal(size=(n, 2)) + y[:, None]).round(2)
    orders = np.array([rng.permutation(n) for _ in range(passes)])
    return X, y, float(rng.uniform(0.1, 0.6)), orders


def several_passes(rng: np.random.Generator, size: int) -> Documents:
    return draw(rng, size + 2, size + 1)


def one_pass(rng: np.random.Generator, size: int) -> Documents:
    return draw(rng, size + 4, 1)


def one_document(rng: np.random.Generator, size: int) -> Documents:
    return draw(rng, 1, size + 2)


QUESTION = question(
    __file__,
    __doc__,
    reference=pegasos,
    inputs=several_passes,
    edge_cases=(
        Cases("one pass", one_pass, count=2),
        Cases("one document", one_document, count=2),
    ),
)
