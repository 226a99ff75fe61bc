"""Kernel logistic regression with several classes.

scikit-learn has none: its logistic regression is given the features K^½, and the time
to find them counts. Both minimise the same function to the same accuracy.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.erm import KernelLogisticRegression

GROUP = "logistic regression"
D, LAM, CLASSES = 10, 1e-3, 4
KERNEL = kl.Gaussian(sigma=np.sqrt(D))


def cases(quick: bool) -> Iterator[Case]:
    """Gaussian kernel, ten coordinates, four classes."""
    for n in (200,) if quick else (400, 1_000):
        yield Case(
            GROUP,
            "fit",
            f"n = {n:,}, {CLASSES} classes",
            "scikit-learn, L-BFGS",
            partial(fit, n),
            target=1.0,
        )


def fit(n: int) -> Contest:
    """Fit the probabilities, from the points, to a relative gap of 10⁻⁸."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    y = np.argmax(X[:, :CLASSES] + 0.5 * rng.normal(size=(n, CLASSES)), axis=1)

    def theirs() -> np.ndarray:
        values, U = np.linalg.eigh(KERNEL(X))
        root = U * np.sqrt(np.maximum(values, 0))
        model = LogisticRegression(
            C=1 / (n * LAM), fit_intercept=False, tol=1e-7, max_iter=10_000
        )
        return model.fit(root, y).predict_proba(root)

    return Contest(
        lambda: KernelLogisticRegression(KERNEL, LAM).fit(X, y).predict_proba(X),
        theirs,
        lambda P, Q: [
            Check("difference of a probability", float(np.abs(P - Q).max()), 1e-4)
        ],
    )
