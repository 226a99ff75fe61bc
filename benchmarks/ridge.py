"""Kernel ridge regression: fit, prediction, and a path of λ.

The path is 20 values of λ. kernellab compares them by leave-one-out errors, and starts
from the points. `RidgeCV` does so too, but is given the features K^½ beforehand.
`GridSearchCV` with 5 folds is what a user of `KernelRidge` would write: it is another
criterion, so of its answer only the quality is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.kernel_ridge import KernelRidge as Peer
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.ridge import KernelRidge

GROUP = "ridge"
D, LAM = 10, 0.1
KERNEL, GAMMA = kl.Gaussian(sigma=np.sqrt(D)), 1 / (2 * D)
LAMS = np.logspace(-4, 2, 20)


def cases(quick: bool) -> Iterator[Case]:
    """Gaussian kernel, ten coordinates."""
    for n in (1_000,) if quick else (4_000, 8_000):
        yield Case(
            GROUP,
            "fit",
            f"n = {n:,}",
            "scikit-learn KernelRidge",
            partial(fit, n),
            target=0.6,
            memory=True,
            memory_target=1.05 * 8 * n * n / 1e6,
        )
    for n in (1_000,) if quick else (4_000, 8_000):
        yield Case(
            GROUP,
            "prediction",
            f"n = {n:,}, at 10,000 points",
            "scikit-learn KernelRidge",
            partial(predict, n),
            target=0.4,
            memory=True,
            memory_target=10.0,
        )
    for n in (300,) if quick else (500, 1_000, 2_000):
        for peer, prepare, target in (
            ("scikit-learn GridSearchCV", searched, 0.12),
            ("scikit-learn RidgeCV", left_out, 0.9),
        ):
            yield Case(
                GROUP, "20 values of λ", f"n = {n:,}", peer, partial(prepare, n), target
            )


def problem(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    return X, np.sin(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)


def peer() -> Peer:
    """scikit-learn's estimator with the same kernel and the same λ."""
    return Peer(alpha=LAM, kernel="rbf", gamma=GAMMA)


def agree(f: np.ndarray, g: np.ndarray) -> Check:
    """Whether two predictions are the same."""
    return Check("difference of a prediction", float(np.abs(f - g).max()), 1e-6)


def fit(n: int) -> Contest:
    """Solve (K + λI)a = t, from the points."""
    X, t = problem(n)
    Z, _ = problem(200, seed=1)
    return Contest(
        lambda: KernelRidge(KERNEL, LAM).fit(X, t),
        lambda: peer().fit(X, t),
        lambda mine, other: [agree(mine.predict(Z), other.predict(Z))],
    )


def predict(n: int) -> Contest:
    """Evaluate f at many points."""
    X, t = problem(n)
    Z, _ = problem(10_000, seed=1)
    mine, other = KernelRidge(KERNEL, LAM).fit(X, t), peer().fit(X, t)
    return Contest(
        lambda: mine.predict(Z),
        lambda: other.predict(Z),
        lambda f, g: [agree(f, g)],
    )


def left_out(n: int) -> Contest:
    """Leave-one-out errors of all λ, and the best one."""
    X, t = problem(n)
    values, U = np.linalg.eigh(KERNEL(X))
    root = U * np.sqrt(np.maximum(values, 0))  # root @ root.T is K
    return Contest(
        lambda: KernelRidge(KERNEL).path(X, t, LAMS).best,
        lambda: RidgeCV(LAMS, fit_intercept=False).fit(root, t).alpha_,
        lambda mine, other: [Check("difference of the best λ", abs(mine - other), 0)],
    )


def searched(n: int) -> Contest:
    """The best λ, by leave-one-out or by 5 folds."""
    X, t = problem(n)
    Z, u = problem(2_000, seed=1)
    grid = GridSearchCV(Peer(kernel="rbf", gamma=GAMMA), {"alpha": LAMS}, cv=5)

    def worse(mine: float, other: float) -> list[Check]:
        a, b = (
            np.mean((KernelRidge(KERNEL, lam).fit(X, t).predict(Z) - u) ** 2)
            for lam in (mine, other)
        )
        return [Check("test error, relative to the peer's, − 1", a / b - 1, 0.05)]

    return Contest(
        lambda: KernelRidge(KERNEL).path(X, t, LAMS).best,
        lambda: grid.fit(X, t).best_params_["alpha"],
        worse,
    )
