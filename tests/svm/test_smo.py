"""The solver of the support vector machines, against slow and plain computations."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, linprog, minimize
from sklearn import svm as peer

from kernellab import kernels as kl
from kernellab.errors import InputError, UndefinedValue
from kernellab.estimator import Inputs
from kernellab.svm.smo import (
    BoxProblem,
    VariableRows,
    best_step,
    choose_pair,
    plain_smo,
    solve,
)
from kernellab.svm.smo.loop import Loop
from kernellab.svm.smo.newton import newton_step
from kernellab.svm.smo.problem import measured

HARD_X = np.array([[2, 2], [3, 0], [1, 3], [0, 0], [-1, 0.5], [0.5, -1]])
HARD_Y = np.array([1.0, 1, 1, -1, -1, -1])
SOFT_X = np.array(
    [[2, 2], [1.5, 0.5], [0.2, 1], [-0.5, -0.3], [-1, -2], [-2, -1], [0.6, 0.4], [3, 1]]
)
SOFT_Y = np.array([1.0, 1, 1, -1, -1, -1, -1, 1])


# --- problems -------------------------------------------------------------------------


def classification(k, X, y, C, index=None):
    """The dual of the soft margin."""
    rows = VariableRows.of(Inputs.read(k, X), index)
    return BoxProblem(rows, y, np.where(y > 0, 0, -C), np.where(y > 0, C, 0))


def regression(k, X, t, C, epsilon):
    """The dual of ε-insensitive regression: two variables a point."""
    n, zero = len(t), np.zeros(len(t))
    rows = VariableRows.of(Inputs.read(k, X), np.tile(np.arange(n), 2))
    s = np.concatenate([t - epsilon, t + epsilon])
    lower, upper = np.concatenate([zero, zero - C]), np.concatenate([zero + C, zero])
    return BoxProblem(rows, s, lower, upper)


def one_class(k, X, nu):
    """The dual of the machine for one class, in scikit-learn's scale."""
    return BoxProblem(
        VariableRows.of(Inputs.read(k, X)), 0.0, 0.0, 1.0, total=nu * len(X)
    )


def given_by(K, s, lower, upper, total=0.0):
    return BoxProblem(
        VariableRows.of(Inputs.read("precomputed", K)), s, lower, upper, total
    )


def rings(n, seed=0, noise=0.2):
    """Two classes that no line separates."""
    r = np.random.default_rng(seed)
    X = r.normal(size=(n, 2))
    y = np.where(np.hypot(*X.T) + noise * r.normal(size=n) > 1.1, 1.0, -1.0)
    return X, y


# --- slow and plain -------------------------------------------------------------------


def by_enumeration(K, s, lower, upper, total):
    """The minimum of W, from all choices of which β are low, free or high. O(3ᵐ m³)."""
    best = math.inf
    for state in itertools.product((0, 1, 2), repeat=len(s)):
        free = np.array(state) == 1
        beta = np.where(free, 0.0, np.where(np.array(state) == 0, lower, upper))
        m = int(free.sum())
        A = np.zeros((m + 1, m + 1))
        A[:m, :m], A[:m, m], A[m, :m] = K[np.ix_(free, free)], 1, 1
        right = np.append(s[free] - K[free] @ beta, total - beta.sum())
        x = np.linalg.lstsq(A, right, rcond=1e-12)[0]
        if np.abs(A @ x - right).max() > 1e-9 * (1 + np.abs(right).max()):
            continue
        beta[free] = x[:m]
        if (beta >= lower - 1e-9).all() and (beta <= upper + 1e-9).all():
            best = min(best, beta @ K @ beta / 2 - s @ beta)
    return best


def require_optimal(problem, K, found, tol):
    """All that a solution claims, computed here from K."""
    beta, s = found.beta, problem.s
    g = K @ beta - s
    assert (problem.lower <= beta).all()
    assert (beta <= problem.upper).all()
    size = 1 + np.abs(beta).sum()
    assert beta.sum() == pytest.approx(problem.total, abs=1e-13 * size)
    assert found.gradient.dtype == np.float64
    assert found.gradient == pytest.approx(g, abs=1e-11 * size)
    value = beta @ K @ beta / 2 - s @ beta
    assert found.objective == pytest.approx(value, rel=1e-9, abs=1e-11 * size)
    m = max((-g)[beta < problem.upper], default=-math.inf)
    M = min((-g)[beta > problem.lower], default=math.inf)
    assert found.bias_interval == pytest.approx((m, M), abs=1e-11 * size)
    assert found.violation == pytest.approx(max(0, m - M), abs=1e-11 * size)
    norms = np.sqrt(np.abs(K.diagonal()))
    rounding = 2.3e-16 * (norms.max() * (norms @ np.abs(beta)) + np.abs(s).max())
    assert found.violation <= max(tol, rounding)
    assert found.converged
    assert not found.unbounded
    assert found.direction is None
    free = (beta < problem.upper) & (beta > problem.lower)
    if free.any():
        assert found.bias == pytest.approx(-g[free].mean(), abs=1e-11 * size)
    else:
        assert min(m, M) - tol <= found.bias <= max(m, M) + tol


