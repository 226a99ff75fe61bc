"""Conjugate gradients: the same as a Cholesky factor, with a true certificate."""

import pickle
import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone

from kernellab import KernelRidge
from kernellab import kernels as kl
from kernellab.errors import (
    ConvergenceWarning,
    InputError,
    NotFitted,
    NotPositiveDefinite,
    UndefinedValue,
)
from kernellab.kernels.points import Points
from kernellab.lowrank import products
from kernellab.lowrank.conjugate_gradients import RidgeSystem
from kernellab.lowrank.pivoted import pivoted_cholesky
from kernellab.lowrank.products import Preconditioner, TiledGram
from kernellab.lowrank.ridge_cg import KernelRidgeCG

rng = np.random.default_rng(0)
TILE = 40
n, d = 2 * TILE + 10, 3
X, Z = rng.normal(size=(n, d)), rng.normal(size=(30, d))
WEIGHTS = rng.uniform(0.2, 3.0, size=n)
SOME_ZERO = np.where(np.arange(n) % 4 == 1, 0.0, WEIGHTS)
TARGETS = {
    "one output": np.sin(2 * X[:, 0]) + 5,
    "two outputs": np.stack([np.sin(X[:, 0]), X.sum(axis=1) - 900], axis=1),
}
t = TARGETS["one output"]
GAUSSIAN = kl.Gaussian(sigma=1.5)
cases = pytest.mark.parametrize("t", TARGETS.values(), ids=TARGETS.keys())
intercepts = pytest.mark.parametrize("intercept", [False, True], ids=["no b", "b"])
weights = pytest.mark.parametrize(
    "s", [None, WEIGHTS, SOME_ZERO], ids=["no weights", "weights", "zero weights"]
)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    """Several tiles, although there are few points."""
    monkeypatch.setattr(products, "TILE", TILE)


def close(actual, expected, tol=1e-8):
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol * scale)


# --- the same as a factor -----------------------------------------------------------


@cases
@weights
@intercepts
@pytest.mark.parametrize("rank", [0, 40])
def test_it_is_kernel_ridge(t, s, intercept, rank):
    model = KernelRidgeCG(GAUSSIAN, 0.5, rank, tol=1e-20, intercept=intercept)
    model.fit(X, t, s)
    exact = KernelRidge(GAUSSIAN, 0.5, intercept).fit(X, t, s)
    close(model.a_, exact.a_)
    close(model.intercept_, exact.intercept_)
    close(model.predict(Z), exact.predict(Z))
    close(model.certificate_.primal, exact.certificate_.primal, 1e-12)
    close(model.score(X, t, s), exact.score(X, t, s), 1e-9)
    if s is not None:
        assert not model.a_[s == 0].any()


def test_a_larger_problem():
    points = rng.normal(size=(1200, 4))
    y = np.sin(points[:, 0]) + 0.1 * rng.normal(size=1200)
    model = KernelRidgeCG(kl.Gaussian(sigma=2.0), 0.1, tol=1e-18).fit(points, y)
    exact = KernelRidge(kl.Gaussian(sigma=2.0), 0.1).fit(points, y)
    close(model.predict(points), exact.predict(points), 1e-8)
    assert model.n_iter_ < 15


def test_strings():
    words = [w + v for w in ("ab", "ba", "aa", "bb") for v in ("abab", "b", "aab")]
    y = np.array([len(w) for w in words], dtype=float)
    model = KernelRidgeCG(kl.Spectrum(p=2), 0.1, tol=1e-20).fit(words, y)
    exact = KernelRidge(kl.Spectrum(p=2), 0.1).fit(words, y)
    close(model.predict(["abba"]), exact.predict(["abba"]))


def test_a_kernel_whose_symmetry_is_not_known_from_its_form():
    k = kl.FromFunction(lambda x, z: np.exp(-abs(x[0] - z[0])), "bump")
    model = KernelRidgeCG(k, 0.5, tol=1e-20).fit(X, t)
    close(model.predict(Z), KernelRidge(k, 0.5).fit(X, t).predict(Z))


