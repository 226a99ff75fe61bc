"""(P), (D) and their gap: certificates, peers, and the theorems of S1 §2, §4, §5."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.kernel_ridge import KernelRidge as PeerRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from kernellab import kernels as kl
from kernellab.erm import (
    ConvergenceWarning,
    KernelERM,
    KernelLogisticRegression,
    dual_value,
    least_squares,
    least_squares_dual,
    primal_value,
    solve,
)
from kernellab.erm.newton import newton_direction
from kernellab.erm.problem import RepresenterProblem
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.losses import Hinge, Huber, Logistic, Loss, Squared, SquaredHinge

rng = np.random.default_rng(3)
LOSSES = [Squared(), Huber(0.4), Logistic(), Hinge(), SquaredHinge()]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)


def data(n, loss, seed=0):
    """Points in the plane, some of them twice, and targets that fit the loss."""
    r = np.random.default_rng(seed)
    X = r.normal(size=(n, 2))
    X[n // 2 : n // 2 + n // 4] = X[: n // 4]
    t = X[:, 0] ** 2 + X[:, 1] - 0.5 + 0.5 * r.normal(size=n)
    return X, np.where(t > 0, 1.0, -1.0) if loss.labels else t


# --- the certificate ------------------------------------------------------------------


@each_loss
@pytest.mark.parametrize("lam", [1e3, 1.0, 1e-3, 1e-7])
@pytest.mark.parametrize(
    "k", [kl.Linear(), kl.Gaussian(sigma=0.4), kl.Gaussian(sigma=4.0)], ids=repr
)
def test_a_fit_proves_itself(loss, k, lam):
    X, y = data(40, loss)
    K = k(X)
    model = KernelERM(k, loss, lam=lam).fit(X, y)
    c = model.certificate_
    assert abs(c.relative_gap) <= 1e-8
    assert c.primal == pytest.approx(primal_value(K, y, model.a_, lam, loss), rel=1e-9)
    assert c.dual == pytest.approx(dual_value(K, y, model.alpha_, lam, loss), rel=1e-9)
    assert c.jitter == 0
    assert model.n_iter_ <= 40
    assert (c.gradient_norm is None) == (loss == Hinge())


@each_loss
def test_the_gradient_vanishes(loss):
    X, y = data(30, loss)
    if loss.smooth:
        found = solve(kl.Gaussian()(X), y, 0.01, loss, tol=1e-12)
        assert found.certificate.gradient_norm < 1e-6


@each_loss
def test_the_gap_is_a_sum_of_terms_that_are_not_negative(loss):
    X, y = data(12, loss)
    K, lam, n = kl.Gaussian()(X), 0.1, 12
    a, alpha = rng.normal(size=(2, n))
    alpha = -np.clip(-n * lam * alpha, *loss.slopes(y)) / (n * lam)
    u, v = K @ a, -n * lam * alpha
    local = loss.fenchel_young(y, u, np.clip(v, *loss.slopes(y)))
    rest = lam / 2 * (a - alpha) @ K @ (a - alpha)
    gap = primal_value(K, y, a, lam, loss) - dual_value(K, y, alpha, lam, loss)
    assert local.min() >= -1e-12
    assert gap == pytest.approx(local.mean() + rest, rel=1e-10)


@each_loss
@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), log_lam=st.floats(-4, 2), rank=st.integers(1, 6))
def test_weak_duality(loss, seed, log_lam, rank):
    r = np.random.default_rng(seed)
    Phi, lam = r.normal(size=(6, rank)), 10**log_lam
    K = Phi @ Phi.T
    y = r.choice([-1.0, 1.0], size=6) if loss.labels else r.normal(size=6)
    a, alpha = r.normal(size=(2, 6)) * 10 ** r.uniform(-2, 2)
    primal = primal_value(K, y, a, lam, loss)
    slack = 1e-9 * (1 + abs(primal))
    assert dual_value(K, y, alpha, lam, loss) <= primal + slack
    feasible = -np.clip(-6 * lam * alpha, *loss.slopes(y)) / (6 * lam)
    assert -np.inf < dual_value(K, y, feasible, lam, loss) <= primal + slack


@each_loss
def test_slopes_of_the_loss_are_feasible(loss):
    """α = −ℓ'(y, u)/(nλ) may leave the domain by rounding; D must not mind."""
    X, y = data(50, loss)
    K = kl.Gaussian()(X)
    for lam in np.linspace(0.001, 1.0, 30):
        u = 100 * rng.normal(size=50)
        alpha = -loss.derivative(y, u) / lam / 50
        assert dual_value(K, y, alpha, lam, loss) > -np.inf


