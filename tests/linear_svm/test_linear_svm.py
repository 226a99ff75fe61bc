"""Linear machines: the optimum, the certificate, and each method by itself."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import LinearConstraint, minimize
from sklearn.svm import LinearSVC as Peer

from kernellab import kernels as kl
from kernellab.data import moons, sparse_text
from kernellab.erm import KernelERM
from kernellab.errors import ConvergenceWarning, InputError, NotFitted
from kernellab.linear_svm import (
    SGD,
    SOLVERS,
    DualAscent,
    GapMonitor,
    LinearProblem,
    LinearSVC,
    Newton,
    Pegasos,
    coordinate_step,
    read_matrix,
)
from kernellab.linear_svm import newton as newton_module
from kernellab.linear_svm.ascent import climb, gram
from kernellab.linear_svm.gradient import _Sums, square_norms
from kernellab.linear_svm.smoothed import Smoothed, minimise_in_span
from kernellab.linear_svm.systems import conjugate_gradients, solve_directly
from kernellab.losses import Hinge
from kernellab.progress import Progress

LOSSES = ("hinge", "squared_hinge")
EXACT = ("newton", "dual")
STOCHASTIC = (
    SGD(),
    SGD(average=True),
    SGD(batch=7),
    SGD(average=True, batch=7),
    Pegasos(),
    Pegasos(project=False),
    Pegasos(batch=5),
)


def blobs(n=60, d=3, seed=0, offset=1.0):
    """Two clouds that overlap."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, d)) + offset * y[:, None] * np.ones(d) + 0.3, y


def problem_of(n=60, d=3, C=1.0, squared=False, bias=1.0, seed=0):
    X, y = blobs(n, d, seed)
    return LinearProblem(X, y, np.full(n, C), squared, bias)


def plain_primal(w, b, X, y, C, loss, s=1.0):
    """The objective, term by term."""
    total = 0.5 * (w @ w + b * b)
    for x_i, y_i, s_i in zip(X, y, np.broadcast_to(s, len(y)), strict=True):
        u = max(0.0, 1 - y_i * (w @ x_i + b))
        total += C * s_i * (u if loss == "hinge" else u * u)
    return total


