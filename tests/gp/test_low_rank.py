"""Covariances of low rank: the same likelihood as by a Cholesky factor."""

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.gp import GaussianProcess, likelihood
from kernellab.gp.likelihood import value_and_gradient
from kernellab.gp.low_rank import FEWEST_POINTS, low_rank

n = 2 * FEWEST_POINTS
X = np.sort(np.random.default_rng(0).uniform(0, 10, size=(n, 1)), axis=0)
t = np.sin(X[:, 0]) + 0.3 * np.random.default_rng(1).normal(size=n) + 5
NOISES = np.random.default_rng(2).uniform(0.05, 0.5, size=n)
SMOOTH = {
    "Gaussian": 1.5 * kl.Gaussian(sigma=2.0),
    "narrow": kl.Gaussian(sigma=0.6),
    "sum": kl.Gaussian(sigma=3.0) + 0.5 * kl.Periodic(sigma=1.0, period=4.0),
    "few features": (kl.Linear() + 1.0) ** 3 * 1e-5,
    "constant": 2.0 * kl.Gaussian(sigma=500.0),
}
smooth = pytest.mark.parametrize("k", SMOOTH.values(), ids=SMOOTH.keys())
noises = pytest.mark.parametrize("noise", [0.1, NOISES], ids=["number", "per point"])


@smooth
@noises
def test_inverse_and_determinant(k, noise):
    K = k(X)
    C = K + np.diag(np.broadcast_to(noise, n))
    system = low_rank(K.copy(), noise)
    assert len(system.Wt) < n / 4
    assert system.logdet() == pytest.approx(np.linalg.slogdet(C)[1], abs=1e-6)
    np.testing.assert_allclose(system.solve(t), np.linalg.solve(C, t), atol=1e-7)
    A = np.asarray(system.write_inverse(K.T))
    inverse = np.tril(A) + np.tril(A, -1).T
    np.testing.assert_allclose(inverse @ C, np.eye(n), atol=1e-6)
    np.testing.assert_array_equal(np.triu(A, 1), np.triu(k(X), 1))  # K stays above


@smooth
@noises
@pytest.mark.parametrize("mean", [None, "constant"])
def test_likelihood_and_gradient_are_those_of_a_cholesky_factor(
    k, noise, mean, monkeypatch
):
    gp = GaussianProcess(k, noise, mean=mean).fit(X, t, optimize=False)
    few = gp.log_marginal_likelihood(gp.theta, gradient=True)
    monkeypatch.setattr(likelihood, "low_rank", lambda K, noise: None)
    all_of_it = gp.log_marginal_likelihood(gp.theta, gradient=True)
    assert few[0] == pytest.approx(all_of_it[0], rel=1e-9)
    np.testing.assert_allclose(few[1], all_of_it[1], rtol=1e-6, atol=1e-5)


REFUSED = {
    "rough": (kl.Exponential(sigma=1.0), 0.1),
    "noise as small as rounding": (kl.Gaussian(sigma=2.0), 1e-9),
    "a point without noise": (kl.Gaussian(sigma=2.0), np.r_[0.0, NOISES[1:]]),
    "far too narrow": (kl.Gaussian(sigma=1e-3), 0.1),
}


@pytest.mark.parametrize(("k", "noise"), REFUSED.values(), ids=REFUSED.keys())
def test_a_cholesky_factor_is_better(k, noise):
    assert low_rank(k(X), noise) is None
    assert low_rank(kl.Gaussian(sigma=2.0)(X[: FEWEST_POINTS - 1]), 0.1) is None


def test_a_matrix_that_is_not_positive_semidefinite_is_not_of_low_rank():
    """Its diagonal may vanish after one step, though the rest does not."""
    K = np.ones((n, n))
    K[1, 2] = K[2, 1] = -1.0
    assert low_rank(K, 0.1) is None
    assert low_rank(np.zeros((n, n)) + np.eye(n)[::-1] * (1 - np.eye(n)), 0.1) is None


def test_learning_ends_where_it_did(monkeypatch):
    k = kl.Gaussian(sigma=5.0)
    few = GaussianProcess(k, 1.0).fit(X, t - 5)
    monkeypatch.setattr(likelihood, "low_rank", lambda K, noise: None)
    whole = GaussianProcess(k, 1.0).fit(X, t - 5)
    np.testing.assert_allclose(few.theta, whole.theta, atol=1e-3)


def test_what_the_model_remembers_is_dropped():
    gp = GaussianProcess(kl.Gaussian(sigma=(2.0,)), 0.1).fit(X, t, optimize=False)
    before = len(gp._inputs.X._memo)
    value_and_gradient(gp._model(), gp._inputs, gp._factor.r)
    assert len(gp._inputs.X._memo) == before
