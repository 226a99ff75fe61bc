"""Kernel ridge regression beside scikit-learn's: fit, predict, and a path of λ.

Both run in turn in one process on one thread; the table shows medians, their ratio
(below 1: kernellab is faster) and the smallest and largest ratio of one round.
Machines are noisy: read the ratios, not the seconds.

The path compares 20 values of λ: leave-one-out here; in `GridSearchCV` 5 folds,
another criterion; in `RidgeCV` leave-one-out, given the features K^½ beforehand,
while kernellab starts from the points.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from sklearn.kernel_ridge import KernelRidge as Peer
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV
from threadpoolctl import threadpool_limits

from kernellab import kernels as kl
from kernellab.ridge import KernelRidge

D = 10
KERNEL, GAMMA = kl.Gaussian(sigma=np.sqrt(D)), 1 / (2 * D)
LAMS = np.logspace(-4, 2, 20)
Task = Callable[[], object]


def seconds(task: Task) -> float:
    """CPU time of one run: on one thread, the time without the neighbours' load."""
    start = time.process_time()
    task()
    return time.process_time() - start


def peak(task: Task) -> float:
    """Megabytes held at most during one run, besides what was there."""
    tracemalloc.start()
    task()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def report(what: str, ours: Task, theirs: Task, repeats: int) -> None:
    """One row of the table."""
    pairs = np.array([(seconds(ours), seconds(theirs)) for _ in range(repeats)])
    mine, other = np.median(pairs, axis=0)
    ratios = pairs[:, 0] / pairs[:, 1]
    print(
        f"{what:34s} {mine:9.3f} {other:9.3f} {mine / other:7.2f} "
        f"{ratios.min():6.2f}–{ratios.max():.2f} {peak(ours):9.1f} {peak(theirs):9.1f}",
        flush=True,
    )


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    return X, np.sin(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)


def fit_and_predict(n: int, repeats: int = 7) -> None:
    """One fit; prediction at 10⁴ points."""
    X, t = problem(n)
    Z, _ = problem(10_000)
    ours, theirs = KernelRidge(KERNEL, 0.1), Peer(alpha=0.1, kernel="rbf", gamma=GAMMA)
    assert np.abs(ours.fit(X, t).predict(Z) - theirs.fit(X, t).predict(Z)).max() < 1e-6
    report(f"predict, n = {n}", *(lambda m=m: m.predict(Z) for m in (ours, theirs)), 9)
    del ours, theirs
    report(
        f"fit, n = {n} (K: {8 * n * n / 1e6:.0f} MB)",
        lambda: KernelRidge(KERNEL, 0.1).fit(X, t),
        lambda: Peer(alpha=0.1, kernel="rbf", gamma=GAMMA).fit(X, t),
        repeats,
    )


def path(n: int, repeats: int) -> None:
    """Twenty values of λ."""
    X, t = problem(n)
    values, U = np.linalg.eigh(KERNEL(X))
    root = U * np.sqrt(np.maximum(values, 0))  # root @ root.T is K
    grid = GridSearchCV(Peer(kernel="rbf", gamma=GAMMA), {"alpha": LAMS}, cv=5)
    press = RidgeCV(LAMS, fit_intercept=False)

    def ours() -> object:
        return KernelRidge(KERNEL).path(X, t, LAMS)

    assert KernelRidge(KERNEL).path(X, t, LAMS).best == press.fit(root, t).alpha_
    report(f"path, n = {n}; GridSearchCV", ours, lambda: grid.fit(X, t), repeats)
    report(f"path, n = {n}; RidgeCV", ours, lambda: press.fit(root, t), repeats)


def main() -> None:
    """Print the table."""
    print("Gaussian kernel, d = 10; peak memory in MB")
    print(
        f"{'':34s}      ours   sklearn   ratio  spread         peak  peak (sklearn)",
    )
    with threadpool_limits(1):
        fit_and_predict(4_000)
        path(500, repeats=5)
        path(1_000, repeats=3)


if __name__ == "__main__":
    main()