# --- exact solutions ------------------------------------------------------------------


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-12])
def test_the_exact_hard_margin(tol):
    problem = classification(kl.Linear(), HARD_X, HARD_Y, np.inf)
    found = solve(problem, tol=tol)
    assert 81 * found.beta == pytest.approx([0, 14, 12, -26, 0, 0], abs=1e-12)
    assert found.bias == pytest.approx(-1, abs=1e-13)
    assert -81 * found.objective == pytest.approx(26, abs=1e-12)
    assert found.violation <= 10 * found.noise < 1e-13
    assert found.beta @ HARD_X == pytest.approx([2 / 3, 4 / 9], abs=1e-13)


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-12])
def test_the_exact_soft_margin(tol):
    found = solve(classification(kl.Linear(), SOFT_X, SOFT_Y, 1.0), tol=tol)
    alpha = SOFT_Y * found.beta
    assert alpha == pytest.approx([0, 0.5, 1, 0.5, 0, 0, 1, 0], abs=1e-13)
    assert found.bias == pytest.approx(-0.4, abs=1e-13)
    assert found.objective == pytest.approx(-2.32, abs=1e-13)


def test_one_variable():
    found = solve(given_by([[2.0]], [1.0], [0.0], [3.0], total=1.5))
    assert found.beta.tolist() == [1.5]
    assert found.gradient.tolist() == [2.0]
    assert (found.bias, found.violation, found.converged) == (-2.0, 0.0, True)


def test_variables_that_cannot_move():
    """lower = upper: neither in I_up nor in I_low; the others see them."""
    K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    found = solve(given_by(K, [0, 0, 0], [0.5, -2, -2], [0.5, 2, 2], total=0.5))
    # minimise ½(2·¼ + 2x² + y²) + ½x with x + y = 0
    assert found.beta == pytest.approx([0.5, -1 / 6, 1 / 6], abs=1e-13)
    nothing = solve(given_by(K, [1, 2, 3], [1, 1, 1], [1, 1, 1], total=3.0))
    assert nothing.beta.tolist() == [1, 1, 1]
    assert nothing.bias_interval == (-math.inf, math.inf)
    assert (nothing.bias, nothing.violation, nothing.converged) == (0.0, 0.0, True)


def test_one_class_only_needs_nothing():
    found = solve(classification(kl.Linear(), HARD_X[:3], np.ones(3), 1.0))
    assert found.beta.tolist() == [0, 0, 0]
    assert found.bias_interval == (1.0, math.inf)
    assert found.bias == 1.0


def test_points_that_carry_both_labels():
    """Both α go to C: they cancel in f, and earn 1 each."""
    X, y = np.array([[1.0], [1.0], [4.0], [4.0]]), np.array([1.0, -1, 1, -1])
    for k in (kl.Linear(), kl.Gaussian(sigma=1.0)):
        found = solve(classification(k, X, y, 2.0))
        assert (y * found.beta).tolist() == [2, 2, 2, 2]
        assert found.objective == pytest.approx(-8, abs=1e-12)


def test_equal_points_share():
    """Twice the same points with C: as once with 2C.

    Gradients that differ by ε on the free variables F allow β to differ by √|F| ε over
    the least curvature of W along them, which is 0.025 here.
    """
    X, y = rings(40)
    once = solve(classification(kl.Gaussian(), X, y, 2.0), tol=1e-12)
    X2, y2 = np.tile(X, (2, 1)), np.tile(y, 2)
    twice = solve(classification(kl.Gaussian(), X2, y2, 1.0), tol=1e-12)
    assert twice.objective == pytest.approx(once.objective, rel=1e-12)
    assert twice.beta[:40] + twice.beta[40:] == pytest.approx(once.beta, abs=1e-9)


