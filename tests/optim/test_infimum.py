"""θ_D and what is proved of it: formula, parabolas, brute force, weak duality."""

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


def least_on_faces(f, box):
    """Return the exact least value on a box: the best stationary point of a face."""
    values = []
    for face in itertools.product((-1, 0, 1), repeat=box.dimension):
        w = np.choose(np.add(face, 1), [box.low, np.zeros(box.dimension), box.high])
        free = np.equal(face, 0)
        if free.any():
            slope = f.gradient(w)[free]
            w[free] = -np.linalg.solve(f.Q[np.ix_(free, free)], slope)
        values += [f(w)] if box.contains(w) else []
    return min(values)


@pytest.mark.parametrize("seed", range(20))
def test_quadratic_functions_on_a_box(seed):
    """Certified if convex, and never by mistake, whatever the curvature."""
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(3, 3))
    f = Quadratic(F + F.T + rng.normal(scale=4) * np.eye(3), rng.normal(size=3))
    box = Box(-rng.exponential(size=3), rng.exponential(size=3))
    found, exact = Problem(f, domain=box).theta_D(), least_on_faces(f, box)
    assert found >= exact - 1e-12
    assert found == pytest.approx(exact, rel=2e-8, abs=2e-8) or not found.certified
    assert found.certified or f.curvature < 0


def test_a_concave_quadratic_function_on_an_interval_is_its_own_parabola():
    for q in np.linspace(-3, 3, 13):
        found = Problem(Quadratic([[-2.0]], [q]), domain=Box([0.0], [1.0])).theta_D()
        assert found.certified
        assert found == pytest.approx(min(0.0, q - 1))


def far_valley(domain):
    """√((w − 3·10⁹)² + 1), with infimum 1: farther away than any descent goes."""

    def root(w):
        return np.hypot(w[0] - 3e9, 1)

    return Problem(Smooth(root, lambda w: (w - 3e9) / root(w), CONVEX), domain=domain)


@pytest.mark.parametrize("domain", [1, Box([0.0], [4e9])], ids=repr)
def test_a_minimum_that_is_not_found_is_not_certified(domain):
    found = far_valley(domain).theta_D()
    assert found > 1e9
    assert not found.certified
    assert repr(found).endswith("not certified (an upper bound)")


def test_an_end_of_a_box_is_certified_if_the_function_is_convex():
    found = far_valley(Box([0.0], [5e7])).theta_D()
    assert found.certified
    assert found == pytest.approx(2.95e9, rel=1e-12)


def test_differences_prove_nothing():
    """So far out that they vanish, as at a minimum."""
    f = Smooth(lambda w: np.hypot(w[0] - 3e20, 1), curvature=CONVEX)
    assert f.gradient([0.0]) == 0
    for domain in (1, Box([0.0], [4e20])):
        assert not Problem(f, domain=domain).theta_D().certified


def test_a_gradient_that_is_not_a_number_proves_nothing():
    f = Smooth(lambda w: 0.0, lambda w: np.array([math.nan]), CONVEX)
    assert not Problem(f, domain=Box([0.0], [1.0])).theta_D().certified


def test_a_curvature_that_the_descents_refute_proves_nothing():
    """At the higher of two minima the tangent lies above the lower one."""
    f = Smooth(
        lambda w: (w[0] ** 2 - 1) ** 2 + 0.2 * w[0],
        lambda w: 4 * w * (w**2 - 1) + 0.2,
        curvature=CONVEX,
    )
    found = Problem(f, domain=Box([-2.0], [2.0])).theta_D()
    assert found == pytest.approx(f([-1.0240]), abs=1e-6)
    assert not found.certified


def test_a_convex_function_is_certified_on_a_box_or_if_strongly_convex():
    """e^w + ½w² is least where e^w = −w."""

    def certified(curvature, domain):
        f = Smooth(
            lambda w: np.exp(w[0]) + w @ w / 2,
            lambda w: np.array([np.exp(w[0]) + w[0], w[1]]),
            curvature,
        )
        found = Problem(f, domain=domain).theta_D()
        assert found == pytest.approx(0.567143290 + 0.567143290**2 / 2)
        return found.certified

    box = Box([-4.0, -1.0], [4.0, 3.0])
    assert certified(CONVEX, box)
    assert certified(1.0, 2)
    assert not certified(None, box)


def test_a_convex_problem_on_a_box_without_a_gap():
    """Least e⁻ˣ + e⁻ʸ with x + 2y ≤ 2: e⁻ˣ = α and e⁻ʸ = 2α."""
    f = Smooth(lambda w: np.exp(-w).sum(), lambda w: -np.exp(-w), CONVEX)
    p = Problem(f, [affine([1.0, 2.0], 2.0)], domain=Box([-3.0, -3.0], [3.0, 3.0]))
    alpha = math.exp(-(2 + 2 * math.log(2)) / 3)
    primal, dual = p.solve(), p.theta_D([alpha])
    assert dual.certified
    assert dual == pytest.approx(3 * alpha, rel=2e-8)
    assert primal.alpha == pytest.approx([alpha], rel=1e-5)
    assert WeakDuality(1, dual, primal.value).holds is True
    assert p.check_weak_duality(np.random.default_rng(0), 10).holds is True


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
