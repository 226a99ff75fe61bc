"""Gaussian process classification against scikit-learn, quadrature, differences."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, softmax
from scipy.stats import multivariate_normal, norm
from sklearn import gaussian_process as peers
from sklearn.datasets import load_iris
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from kernellab import GaussianProcessClassifier
from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.gp.classification import _averaged
from kernellab.gp.laplace import LaplacePosterior, curved, probabilities

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 2))
TWO = np.where(X[:, 0] + 0.5 * rng.normal(size=60) > 0, "up", "down")
THREE = np.digitize(X[:, 0] + 0.3 * rng.normal(size=60), [-0.5, 0.5])
K = 2.0 * kl.Gaussian(sigma=0.8)


def fixed(y, k=K):
    return GaussianProcessClassifier(k).fit(X, y, optimize=False)


def test_two_classes_against_scikit_learn():
    model = fixed(TWO)
    peer = peers.GaussianProcessClassifier(
        ConstantKernel(2.0) * RBF(0.8), optimizer=None
    ).fit(X, TWO)
    value, gradient = peer.log_marginal_likelihood(np.log([2.0, 0.8]), True)
    mine = model.log_marginal_likelihood(gradient=True)
    assert mine[0] == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(mine[1], gradient, atol=1e-5)
    Z = rng.normal(size=(20, 2))
    np.testing.assert_allclose(
        model.predict_proba(Z), peer.predict_proba(Z), atol=0.01
    )  # theirs approximates the sigmoid by five error functions
    np.testing.assert_array_equal(model.predict(Z), peer.predict(Z))


def test_learning_finds_the_optimum_of_scikit_learn():
    model = GaussianProcessClassifier(1.0 * kl.Gaussian()).fit(X, TWO)
    peer = peers.GaussianProcessClassifier(
        ConstantKernel(1.0) * RBF(1.0), n_restarts_optimizer=3, random_state=0
    ).fit(X, TWO)
    best = peer.log_marginal_likelihood_value_
    assert model.log_marginal_likelihood() >= best - 1e-3
    assert model.report_.converged


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_the_gradient_against_differences(y):
    model = fixed(y)
    theta = model.kernel_.theta + np.array([0.3, -0.2])
    value, gradient = model.log_marginal_likelihood(theta, gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood(theta), rel=1e-10)
    for j, step in enumerate(1e-4 * np.eye(2)):
        up, down = (model.log_marginal_likelihood(theta + s * step) for s in (1, -1))
        assert gradient[j] == pytest.approx((up - down) / 2e-4, rel=1e-4, abs=1e-5)


def test_two_functions_of_half_the_kernel_are_one():
    """f₁ − f₀ has the covariance k if both have k/2; their sum plays no part."""
    Y = np.column_stack([TWO == "down", TWO == "up"]).astype(float)
    one = LaplacePosterior.find(K(X), Y[:, 1:])
    two = LaplacePosterior.find(K(X) / 2, Y)
    assert two.log_evidence == pytest.approx(one.log_evidence, rel=1e-9)
    np.testing.assert_allclose(two.P[:, 1], one.P[:, 0], atol=1e-7)


def test_the_posterior_is_the_dense_formula():
    """Covariance (K⁻¹ + W)⁻¹ and log det(I + KW) for all 3n values at once."""
    rows = np.arange(0, 60, 6)
    model = GaussianProcessClassifier(K).fit(X[rows], THREE[rows], optimize=False)
    n, c = 10, 3
    P = probabilities(K(X[rows]) @ model.a_)
    np.testing.assert_allclose(model.a_, np.eye(3)[THREE[rows]] - P, atol=1e-6)
    W = np.zeros((n, c, n, c))
    for i in range(n):
        W[i, :, i] = np.diag(P[i]) - np.outer(P[i], P[i])
    V = rng.normal(size=(n, c))
    np.testing.assert_allclose(curved(P, V), np.einsum("iajb,jb->ia", W, V))
    W = W.reshape(n * c, n * c)
    KK = np.kron(K(X[rows]), np.eye(c))
    S = KK - KK @ W @ np.linalg.solve(np.eye(n * c) + KK @ W, KK)
    _, found = model.predict_f(X[rows])
    for i in range(n):
        block = S[i * c : (i + 1) * c, i * c : (i + 1) * c]
        np.testing.assert_allclose(found[i], block, atol=1e-8)
    logdet = np.linalg.slogdet(np.eye(n * c) + KK @ W)[1]
    assert model._posterior.curvature.logdet == pytest.approx(logdet, rel=1e-8)


def test_the_evidence_of_one_point_against_quadrature():
    """p(y) = ∫ σ(f) N(f; 0, v) df is ½; Laplace is near for a small v."""
    for v, near in ((0.01, 1e-4), (1.0, 0.03)):
        model = GaussianProcessClassifier(v * kl.Gaussian())
        evidence = model.fit([[0.0], [50.0]], [0, 1], optimize=False)
        density = norm(0, np.sqrt(v)).pdf
        exact = quad(lambda f, p=density: expit(f) * p(f), -20, 20)[0]
        assert exact == pytest.approx(0.5)
        half = evidence.log_marginal_likelihood() / 2
        assert half == pytest.approx(np.log(exact), abs=near)


def test_averaged_probabilities_against_integrals():
    for mean, v in ((0.3, 0.5), (-2.0, 4.0), (1.0, 100.0)):
        density = norm(mean, np.sqrt(v)).pdf
        exact = quad(
            lambda f, p=density: expit(f) * p(f),
            mean - 12 * np.sqrt(v),
            mean + 12 * np.sqrt(v),
            limit=200,
        )[0]
        found = _averaged(np.array([[mean]]), np.array([[[v]]]))[0, 0]
        assert found == pytest.approx(exact, abs=2e-3)
    mean = np.array([1.0, 0.0, -0.5])
    S = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]])
    draws = multivariate_normal(mean, S).rvs(400_000, random_state=0)
    expected = softmax(draws, axis=1).mean(axis=0)
    np.testing.assert_allclose(_averaged(mean[None], S[None])[0], expected, atol=5e-3)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_the_certificate(y):
    c = fixed(y).certificate_
    assert 0 <= c.relative_gap < 1e-8
    assert c.gradient_norm < 1e-3
    assert c.kkt["Newton decrement"] < 1e-10


def test_far_from_the_data_nothing_is_known():
    for y, share in ((TWO, 1 / 2), (THREE, 1 / 3)):
        P = fixed(y).predict_proba([[100.0, 100.0]])
        np.testing.assert_allclose(P, share, atol=1e-2)
        np.testing.assert_allclose(P.sum(axis=1), 1)
    sure = fixed(TWO).predict_proba([[2.0, 0.0]])[0, 1]
    plain = expit(fixed(TWO).predict_f([[2.0, 0.0]])[0][0, 0])
    assert 0.5 < sure < plain  # the average over f is less sure than its mean


def test_iris_words_and_labels():
    iris = load_iris()
    half = np.arange(0, 150, 2)
    model = GaussianProcessClassifier(1.0 * kl.Gaussian(sigma=2.0))
    model.fit(iris.data[half], iris.target_names[iris.target[half]], restarts=0)
    assert model.score(iris.data, iris.target_names[iris.target]) > 0.94
    assert list(model.classes_) == ["setosa", "versicolor", "virginica"]
    words = GaussianProcessClassifier(1.0 * kl.Spectrum(p=1))
    words.fit(["ab", "aab", "cd", "ccd"], [0, 0, 1, 1], optimize=False)
    assert words.predict(["ba", "dc"]).tolist() == [0, 1]


def test_a_prior_and_bounds_are_kept():
    model = GaussianProcessClassifier(1.0 * kl.Gaussian())
    model.fit(X, TWO, priors={"scale.c": (3.0, 1.01)}, restarts=0)
    assert np.exp(model.kernel_.theta[0]) == pytest.approx(3.0, rel=0.05)
    model.fit(X, TWO, bounds={"gaussian.sigma": (0.9, 0.9)}, restarts=0)
    assert model.kernel_.theta[1] == pytest.approx(np.log(0.9))


def test_no_certificate_for_what_is_not_a_kernel():
    """K has the eigenvalue −1, and I + D^½KD^½ is positive definite all the same."""
    differs = kl.FromFunction(lambda x, z: float(x[0] != z[0]), "differs")
    with pytest.raises(NotPositiveDefinite):
        GaussianProcessClassifier(differs).fit([[0.0], [1.0]], [0, 1], optimize=False)


def test_wrong_input():
    with pytest.raises(InputError, match="two classes or more"):
        GaussianProcessClassifier(K).fit(X, np.zeros(60))
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        GaussianProcessClassifier("rbf").fit(X, TWO)
    with pytest.raises(ValueError, match="not fitted"):
        GaussianProcessClassifier(K).predict_proba(X)
    with pytest.raises(InputError, match="expecting 2 features"):
        fixed(TWO).predict_proba([[1.0]])