def test_newton_steps_see_slopes_below_the_rounding_of_the_bias():
    """Near the optimum all g_i are about −b, and only their differences matter."""
    X, y = rings(40)
    problem, r = classification(kl.Gaussian(), X, y, 2.0), np.random.default_rng(0)
    best = solve(problem, tol=1e-12)
    free = np.flatnonzero((best.beta > problem.lower) & (best.beta < problem.upper))
    for _ in range(20):
        delta, beta = r.normal(size=len(free)), best.beta.copy()
        beta[free] += 1e-9 * (delta - delta.mean())
        near = measured(problem, beta, 0, tol=1e-12)
        loop = Loop(problem, near, None, np.float64, megabytes=1)
        assert newton_step(loop, len(free), damping=0.0) > 0
        after = measured(problem, loop.whole(), 1, tol=1e-12)
        assert after.violation <= 1e-3 * near.violation


# --- against all faces, and other solvers ---------------------------------------------


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), tol=st.sampled_from([1e-3, 1e-6, 1e-12]))
def test_the_minimum_over_all_faces(seed, tol):
    r = np.random.default_rng(seed)
    m = int(r.integers(1, 6))
    Phi = r.normal(size=(m, int(r.integers(1, m + 2)))).round(int(r.integers(0, 3)))
    K, s = Phi @ Phi.T, r.normal(size=m).round(1) * r.choice([0, 1, 10])
    lower, upper = -r.choice([0, 0, 1, 3, 100.0], m), r.choice([0, 1, 2.5, 100.0], m)
    total = r.choice([0, r.uniform(lower.sum(), upper.sum()), upper.sum()])
    problem = given_by(K, s, lower, upper, total)
    found = solve(problem, tol=tol)
    require_optimal(problem, K, found, tol)
    best = by_enumeration(K, s, lower, upper, total)
    assert found.objective == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_against_a_general_method():
    r = np.random.default_rng(3)
    Phi, s = r.normal(size=(12, 5)), r.normal(size=12)
    K, total = Phi @ Phi.T, 1.5
    problem = given_by(K, s, -np.ones(12), 2 * np.ones(12), total)
    found = solve(problem, tol=1e-10)
    other = minimize(
        lambda b: (b @ K @ b / 2 - s @ b, K @ b - s),
        problem.start(),
        jac=True,
        method="SLSQP",
        bounds=[(-1, 2)] * 12,
        constraints=[LinearConstraint(np.ones((1, 12)), total, total)],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert found.objective <= other.fun + 1e-12
    assert found.objective == pytest.approx(other.fun, rel=1e-8)


KERNELS = [
    kl.Gaussian(sigma=0.7),
    kl.Linear(),
    kl.Polynomial(degree=3, c=1.0),
    2 * kl.Gaussian(sigma=(0.5, 2.0)) + kl.Linear(),
]


@pytest.mark.parametrize("k", KERNELS, ids=repr)
@pytest.mark.parametrize("C", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("tol", [1e-3, 1e-9])
def test_classification(k, C, tol):
    X, y = rings(120)
    problem = classification(k, X, y, C)
    require_optimal(problem, k(X), solve(problem, tol=tol), tol)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_classification_like_the_peer(C):
    X, y = rings(300)
    found = solve(classification(kl.Gaussian(sigma=1.0), X, y, C), tol=1e-10)
    other = peer.SVC(C=C, gamma=0.5, tol=1e-10).fit(X, y)
    beta = np.zeros(300)
    beta[other.support_] = other.dual_coef_[0]
    assert found.beta == pytest.approx(beta, abs=2e-5 * C)  # its rows are float32
    assert found.bias == pytest.approx(other.intercept_[0], abs=1e-6)
    K = kl.Gaussian(sigma=1.0)(X)
    assert found.objective <= beta @ K @ beta / 2 - y @ beta + 1e-12


@pytest.mark.parametrize("C", [0.5, 20.0])
def test_regression(C):
    r = np.random.default_rng(1)
    X = r.uniform(-3, 3, (150, 1))
    t = np.sinc(X[:, 0]) + 0.1 * r.normal(size=150)
    k = kl.Gaussian(sigma=1.0)
    problem = regression(k, X, t, C, epsilon=0.1)
    found = solve(problem, tol=1e-9)
    require_optimal(problem, np.tile(k(X), (2, 2)), found, 1e-9)
    assert (found.beta[:150] * found.beta[150:] == 0).all()  # never both
    other = peer.SVR(C=C, gamma=0.5, epsilon=0.1, tol=1e-9).fit(X, t)
    f = k(X) @ (found.beta[:150] + found.beta[150:]) + found.bias
    assert f == pytest.approx(other.predict(X), abs=1e-4)  # its rows are float32


@pytest.mark.parametrize("nu", [0.05, 0.5])
def test_one_class(nu):
    X, _ = rings(150)
    k = kl.Gaussian(sigma=1.0)
    problem = one_class(k, X, nu)
    found = solve(problem, tol=1e-9)
    require_optimal(problem, k(X), found, 1e-9)
    other = peer.OneClassSVM(nu=nu, gamma=0.5, tol=1e-10).fit(X)
    f = k(X) @ found.beta
    assert f == pytest.approx(other.score_samples(X), abs=1e-5)


def test_one_class_of_which_all_are_outliers():
    X, _ = rings(50)
    found = solve(one_class(kl.Gaussian(), X, 1.0))
    assert found.beta.tolist() == [1.0] * 50
    assert found.bias_interval[0] == -math.inf


# --- rows -----------------------------------------------------------------------------


def test_rows_for_some_points_and_with_repetitions():
    X, _ = rings(30)
    k = kl.Gaussian(sigma=0.8)
    index = np.array([7, 3, 3, 20, 7, 0])
    for inputs in (Inputs.read(k, X), Inputs.read("precomputed", k(X))):
        rows = VariableRows.of(inputs, index)
        K = k(X)[np.ix_(index, index)]
        b = np.arange(6.0) - 2
        assert rows.product(b) == pytest.approx(K @ b, abs=1e-13)
        assert rows.diagonal == pytest.approx(np.ones(6))
        cache = rows.cache(np.float64)
        for v in range(6):
            assert cache.row(v) == pytest.approx(K[v], abs=1e-13)
        active = np.array([1, 3, 4])
        cache = rows.cache(np.float64, active=active)
        assert cache.row(2) == pytest.approx(K[4, active], abs=1e-13)
        assert cache.block(np.array([0, 2])) == pytest.approx(
            K[np.ix_(active[[0, 2]], active[[0, 2]])], abs=1e-13
        )


@pytest.mark.parametrize("far", [0.0, 30.0, 1e3, 1e6])
def test_gaussian_rows_far_from_the_mean(far, rows_on_demand):
    """Two clusters: the farther apart, the more care a row needs."""
    X, _ = rings(50)
    X[25:] += far
    k = kl.Gaussian(sigma=1.0)
    rows, K = VariableRows.of(Inputs.read(k, X)), k(X)
    assert rows.whole is None
    cache = rows.cache(np.float32)
    for v in range(50):
        assert cache.row(v) == pytest.approx(K[v], abs=2e-6)
    b = np.linspace(-1, 1, 50)
    assert rows.product(b) == pytest.approx(K @ b, abs=1e-12)


def test_precomputed_is_the_same_as_the_kernel():
    X, y = rings(80)
    k = kl.Gaussian(sigma=0.5) + kl.Linear()
    one = solve(classification(k, X, y, 3.0))
    other = solve(classification("precomputed", k(X), y, 3.0))
    assert one.beta.tolist() == other.beta.tolist()
    assert one.bias == other.bias


def test_objects():
    words = ["ab", "ba", "aab", "bba", "cd", "dc", "ccd", "ddc"]
    y = np.repeat([1.0, -1.0], 4)
    k = kl.Spectrum(1)
    problem = classification(k, words, y, 5.0)
    require_optimal(problem, k(words), solve(problem, tol=1e-9), 1e-9)


def test_objects_row_by_row(rows_on_demand):
    test_objects()


# --- large: float32, shrinking, a bounded memory --------------------------------------


@pytest.mark.parametrize("C", [1.0, 100.0, 1e5])
def test_float32_rows_are_certified_in_float64(C):
    X, y = rings(1200)
    k = kl.Gaussian(sigma=0.7)
    problem = classification(k, X, y, C)
    require_optimal(problem, k(X), solve(problem, tol=1e-3), 1e-3)


@pytest.mark.parametrize("k", KERNELS[1:], ids=repr)
def test_float32_rows_of_other_kernels(k, rows_on_demand):
    X, y = rings(350)
    problem = classification(k, X, y, 1.0)
    assert problem.rows.whole is None
    require_optimal(problem, k(X), solve(problem, tol=1e-3), 1e-3)
    require_optimal(problem, k(X), solve(problem, tol=1e-8), 1e-8)


def test_beyond_float32():
    """A tolerance that float32 cannot reach."""
    X, y = rings(1000)
    k = kl.Gaussian(sigma=0.7)
    problem = classification(k, X, y, 10.0)
    found = solve(problem, tol=1e-11)
    require_optimal(problem, k(X), found, 1e-11)
    rough = solve(problem, tol=1e-3)
    assert rough.objective == pytest.approx(found.objective, rel=1e-4)
    assert rough.objective >= found.objective


def test_numbers_that_float32_cannot_hold(rows_on_demand):
    X, y = rings(400)
    for scale in (1e40, 1e-50):
        k = scale * kl.Gaussian(sigma=0.7)
        found = solve(classification(k, X, y, 1 / scale), tol=1e-6)
        plain = solve(classification(kl.Gaussian(sigma=0.7), X, y, 1.0), tol=1e-6)
        assert found.converged
        assert scale * found.objective == pytest.approx(plain.objective, rel=1e-6)


@pytest.mark.parametrize("megabytes", [200.0, 0.05, 0.0])
def test_few_rows_fit_into_memory(megabytes, rows_on_demand):
    X, y = rings(500)
    k = kl.Gaussian(sigma=0.7)
    problem = classification(k, X, y, 3.0)
    assert problem.rows.whole is None
    require_optimal(problem, k(X), solve(problem, megabytes=megabytes), 1e-3)


@pytest.mark.parametrize("C", [0.3, 30.0])
def test_shrinking(C, monkeypatch):
    """Variables are left out, and brought back where that was wrong."""
    X, y = rings(900)
    k = kl.Gaussian(sigma=0.5)
    problem = classification(k, X, y, C)
    sizes = []
    narrow = Loop.narrow
    monkeypatch.setattr(
        Loop, "narrow", lambda loop: (narrow(loop), sizes.append(len(loop.beta)))
    )
    monkeypatch.setattr("kernellab.svm.smo.solver.SHRINK_MIN_VARIABLES", 50)
    # Compiled or not, soon enough for variables to be left out.
    monkeypatch.setattr("kernellab.svm.smo.solver._first_patience", lambda loop: 200)
    for margin in (3.0, -0.4):  # the second is wrong on purpose
        monkeypatch.setattr("kernellab.svm.smo.loop.SHRINK_MARGIN", margin)
        require_optimal(problem, k(X), solve(problem), 1e-3)
        tight = solve(problem, tol=1e-10)
        require_optimal(problem, k(X), tight, 1e-10)
    assert min(sizes) < 600


def test_regression_shrinks_too(monkeypatch):
    monkeypatch.setattr("kernellab.svm.smo.solver.SHRINK_MIN_VARIABLES", 50)
    r = np.random.default_rng(0)
    X = r.uniform(-3, 3, (400, 1))
    t, k = np.sin(3 * X[:, 0]) + 0.1 * r.normal(size=400), kl.Gaussian(sigma=0.3)
    problem = regression(k, X, t, 10.0, 0.1)
    require_optimal(problem, np.tile(k(X), (2, 2)), solve(problem, tol=1e-8), 1e-8)


# --- unbounded, indefinite, singular --------------------------------------------------


def separable(X, y):
    A = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    free = [(None, None)] * A.shape[1]
    return linprog(np.zeros(A.shape[1]), A, -np.ones(len(X)), bounds=free).status == 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_hard_margin_exists_or_a_direction_shows_why_not(seed):
    r = np.random.default_rng(seed)
    n, d = int(r.integers(2, 30)), int(r.integers(1, 4))
    X = r.normal(size=(n, d)).round(int(r.integers(0, 3)))
    y = np.where(X[:, 0] + r.choice([0, 0.3]) * r.normal(size=n) > 0, 1.0, -1.0)
    found = solve(classification(kl.Linear(), X, y, np.inf), tol=1e-8)
    if separable(X, y):
        assert found.converged
        assert not found.unbounded
        assert (y * (found.gradient + y + found.bias) >= 1 - 1e-6).all()
        return
    delta = found.direction
    assert found.unbounded
    assert not found.converged
    assert (delta * y >= 0).all()
    assert delta.sum() == pytest.approx(0, abs=1e-14)
    assert np.abs(delta).sum() == pytest.approx(1)
    assert y @ delta == pytest.approx(1)
    assert np.abs(delta @ X).max() <= 1e-6 * (1 + np.abs(X).max())


def test_one_point_with_both_labels_has_no_hard_margin():
    X, y = rings(400)
    X[-1], y[-1] = X[0], -y[0]
    found = solve(classification(kl.Gaussian(sigma=0.1), X, y, np.inf))
    assert found.unbounded
    assert np.flatnonzero(found.direction).tolist() == [0, 399]
    assert found.direction[[0, -1]].tolist() == [y[0] / 2, -y[0] / 2]


def test_a_margin_that_is_small_is_still_one():
    X = np.array([[0.0], [1e-5], [1.0]])
    found = solve(classification(kl.Linear(), X, np.array([-1.0, 1, 1]), np.inf))
    assert found.converged
    assert found.beta == pytest.approx([-2e10, 2e10, 0], rel=1e-9)


def test_a_margin_that_float32_does_not_see():
    X, y = rings(400)
    X[-1], y[-1] = X[0] + [1e-5, 0], -y[0]
    found = solve(classification(kl.Gaussian(sigma=0.1), X, y, np.inf))
    assert found.converged
    assert np.abs(found.beta[[0, -1]]).min() > 1e8


def test_a_violation_that_is_rounding():
    """A tolerance below the rounding of the gradient is met as well as it can be."""
    X, y = rings(100)
    problem = classification(kl.Gaussian(sigma=1.0), X, y, 1e7)
    found = solve(problem, tol=1e-15)
    assert found.converged
    assert 1e-15 < found.violation <= problem.noise(found.beta) < 1e-6


def test_half_infinite_bounds():
    """One variable may grow without end; the equation stops it."""
    found = solve(given_by(np.zeros((2, 2)), [1, 0], [0, -3], [math.inf, 3]))
    assert found.beta.tolist() == [3, -3]
    assert not found.unbounded


@pytest.mark.parametrize("seed", range(5))
def test_an_indefinite_matrix(seed):
    """No loop without end; the result cannot be improved by moving one pair."""
    r = np.random.default_rng(seed)
    A = r.normal(size=(60, 60))
    K, y = A + A.T, r.choice([-1.0, 1.0], 60)
    values = []
    problem = classification("precomputed", K, y, 1.0)
    found = solve(problem, callback=lambda step: values.append(step.objective))
    require_optimal(problem, K, found, 1e-3)
    assert (np.diff([0, *values]) <= 1e-12).all()


def test_a_concave_problem_goes_to_a_corner():
    found = solve(given_by(-np.eye(4), [0.0] * 4, [-1] * 4, [1] * 4))
    assert np.abs(found.beta).tolist() in ([1] * 4, [0] * 4)  # 0 is stationary
    found = solve(given_by(-np.eye(4), [0.1, 0, 0, 0], [-1] * 4, [1] * 4))
    assert sorted(np.abs(found.beta)) == [0, 0, 1, 1]


def test_a_kernel_that_is_positive_only_on_differences():
    """−‖x − x'‖: enough, since Σδ = 0; and Newton steps work on it."""
    X, y = rings(100)
    K = -np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    problem = classification("precomputed", K, y, 1.0)
    found = solve(problem, tol=1e-11)
    require_optimal(problem, K, found, 1e-11)
    shifted = solve(classification("precomputed", K + 10, y, 1.0), tol=1e-11)
    assert found.beta == pytest.approx(shifted.beta, abs=1e-10)


def test_a_matrix_of_zeros():
    found = solve(given_by(np.zeros((3, 3)), [1, 0, -1], [-1] * 3, [1] * 3))
    assert found.beta.tolist() == [1, 0, -1]
    assert found.objective == -2


# --- steps ----------------------------------------------------------------------------


def test_the_fast_loop_makes_the_plain_steps():
    X, y = rings(60)
    k = kl.Laplacian(sigma=1.0)
    problem, K, steps = classification(k, X, y, 2.0), k(X), []
    found = solve(problem, callback=steps.append, newton=False)
    beta, count = plain_smo(K, y, problem.lower, problem.upper, np.zeros(60))
    assert found.iterations == count == len(steps)
    assert found.beta == pytest.approx(beta, abs=1e-11)
    again, g = np.zeros(60), -y
    for number, step in enumerate(steps, 1):
        pair = choose_pair(K, g, again < problem.upper, again > problem.lower)
        assert (step.i, step.j) == pair
        assert step.iteration == number
        m = (-g)[again < problem.upper].max()
        M = (-g)[again > problem.lower].min()
        assert step.violation == pytest.approx(m - M, abs=1e-12)
        again[step.i] += step.step
        again[step.j] -= step.step
        g = K @ again - y
        value = again @ (g - y) / 2
        assert step.objective == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("newton", [True, False])
def test_the_objective_falls_at_every_step(newton):
    X, y = rings(400)
    steps = []
    problem = classification(kl.Gaussian(sigma=0.7), X, y, 100.0)
    found = solve(problem, callback=steps.append, newton=newton)
    values = np.array([0.0, *(step.objective for step in steps)])
    assert (np.diff(values) <= 0).all()
    assert [step.iteration for step in steps] == list(range(1, found.iterations + 1))
    assert values[-1] == pytest.approx(found.objective, rel=1e-10)
    assert {(step.i, step.j) == (-1, -1) for step in steps} == {False, newton}


def test_newton_steps_save_steps():
    X, y = rings(400)
    problem = classification(kl.Gaussian(sigma=0.7), X, y, 1000.0)
    fast, slow = solve(problem), solve(problem, newton=False)
    assert fast.iterations < slow.iterations / 5
    assert fast.objective == pytest.approx(slow.objective, rel=1e-4)


@pytest.mark.parametrize("C", [1.0, 1e6])
def test_a_newton_step_lowers_the_objective(C):
    X, y = rings(200)
    k = kl.Gaussian(sigma=1.0)
    problem = classification(k, X, y, C)
    for count in (0, 10, 50, 200):
        found = solve(problem, max_iter=count, newton=False)
        loop = Loop(problem, found, None, np.float64, 10.0)
        t = newton_step(loop, 1000)
        after = measured(problem, loop.whole(), 0, 1e-3)
        assert (t > 0) == (after.objective < found.objective)
        assert loop.objective == pytest.approx(after.objective, rel=1e-9, abs=1e-9)
        assert loop.minus_gradient() == pytest.approx(-after.gradient, abs=1e-9 * C)
        assert after.beta.sum() == pytest.approx(0, abs=1e-12 * C)


@given(
    slope=st.floats(1e-3, 1e3),
    curvature=st.floats(-1e3, 1e3),
    room=st.floats(0, 1e3),
    other=st.floats(0, 1),
)
def test_no_other_step_is_better(slope, curvature, room, other):
    def value(t):
        return -t * slope + t * t * curvature / 2

    t = best_step(slope, curvature, room)
    assert 0 <= t <= room
    assert value(t) <= value(other * room) + 1e-9 * (1 + abs(value(t)))


def test_the_second_order_rule_is_not_the_first_order_one():
    K = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.0], [0.9, 0.0, 1.0]])
    g = np.array([-1.0, 1.0, 0.9])
    low = np.array([False, True, True])
    assert choose_pair(K, g, ~low, low) == (0, 2)  # 1.9²/0.2 > 2²/2
    assert choose_pair(np.eye(3), g, ~low, low) == (0, 1)


