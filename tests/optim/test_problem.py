"""Problems: the Lagrangian, θ_P, solving the primal and the dual, messages."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import (
    Box,
    Infeasible,
    Problem,
    Quadratic,
    Unbounded,
    examples,
)


@pytest.fixture
def mixed():
    """Two variables, one constraint of each kind, nothing convex in particular."""
    return Problem(
        lambda w: w[0] ** 2 + w[0] * w[1],
        [lambda w: w[0] - w[1] ** 2],
        [lambda w: w[0] + w[1] - 1],
        domain=2,
        name="mixed",
    )


def test_lagrangian_is_the_sum_that_defines_it(mixed):
    w, a, b = np.array([2.0, -1.0]), 3.0, -0.5
    by_hand = (4 - 2) + a * (2 - 1) + b * (2 - 1 - 1)
    assert mixed.lagrangian(w, [a], [b]) == pytest.approx(by_hand)
    slope = np.array([2 * 2 - 1 + a + b, 2 + a * 2 + b])
    assert np.allclose(mixed.lagrangian_gradient(w, [a], [b]), slope)
    assert repr(mixed) == "mixed: 1 inequalities, 1 equalities, over ℝ^2"


def test_theta_p_is_the_objective_or_infinity(mixed):
    assert mixed.theta_P([0.0, 1.0]) == 0.0
    assert mixed.theta_P([0.0, 2.0]) == math.inf  # h ≠ 0
    assert mixed.theta_P([2.0, -1.0]) == math.inf  # g > 0
    on = Problem(sum, domain=Box([0.0], [1.0]))
    assert on.theta_P([2.0]) == math.inf


def test_theta_p_is_the_supremum_over_prices():
    p = examples.parabola().problem
    prices = np.linspace(0, 50, 501)
    assert max(p.lagrangian([3.0], [a]) for a in prices) == p.theta_P([3.0])
    rising = [p.lagrangian([0.5], [a]) for a in prices]
    assert np.all(np.diff(rising) > 0)


def test_wrong_arguments_are_refused(mixed):
    with pytest.raises(InputError, match=r"w must have shape \(2,\), got \(3,\)"):
        mixed.lagrangian([1.0, 2.0, 3.0], [0.0], [0.0])
    with pytest.raises(InputError, match=r"alpha must have shape \(1,\)"):
        mixed.theta_D([1.0, 1.0], [0.0])
    with pytest.raises(InputError, match="alpha must be ≥ 0"):
        mixed.theta_D([-1.0], [0.0])
    with pytest.raises(InputError, match="w must be finite"):
        mixed.theta_P([math.nan, 0.0])
    with pytest.raises(InputError, match="samples must be an integer ≥ 1"):
        mixed.check_weak_duality(np.random.default_rng(0), 0)


def test_a_smooth_convex_problem():
    def f(w):
        return np.exp(w[0]) + np.exp(w[1])

    p = Problem(f, [lambda w: 1 - w[0] * 2 - w[1]], domain=2)
    solution = p.solve()
    assert solution.kkt.holds(1e-5)
    assert "multipliers alpha" in repr(solution)
    dual = p.solve_dual()
    assert dual.value == pytest.approx(solution.value, abs=1e-6)
    assert repr(dual).endswith("beta = [], not certified")


def test_infeasible_problems_are_refused():
    p = Problem(sum, [lambda w: w[0] ** 2 + 1], domain=1)
    with pytest.raises(Infeasible, match="no admissible point found"):
        p.solve()
    with pytest.raises(InputError, match="no admissible point"):
        p.check_weak_duality(np.random.default_rng(0), 3)
    with pytest.raises(Infeasible, match="no point satisfies"):
        examples.contradiction().problem.solve()


def test_unbounded_with_a_constraint():
    p = Problem(lambda w: -w[0] - w[1], [lambda w: w[0] - w[1]], domain=2)
    with pytest.raises(Unbounded, match="without leaving the admissible region"):
        p.solve()


def test_a_concave_objective_has_its_minimum_at_an_end():
    p = Problem(Quadratic([[-2.0]], [0.1]), domain=Box([-1.0], [1.0]))
    assert p.solve().w == pytest.approx([-1.0], abs=1e-6)


def test_without_constraints_the_dual_value_is_the_infimum():
    dual = Problem(lambda w: (w[0] - 2) ** 2 + 1).solve_dual()
    assert dual.value == pytest.approx(1.0)
    assert not dual.alpha.size


def test_several_local_minima_and_the_best_of_them():
    p = Problem(lambda w: (w[0] ** 2 - 1) ** 2 + 0.2 * w[0], domain=1)
    assert p.solve().w[0] == pytest.approx(-1.0237, abs=1e-3)
