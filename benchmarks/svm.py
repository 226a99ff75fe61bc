"""Support vector machines with a Gaussian kernel: fit and decision function.

Both solvers stop when the conditions of Karush, Kuhn and Tucker are violated by at most
the same tolerance, 10⁻³. The violations m(α) − M(α) are computed here for both, in
float64, from α alone; so are the values of the dual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from sklearn import svm as peers
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_wine,
    make_circles,
    make_classification,
    make_moons,
)

from benchmarks.harness import Case, Check, Contest, Task, without_numba
from kernellab import kernels as kl
from kernellab.estimator import Estimator
from kernellab.svm import SVC, SVR, OneClassSVM

GROUP = "SVM"
TOL = 1e-3
Data = tuple[np.ndarray, np.ndarray]
LIBSVM = "LIBSVM (SVC)"
TASKS = {"fit": "fit", "regress": "regression", "detect": "one class"}
SIZES = (
    ("wine", 178),
    ("digits, 3 or 8", 357),
    ("breast cancer", 569),
    ("digits, even or odd", 1_797),
    ("moons", 2_000),
    ("classification", 5_000),
    ("moons", 10_000),
    ("classification", 10_000),
)


def cases(quick: bool) -> Iterator[Case]:
    """Small and large, easy (C = 1) and hard (C = 100); with and without Numba."""
    sizes = [(name, n) for name, n in SIZES if not quick or n <= 2_000]
    for plain in (False, True):
        for name, n in sizes:
            for C in (1.0, 100.0):
                yield _fit(f"{name}, n = {n:,}, C = {C:g}", plain, fit, name, n, C)
        yield _fit("rings, n = 2,000, C = 1,000", plain, fit, "rings", 2_000, 1000.0)
    for name, n in sizes[:1] if quick else (sizes[0], sizes[3]):
        yield Case(
            GROUP,
            "fit",
            f"{name}, n = {n:,}, C = 1",
            "scikit-learn-intelex (SVC)",
            partial(fit, name, n, 1.0, intelex=True),
            target=1.0,
            needs="sklearnex",
        )
    for n in (300,) if quick else (300, 2_000):
        for prepare in (regress, detect):
            yield _fit(f"n = {n:,}", False, prepare, n)
            yield _fit(f"n = {n:,}", True, prepare, n)
    for name, n in sizes:
        yield Case(
            GROUP,
            "decision function",
            f"{name}, n = {n:,}",
            LIBSVM,
            partial(decide, name, n),
            target=0.3,
        )
    for name, n in sizes[-1:] if quick else (("digits, even or odd", 1_797),):
        yield Case(
            GROUP,
            "probabilities",
            f"{name}, n = {n:,}",
            "scikit-learn, calibrated",
            partial(probabilities, name, n),
            target=1.0,
        )


def _fit(
    setting: str, plain: bool, prepare: Callable[..., Contest], *problem: object
) -> Case:
    """A fit beside LIBSVM's, with Numba or with NumPy alone."""
    task = TASKS[prepare.__name__]
    return Case(
        GROUP,
        f"{task}, no Numba" if plain else task,
        setting,
        LIBSVM,
        partial(prepare, *problem, plain=plain),
        target=1.5 if plain else 1.0,
        mean_target=(0.85 if plain else 0.5) if task == "fit" else None,
        needs=None if plain else "numba",
    )


@cache
def data(name: str, n: int) -> Data:
    """Points and labels −1, +1."""
    if name.startswith("digits"):
        X, t = load_digits(return_X_y=True)
        if name.endswith("odd"):
            return X, np.where(t % 2 == 0, 1, -1)
        some = (t == 3) | (t == 8)
        return X[some], np.where(t[some] == 3, 1, -1)
    if name == "breast cancer":
        X, t = load_breast_cancer(return_X_y=True)
        return (X - X.mean(axis=0)) / X.std(axis=0), 2 * t - 1
    if name == "wine":
        X, t = load_wine(return_X_y=True)
        return (X - X.mean(axis=0)) / X.std(axis=0), np.where(t == 1, 1, -1)
    if name == "rings":
        X, t = make_circles(n, noise=0.2, factor=0.6, random_state=0)
    elif name == "moons":
        X, t = make_moons(n, noise=0.25, random_state=0)
    else:
        X, t = make_classification(n, n_features=20, n_informative=8, random_state=0)
    return X, 2 * t - 1


def machines(X: np.ndarray, C: float) -> tuple[SVC, peers.SVC]:
    """The same machine twice, with scikit-learn's default width."""
    gamma = 1 / (X.shape[1] * X.var())
    kernel = kl.Gaussian(sigma=np.sqrt(0.5 / gamma))
    return SVC(kernel, C=C, tol=TOL), peers.SVC(C=C, gamma=gamma, tol=TOL)