# --- start, max_iter ------------------------------------------------------------------


def test_start():
    X, y = rings(400)
    problem = classification(kl.Gaussian(sigma=0.7), X, y, 10.0)
    cold = solve(problem, tol=1e-9)
    warm = solve(problem, tol=1e-9, start=cold.beta)
    assert warm.iterations <= 3
    assert warm.beta == pytest.approx(cold.beta, abs=1e-9)
    near = classification(kl.Gaussian(sigma=0.7), X, y, 11.0)
    assert solve(near, start=cold.beta).iterations < solve(near).iterations
    kept = cold.beta.copy()
    solve(problem, start=kept, max_iter=0)
    assert kept.tolist() == cold.beta.tolist()


@pytest.mark.parametrize("total", [-4.0, 0.0, 0.25, 7.5])
def test_the_first_point_is_feasible(total):
    lower, upper = np.array([-3.0, 0, -2, 1]), np.array([-1.0, 5, 0, math.inf])
    beta = given_by(np.eye(4), 0.0, lower, upper, total=total).start()
    assert beta.sum() == pytest.approx(total)
    assert (beta >= lower).all()
    assert (beta <= upper).all()
    assert given_by(np.eye(3), 0.0, -1, 1).start().tolist() == [0, 0, 0]


@pytest.mark.parametrize("count", [0, 1, 7, 130])
def test_max_iter(count):
    X, y = rings(1200)
    problem = classification(kl.Gaussian(sigma=0.7), X, y, 10.0)
    found = solve(problem, max_iter=count)
    assert found.iterations == count
    assert not found.converged
    assert not found.unbounded
    g = kl.Gaussian(sigma=0.7)(X) @ found.beta - y
    assert found.gradient == pytest.approx(g, abs=1e-10)
    m, M = (
        (-g)[found.beta < problem.upper].max(),
        (-g)[found.beta > problem.lower].min(),
    )
    assert found.violation == pytest.approx(m - M, abs=1e-10)


