"""Distances: right to many digits where the usual formula loses them."""

from fractions import Fraction

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.kernels import gram
from kernellab.kernels.pairs import CrossPairs, SelfPairs
from kernellab.kernels.points import Points


def exact(X, Z, sigma, power: int) -> np.ndarray:
    """Σ_c |x_c−z_c|ᵖ/σ_cᵖ in rational arithmetic."""
    s = [Fraction(v) for v in np.broadcast_to(sigma, X.shape[1]).tolist()]

    def one(x, z) -> float:
        gaps = [abs(Fraction(a) - Fraction(b)) for a, b in zip(x, z, strict=True)]
        return float(sum((g / c) ** power for g, c in zip(gaps, s, strict=True)))

    return np.array([[one(x, z) for z in Z.tolist()] for x in X.tolist()])


def relative_error(found: np.ndarray, true: np.ndarray) -> float:
    np.testing.assert_array_equal(found[true == 0], 0)
    return float(np.max(np.abs(found - true)[true != 0] / true[true != 0], initial=0))


@pytest.mark.parametrize("scaled", [False, True], ids=["one width", "widths"])
@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("d", [1, 2, 5, 50])
def test_nearly_equal_points_far_from_the_origin(d, offset, gap, scaled):
    rng = np.random.default_rng(d)
    X = offset + rng.normal(size=(5, d))
    Z = X[:4] + gap * rng.normal(size=(4, d))
    Z[1] = X[1]
    scale = tuple(np.linspace(0.3, 3, d)) if scaled else None
    pair = CrossPairs(Points(X), Points(Z))
    sigma = 1.0 if scale is None else scale
    assert relative_error(pair.sqdistance(scale), exact(X, Z, sigma, 2)) < 1e-9
    assert relative_error(pair.cityblock(scale), exact(X, Z, sigma, 1)) < 1e-9


def test_clusters_far_apart():
    """One origin cannot be near both clusters."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 6)) + np.where(np.arange(8) % 2, 1e7, -1e7)[:, None]
    found = CrossPairs(Points(X), Points(X)).sqdistance()
    assert relative_error(found, exact(X, X, 1.0, 2)) < 1e-9


@pytest.mark.parametrize("d", [2, 5, 50])
@pytest.mark.parametrize(
    "kernel",
    [
        kl.Gaussian(1e-3),
        kl.Exponential(1e-3),
        kl.Laplacian(1e-3),
        kl.Matern(1e-3, nu=1.5),
        kl.Matern(1e-3, nu=2.5),
        kl.RationalQuadratic(1e-3),
        kl.Periodic(1e-3, period=1.0),
    ],
    ids=str,
)
def test_a_point_is_at_distance_zero_from_itself(kernel, d):
    X = 1e6 + np.random.default_rng(0).normal(size=(300, d))
    Z = X[40:80]
    np.testing.assert_array_equal(np.diag(kernel(X)), 1)
    np.testing.assert_array_equal(kernel.diag(X), 1)
    np.testing.assert_array_equal(np.diag(kernel(X[40:80], Z)), 1)
    np.testing.assert_array_equal(kernel(X, Z)[range(40, 80), range(40)], 1)
    np.testing.assert_array_equal(kernel(Z, X)[range(40), range(40, 80)], 1)


@pytest.mark.parametrize("d", [3, 4])
def test_widths_per_coordinate_keep_zero(d):
    kernel = kl.Gaussian(tuple(np.linspace(1e-3, 1, d)))
    X = 1e6 + np.random.default_rng(0).normal(size=(20, d))
    np.testing.assert_array_equal(np.diag(kernel(X, X.copy())), 1)


def test_no_distance_is_negative():
    """A negative square would make √ complain and exp exceed 1."""
    X = np.random.default_rng(0).normal(size=(400, 30))
    X[200:] = X[:200] * (1 + 1e-12)
    assert kl.Gaussian(3.0)(X).max() == 1
    assert np.isfinite(kl.Exponential(3.0)(X)).all()
    assert CrossPairs(Points(X), Points(X)).sqdistance().min() == 0


def test_the_diagonal_layout_answers_as_the_block_does():
    P = Points(np.random.default_rng(0).normal(size=(6, 4)))
    block, diagonal = CrossPairs(P, P), SelfPairs(P)
    np.testing.assert_allclose(diagonal.inner(), np.diag(block.inner()))
    np.testing.assert_array_equal(diagonal.sqdistance(), np.diag(block.sqdistance()))
    np.testing.assert_array_equal(diagonal.distance(), np.diag(block.distance()))
    np.testing.assert_array_equal(diagonal.cityblock(), np.diag(block.cityblock()))


def test_moments_are_weighted_squares():
    rng = np.random.default_rng(0)
    X, Z, S = rng.normal(size=(6, 3)), rng.normal(size=(4, 3)), rng.normal(size=(6, 4))
    sigma = (0.5, 1.0, 3.0)
    squares = ((X[:, None, :] - Z[None, :, :]) / sigma) ** 2
    expected = np.einsum("ij,ijc->c", S, squares)
    np.testing.assert_allclose(
        CrossPairs(Points(X), Points(Z)).moments(S, sigma), expected
    )
    assert (SelfPairs(Points(X)).moments(S[:, 0], sigma) == 0).all()


def test_leaves_of_one_metric_share_their_distances(monkeypatch):
    """… so a sum of five radial kernels costs one distance matrix a tile."""
    calls = []
    factors = CrossPairs.sqdistance_factors
    monkeypatch.setattr(
        CrossPairs,
        "sqdistance_factors",
        lambda self, scale: calls.append(scale) or factors(self, scale),
    )
    k = kl.Gaussian(0.5) + kl.Gaussian(2.0) + kl.Matern() + kl.Exponential()
    (k * kl.RationalQuadratic())(np.ones((gram.TILE, 5)))
    assert calls == [None]


def test_a_call_without_a_scale_is_a_call_with_none():
    pair = CrossPairs(Points(np.eye(4)), Points(np.ones((2, 4))))
    for ask in (pair.sqdistance, pair.cityblock, pair.distance):
        assert ask() is ask(None) is ask(scale=None)
        assert ask(2.0) is ask(scale=2.0) is not ask()
