"""Constrained problems: exact answers, brute force, random programmes, messages."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.errors import InputError
from kernellab.optim import (
    KKT,
    Box,
    Infeasible,
    Problem,
    QuadraticProgram,
    Region,
    Smooth,
    Unbounded,
    WeakDuality,
    affine,
    examples,
    farkas,
    hard_margin,
    soft_margin,
)

# --- functions and their gradients --------------------------------------------------


def test_differences_agree_with_the_gradient_on_paper():
    def value(w):
        return w[0] ** 3 + np.exp(w[1]) * w[0]

    w = np.array([1.3, -0.4])
    paper = np.array([3 * w[0] ** 2 + np.exp(w[1]), np.exp(w[1]) * w[0]])
    assert np.allclose(Smooth(value).slope(w), paper, rtol=1e-9)
    assert np.allclose(Smooth(value, "complex").slope(w), paper, rtol=1e-15)
    assert np.array_equal(Smooth(value, lambda w: paper).slope(w), paper)


def test_central_differences_keep_their_digits_far_from_zero():
    assert Smooth(lambda w: w[0] ** 2).slope([1e6])[0] == pytest.approx(2e6, rel=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Smooth(3.0), "can be called"),
        (lambda: Smooth(sum, "forward"), "'central' or 'complex'"),
        (lambda: Smooth(lambda w: w)([1.0, 2.0]), "must return one number"),
        (lambda: Smooth(lambda w: math.nan)([1.0]), "must return one number"),
        (lambda: Smooth(lambda w: "1")([1.0]), "must return one number"),
        (lambda: Smooth(sum, lambda w: [1.0]).slope([1.0, 2.0]), r"shape \(2,\)"),
        (
            lambda: Smooth(lambda w: math.sin(w[0]), "complex").slope([1.0]),
            "does not take complex numbers",
        ),
        (lambda: affine([1.0, math.inf]), "entry 1 is inf"),
        (lambda: affine([[1.0]]), r"a must have shape \(d,\)"),
    ],
)
def test_functions_say_what_is_wrong(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_overflow_is_an_infinity():
    assert Smooth(lambda w: math.exp(w[0]))([1e4]) == math.inf
    assert Smooth(lambda w: np.exp(w[0]))([1e4]) == math.inf


# --- domains ------------------------------------------------------------------------


def test_box_and_region():
    box = Box([0.0, -np.inf], [1.0, 2.0])
    assert repr(box) == "[0, 1] × [-inf, 2]"
    assert not box.is_everything
    assert not box.is_bounded
    assert np.array_equal(box.project(np.array([3.0, 3.0])), [1, 2])
    rng = np.random.default_rng(0)
    half_line = Box([3.0], [np.inf])
    for _ in range(50):
        assert box.contains(box.sample(rng, 10.0))
        assert half_line.contains(half_line.sample(rng))
    disc = Region(lambda w: w @ w <= 1, Box(-1, 1, dimension=2), "disc")
    assert all(disc.contains(disc.sample(rng)) for _ in range(50))
    assert repr(disc) == "disc"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Box([1.0], [0.0]), "box is empty"),
        (lambda: Box([np.inf], [np.inf]), "box is empty"),
        (lambda: Box([math.nan], [0.0]), "without NaN"),
        (lambda: Box(["a"], [0.0]), "must be numbers"),
        (
            lambda: Region(lambda w: False, Box(0, 1, 1), "nothing").sample(
                np.random.default_rng(0)
            ),
            "no point of nothing",
        ),
        (lambda: Problem(sum, domain="R"), "Box, a Region, or the number of variables"),
        (lambda: Problem(sum, domain=0), "Box, a Region, or the number of variables"),
    ],
)
def test_domains_say_what_is_wrong(make, message):
    with pytest.raises(InputError, match=message):
        make()


# --- the Lagrangian, θ_P, θ_D -------------------------------------------------------


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


def test_theta_d_on_a_region_is_no_worse_than_sampling():
    disc = Region(lambda w: w @ w <= 1, Box(-1, 1, dimension=2), "disc")
    p = Problem(lambda w: w[0] + w[1], [lambda w: w[0]], domain=disc)
    exact = -math.hypot(1 + 2.0, 1)
    assert p.theta_D([2.0]) == pytest.approx(exact, abs=1e-3)
    assert p.theta_D([2.0]) >= exact - 1e-9


@pytest.mark.parametrize(
    "f", [lambda w: w[0], lambda w: -(w[0] ** 2), lambda w: w[0] ** 3]
)
def test_theta_d_is_minus_infinity_if_the_lagrangian_falls_for_ever(f):
    assert Problem(f, domain=1).theta_D() == -math.inf


def test_theta_d_of_a_function_bounded_below_is_finite():
    assert Problem(lambda w: (w[0] - 50) ** 2, domain=1).theta_D() == pytest.approx(0)
    flat = Problem(lambda w: np.exp(-w[0]), domain=1).theta_D()
    assert 0 <= flat < 1e-6


def test_wrong_arguments_are_refused(mixed):
    with pytest.raises(InputError, match=r"w must have shape \(2,\), got \(3,\)"):
        mixed.lagrangian([1.0, 2.0, 3.0], [0.0], [0.0])
    with pytest.raises(InputError, match=r"alpha must have shape \(1,\)"):
        mixed.theta_D([1.0, 1.0], [0.0])
    with pytest.raises(InputError, match=r"alpha\[0\] is -1"):
        mixed.theta_D([-1.0], [0.0])
    with pytest.raises(InputError, match="w must be finite"):
        mixed.theta_P([math.nan, 0.0])
    with pytest.raises(InputError, match="samples must be 1 or more"):
        mixed.check_weak_duality(np.random.default_rng(0), 0)
    region = Problem(sum, domain=Region(lambda w: True, Box.everywhere(1)))
    with pytest.raises(InputError, match="solve needs a box"):
        region.solve()


# --- the worked examples ------------------------------------------------------------


ALL = [getattr(examples, name) for name in examples.__all__ if name.islower()]
PROBLEMS = [
    make
    for make in ALL
    if make.__name__ != "cone_point" and "data" not in make.__name__
]


@pytest.mark.parametrize("make", PROBLEMS, ids=lambda make: make.__name__)
def test_examples_are_what_they_say(make):
    example = make()
    p = example.problem
    if example.w is not None and math.isfinite(example.primal):
        assert p.theta_P(example.w) == pytest.approx(example.primal)
    if example.alpha is not None:
        assert p.theta_D(example.alpha, example.beta) == pytest.approx(example.dual)
        assert p.kkt(example.w, example.alpha, example.beta).holds(1e-9)
    rng = np.random.default_rng(1)
    for _ in range(20):
        alpha = rng.exponential(size=len(p.inequalities)) * 3
        beta = rng.normal(size=len(p.equalities))
        assert p.theta_D(alpha, beta) <= example.dual + 1e-9
    assert str(example.primal).rstrip("0").rstrip(".")[:4] in repr(example)


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
    numerical = Problem(p.f, equalities=p.equalities, domain=1)
    assert numerical.theta_D([], [10.0]) == pytest.approx(-0.025)
    assert numerical.theta_D([], [-1.0]) == -math.inf


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


def test_a_gap_is_found_by_cutting_planes():
    example = examples.concave()
    dual = example.problem.solve_dual()
    assert dual.value == pytest.approx(-0.5, abs=1e-8)
    assert dual.upper == pytest.approx(dual.value, abs=1e-8)
    assert dual.alpha == pytest.approx([1.0], abs=1e-6)
    assert "dual value -0.5" in repr(dual)
    assert example.problem.solve().value == pytest.approx(-0.25)


def test_the_edge_of_omega_explains_a_gradient():
    p = examples.end_of_an_interval().problem
    assert p.kkt([1.0]).stationarity == 0
    assert p.kkt([1.5]).stationarity > 0
    assert p.multipliers([1.0]).exist
    assert p.solve().w == pytest.approx([1.0])


# --- solving ------------------------------------------------------------------------


def test_a_smooth_convex_problem():
    p = Problem(
        lambda w: np.exp(w[0]) + np.exp(w[1]),
        [lambda w: 1 - w[0] * 2 - w[1]],
        domain=2,
    )
    solution = p.solve()
    assert solution.kkt.holds(1e-5)
    assert solution.certificate.gap == pytest.approx(0, abs=1e-6)
    assert "multipliers alpha" in repr(solution)
    assert p.solve_dual().value == pytest.approx(solution.value, abs=1e-6)


def test_infeasible_problems_name_the_smallest_violation():
    p = Problem(sum, [lambda w: w[0] ** 2 + 1], domain=1)
    with pytest.raises(Infeasible, match="smallest violation 1"):
        p.solve()
    with pytest.raises(InputError, match="no admissible point"):
        p.check_weak_duality(np.random.default_rng(0), 3)
    with pytest.raises(Infeasible, match="smallest violation is 1"):
        examples.contradiction().problem.solve()


def test_an_infeasible_start_is_no_obstacle():
    p = Problem(lambda w: w @ w, [lambda w: 1 - w[0]], domain=2)
    assert p.solve(start=[-50.0, 3.0]).w == pytest.approx([1, 0], abs=1e-6)


def test_unbounded_with_a_constraint():
    p = Problem(lambda w: -w[0] - w[1], [lambda w: w[0] - w[1]], domain=2)
    with pytest.raises(Unbounded, match="without leaving the admissible region"):
        p.solve()


def test_several_local_minima_and_the_best_of_them():
    p = Problem(lambda w: (w[0] ** 2 - 1) ** 2 + 0.2 * w[0], domain=1)
    assert p.solve().w[0] == pytest.approx(-1.0237, abs=1e-3)


# --- conditions ---------------------------------------------------------------------


def test_kkt_residuals_one_by_one():
    p = examples.parabola().problem
    assert p.kkt([1.0], [2.0]) == KKT(0, 0, 0, 0)
    assert p.kkt([1.0], [1.0]).stationarity == 1
    assert p.kkt([0.5], [1.0]).primal == 0.5
    assert p.kkt([1.5], [-3.0]).dual == 3
    assert p.kkt([2.0], [4.0]).complementarity == 4
    assert p.kkt([2.0], [4.0]).worst == 4
    assert p.certificate([1.0], [2.0]).kkt["complementarity"] == 0


def test_multiple_multipliers_are_counted_and_measured():
    data = examples.degenerate_data()
    solution = hard_margin(data.X, data.y).solve()
    assert solution.w == pytest.approx([1, 0, 0], abs=1e-12)
    prices = solution.multipliers
    assert not prices.unique
    assert prices.low == pytest.approx([0, 0, 0, 0.5], abs=1e-9)
    assert prices.high == pytest.approx([0.5, 0.25, 0.25, 0.5], abs=1e-9)
    assert "one of many" in repr(prices)
    quality = hard_margin(data.X, data.y).qualification(solution.w)
    assert (quality.gradients, quality.rank, quality.all_affine) == (4, 3, True)


def test_multipliers_without_end():
    """w ≤ 0 and −w ≤ 0: α can grow on both sides."""
    p = QuadraticProgram([[2.0]], [0.0], [[1.0], [-1.0]], [0.0, 0.0])
    assert np.isinf(p.solve().multipliers.high).all()


# --- Farkas -------------------------------------------------------------------------


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_farkas_gives_exactly_one_of_the_two(seed):
    rng = np.random.default_rng(seed)
    k, d = rng.integers(1, 7, size=2)
    G = rng.integers(-3, 4, size=(k, d)).astype(float)
    b = G.T @ rng.exponential(size=k) if seed % 2 else rng.normal(size=d)
    found = farkas(G, b)
    assert (found.alpha >= 0).all()
    if seed % 2:
        assert found.in_cone
    if found.in_cone:
        assert np.allclose(G.T @ found.alpha, b, atol=1e-7)
    else:
        assert (G @ found.direction <= 1e-8).all()
        assert b @ found.direction > 0


def test_farkas_without_rows_and_with_wrong_ones():
    assert not farkas(np.zeros((0, 2)), [1.0, 0.0]).in_cone
    assert farkas(np.zeros((0, 2)), [0.0, 0.0]).in_cone
    with pytest.raises(InputError, match="one column for each of the 2 entries"):
        farkas([[1.0]], [1.0, 2.0])


# --- quadratic programmes -----------------------------------------------------------


def random_programme(rng):
    """Feasible, bounded, of any rank, with redundant and active constraints."""
    d = int(rng.integers(1, 6))
    k, m = int(rng.integers(0, 7)), int(rng.integers(0, d))
    F = rng.normal(size=(int(rng.integers(0, d + 1)), d))
    A, E = rng.normal(size=(k, d)), rng.normal(size=(m, d))
    inside = rng.normal(size=d)
    b = A @ inside + rng.exponential(size=k) * (rng.random(k) < 0.6)
    # q in the cone that bounds the objective below.
    q = F.T @ rng.normal(size=len(F)) - A.T @ rng.exponential(size=k)
    return QuadraticProgram(F.T @ F, q, A, b, E, E @ inside)


@pytest.mark.parametrize("seed", range(60))
def test_random_programmes_prove_themselves(seed):
    rng = np.random.default_rng(seed)
    p = random_programme(rng)
    solution = p.solve()
    scale = 1 + abs(solution.value) + np.abs(solution.w).max()
    assert solution.kkt.worst <= 1e-8 * scale
    assert abs(solution.certificate.gap) <= 1e-8 * scale
    dual = p.solve_dual()
    assert dual.value == pytest.approx(solution.value, abs=1e-7 * scale)
    trial = p.check_weak_duality(rng, 10)
    assert trial.holds
    assert trial.best_primal >= solution.value - 1e-7 * scale
    assert trial.best_dual <= solution.value + 1e-7 * scale


@pytest.mark.parametrize("seed", range(10))
def test_theta_d_formula_against_descent(seed):
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(3, 3))
    p = QuadraticProgram(F.T @ F, rng.normal(size=3), rng.normal(size=(2, 3)), [1, 2])
    plain = Problem(p.f, p.inequalities, domain=3)
    alpha = rng.exponential(size=2)
    assert plain.theta_D(alpha) == pytest.approx(p.theta_D(alpha), rel=1e-6, abs=1e-7)


def test_theta_d_is_minus_infinity_off_the_range():
    p = hard_margin([[1.0], [3.0]], [1, -1])
    assert p.theta_D([0.5, 0.5]) == 0.5
    assert p.theta_D([0.5, 0.6]) == -math.inf  # Σ α_i y_i ≠ 0
    saddle = QuadraticProgram([[1.0, 0], [0, -1]], [0.0, 0.0])
    assert saddle.theta_D() == -math.inf
    assert saddle.solve_dual().value == -math.inf
    with pytest.raises(InputError, match="not positive semi-definite"):
        saddle.dual()


def test_the_dual_of_the_dual_has_the_same_value():
    p = random_programme(np.random.default_rng(7))
    twice = p.dual().dual().solve().value
    assert twice == pytest.approx(p.solve().value)


def test_the_dual_of_the_hard_margin_is_the_one_on_paper():
    data = examples.separable_data()
    dual = hard_margin(data.X, data.y).dual()
    K = data.X @ data.X.T
    assert np.allclose(dual.Q, np.outer(data.y, data.y) * K)
    assert np.allclose(dual.q, -1)
    assert np.allclose(dual.E * np.sign(dual.E[0, 0]), data.y * np.sign(data.y[0]))
    assert np.allclose(dual.e, 0)
    assert dual.name == "dual of hard margin"


def test_unbounded_programmes():
    with pytest.raises(Unbounded, match="which no constraint stops"):
        QuadraticProgram([[0.0]], [1.0]).solve()
    with pytest.raises(Unbounded, match=r"direction \[-1"):
        QuadraticProgram([[0.0]], [1.0], [[1.0]], [0.0]).solve()
    assert QuadraticProgram([[0.0]], [1.0]).solve_dual().value == -math.inf
    assert examples.contradiction().problem.solve_dual().value == -math.inf
    empty = QuadraticProgram([[1.0]], [0.0], [[1.0], [-1.0]], [-1.0, -1.0])
    assert empty.solve_dual().value == math.inf


def test_a_programme_that_is_not_convex_still_has_a_minimum_in_a_box():
    p = QuadraticProgram(
        [[-2.0]], [0.1], A=[[1.0], [-1.0]], b=[1.0, 1.0]
    )  # −w² + 0.1w on [−1, 1]
    assert not p.is_convex
    assert p.solve().w == pytest.approx([-1.0], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 0.0]], [1.0]), r"Q must have shape \(1, 1\)"),
        (([[0.0, 1.0], [0.0, 0.0]], [0.0, 0.0]), "symmetric"),
        (([[math.nan]], [0.0]), "Q must be finite"),
        (([[1.0]], [0.0], [[1.0]]), "give both A and b"),
        (([[1.0]], [0.0], [[1.0, 2.0]], [1.0]), "A must have 1 columns"),
        (([[1.0]], [0.0], [[1.0]], [1.0, 2.0]), r"b must have shape \(1,\)"),
        (([[1.0]], [0.0], [[math.inf]], [1.0]), "A must be finite"),
    ],
)
def test_programmes_say_what_is_wrong(arguments, message):
    with pytest.raises(InputError, match=message):
        QuadraticProgram(*arguments)


# --- machines -----------------------------------------------------------------------


def exact(values):
    return np.array([float(v) for v in values])


def test_hard_margin_to_machine_precision():
    data = examples.separable_data()
    solution = hard_margin(data.X, data.y).solve()
    assert np.allclose(solution.w, [*exact(data.w), float(data.b)], rtol=0, atol=4e-15)
    assert np.allclose(solution.alpha, exact(data.alpha), rtol=0, atol=4e-15)
    assert solution.value == pytest.approx(25 / 32, rel=1e-12)
    assert solution.multipliers.unique
    assert abs(solution.certificate.gap) < 1e-12


def test_the_data_of_the_errata():
    """81 α = (0, 14, 12, 26, 0, 0), w = (2/3, 4/9), b = −1; and a soft margin."""
    X = [[2, 2], [3, 0], [1, 3], [0, 0], [-1, 0.5], [0.5, -1]]
    hard = hard_margin(X, [1, 1, 1, -1, -1, -1]).solve()
    assert np.allclose(81 * hard.alpha, [0, 14, 12, 26, 0, 0], rtol=0, atol=1e-12)
    assert np.allclose(hard.w, [2 / 3, 4 / 9, -1], rtol=0, atol=1e-12)
    X = [[2, 2], [1.5, 0.5], [0.2, 1], [-0.5, -0.3], [-1, -2], [-2, -1], [0.6, 0.4]]
    soft = soft_margin([*X, [3, 1]], [1, 1, 1, -1, -1, -1, -1, 1], 1.0).solve()
    assert np.allclose(soft.w[:3], [0.6, 1, -0.4], rtol=0, atol=1e-13)
    assert np.allclose(soft.alpha[:8], [0, 0.5, 1, 0.5, 0, 0, 1, 0], atol=1e-13)
    assert soft.value == pytest.approx(2.32, rel=1e-13)


def test_exact_data_satisfy_kkt_in_fractions():
    for data in (examples.separable_data(), examples.overlapping_data()):
        X = [[round(v * 10) for v in row] for row in data.X.tolist()]  # in tenths
        f = [
            sum(w * x for w, x in zip(data.w, row, strict=True)) / 10 + data.b
            for row in X
        ]
        margins = [int(label) * value for label, value in zip(data.y, f, strict=True)]
        for m, a in zip(margins, data.alpha, strict=True):
            assert m >= 1 or a == data.C
            assert m <= 1 or a == 0
        assert sum(int(t) * a for t, a in zip(data.y, data.alpha, strict=True)) == 0
        for j, w in enumerate(data.w):
            terms = zip(data.y, data.alpha, X, strict=True)
            assert w == sum(int(t) * a * row[j] for t, a, row in terms) / 10
        slack = sum(max(0, 1 - m) for m in margins)
        hinge = slack if math.isinf(data.C) else int(data.C) * slack
        assert sum(w * w for w in data.w) / 2 + hinge == data.value


@pytest.mark.parametrize("share", [1 - 1e-2, 1 - 1e-3, 1 - 1e-5, 1 + 1e-5, 1 + 1e-3])
def test_a_soft_margin_that_is_almost_hard(share):
    """C just above or below the largest α: a bound that hardly binds, no warning."""
    data = examples.separable_data()
    found = soft_margin(data.X, data.y, share * float(max(data.alpha))).solve()
    assert found.certificate.relative_gap == pytest.approx(0, abs=1e-10)
    assert max(found.certificate.kkt.values()) < 1e-10


def test_soft_margin_to_machine_precision():
    data = examples.overlapping_data()
    solution = soft_margin(data.X, data.y, data.C).solve()
    n = len(data.y)
    assert np.allclose(solution.w[:3], [*exact(data.w), float(data.b)], atol=1e-13)
    assert np.allclose(solution.alpha[:n], exact(data.alpha), atol=1e-13)
    assert np.allclose(solution.alpha[n:], data.C - exact(data.alpha), atol=1e-13)
    assert solution.value == pytest.approx(2.875, rel=1e-13)


def test_a_large_c_is_the_hard_margin():
    data = examples.separable_data()
    for C, same in ((0.79, True), (0.7, False)):
        w = soft_margin(data.X, data.y, C).solve().w[:3]
        assert np.allclose(w, [*exact(data.w), float(data.b)], atol=1e-9) == same


def test_inseparable_data_have_no_hard_margin():
    X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
    with pytest.raises(Infeasible, match="smallest violation is 1"):
        hard_margin(X, y).solve()
    assert hard_margin(X, y).solve_dual().value == math.inf


@pytest.mark.parametrize("y", [[0, 1], [1], [1, 2]])
def test_labels_are_checked(y):
    with pytest.raises(InputError, match="each −1 or \\+1"):
        hard_margin([[0.0], [1.0]], y)


def test_soft_margin_against_a_peer():
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 3))
    y = np.sign(X[:, 0] + 0.5 * rng.normal(size=30))
    ours = soft_margin(X, y, 0.7).solve()
    peer = svm.SVC(kernel="linear", C=0.7, tol=1e-9).fit(X, y)
    assert np.allclose(ours.w[:3], peer.coef_[0], atol=1e-6)
    assert ours.w[3] == pytest.approx(peer.intercept_[0], abs=1e-6)


def test_weak_duality_reports_a_violation():
    assert not WeakDuality(1, 2.0, 1.0).holds
    assert "violated" in repr(WeakDuality(1, 2.0, 1.0))
    assert "≤" in repr(WeakDuality(1, 1.0, 2.0))


def test_no_warnings_from_a_clean_solve():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in (
            examples.parabola,
            examples.idle_constraint,
            examples.plain_equality,
        ):
            make().problem.solve()
