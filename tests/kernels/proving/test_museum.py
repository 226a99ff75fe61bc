"""The museum: functions that were taken for kernels, and are not.

Each must fall, also at another scale and with another seed: the search is general.
Some stand in the four source documents (S2's K₁/√K₂ and real powers), some were
shipped as kernels by public libraries (Matérn of the L1 distance, the periodic
kernel of the Euclidean norm, the Gaussian of a geodesic distance), some are folklore.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.kernels import Interval, Orthant, Reals
from tests.sampling import one_in

LINEAR = kl.Linear()
R3, R5 = math.sqrt(3), math.sqrt(5)


def matern32(r):
    return (1 + R3 * r) * np.exp(-R3 * r)


def matern52(r):
    return (1 + R5 * r + 5 * r**2 / 3) * np.exp(-R5 * r)


def periodic(r):
    return np.exp(-2 * np.sin(np.pi * r) ** 2)


def parabola(x, z):
    return 1 - float((x[0] - z[0]) ** 2)


def triangle(r):
    return np.clip(1 - r, 0, None)


def fourth_power(r):
    return np.exp(-(r**4))


def box(r):
    return (r < 1).astype(float)


def wide_gaussian(r):
    return np.exp(-(r**2) / 8)


def multiquadric(r):
    return np.sqrt(1 + r**2)


def minus_square(r):
    return -(r**2)


def lopsided(x, z):
    return math.exp(-abs(x[0] - 2 * z[0]))


# name: (function, domain, most points that the witness may need)
MUSEUM = {
    "1/√Gaussian": (1 / kl.sqrt(kl.Gaussian()), None, 2),
    "Linear+1 over √itself": ((LINEAR + 1) / kl.sqrt(LINEAR + 1), Orthant(1), 3),
    "(1+xx')^(1/2), x ≥ 0": ((1 + LINEAR) ** 0.5, Orthant(1), 3),
    "(1+xx')^(3/2), x ≥ 0": ((1 + LINEAR) ** 1.5, Orthant(1), 4),
    "(1+xx')^(5/2), x ≥ 0": ((1 + LINEAR) ** 2.5, Orthant(1), 5),
    "tanh(xx'−1)": (kl.tanh(LINEAR - 1), None, 1),
    "tanh(2xx'+1)": (kl.tanh(2 * LINEAR + 1), None, 3),
    "−Gaussian": (-kl.Gaussian(), None, 1),
    "narrow − wide Gaussian": (kl.Gaussian() - kl.Gaussian(sigma=2), None, 2),
    "Gaussian − 1/2": (kl.Gaussian() - 0.5, None, 3),
    "1 − (x−x')²": (kl.FromFunction(parabola), None, 2),
    "x⊤Ax', A indefinite": (kl.Linear(A=[[1, 2], [2, 1]]), None, 1),
    "x⊤Ax', A not symmetric": (kl.Linear(A=[[1, 1], [0, 1]]), None, 2),
    "not symmetric": (kl.FromFunction(lopsided), None, 2),
    "periodic of the norm": (kl.FromDistance(periodic), Reals(2), 4),
    "Matérn 3/2 of L1": (kl.FromDistance(matern32, metric="cityblock"), Reals(2), 4),
    "Matérn 5/2 of L1": (kl.FromDistance(matern52, metric="cityblock"), Reals(2), 4),
    "cos of the norm": (kl.FromDistance(np.cos), Reals(2), 3),
    "cos of L1": (kl.FromDistance(np.cos, metric="cityblock"), Reals(2), 3),
    "Gaussian of the arc": (kl.FromDistance(wide_gaussian, metric="circle"), None, 4),
    "exp(−r⁴)": (kl.FromDistance(fourth_power), None, 4),
    "box": (kl.FromDistance(box), None, 3),
    "triangle of the norm": (kl.FromDistance(triangle), Reals(2), 40),
    "multiquadric": (kl.FromDistance(multiquadric), None, 2),
    "−‖x−x'‖²": (kl.FromDistance(minus_square), None, 2),
    "min on ℝ": (kl.FromFunction(lambda x, z: min(x[0], z[0])), Reals(1), 1),
    "max on x ≥ 0": (kl.FromFunction(lambda x, z: max(x[0], z[0])), Orthant(1), 2),
    "|x−x'|": (kl.FromFunction(lambda x, z: abs(x[0] - z[0])), None, 2),
    "q(k), one coefficient < 0": (LINEAR.polynomial((1, -0.5, 1)), None, 3),
    "log(1+xx')": (
        kl.FromFunction(lambda x, z: math.log1p(x[0] * z[0])),
        Orthant(1),
        4,
    ),
}

BOUNDED = {
    "(1+xx')^(1/2)": ((1 + LINEAR) ** 0.5, 3),
    "(1+xx')^(3/2)": ((1 + LINEAR) ** 1.5, 4),
    "(1+xx')^(5/2)": ((1 + LINEAR) ** 2.5, 5),
}


def check(witness, kernel, domain, most_points):
    """A witness is checked from its own numbers, with NumPy alone."""
    assert witness
    K = kernel(witness.points)
    assert len(K) <= most_points
    if domain is not None:
        assert all(domain.contains(point) for point in witness.points)
    if witness.c is None:
        assert K[0, 1] - K[1, 0] == pytest.approx(witness.value)
        assert witness.value != 0
    else:
        assert witness.c @ K @ witness.c == pytest.approx(witness.value, rel=1e-6)
        size = np.abs(witness.c) @ np.abs(K) @ np.abs(witness.c)
        assert witness.value < -1e-9 * size


@pytest.mark.parametrize("name", MUSEUM)
def test_it_falls(name):
    kernel, domain, most_points = MUSEUM[name]
    check(kernel.refute(domain), kernel, domain, most_points)


@pytest.mark.parametrize("name", BOUNDED)
def test_real_powers_fall_near_zero_too(name):
    kernel, most_points = BOUNDED[name]
    domain = Interval(-1, 1, closed=False)
    check(kernel.refute(domain), kernel, domain, most_points)


@pytest.mark.parametrize("name", MUSEUM)
@pytest.mark.parametrize("seed", one_in(3, [1, 2, 3]))
def test_it_falls_at_any_scale(name, seed):
    kernel, domain, most_points = MUSEUM[name]
    rng = np.random.default_rng(seed)
    unit, height = 10 ** rng.uniform(-2.5, 2.5, size=2)
    stretched = height * kernel.pullback(kl.Map(lambda X: X / unit, "rescale"))
    if domain is None:
        domain = kernel.natural_domain()
    check(stretched.refute(domain, rng), stretched, domain, most_points + 2)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_real_powers_fall_at_any_scale(name, seed):
    kernel, most_points = BOUNDED[name]
    rng = np.random.default_rng(seed)
    unit, height = 10 ** rng.uniform(-2.5, 2.5, size=2)
    stretched = height * kernel.pullback(kl.Map(lambda X: X / unit, "rescale"))
    domain = Interval(-unit, unit, closed=False)
    check(stretched.refute(domain, rng), stretched, domain, most_points)


@pytest.mark.parametrize("name", MUSEUM)
def test_the_verdict_is_refuted(name):
    kernel, domain, _ = MUSEUM[name]
    verdict = kernel.verdict(domain)
    assert verdict == "REFUTED"
    assert verdict.witness
    assert verdict.proof is None
    assert "kernel" in verdict.reason or "symmetric" in verdict.reason


def test_simple_witnesses_are_simple():
    witness = kl.FromFunction(parabola).refute()
    np.testing.assert_array_equal(witness.points, [[0], [2]])
    np.testing.assert_array_equal(witness.c, [1, 1])
    assert witness.value == -4
    np.testing.assert_allclose(witness.eigenvalues, [-2, 4])
    assert "0, 2" in str(witness)


VALID = {
    "L1 exponential": (lambda r: np.exp(-r), "cityblock", Reals(2)),
    "cos on the line": (np.cos, "euclidean", Reals(1)),
    "Gaussian": (lambda r: np.exp(-(r**2)), "euclidean", Reals(2)),
    "Matérn 3/2": (matern32, "euclidean", Reals(2)),
    "triangle on the line": (triangle, "euclidean", Reals(1)),
    "inverse multiquadric": (lambda r: 1 / np.sqrt(1 + r**2), "euclidean", Reals(3)),
    "exponential of the arc": (lambda r: np.exp(-r), "circle", Reals(1)),
}


@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_is_found_where_there_is_nothing(name, seed):
    profile, metric, domain = VALID[name]
    kernel = kl.FromDistance(profile, metric=metric)
    assert kernel.refute(domain, np.random.default_rng(seed)) is None
    assert kernel.verdict(domain) == "UNKNOWN"


def test_cancellation_is_not_a_counterexample():
    kernel = kl.Gaussian() + 1e12 - 1e12  # a kernel, but for rounding
    assert kernel.refute() is None
    assert kernel.verdict() == "UNKNOWN"


def test_a_proven_kernel_is_not_searched():
    assert kl.Gaussian().refute() is None
    assert (kl.Gaussian() * kl.Linear()).refute(Reals(3)) is None