@each_loss
def test_infeasible_points(loss):
    low, high = loss.slopes(1.0)
    for v in (low - 1e-6, high + 1e-6):
        if np.isfinite(v):
            value = dual_value([[1.0]], [1.0], [-float(v) / 0.5], 0.5, loss)
            assert value == -np.inf


@each_loss
def test_a_small_lam_is_solved_as_well(loss):
    """Where (D) has large solutions, and rounding in Ka is amplified by 1/λ."""
    X, y = data(40, loss)
    for k in (kl.Linear(), kl.Gaussian(sigma=0.4)):
        found = solve(k(X), y, 1e-9, loss, tol=1e-7)
        assert abs(found.certificate.relative_gap) <= 1e-7


def test_a_hard_margin_is_proven_in_spite_of_rounding():
    """A margin of 1 − 10⁻¹⁶ must not cost more than the whole objective of 10⁻¹⁰."""
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(2, 2))
        found = solve(kl.Gaussian(sigma=0.3)(X), [1, -1], 1e-10, Hinge())
        assert abs(found.certificate.relative_gap) <= 1e-8


@each_loss
def test_newton_solves_the_linearised_condition(loss):
    """λb + W(Kb − u) = −ℓ'(u)/n, with curvatures that may be zero."""
    X, y = data(20, loss)
    K, a, lam = kl.Linear()(X), rng.normal(size=20) / 10, 0.1
    b = a + newton_direction(RepresenterProblem.read(K, y, lam, loss), a)[0]
    u = K @ a
    W = loss.curvature(y, u) / 20
    left = lam * b + W * (K @ b - u)
    np.testing.assert_allclose(left, -loss.derivative(y, u) / 20, atol=1e-12)


# --- the theorems ---------------------------------------------------------------------


@each_loss
def test_dual_optimal_implies_primal_optimal_and_the_converse_fails(loss):
    """P-13, E1-25: α + z with Kz = 0 solves (P), not (D)."""
    X, y = data(20, loss)
    K, lam = kl.Linear()(X), 0.05
    found = solve(K, y, lam, loss, tol=1e-12)
    best = found.certificate.dual
    assert primal_value(K, y, found.alpha, lam, loss) == pytest.approx(best, rel=1e-9)
    z = np.linalg.svd(K)[2][-1]
    assert np.abs(K @ z).max() < 1e-12
    other = found.alpha + z
    assert primal_value(K, y, other, lam, loss) == pytest.approx(best, rel=1e-9)
    assert dual_value(K, y, other, lam, loss) < best - 1e-3


@each_loss
def test_nothing_near_the_solution_is_better(loss):
    X, y = data(15, loss)
    K, lam = kl.Gaussian()(X), 0.02
    found = solve(K, y, lam, loss, tol=1e-12)
    for _ in range(50):
        d = 10 ** rng.uniform(-6, 0) * rng.normal(size=15)
        assert primal_value(K, y, found.a + d, lam, loss) >= found.certificate.dual
        assert dual_value(K, y, found.alpha + d, lam, loss) <= found.certificate.primal


