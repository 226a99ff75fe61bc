"""Gaussian process classification: the evidence and its gradient, and a fit.

scikit-learn's classifier for two classes uses the same approximation, so that both
evidences must agree. For several classes it trains one machine per class against the
rest; that is another model, and is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn import gaussian_process as peers
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.gp import GaussianProcessClassifier

GROUP = "GP classification"
THETA = np.log([4.0, 1.5])


def cases(quick: bool) -> Iterator[Case]:
    """Scaled Gaussian kernel in the plane, two classes."""
    for n in (200,) if quick else (500, 1_000):
        yield Case(
            GROUP,
            "evidence and gradient",
            f"n = {n:,}",
            "scikit-learn",
            partial(evidence, n),
            target=1.0,
        )


def evidence(n: int) -> Contest:
    """log p(y) and its gradient in two parameters, by Laplace's approximation."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n) > 0, 1, 0)
    mine = GaussianProcessClassifier(1.0 * kl.Gaussian()).fit(X, y, optimize=False)
    other = peers.GaussianProcessClassifier(ConstantKernel() * RBF(), optimizer=None)
    other.fit(X, y)

    def checks(a: tuple[float, np.ndarray], b: tuple[float, np.ndarray]) -> list[Check]:
        return [
            Check("difference of the evidence", abs(a[0] - b[0]), 1e-3),
            Check("difference of a slope", float(np.abs(a[1] - b[1]).max()), 1e-2),
        ]

    return Contest(
        lambda: mine.log_marginal_likelihood(THETA, gradient=True),
        lambda: other.log_marginal_likelihood(THETA, eval_gradient=True),
        checks,
    )
