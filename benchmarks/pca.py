"""Kernel PCA: a few directions of many points.

scikit-learn uses Lanczos' method for fewer than ten directions and a dense method for
more; ours also looks for an eigenvalue that the first search missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.decomposition import KernelPCA as Peer

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.pca import KernelPCA

GROUP = "kernel PCA"
D = 10
KERNEL, GAMMA = kl.Gaussian(sigma=np.sqrt(D)), 1 / (2 * D)


def cases(quick: bool) -> Iterator[Case]:
    """Gaussian kernel, ten coordinates."""
    for m, target in ((5, 0.7), (10, 0.3), (40, 0.5)):
        n = 1_000 if quick else 2_000
        yield Case(
            GROUP,
            f"{m} directions",
            f"n = {n:,}",
            "scikit-learn KernelPCA",
            partial(fit, n, m),
            target=target,
        )


def fit(n: int, m: int) -> Contest:
    """Find the directions, from the points."""
    X = np.random.default_rng(0).normal(size=(n, D))
    Z = X[:50] + 0.1

    def checks(mine: KernelPCA, other: Peer) -> list[Check]:
        values = np.abs(mine.eigenvalues_ / other.eigenvalues_ - 1).max()
        scores = np.abs(np.abs(mine.transform(Z)) - np.abs(other.transform(Z))).max()
        return [
            Check("relative difference of an eigenvalue", float(values), 1e-8),
            Check("difference of a score", float(scores), 1e-6),
        ]

    return Contest(
        lambda: KernelPCA(KERNEL, m).fit(X),
        lambda: Peer(m, kernel="rbf", gamma=GAMMA).fit(X),
        checks,
    )
