"""Explicit feature maps: their columns, their names, and the truncated Gaussian."""

from itertools import pairwise
from math import comb, factorial, sqrt

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.kernels.features import FeatureMap

rng = np.random.default_rng(3)


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_one_column_per_monomial(d, degree):
    X, Z = rng.normal(size=(6, d)), rng.normal(size=(5, d))
    of_degree, up_to_degree = comb(d + degree - 1, degree), comb(d + degree, degree)
    for c, columns in ((0.0, of_degree), (0.7, up_to_degree)):
        k = kl.Polynomial(degree, c)
        phi = k.features()
        assert phi(X).shape == (6, columns)
        assert len(set(phi.labels(d))) == columns
        np.testing.assert_allclose(phi(X) @ phi(Z).T, k(X, Z), rtol=1e-11, atol=1e-11)


def test_the_square_of_the_sources():
    """(x⊤x' + c)²: x₁², √2 x₁x₂, √(2c) x₁, x₂², √(2c) x₂, c."""
    c = 0.8
    phi = kl.Polynomial(2, c).features()
    x1, x2 = 1.5, -2.0
    expected = [x1**2, sqrt(2) * x1 * x2, sqrt(2 * c) * x1, x2**2, sqrt(2 * c) * x2, c]
    np.testing.assert_allclose(phi([[x1, x2]])[0], expected, rtol=1e-14)
    assert phi.labels(2) == [
        "x1²",
        "√2·x1·x2",
        f"{sqrt(2 * c):.6g}·x1",
        "x2²",
        f"{sqrt(2 * c):.6g}·x2",
        "0.8",
    ]


def test_multinomial_coefficients():
    """(u+v+w)⁴: the monomial u²vw has weight 4!/(2!1!1!) = 12."""
    labels = kl.Polynomial(4, 0.0).features().labels(3)
    assert labels[0] == "x1⁴"
    assert "√12·x1²·x2·x3" in labels
    assert "2·x1³·x2" in labels
    assert "√6·x1²·x2²" in labels


def test_small_coefficients_keep_their_digits():
    assert (1e-20 * kl.Linear()).features().labels(1) == ["1e-10·x1"]
    assert (0 * kl.Linear()).features().labels(1) == ["0·x1"]
    assert (1e12 * kl.Linear()).features().labels(1) == ["1000000·x1"]


LABELS = [
    (kl.Constant(4.0), 2, ["2"]),
    (kl.Linear(), 2, ["x1", "x2"]),
    (3 * kl.Linear() + 2, 1, ["√3·x1", "√2"]),
    (kl.Linear() * kl.Linear(), 2, ["x1²", "x1·x2", "x2·x1", "x2²"]),
    (kl.Linear() ** 2, 2, ["x1²", "√2·x1·x2", "x2²"]),
    (kl.Linear() ** 0, 2, ["1"]),
    (kl.Linear().on(2) + kl.Linear().on([1, 0]), 3, ["x3", "x2", "x1"]),
    ((kl.Linear() ** 2).on([1, 0]).on([2, 1]), 3, ["x2²", "√2·x2·x3", "x3²"]),
    (kl.Linear(A=np.eye(2)), 2, ["(A^½x)1", "(A^½x)2"]),
    (kl.Linear().weighted(np.sin), 1, ["sin(x)·x1"]),
    (kl.Linear().pullback(np.sin), 2, ["sin1(x)", "sin2(x)"]),
    ((kl.Linear() ** 2).pullback(np.sin), 1, ["sin1(x)²"]),
    (kl.FromFeatures(np.sin), 2, ["sin1(x)", "sin2(x)"]),
    (kl.Cosine(2.0), 1, ["cos(ω⊤x)", "sin(ω⊤x)"]),
    (kl.Linear().polynomial((4, 0, 9)), 1, ["2", "3·x1²"]),
    (kl.Linear().normalize(), 1, ["k(x,x)^(-1/2)·x1"]),
]


@pytest.mark.parametrize(("kernel", "d", "labels"), LABELS, ids=str)
def test_labels(kernel, d, labels):
    phi = kernel.features()
    assert phi.labels(d) == labels
    X, Z = rng.normal(size=(5, max(d, 1))), rng.normal(size=(4, max(d, 1)))
    assert phi(X).shape == (5, len(labels))
    np.testing.assert_allclose(phi(X) @ phi(Z).T, kernel(X, Z), rtol=1e-11, atol=1e-12)


