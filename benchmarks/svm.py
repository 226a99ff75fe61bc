"""Support vector machines beside scikit-learn's (LIBSVM): fit and decision function.

Gaussian kernel, C = 1 and 100, the same tolerance 10⁻³ of the same criterion. Both run
in turn in one process on one thread; the table shows medians of CPU time, the median of
the ratios (below 1: kernellab is faster) and the smallest and the largest one. Machines
are noisy: read the ratios, not the seconds.

The violations m(α) − M(α) are computed here for both, in float64, from α alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn import svm as peer
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    make_classification,
    make_moons,
)
from threadpoolctl import threadpool_limits

from kernellab import kernels as kl
from kernellab.svm import SVC

Task = Callable[[], object]
TOL = 1e-3


def data() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Names, points and labels −1, +1."""
    digits = load_digits()
    X, t = digits.data, digits.target
    some = (t == 3) | (t == 8)
    yield "digits, 3 or 8", X[some], np.where(t[some] == 3, 1, -1)
    X_cancer, cancer = load_breast_cancer(return_X_y=True)
    standard = (X_cancer - X_cancer.mean(axis=0)) / X_cancer.std(axis=0)
    yield "breast cancer", standard, 2 * cancer - 1
    yield "digits, even or odd", X, np.where(t % 2 == 0, 1, -1)
    for n in (2_000, 10_000):
        X, label = make_moons(n, noise=0.25, random_state=0)
        yield "moons", X, 2 * label - 1
    for n in (5_000, 10_000):
        X, label = make_classification(
            n, n_features=20, n_informative=8, random_state=0
        )
        yield "classification", X, 2 * label - 1


def seconds(task: Task) -> float:
    """CPU time of one run: on one thread, the time without the neighbours' load."""
    start = time.process_time()
    task()
    return time.process_time() - start


def compare(ours: Task, theirs: Task, repeats: int) -> tuple[str, float]:
    """Part of a row of the table, and the ratio."""
    pairs = np.array([(seconds(ours), seconds(theirs)) for _ in range(repeats)])
    mine, other = 1e3 * np.median(pairs, axis=0)
    ratios = pairs[:, 0] / pairs[:, 1]
    ratio = float(np.median(ratios))
    spread = f"{ratios.min():.2f}–{ratios.max():.2f}"
    return f"{mine:8.1f} {other:8.1f} {ratio:6.2f} {spread:>10s}", ratio


def violation(K_beta: np.ndarray, y: np.ndarray, beta: np.ndarray, C: float) -> float:
    """How far the conditions of Karush, Kuhn and Tucker are from true."""
    slope, alpha = y - K_beta, y * beta
    up = np.where(y > 0, alpha < C, alpha > 0)
    low = np.where(y > 0, alpha > 0, alpha < C)
    return float(slope[up].max() - slope[low].min())


def row(name: str, X: np.ndarray, y: np.ndarray, C: float) -> tuple[float, float]:
    """One row of the table: the ratios of fit and of decision function."""
    n, gamma = len(X), 1 / (X.shape[1] * X.var())
    kernel = kl.Gaussian(sigma=np.sqrt(0.5 / gamma))

    def ours() -> SVC:
        return SVC(kernel, C=C, tol=TOL).fit(X, y)

    def theirs() -> peer.SVC:
        return peer.SVC(C=C, gamma=gamma, tol=TOL).fit(X, y)

    mine, other = ours(), theirs()
    K_mine = mine.decision_function(X) - mine.intercept_
    K_other = other.decision_function(X) - other.intercept_
    beta = np.zeros(n)
    beta[other.support_] = other.dual_coef_[0]
    reached = violation(K_mine, y, y * mine.alpha_, C), violation(K_other, y, beta, C)
    Z = X[np.arange(2_000) % n] + 0.01
    fit, ratio = compare(ours, theirs, 15 if n < 1_000 else 7 if n < 4_000 else 5)
    repeats = 15 if n < 1_000 else 5
    decide, decision = compare(
        lambda: mine.decision_function(Z), lambda: other.decision_function(Z), repeats
    )
    print(
        f"{name:19s} {n:6d} {C:5.0f} {fit} {mine.n_iter_:7d} {other.n_iter_[0]:7d}   "
        f"{reached[0]:.1e} {reached[1]:.1e} {mine.certificate_.relative_gap:.1e} "
        f"{decide}",
        flush=True,
    )
    return ratio, decision


def main() -> None:
    """Print the table."""
    print(
        f"{'':30s}  fit, ms:  peer  ratio     spread   steps    peer    violation: peer"
        f" rel. gap   decision: peer  ratio     spread"
    )
    with threadpool_limits(1):
        ratios = [row(*case, C) for case in data() for C in (1.0, 100.0)]
    fit, decision = np.exp(np.mean(np.log(ratios), axis=0))
    print(f"geometric means of the ratios: fit {fit:.2f}, decision {decision:.2f}")


if __name__ == "__main__":
    main()