def quadratic_programme(X, y, C):
    """The hinge problem in w, b and slacks, by a general solver."""
    n, d = X.shape
    Z = y[:, None] * np.column_stack([X, np.ones(n)])
    margins = LinearConstraint(np.column_stack([Z, np.eye(n)]), 1, np.inf)
    found = minimize(
        lambda v: 0.5 * v[: d + 1] @ v[: d + 1] + C * v[d + 1 :].sum(),
        np.append(np.zeros(d + 1), np.ones(n)),
        jac=lambda v: np.append(v[: d + 1], np.full(n, C)),
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
        constraints=margins,
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success
    return found.fun


# --- the optimum ------------------------------------------------------------------


@pytest.mark.parametrize("solver", EXACT)
@pytest.mark.parametrize("C", [0.01, 1.0, 3.0])
def test_hinge_agrees_with_a_general_quadratic_programme(solver, C):
    X, y = blobs(40, 2)
    model = LinearSVC(C=C, solver=solver, tol=1e-7, max_passes=20_000).fit(X, y)
    assert model.certificate_.primal == pytest.approx(
        quadratic_programme(X, y, C), rel=1e-6
    )


@pytest.mark.parametrize("solver", EXACT)
def test_hinge_agrees_with_the_kernel_machine(solver):
    """The constant feature is a constant in the kernel; λ = 1/(nC)."""
    X, y = blobs(50, 3)
    n, C = len(y), 0.7
    model = LinearSVC(C=C, solver=solver, tol=1e-9, max_passes=20_000).fit(X, y)
    other = KernelERM(kl.Linear() + 1, Hinge(), lam=1 / (n * C)).fit(X, y)
    assert np.allclose(
        model.decision_function(X), other.decision_function(X), atol=1e-4
    )
    assert model.certificate_.primal == pytest.approx(
        n * C * other.certificate_.primal, rel=1e-7
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", EXACT)
@pytest.mark.parametrize("scaling", [1.0, 2.0])
def test_agrees_with_scikit_learn(loss, solver, scaling):
    X, y = sparse_text(300, 1000, random_state=3)
    settings = {"C": 0.5, "loss": loss, "intercept_scaling": scaling}
    ours = LinearSVC(solver=solver, tol=1e-8, **settings).fit(X, y)
    peer = Peer(dual=True, tol=1e-9, max_iter=100_000, random_state=0, **settings)
    peer.fit(X, y)
    assert np.allclose(ours.coef_, peer.coef_, atol=2e-3)
    assert np.allclose(ours.intercept_, peer.intercept_, atol=2e-3)
    b = peer.intercept_[0] / scaling
    theirs = plain_primal(peer.coef_[0], 0.0, X.toarray(), y, 0.0, loss) + b * b / 2
    u = np.maximum(0, 1 - y * peer.decision_function(X))
    theirs += 0.5 * (u if loss == "hinge" else u**2).sum()
    assert ours.certificate_.primal <= theirs * (1 + 1e-7)
    assert ours.certificate_.dual <= theirs * (1 + 1e-12)


def test_two_points_by_hand():
    """x = 1 and 3, a large C, an almost free bias: f(x) = x − 2."""
    model = LinearSVC(C=1e3, intercept_scaling=1e3, tol=1e-9).fit(
        [[1.0], [3.0]], [0, 1]
    )
    assert model.coef_ == pytest.approx(np.array([[1.0]]), abs=1e-4)
    assert model.intercept_ == pytest.approx([-2.0], abs=1e-3)
    assert model.predict([[1.9], [2.1]]).tolist() == [0, 1]


def test_without_intercept():
    X, y = blobs()
    model = LinearSVC(fit_intercept=False, tol=1e-8).fit(X, y)
    peer = Peer(fit_intercept=False, loss="hinge", tol=1e-9, max_iter=10**6).fit(X, y)
    assert model.intercept_.tolist() == [0.0]
    assert np.allclose(model.coef_, peer.coef_, atol=1e-3)


def test_a_penalised_bias_is_not_a_free_one():
    """Far from the origin the two differ; a large constant feature closes the gap."""
    X, y = blobs(80, 1)
    X = X + 10.0
    free = min(
        0.5 * w**2 + np.maximum(0, 1 - y * (X[:, 0] * w + b)).sum()
        for w in np.linspace(0, 2, 21)
        for b in np.linspace(-25, 0, 51)
    )
    small, large = (
        LinearSVC(intercept_scaling=B, tol=1e-6).fit(X, y) for B in (1.0, 100.0)
    )

    def without_bias(model):
        w, u = model.coef_[0], np.maximum(0, 1 - y * model.decision_function(X))
        return 0.5 * w @ w + u.sum()

    assert without_bias(large) < free + 1e-2
    assert without_bias(small) > free + 0.1


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("shape", [(60, 2000), (300, 250), (2000, 4)])
def test_newton_reaches_tight_tolerances(loss, C, shape):
    """Wide, square and tall; from all at the bound to all in between."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=shape), np.sign(rng.normal(size=shape[0]))
    model = LinearSVC(C=C, loss=loss, tol=1e-9).fit(X, y)
    assert model.certificate_.relative_gap < 1e-9


def test_newton_on_features_of_very_different_sizes():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 6)) * 10.0 ** np.arange(-2, 4)
    y = np.sign(X @ (10.0 ** -np.arange(-2, 4)) + 0.5 * rng.normal(size=300))
    for loss in LOSSES:
        model = LinearSVC(C=10.0, loss=loss, tol=1e-7).fit(X, y)
        assert model.certificate_.relative_gap < 1e-7


# --- the certificate --------------------------------------------------------------


@given(
    st.integers(1, 12),
    st.integers(1, 4),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.booleans(),
    st.sampled_from([0.0, 1.0]),
    st.integers(0, 10**6),
)
def test_the_gap_is_the_sum_in_the_docstring_and_never_negative(
    n, d, C, squared, bias, seed
):
    rng = np.random.default_rng(seed)
    y = np.sign(rng.normal(size=n))
    p = LinearProblem(
        rng.normal(size=(n, d)), y, C * rng.random(n) + 1e-3, squared, bias
    )
    w = rng.normal(size=d + 1) * (1 if bias else np.append(np.ones(d), 0))
    alpha = p.cost * rng.random(n)
    v, m = p.combine(alpha), p.margins(w)
    u = np.maximum(0, 1 - m)
    lost, kappa = (u**2, 1 / (4 * p.cost)) if squared else (u, 0.0)
    terms = p.cost * lost + alpha * m - alpha + kappa * alpha**2
    gap = p.primal(w, m) - p.dual(alpha, v)
    assert gap == pytest.approx(0.5 * (w - v) @ (w - v) + terms.sum(), rel=1e-9)
    assert (terms >= -1e-12).all()


@pytest.mark.parametrize("solver", [*EXACT, *STOCHASTIC], ids=str)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [0.02, 1.0])
def test_every_gap_in_the_history_covers_the_true_error(solver, loss, C):
    """Whatever the method and whenever it is asked: P − optimum ≤ gap."""
    X, y = blobs(90, 4, seed=5)
    optimum = LinearSVC(C=C, loss=loss, tol=1e-10).fit(X, y).certificate_
    model = LinearSVC(C=C, loss=loss, solver=solver, tol=0, max_passes=12).fit(X, y)
    history = model.history_
    assert (history.primal >= optimum.dual * (1 - 1e-9)).all()
    assert (history.dual <= optimum.primal * (1 + 1e-9)).all()
    best = np.minimum.accumulate(history.primal)
    assert (best - history.bound >= best - optimum.primal - 1e-9).all()
    assert (np.diff(history.gap) <= 1e-12).all()
    assert model.certificate_.dual == history.dual.max()
    assert model.certificate_.primal == pytest.approx(history.primal.min())


@pytest.mark.parametrize("solver", [*EXACT, SGD(average=True), Pegasos()], ids=str)
@pytest.mark.parametrize("loss", LOSSES)
def test_anyone_can_recompute_the_certificate(solver, loss):
    X, y = sparse_text(200, 500, random_state=1)
    s = np.random.default_rng(0).integers(1, 4, size=200)
    settings = {"C": 0.5, "loss": loss, "tol": 0.0, "max_passes": 15}
    model = LinearSVC(solver=solver, **settings).fit(X, y, s)
    w, b = model.coef_[0], model.intercept_[0]
    primal = plain_primal(w, b, X.toarray(), y, 0.5, loss, s)
    alpha = model.alpha_
    v = np.append(X.T @ (y * alpha), (y * alpha).sum())
    dual = alpha.sum() - 0.5 * v @ v
    if loss == "hinge":
        assert (alpha <= 0.5 * s).all()
    else:
        dual -= (alpha**2 / (4 * 0.5 * s)).sum()
    assert (alpha >= 0).all()
    assert model.certificate_.primal == pytest.approx(primal, rel=1e-10)
    assert model.certificate_.dual == pytest.approx(dual, rel=1e-10)


def test_best_scale_is_best():
    for squared in (False, True):
        p = problem_of(20, 2, squared=squared)
        alpha = 0.3 * np.random.default_rng(0).random(20)
        v = p.combine(alpha)
        c = p.best_scale(alpha, v)
        best = p.dual(p.clip(c * alpha), c * v)
        largest = 1 / alpha.max() if not squared else 20.0
        for other in np.linspace(0, largest, 50):
            assert p.dual(p.clip(other * alpha), other * v) <= best + 1e-12


def test_the_dual_is_minus_infinity_outside_its_box():
    p = problem_of(4, 2)
    assert p.dual(np.array([0.0, 0.5, 1.0, 1.1]), np.zeros(3)) == -np.inf
    assert p.dual(np.array([0.0, 0.5, 1.0, -0.1]), np.zeros(3)) == -np.inf


# --- the same in other forms ------------------------------------------------------


FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr")


@pytest.mark.parametrize("solver", EXACT)
def test_dense_and_sparse_have_the_same_optimum(solver):
    """½‖w − w*‖² ≤ gap, since P is 1-strongly convex."""
    X, y = sparse_text(150, 300, random_state=4)
    settings = {"solver": solver, "tol": 1e-9, "max_passes": 20_000}
    dense = LinearSVC(**settings).fit(X.toarray(), y)
    thin = LinearSVC(**settings).fit(X, y)
    proofs = dense.certificate_, thin.certificate_
    most = sum(np.sqrt(2 * (c.gap + c.rounding)) for c in proofs)
    assert np.linalg.norm(dense.coef_ - thin.coef_) <= most < 1e-3
    assert proofs[0].dual == pytest.approx(proofs[1].dual, rel=2e-9)


@pytest.mark.parametrize("solver", [SGD(), SGD(average=True), Pegasos()], ids=str)
def test_dense_and_sparse_take_the_same_steps(solver):
    """A step is linear in w between the kinks of the loss: rounding does not grow."""
    X, y = sparse_text(150, 300, random_state=4)
    settings = {"solver": solver, "tol": 0.0, "max_passes": 5}
    dense = LinearSVC(**settings).fit(X.toarray(), y)
    thin = LinearSVC(**settings).fit(X, y)
    assert np.allclose(dense.coef_, thin.coef_, atol=1e-7)
    assert dense.certificate_.dual == pytest.approx(thin.certificate_.dual, rel=1e-6)


@pytest.mark.parametrize("form", FORMATS)
def test_all_sparse_formats(form):
    X, y = sparse_text(60, 80, random_state=4)
    expected = LinearSVC().fit(X, y).coef_
    given = X.asformat(form)
    for kind in (given, sparse.csr_matrix(X).asformat(form)):
        assert np.array_equal(LinearSVC().fit(kind, y).coef_, expected)


def test_duplicates_are_added_and_the_input_is_left_alone():
    X = sparse.coo_array(
        (np.array([1.0, 2.0, 4.0, -1.0]), ([0, 0, 1, 2], [0, 0, 1, 0])), shape=(3, 2)
    )
    given = sparse.csr_array(
        (X.data, X.coords[1], np.array([0, 2, 3, 4])), shape=(3, 2)
    )
    rows = read_matrix(given)
    assert rows.toarray().tolist() == [[3, 0], [0, 4], [-1, 0]]
    assert given.nnz == 4
    assert given.data.tolist() == [1, 2, 4, -1]


def test_other_types_of_numbers():
    X, y = blobs(40, 2)
    X = np.round(4 * X)
    expected = LinearSVC().fit(X, y).coef_
    for kind in (np.int64, np.int8, np.float32):
        assert np.allclose(LinearSVC().fit(X.astype(kind), y).coef_, expected)
        thin = sparse.csr_array(X.astype(kind))
        assert np.allclose(LinearSVC().fit(thin, y).coef_, expected)
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = (
        wide.indices.astype(np.int64),
        wide.indptr.astype(np.int64),
    )
    assert np.allclose(LinearSVC().fit(wide, y).coef_, expected)
    signs = X > 0
    assert np.array_equal(
        LinearSVC().fit(signs, y).coef_, LinearSVC().fit(signs * 1.0, y).coef_
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", EXACT)
def test_weights_are_repetitions(loss, solver):
    X, y = blobs(50, 3)
    s = np.random.default_rng(1).integers(0, 4, size=50)
    settings = {"C": 0.3, "loss": loss, "solver": solver, "tol": 1e-9}
    weighted = LinearSVC(max_passes=10_000, **settings).fit(X, y, s)
    many = LinearSVC(max_passes=10_000, **settings).fit(
        np.repeat(X, s, axis=0), np.repeat(y, s)
    )
    assert np.allclose(weighted.coef_, many.coef_, atol=2e-4)
    assert weighted.certificate_.primal == pytest.approx(many.certificate_.primal)
    assert (weighted.alpha_[s == 0] == 0).all()
    doubled = LinearSVC(**settings | {"C": 0.15}).fit(X, y, 2 * s)
    assert np.allclose(doubled.coef_, weighted.coef_, atol=2e-4)


@pytest.mark.parametrize("solver", STOCHASTIC[:2], ids=str)
def test_weights_are_repetitions_for_gradients_in_the_long_run(solver):
    X, y = blobs(30, 2)
    s = np.random.default_rng(1).integers(0, 4, size=30)
    optimum = LinearSVC(C=0.1, tol=1e-9).fit(np.repeat(X, s, axis=0), np.repeat(y, s))
    model = LinearSVC(C=0.1, solver=solver, tol=0, max_passes=300).fit(X, y, s)
    assert model.certificate_.primal < 1.01 * optimum.certificate_.primal
    assert model.certificate_.dual <= optimum.certificate_.primal * (1 + 1e-9)


def test_a_weight_of_zero_is_no_point():
    X, y = blobs(30, 2)
    poison = X.copy()
    poison[:3] *= -50
    s = np.ones(30)
    s[:3] = 0
    one = LinearSVC(tol=1e-8).fit(X[3:], y[3:])
    two = LinearSVC(tol=1e-8).fit(poison, y, s)
    assert np.array_equal(one.coef_, two.coef_)
    assert np.array_equal(two.alpha_[3:], one.alpha_)


# --- several classes --------------------------------------------------------------


def test_one_against_the_rest():
    rng = np.random.default_rng(0)
    y = np.repeat(["ash", "birch", "cedar"], 40)
    X = rng.normal(size=(120, 2)) + np.repeat([[0, 3], [3, 0], [-3, -3]], 40, axis=0)
    model = LinearSVC(tol=1e-8).fit(X, y)
    assert model.classes_.tolist() == ["ash", "birch", "cedar"]
    assert model.coef_.shape == (3, 2)
    assert model.alpha_.shape == (3, 120)
    assert model.decision_function(X).shape == (120, 3)
    total = 0.0
    for c, name in enumerate(model.classes_):
        single = LinearSVC(tol=1e-8).fit(X, np.where(y == name, 1, -1))
        assert np.allclose(single.coef_, model.coef_[c], atol=1e-4)
        total += single.certificate_.primal
    assert model.certificate_.primal == pytest.approx(total)
    assert len(model.history_) == 3
    assert model.n_passes_ == sum(h.passes[-1] for h in model.history_)
    peer = Peer(loss="hinge", tol=1e-8, max_iter=10**6).fit(X, y)
    assert np.array_equal(model.predict(X), peer.predict(X))
    assert model.score(X, y) == np.mean(model.predict(X) == y) > 0.95


def test_two_classes_of_any_labels():
    X, y = blobs()
    words = np.where(y > 0, "yes", "no")
    model = LinearSVC().fit(X, words)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.decision_function(X).shape == (60,)
    assert np.array_equal(
        model.predict(X), np.where(model.decision_function(X) >= 0, "yes", "no")
    )
    assert np.array_equal(model.coef_, LinearSVC().fit(X, y).coef_)
    assert model.score(X, words, np.arange(60)) == pytest.approx(
        np.average(model.predict(X) == words, weights=np.arange(60))
    )


# --- each method by itself --------------------------------------------------------


@given(
    st.floats(0, 2), st.floats(-3, 3), st.sampled_from([0.0, 0.1, 2.0]), st.floats(2, 5)
)
def test_a_coordinate_step_is_the_best_on_a_grid(alpha, slope, curvature, top):
    new = coordinate_step(alpha, slope, curvature, top)
    grid = np.linspace(0, top, 201)

    def rise(a):
        return slope * (a - alpha) - 0.5 * curvature * (a - alpha) ** 2

    assert 0 <= new <= top
    assert rise(new) >= rise(grid).max() - 1e-12


@pytest.mark.parametrize("squared", [False, True])
def test_block_ascent_is_plain_coordinate_ascent(squared):
    """The slopes that a block keeps are those of the whole problem."""
    p = problem_of(25, 3, C=0.4, squared=squared)
    order = np.random.default_rng(3).permutation(25)
    alpha, w = np.zeros(25), np.zeros(4)
    for i in order[:10]:
        one = p.take(np.array([i]))
        slope = 1 - one.margins(w)[0] - one.curvature[0] * alpha[i]
        bend = gram(one)[0, 0] + one.curvature[0]
        new = coordinate_step(alpha[i], slope, bend, one.top[0])
        w = w + one.combine(np.array([new - alpha[i]]))
        alpha[i] = new
    block = climb(p.take(order[:10]), np.zeros(4), np.zeros(10), sweeps=1)
    assert np.allclose(block, alpha[order[:10]], atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_dual_never_falls(loss):
    X, y = sparse_text(300, 500, random_state=0)
    model = LinearSVC(loss=loss, solver=DualAscent(block=32), tol=1e-6).fit(X, y)
    raw = model.history_.dual
    assert (np.diff(raw) > -1e-9 * raw[-1]).all()


def plain_sgd(p, order, start, project=False):
    """The textbook loop: w is shrunk, added to, and projected, in full."""
    w, n = np.zeros(p.d), p.n
    lam = 1 / (n * p.cost.mean())
    s = p.cost / p.cost.mean()
    Z = p.y[:, None] * np.column_stack([p.X, np.full(n, p.bias)])
    iterates, radius = [], np.sqrt((0.5 if p.squared else 1.0) / lam * s.mean())
    for t, i in enumerate(order, start=1):
        eta, m = 1 / (lam * (start + t)), Z[i] @ w
        h = (2 * (1 - m) if p.squared else 1.0) if m < 1 else 0.0
        w = w - eta * (lam * w - s[i] * h * Z[i])
        if project:
            w = w * min(1.0, radius / np.linalg.norm(w)) if w.any() else w
        iterates.append(w)
    return np.array(iterates)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("project", [False, True])
def test_sgd_is_the_textbook_loop(squared, project):
    X, y = blobs(40, 3)
    cost = 0.5 + np.random.default_rng(0).random(40)
    p = LinearProblem(X, y, cost, squared)
    start = 2 * 40 * float((cost * square_norms(p)).max()) if squared else 25.0
    method = SGD(start=start, project=project)
    found, seen = run(method, p, passes=3)
    rng = np.random.default_rng(0)
    order = np.concatenate([rng.permutation(40) for _ in range(3)])
    plain = plain_sgd(p, order, start, project)
    assert np.allclose(seen, plain[39::40], rtol=1e-9, atol=1e-12)
    assert found.certificate.primal == min(found.history.primal)


@pytest.mark.parametrize("squared", [False, True])
def test_the_average_is_the_average(squared):
    p = problem_of(40, 3, squared=squared)
    start = 2 * 40 * float(square_norms(p).max()) if squared else 10.0
    _, seen = run(SGD(average=True, start=start), p, passes=3)
    rng = np.random.default_rng(0)
    order = np.concatenate([rng.permutation(40) for _ in range(3)])
    plain = plain_sgd(p, order, start)
    for k in (1, 2, 3):
        t = np.arange(1, 40 * k + 1) + start
        assert np.allclose(seen[k - 1], t @ plain[: 40 * k] / t.sum(), rtol=1e-9)


def run(method, p, passes):
    """The solution, and every w that the method showed."""
    watch, seen = GapMonitor(p, 0.0, passes, Progress("", show=False)), []
    see = watch.see

    def spy(count, w, *rest, **named):
        seen.append(w.copy())
        return see(count, w, *rest, **named)

    watch.see = spy
    method.solve(p, watch, np.random.default_rng(0))
    return watch.solution(), np.array(seen)


@pytest.mark.parametrize("method", [SGD(), Pegasos(), Pegasos(project=False)], ids=str)
def test_gradients_carry_their_own_dual_point(method):
    """w = Zᵀα, with α in the box, without clipping or scaling."""
    p = problem_of(50, 3, C=0.3)
    sums = _Sums(p, 0.0 if method.start == 0 else 8.0, False, method.project)
    rng = np.random.default_rng(1)
    for _ in range(4):
        sums.visit_one_by_one(rng.permutation(50))
        alpha = sums.alpha()
        assert (alpha >= 0).all()
        assert (alpha <= p.cost * (1 + 1e-12)).all()
        assert np.allclose(p.combine(alpha), sums.w(), atol=1e-12)


def test_a_batch_of_one_is_no_batch():
    for squared in (False, True):
        for project in (False, True):
            p = problem_of(30, 3, squared=squared)
            one, other = (_Sums(p, 500.0, not project, project) for _ in range(2))
            order = np.random.default_rng(0).permutation(30)
            one.visit_one_by_one(order)
            for i in order:
                other.visit(np.array([i]))
            assert np.allclose(one.w(), other.w(), rtol=1e-10)
            assert np.allclose(one.alpha(), other.alpha(), rtol=1e-10)


def test_the_squared_hinge_does_not_explode():
    X, y = blobs(200, 5)
    for method in (SGD(start=0.0), Pegasos(), Pegasos(project=False)):
        settings = {"loss": "squared_hinge", "C": 100.0, "tol": 0.0, "max_passes": 2}
        model = LinearSVC(solver=method, **settings).fit(X, y)
        assert (model.history_.primal <= model.history_.primal[0]).all()


def test_a_tiny_scale_is_multiplied_out(monkeypatch):
    from kernellab.linear_svm import gradient

    p = problem_of(60, 3, C=1e4)
    usual, _ = run(Pegasos(), p, passes=2)
    monkeypatch.setattr(gradient, "MIN_SCALE", 0.5)
    often, _ = run(Pegasos(), p, passes=2)
    assert np.allclose(usual.w, often.w, rtol=1e-9)
    assert np.allclose(usual.alpha, often.alpha, rtol=1e-9)
    assert usual.certificate.dual == pytest.approx(often.certificate.dual)


def test_more_passes_bring_sgd_nearer():
    X, y = sparse_text(1000, 2000, random_state=0)
    optimum = LinearSVC(C=0.1, tol=1e-8).fit(X, y).certificate_.primal
    for method in (SGD(), SGD(average=True), Pegasos()):
        model = LinearSVC(C=0.1, solver=method, tol=0, max_passes=20).fit(X, y)
        excess = model.history_.primal / optimum - 1
        assert excess[20] < 0.01
        assert excess[20] < excess[2] / 2


def test_newton_solves_its_system():
    rng = np.random.default_rng(0)
    X, rate, t = rng.normal(size=(30, 12)), rng.random(30), rng.normal(size=13)
    Z = np.column_stack([X, np.full(30, 2.0)])
    exact = np.linalg.solve(np.eye(13) + Z.T @ (rate[:, None] * Z), t)
    for rows in (X, sparse.csr_array(X)):
        direct = solve_directly(rows, 2.0, rate, t)
        assert np.allclose(direct, exact, atol=1e-12)
        few = solve_directly(rows[:5], 2.0, rate[:5], t)
        small = np.linalg.solve(np.eye(13) + Z[:5].T @ (rate[:5, None] * Z[:5]), t)
        assert np.allclose(few, small, atol=1e-12)
    s, turns = conjugate_gradients(X, 2.0, rate, t, 100)
    residual = t - s - Z.T @ (rate * (Z @ s))
    assert np.linalg.norm(residual) <= 0.31 * np.linalg.norm(t)
    assert turns < 13


def test_newton_with_conjugate_gradients_only(monkeypatch):
    monkeypatch.setattr(newton_module, "CHOLESKY_MAX_SIZE", {"dense": 0, "sparse": 0})
    X, y = sparse_text(500, 900, random_state=6)
    for loss in LOSSES:
        for data in (X, X.toarray()):
            for tol in (1e-3, 1e-8):  # single and double precision
                model = LinearSVC(loss=loss, tol=tol).fit(data, y)
                assert model.certificate_.relative_gap <= tol


def test_span_search_finds_the_minimum_in_the_span():
    rng = np.random.default_rng(0)
    p = problem_of(50, 6, C=2.0)
    smooth = Smoothed.of(p.top, np.full(50, 0.3), p.curvature, p.cost / 2)
    S = rng.normal(size=(3, 7))
    Q = np.array([p.margins(s) for s in S])
    w = rng.normal(size=7)
    c = minimise_in_span(S, Q, w, 1 - p.margins(w), smooth, accuracy=1e-15)

    def F(c):
        moved = w + c @ S
        return 0.5 * moved @ moved + smooth.value(1 - p.margins(moved))

    best = minimize(F, c, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    assert F(c) == pytest.approx(best.fun, rel=1e-9)


# --- stopping, seeds, progress ----------------------------------------------------


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_it_stops_as_soon_as_the_gap_allows(solver):
    X, y = sparse_text(400, 800, random_state=0)
    model = LinearSVC(C=0.05, solver=solver, tol=0.05).fit(X, y)
    gap = model.history_.gap
    assert gap[-1] <= 0.05 < gap[-2]
    assert model.certificate_.relative_gap == pytest.approx(gap[-1], rel=1e-6)
    assert model.n_passes_ == model.history_.passes[-1]


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_a_warning_says_how_far_it_came(solver):
    X, y = sparse_text(400, 800, random_state=0)
    message = (
        r"the relative gap is .* after \d+ passes over the data, above tol = 1e-07"
    )
    with pytest.warns(ConvergenceWarning, match=message):
        LinearSVC(solver=solver, tol=1e-7, max_passes=3).fit(X, y)


def test_tol_zero_makes_all_passes_and_does_not_warn():
    X, y = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LinearSVC(solver="sgd", tol=0, max_passes=4).fit(X, y)
    assert model.history_.passes.tolist() == [0, 1, 2, 3, 4]
    newton = LinearSVC(tol=0).fit(X, y)  # ends when rounding does
    assert newton.certificate_.relative_gap < 1e-12


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_the_same_seed_the_same_fit(solver):
    X, y = sparse_text(200, 400, random_state=0)
    one, same, other = (
        LinearSVC(solver=solver, tol=0.0, max_passes=3, random_state=seed).fit(X, y)
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one.coef_, same.coef_)
    assert np.array_equal(one.alpha_, same.alpha_)
    assert np.array_equal(one.coef_, other.coef_) == (solver == "newton")


def test_a_progress_bar_on_request(capsys):
    X, y = sparse_text(200, 400, random_state=0)
    LinearSVC(C=0.1, solver="dual", progress=True).fit(X, y)
    shown = capsys.readouterr().err
    assert "linear machine [" in shown
    assert "relative gap" in shown
    assert shown.endswith("\n")
    LinearSVC(C=0.1, solver="dual").fit(X, y)
    assert capsys.readouterr().err == ""


# --- what can be wrong with the input ---------------------------------------------


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0, np.nan], [2.0, 1.0]], r"X must be finite; X\[0, 1\] is NaN"),
        ([1.0, 2.0], r"X must have shape \(n, d\)"),
        ([["a"], ["b"]], "X must be an array of numbers"),
        (np.zeros((0, 2)), "X must have one row or more, got none"),
        (np.zeros((2, 0)), "X must have at least one column"),
        (sparse.csr_array((2, 0)), "with at least one column"),
        (sparse.csr_array((0, 2)), "X must have one row or more"),
        (sparse.coo_array(np.array([1.0, 2.0])), r"X must have shape \(n, d\)"),
        (sparse.csr_array([[1j, 0], [0, 1]]), "X must be real numbers"),
        (
            sparse.csr_array([[0.0, 1.0], [np.inf, 0.0]]),
            r"X must be finite; X\[1, 0\] is inf",
        ),
        ([[1e200], [2e200]], "X is too large"),
    ],
)
def test_wrong_points(X, message):
    with pytest.raises(InputError, match=message):
        LinearSVC().fit(X, [0, 1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 0}, "C must be positive, got 0"),
        ({"C": -1.0}, "C must be positive, got -1.0"),
        ({"C": np.inf}, "C must be a finite number, got inf"),
        ({"C": "1"}, "C must be one number"),
        (
            {"loss": "logistic"},
            "loss must be 'hinge' or 'squared_hinge', got 'logistic'",
        ),
        ({"solver": "smo"}, "solver must be one of 'newton', 'dual', .*; got 'smo'"),
        ({"solver": 3}, "solver must be a name such as 'newton', or a method"),
        ({"solver": Newton}, "write it with parentheses"),
        ({"tol": -1}, "tol must be at least 0 and below 1, got -1"),
        ({"tol": 1.0}, "tol must be at least 0 and below 1"),
        ({"intercept_scaling": 0}, "intercept_scaling must be positive, got 0"),
        ({"fit_intercept": 1}, "fit_intercept must be True or False, got 1"),
        ({"max_passes": 0}, "max_passes must be positive, got 0"),
        ({"progress": 2}, "show must be True, False or None"),
    ],
)
def test_wrong_settings(settings, message):
    X, y = blobs(10)
    with pytest.raises(InputError, match=message):
        LinearSVC(**settings).fit(X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], "y must have two classes or more"),
        ([1, 2], r"y must have shape \(3,\)"),
        ([0.5, 1.0, 2.0], "looks like a continuous target"),
        ([0, 1, np.nan], "every point needs a label"),
    ],
)
def test_wrong_labels(y, message):
    with pytest.raises(InputError, match=message):
        LinearSVC().fit(np.eye(3), y)


def test_wrong_weights_and_methods():
    X, y = blobs(10)
    with pytest.raises(InputError, match="sample_weight must have shape"):
        LinearSVC().fit(X, y, [1.0])
    with pytest.raises(InputError, match="nowhere negative"):
        LinearSVC().fit(X, y, np.r_[-1.0, np.ones(9)])
    with pytest.raises(InputError, match="do not go together"):
        SGD(average=True, project=True)
    with pytest.raises(InputError, match="batch must be an integer ≥ 1, got 0"):
        SGD(batch=0)
    with pytest.raises(InputError, match="start must not be negative"):
        SGD(start=-1.0)
    with pytest.raises(InputError, match="block must be an integer ≥ 1, got 0"):
        DualAscent(block=0)
    with pytest.raises(InputError, match="sweeps must be an integer ≥ 1, got 0"):
        DualAscent(sweeps=0)


def test_prediction_before_fit_and_with_other_columns():
    X, y = blobs(10)
    with pytest.raises(NotFitted, match="call fit first"):
        LinearSVC().predict(X)
    model = LinearSVC().fit(X, y)
    with pytest.raises(InputError, match=r"X has 2 features, but .* is expecting 3"):
        model.predict(X[:, :2])


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", list(SOLVERS))
@pytest.mark.parametrize("intercept", [True, False])
def test_degenerate_data(loss, solver, intercept):
    """Empty rows, empty columns, all zeros, duplicates, one point of each class."""
    settings = {"loss": loss, "solver": solver, "fit_intercept": intercept, "tol": 0.0}
    y = np.array([1, -1, 1, -1])
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 3))
    x[1], x[:, 2] = 0, 0
    for X in (x, np.zeros((4, 3)), np.repeat(x[:1], 4, axis=0), x[:, :1]):
        for data in (X, sparse.csr_array(X)):
            model = LinearSVC(max_passes=5, **settings).fit(data, y)
            assert np.isfinite(model.coef_).all()
            assert model.certificate_.gap >= -1e-9
    two = LinearSVC(max_passes=5, **settings).fit(x[2:], y[2:])
    assert two.predict(x[2:]).shape == (2,)


def test_all_zeros_without_intercept_is_solved_exactly():
    model = LinearSVC(fit_intercept=False, C=2.0).fit(np.zeros((3, 2)), [0, 1, 1])
    assert model.certificate_.primal == model.certificate_.dual == 6.0
    assert model.alpha_.tolist() == [2.0, 2.0, 2.0]


def test_parameters_by_name():
    model = LinearSVC(C=2.0)
    assert model.get_params()["C"] == 2.0
    assert model.set_params(loss="squared_hinge").loss == "squared_hinge"
    with pytest.raises(InputError, match="LinearSVC has no parameter gamma"):
        model.set_params(gamma=1.0)


def test_a_second_fit_forgets_the_first():
    X, y = moons(40)
    model = LinearSVC().fit(X, y)
    first = model.coef_.copy()
    model.fit(X[:, ::-1], y)
    assert np.allclose(model.coef_, first[:, ::-1], atol=1e-2)