def fit(
    name: str, n: int, C: float, plain: bool = False, intelex: bool = False
) -> Contest:
    """From the points to the multipliers."""
    X, y = data(name, n)
    ours, theirs = machines(X, C)
    if intelex:
        from sklearnex import svm as intel

        theirs = intel.SVC(**theirs.get_params())

    def optimal(mine: SVC, other: peers.SVC) -> list[Check]:
        beta = np.zeros(n)
        beta[other.support_] = other.dual_coef_[0]
        a = Dual(X, y, C, y * mine.alpha_, mine)
        b = Dual(X, y, C, beta, other)
        return [
            Check("violation, kernellab", a.violation, 1.1 * TOL),
            Check("violation, the peer", b.violation, 2 * TOL),
            Check("relative difference of the dual", abs(1 - a.value / b.value), TOL),
        ]

    return Contest(_ours(ours, plain, X, y), lambda: theirs.fit(X, y), optimal)


def _ours(machine: Estimator, plain: bool, *data: np.ndarray) -> Task:
    """Fit a machine, with the loops of NumPy if it is to be `plain`."""
    return (
        without_numba(lambda: machine.fit(*data))
        if plain
        else lambda: machine.fit(*data)
    )


def regress(n: int, plain: bool) -> Contest:
    """A machine for regression: the same predictions, up to the tolerance."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    t = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=n)
    ours, theirs = SVR(kl.Gaussian(sigma=2.0), C=10.0), peers.SVR(gamma=1 / 8, C=10.0)

    def close(mine: SVR, other: peers.SVR) -> list[Check]:
        gap = float(np.abs(mine.predict(X) - other.predict(X)).max())
        return [Check("difference of a prediction", gap, 0.02)]

    return Contest(_ours(ours, plain, X, t), lambda: theirs.fit(X, t), close)


def detect(n: int, plain: bool) -> Contest:
    """A machine for one class: the same values of f, relative to the offset."""
    X = np.random.default_rng(0).normal(size=(n, 4))
    ours = OneClassSVM(kl.Gaussian(sigma=2.0), nu=0.1)
    theirs = peers.OneClassSVM(gamma=1 / 8, nu=0.1)

    def close(mine: OneClassSVM, other: peers.OneClassSVM) -> list[Check]:
        f, g = mine.decision_function(X), other.decision_function(X)
        gap = float(np.abs(f - g).max() / abs(mine.offset_))
        return [Check("difference of f, relative to ρ", gap, 0.01)]

    return Contest(_ours(ours, plain, X), lambda: theirs.fit(X), close)


@dataclass
class Dual:
    """What signed multipliers β = yα achieve."""

    X: np.ndarray
    y: np.ndarray
    C: float
    beta: np.ndarray
    machine: SVC | peers.SVC

    def __post_init__(self) -> None:
        self.K_beta = self.machine.decision_function(self.X) - self.machine.intercept_

    @property
    def value(self) -> float:
        """Σα − ½βᵀKβ."""
        return float(self.beta @ (self.y - self.K_beta / 2))

    @property
    def violation(self) -> float:
        """How far the conditions of Karush, Kuhn and Tucker are from true."""
        slope, alpha = self.y - self.K_beta, self.y * self.beta
        up = np.where(self.y > 0, alpha < self.C, alpha > 0)
        low = np.where(self.y > 0, alpha > 0, alpha < self.C)
        return float(slope[up].max() - slope[low].min())


def decide(name: str, n: int) -> Contest:
    """f at 2,000 points, each machine with the support vectors that it found."""
    X, y = data(name, n)
    Z = X[np.arange(2_000) % n] + 0.01
    mine, other = (machine.fit(X, y) for machine in machines(X, 1.0))
    return Contest(
        lambda: mine.decision_function(Z),
        lambda: other.decision_function(Z),
        lambda f, g: [Check("difference of a value", float(np.abs(f - g).max()), 0.01)],
    )


def probabilities(name: str, n: int) -> Contest:
    """Fit with probabilities: five further machines, and a sigmoid.

    The folds differ, so that only the quality is compared: the log loss.
    """
    X, y = data(name, n)
    mine, other = machines(X, 1.0)
    mine.set_params(probability=True)
    calibrated = CalibratedClassifierCV(other, cv=5, ensemble=False)

    def worse(P: np.ndarray, Q: np.ndarray) -> list[Check]:
        a, b = (-np.mean(np.log(np.where(y > 0, R[:, 1], R[:, 0]))) for R in (P, Q))
        return [Check("log loss, relative to the peer's, − 1", a / b - 1, 0.1)]

    return Contest(
        lambda: mine.fit(X, y).predict_proba(X),
        lambda: calibrated.fit(X, y).predict_proba(X),
        worse,
    )