def test_nothing_is_changed_or_shared():
    X, y = rings(50)
    K = kl.Gaussian()(X)
    copy = K.copy()
    problem = given_by(K, y, np.minimum(y, 0), np.maximum(y, 0))
    found = solve(problem)
    y[0] = 7.0
    assert (copy == K).all()
    assert problem.s[0] != 7.0
    assert solve(problem).beta.tolist() == found.beta.tolist()


# --- errors ---------------------------------------------------------------------------

TWO = VariableRows.of(Inputs.read("precomputed", np.eye(2)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2, 3], 0, 1), r"s must be a number or have shape \(2,\).* got \(3,\)"),
        (([1, math.nan], 0, 1), r"s must be finite; s\[1\] is nan"),
        ((1, [0, 2], 1), "lower must not exceed upper.* variable 1 they are 2.0 and"),
        ((1, 0, math.nan), "neither may be NaN; for variable 0 they are 0.0 and nan"),
        ((1, math.inf, math.inf), "for variable 0 they are inf and inf"),
        ((1, -math.inf, -math.inf), "for variable 0 they are -inf and -inf"),
        ((1, "a", 1), "lower must be a number or an array of numbers; got str 'a'"),
        ((1, 0, 1, math.inf), "total must be a finite number"),
    ],
)
def test_bad_problems(arguments, message):
    with pytest.raises(InputError, match=message):
        BoxProblem(TWO, *arguments)


