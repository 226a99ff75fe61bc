r"""
---
kind: code
title: The error on a new mixture
points: 7
proofs: own
signature: def left_out_by_group(K, t, lam, groups):
---

The chapter compared concrete by rows and by mixtures, and only the second told how well
a *new* mixture is predicted. Some samples of that table are handed to you: their Gram
matrix `K` (a Gaussian kernel of the ingredients and the age), their strengths `t` in
MPa minus the mean, and `groups`: samples of the same mixture have the same number.

Write `left_out_by_group(K, t, lam, groups)`. It returns the vector of the residuals
$t_i - f_{-g}(x_i)$, where $f_{-g}$ is fitted by kernel ridge regression (no intercept)
to all samples *except those of the mixture* $g$ to which sample $i$ belongs. There are
two mixtures at least; their samples need not be neighbours in the list.

```hints
For each number in `np.unique(groups)`: train on the samples with another number,
predict those with this one.

`K[np.ix_(test, train)]` is the part of `K` with these rows and columns. Prediction
needs the columns of the training samples.

There is also a closed form, as for single points: with $G = (K + \lambda I)^{-1}$ and
$a = Gt$, the residuals of the group with the index set $B$ are $G_{BB}^{-1}a_B$.
```

```reference refit without each mixture
import numpy as np


def left_out_by_group(K, t, lam, groups):
    residuals = np.zeros(len(t))
    for group in np.unique(groups):
        test, train = groups == group, groups != group
        A = K[np.ix_(train, train)] + lam * np.eye(train.sum())
        a = np.linalg.solve(A, t[train])
        residuals[test] = t[test] - K[np.ix_(test, train)] @ a
    return residuals
```

```reference the closed form
import numpy as np


def left_out_by_group(K, t, lam, groups):
    G = np.linalg.inv(K + lam * np.eye(len(t)))
    a = G @ t
    residuals = np.zeros(len(t))
    for group in np.unique(groups):
        B = np.flatnonzero(groups == group)
        residuals[B] = np.linalg.solve(G[np.ix_(B, B)], a[B])
    return residuals
```

```mistake at_most=0
# single samples are left out: their twins stay
import numpy as np


def left_out_by_group(K, t, lam, groups):
    G = np.linalg.inv(K + lam * np.eye(len(t)))
    return G @ t / np.diag(G)
```

```mistake at_most=0
# nothing is left out
import numpy as np


def left_out_by_group(K, t, lam, groups):
    return t - K @ np.linalg.solve(K + lam * np.eye(len(t)), t)
```

```mistake at_most=0
# the predictions, not the residuals
import numpy as np


def left_out_by_group(K, t, lam, groups):
    f = np.zeros(len(t))
    for group in np.unique(groups):
        test, train = groups == group, groups != group
        A = K[np.ix_(train, train)] + lam * np.eye(train.sum())
        f[test] = K[np.ix_(test, train)] @ np.linalg.solve(A, t[train])
    return f
```

```mistake at_most=0.5
# appends group after group: wrong as soon as a mixture is scattered over the list
import numpy as np


def left_out_by_group(K, t, lam, groups):
    residuals = []
    for group in np.unique(groups):
        test, train = groups == group, groups != group
        A = K[np.ix_(train, train)] + lam * np.eye(train.sum())
        a = np.linalg.solve(A, t[train])
        residuals.extend(t[test] - K[np.ix_(test, train)] @ a)
    return np.array(residuals)
```
"""

from functools import lru_cache
from typing import Any

import numpy as np

from kernellab import KernelRidge, data
from kernellab.grading.authoring import question
from kernellab.grading.questions.code_questions import Cases
from kernellab.kernels import Gaussian


@lru_cache(maxsize=1)
def concrete() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ingredients and log age, standardised; the strengths; the mixtures."""
    table = data.concrete()
    X = np.column_stack([table.X[:, :7], np.log(table.X[:, 7])])
    mixtures = np.asarray(table.groups)
    return (X - X.mean(axis=0)) / X.std(axis=0), table.y, mixtures


def left_out_by_group(
    K: np.ndarray, t: np.ndarray, lam: float, groups: np.ndarray
) -> np.ndarray:
    """The reference of `mixtures-left-out`: one fit for each mixture."""
    groups = np.asarray(groups)
    residuals = np.empty(len(t))
    for group in np.unique(groups):
        test, train = groups == group, groups != group
        model = KernelRidge("precomputed", lam=lam)
        model.fit(K[np.ix_(train, train)], t[train])
        residuals[test] = t[test] - model.predict(K[np.ix_(test, train)])
    return residuals


def sample(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Return all ages of a few mixtures, in no order."""
    X, strength, mixtures = concrete()
    several = np.flatnonzero(np.bincount(mixtures) > 1)
    chosen = rng.choice(several, max(size // 2, 2), replace=False)
    rows = rng.permutation(np.flatnonzero(np.isin(mixtures, chosen)))
    t = strength[rows] - strength[rows].mean()
    lam = float(rng.choice([0.1, 0.3, 1.0]))
    groups = np.unique(mixtures[rows], return_inverse=True)[1]
    return Gaussian(sigma=2.0)(X[rows]), t, lam, groups


def singles(rng: np.random.Generator, size: int) -> tuple[Any, ...]:
    """Return samples of different mixtures: leave-one-out, after all."""
    K, t, lam, groups = sample(rng, size)
    first = np.unique(groups, return_index=True)[1]
    return K[np.ix_(first, first)], t[first], lam, groups[first]


QUESTION = question(
    __file__,
    __doc__,
    reference=left_out_by_group,
    inputs=sample,
    edge_cases=(Cases("one sample of each mixture", singles, count=2),),
)
