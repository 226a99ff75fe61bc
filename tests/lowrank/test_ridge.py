"""Low-rank ridge: the same as dense solvers, as exact kernel ridge, and certified."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from sklearn import linear_model
from sklearn.base import clone
from sklearn.metrics import r2_score

from kernellab import KernelRidge
from kernellab import kernels as kl
from kernellab.errors import (
    InfiniteDimensional,
    InputError,
    NotFitted,
    NotPositiveDefinite,
)
from kernellab.lowrank import ridge as module
from kernellab.lowrank.data_blocks import MAX_BLOCK_ROWS
from kernellab.lowrank.explicit import ExplicitFeatures
from kernellab.lowrank.fourier import RandomFourier
from kernellab.lowrank.nystroem import Nystroem
from kernellab.lowrank.ridge import LowRankRidge

rng = np.random.default_rng(0)
n, d, r = 150, 2, 20
X, Z = rng.normal(size=(n, d)), rng.normal(size=(40, d))
GAUSSIAN = kl.Gaussian(sigma=1.5)
WEIGHTS = rng.uniform(0.2, 3.0, size=n)
SOME_ZERO = np.where(np.arange(n) % 4 == 1, 0.0, WEIGHTS)
TARGETS = {
    "one output": np.sin(2 * X[:, 0]) + 5 + 0.1 * rng.normal(size=n),
    "two outputs": np.stack([np.sin(X[:, 0]), X.sum(axis=1) - 900], axis=1),
}
MAPS = {
    "Nystroem": Nystroem(GAUSSIAN, rank=r),
    "random Fourier": RandomFourier(GAUSSIAN, rank=r),
    "explicit": ExplicitFeatures(kl.Polynomial(degree=2)),
}
t = TARGETS["one output"]
cases = pytest.mark.parametrize("t", TARGETS.values(), ids=TARGETS.keys())
maps = pytest.mark.parametrize("phi", MAPS.values(), ids=MAPS.keys())
intercepts = pytest.mark.parametrize("intercept", [False, True], ids=["no b", "b"])
weights = pytest.mark.parametrize(
    "s", [None, WEIGHTS, SOME_ZERO], ids=["no weights", "weights", "zero weights"]
)


def close(actual, expected, tol=1e-8):
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol * scale)


def least_squares(Phi, t, lam, s=None, intercept=False):
    """w and b by stacking √λI under √S[Φ 1]: no normal equations."""
    root = np.sqrt(np.ones(len(Phi)) if s is None else s)
    p = Phi.shape[1]
    top = root[:, None] * np.hstack([Phi, np.full((len(Phi), 1), float(intercept))])
    left = np.vstack([top, np.sqrt(lam) * np.eye(p, p + 1)])
    right = np.concatenate([(root * t.T).T, np.zeros((p, *t.shape[1:]))])
    solution = np.linalg.lstsq(left, right, rcond=None)[0]
    return solution[:-1], solution[-1]


# --- the same as dense solvers --------------------------------------------------------


@maps
@cases
@weights
@intercepts
def test_it_solves_the_dense_problem(phi, t, s, intercept):
    model = LowRankRidge(phi, lam=0.3, intercept=intercept).fit(X, t, s)
    Phi = model.features_.transform(X)
    w, b = least_squares(Phi, t, 0.3, s, intercept)
    close(model.w_, w)
    close(model.intercept_, b if intercept else 0 * b)
    close(model.predict(Z), model.features_.transform(Z) @ w + b)
    missed = (t - Phi @ w - b) ** 2
    J = np.sum((np.ones(n) if s is None else s) @ missed) + 0.3 * np.sum(w**2)
    close(model.certificate_.primal, J)
    assert abs(model.certificate_.relative_gap) < 1e-10


@maps
@cases
@weights
@intercepts
def test_it_agrees_with_scikit_learn(phi, t, s, intercept):
    model = LowRankRidge(phi, lam=2.0, intercept=intercept).fit(X, t, s)
    Phi = model.features_.transform
    peer = linear_model.Ridge(alpha=2.0, fit_intercept=intercept).fit(Phi(X), t, s)
    close(model.predict(Z), peer.predict(Phi(Z)))
    close(model.score(X, t, s), peer.score(Phi(X), t, s))


@cases
@weights
@intercepts
def test_with_all_landmarks_it_is_kernel_ridge(t, s, intercept):
    everything = Nystroem(kl.Exponential(), rank=n)
    model = LowRankRidge(everything, lam=0.5, intercept=intercept).fit(X, t, s)
    exact = KernelRidge(kl.Exponential(), lam=0.5, intercept=intercept).fit(X, t, s)
    assert model.rank_ == n
    close(model.predict(Z), exact.predict(Z))
    close(model.certificate_.primal, exact.certificate_.primal)
    close(model.full_problem_.dual, exact.certificate_.primal)


@cases
@intercepts
def test_a_kernel_with_finitely_many_features(t, intercept):
    cubic = kl.Polynomial(degree=3, c=1.0)
    model = LowRankRidge(cubic, lam=0.5, intercept=intercept).fit(X, t, WEIGHTS)
    exact = KernelRidge(cubic, lam=0.5, intercept=intercept).fit(X, t, WEIGHTS)
    assert isinstance(model.features_, ExplicitFeatures)
    assert model.rank_ == 10
    close(model.predict(Z), exact.predict(Z))
    assert model.full_problem_.relative_gap < 1e-8


def test_strings():
    words = ["abab", "baba", "abba", "aaab", "bbbb"]
    lengths = np.array([3.0, 1.0, 2.0, 2.0, 0.0])
    k = kl.Spectrum(p=2)
    model = LowRankRidge(Nystroem(k, rank=5), lam=0.1).fit(words, lengths)
    exact = KernelRidge(k, lam=0.1).fit(words, lengths)
    close(model.predict(["abb", "bab"]), exact.predict(["abb", "bab"]))


@intercepts
@pytest.mark.parametrize("lam", [1e-9, 1e9])
def test_fewer_points_than_features_and_extreme_penalties(intercept, lam):
    few, y = X[:7], t[:7]
    model = LowRankRidge(RandomFourier(GAUSSIAN, rank=30), lam, intercept).fit(few, y)
    Phi = model.features_.transform(few)
    w, b = least_squares(Phi, y, lam, None, intercept)
    close(model.predict(few), Phi @ w + b, 1e-6)
    assert abs(model.certificate_.relative_gap) < 1e-6


def test_one_point():
    model = LowRankRidge(Nystroem(GAUSSIAN), lam=1.0).fit(X[:1], [4.0])
    close(model.predict(X[:1]), [2.0])
    model = LowRankRidge(Nystroem(GAUSSIAN), intercept=True).fit(X[:1], [4.0])
    close(model.predict(Z), np.full(len(Z), 4.0))


def test_constant_targets_are_the_intercept():
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r), intercept=True)
    model.fit(X, np.full(n, 1e8))
    assert model.intercept_ == 1e8
    assert not model.w_.any()
    assert model.score(X, np.full(n, 1e8)) == 1.0
    assert model.score(X, np.full(n, 1.0)) == 0.0


def test_targets_far_from_zero():
    near = LowRankRidge(Nystroem(GAUSSIAN, rank=r), intercept=True).fit(X, t)
    far = LowRankRidge(Nystroem(GAUSSIAN, rank=r), intercept=True).fit(X, t + 1e9)
    close(far.predict(Z) - 1e9, near.predict(Z), 1e-6)


def test_a_weight_is_a_repeated_point():
    s = rng.integers(0, 3, size=n)
    phi = Nystroem(GAUSSIAN, rank=r).fit(X)
    model = LowRankRidge(phi, intercept=True).fit(X, t, s)
    repeated = LowRankRidge(phi, intercept=True).fit(
        np.repeat(X, s, 0), np.repeat(t, s)
    )
    close(model.predict(Z), repeated.predict(Z))
    close(model.full_problem_.dual, repeated.full_problem_.dual)


# --- what is proved of the full problem -----------------------------------------------


def norm_of_difference(model, exact, k):
    """‖f̂ − f*‖ in the RKHS, from the coefficients of both functions."""
    points = np.vstack([model.features_.landmarks_, X])
    a = np.concatenate([model._beta, -exact.a_])
    return np.sqrt(max(0.0, np.sum(a * (k(points) @ a))))


@cases
@weights
@intercepts
@pytest.mark.parametrize("lam", [0.1, 3.0])
@pytest.mark.parametrize("rank", [3, 20, 60])
def test_the_exact_optimum_is_where_the_certificate_says(t, s, intercept, lam, rank):
    k = kl.Gaussian(sigma=1.5)
    model = LowRankRidge(Nystroem(k, rank=rank), lam, intercept).fit(X, t, s)
    exact = KernelRidge(k, lam, intercept).fit(X, t, s)
    full, optimum = model.full_problem_, exact.certificate_.primal
    assert full.primal == model.certificate_.primal
    assert full.dual * (1 - 1e-9) <= optimum <= full.primal * (1 + 1e-9)
    # J really is what exact kernel ridge regression assigns to f̂, and the RKHS agrees.
    residuals = t - model.predict(X)
    loss = np.sum((np.ones(n) if s is None else s) @ residuals**2)
    close(full.primal, loss + lam * np.sum(model.w_**2))
    distance = norm_of_difference(model, exact, k)
    assert distance <= full.distance * (1 + 1e-6) + 1e-6


@weights
def test_what_is_lost_is_the_trace(s):
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=8)).fit(X, t, s)
    R = 1 - (model.features_.transform(X) ** 2).sum(axis=1)
    close(model.full_problem_.lost, np.sum(R if s is None else s * R))
    if s is None:
        error = model.features_.error(X)
        close(model.full_problem_.lost, error.trace)
        close(model.full_problem_.relative, error.relative)


def test_the_certificate_is_the_best_multiple_of_the_dual_point():
    """J²/(J + E), with E = tr(K − K̂)·R/λ: better than J − E, and never negative."""
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=5), lam=0.1).fit(X, t)
    full = model.full_problem_
    E = full.lost * np.sum((t - model.predict(X)) ** 2) / 0.1
    close(full.dual, full.primal**2 / (full.primal + E))
    assert full.dual > max(0.0, full.primal - E)


def test_random_features_promise_nothing_of_the_full_problem():
    assert LowRankRidge(RandomFourier(GAUSSIAN)).fit(X, t).full_problem_ is None


# --- whitening can wait ---------------------------------------------------------------


@pytest.fixture
def passes(monkeypatch):
    """Which columns each pass over the points takes."""
    seen, total = [], module._Equations._total

    def watched(self, features, progress):
        seen.append(features.__name__)
        return total(self, features, progress)

    monkeypatch.setattr(module._Equations, "_total", watched)
    return seen


MANY_X = rng.normal(size=(MAX_BLOCK_ROWS + 500, 3))
MANY_T = np.sin(MANY_X[:, 0]) + 0.1 * rng.normal(size=len(MANY_X))


@intercepts
@pytest.mark.parametrize("s", [None, rng.uniform(0, 2, len(MANY_X))])
def test_whitening_can_wait(passes, monkeypatch, intercept, s):
    phi = Nystroem(kl.Gaussian(), rank=40).fit(MANY_X)
    later = LowRankRidge(phi, 1.0, intercept).fit(MANY_X, MANY_T, s)
    assert passes == ["_raw"]
    monkeypatch.setattr(module, "HARMLESS_PERTURBATION", 0.0)
    before = LowRankRidge(phi, 1.0, intercept).fit(MANY_X, MANY_T, s)
    assert passes == ["_raw", "_columns"]
    close(later.predict(Z_ := MANY_X[:50] + 0.1), before.predict(Z_), 1e-9)
    close(later.certificate_.primal, before.certificate_.primal, 1e-10)
    close(later.full_problem_.dual, before.full_problem_.dual, 1e-8)
    assert 0 <= later.certificate_.relative_gap < 1e-8


def test_it_does_not_wait_where_digits_would_be_lost(passes):
    wide = kl.Gaussian(sigma=30.0)  # K_zz is nearly singular
    phi = Nystroem(wide, rank=40, landmarks="uniform").fit(MANY_X)
    model = LowRankRidge(phi, 1e-3).fit(MANY_X, MANY_T)
    assert passes == ["_columns"]
    w, _ = least_squares(phi.transform(MANY_X), MANY_T, 1e-3)
    close(model.predict(MANY_X), phi.transform(MANY_X) @ w, 1e-6)


def test_if_the_sum_shows_that_digits_are_lost_it_is_done_again(passes):
    """The block that is looked at beforehand knows nothing of the weights."""
    phi = Nystroem(kl.Gaussian(), rank=40).fit(MANY_X)
    model = LowRankRidge(phi).fit(MANY_X, MANY_T, np.full(len(MANY_X), 1e12))
    assert passes == ["_raw", "_columns"]
    w, _ = least_squares(phi.transform(MANY_X), MANY_T, 1e-12)
    close(model.predict(MANY_X), phi.transform(MANY_X) @ w, 1e-7)


def test_a_few_points_are_whitened_one_by_one(passes):
    LowRankRidge(Nystroem(GAUSSIAN, rank=r)).fit(X, t)
    assert passes == ["_columns"]


# --- data that are larger than memory -------------------------------------------------


def test_memory_maps_in_bounded_memory(tmp_path):
    big = 20 * MAX_BLOCK_ROWS
    data = np.lib.format.open_memmap(tmp_path / "d.npy", "w+", np.float32, (big, 12))
    data[:] = rng.normal(size=(big, 12))
    data.flush()
    mapped = np.load(tmp_path / "d.npy", mmap_mode="r")
    A, b, s = mapped[:, :10], mapped[:, 10], np.abs(mapped[:, 11])
    phi = Nystroem(kl.Gaussian(sigma=2.0), rank=30, landmarks="uniform").fit(A)
    tracemalloc.start()
    try:
        model = LowRankRidge(phi, intercept=True).fit(A, b, s)
        score = model.score(A, b, s)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4e6 < big * 30 * 8 / 2  # not Φ̂
    whole = LowRankRidge(phi, intercept=True).fit(np.array(A), np.array(b), s)
    close(model.w_, whole.w_, 1e-9)
    close(score, whole.score(np.array(A), np.array(b), s), 1e-12)
    close(model.predict(A), whole.predict(np.array(A)), 1e-12)


def test_a_progress_bar(capsys):
    LowRankRidge(Nystroem(GAUSSIAN, rank=r), progress=True).fit(X, t)
    assert "normal equations [########################] 100%" in capsys.readouterr().err


# --- habits ---------------------------------------------------------------------------


@cases
def test_score_is_that_of_scikit_learn(t):
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r), lam=0.1).fit(X, t)
    f = model.predict(X)
    close(model.score(X, t, WEIGHTS), r2_score(t, f, sample_weight=WEIGHTS))


def test_the_score_of_several_blocks():
    """Targets that rise from block to block: their means differ."""
    y = MANY_T + 10 * np.sort(MANY_X[:, 1])
    s = rng.uniform(0, 2, len(y))
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r), intercept=True).fit(MANY_X, y)
    expected = r2_score(y, model.predict(MANY_X), sample_weight=s)
    close(model.score(MANY_X, y, s), expected, 1e-12)


def test_a_map_is_fitted_to_a_copy_unless_it_is_fitted():
    phi = Nystroem(GAUSSIAN, rank=r)
    model = LowRankRidge(phi).fit(X, t)
    assert not hasattr(phi, "rank_")
    first = model.features_.landmarks_
    assert not np.array_equal(model.fit(Z, Z[:, 0]).features_.landmarks_, first)
    fitted = Nystroem(GAUSSIAN, rank=r).fit(Z)
    assert LowRankRidge(fitted).fit(X, t).features_ is fitted


def test_parameters_copies_and_pickles():
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r), lam=0.5, intercept=True)
    assert set(model.get_params(deep=False)) == {
        "features",
        "lam",
        "intercept",
        "progress",
    }
    again = clone(model).set_params(lam=0.5)
    f = model.fit(X, t).predict(Z)
    np.testing.assert_array_equal(again.fit(X, t).predict(Z), f)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(Z), f)
    with pytest.raises(InputError, match="no parameter C"):
        model.set_params(C=1)


def test_no_points_to_predict():
    assert LowRankRidge(Nystroem(GAUSSIAN)).fit(X, t).predict(X[:0]).shape == (0,)


def test_lists_will_do():
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r)).fit(X.tolist(), t.tolist())
    close(model.predict(Z.tolist()), LowRankRidge(model.features_).fit(X, t).predict(Z))


def test_what_x_was_does_not_change():
    before, targets, s = X.copy(), t.copy(), WEIGHTS.copy()
    LowRankRidge(kl.Linear(), intercept=True).fit(X, t, WEIGHTS)
    np.testing.assert_array_equal(before, X)
    np.testing.assert_array_equal(targets, t)
    np.testing.assert_array_equal(s, WEIGHTS)


# --- errors ---------------------------------------------------------------------------


def spoilt(values, place, value):
    array = np.array(values, dtype=float)
    array[place] = value
    return array


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"t": t[:-1]},
            r"y must have one row for each of the 150 points; .*\(149,",
        ),
        ({"t": 3.0}, r"y must have one row for each point, .*got \(\)"),
        ({"t": np.ones((n, 0))}, r"shape \(n,\) or \(n, m\); got \(150, 0\)"),
        ({"t": ["a"] * n}, "y must be an array of numbers"),
        ({"t": spoilt(t, 7, np.nan)}, r"y must be finite; y\[7\] is NaN or infinite"),
        ({"s": np.ones(3)}, r"sample_weight must have one row .* got shape \(3,\)"),
        ({"s": np.ones((n, 1))}, r"sample_weight must have shape \(n,\)"),
        ({"s": np.zeros(n)}, "zero for every point"),
        ({"s": spoilt(WEIGHTS, 3, -1)}, "nowhere negative; it goes from -1 to 3"),
        ({"s": spoilt(WEIGHTS, 3, np.nan)}, "sample_weight must be finite"),
        ({"X": X[:0], "t": t[:0]}, "one point or more, got none"),
        ({"X": spoilt(X, (5, 1), np.inf)}, r"X\[.*5, 1\] is inf"),
        ({"X": t}, r"X must have shape \(n, d\)"),
    ],
)
def test_data_that_make_no_sense(change, message):
    data = {"X": X, "t": t, "s": None} | change
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=n))
    with pytest.raises(InputError, match=message):
        model.fit(data["X"], data["t"], data["s"])


@pytest.mark.parametrize("intercept", [False, True])
def test_numbers_that_are_too_large(intercept):
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=3), intercept=intercept)
    with pytest.raises(InputError, match="too large for floats: rescale t"):
        model.fit(X, np.where(t > 5, 1e200, -1e200))
    with pytest.raises(InputError, match="too large for floats"):
        model.fit(X, t * 1e10, np.full(n, 1e300))


def test_a_function_that_is_no_kernel():
    """k(z, z) is as it should be at the landmarks, but not everywhere."""
    k = kl.FromFunction(lambda x, z: 1 + (x[0] - z[0]) ** 2, "bowl")
    phi = Nystroem(k, landmarks=X[:1])
    with pytest.raises(NotPositiveDefinite, match="not proven to be a kernel"):
        LowRankRidge(phi).fit(np.vstack([X[:1], X[:1] + 2.5]), [0.0, 1.0])


def test_a_message_names_the_block():
    y = MANY_T.copy()
    y[MAX_BLOCK_ROWS + 2] = np.inf
    with pytest.raises(InputError, match=rf"y\[{MAX_BLOCK_ROWS + 2}\] is NaN or inf"):
        LowRankRidge(Nystroem(GAUSSIAN, rank=3)).fit(MANY_X, y)


def test_parameters_that_make_no_sense():
    with pytest.raises(InputError, match="lam must be positive"):
        LowRankRidge(Nystroem(GAUSSIAN), lam=0).fit(X, t)
    with pytest.raises(TypeError, match=r"low-rank map, such as Nystroem.*got str"):
        LowRankRidge("rbf").fit(X, t)
    with pytest.raises(InfiniteDimensional):
        LowRankRidge(GAUSSIAN).fit(X, t)


def test_predictions_that_make_no_sense():
    model = LowRankRidge(Nystroem(GAUSSIAN, rank=r))
    with pytest.raises(NotFitted, match="this LowRankRidge is not fitted yet"):
        model.predict(X)
    with pytest.raises(NotFitted):
        model.score(X, t)
    model.fit(X, t)
    with pytest.raises(InputError, match=r"has 3 features, but .* is expecting 2"):
        model.predict(np.ones((4, 3)))
    with pytest.raises(InputError, match=r"y must have shape \(q,\), as in fit"):
        model.score(X, np.ones((n, 2)))
    with pytest.raises(InputError, match="zero for every point"):
        model.score(X, t, np.zeros(n))
    model.fit(X, TARGETS["two outputs"])
    with pytest.raises(InputError, match=r"y must have shape \(q, 2\), as in fit"):
        model.score(X, t)