def test_a_long_expression():
    k = (2 * kl.Linear().on(0) + kl.Cosine((1.0, 2.0)).on((1, 2))) ** 2 * (
        kl.Polynomial(2, 0.3).weighted(lambda X: 1 + X[:, 1]) + 1
    ).normalize()
    X, Z = rng.normal(size=(7, 3)), rng.normal(size=(4, 3))
    phi = k.features()
    assert phi(X).shape[1] == 6 * (comb(3 + 2, 2) + 1) == len(phi.labels(3))
    np.testing.assert_allclose(phi(X) @ phi(Z).T, k(X, Z), rtol=1e-11, atol=1e-12)
    assert (phi.bound(X, Z) == 0).all()


def test_a_singular_matrix_has_features():
    k = kl.Linear(A=[[1.0, 1.0], [1.0, 1.0]])
    X = rng.normal(size=(5, 2))
    phi = k.features()(X)
    np.testing.assert_allclose(phi @ phi.T, k(X), rtol=1e-12, atol=1e-12)


def test_features_check_their_points():
    phi = kl.Linear(A=np.eye(2)).features()
    with pytest.raises(ValueError, match="2 columns; X has 3 columns"):
        phi(np.ones((2, 3)))


def test_a_map_returns_its_own_array():
    X = rng.normal(size=(3, 2))
    before = X.copy()
    kl.Linear().features()(X)[:] = 0
    np.testing.assert_array_equal(X, before)
    assert isinstance(kl.Linear().features(), FeatureMap)


# --- the truncated Gaussian -----------------------------------------------------------


@pytest.mark.parametrize("sigma", [1.0, 0.6, 2.5, (0.8, 1.5, 3.0)], ids=str)
@pytest.mark.parametrize("degree", [0, 1, 2, 4, 8])
def test_truncated_gaussian_stays_within_its_bound(sigma, degree):
    k = kl.Gaussian(sigma)
    phi = k.truncated_features(degree)
    for size in (0.1, 1.0, 3.0):
        X, Z = size * rng.normal(size=(40, 3)), size * rng.normal(size=(30, 3))
        error = np.abs(phi(X) @ phi(Z).T - k(X, Z))
        bound = phi.bound(X, Z)
        assert bound.shape == error.shape
        assert (error <= bound).all()
        assert (bound <= 1 + 1e-12).all()
    assert phi(X).shape[1] == comb(3 + degree, degree) == len(phi.labels(3))


@pytest.mark.parametrize("degree", [0, 1, 3, 6])
def test_the_bound_is_attained_on_a_ray(degree):
    """On x, x' ≥ 0 of one line every term of the rest is positive: equality."""
    x = np.linspace(0.5, 2.5, 9)[:, None]
    k = kl.Gaussian()
    phi = k.truncated_features(degree)
    error = np.abs(phi(x) @ phi(x).T - k(x))
    np.testing.assert_allclose(error, phi.bound(x, x), rtol=1e-6, atol=1e-13)


def test_the_bound_shrinks_with_the_degree():
    x = np.linspace(-2, 2, 9)[:, None]
    sizes = [kl.Gaussian().truncated_features(m).bound(x, x).max() for m in range(25)]
    assert all(later < earlier for earlier, later in pairwise(sizes))
    assert sizes[-1] < 1e-10
    # The first term left out is at least as large as a share of the bound.
    assert sizes[10] < 2 * 4**11 / factorial(11)


def test_truncated_labels():
    phi = kl.Gaussian(2.0).truncated_features(2)
    assert phi.labels(1) == [
        "f(x)",
        "f(x)·(x/σ)1",
        "0.707107·f(x)·(x/σ)1²",
    ]


def test_a_truncated_map_checks_its_points():
    phi = kl.Gaussian((1.0, 2.0)).truncated_features(2)
    with pytest.raises(ValueError, match="2 columns; X has 1 columns"):
        phi([[1.0]])
    with pytest.raises(ValueError, match="2 columns; Z has 1 columns"):
        phi.bound([[1.0, 1.0]], [[1.0]])
