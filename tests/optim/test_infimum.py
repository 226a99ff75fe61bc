"""θ_D and what is proved of it: the formula, brute force, weak duality."""

import copy
import itertools
import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import (
    Box,
    Infimum,
    Problem,
    Quadratic,
    QuadraticProgram,
    Region,
    Smooth,
    WeakDuality,
    affine,
    hard_margin,
)


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


@pytest.mark.parametrize("seed", range(20))
def test_a_search_finds_no_more_than_samples(seed):
    """Random quadratic functions on random boxes, of any curvature."""
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(3, 3))
    f = Quadratic(F + F.T + rng.normal() * np.eye(3), rng.normal(size=3))
    box = Box(-rng.exponential(size=3), rng.exponential(size=3))
    found = Problem(f, domain=box).theta_D()
    assert found <= min(f(box.sample(rng)) for _ in range(500)) + 1e-12
    assert not found.certified


def test_a_minimum_that_is_not_found_is_not_certified():
    """√((w − 3·10⁹)² + 1) has infimum 1, farther away than any descent goes."""
    found = Problem(Smooth(lambda w: np.hypot(w[0] - 3e9, 1))).theta_D()
    assert found > 1e9
    assert not found.certified
    assert repr(found).endswith("not certified (an upper bound)")


@pytest.mark.parametrize(
    "f",
    [
        affine([1.0]),
        Quadratic([[-2.0]], [0.0]),
        Quadratic([[0.0, 0], [0, 2.0]], [1e-3, 0.0]),
    ],
)
def test_minus_infinity_is_proved_for_quadratic_functions(f):
    found = Problem(f, domain=len(f.q)).theta_D()
    assert found == -math.inf
    assert found.certified


def test_minus_infinity_is_not_claimed_of_a_function_that_seems_to_fall_for_ever():
    found = Problem(lambda w: w[0] ** 3, domain=1).theta_D()
    assert -math.inf < found < -1e15
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
    assert p.theta_D(alpha).certified
    assert plain.theta_D(alpha) == pytest.approx(p.theta_D(alpha), rel=1e-6, abs=1e-7)


def test_theta_d_is_minus_infinity_off_the_range():
    p = hard_margin([[1.0], [3.0]], [1, -1])
    assert p.theta_D([0.5, 0.5]) == 0.5
    assert p.theta_D([0.5, 0.6]) == -math.inf  # Σ α_i y_i ≠ 0
    assert p.theta_D([5e8, 5e8 * (1 + 1e-15)]) > -math.inf  # rounding is no reason
    saddle = Quadratic([[1.0, 0], [0, -1]], [0.0, 0.0])
    assert Problem(saddle, domain=2).theta_D() == -math.inf


def test_an_infimum_is_a_number():
    found = Infimum(2.0, certified=True)
    assert found + 1 == 3
    assert f"{found:.2f}" == "2.00"
    assert repr(copy.deepcopy(found)) == "2.0"
    assert not Infimum(2.0).certified


def test_a_region_is_not_searched():
    p = Problem(sum, domain=Region(lambda w: True, 1))
    rng = np.random.default_rng(0)
    for search in (p.theta_D, p.solve, lambda: p.check_weak_duality(rng, 1)):
        with pytest.raises(InputError, match="needs a box as its domain"):
            search()


def test_weak_duality_reports_a_violation_of_what_is_proved():
    """Nothing but a false dual function can bring it about."""
    proved = Infimum(2.0, certified=True)
    assert WeakDuality(1, proved, 1.0).holds is False
    assert "violated" in repr(WeakDuality(1, proved, 1.0))
    assert WeakDuality(1, proved, 2.0).holds is True
    assert "≤" in repr(WeakDuality(1, proved, 2.0))
    assert WeakDuality(1, Infimum(1.0), 2.0).holds is True  # an upper bound is enough


def test_an_uncertified_value_does_not_decide_weak_duality():
    """The only admissible point has f = 1; the search finds 2.9·10⁹ at the nearest."""
    f = Smooth(lambda w: np.hypot(w[0] - 3e9, 1))
    p = Problem(f, equalities=[affine([1e-9], 3.0)])
    trial = WeakDuality(1, p.theta_D([], [0.0]), p.theta_P([3e9]))
    assert trial.best_primal == 1
    assert trial.holds is None
    assert "not certified (an upper bound); the least f is 1" in repr(trial)