def test_least_squares_in_closed_form():
    """S1 §5: three ways to the same value; S1's dual is off by ‖y‖²/(2n) (E1-21)."""
    X, y = data(25, Squared())
    n, lam = 25, 0.03
    for K in (kl.Linear()(X), kl.Gaussian()(X)):
        alpha, value = least_squares(K, y, lam)
        np.testing.assert_allclose((K + n * lam * np.eye(n)) @ alpha, y, atol=1e-12)
        assert value == pytest.approx(lam / 2 * y @ alpha)
        assert primal_value(K, y, alpha, lam, Squared()) == pytest.approx(value)
        assert dual_value(K, y, alpha, lam, Squared()) == pytest.approx(value)
        assert least_squares_dual(K, y, alpha, lam) == pytest.approx(value)
        printed = -lam / 2 * alpha @ K @ alpha - ((y - n * lam * alpha) ** 2).sum() / (
            2 * n
        )
        assert value - printed == pytest.approx(y @ y / (2 * n))
        found = solve(K, y, lam, Squared())
        np.testing.assert_allclose(found.a, alpha, rtol=1e-9, atol=1e-11)
        assert found.iterations == 1
        b = rng.normal(size=n)
        general = dual_value(K, y, b, lam, Squared())
        assert least_squares_dual(K, y, b, lam) == pytest.approx(general)


def test_coefficients_are_residuals():
    """N6: α = (y − f)/(nλ)."""
    X, y = data(25, Squared())
    model = KernelERM(kl.Gaussian(), Squared(), lam=0.1).fit(X, y)
    np.testing.assert_allclose(model.a_, (y - model.predict(X)) / 2.5, atol=1e-12)


def test_support_vectors():
    """0 ≤ y_iα_i ≤ 1/(nλ) = C; strictly beyond the margin 0, within it C."""
    X, y = data(80, Hinge())
    model = KernelERM(kl.Gaussian(), Hinge(), lam=0.01, tol=1e-10).fit(X, y)
    weight, C = y * model.alpha_, 1 / (80 * 0.01)
    margin = y * model.decision_function(X)
    assert weight.min() >= 0
    assert weight.max() <= C * (1 + 1e-12)
    np.testing.assert_allclose(weight[margin > 1 + 1e-6], 0, atol=1e-12)
    np.testing.assert_allclose(weight[margin < 1 - 1e-6], C, rtol=1e-12)
    assert (weight == 0).sum() > 10


def test_hard_margin_for_small_lam():
    """S3's worked data, with the constant feature that stands for the bias."""
    X = np.array([[2.0, 2], [3, 0], [1, 3], [0, 0], [-1, 0.5], [0.5, -1]])
    y = np.array([1.0, 1, 1, -1, -1, -1])
    model = KernelERM(kl.Linear() + 1e6, Hinge(), lam=1e-9).fit(X, y)
    np.testing.assert_allclose(y * model.alpha_ * 81, [0, 14, 12, 26, 0, 0], atol=0.01)
    np.testing.assert_allclose(X.T @ model.a_, [2 / 3, 4 / 9], atol=1e-4)


def test_every_point_twice_changes_nothing():
    """The loss is a mean: f depends on the distribution of the data only."""
    for loss in LOSSES:
        X, y = data(15, loss, seed=4)
        k = kl.Gaussian()
        once = KernelERM(k, loss, lam=0.1, tol=1e-11).fit(X, y)
        twice = KernelERM(k, loss, lam=0.1, tol=1e-11)
        twice.fit(np.vstack([X, X]), np.tile(y, 2))
        T = rng.normal(size=(9, 2))
        np.testing.assert_allclose(
            once.decision_function(T), twice.decision_function(T), atol=1e-5
        )


# --- against others -------------------------------------------------------------------


