"""Ridge regression: primal, dual and kernel agree, with peers and with refits."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge as Peer

from kernellab import kernels as kl
from kernellab.errors import InputError, NotFitted, NotPositiveDefinite, UndefinedValue
from kernellab.linalg import Cholesky
from kernellab.ridge import (
    KernelRidge,
    dual_ridge,
    primal_ridge,
    ridge,
)

rng = np.random.default_rng(0)
n, d = 15, 2
X, Z = rng.normal(size=(n, d)), rng.normal(size=(7, d))
GAUSSIAN, CUBIC = kl.Gaussian(sigma=1.3), kl.Polynomial(degree=3, c=1.0)
WEIGHTS = rng.uniform(0.2, 3.0, size=n)
SOME_ZERO = np.where(np.arange(n) % 4 == 1, 0.0, WEIGHTS)

TARGETS = {
    "one output": np.sin(X[:, 0]) + 5,
    "three outputs": np.stack([np.sin(X[:, 0]), X[:, 1] ** 2, X.sum(axis=1) - 9], 1),
}
cases = pytest.mark.parametrize("t", TARGETS.values(), ids=TARGETS.keys())
intercepts = pytest.mark.parametrize("intercept", [False, True], ids=["no b", "b"])
weights = pytest.mark.parametrize(
    "s", [None, WEIGHTS, SOME_ZERO], ids=["no weights", "weights", "zero weights"]
)


def close(actual, expected, tol=1e-9):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def least_squares(Phi, t, lam, s=None, intercept=False):
    """w and b by stacking √λI under √S[Φ 1]: no Gram matrix, no normal equations."""
    root = np.sqrt(np.ones(len(Phi)) if s is None else s)
    M = Phi.shape[1]
    ones = np.full((len(Phi), 1), float(intercept))
    top = root[:, None] * np.hstack([Phi, ones])
    penalty = np.sqrt(lam) * np.eye(M, M + 1)
    rhs = np.concatenate([(root * np.transpose(t)).T, np.zeros((M, *t.shape[1:]))])
    solution = np.linalg.lstsq(np.vstack([top, penalty]), rhs, rcond=None)[0]
    return solution[:-1], solution[-1]


def without(i, *arrays):
    return [None if a is None else np.delete(a, i, axis=0) for a in arrays]


# --- features -----------------------------------------------------------------------


@cases
@pytest.mark.parametrize("M", [1, 4, n, 40])
def test_primal_and_dual_give_the_same_weights(M, t):
    Phi = np.random.default_rng(M).normal(size=(n, M))
    w, _ = least_squares(Phi, t, 0.3)
    a = dual_ridge(Phi, t, 0.3)
    close(primal_ridge(Phi, t, 0.3), w)
    close(Phi.T @ a, w)
    close(a, (t - Phi @ w) / 0.3)
    either = ridge(Phi, t, 0.3)
    assert either.side == ("primal" if n > M else "dual")
    close(either.w, w)
    close(either.a, a)


@given(
    st.integers(1, 7), st.integers(1, 7), st.floats(1e-3, 1e3), st.integers(0, 10**6)
)
def test_push_through(rows, columns, lam, seed):
    Phi = np.random.default_rng(seed).normal(size=(rows, columns))
    t = np.random.default_rng(seed + 1).normal(size=rows)
    left, right = primal_ridge(Phi, t, lam), Phi.T @ dual_ridge(Phi, t, lam)
    close(left, right, 1e-8)


def test_dual_maximises_the_dual_where_a_is_not_unique():
    """E0-10: K of rank 2, so a* + z with Kz = 0 gives the same w, but J only."""
    Phi, t = X[:5], TARGETS["one output"][:5]
    a = dual_ridge(Phi, t, 0.5)
    z = np.linalg.svd(Phi.T)[2][-1]
    close(Phi.T @ (a + z), Phi.T @ a)
    K = Phi @ Phi.T

    def dual(a):
        return 0.5 * (2 * a @ t - a @ K @ a - 0.5 * a @ a)

    assert dual(a + z) < dual(a) - 0.1


@pytest.mark.parametrize("function", [primal_ridge, dual_ridge, ridge])
def test_wrong_features(function):
    with pytest.raises(InputError, match=r"Phi must have shape \(n, d\)"):
        function([1.0, 2.0], [1.0, 2.0], 1.0)
    with pytest.raises(InputError, match="one row for each of the 2 points"):
        function([[1.0], [2.0]], [1.0], 1.0)
    with pytest.raises(InputError, match="Phi must have one row or more"):
        function(np.ones((0, 3)), [], 1.0)
    for lam in (0, -1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="lam must be"):
            function([[1.0], [2.0]], [1.0, 2.0], lam)


# --- the fit ------------------------------------------------------------------------


def test_against_loops():
    t, lam = TARGETS["one output"], 0.3
    K = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = np.exp(-np.sum((X[i] - X[j]) ** 2) / (2 * 1.3**2))
    a = np.linalg.solve(K + lam * np.eye(n), t)
    model = KernelRidge(GAUSSIAN, lam).fit(X, t)
    close(model.a_, a)
    for z, value in zip(Z, model.predict(Z), strict=True):
        k = [np.exp(-np.sum((z - x) ** 2) / (2 * 1.3**2)) for x in X]
        close(value, sum(ai * ki for ai, ki in zip(a, k, strict=True)))


@cases
@weights
@intercepts
def test_kernel_and_features_agree(t, s, intercept):
    phi = CUBIC.features()
    w, b = least_squares(phi(X), t, 0.3, s, intercept)
    model = KernelRidge(CUBIC, 0.3, intercept).fit(X, t, s)
    close(model.predict(Z), phi(Z) @ w + b, 1e-7)
    close(phi(X).T @ model.a_, w, 1e-7)
    close(model.intercept_, b, 1e-7)
    assert np.shape(model.intercept_) == t.shape[1:]


@cases
@pytest.mark.parametrize("s", [None, WEIGHTS])
def test_against_scikit_learn(t, s):
    for lam in (1e-3, 1.0, 100.0):
        peer = Peer(alpha=lam, kernel="rbf", gamma=1 / (2 * 1.3**2)).fit(X, t, s)
        model = KernelRidge(GAUSSIAN, lam).fit(X, t, s)
        close(model.a_, peer.dual_coef_, 1e-7)
        close(model.predict(Z), peer.predict(Z), 1e-8)
        assert model.score(Z, Z @ np.ones((d, *t.shape[1:]))) == pytest.approx(
            peer.score(Z, Z @ np.ones((d, *t.shape[1:])))
        )


@cases
@weights
@intercepts
def test_precomputed(t, s, intercept):
    K = GAUSSIAN(X)
    before = K.copy()
    one = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s)
    two = KernelRidge("precomputed", 0.3, intercept).fit(K, t, s)
    assert (before == K).all()
    close(two.a_, one.a_)
    close(two.predict(GAUSSIAN(Z, X)), one.predict(Z))
    close(two.loo_residuals_, one.loo_residuals_)


@intercepts
def test_a_weight_of_two_is_a_point_twice(intercept):
    t = TARGETS["one output"]
    twice = np.r_[np.arange(n), 3, 3, 8]
    s = np.bincount(twice).astype(float)
    one = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s)
    two = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X[twice], t[twice])
    close(one.predict(Z), two.predict(Z))
    close(one.certificate_.primal, two.certificate_.primal)
    close(one.dof_, two.dof_)


@cases
@intercepts
def test_a_weight_of_zero_is_no_point(t, intercept):
    keep = SOME_ZERO > 0
    one = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, SOME_ZERO)
    two = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X[keep], t[keep], SOME_ZERO[keep])
    assert (one.a_[~keep] == 0).all()
    close(one.a_[keep], two.a_)
    close(one.intercept_, two.intercept_)
    close(one.dof_, two.dof_)
    close(one.loo_residuals_[~keep], (t - one.predict(X))[~keep])


def test_the_intercept_follows_a_shift_of_the_targets():
    """E0-04: only the version without a penalty on b is equivariant."""
    t = TARGETS["one output"]
    one, two = (KernelRidge(GAUSSIAN, 1.0, True).fit(X, u) for u in (t, t + 1e6))
    close(two.predict(Z) - one.predict(Z), 1e6, 1e-9)
    close(two.a_, one.a_, 1e-8)
    one, two = (KernelRidge(GAUSSIAN, 1.0).fit(X, u) for u in (t, t + 10))
    assert (np.abs(two.predict(Z) - one.predict(Z) - 10) > 0.1).all()


def test_objects():
    words, t = ["cat", "car", "dog", "dot"], [1.0, 1.0, -1.0, -1.0]
    model = KernelRidge(kl.Spectrum(p=1), 0.1).fit(words, t)
    K = kl.Spectrum(p=1)(words)
    close(model.a_, np.linalg.solve(K + 0.1 * np.eye(4), t))
    assert model.predict(["cab"])[0] > 0


def test_many_tiles_and_chunks(monkeypatch):
    monkeypatch.setattr("kernellab.estimator.CHUNK_COORDINATES", 500)
    monkeypatch.setattr("kernellab.estimator.TILE", 60)
    data = np.random.default_rng(1)
    points, queries = data.normal(size=(333, 3)), data.normal(size=(287, 3))
    t = data.normal(size=(333, 2))
    model = KernelRidge(CUBIC, 2.0, True).fit(points, t)
    close(model.predict(queries), CUBIC(queries, points) @ model.a_ + model.intercept_)


def test_one_point():
    model = KernelRidge(kl.Linear(), lam=2.0).fit([[2.0]], [3.0])
    assert model.a_ == pytest.approx([0.5])
    assert model.loo_residuals_ == pytest.approx([3.0])
    assert model.dof_ == pytest.approx(4 / 6)
    flat = KernelRidge(kl.Linear(), 2.0, intercept=True).fit([[2.0]], [3.0])
    assert flat.predict([[7.0]]) == pytest.approx([3.0])
    assert flat.dof_ == pytest.approx(1.0)
    with pytest.raises(InputError, match=r"not defined at point 0.*intercept"):
        _ = flat.loo_residuals_


def test_duplicate_points_share_their_mean():
    model = KernelRidge(GAUSSIAN, 1e-9).fit([[0.0], [0.0], [3.0]], [1.0, 3.0, 5.0])
    close(model.predict([[0.0], [3.0]]), [2.0, 5.0], 1e-6)
    assert model.certificate_.jitter == 0


def test_singular_and_almost_no_penalty():
    """Rank 2 of 15: without jitter K + λI is singular in floating point."""
    model = KernelRidge(kl.Linear(), 1e-30).fit(X, X @ [1.0, -2.0])
    assert 0 < model.certificate_.jitter < 1e-10
    close(model.predict(Z), Z @ [1.0, -2.0], 1e-6)
    assert "jitter" in str(model.certificate_)


def test_all_points_at_the_origin():
    model = KernelRidge(kl.Linear(), 1.0).fit(np.zeros((3, 2)), [1.0, 2.0, 3.0])
    close(model.predict(Z), np.zeros(7))
    close(model.a_, [1.0, 2.0, 3.0])


# --- certificates -------------------------------------------------------------------


def objective(K, t, lam, s, a, b):
    r = t - K @ a - b
    return np.sum(s * (r * r).T) + lam * np.sum(a * (K @ a))


@cases
@weights
@intercepts
@pytest.mark.parametrize("lam", [1e-4, 1.0, 1e4])
def test_certificate(t, s, intercept, lam):
    model = KernelRidge(GAUSSIAN, lam, intercept).fit(X, t, s)
    c = model.certificate_
    assert abs(c.relative_gap) < 1e-8
    assert c.gradient_norm < 1e-9 * max(1, lam) * np.linalg.norm(t)
    assert c.jitter == 0
    s = np.ones(n) if s is None else s
    K, args = GAUSSIAN(X), (model.a_, model.intercept_)
    assert c.primal == pytest.approx(objective(K, t, lam, s, *args))
    if not intercept and (s == 1).all():
        assert c.dual == pytest.approx(lam * np.sum(t * model.a_))
    if intercept:
        close(model.a_.sum(axis=0), 0)
    for seed in range(20):
        step = 0.1 * np.random.default_rng(seed).normal(size=model.a_.shape)
        assert objective(K, t, lam, s, model.a_ + step, model.intercept_) >= c.dual
        if intercept:
            moved = model.intercept_ + step.sum(axis=0)
            assert objective(K, t, lam, s, model.a_ + step, moved) >= c.dual


@weights
@intercepts
def test_a_wrong_solution_does_not_pass(monkeypatch, s, intercept):
    """The certificate is computed from K and a, not from how a was found."""
    t, solve = TARGETS["one output"], Cholesky.solve
    best = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s).certificate_.primal
    factors = np.linspace(0.9, 1.2, n)

    def wrong(self, B):
        return (factors * solve(self, B).T).T

    monkeypatch.setattr(Cholesky, "solve", wrong)
    c = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s).certificate_
    assert c.dual < best < c.primal
    assert c.relative_gap > 1e-3
    assert c.gradient_norm > 1e-2


def test_an_indefinite_kernel_is_refused_when_it_shows():
    k = kl.Gaussian(sigma=1.0) - kl.Gaussian(sigma=0.1)
    assert k.verdict() == "REFUTED"
    far = np.array([[0.0], [0.3], [0.6]])
    with pytest.raises(NotPositiveDefinite, match=r"not proven.*k\.refute\(\)"):
        KernelRidge(k, 1e-3).fit(far, [1.0, -1.0, 1.0])
    with pytest.raises(NotPositiveDefinite, match="is not proven to be a kernel"):
        KernelRidge(k, 5.0).fit(far, [1.0, -2.0, 1.0])
    with pytest.raises(NotPositiveDefinite, match="is not proven to be a kernel"):
        KernelRidge(k).path(far, [1.0, -2.0, 1.0], [5.0])


# --- leave-one-out --------------------------------------------------------------------


@cases
@weights
@intercepts
def test_leave_one_out_is_what_refits_give(t, s, intercept):
    model = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s)
    for i in range(n):
        rest = KernelRidge(GAUSSIAN, 0.3, intercept).fit(*without(i, X, t, s))
        close(model.loo_residuals_[i], t[i] - rest.predict(X[i : i + 1])[0])
    assert model.loo_residuals_.shape == t.shape


@cases
@weights
@intercepts
def test_degrees_of_freedom_are_the_trace_of_the_hat_matrix(t, s, intercept):
    hat = np.column_stack(
        [
            KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, e, s).predict(X)
            for e in np.eye(n)
        ]
    )
    model = KernelRidge(GAUSSIAN, 0.3, intercept).fit(X, t, s)
    assert model.dof_ == pytest.approx(np.trace(hat))
    H = hat.diagonal()
    close((t - model.predict(X)).T / (1 - H), model.loo_residuals_.T)


def test_leave_one_out_frees_the_factor():
    model = KernelRidge(GAUSSIAN, 0.3).fit(X, TARGETS["one output"])
    first = model.loo_residuals_.copy()
    assert model._fit.system.packed.size == 0
    assert (model.loo_residuals_ == first).all()
    assert 0 < model.dof_ < n
    model.predict(Z)


@settings(max_examples=40)
@given(
    st.integers(2, 9),
    st.floats(1e-6, 1e3),
    st.booleans(),
    st.sampled_from([GAUSSIAN, CUBIC, kl.Linear(), kl.Laplacian(), GAUSSIAN + 3.0]),
    st.integers(0, 10**6),
)
def test_every_fit_proves_itself(size, lam, intercept, kernel, seed):
    data = np.random.default_rng(seed)
    points = data.integers(-2, 3, size=(size, 2)).astype(float)  # with duplicates
    t, s = data.normal(size=size), data.uniform(0.1, 2.0, size=size)
    model = KernelRidge(kernel, lam, intercept).fit(points, t, s)
    scale = max(1.0, float(np.abs(kernel(points)).max()) / lam)
    assert abs(model.certificate_.gap) <= 1e-13 * scale * max(1.0, t @ t)
    rest = KernelRidge(kernel, lam, intercept).fit(points[1:], t[1:], s[1:])
    missed = t[0] - rest.predict(points[:1])[0]
    close(model.loo_residuals_[0], missed, 1e-9 * scale)


# --- the path -------------------------------------------------------------------------

LAMS = np.array([1.0, 1e-4, 1e-2, 10.0, 0.1])


@cases
@weights
@intercepts
def test_path_is_what_refits_give(t, s, intercept):
    model = KernelRidge(GAUSSIAN, intercept=intercept)
    path = model.path(X, t, LAMS, s)
    ones = np.ones(n) if s is None else s
    for i, lam in enumerate(LAMS):
        fit = KernelRidge(GAUSSIAN, lam, intercept).fit(X, t, s)
        columns = fit.loo_residuals_.reshape(n, -1)
        loo = np.average((columns**2).mean(axis=1), weights=ones)
        r = t - fit.predict(X)
        assert path.loo_errors[i] == pytest.approx(loo, rel=1e-7)
        assert path.residual_norms[i] ** 2 == pytest.approx(np.sum(ones * (r * r).T))
        norm = np.sqrt(np.sum(fit.a_ * (GAUSSIAN(X) @ fit.a_)))
        assert path.norms[i] == pytest.approx(norm)
        assert path.dof[i] == pytest.approx(fit.dof_)
        close(path.coefficients(lam), fit.a_, 1e-7)
        close(path.intercept(lam), fit.intercept_, 1e-7)
    assert path.best == LAMS[path.loo_errors.argmin()]
    best = path.refit()
    assert best.lam == path.best
    close(best.a_, path.coefficients(), 1e-7)
    close(best.intercept_, path.intercept(), 1e-7)
    close(path.refit(3.0).a_, path.coefficients(3.0))
    assert model.lam == 1.0


@intercepts
def test_path_against_scikit_learn(intercept):
    """RidgeCV with leave-one-out, on explicit features."""
    t, Phi = TARGETS["one output"], CUBIC.features()(X)
    peer = linear_model.RidgeCV(LAMS, fit_intercept=intercept, store_cv_results=True)
    peer.fit(Phi, t)
    path = KernelRidge(CUBIC, intercept=intercept).path(X, t, LAMS)
    close(path.loo_errors, peer.cv_results_.mean(axis=0), 1e-6)
    assert path.best == peer.alpha_


def test_path_with_a_precomputed_gram_matrix():
    t, K = TARGETS["three outputs"], GAUSSIAN(X)
    before = K.copy()
    path = KernelRidge("precomputed", intercept=True).path(K, t, LAMS, WEIGHTS)
    other = KernelRidge(GAUSSIAN, intercept=True).path(X, t, LAMS, WEIGHTS)
    assert (before == K).all()
    close(path.loo_errors, other.loo_errors)
    close(path.refit().a_, other.refit().a_)


def test_path_of_a_singular_gram_matrix():
    path = KernelRidge(kl.Linear()).path(X, X @ [1.0, 2.0], [1e-10, 1e-6])
    assert path.loo_errors.max() < 1e-6
    assert path.dof == pytest.approx([2.0, 2.0])


def test_path_with_many_outputs_is_the_mean_over_them():
    t = np.random.default_rng(2).normal(size=(n, 70))
    model = KernelRidge(GAUSSIAN)
    errors = [model.path(X, column, LAMS).loo_errors for column in t.T]
    close(model.path(X, t, LAMS).loo_errors, np.mean(errors, axis=0))


def test_path_prints_its_choice():
    t = TARGETS["one output"]
    assert "edge of the grid: widen" in repr(KernelRidge(CUBIC).path(X, t, [1e4, 1e5]))
    noisy = np.sin(X[:, 0]) + np.random.default_rng(4).normal(size=n)
    path = KernelRidge(GAUSSIAN).path(X, noisy, [1e-9, 1.0, 1e3])
    assert repr(path).startswith("RidgePath: lam from 1e-09 to 1e+03 (3); smallest")
    assert repr(path).endswith("at lam = 1")


def test_path_of_one_point_with_intercept():
    with pytest.raises(InputError, match=r"not defined at point 0.*two or more points"):
        KernelRidge(GAUSSIAN, intercept=True).path([[1.0]], [1.0], [1.0])


# --- memory ---------------------------------------------------------------------------


def test_memory():
    size = 1200
    data = np.random.default_rng(3)
    points, queries = data.normal(size=(size, 5)), data.normal(size=(5000, 5))
    model = KernelRidge(GAUSSIAN, 0.1, intercept=True)
    t = points[:, 0]
    for _ in range(2):  # the second fit must not hold the first one's factor
        tracemalloc.start()
        model.fit(points, t, np.ones(size))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 8 * size**2 + 3e6
    for call in (lambda: model.predict(queries), lambda: model.loo_residuals_):
        tracemalloc.start()
        call()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 5e6


# --- habits of an estimator -----------------------------------------------------------


def test_parameters():
    model = KernelRidge(GAUSSIAN, lam=0.5)
    assert model.get_params(deep=False) == {
        "kernel": GAUSSIAN,
        "lam": 0.5,
        "intercept": False,
    }
    assert model.set_params(lam=2.0, intercept=True) is model
    assert repr(model) == f"KernelRidge(kernel={GAUSSIAN!r}, lam=2.0, intercept=True)"
    with pytest.raises(InputError, match="no parameter alpha; it has kernel, lam, int"):
        model.set_params(alpha=1.0)
    assert clone(model).get_params(deep=False) == model.get_params(deep=False)


def test_changing_parameters_does_not_change_a_fit():
    model = KernelRidge(GAUSSIAN, 0.3).fit(X, TARGETS["one output"])
    before, loo = model.predict(Z), copy.deepcopy(model).loo_residuals_
    model.set_params(kernel=CUBIC, lam=100.0)
    close(model.predict(Z), before)
    close(model.loo_residuals_, loo)


def test_changing_the_data_does_not_change_a_fit():
    points, t, s = X.copy(), TARGETS["one output"].copy(), WEIGHTS.copy()
    model = KernelRidge(GAUSSIAN, 0.3).fit(points, t, s)
    path = KernelRidge(GAUSSIAN).path(points, t, [0.3], s)
    before = model.predict(Z)
    points[:], t[:], s[:] = 0, 1, 2
    close(model.predict(Z), before)
    close(path.refit().predict(Z), before)


def test_survives_pickling():
    model = KernelRidge(GAUSSIAN, 0.3, True).fit(X, TARGETS["one output"])
    other = pickle.loads(pickle.dumps(model))
    close(other.predict(Z), model.predict(Z))
    close(other.loo_residuals_, model.loo_residuals_)


def test_score():
    t = TARGETS["three outputs"]
    model = KernelRidge(GAUSSIAN, 0.3).fit(X, t)
    peer = Peer(alpha=0.3, kernel="rbf", gamma=1 / (2 * 1.3**2)).fit(X, t)
    assert model.score(X, t, WEIGHTS) == pytest.approx(peer.score(X, t, WEIGHTS))
    flat = KernelRidge(GAUSSIAN, 1.0, intercept=True).fit(X, np.full(n, 4.0))
    assert flat.score(X, np.full(n, 4.0)) == 1.0
    assert flat.score(X, np.full(n, 5.0)) == 0.0
    with pytest.raises(InputError, match=r"y must have shape \(15, 3\)"):
        model.score(X, t[:, 0])


# --- wrong input ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "use", [KernelRidge.predict, lambda m, X: m.score(X, X), lambda m, X: m.dof_]
)
def test_before_fit(use):
    with pytest.raises(NotFitted, match=r"not fitted yet: call fit"):
        use(KernelRidge(GAUSSIAN), X)
    assert not hasattr(KernelRidge(GAUSSIAN), "loo_residuals_")
    assert not hasattr(KernelRidge(GAUSSIAN), "a_")


def test_a_failed_fit_leaves_nothing_behind():
    model = KernelRidge(GAUSSIAN, 0.3).fit(X, TARGETS["one output"])
    model.set_params(kernel=-1 * GAUSSIAN)
    with pytest.raises(NotPositiveDefinite):
        model.fit(X, TARGETS["one output"])
    with pytest.raises(NotFitted):
        model.predict(Z)


def test_lam():
    t = TARGETS["one output"]
    for lam, message in [
        (0, "lam must be positive, got 0: without a penalty"),
        (-1.0, "positive, got -1.0"),
        (np.nan, "finite number, got nan"),
        (np.inf, "finite number, got inf"),
        ("1", "must be one number"),
        (None, "must be one number|finite"),
        ([1.0, 2.0], "must be one number"),
        (True, "finite number, got True"),
    ]:
        with pytest.raises(InputError, match=message):
            KernelRidge(GAUSSIAN, lam).fit(X, t)
    for lams in ([], 1.0, [[1.0]]):
        with pytest.raises(InputError, match="lams must be a list of one or more"):
            KernelRidge(GAUSSIAN).path(X, t, lams)
    with pytest.raises(InputError, match="every value of lams must be positive"):
        KernelRidge(GAUSSIAN).path(X, t, [1.0, 0.0])


@pytest.mark.parametrize("kernel", ["rbf", None, np.eye(3), lambda x, z: 1.0])
def test_not_a_kernel(kernel):
    with pytest.raises(TypeError, match="must be a Kernel, such as Gaussian"):
        KernelRidge(kernel).fit(X, TARGETS["one output"])


def test_a_kernel_class_is_not_a_kernel():
    with pytest.raises(TypeError, match="with parentheses"):
        KernelRidge(kl.Gaussian).fit(X, TARGETS["one output"])


@pytest.mark.parametrize("call", [KernelRidge.fit, KernelRidge.path])
def test_data(call):
    def run(points, t, s=None, kernel=GAUSSIAN):
        more = ([1.0],) if call is KernelRidge.path else ()
        call(KernelRidge(kernel), points, t, *more, s)

    good = TARGETS["one output"]
    for t, message in [
        (good[:3], r"one row for each of the 15 points.*got \(3,\)"),
        (good[:, None, None], r"shape \(15,\) or \(15, m\); got \(15, 1, 1\)"),
        (np.ones((n, 0)), r"got \(15, 0\)"),
        (np.where(np.arange(n) == 4, np.nan, good), r"y must be finite; y\[4\]"),
        (np.where(np.arange(n) == 4, -np.inf, good), r"y must be finite; y\[4\]"),
        (["a"] * n, "y must be an array of numbers"),
        (5.0, r"got \(\)"),
    ]:
        with pytest.raises(InputError, match=message):
            run(X, t)
    for s, message in [
        (-np.ones(n), "nowhere negative.*from -1 to -1"),
        (np.zeros(n), "zero for every point"),
        (np.full(n, np.nan), "sample_weight must be finite"),
        (np.ones(3), r"shape \(15,\), got \(3,\)"),
        (2.0, r"shape \(15,\), got \(\)"),
    ]:
        with pytest.raises(InputError, match=message):
            run(X, good, s)
    with pytest.raises(InputError, match="one point or more"):
        run(np.ones((0, 2)), [])
    with pytest.raises(InputError, match="one point or more"):
        run(np.ones((0, 0)), [], kernel="precomputed")
    with pytest.raises(InputError, match=r"shape \(n, d\)"):
        run(X[:, 0], good)
    with pytest.raises(InputError, match=r"X\[0, 0\] is NaN"):
        run(np.full((n, 2), np.nan), good)
    with pytest.raises(InputError, match="Gram matrix must be a square array"):
        run(X, good, kernel="precomputed")
    with pytest.raises(InputError, match="Gram matrix must be symmetric"):
        run(np.triu(np.ones((n, n))), good, kernel="precomputed")
    with pytest.raises(InputError, match=r"Gram matrix must be finite"):
        run(np.full((n, n), np.inf), good, kernel="precomputed")
    lopsided = kl.FromFunction(lambda x, z: x[0] + 2 * z[0], "lopsided")
    with pytest.raises(InputError, match="Gram matrix must be symmetric"):
        run(X, good, kernel=lopsided)


def test_prediction_points():
    model = KernelRidge(GAUSSIAN).fit(X, TARGETS["one output"])
    with pytest.raises(InputError, match=r"X has 3 features, but .* is expecting 2"):
        model.predict(np.ones((4, 3)))
    with pytest.raises(InputError, match=r"shape \(n, d\)"):
        model.predict([1.0, 2.0])
    assert model.predict(np.ones((0, 2))).shape == (0,)
    assert KernelRidge(GAUSSIAN).fit(X, X).predict(np.ones((0, 2))).shape == (0, 2)
    gram = KernelRidge("precomputed").fit(GAUSSIAN(X), TARGETS["one output"])
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 15"):
        gram.predict(Z)


def test_a_kernel_without_a_value_at_a_new_point():
    root = kl.FromFunction(lambda x, z: np.sqrt(x[0] * z[0]), "root")
    model = KernelRidge(root).fit([[1.0], [4.0]], [1.0, 2.0])
    with pytest.raises(UndefinedValue, match="no finite value"):
        model.predict([[-1.0]])


@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_extreme_weights_do_not_overflow(scale):
    t = TARGETS["one output"]
    one = KernelRidge(GAUSSIAN, 1.0, True).fit(X, t, SOME_ZERO)
    two = KernelRidge(GAUSSIAN, scale, True).fit(X, t, scale * SOME_ZERO)
    close(one.predict(Z), two.predict(Z))
    close(one.loo_residuals_, two.loo_residuals_)


def test_a_huge_penalty_predicts_zero():
    model = KernelRidge(GAUSSIAN, 1e200).fit(X, TARGETS["one output"])
    close(model.predict(Z), 0, 1e-100)
    close(model.loo_residuals_, TARGETS["one output"])
