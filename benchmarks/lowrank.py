"""Ridge regression on low-rank features: Nyström's and random Fourier features.

Both libraries get the same number of columns. The features are random, so the answers
are not the same: the test errors are compared. Landmarks are drawn uniformly, as
scikit-learn does; one case has kernellab's default, which chooses them by random
pivots of a Cholesky factorisation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem as Landmarks
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.lowrank import LowRankRidge, Nystroem, RandomFourier

GROUP = "low rank"
D, LAM = 10, 1.0
KERNEL, GAMMA = kl.Gaussian(sigma=np.sqrt(D)), 1 / (2 * D)
NYSTROEM, FOURIER = "scikit-learn Nystroem", "scikit-learn RBFSampler"


def cases(quick: bool) -> Iterator[Case]:
    """Many points; 500 columns."""
    rank, sizes = (100, (20_000,)) if quick else (500, (100_000, 1_000_000))
    for n in sizes:
        yield _case(
            "Nyström ridge",
            f"n = {n:,}, {rank} landmarks",
            NYSTROEM,
            partial(nystroem, n, rank, "uniform"),
            target=0.35 if n <= 100_000 else 0.2,
            gigabytes=1e-5 * n,
        )
    for n in sizes:
        yield _case(
            "random Fourier ridge",
            f"n = {n:,}, {rank} columns",
            FOURIER,
            partial(fourier, n, rank),
            target=0.5,
            gigabytes=1e-5 * n,
        )
    yield _case(
        "Nyström, random pivots",
        f"n = {sizes[0]:,}, {rank} landmarks",
        NYSTROEM,
        partial(nystroem, sizes[0], rank, "random-pivoted"),
    )


def _case(*words: Any, **limits: float) -> Case:
    """A case with memory: the peer's grows with n, ours must not."""
    return Case(GROUP, *words, memory=True, memory_target=50.0, **limits)


@lru_cache(maxsize=1)
def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy targets; 5,000 more for a test."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n + 5_000, D))
    f = np.sin(2 * X[:, 0]) * X[:, 1] + np.cos(X[:, 2] + X[:, 3])
    return X, f + 0.3 * rng.normal(size=len(X))


def contest(n: int, features: Any, transformer: Any) -> Contest:
    """Ridge regression on either map."""
    X, t = problem(n)

    def error(model: Any) -> float:
        return float(np.mean((model.predict(X[n:]) - t[n:]) ** 2))

    return Contest(
        lambda: LowRankRidge(features, LAM).fit(X[:n], t[:n]),
        lambda: make_pipeline(transformer, Ridge(LAM, fit_intercept=False)).fit(
            X[:n], t[:n]
        ),
        lambda mine, other: [
            Check(
                "test error, relative to the peer's, − 1",
                error(mine) / error(other) - 1,
                0.05,
            )
        ],
    )


def nystroem(n: int, rank: int, landmarks: str) -> Contest:
    """Projection on the features of some points."""
    theirs = Landmarks(gamma=GAMMA, n_components=rank, random_state=0)
    return contest(n, Nystroem(KERNEL, rank, landmarks), theirs)


def fourier(n: int, rank: int) -> Contest:
    """Cosines and sines of half as many frequencies; the peer, shifted cosines."""
    theirs = RBFSampler(gamma=GAMMA, n_components=rank, random_state=0)
    return contest(n, RandomFourier(KERNEL, rank), theirs)