@each_loss
def test_against_scipy_in_the_space_of_weights(loss):
    """Representer theorem: the least value over all w is that of (P)."""
    X, y = data(20, loss)
    lam = 0.05
    Phi = kl.Polynomial(degree=2).features()(X)

    def objective(w):
        return loss.value(y, Phi @ w).mean() + lam / 2 * w @ w

    found = solve(Phi @ Phi.T, y, lam, loss, tol=1e-11)
    if loss.smooth:
        peer = minimize(objective, np.zeros(6), method="BFGS", tol=1e-10)
        value, w = peer.fun, peer.x
    else:
        value, w = hinge_with_slacks(Phi, y, lam)
    assert found.certificate.primal == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(Phi.T @ found.a, w, atol=1e-4)


def hinge_with_slacks(Phi, y, lam):
    """min (1/n)Σξ + (λ/2)‖w‖² subject to ξ ≥ 0 and y_i wᵀφ_i ≥ 1 − ξ_i."""
    n, M = Phi.shape
    A = np.hstack([y[:, None] * Phi, np.eye(n)])
    peer = minimize(
        lambda s: s[M:].mean() + lam / 2 * s[:M] @ s[:M],
        np.concatenate([np.zeros(M), np.ones(n)]),
        jac=lambda s: np.concatenate([lam * s[:M], np.full(n, 1 / n)]),
        bounds=[(None, None)] * M + [(0, None)] * n,
        constraints={"type": "ineq", "fun": lambda s: A @ s - 1, "jac": lambda s: A},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return peer.fun, peer.x[:M]


def test_hinge_against_scipy_on_the_dual():
    X, y = data(12, Hinge())
    K, lam = kl.Gaussian()(X), 0.02
    Q = K * np.outer(y, y)
    peer = minimize(
        lambda b: b @ Q @ b / 2 - b.sum(),
        np.zeros(12),
        jac=lambda b: Q @ b - 1,
        bounds=[(0, 1 / (12 * lam))] * 12,
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    found = solve(K, y, lam, Hinge(), tol=1e-11)
    assert found.certificate.dual == pytest.approx(-lam * peer.fun, rel=1e-7)


def test_logistic_against_scikit_learn():
    X, y = data(60, Logistic())
    lam = 0.01
    phi = kl.Polynomial(degree=2).features()
    model = KernelLogisticRegression(kl.Polynomial(degree=2), lam=lam, tol=1e-13)
    model.fit(X, y)
    peer = LogisticRegression(
        C=1 / (60 * lam), fit_intercept=False, tol=1e-10, max_iter=1000
    ).fit(phi(X), y)
    T = rng.normal(size=(20, 2))
    np.testing.assert_allclose(
        model.decision_function(T), peer.decision_function(phi(T)), atol=1e-5
    )
    np.testing.assert_allclose(
        model.predict_proba(T), peer.predict_proba(phi(T)), atol=1e-6
    )
    np.testing.assert_array_equal(model.predict(T), peer.predict(phi(T)))
    np.testing.assert_array_equal(model.classes_, peer.classes_)
    assert model.score(X, y) == peer.score(phi(X), y)


@pytest.mark.parametrize(
    ("loss", "name", "factor"),
    [(Hinge(), "hinge", 1.0), (SquaredHinge(), "squared_hinge", 0.5)],
)
def test_hinges_against_scikit_learn(loss, name, factor):
    X, y = data(40, loss)
    lam = 0.02
    peer = LinearSVC(
        C=factor / (40 * lam),
        loss=name,
        fit_intercept=False,
        tol=1e-10,
        max_iter=10**6,
        random_state=0,
    ).fit(X, y)
    found = solve(kl.Linear()(X), y, lam, loss, tol=1e-12)
    np.testing.assert_allclose(X.T @ found.a, peer.coef_[0], atol=1e-5)


def test_squared_against_scikit_learn():
    X, y = data(40, Squared())
    model = KernelERM(kl.Gaussian(sigma=0.5), lam=0.1).fit(X, y)
    peer = PeerRidge(alpha=4.0, kernel="rbf", gamma=2.0).fit(X, y)
    np.testing.assert_allclose(model.a_, peer.dual_coef_, atol=1e-10)
    assert model.score(X, y) == pytest.approx(peer.score(X, y))


def test_hinge_with_many_points():
    X, y = data(400, Hinge())
    model = KernelERM(kl.Gaussian(sigma=0.5), Hinge(), lam=1e-4).fit(X, y)
    assert abs(model.certificate_.relative_gap) <= 1e-8


# --- special data ---------------------------------------------------------------------


@each_loss
def test_one_point(loss):
    model = KernelERM(kl.Gaussian(), loss, lam=0.5, tol=1e-12).fit([[3.0]], [1.0])
    c = model.a_[0]
    grid = c + np.linspace(-1, 1, 2001)
    values = loss.value(1.0, grid) + grid**2 / 4
    assert values.min() >= model.certificate_.dual - 1e-12
    assert abs(grid[values.argmin()] - c) < 1e-3


@each_loss
def test_one_class_only_or_constant_targets(loss):
    X, _ = data(20, loss)
    model = KernelERM(kl.Gaussian(), loss, lam=0.1).fit(X, np.ones(20))
    assert abs(model.certificate_.relative_gap) <= 1e-8
    assert (model.decision_function(X) > 0).all()


@each_loss
def test_all_points_equal(loss):
    y = [1.0, 1.0, -1.0]
    model = KernelERM(kl.Gaussian(), loss, lam=0.1).fit(np.zeros((3, 2)), y)
    assert abs(model.certificate_.relative_gap) <= 1e-8
    assert np.ptp(model.decision_function(np.zeros((3, 2)))) == 0


@each_loss
def test_a_kernel_that_is_zero(loss):
    found = solve(np.zeros((3, 3)), [1, -1, 1], 0.1, loss)
    assert found.certificate.primal == loss.value([1, -1, 1], 0).mean()
    assert abs(found.certificate.gap) < 1e-8


@pytest.mark.parametrize("loss", [Squared(), Huber()], ids=repr)
def test_targets_that_are_zero(loss):
    found = solve(np.eye(3), np.zeros(3), 0.1, loss)
    assert found.certificate.primal == found.certificate.dual == 0
    np.testing.assert_array_equal(found.a, 0)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_of_the_targets_do_not_matter(scale):
    X, y = data(20, Huber())
    K = kl.Gaussian()(X)
    one = solve(K, y, 0.1, Huber(0.4), tol=1e-11)
    other = solve(K, scale * y, 0.1, Huber(0.4 * scale), tol=1e-11)
    np.testing.assert_allclose(other.a, scale * one.a, rtol=1e-4, atol=1e-6 * scale)


def test_strings():
    words, y = ["abab", "baba", "abba", "cccc", "ccac", "accc"], [1, 1, 1, -1, -1, -1]
    model = KernelLogisticRegression(kl.Spectrum(p=2), lam=0.1).fit(words, y)
    np.testing.assert_array_equal(model.predict(["babab", "ccc"]), [1, -1])
    assert model.score(words, y) == 1


@each_loss
def test_precomputed(loss):
    X, y = data(20, loss)
    T, k = rng.normal(size=(5, 2)), kl.Gaussian()
    one = KernelERM(k, loss, lam=0.1).fit(X, y)
    two = KernelERM("precomputed", loss, lam=0.1).fit(k(X), y)
    np.testing.assert_array_equal(one.a_, two.a_)
    np.testing.assert_allclose(one.predict(T), two.predict(k(T, X)), atol=1e-12)
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 20"):
        two.predict(T)
    with pytest.raises(InputError, match="no points"):
        _ = two.function_


def test_the_fit_is_a_function_of_the_rkhs():
    X, y = data(20, Squared())
    model = KernelERM(kl.Gaussian(), lam=0.1).fit(X, y)
    f, T = model.function_, rng.normal(size=(5, 2))
    np.testing.assert_allclose(f(T), model.predict(T))
    penalty = model.certificate_.primal - Squared().value(y, model.predict(X)).mean()
    assert 0.05 * f.norm() ** 2 == pytest.approx(penalty)


def test_the_matrix_is_not_changed():
    X, y = data(20, Hinge())
    K = kl.Gaussian()(X)
    copy = K.copy()
    for loss in LOSSES:
        solve(K, y, 0.1, loss)
    np.testing.assert_array_equal(K, copy)


# --- failures -------------------------------------------------------------------------


@each_loss
def test_too_few_steps_warn_and_keep_the_certificate(loss):
    X, y = data(30, loss)
    best = solve(kl.Gaussian()(X), y, 1e-3, loss, tol=1e-12).certificate
    model = KernelERM(kl.Gaussian(), loss, lam=1e-3, max_iter=0)
    with pytest.warns(ConvergenceWarning, match=r"0 steps.*proven.*max_iter.*lam"):
        model.fit(X, y)
    c = model.certificate_
    assert c.dual <= best.primal
    assert c.primal >= best.dual
    assert c.relative_gap > 1e-8
    assert np.isfinite(model.predict(X)).all()


@each_loss
def test_hopeless_lam_warns(loss):
    X, y = data(40, loss)
    with pytest.warns(ConvergenceWarning, match="rounding: raise lam"):
        solve(kl.Gaussian(sigma=4.0)(X), y, 1e-20, loss)


@each_loss
def test_a_matrix_that_is_not_positive_is_refused(loss):
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(NotPositiveDefinite, match=r"refute"):
        KernelERM("precomputed", loss, lam=10.0).fit(K, [1, -1])
    with pytest.raises(NotPositiveDefinite, match=r"-Linear\(\) is not proven"):
        KernelERM(-kl.Linear(), loss).fit([[1.0], [2.0]], [1, -1])


GOOD = np.eye(2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: solve(GOOD, [1, -1], 0, Hinge()), ValueError, "lam must be positive"),
        (lambda: solve(GOOD, [1, -1], -1, Hinge()), ValueError, "lam must be positive"),
        (lambda: solve(GOOD, [1, -1], np.nan, Hinge()), ValueError, "lam must be"),
        (lambda: solve(GOOD, [1, -1], "1", Hinge()), ValueError, "lam must be"),
        (lambda: solve(GOOD, [0, 1], 1, Hinge()), ValueError, "labels -1 and"),
        (lambda: solve(GOOD, [0, 1, 1], 1, Squared()), ValueError, r"shape \(2,\)"),
        (lambda: solve(GOOD, [np.nan, 1], 1, Squared()), ValueError, r"y\[0\] is nan"),
        (lambda: solve(np.ones((2, 3)), [1, 1], 1, Hinge()), ValueError, "square"),
        (lambda: solve([[1, 2], [0, 1]], [1, 1], 1, Hinge()), ValueError, "symmetric"),
        (lambda: solve([[np.inf]], [1], 1, Hinge()), ValueError, "finite"),
        (lambda: solve(np.empty((0, 0)), [], 1, Hinge()), ValueError, "square"),
        (lambda: solve(GOOD, [1, -1], 1, "hinge"), TypeError, r"such as Logistic\(\)"),
        (lambda: solve(GOOD, [1, -1], 1, Hinge), TypeError, "loss must be one of"),
        (lambda: solve(GOOD, [1, -1], 1, Hinge(), tol=0), ValueError, "tol"),
        (lambda: solve(GOOD, [1, 1], 1, Hinge(), max_iter=-1), ValueError, "max_iter"),
        (lambda: solve(GOOD, [1, 1], 1, Hinge(), max_iter=1.5), ValueError, "max_iter"),
        (
            lambda: primal_value(GOOD, [1, 1], [1.0], 1, Hinge()),
            ValueError,
            r"a must be a finite array of shape \(2,\)",
        ),
        (
            lambda: dual_value(GOOD, [1, 1], [1.0, np.inf], 1, Hinge()),
            ValueError,
            "alpha must be a finite array",
        ),
        (lambda: KernelERM("rbf").fit(GOOD, [1, 2]), TypeError, "'precomputed'"),
        (lambda: KernelERM(kl.Linear()).predict(GOOD), ValueError, "not fitted"),
        (lambda: KernelERM(kl.Linear()).function_, ValueError, "not fitted"),
        (
            lambda: KernelERM(kl.Linear()).fit(np.empty((0, 2)), []),
            ValueError,
            "one point or more",
        ),
        (
            lambda: KernelERM(kl.Linear()).fit([[1.0, np.nan]], [1]),
            ValueError,
            "finite",
        ),
        (
            lambda: KernelERM(kl.Linear()).set_params(C=1),
            ValueError,
            "no parameter C; it has kernel, loss, lam, tol, max_iter",
        ),
    ],
)
def test_wrong_inputs(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_parameters():
    model = KernelERM(kl.Linear(), Hinge(), 0.1)
    assert model.get_params(deep=False) == {
        "kernel": kl.Linear(),
        "loss": Hinge(),
        "lam": 0.1,
        "tol": 1e-8,
        "max_iter": 100,
    }
    assert model.set_params(lam=3, loss=Squared()) is model
    assert (model.lam, model.loss) == (3, Squared())
    assert KernelERM(**model.get_params(deep=False)).get_params(
        deep=False
    ) == model.get_params(deep=False)
    logistic = KernelLogisticRegression(kl.Linear(), lam=2.0)
    assert list(logistic.get_params(deep=False)) == [
        "kernel",
        "lam",
        "tol",
        "max_iter",
        "class_weight",
    ]


def test_new_parameters_wait_for_the_next_fit():
    X, y = data(10, Hinge())
    model = KernelERM(kl.Gaussian(), Hinge(), lam=0.1).fit(X, y)
    before = model.predict(X)
    model.set_params(kernel=kl.Linear(), loss=Squared())
    np.testing.assert_array_equal(model.predict(X), before)


def test_printing():
    model = KernelLogisticRegression(kl.Linear(), lam=2.0)
    shown = "kernel=Linear(), lam=2.0, tol=1e-08, max_iter=100, class_weight=None"
    assert repr(model) == f"KernelLogisticRegression({shown})"


def test_score_of_constant_targets():
    model = KernelERM(kl.Linear()).fit([[0.0], [1.0]], [0.0, 0.0])
    assert model.score([[1.0], [2.0]], [0.0, 0.0]) == 1
    assert model.score([[1.0], [2.0]], [3.0, 3.0]) == 0


# --- losses of one's own --------------------------------------------------------------


@dataclass(frozen=True)
class Quartic(Loss):
    """¼(u − y)⁴, whose curvature vanishes at its minimum."""

    labels = False

    def _value(self, y, u):
        return (u - y) ** 4 / 4

    def _derivative(self, y, u):
        return (u - y) ** 3

    def _curvature(self, y, u):
        return 3 * (u - y) ** 2

    def _conjugate(self, y, v):
        return v * y + 0.75 * np.abs(v) ** (4 / 3)

    def _slopes(self, y):
        return np.full(y.shape, -np.inf), np.full(y.shape, np.inf)


@dataclass(frozen=True)
class Kinked(Quartic):
    """Claims to have a kink."""

    smooth = False


def test_a_smooth_loss_of_ones_own():
    X, y = data(20, Quartic())
    y[3] = 0.0
    for k in (kl.Linear(), kl.Gaussian()):
        found = solve(k(X), y, 0.05, Quartic())
        assert abs(found.certificate.relative_gap) <= 1e-8


def test_a_loss_that_no_method_solves():
    with pytest.raises(InputError, match="no method here solves Kinked"):
        solve(GOOD, [1, 2], 1, Kinked())