def test_one_point_and_equal_points():
    model = KernelRidgeCG(GAUSSIAN, 1.0, tol=1e-20).fit(X[:1], [4.0])
    close(model.a_, [2.0])
    same = np.repeat(X[:1], 5, axis=0)
    model = KernelRidgeCG(GAUSSIAN, 1.0, tol=1e-20).fit(same, np.arange(5.0))
    close(model.a_, KernelRidge(GAUSSIAN, 1.0).fit(same, np.arange(5.0)).a_)


# --- the certificate ----------------------------------------------------------------


@weights
@intercepts
@pytest.mark.parametrize("tol", [1e-1, 1e-4, 1e-9])
def test_the_gap_is_the_squared_residual(s, intercept, tol):
    """J − dual = Σ s ϱ², with the true residual; and the optimum is between them."""
    lam = 0.01
    model = KernelRidgeCG(GAUSSIAN, lam, 10, tol, intercept=intercept).fit(X, t, s)
    K, a, b = GAUSSIAN(X), model.a_, model.intercept_
    w = np.ones(n) if s is None else s
    J = w @ (t - K @ a - b) ** 2 + lam * a @ K @ a
    shrunk = np.divide(lam * a, w, out=np.zeros(n), where=w > 0)
    dual = lam * (2 * a @ t - a @ K @ a - a @ shrunk)
    c = model.certificate_
    np.testing.assert_allclose(c.primal, J, rtol=1e-10)
    np.testing.assert_allclose(c.dual, dual, rtol=1e-10)
    residual = np.where(w > 0, t - b - K @ a - shrunk, 0.0)
    assert c.gap == pytest.approx(w @ residual**2, rel=1e-3, abs=1e-12 * J)
    assert c.relative_gap <= tol
    if intercept:
        assert abs(a.sum()) < 1e-9 * np.abs(a).sum()
    exact = KernelRidge(GAUSSIAN, lam, intercept).fit(X, t, s).certificate_.primal
    assert dual * (1 - 1e-9) <= exact <= J * (1 + 1e-9)


def test_the_certificate_holds_the_true_residual(monkeypatch):
    """A recursion that was led astray: what it believes is not what is certified."""
    model, honest, calls = (
        KernelRidgeCG(GAUSSIAN, 1e-3, 30, 1e-6),
        RidgeSystem.multiply,
        [],
    )
    usual = model.fit(X, t).n_iter_

    def astray(self, A):  # until the recursion has come to its end
        calls.append(1)
        return honest(self, A) * (1.01 if len(calls) < usual else 1.0)

    monkeypatch.setattr(RidgeSystem, "multiply", astray)
    model.fit(X, t)
    assert model.n_iter_ > usual
    residual = t - GAUSSIAN(X) @ model.a_ - 1e-3 * model.a_
    assert residual @ residual <= 1e-6 * model.certificate_.primal
    close(model.certificate_.gap, residual @ residual, 1e-6)


def test_the_gap_falls():
    model = KernelRidgeCG(GAUSSIAN, 0.01, 10, 1e-12).fit(X, t)
    assert len(model.history_) == model.n_iter_ - 1
    assert model.history_[-1] <= 1e-12 < model.history_[0]


# --- the preconditioner -------------------------------------------------------------


