"""check_kernel: it passes what is right, and names what is wrong."""

from dataclasses import dataclass

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.testing import CHECKS, check_kernel
from tests.contract.samples import SAMPLES

X = np.random.default_rng(0).normal(size=(6, 2))


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_every_kernel_of_the_contract_passes(sample):
    if sample.kernel.symmetric and sample.tol <= 1e-10:
        points = sample.points(np.random.default_rng(0), 5)
        assert check_kernel(sample.kernel, points) == list(CHECKS)


@dataclass(frozen=True, repr=False)
class Lopsided(kl.Gaussian):
    def evaluate(self, pair):
        return super().evaluate(pair) + 0.1 * pair.left.X[:, :1]

    def row_writer(self, wanted):
        return None


@dataclass(frozen=True, repr=False)
class WrongSlope(kl.Exponential):
    def evaluate_vjp(self, pair, G):
        return [2 * slope for slope in super().evaluate_vjp(pair, G)]


def bump(x, z, height, width):
    return height * float(np.exp(-np.sum((x - z) ** 2) / width))


def slopes(x, z, height, width):
    k, u = bump(x, z, height, width), np.sum((x - z) ** 2)
    return k / height, k * u / width**2


def bent(r):
    return np.maximum(1 - r, 0.0)


def bend(r):
    return -(r < 1.0).astype(float)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (Lopsided(), "differ by|is not"),
        (WrongSlope(), "vjp says .* for wrongslope.sigma, differences say"),
        (
            kl.from_function(bump, gradient=bump, height=1.0, width=2.0),
            r"gradient\(x, z\) must return 2 numbers",
        ),
        (kl.from_function(lambda x, z: float(x[0])), r"k\(x, z\) and k\(z, x\) differ"),
        (
            kl.from_function(lambda x, z: -float(x @ z), proof="I am sure"),
            "proven on ℝ², but k.X. has the eigenvalue -",
        ),
    ],
)
def test_what_is_wrong_is_named(kernel, message):
    with pytest.raises((AssertionError, ValueError), match=message):
        check_kernel(kernel, X)


def test_a_kernel_of_ones_own_with_parameters():
    k = kl.from_function(bump, gradient=slopes, height=1.5, width=2.0)
    assert check_kernel(k, X) == list(CHECKS)
    assert k.theta_names == ("function.height", "function.width")
    proven = kl.from_function(
        bump, gradient=slopes, proof="a Gaussian", height=1.5, width=2.0
    )
    assert proven.verdict() == "PROVEN"
    assert "the word of its author; a Gaussian" in str(proven.proof())
    np.testing.assert_allclose(k(X), 1.5 * kl.Gaussian(sigma=1.0)(X))


@pytest.mark.exhaustive  # a function of two points is slow to search
def test_nothing_is_known_of_a_function_without_a_proof():
    k = kl.from_function(bump, gradient=slopes, height=1.5, width=2.0)
    assert k.verdict() == "UNKNOWN"


def test_parameters_without_a_gradient_are_fixed():
    k = kl.from_function(bump, height=1.5, width=2.0)
    assert k.theta.shape == (0,)
    assert check_kernel(k, X) == list(CHECKS)
    with pytest.raises(ValueError, match="every kernel has theta"):
        kl.from_function(bump, theta=1.0)


def test_a_profile_has_widths_and_a_domain():
    triangle = kl.from_profile(
        bent, bend, sigma=2.0, proof="a squared sinc", domain=kl.Reals(at_most=1)
    )
    assert check_kernel(triangle, X[:, :1]) == list(CHECKS)
    assert check_kernel(kl.from_profile(bent, bend, sigma=(2.0, 3.0)), X) == list(
        CHECKS
    )
    assert triangle.verdict() == triangle.verdict(kl.Reals(1)) == "PROVEN"
    assert triangle.verdict(kl.Reals(2)) == "REFUTED"
    assert (triangle + kl.Gaussian()).natural_domain() == kl.Reals(at_most=1)
    with pytest.raises(ValueError, match=r"q\(0\) must be 1"):
        kl.from_profile(bend, bend)
