"""The Gaussian Gram matrix beside scikit-learn's, in time and in memory.

Both run in turn in one process on one thread; the table shows medians and their
ratio (below 1: kernellab is faster). Machines are noisy: read the ratio and its
spread, not the seconds.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

from kernellab import kernels as kl

SIZES = [(5_000, 2), (5_000, 10), (5_000, 20), (5_000, 100)]
REPEATS = 7


def seconds(task: Callable[[], object]) -> float:
    """Time of one run."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def peak(task: Callable[[], object]) -> float:
    """Bytes held at most during one run."""
    tracemalloc.start()
    task()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(most)


def compare(n: int, d: int) -> str:
    """One row of the table."""
    X = np.random.default_rng(0).normal(size=(n, d))
    kernel, gamma = kl.Gaussian(sigma=np.sqrt(d)), 1 / (2 * d)
    ours, theirs = lambda: kernel(X), lambda: rbf_kernel(X, gamma=gamma)
    assert np.abs(ours() - theirs()).max() < 1e-12
    pairs = np.array([(seconds(ours), seconds(theirs)) for _ in range(REPEATS)])
    mine, other = np.median(pairs, axis=0)
    ratios = pairs[:, 0] / pairs[:, 1]
    size = 8 * n * n
    return (
        f"{n:6d} {d:4d} {mine:9.3f} {other:9.3f} {mine / other:7.2f} "
        f"{ratios.min():6.2f}–{ratios.max():.2f} "
        f"{peak(ours) / size:8.2f} {peak(theirs) / size:8.2f}"
    )


def main() -> None:
    """Print the table."""
    print("Gaussian Gram matrix; peak memory in units of the matrix itself")
    print("     n    d      ours   sklearn   ratio  spread    peak     peak (sklearn)")
    with threadpool_limits(1):
        for n, d in SIZES:
            print(compare(n, d))


if __name__ == "__main__":
    main()
