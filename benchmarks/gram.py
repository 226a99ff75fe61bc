"""The Gaussian Gram matrix."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl

GROUP = "Gram matrix"


def cases(quick: bool) -> Iterator[Case]:
    """Points of dimension 2 to 100."""
    n = 1_500 if quick else 5_000
    for d in (2, 10, 20, 100):
        yield Case(
            GROUP,
            "Gaussian kernel",
            f"n = {n:,}, d = {d}",
            "scikit-learn rbf_kernel",
            partial(prepare, n, d),
            target=0.6 if d <= 20 else 0.8,
            memory=True,
            memory_target=1.05 * 8 * n * n / 1e6,
        )


def prepare(n: int, d: int) -> Contest:
    """K from the points, with σ² = d."""
    X = np.random.default_rng(0).normal(size=(n, d))
    kernel, gamma = kl.Gaussian(sigma=np.sqrt(d)), 1 / (2 * d)
    return Contest(
        lambda: kernel(X),
        lambda: rbf_kernel(X, gamma=gamma),
        lambda K, L: [Check("difference of an entry", np.abs(K - L).max(), 1e-12)],
    )
