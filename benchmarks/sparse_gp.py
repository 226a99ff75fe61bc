"""Sparse Gaussian processes: many points through a few landmarks, beside exact ones.

scikit-learn has no sparse process. So its user takes the exact one on as many points as
there is time for, and that is the peer, on a part of the points; kernellab's own exact
process is the other. Parameters are given, and nothing is learned: the time is that of
the posterior with its variances. The sparse process has more points to learn from, so
its test error must not be larger.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.gp import GaussianProcess
from kernellab.sparse_gp import SparseGaussianProcess

GROUP = "sparse Gaussian process"
SCALE, SIGMA, NOISE = 2.0, 1.0, 0.09
KERNEL = SCALE * kl.Gaussian(sigma=SIGMA)


def cases(quick: bool) -> Iterator[Case]:
    """All points through 100 landmarks, and a part of them exactly."""
    n, some = (10_000, 1_000) if quick else (100_000, 4_000)
    for peer, prepare in (
        ("scikit-learn GPRegressor", peer_on_some),
        ("kernellab, exact", exact_on_some),
    ):
        yield Case(
            GROUP,
            "posterior, variances",
            f"n = {n:,}; the peer {some:,} of them",
            peer,
            partial(prepare, n, some),
            memory=True,
            memory_target=50.0,
        )


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points in the plane and noisy targets; 1,000 more for a test."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(n + 1_000, 2))
    f = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 3
    return X, f + np.sqrt(NOISE) * rng.normal(size=len(X))


def contest(n: int, fit_and_predict: Any) -> Contest:
    """The sparse process on all n points, the peer on those it is given."""
    X, t = problem(n)
    new, truth = X[n:], t[n:]

    def sparse() -> tuple[np.ndarray, np.ndarray]:
        model = SparseGaussianProcess(KERNEL, NOISE, rank=100)
        return model.fit(X[:n], t[:n], optimize=False).predict_f(new)

    def checks(mine: Any, other: Any) -> list[Check]:
        ratio = np.mean((mine[0] - truth) ** 2) / np.mean((other[0] - truth) ** 2)
        surer = float(np.mean(mine[1] > other[1]))
        return [
            Check("test error, relative to the peer's, − 1", float(ratio) - 1, 0.01),
            Check("share of variances above the peer's", surer, 0.01),
        ]

    return Contest(sparse, lambda: fit_and_predict(X, t, new), checks)


def peer_on_some(n: int, some: int) -> Contest:
    """scikit-learn's exact process on some of the points."""

    def task(X: np.ndarray, t: np.ndarray, new: np.ndarray) -> Any:
        kernel = ConstantKernel(SCALE) * RBF(SIGMA)
        model = Peer(kernel, alpha=NOISE, optimizer=None).fit(X[:some], t[:some])
        mean, deviation = model.predict(new, return_std=True)
        return mean, deviation**2

    return contest(n, task)


def exact_on_some(n: int, some: int) -> Contest:
    """kernellab's exact process on some of the points."""

    def task(X: np.ndarray, t: np.ndarray, new: np.ndarray) -> Any:
        model = GaussianProcess(KERNEL, NOISE)
        return model.fit(X[:some], t[:some], optimize=False).predict_f(new)

    return contest(n, task)
