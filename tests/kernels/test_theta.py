"""Hyperparameters: which there are, in which order, coordinates and names."""

import numpy as np
import pytest

from kernellab import kernels as kl

g = kl.Gaussian(sigma=0.5)


def test_positive_parameters_are_logarithms():
    np.testing.assert_array_equal(g.theta, [np.log(0.5)])
    assert g.theta.dtype == np.float64
    assert g.theta_names == ("gaussian.sigma",)
    k = kl.Periodic(sigma=2.0, period=3.0)
    np.testing.assert_array_equal(k.theta, np.log([2.0, 3.0]))
    assert k.theta_names == ("periodic.sigma", "periodic.period")


def test_a_frequency_is_learned_as_it_is():
    k = kl.Cosine(omega=(-2.0, 0.0))
    np.testing.assert_array_equal(k.theta, [-2.0, 0.0])
    assert k.with_theta([0.0, -1.0]) == kl.Cosine(omega=(0.0, -1.0))


@pytest.mark.parametrize(
    ("kernel", "names"),
    [
        (kl.Linear(), ()),
        (kl.Linear(A=np.eye(2)), ()),
        (kl.Delta(), ()),
        (kl.Brownian(), ()),
        (kl.Constant(2.0), ("constant.c",)),
        (kl.Constant(0.0), ()),
        (kl.Constant(-1.0), ()),
        (kl.Polynomial(3, 2.0), ("polynomial.c",)),
        (kl.Polynomial(3, 0.0), ()),
        (2 * kl.Linear(), ("scale.c",)),
        (0 * kl.Linear(), ()),
        (-kl.Linear(), ()),
        (-2 * g, ("gaussian.sigma",)),
        (g - 1, ("gaussian.sigma",)),
        (g**2.5, ("gaussian.sigma",)),
        (
            kl.RationalQuadratic(),
            ("rationalquadratic.sigma", "rationalquadratic.alpha"),
        ),
        (kl.Matern(), ("matern.sigma",)),
        (
            g.polynomial((1.0, 0.0, -2.0, 3.0)),
            (
                "polynomialof.coefficients[0]",
                "polynomialof.coefficients[3]",
                "gaussian.sigma",
            ),
        ),
        (
            3 * (2 * g + kl.Gaussian((1.0, 2.0))) * kl.Laplacian() + 5,
            (
                "scale.c",
                "scale2.c",
                "gaussian.sigma",
                "gaussian2.sigma[0]",
                "gaussian2.sigma[1]",
                "laplacian.sigma",
                "constant.c",
            ),
        ),
        (g / (kl.Laplacian() + 1), ("gaussian.sigma", "laplacian.sigma", "constant.c")),
        (
            kl.exp(2 * g).normalize().on(0).pullback(np.sin).weighted(np.cos),
            ("scale.c", "gaussian.sigma"),
        ),
    ],
    ids=str,
)
def test_names_and_order(kernel, names):
    assert kernel.theta_names == names
    assert kernel.theta.shape == (len(names),)
    assert kernel.with_theta(kernel.theta) == kernel


def test_nested_order_is_parents_first_then_left_to_right():
    k = 3 * (2 * g + kl.Gaussian((1.0, 4.0))) * kl.Laplacian(7.0) + 5
    np.testing.assert_allclose(np.exp(k.theta), [3, 2, 0.5, 1, 4, 7, 5])
    moved = k.with_theta(np.log([30, 20, 5, 10, 40, 70, 50]))
    expected = (
        30 * (20 * kl.Gaussian(5) + kl.Gaussian((10, 40))) * kl.Laplacian(70) + 50
    )
    np.testing.assert_allclose(moved.theta, expected.theta)
    X = np.random.default_rng(0).normal(size=(4, 2))
    np.testing.assert_allclose(moved(X), expected(X))


def test_the_same_leaf_twice_has_two_coordinates():
    k = g + g * g
    assert k.theta_names == ("gaussian.sigma", "gaussian2.sigma", "gaussian3.sigma")
    moved = k.with_theta(np.log([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.exp(moved.theta), [1, 2, 3])
    X, G = np.array([[0.0], [0.7]]), np.array([[1.0, 2.0], [-3.0, 0.5]])
    one, two = k.vjp(X, G)[:2]
    assert one != two


def test_fixed_constants_stay():
    k = (g - 1).with_theta([0.0])
    assert k == kl.Gaussian(1.0) - 1
    k = g.polynomial((1.0, 0.0, -2.0, 3.0)).with_theta(np.log([5.0, 6.0, 1.0]))
    np.testing.assert_allclose(k.coefficients, (5.0, 0.0, -2.0, 6.0))


@pytest.mark.parametrize("value", [0.1, 0.3, 0.7, 1 / 3, 1e-9, 123.456, 1e100, 5e-140])
def test_round_trip_is_exact(value):
    """In floating point exp(log(v)) may not be v; k.with_theta(k.theta) is k."""
    for k in (kl.Gaussian(value), value * kl.Linear(), kl.Gaussian((value, 1.0))):
        assert k.with_theta(k.theta) == k


def test_the_same_type_comes_back():
    k = kl.Gaussian((1.0, 2.0)).with_theta([0.5, 0.25])
    assert isinstance(k.sigma, tuple)
    assert all(type(s) is float for s in k.sigma)
    assert type((2 * g).with_theta(np.zeros(2)).c) is float


def test_kernels_without_parameters():
    k = kl.Linear() * kl.Delta()
    assert k.theta.shape == (0,)
    assert k.with_theta([]) == k
    assert k.vjp([[1.0]], [[1.0]]).shape == (0,)


def test_vjp_at_a_zero_of_the_kernel():
    """0⁰ = 1 is constant, and 0¹ has slope 1: no NaN from 0·∞."""
    X, G = [[0.0], [1.0]], np.ones((2, 2))
    assert ((2 * kl.Linear()) ** 0).vjp(X, G).tolist() == [0.0]
    assert ((2 * kl.Linear()) ** 1).vjp(X, G).tolist() == [2.0]
    assert ((2 * kl.Linear()) ** 2).vjp(X, G).tolist() == [8.0]


def test_widths_at_coinciding_points():
    """‖x−x'‖ has a kink at 0, its kernel none in σ: the slope there is 0."""
    X, G = np.zeros((3, 2)), np.ones((3, 3))
    for k in (kl.Exponential(), kl.Matern(nu=0.5), kl.Laplacian(), kl.Matern()):
        assert k.vjp(X, G).tolist() == [0.0]
