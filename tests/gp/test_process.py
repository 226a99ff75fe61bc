"""Gaussian processes: against direct formulas, brute force, hand cases and peers."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process import kernels as peers

from kernellab import KernelRidge, primal_ridge
from kernellab import kernels as kl
from kernellab.errors import (
    InputError,
    NotFitted,
    NotPositiveDefinite,
)
from kernellab.figures.gp import (
    draw_process,
    draw_surface,
    likelihood_surface,
    process_picture,
)
from kernellab.gp import BayesianLinearRegression, GaussianProcess
from kernellab.gp.likelihood import value_and_gradient

rng = np.random.default_rng(0)
n, d = 14, 2
X, Z = rng.normal(size=(n, d)), rng.normal(size=(6, d))
t = np.sin(X[:, 0]) + 0.3 * X[:, 1] + 5 + 0.1 * rng.normal(size=n)
GAUSSIAN = kl.Gaussian(sigma=1.3)
NOISES = rng.uniform(0.05, 0.5, size=n)

KERNELS = {
    "Gaussian": GAUSSIAN,
    "scaled, two widths": 2.5 * kl.Gaussian(sigma=(0.8, 1.7)),
    "twice scaled": 3.0 * (0.5 * kl.RationalQuadratic(sigma=1.1, alpha=0.7)),
    "sum": 2.0 * kl.Gaussian(sigma=2.0) + 0.5 * kl.Matern(sigma=0.7, nu=1.5) + 0.3,
    "product": kl.Gaussian(sigma=2.0) * (kl.Linear() + 1.0),
    "power": (0.5 * kl.Linear() + 1.0) ** 2,
    "periodic": 1.5 * kl.Periodic(sigma=1.2, period=2.2) * kl.Gaussian(sigma=3.0),
    "cosine": 2.0 * kl.Cosine(omega=(0.4, -0.8)) + 0.1,
    "laplacian": kl.Laplacian(sigma=(1.0, 2.0)),
    "parts": kl.Gaussian(sigma=1.0).on(0) + kl.Exponential(sigma=2.0).on(1),
    "not symmetric in form": kl.FromFunction(lambda x, y: np.exp(-np.abs(x - y).sum()))
    * kl.Gaussian(sigma=2.0),
    "nothing to learn": kl.Linear(),
}
kernels = pytest.mark.parametrize("k", KERNELS.values(), ids=KERNELS.keys())
noises = pytest.mark.parametrize("noise", [0.1, NOISES], ids=["number", "per point"])
MEANS = {"none": None, "number": 4.0, "function": lambda X: 3 + 0.5 * X[:, 0]}
means = pytest.mark.parametrize("mean", MEANS.values(), ids=MEANS.keys())


def close(actual, expected, tol=1e-8):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def mean_at(mean, P):
    return mean(P) if callable(mean) else np.full(len(P), mean or 0.0)


def direct(k, noise, mean, X, t, Z):
    """The formulas with an explicit inverse."""
    C = k(X) + np.diag(np.broadcast_to(noise, len(X)))
    inverse = np.linalg.inv(C)
    r = t - mean_at(mean, X)
    f = mean_at(mean, Z) + k(Z, X) @ inverse @ r
    covariance = k(Z) - k(Z, X) @ inverse @ k(X, Z)
    return f, covariance, multivariate_normal(mean_at(mean, X), C).logpdf(t)


def fitted(k=GAUSSIAN, noise=0.1, mean=None):
    return GaussianProcess(k, noise, mean).fit(X, t, optimize=False)


# --- predictions --------------------------------------------------------------------


@kernels
@noises
@means
def test_predictions_and_likelihood_agree_with_the_formulas(k, noise, mean):
    gp = fitted(k, noise, mean)
    f, covariance, logp = direct(k, noise, mean, X, t, Z)
    m, v = gp.predict_f(Z)
    assert m.shape == v.shape == (6,)
    close(m, f, 1e-7)
    close(v, covariance.diagonal(), 1e-7)
    close(gp.predict(Z), f, 1e-7)
    close(gp.predict_f(Z, full=True)[1], covariance, 1e-7)
    close(gp.log_marginal_likelihood(), logp, 1e-7)
    extra = noise if np.ndim(noise) == 0 else 0.2
    given = None if np.ndim(noise) == 0 else 0.2
    close(gp.predict_y(Z, noise=given)[1], v + extra)
    close(
        gp.predict_y(Z, full=True, noise=given)[1], covariance + extra * np.eye(6), 1e-7
    )


@noises
def test_predictions_agree_with_scikit_learn(noise):
    kernel = peers.ConstantKernel(2.0) * peers.RBF([0.8, 1.7])
    peer = Peer(kernel, alpha=noise, optimizer=None).fit(X, t)
    gp = fitted(2.0 * kl.Gaussian(sigma=(0.8, 1.7)), noise)
    m, cov = peer.predict(Z, return_cov=True)
    close(gp.predict(Z), m)
    close(gp.predict_f(Z, full=True)[1], cov)
    close(gp.log_marginal_likelihood(), peer.log_marginal_likelihood_value_)


def test_one_point_by_hand():
    """t = f(0) + ε, k(0,0) = 2, noise 1: E f = 2t/3, variance 2 − 4/3."""
    gp = GaussianProcess(2.0 * kl.Gaussian(), noise=1.0)
    gp.fit([[0.0]], [3.0], optimize=False)
    m, v = gp.predict_f([[0.0]])
    close([m[0], v[0], gp.predict_y([[0.0]])[1][0]], [2.0, 2 / 3, 5 / 3])
    close(gp.log_marginal_likelihood(), -0.5 * (3 + np.log(3) + np.log(2 * np.pi)))
    loo = gp.leave_one_out()  # without the only point: the prior
    close([loo.mean[0], loo.variance[0]], [0.0, 3.0])
    close(gp.a_, [1.0])


def test_two_points_by_hand():
    """K = [[1, ½], [½, 1]], noise ½: C⁻¹ = [[3, −1], [−1, 3]]/4."""
    k = kl.Linear().pullback(
        lambda X: np.where(X > 0, [[1.0, 0.0]], [[0.5, 0.75**0.5]])
    )
    gp = GaussianProcess(k, noise=0.5).fit([[1.0], [-1.0]], [1.0, 3.0], optimize=False)
    close(gp.a_, [0.0, 2.0])
    close(gp.predict([[1.0], [-1.0]]), [1.0, 2.0])
    close(gp.predict_f([[1.0]])[1], 1 - (3 * 1 - 2 * 0.5 + 3 * 0.25) / 4)
    close(gp.leave_one_out().mean, [1.0, 3.0 - 2.0 / 0.75])


def test_far_from_the_data_the_prior_comes_back():
    gp = fitted(4.0 * GAUSSIAN, mean=7.0)
    m, v = gp.predict_f(Z + 100)
    close(m, 7.0)
    close(v, 4.0)


def test_the_mean_is_kernel_ridge_regression_and_a_is_the_residual():
    gp, ridge = fitted(noise=0.2), KernelRidge(GAUSSIAN, lam=0.2).fit(X, t)
    close(gp.predict(Z), ridge.predict(Z))
    close(gp.a_, ridge.a_)
    close(gp.a_, (t - gp.predict(X)) / 0.2)
    loo = gp.leave_one_out()
    close(t - loo.mean, ridge.loo_residuals_)


def test_noise_per_point_is_a_weight_of_ridge_regression():
    gp = fitted(noise=NOISES)
    ridge = KernelRidge(GAUSSIAN, lam=1.0).fit(X, t, sample_weight=1 / NOISES)
    close(gp.predict(Z), ridge.predict(Z))


def test_kernels_on_objects():
    words = ["kernel", "kernels", "colonel", "gauss"]
    gp = GaussianProcess(kl.Spectrum(2), noise=0.5, mean=lambda ws: np.ones(len(ws)))
    gp.fit(words, [1.0, 2.0, 3.0, 0.0], optimize=False).add(["process"], [1.0])
    again = GaussianProcess(kl.Spectrum(2), 0.5, lambda ws: np.ones(len(ws)))
    again.fit([*words, "process"], [1.0, 2.0, 3.0, 0.0, 1.0], optimize=False)
    close(gp.predict(["kernel"]), again.predict(["kernel"]))
    assert gp.sample_posterior(words, 2, random_state=0).shape == (2, 4)


def test_predictions_need_little_memory():
    r = np.random.default_rng(1)
    gp = GaussianProcess(GAUSSIAN).fit(r.normal(size=(500, d)), np.zeros(500), False)
    many = r.normal(size=(20_000, d))
    tracemalloc.start()
    gp.predict_f(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6  # k(Z, X) would be 80 MB


def test_decomposition_adds_up():
    k = KERNELS["sum"]
    gp = fitted(k, mean=4.0)
    parts = gp.decompose(Z)
    assert [part.kernel for part in parts] == list(k.terms)
    close(sum(p.mean for p in parts) + 4.0, gp.predict(Z))
    # against the joint law of (f_1(Z), t)
    first = k.terms[0]
    C = k(X) + 0.1 * np.eye(n)
    gain = first(Z, X) @ np.linalg.inv(C)
    close(parts[0].mean, gain @ (t - 4.0))
    close(parts[0].variance, np.diag(first(Z) - gain @ first(X, Z)))
    (only,) = fitted(GAUSSIAN).decompose(Z)
    close(only.mean, fitted(GAUSSIAN).predict(Z))


def test_score():
    gp = fitted()
    f = gp.predict(Z)
    u = f + rng.normal(size=len(f))
    close(gp.score(Z, u), 1 - ((u - f) ** 2).sum() / ((u - u.mean()) ** 2).sum())
    flat = GaussianProcess(kl.Constant(1.0), 0.0).fit([[0.0]], [1.0], optimize=False)
    assert flat.score([[0.0], [1.0]], [1.0, 1.0]) == 1.0
    assert flat.score([[0.0], [1.0]], [2.0, 2.0]) == 0.0


# --- samples ------------------------------------------------------------------------


def test_samples_have_the_moments():
    gp = fitted(mean=5.0)
    draws = gp.sample_posterior(Z, 30_000, random_state=1)
    m, cov = gp.predict_f(Z, full=True)
    close(draws.mean(axis=0), m, 0.03)
    close(np.cov(draws.T), cov, 0.03)
    prior = GaussianProcess(4.0 * GAUSSIAN, mean=1.0).sample_prior(
        Z, 30_000, random_state=2
    )
    assert prior.shape == (30_000, 6)
    close(prior.mean(axis=0), 1.0, 0.06)
    close(np.cov(prior.T), 4.0 * GAUSSIAN(Z), 0.12)


def test_samples_exist_where_the_covariance_is_singular():
    line = np.linspace(0, 1, 200)[:, None]  # K has numerical rank of about 10
    draws = GaussianProcess(GAUSSIAN).sample_prior(line, 3, random_state=0)
    assert np.isfinite(draws).all()
    assert np.abs(np.diff(draws, 2)).max() < 1e-3  # smooth
    exact = fitted(noise=0.0).sample_posterior(X, 2, random_state=0)
    close(exact, [t, t], 1e-4)
    gp = fitted()
    assert (
        gp.sample_posterior(Z, 2, random_state=5)
        == gp.sample_posterior(Z, 2, random_state=5)
    ).all()
    assert (gp.sample_posterior(Z, 2) != gp.sample_posterior(Z, 2)).any()


# --- the likelihood and its gradient ------------------------------------------------


def require_gradient(gp):
    """The gradient beside central differences of the likelihood."""
    value, gradient = gp.log_marginal_likelihood(gradient=True)
    close(value, gp.log_marginal_likelihood(), 1e-7)
    theta, h = gp.theta, 1e-5
    assert gradient.shape == theta.shape == (len(gp.theta_names),)
    scale = np.abs(gradient).max(initial=1.0)
    for i in range(len(theta)):
        step = h * np.eye(len(theta))[i]
        up = gp.log_marginal_likelihood(theta + step)
        down = gp.log_marginal_likelihood(theta - step)
        assert abs((up - down) / (2 * h) - gradient[i]) < 1e-5 * scale


@kernels
@noises
def test_the_gradient_agrees_with_differences(k, noise):
    require_gradient(fitted(k, noise, mean=4.5))


def test_the_gradient_without_noise():
    require_gradient(fitted(2.0 * kl.Exponential(sigma=0.7), 0.0))


@pytest.mark.parametrize("m", [199, 200, 201, 430])
def test_the_gradient_crosses_tiles(m):
    """Around a tile of 200 points, against ½ tr((aaᵀ − C⁻¹) ∂C)."""
    r = np.random.default_rng(m)
    P, u = r.normal(size=(m, 2)), r.normal(size=m)
    for k in (1.7 * kl.Gaussian(sigma=(0.5, 2.0)), kl.Gaussian() + kl.Linear() + 0.5):
        gp = GaussianProcess(k, 0.3).fit(P, u, optimize=False)
        inverse = np.linalg.inv(k(P) + 0.3 * np.eye(m))
        M = np.outer(inverse @ u, inverse @ u) - inverse
        expected = np.append(k.vjp(P, M / 2), 0.15 * np.trace(M))
        close(gp.log_marginal_likelihood(gradient=True)[1], expected, 1e-6)


def test_the_gradient_agrees_with_scikit_learn():
    kernel = peers.ConstantKernel(2.0) * peers.RBF([0.8, 1.7]) + peers.WhiteKernel(0.1)
    peer = Peer(kernel, optimizer=None, alpha=0.0).fit(X, t)
    gp = fitted(2.0 * kl.Gaussian(sigma=(0.8, 1.7)), 0.1)
    close(gp.theta, peer.kernel_.theta)
    theta = gp.theta + 0.3
    theirs = peer.log_marginal_likelihood(theta, eval_gradient=True)
    for mine, other in zip(
        gp.log_marginal_likelihood(theta, gradient=True), theirs, strict=True
    ):
        close(mine, other)


def test_likelihood_and_gradient_need_one_gram_matrix():
    P, u = np.random.default_rng(0).normal(size=(900, 3)), np.zeros(900)
    gp = GaussianProcess(2.0 * GAUSSIAN, 0.1).fit(P, u, optimize=False)
    gp.log_marginal_likelihood(gp.theta, gradient=True)
    tracemalloc.start()
    gp.log_marginal_likelihood(gp.theta, gradient=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.6 * 8 * 900**2


# --- theta --------------------------------------------------------------------------


@kernels
def test_theta_makes_the_round_trip(k):
    gp = GaussianProcess(k, noise=0.3)
    again = gp.with_theta(gp.theta)
    assert again.kernel == k
    assert again.noise == 0.3
    moved = gp.with_theta(gp.theta + 0.1)
    close(moved.theta, gp.theta + 0.1)
    assert moved.theta_names == (*k.theta_names, "noise")


def test_theta_leaves_out_what_is_fixed():
    assert GaussianProcess(GAUSSIAN, noise=0.0).theta_names == ("gaussian.sigma",)
    assert GaussianProcess(GAUSSIAN, noise=NOISES).theta_names == ("gaussian.sigma",)
    composite = 2.0 * kl.Gaussian() + kl.Gaussian(sigma=3.0) * kl.Periodic()
    assert GaussianProcess(composite).theta_names == (
        "scale.c",
        "gaussian.sigma",
        "gaussian2.sigma",
        "periodic.sigma",
        "periodic.period",
        "noise",
    )


# --- leave one out, and one more ----------------------------------------------------


@noises
@means
def test_leave_one_out_is_brute_force(noise, mean):
    gp = fitted(GAUSSIAN, noise, mean)
    loo = gp.leave_one_out()
    total = 0.0
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        kept = noise if np.ndim(noise) == 0 else noise[rest]
        here = noise if np.ndim(noise) == 0 else noise[i]
        other = GaussianProcess(GAUSSIAN, kept, mean).fit(X[rest], t[rest], False)
        m, v = other.predict_f(X[[i]])
        close([loo.mean[i], loo.variance[i]], [m[0], v[0] + here])
        logp = multivariate_normal(m[0], v[0] + here).logpdf(t[i])
        close(loo.log_densities[i], logp)
        total += logp
    close(loo.log_density, total)


@noises
@means
@pytest.mark.parametrize("m", [1, 4])
def test_adding_points_is_a_new_fit(noise, mean, m):
    kept = noise if np.ndim(noise) == 0 else noise[:-m]
    more = None if np.ndim(noise) == 0 else noise[-m:]
    gp = GaussianProcess(2.0 * GAUSSIAN, kept, mean).fit(X[:-m], t[:-m], False)
    gp.leave_one_out()
    _ = gp.condition_
    gp.add(X[-m:], t[-m:], noise=more)
    whole = fitted(2.0 * GAUSSIAN, noise, mean)
    close(gp.a_, whole.a_)
    close(gp.predict_f(Z), whole.predict_f(Z))
    close(gp.log_marginal_likelihood(), whole.log_marginal_likelihood())
    close(
        gp.log_marginal_likelihood(gradient=True)[1],
        whole.log_marginal_likelihood(gradient=True)[1],
    )
    close(gp.leave_one_out().mean, whole.leave_one_out().mean)
    close(gp.condition_, whole.condition_, 1e-6)
    assert gp.certificate_.kkt["residual"] < 1e-12


def test_adding_nothing_changes_nothing():
    gp = fitted()
    before = gp.a_
    assert gp.add(np.empty((0, d)), []).a_ is before


def test_adding_many_one_by_one_keeps_the_digits():
    r = np.random.default_rng(3)
    P = r.uniform(-4, 4, size=(120, 1))
    u = np.sin(P[:, 0]) + 0.2 * r.normal(size=120)
    gp = GaussianProcess(kl.Gaussian(), 0.05).fit(P[:1], u[:1], optimize=False)
    for x, v in zip(P[1:], u[1:], strict=True):
        gp.add([x], v)
    whole = GaussianProcess(kl.Gaussian(), 0.05).fit(P, u, optimize=False)
    close(gp.a_, whole.a_, 1e-9)


# --- singular matrices --------------------------------------------------------------


def test_duplicates_without_noise_use_jitter_and_say_so():
    P = np.array([[0.0], [1.0], [1.0]])
    gp = GaussianProcess(kl.Gaussian(), noise=0.0).fit(P, [0.0, 1.0, 1.0], False)
    assert 0 < gp.certificate_.jitter < 1e-10
    assert gp.condition_ > 1e10
    close(gp.predict([[1.0]]), [1.0], 1e-3)
    grown = GaussianProcess(kl.Gaussian(), noise=0.0).fit(P[:2], [0.0, 1.0], False)
    assert grown.certificate_.jitter == 0
    grown.add([[1.0]], [1.0])  # cannot grow: factorised anew
    assert grown.certificate_.jitter > 0
    close(grown.predict([[0.5]]), gp.predict([[0.5]]), 1e-4)


def test_invalid_kernels_are_named():
    k = kl.Gaussian() - 2.0
    with pytest.raises(NotPositiveDefinite, match=r"not proven to be a kernel"):
        GaussianProcess(k, noise=0.0).fit(X, t)
    with pytest.raises(NotPositiveDefinite, match="covariance is not positive"):
        GaussianProcess(k).sample_prior(X)


def test_low_rank_with_noise_is_fine():
    gp = fitted(kl.Linear() + 1.0, 0.1)
    assert gp.certificate_.jitter == 0
    assert gp.certificate_.gap < 1e-9 * gp.certificate_.primal
    close(
        gp.condition_, np.linalg.cond((kl.Linear() + 1.0)(X) + 0.1 * np.eye(n), 1), 0.5
    )


@noises
def test_the_certificate_bounds_the_square(noise):
    gp = fitted(GAUSSIAN, noise, 4.0)
    C = GAUSSIAN(X) + np.diag(np.broadcast_to(noise, n))
    square = (t - 4.0) @ np.linalg.solve(C, t - 4.0)
    c = gp.certificate_
    close([c.primal, c.dual], [square, square])
    assert c.kkt["residual"] < 1e-13
    exact = fitted(kl.Exponential(), 0.0).certificate_
    close(exact.gap, 0.0)


def test_huge_and_tiny_values():
    for scale in (1e-120, 1e120):
        gp = GaussianProcess(scale**2 * GAUSSIAN, 0.1 * scale**2)
        gp.fit(X, scale * t, optimize=False)
        close(gp.predict(Z) / scale, fitted().predict(Z), 1e-7)


# --- weights ------------------------------------------------------------------------


def squares(P):
    return np.column_stack([np.ones(len(P)), P, P**2])


@pytest.mark.parametrize("features", [None, squares], ids=["x", "squares"])
def test_weight_space_and_function_space_predict_the_same(features):
    model = BayesianLinearRegression(features, noise=0.2, variance=3.0).fit(X, t)
    gp = model.process().fit(X, t, optimize=False)
    for mine, other in zip(model.predict_f(Z), gp.predict_f(Z), strict=True):
        close(mine, other, 1e-7)
    for mine, other in zip(model.predict_y(Z), gp.predict_y(Z), strict=True):
        close(mine, other, 1e-7)
    Phi = X if features is None else features(X)
    close(model.weights_.mean, primal_ridge(Phi, t, lam=0.2 / 3.0))  # MAP = ridge
    S = np.linalg.inv(Phi.T @ Phi / 0.2 + np.eye(Phi.shape[1]) / 3.0)
    close(model.weights_.covariance, S)
    rows = Z if features is None else features(Z)
    draws = model.sample(Z, 20_000, random_state=0)
    close(np.cov(draws.T), rows @ S @ rows.T, 0.02)
    close(model.predict(Z), rows @ model.weights_.mean)


def test_weights_before_data_are_the_prior():
    model = BayesianLinearRegression(squares, variance=2.0)
    draws = model.sample(Z, 20_000, random_state=1)
    K = 2.0 * squares(Z) @ squares(Z).T
    close(np.cov(draws.T) / np.abs(K).max(), K / np.abs(K).max(), 0.05)
    assert model.process().kernel(Z) == pytest.approx(K)
    assert model.prior(3).rank == 3
    with pytest.raises(NotFitted):
        model.predict(Z)


def test_more_features_than_points():
    Phi = np.random.default_rng(4).normal(size=(5, 30))
    u = np.arange(5.0)
    model = BayesianLinearRegression(noise=1e-3).fit(Phi, u)
    gp = GaussianProcess(kl.Linear(), 1e-3).fit(Phi, u, optimize=False)
    close(model.predict(Phi), gp.predict(Phi), 1e-7)
    close(model.predict_f(Phi)[1], gp.predict_f(Phi)[1], 1e-7)


# --- habits and errors --------------------------------------------------------------


def test_it_is_an_estimator():
    gp = GaussianProcess(GAUSSIAN, noise=0.2, mean=1.0)
    assert gp.get_params(deep=False) == {"kernel": GAUSSIAN, "noise": 0.2, "mean": 1.0}
    other = clone(gp).set_params(noise=0.3).fit(X, t, optimize=False)
    assert other.noise_ == 0.3
    restored = pickle.loads(pickle.dumps(other))
    close(restored.predict_f(Z), other.predict_f(Z))
    refitted = other.fit(X[:5], t[:5], optimize=False)
    assert len(refitted.a_) == 5
    with pytest.raises(InputError, match="no parameter lam"):
        gp.set_params(lam=1.0)


def test_the_data_are_copied():
    P, u = X.copy(), t.copy()
    gp = GaussianProcess(GAUSSIAN).fit(P, u, optimize=False)
    before = gp.predict_f(Z)
    P[:], u[:] = 0.0, 0.0
    close(gp.predict_f(Z), before)
    gp.leave_one_out()
    close(gp.log_marginal_likelihood(), fitted().log_marginal_likelihood())


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: GaussianProcess(kl.Gaussian).fit(X, t), "with parentheses"),
        (lambda: GaussianProcess("precomputed").fit(X, t), "must be a Kernel"),
        (lambda: GaussianProcess(GAUSSIAN, -0.1).fit(X, t), "≥ 0"),
        (lambda: GaussianProcess(GAUSSIAN, np.ones(3)).fit(X, t), r"shape \(14,\)"),
        (lambda: GaussianProcess(GAUSSIAN, -np.ones(n)).fit(X, t), "nowhere negative"),
        (lambda: GaussianProcess(GAUSSIAN, "a").fit(X, t), "noise"),
        (
            lambda: GaussianProcess(GAUSSIAN).fit(X, np.c_[t, t]),
            r"fit a process to each",
        ),
        (lambda: GaussianProcess(GAUSSIAN).fit(X, t[:3]), "14 points"),
        (lambda: GaussianProcess(GAUSSIAN).fit(X, t * np.nan), "finite"),
        (lambda: GaussianProcess(GAUSSIAN).fit(X[:0], []), "one point or more"),
        (lambda: GaussianProcess(GAUSSIAN).fit(X * np.nan, t), "finite"),
        (lambda: GaussianProcess(GAUSSIAN, mean=lambda X: X).fit(X, t), "one finite"),
        (lambda: GaussianProcess(GAUSSIAN, mean="x").fit(X, t), "mean"),
        (lambda: fitted().predict(Z[:, :1]), "expecting 2 features"),
        (lambda: fitted().predict_y(Z, noise=0.1), "leave noise out"),
        (lambda: fitted(noise=NOISES).predict_y(Z), "noise="),
        (lambda: fitted(noise=NOISES).predict_y(Z, noise=NOISES), r"shape \(6,\)"),
        (lambda: fitted(noise=NOISES).add(X[:1], [0.0]), "noise="),
        (lambda: fitted().add(X[:2], [0.0]), "2 points"),
        (lambda: fitted().with_theta([1.0]), "gaussian.sigma, noise"),
        (lambda: fitted().with_theta([0.0, 1000.0]), "below 700"),
        (lambda: fitted().log_marginal_likelihood([np.nan, 0.0]), "finite"),
        (lambda: fitted().sample_prior(Z, -1), "whole number"),
        (lambda: fitted().fit(X, t, restarts=1.5), "whole number"),
        (lambda: fitted().fit(X, t, bounds={"sigma": (1, 2)}), "gaussian.sigma, noise"),
        (lambda: fitted().fit(X, t, bounds=[(1, 2)]), "mapping"),
        (lambda: fitted().fit(X, t, bounds={"noise": (2, 1)}), "smaller one first"),
        (lambda: fitted().fit(X, t, bounds={"noise": (0, 1)}), "must be positive"),
        (lambda: BayesianLinearRegression(noise=0.0).fit(X, t), "positive"),
        (lambda: BayesianLinearRegression().fit(X, np.c_[t, t]), r"\(14,\)"),
    ],
)
def test_errors_say_what_was_expected(action, message):
    with pytest.raises((InputError, TypeError), match=message):
        action()


@pytest.mark.parametrize(
    "action",
    [
        lambda gp: gp.predict(Z),
        lambda gp: gp.predict_f(Z),
        lambda gp: gp.predict_y(Z),
        lambda gp: gp.decompose(Z),
        lambda gp: gp.leave_one_out(),
        lambda gp: gp.log_marginal_likelihood(),
        lambda gp: gp.add(X, t),
        lambda gp: gp.condition_,
        lambda gp: gp.sample_posterior(Z),
    ],
)
def test_before_the_fit(action):
    with pytest.raises(NotFitted, match="call fit first"):
        action(GaussianProcess(GAUSSIAN))


def test_evaluations_do_not_remember_old_points():
    """With one width a coordinate, every θ has its own scaled points."""
    P = np.random.default_rng(2).normal(size=(9, 5))
    gp = GaussianProcess(kl.Gaussian(sigma=(1.0,) * 5)).fit(P, P[:, 0], optimize=False)
    inputs = gp._inputs
    before = len(inputs.X._memo)
    for shift in range(5):
        model = gp._model().with_theta(gp.theta + shift / 10)
        value_and_gradient(model, inputs, gp._factor.r)
    assert len(inputs.X._memo) == before


# --- pictures -----------------------------------------------------------------------


def test_a_picture_is_the_posterior_on_a_grid():
    places, u = [0.2, 0.7], [1.0, -1.0]
    picture = process_picture(
        GAUSSIAN, 0.1, places, u, places=5, draws=3, random_state=2
    )
    gp = GaussianProcess(GAUSSIAN, 0.1).fit(np.c_[places], u, optimize=False)
    m, v = gp.predict_f(np.linspace(0, 1, 5)[:, None])
    close(picture.mean, m)
    close(picture.sd, np.sqrt(v))
    close(picture.sd_y, np.sqrt(v + 0.1))
    assert picture.draws.shape == (3, 5)
    close(picture.log_likelihood, gp.log_marginal_likelihood())
    empty = process_picture(GAUSSIAN, 0.1, places=5)
    close(empty.mean, 0.0)
    close(empty.sd, 1.0)
    assert empty.log_likelihood is None
    with pytest.raises(InputError, match="2 places have 1 targets"):
        process_picture(GAUSSIAN, 0.1, places, [1.0])


def test_samples_move_little_with_the_parameters():
    pictures = [
        process_picture(kl.Gaussian(sigma=s), 0.1, [0.5], [1.0], draws=3)
        for s in (0.3, 0.3001)
    ]
    difference = np.abs(pictures[0].draws - pictures[1].draws).max()
    assert 0 < difference < 0.02


def test_a_surface_is_the_likelihood():
    gp = fitted(2.0 * GAUSSIAN, 0.1, 4.0)
    surface = likelihood_surface(gp, ("noise", "scale.c"), [0.1, 0.2], [1.0, 2.0, 3.0])
    assert surface.values.shape == (3, 2)
    close(surface.values[1, 0], gp.log_marginal_likelihood())
    other = GaussianProcess(3.0 * GAUSSIAN, 0.2, 4.0).fit(X, t, optimize=False)
    close(surface.values[2, 1], other.log_marginal_likelihood())
    with pytest.raises(InputError, match=r"no parameter width; there are scale\.c"):
        likelihood_surface(gp, ("width", "noise"), [1.0], [1.0])


def test_pictures_are_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    ax, bx = Figure().subplots(1, 2)
    picture = process_picture(GAUSSIAN, 0.1, [0.5], [1.0], draws=2)
    draw_process(ax, picture, truth=picture.mean, observations=True)
    labels = ax.get_legend_handles_labels()[1]
    assert labels == ["± 2 standard deviations", "samples", "truth", "mean", "data"]
    gp = fitted(GAUSSIAN, 0.1, 4.0)
    grid = np.geomspace(0.1, 2, 6)
    draw_surface(bx, likelihood_surface(gp, ("gaussian.sigma", "noise"), grid, grid))
    assert bx.get_xscale() == bx.get_yscale() == "log"
