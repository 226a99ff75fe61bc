"""θ_D and what is proved of it: formulas, parabolas, brute force."""

import copy
import itertools
import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import (
    CONVEX,
    Box,
    Infimum,
    Problem,
    Quadratic,
    QuadraticProgram,
    Region,
    Smooth,
    affine,
    hard_margin,
)


def far_valley(curvature=CONVEX, domain=1):
    """√((w − 3·10⁹)² + 1), with infimum 1: farther away than any descent goes."""

    def root(w):
        return np.sqrt((w[0] - 3e9) ** 2 + 1)

    gradient = None if curvature is None else lambda w: (w - 3e9) / root(w)
    declared = {} if curvature is None else {"curvature": curvature}
    return Problem(Smooth(root, gradient, **declared), domain=domain)


def test_theta_d_against_brute_force():
    grid = np.linspace(-3, 3, 1201)[:, None]
    p = Problem(
        lambda w: w[0] ** 4 - 2 * w[0] ** 2 + 0.3 * w[0],
        [lambda w: 0.5 - w[0]],
        [lambda w: w[0] ** 2 - 1],
        domain=Box([-3.0], [3.0]),
    )
    for a, b in itertools.product((0.0, 0.7, 2.0), (-1.0, 0.0, 1.5)):
        brute = min(p.lagrangian(w, [a], [b]) for w in grid)
        found = p.theta_D([a], [b])
        assert brute - 1e-4 <= found <= brute + 1e-12
        assert not found.certified


@pytest.mark.parametrize("declared", [CONVEX, None])
def test_a_minimum_that_is_not_found_is_not_certified(declared):
    found = far_valley(declared).theta_D()
    assert found > 1e9
    assert not found.certified
    assert found.lower == -math.inf
    assert "not certified (an upper bound)" in repr(found)


def test_rounding_of_differences_proves_nothing():
    """So far out that the differences vanish, as at a minimum."""
    p = Problem(Smooth(lambda w: np.hypot(w[0] - 3e20, 1), curvature=CONVEX))
    assert not p.theta_D().certified


def test_a_box_bounds_a_convex_function_from_below():
    found = far_valley(domain=Box([0.0], [4e9])).theta_D()
    assert found.lower <= 1 <= found


@pytest.mark.parametrize("seed", range(20))
def test_lower_bounds_are_below_the_function(seed):
    """Random quadratic functions on random boxes, of any curvature."""
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(3, 3))
    f = Quadratic(F + F.T + rng.normal() * np.eye(3), rng.normal(size=3))
    box = Box(-rng.exponential(size=3), rng.exponential(size=3))
    found = Problem(f, domain=box).theta_D()
    sample = min(f(box.sample(rng)) for _ in range(500))
    assert found.lower <= found <= sample + 1e-12
    assert found.certified or f.curvature[0] < 0
    assert math.isfinite(found.lower)


def test_a_quadratic_on_an_interval_is_certified_even_if_concave():
    for q in np.linspace(-3, 3, 13):
        found = Problem(Quadratic([[-2.0]], [q]), domain=Box([0.0], [1.0])).theta_D()
        assert found.certified
        assert found == pytest.approx(min(0.0, q - 1))


def test_strong_convexity_certifies_on_all_of_space():
    p = Problem(
        Smooth(
            lambda w: np.exp(w[0]) + w @ w / 2,
            lambda w: np.array([np.exp(w[0]) + w[0], w[1]]),
            curvature=(1.0, math.inf),
        ),
        domain=2,
    )
    found = p.theta_D()
    assert found.certified
    assert found == pytest.approx(0.567143 + 0.567143**2 / 2)  # e^w = −w


@pytest.mark.parametrize(
    ("f", "domain"),
    [
        (affine([1.0]), 1),
        (Quadratic([[-2.0]], [0.0]), 1),
        (Quadratic([[0.0, 0], [0, 2.0]], [1e-3, 0.0]), 2),
        (affine([-1.0]), Box([0.0], [math.inf])),
        (
            Smooth(lambda w: -np.exp(w[0]), lambda w: -np.exp(w), "", (-math.inf, 0)),
            Box([0.0], [math.inf]),
        ),
    ],
)
def test_minus_infinity_is_proved_with_a_direction(f, domain):
    p = Problem(f, domain=domain)
    found = p.theta_D()
    assert found == -math.inf
    assert found.certified
    start = p.omega.sample(np.random.default_rng(0))
    steps = [f(start + t * found.w) for t in (0.0, 10.0, 20.0, 40.0)]
    assert np.all(np.diff(steps) < 0)


def test_minus_infinity_is_not_claimed_of_a_function_that_seems_to_fall_for_ever():
    found = Problem(lambda w: w[0] ** 3, domain=1).theta_D()
    assert -math.inf < found < -1e20
    assert not found.certified


def test_theta_d_of_a_function_bounded_below_is_finite():
    assert Problem(lambda w: (w[0] - 50) ** 2, domain=1).theta_D() == pytest.approx(0)
    flat = Problem(lambda w: np.exp(-w[0]), domain=1).theta_D()
    assert 0 <= flat < 1e-6


@pytest.mark.parametrize("seed", range(10))
def test_theta_d_formula_against_descent(seed):
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(3, 3))
    p = QuadraticProgram(F.T @ F, rng.normal(size=3), rng.normal(size=(2, 3)), [1, 2])
    plain = Problem(lambda w: p.f(w), p.inequalities, domain=3)
    alpha = rng.exponential(size=2)
    assert plain.theta_D(alpha) == pytest.approx(p.theta_D(alpha), rel=1e-6, abs=1e-7)


def test_theta_d_is_minus_infinity_off_the_range():
    p = hard_margin([[1.0], [3.0]], [1, -1])
    assert p.theta_D([0.5, 0.5]) == 0.5
    assert p.theta_D([0.5, 0.6]) == -math.inf  # Σ α_i y_i ≠ 0
    assert p.theta_D([5e8, 5e8 * (1 + 1e-15)]) > -math.inf  # rounding is no reason
    saddle = QuadraticProgram([[1.0, 0], [0, -1]], [0.0, 0.0])
    assert saddle.theta_D() == -math.inf
    assert saddle.solve_dual().value == -math.inf


def test_an_infimum_is_a_number():
    found = Infimum(2.0, np.array([1.0]), lower=2.0)
    assert found + 1 == 3
    assert f"{found:.2f}" == "2.00"
    assert repr(copy.deepcopy(found)) == "2.0"
    assert not Infimum(2.0).certified


def test_a_region_is_not_searched():
    p = Problem(sum, domain=Region(lambda w: True, 1))
    for search in (p.theta_D, p.solve):
        with pytest.raises(InputError, match="needs a box as its domain"):
            search()
    with pytest.raises(InputError, match="needs a box as its domain"):
        p.check_weak_duality(np.random.default_rng(0), 1)