def test_more_columns_fewer_products():
    counts = [
        KernelRidgeCG(GAUSSIAN, 1e-3, rank, 1e-10).fit(X, t).n_iter_
        for rank in (0, 10, 30, 60)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 3 * counts[-1]


def dense(P, n):
    return P(np.eye(n))


@pytest.mark.parametrize("rank", [0, 5, 50])
def test_woodbury(rank):
    D = 0.3 / WEIGHTS
    P = Preconditioner.of(GAUSSIAN, Points(X), D, rank)
    L = pivoted_cholesky(GAUSSIAN, X, rank=P.rank).L if rank else np.zeros((n, 0))
    assert min(rank, 40) <= P.rank <= rank
    close(dense(P, n), np.linalg.inv(L @ L.T + np.diag(D)))


@pytest.mark.parametrize("rank", [0, 5, 50])
def test_the_bound_on_the_condition_number(rank):
    D = 0.3 / WEIGHTS
    P = Preconditioner.of(GAUSSIAN, Points(X), D, rank)
    # The eigenvalues of P⁻¹M are those of the symmetric P^−½MP^−½ = GᵀMG, P⁻¹ = GGᵀ.
    G = np.linalg.cholesky(dense(P, n))
    values = np.linalg.eigvalsh(G.T @ (GAUSSIAN(X) + np.diag(D)) @ G)
    assert values.min() >= 1 - 1e-8
    assert values.max() / values.min() <= P.condition_bound * (1 + 1e-8)


def test_it_stops_when_more_columns_are_not_worth_it():
    model = KernelRidgeCG(GAUSSIAN, 10.0, rank=80).fit(X, t)
    assert 0 < model.rank_ < 40
    assert model.condition_bound_ <= 2
    assert KernelRidgeCG(GAUSSIAN, 1e6).fit(X, t).rank_ == 0


# --- products -----------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, TILE - 1, TILE, TILE + 1, n])
def test_a_product_without_the_matrix(size):
    A = rng.normal(size=(size, 3))
    K = TiledGram(GAUSSIAN, Points(X[:size]))
    close(K(A), GAUSSIAN(X[:size]) @ A, 1e-13)


def test_a_tile_serves_twice():
    seen = []

    class Counting(kl.Gaussian):
        def _value(self, pair):
            value = super()._value(pair)
            seen.append(value.size)
            return value

    TiledGram(Counting(), Points(X))(np.ones((n, 1)))
    assert sum(seen) < 0.75 * n**2


def test_no_gram_matrix_in_memory():
    points, size = rng.normal(size=(1500, 3)), 1500
    y = np.sin(points[:, 0])
    tracemalloc.start()
    try:
        KernelRidgeCG(GAUSSIAN, 1.0, rank=30).fit(points, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < size**2 * 8 / 8


# --- when it does not converge ------------------------------------------------------


def test_it_says_so_and_what_to_do():
    model = KernelRidgeCG(GAUSSIAN, 1e-6, rank=5, tol=1e-12, max_iter=10)
    wanted = r"after 10 products at a relative gap of .*: raise rank .*5 columns"
    with pytest.warns(ConvergenceWarning, match=wanted):
        model.fit(X, t)
    assert model.n_iter_ == 10
    assert model.certificate_.relative_gap > 1e-12


def test_it_says_so_if_rounding_is_in_the_way():
    with pytest.warns(ConvergenceWarning, match="rounding allows no smaller one"):
        KernelRidgeCG(GAUSSIAN, 1e-10, rank=400, tol=1e-25).fit(X, t)


def test_a_start_saves_products():
    first = KernelRidgeCG(GAUSSIAN, 0.01, 10, 1e-8).fit(X, t)
    again = KernelRidgeCG(GAUSSIAN, 0.01, 10, 1e-8).fit(X, t, start=first.a_)
    assert again.n_iter_ == 1  # to see that it is the solution
    near = KernelRidgeCG(GAUSSIAN, 0.011, 10, 1e-8).fit(X, t, start=first.a_)
    cold = KernelRidgeCG(GAUSSIAN, 0.011, 10, 1e-8).fit(X, t)
    assert near.n_iter_ < cold.n_iter_
    with_b = KernelRidgeCG(GAUSSIAN, 0.01, 10, 1e-16, intercept=True)
    with_b.fit(X, TARGETS["two outputs"], WEIGHTS, start=rng.normal(size=(n, 2)))
    exact = KernelRidge(GAUSSIAN, 0.01, True).fit(X, TARGETS["two outputs"], WEIGHTS)
    close(with_b.predict(Z), exact.predict(Z), 1e-6)


def test_a_start_that_solves_another_problem():
    """Without b, and so not feasible with b: its residual is 0, but it is not done."""
    other = KernelRidgeCG(GAUSSIAN, 0.1, tol=1e-24).fit(X, t - t.mean())
    model = KernelRidgeCG(GAUSSIAN, 0.1, tol=1e-20, intercept=True)
    model.fit(X, t, start=other.a_)
    close(model.a_, KernelRidge(GAUSSIAN, 0.1, True).fit(X, t).a_)


def test_nothing_to_do():
    model = KernelRidgeCG(GAUSSIAN).fit(X, np.zeros(n))
    assert model.n_iter_ == 0
    assert not model.a_.any()
    constant = KernelRidgeCG(GAUSSIAN, intercept=True).fit(X, np.full(n, 7.0))
    assert constant.intercept_ == 7.0


def test_some_outputs_are_solved_before_others():
    T = np.stack([np.zeros(n), t], axis=1)
    model = KernelRidgeCG(GAUSSIAN, 0.1, 10, 1e-18).fit(X, T)
    assert not model.a_[:, 0].any()
    close(model.a_[:, 1], KernelRidge(GAUSSIAN, 0.1).fit(X, t).a_)


# --- habits -------------------------------------------------------------------------


def test_predict_reads_memory_maps(tmp_path):
    model = KernelRidgeCG(GAUSSIAN).fit(X, t)
    np.save(tmp_path / "Z.npy", Z)
    mapped = np.load(tmp_path / "Z.npy", mmap_mode="r")
    np.testing.assert_array_equal(model.predict(mapped), model.predict(Z))
    assert model.predict(Z[:0]).shape == (0,)


def test_parameters_and_pickles():
    model = KernelRidgeCG(GAUSSIAN, 0.5, rank=7)
    assert list(model.get_params(deep=False)) == [
        "kernel",
        "lam",
        "rank",
        "tol",
        "max_iter",
        "intercept",
        "progress",
    ]
    f = model.fit(X, t).predict(Z)
    np.testing.assert_array_equal(clone(model).fit(X, t).predict(Z), f)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(Z), f)


def test_a_progress_bar(capsys):
    KernelRidgeCG(GAUSSIAN, progress=True).fit(X, t)
    assert "conjugate gradients" in (shown := capsys.readouterr().err)
    assert "relative gap" in shown


# --- errors -------------------------------------------------------------------------


def test_a_function_that_is_no_kernel():
    with pytest.raises(NotPositiveDefinite, match="not proven to be a kernel"):
        KernelRidgeCG(-1 * GAUSSIAN, 0.1, rank=0).fit(X, t)
    with pytest.raises(NotPositiveDefinite):
        KernelRidgeCG(kl.Linear() - GAUSSIAN, 0.1).fit(X, t)


def test_a_function_that_is_not_symmetric():
    k = kl.FromFunction(lambda x, z: np.exp(x[0] - 2 * z[0]), "lopsided")
    for rank in (0, 300):
        with pytest.raises(
            (InputError, NotPositiveDefinite), match=r"symmetric|semi-def"
        ):
            KernelRidgeCG(k, 0.1, rank=rank).fit(X, t)


def test_a_value_that_is_undefined():
    Y = np.abs(X)
    Y[TILE + 3] = -1.0
    root = kl.FromFunction(lambda x, z: np.sqrt(x[0] * z[0]), "root")
    with pytest.raises(UndefinedValue, match="no finite value"):
        KernelRidgeCG(root, 0.1, rank=0).fit(Y, t)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"lam": 0}, "lam must be positive"),
        ({"rank": -1}, "rank must be an integer ≥ 0"),
        ({"tol": 0}, "tol must be positive"),
        ({"max_iter": 1}, "max_iter must be an integer ≥ 2"),
    ],
)
def test_parameters_that_make_no_sense(parameters, message):
    with pytest.raises(InputError, match=message):
        KernelRidgeCG(GAUSSIAN, **parameters).fit(X, t)


def test_data_that_make_no_sense():
    model = KernelRidgeCG(GAUSSIAN)
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        KernelRidgeCG("precomputed").fit(X, t)
    with pytest.raises(InputError, match="y must have one row"):
        model.fit(X, t[:-1])
    with pytest.raises(InputError, match="start must be finite and of the shape of y"):
        model.fit(X, t, start=t[:-1])
    with pytest.raises(NotFitted):
        model.predict(X)
    model.fit(X, t)
    with pytest.raises(InputError, match=r"X has 2 features, but .* is expecting 3"):
        model.predict(Z[:, :2])
    with pytest.raises(InputError, match=r"y must have shape \(q,\), as in fit"):
        model.score(Z, np.ones((30, 2)))


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_huge_targets_do_not_pass_in_silence():
    huge = np.where(t > 5, 1e300, -1e300)
    with pytest.raises(InputError, match="became infinite: rescale t"):
        KernelRidgeCG(GAUSSIAN, 1e-3, rank=0).fit(X, huge)
