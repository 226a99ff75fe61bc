"""The worked examples are what they say."""

import math

import numpy as np
import pytest

from kernellab.optim import Problem, Unbounded, examples

PROBLEMS = [
    *examples.COUNTEREXAMPLES,
    examples.parabola,
    examples.circle,
    examples.plain_equality,
]


@pytest.mark.parametrize("make", PROBLEMS, ids=lambda make: make.__name__)
def test_examples_are_what_they_say(make):
    example = make()
    p = example.problem
    if example.w is not None and math.isfinite(example.primal):
        assert p.theta_P(example.w) == pytest.approx(example.primal)
        found = p.multipliers(example.w)
        if found.exist and not example.gap:
            assert p.theta_D(found.alpha, found.beta) == pytest.approx(example.dual)
            assert p.kkt(example.w, found.alpha, found.beta).holds(1e-9)
    rng = np.random.default_rng(1)
    for _ in range(20):
        alpha = rng.exponential(size=len(p.inequalities)) * 3
        beta = rng.normal(size=len(p.equalities))
        assert p.theta_D(alpha, beta) <= example.dual + 1e-9


def test_the_formula_for_theta_d_is_that_of_a_grid():
    """No search checks a dual function that is given."""
    p = examples.concave().problem
    grid = np.linspace(0, 1, 101)[:, None]
    for alpha in np.linspace(0, 3, 13):
        brute = min(p.lagrangian(w, [alpha]) for w in grid)
        assert p.theta_D([alpha]) == pytest.approx(brute)


def test_fermat_is_not_sufficient():
    p = examples.cubic().problem
    assert p.kkt([0.0]).holds()
    assert p.f([-0.1]) < p.f([0.0])
    with pytest.raises(Unbounded, match="no minimum"):
        p.solve()


def test_a_minimum_without_multipliers():
    p = examples.squared_equality().problem
    prices = p.multipliers([0.0])
    assert not prices.exist
    assert not prices.unique
    assert repr(prices) == "no multipliers; the best leave 1 of the gradient"
    quality = p.qualification([0.0])
    assert not quality.independent
    assert repr(quality).startswith("1 active gradients of rank 0: dependent")
    values = [p.theta_D([], [b]) for b in (1.0, 10.0, 1000.0)]
    assert np.allclose(values, [-0.25, -0.025, -0.00025])
    assert p.theta_D([], [-1.0]) == -math.inf
    numerical = Problem(lambda w: w[0], equalities=[lambda w: w[0] ** 2])
    assert numerical.theta_D([], [10.0]) == pytest.approx(-0.025)


def test_lagrange_finds_the_minimum_and_the_maximum_of_a_circle():
    p = examples.circle().problem
    for sign in (-1, 1):
        w = np.array([sign, sign])
        beta = p.multipliers(w).beta
        assert beta == pytest.approx([-sign / 2])
        assert p.kkt(w, [], beta).holds(1e-12)
    assert p.theta_D([], [0.5]) == pytest.approx(-2)
    assert p.theta_D([], [-0.5]) == -math.inf
    assert p.solve().w == pytest.approx([-1, -1], abs=1e-6)
    assert p.solve_dual().value == pytest.approx(-2, abs=1e-6)


def test_the_cone_has_a_gap():
    p = examples.duffin().problem
    rng = np.random.default_rng(3)
    for _ in range(200):  # every admissible point has y = 0
        x, y = rng.normal(size=2) * 10
        lowest = math.hypot(x, y) - x
        assert p.omega.contains([x, y, lowest * (1 + 1e-9) + 1e-9])
        assert p.admissible([x, y, 0.0], 0.0) == (y == 0 and x >= 0)
    assert p.theta_P([2.0, 0.0, 0.0]) == 1.0
    for alpha in (0.0, 1.0, 100.0):
        far = p.lagrangian(examples.cone_point(1e5), [alpha])
        assert 0 <= far <= alpha / 1e5
    inside = examples.cone_point(40.0)
    assert p.omega.contains(inside)
    assert not p.omega.contains(inside - [0, 0, 1e-3])


def test_a_gap_is_found_by_the_dual():
    example = examples.concave()
    dual = example.problem.solve_dual()
    assert dual.value == pytest.approx(-0.5, abs=1e-8)
    assert dual.value.certified
    assert dual.alpha == pytest.approx([1.0], abs=1e-6)
    assert "dual value -0.5" in repr(dual)
    assert example.problem.solve().value == pytest.approx(-0.25)
