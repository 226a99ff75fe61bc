"""Gaussian processes: the likelihood with its gradient, and learning.

The model: a Gaussian kernel with a scale, a width for each coordinate, and noise.
Learning starts from the same θ, with the same optimiser (L-BFGS-B), and must end at a
likelihood that is at least as high. GPyTorch is compared with if it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process import kernels as peers

from benchmarks.harness import Case, Check, Contest
from kernellab import kernels as kl
from kernellab.gp import GaussianProcess

GROUP = "Gaussian process"
SKLEARN, GPYTORCH = "scikit-learn GPRegressor", "GPyTorch"
SCALE, SIGMA, NOISE = 1.5, 2.0, 0.1


def cases(quick: bool) -> Iterator[Case]:
    """One evaluation, and the whole of learning; eight coordinates, and one."""
    evaluation, learning = "likelihood and gradient", "learning"
    for n in (500,) if quick else (100, 1_000, 2_000):
        for d, target in ((8, 0.2), (1, 0.3)) if n >= 500 else ((8, 1.0), (1, 1.0)):
            yield _case(evaluation, n, d, SKLEARN, evaluate, target)
    for n in (200,) if quick else (500, 1_000):
        for d, target in ((8, 0.25), (1, 0.45)):
            yield _case(learning, n, d, SKLEARN, learn, target)
    n = 500 if quick else 1_000
    yield _case(evaluation, n, 8, GPYTORCH, evaluate_torch, 0.5)
    yield _case(learning, n, 8, GPYTORCH, learn_torch, 0.35)


def _case(
    name: str,
    n: int,
    d: int,
    peer: str,
    prepare: Callable[[int, int], Contest],
    target: float,
) -> Case:
    """GPyTorch's memory is not Python's, so that it cannot be measured here."""
    measured = peer == SKLEARN and prepare is evaluate
    return Case(
        GROUP,
        name,
        f"n = {n:,}, d = {d}",
        peer,
        partial(prepare, n, d),
        target,
        memory=measured,
        memory_target=3 * 8 * n * n / 1e6 if measured else None,
        needs="gpytorch" if peer == GPYTORCH else None,
    )


def problem(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.sin(X[:, 0]) + X[:, -1] ** 2 / 4 + 0.3 * rng.normal(size=n)


def model(d: int) -> GaussianProcess:
    """kernellab's model, at the start."""
    widths = (SIGMA,) * d if d > 1 else SIGMA
    return GaussianProcess(SCALE * kl.Gaussian(sigma=widths), noise=NOISE)


def peer(d: int, optimizer: str | None) -> Peer:
    """scikit-learn's, the same."""
    widths = (SIGMA,) * d if d > 1 else SIGMA
    kernel = peers.ConstantKernel(SCALE) * peers.RBF(widths) + peers.WhiteKernel(NOISE)
    return Peer(kernel, alpha=0.0, optimizer=optimizer)


def equal(mine: Any, other: Any) -> list[Check]:
    """Whether value and gradient are the same."""
    (value, gradient), (value2, gradient2) = mine, other
    slope = np.abs(gradient - gradient2).max() / np.abs(gradient2).max()
    return [
        Check("relative difference, value", abs(value / value2 - 1), 1e-8),
        Check("relative difference, gradient", float(slope), 1e-6),
    ]


def as_high(mine: GaussianProcess, value: float) -> list[Check]:
    """Whether learning ended as high as the peer's."""
    gap = value - mine.log_marginal_likelihood()
    return [Check("log likelihood, the peer's less ours", float(gap), 0.01)]


def evaluation_of(n: int, d: int) -> Callable[[], Any]:
    """Value and gradient at the start, by kernellab."""
    ours = model(d).fit(*problem(n, d), optimize=False)
    return lambda: ours.log_marginal_likelihood(ours.theta, gradient=True)


def evaluate(n: int, d: int) -> Contest:
    """The log marginal likelihood with its gradient, once."""
    theirs, theta = peer(d, None).fit(*problem(n, d)), model(d).theta
    return Contest(
        evaluation_of(n, d),
        lambda: theirs.log_marginal_likelihood(theta, True, clone_kernel=False),
        equal,
    )


def learn(n: int, d: int) -> Contest:
    """The whole of learning, from the same start."""
    X, t = problem(n, d)
    return Contest(
        lambda: model(d).fit(X, t),
        lambda: peer(d, "fmin_l_bfgs_b").fit(X, t).log_marginal_likelihood_value_,
        as_high,
    )


def evaluate_torch(n: int, d: int) -> Contest:
    """The same value and gradient beside GPyTorch's."""
    from benchmarks.gpytorch_model import Exact

    theirs = Exact(*problem(n, d), SCALE, SIGMA, NOISE)
    return Contest(
        evaluation_of(n, d),
        theirs.evaluate,
        lambda mine, _: equal(mine, theirs.in_logarithms()),
    )


def learn_torch(n: int, d: int) -> Contest:
    """Learning beside GPyTorch's model, with SciPy's L-BFGS-B for both."""
    from benchmarks.gpytorch_model import Exact

    X, t = problem(n, d)
    return Contest(
        lambda: model(d).fit(X, t),
        lambda: Exact(X, t, SCALE, SIGMA, NOISE).learn(),
        as_high,
    )
