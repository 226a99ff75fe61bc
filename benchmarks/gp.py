"""Gaussian processes beside scikit-learn's: likelihood with gradient, and learning.

Both run in turn in one process on one thread; the table shows medians, their ratio
(below 1: kernellab is faster), the smallest and largest ratio of one round, and the
peak memory in units of the Gram matrix. Machines are noisy: read the ratios.

Learning starts from the same θ, with the same optimiser and tolerance (L-BFGS-B), and
must end at the same likelihood. GPyTorch is compared with if it is installed.
"""

from __future__ import annotations

import importlib.util
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process import kernels as peers
from threadpoolctl import threadpool_limits

from kernellab import kernels as kl
from kernellab.gp import GaussianProcess

Task = Callable[[], object]
C, SIGMA, NOISE = 1.5, 2.0, 0.1


def seconds(task: Task) -> float:
    """CPU time of one run: on one thread, the time without the neighbours' load."""
    start = time.process_time()
    task()
    return time.process_time() - start


def peak(task: Task, n: int) -> float:
    """Memory held at most during one run, in Gram matrices of n points."""
    tracemalloc.start()
    task()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / (8 * n * n)


def report(what: str, n: int, ours: Task, theirs: Task, repeats: int) -> None:
    """One row of the table."""
    pairs = np.array([(seconds(ours), seconds(theirs)) for _ in range(repeats)])
    mine, other = np.median(pairs, axis=0)
    ratios = pairs[:, 0] / pairs[:, 1]
    print(
        f"{what:38s} {mine:9.3f} {other:9.3f} {mine / other:7.2f} "
        f"{ratios.min():6.2f}–{ratios.max():.2f} {peak(ours, n):8.1f} "
        f"{peak(theirs, n):8.1f}",
        flush=True,
    )


def problem(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and noisy targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.sin(X[:, 0]) + X[:, -1] ** 2 / 4 + 0.3 * rng.normal(size=n)


def models(d: int) -> tuple[GaussianProcess, Peer]:
    """The same model twice: one width a coordinate, a scale, and noise."""
    widths = (SIGMA,) * d if d > 1 else SIGMA
    ours = GaussianProcess(C * kl.Gaussian(sigma=widths), noise=NOISE)
    kernel = peers.ConstantKernel(C) * peers.RBF(widths) + peers.WhiteKernel(NOISE)
    return ours, Peer(kernel, alpha=0.0, optimizer=None)


def likelihood(n: int, d: int, repeats: int) -> None:
    """The log marginal likelihood with its gradient, once."""
    X, t = problem(n, d)
    ours, theirs = models(d)
    ours.fit(X, t, optimize=False)
    theirs.fit(X, t)
    theta = ours.theta

    def mine() -> Any:
        return ours.log_marginal_likelihood(theta, gradient=True)

    def other() -> Any:
        return theirs.log_marginal_likelihood(theta, True, clone_kernel=False)

    for a, b in zip(mine(), other(), strict=True):
        assert np.allclose(a, b, rtol=1e-6, atol=1e-6)
    report(f"likelihood, gradient: n = {n}, d = {d}", n, mine, other, repeats)


def learning(n: int, d: int, repeats: int) -> None:
    """The whole of learning, from the same start to the same optimum."""
    X, t = problem(n, d)

    def mine() -> GaussianProcess:
        return models(d)[0].fit(X, t)

    def other() -> Peer:
        peer = models(d)[1].set_params(optimizer="fmin_l_bfgs_b")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a width at its bound
            return peer.fit(X, t)

    a, b = mine(), other()
    value = b.log_marginal_likelihood_value_
    assert a.log_marginal_likelihood() > value - 1e-2, (a.report_, value)
    assert a.report_ is not None
    what = f"learning: n = {n}, d = {d} ({a.report_.best.evaluations} evaluations)"
    report(what, n, mine, other, repeats)


def with_gpytorch(n: int, d: int, repeats: int) -> None:
    """The likelihood with its gradient against GPyTorch's exact one."""
    import gpytorch
    import torch

    torch.set_num_threads(1)
    X, t = problem(n, d)
    ours = models(d)[0].fit(X, t, optimize=False)
    P, u = torch.tensor(X), torch.tensor(t)

    class Exact(gpytorch.models.ExactGP):  # type: ignore[misc]
        def __init__(self, likelihood: Any) -> None:
            super().__init__(P, u, likelihood)
            base = gpytorch.kernels.RBFKernel(ard_num_dims=d)
            self.covar_module = gpytorch.kernels.ScaleKernel(base)

        def forward(self, x: Any) -> Any:
            mean = torch.zeros(len(x), dtype=x.dtype)
            return gpytorch.distributions.MultivariateNormal(mean, self.covar_module(x))

    law = gpytorch.likelihoods.GaussianLikelihood()
    model = Exact(law).double()
    law.double()
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(law, model)

    def other() -> None:
        model.zero_grad()
        with gpytorch.settings.max_cholesky_size(10**6):
            (-objective(model(P), u)).backward()

    report(
        f"GPyTorch: n = {n}, d = {d}",
        n,
        lambda: ours.log_marginal_likelihood(ours.theta, gradient=True),
        other,
        repeats,
    )


def main() -> None:
    """Print the table."""
    print("Gaussian kernel with a scale, a width for each coordinate, and noise")
    print(f"{'':38s}      ours   sklearn   ratio  spread        peak  (sklearn)  / K")
    with threadpool_limits(1):
        for n, repeats in ((1_000, 9), (2_000, 5)):
            for d in (8, 1):
                likelihood(n, d, repeats)
        for n in (500, 1_000):
            for d in (8, 1):
                learning(n, d, 3)
        if importlib.util.find_spec("gpytorch"):
            with_gpytorch(1_000, 8, 9)
        else:
            print("GPyTorch is not installed: not compared")


if __name__ == "__main__":
    main()
