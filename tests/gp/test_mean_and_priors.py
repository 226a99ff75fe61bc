"""A learned mean, priors on θ, and a search that starts anew."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm

from kernellab import GaussianProcess
from kernellab import kernels as kl
from kernellab.data import mauna_loa_co2, motorcycle
from kernellab.errors import InputError

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(0, 10, 40))[:, None]
T = 50 + np.sin(X[:, 0]) + 0.2 * rng.normal(size=40)
K = 2.0 * kl.Gaussian(sigma=1.5)


def test_the_learned_mean_is_the_best_constant():
    gp = GaussianProcess(K, noise=0.05, mean="constant").fit(X, T, optimize=False)
    C = K(X) + 0.05 * np.eye(40)

    def minus_log_density(b):
        return -multivariate_normal(np.full(40, b[0]), C).logpdf(T)

    best = minimize(minus_log_density, [48.0], tol=1e-12)
    assert gp.mean_ == pytest.approx(best.x[0], abs=1e-5)
    assert gp.log_marginal_likelihood() == pytest.approx(-best.fun, abs=1e-8)
    given = GaussianProcess(K, noise=0.05, mean=gp.mean_).fit(X, T, optimize=False)
    Z = [[3.3], [25.0]]
    for mine, theirs in zip(gp.predict_y(Z), given.predict_y(Z), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-10)
    np.testing.assert_allclose(gp.predict(Z), given.predict(Z), rtol=1e-10)
    np.testing.assert_allclose(gp.prior(Z).mean, gp.mean_)
    assert gp.predict([[1e6]])[0] == pytest.approx(gp.mean_)  # far from all data
    assert given.mean_ is None


def test_the_gradient_with_a_learned_mean():
    gp = GaussianProcess(K, noise=0.05, mean="constant").fit(X, T, optimize=False)
    theta = gp.theta + np.array([0.3, -0.2, 0.1])
    value, gradient = gp.log_marginal_likelihood(theta, gradient=True)
    assert value == pytest.approx(gp.log_marginal_likelihood(theta))
    for j, step in enumerate(1e-5 * np.eye(3)):
        up, down = (gp.log_marginal_likelihood(theta + s * step) for s in (1, -1))
        assert gradient[j] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)


def test_learning_with_a_learned_mean_and_adding_points():
    gp = GaussianProcess(K, noise=0.05, mean="constant").fit(X, T)
    assert gp.mean_ == pytest.approx(50, abs=0.7)
    assert gp.kernel_.theta[1] < np.log(4)  # without a mean, σ explains the level
    part = GaussianProcess(gp.kernel_, gp.noise_, "constant")
    part.fit(X[:30], T[:30], optimize=False).add(X[30:], T[30:])
    assert part.mean_ == pytest.approx(gp.mean_, rel=1e-9)
    np.testing.assert_allclose(part.predict(X[:5]), gp.predict(X[:5]), rtol=1e-9)
    moved = GaussianProcess(K, noise=0.05, mean="constant").fit(X, T - 1000)
    np.testing.assert_allclose(moved.theta, gp.theta, atol=1e-3)


def test_wrong_means():
    with pytest.raises(InputError, match='"constant"'):
        GaussianProcess(K, mean="linear").fit(X, T)
    with pytest.raises(InputError, match="not known before any data"):
        GaussianProcess(K, mean="constant").sample_prior(X)


# --- priors ----------------------------------------------------------------------


def test_the_posterior_density_is_maximised():
    """Against a search in θ for log p(t) + log p(θ), with SciPy's densities."""
    priors = {"gaussian.sigma": (3.0, 1.1), "noise": (1.0, 1.2)}
    k, t = kl.Gaussian(), T - 50
    gp = GaussianProcess(k, noise=0.1).fit(X, t, priors=priors)

    def objective(theta):
        C = kl.Gaussian(sigma=np.exp(theta[0]))(X) + np.exp(theta[1]) * np.eye(40)
        return -(
            multivariate_normal(np.zeros(40), C).logpdf(t)
            + norm(np.log(3.0), np.log(1.1)).logpdf(theta[0])
            + norm(0.0, np.log(1.2)).logpdf(theta[1])
        )

    best = minimize(objective, [0.5, -1.0], method="Nelder-Mead", tol=1e-8)
    np.testing.assert_allclose(gp.theta, best.x, atol=1e-3)
    assert gp.report_.value == pytest.approx(-best.fun, abs=1e-5)
    assert "log posterior density" in repr(gp.report_)
    assert gp.log_marginal_likelihood() > gp.report_.value - 10


def test_a_prior_decides_what_the_data_do_not():
    """Two points say nothing about a width; a wide prior hardly moves a fit."""
    gp = GaussianProcess(kl.Gaussian(), noise=0.0)
    gp.fit([[0.0]], [1.0], priors={"gaussian.sigma": (7.0, 2.0)})
    assert gp.kernel_.sigma == pytest.approx(7.0, rel=1e-3)
    plain = GaussianProcess(kl.Gaussian(), noise=0.1).fit(X, T - 50)
    vague = GaussianProcess(kl.Gaussian(), noise=0.1).fit(
        X, T - 50, priors={"noise": (1.0, 1e6)}
    )
    np.testing.assert_allclose(vague.theta, plain.theta, atol=1e-2)


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ({"width": (1, 2)}, "priors are given for width"),
        ({"noise": (1.0, 0.9)}, "a factor > 1"),
        ({"noise": (-1.0, 2.0)}, "positive"),
        ({"noise": 3.0}, "two numbers"),
        ([("noise", (1, 2))], "priors must be a mapping"),
    ],
)
def test_wrong_priors(priors, message):
    with pytest.raises(InputError, match=message):
        GaussianProcess(K, 0.1).fit(X, T, priors=priors)


# --- starts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "noise"),
    [
        (1.0 * kl.Gaussian(sigma=0.001), 1e-4),  # the noise must grow 5-million-fold
        (0.001 * kl.Gaussian(sigma=100.0), 0.1),  # and here the scale
        (1e4 * kl.Gaussian(sigma=1e4), 1e-4),
    ],
)
def test_a_search_that_ends_at_a_bound_starts_anew(kernel, noise):
    """All find the optimum of a good start, without a warning."""
    rider = motorcycle()
    gp = GaussianProcess(kernel, noise=noise).fit(rider.X, rider.y)
    good = GaussianProcess(2000 * kl.Gaussian(sigma=5.0), noise=500.0)
    expected = good.fit(rider.X, rider.y).report_.value
    assert gp.report_.value == pytest.approx(expected, abs=0.01)
    assert not gp.report_.at_bound
    assert gp.report_.starts > 33


def test_the_level_of_the_air():
    air = mauna_loa_co2()
    early = air.X[:, 0] < 1980
    gp = GaussianProcess(2000 * kl.Gaussian(sigma=30.0), noise=0.1, mean="constant")
    gp.fit(air.X[early] - 1985, air.y[early])
    assert 10 < np.exp(gp.kernel_.theta[1]) < 60  # years
    assert not gp.report_.at_bound