@pytest.mark.parametrize("total", [-0.5, 2.5])
def test_no_feasible_point(total):
    with pytest.raises(InputError, match=r"no β in the box .* the bounds allow 0 to 2"):
        solve(BoxProblem(TWO, 1, 0, 1, total))


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (
            [2, -1],
            r"start must be inside the bounds; start\[0\] = 2 is not in \[0, 1\]",
        ),
        ([1, 0.5], "start must have the sum asked for: Σβ must be 1, and comes to 1.5"),
        ([1], r"start must be a number or have shape \(2,\)"),
        ([math.nan, 1], r"start must be finite; start\[0\] is nan"),
    ],
)
def test_bad_starts(start, message):
    with pytest.raises(InputError, match=message):
        solve(BoxProblem(TWO, 0, 0, 1, 1.0), start=start)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tol": 0}, "tol must be positive"),
        ({"max_iter": -1}, "max_iter must be an integer ≥ 0, got -1"),
        ({"max_iter": 1.5}, "max_iter must be an integer ≥ 0, got 1.5"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        solve(BoxProblem(TWO, 0, 0, 1), **options)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ([], "index must be a list of one or more integers"),
        ([0.5], "index must be a list of one or more integers"),
        ([[0]], "index must be a list of one or more integers"),
        ([0, 2], "index must lie between 0 and 1; it goes from 0 to 2"),
        ([-1], "index must lie between 0 and 1; it goes from -1 to -1"),
    ],
)
def test_bad_indices(index, message):
    with pytest.raises(InputError, match=message):
        VariableRows.of(Inputs.read("precomputed", np.eye(2)), index)


def test_a_matrix_that_is_not_symmetric():
    K = np.array([[1.0, 2.0], [0.0, 1.0]])
    for index in (None, [0, 1], [1, 0]):
        with pytest.raises(InputError, match="must be symmetric"):
            VariableRows.of(Inputs.read("precomputed", K), index)


def test_a_kernel_without_a_value(rows_on_demand):
    X = np.array([[1e200], [1.0], [-1.0]])
    rows = VariableRows.of(Inputs.read(kl.Linear() ** 2, X[1:]))
    assert rows.whole is not None
    with pytest.raises(UndefinedValue, match="has no finite value"):
        VariableRows.of(Inputs.read(kl.Linear() ** 2, X))
