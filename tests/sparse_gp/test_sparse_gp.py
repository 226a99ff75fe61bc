"""The sparse process against the exact one: equal at Z = X, bracketed elsewhere."""

import pickle
import tracemalloc

import cloudpickle
import dask.array as da
import numpy as np
import pytest

from kernellab import GaussianProcess, SparseGaussianProcess
from kernellab import kernels as kl
from kernellab.data import elevation
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.sparse_gp import EvidenceBracket

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 2))
T = 3 + np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.2 * rng.normal(size=120)
Z = 2 * rng.normal(size=(30, 2))
K = 1.5 * kl.Gaussian(sigma=(0.8, 1.2))


def close(actual, expected, tol=1e-6):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def fitted(kernel=K, points=X, t=T, noise=0.1, **given):
    return SparseGaussianProcess(kernel, noise, **given).fit(points, t, optimize=False)


def exact(kernel=K, points=X, t=T, noise=0.1, mean=None):
    return GaussianProcess(kernel, noise, mean).fit(points, t, optimize=False)


# --- against the exact process --------------------------------------------------------


@pytest.mark.parametrize("mean", [None, 2.0, "constant", lambda P: P[:, 0]])
def test_all_points_as_landmarks_are_the_exact_process(mean):
    model, whole = fitted(mean=mean, landmarks=X), exact(mean=mean)
    evidence = whole.log_marginal_likelihood()
    close([model.certificate_.lower, model.certificate_.upper], evidence)
    close(model.predict(Z), whole.predict(Z))
    for full in (False, True):
        for found, wanted in zip(
            model.predict_f(Z, full=full), whole.predict_f(Z, full=full), strict=True
        ):
            close(found, wanted)
        close(model.predict_y(Z, full=full)[1], whole.predict_y(Z, full=full)[1])
    close(model.score(X, T), whole.score(X, T))
    if mean == "constant":
        close(model.mean_, whole.mean_)


@pytest.mark.parametrize("mean", [None, "constant"])
@pytest.mark.parametrize("noise", [0.01, 1.0])
@pytest.mark.parametrize("rank", [1, 5, 20, 60])
def test_the_evidence_is_between_its_bounds(mean, noise, rank):
    proof = fitted(noise=noise, mean=mean, rank=rank).certificate_
    evidence = exact(noise=noise, mean=mean).log_marginal_likelihood()
    assert proof.lower <= evidence + 1e-8
    assert evidence <= proof.upper + 1e-8
    assert proof.gap == pytest.approx(proof.upper - proof.lower)


def test_more_landmarks_never_lower_the_bound():
    order = np.random.default_rng(1).permutation(len(X))
    bounds = [
        fitted(landmarks=X[order[:m]]).certificate_.lower for m in (1, 3, 9, 27, 81)
    ]
    assert (np.diff(bounds) > -1e-8).all()
    assert bounds[0] < bounds[-1] - 10


# --- variances ------------------------------------------------------------------------


def test_what_holds_of_the_variances():
    """Unseen ≤ v ≤ prior everywhere; v ≤ exact at the landmarks."""
    model, whole = fitted(rank=12), exact()
    v = model.predict_f(Z)[1]
    Zm = model.landmarks_
    unseen = K.diag(Z) - np.einsum(
        "ij,ji->i", K(Z, Zm), np.linalg.solve(K(Zm), K(Zm, Z))
    )
    assert (v >= unseen - 1e-8).all()
    assert (v <= K.diag(Z) + 1e-8).all()
    assert (model.predict_f(Zm)[1] <= whole.predict_f(Zm)[1] + 1e-8).all()


def test_a_variance_may_be_below_the_exact_one():
    """What is asked for has nothing to do with what was seen; the landmark with both.

    The data speak through the landmark alone, and seem to say something about it.
    """
    seen, between, apart = [[1.0, 0.0]], [[0.8, 0.6]], [[0.0, 1.0]]
    model = fitted(kl.Linear(), seen, [1.0], landmarks=between)
    v = model.predict_f(apart)[1]
    assert exact(kl.Linear(), seen, [1.0]).predict_f(apart)[1] == pytest.approx(1.0)
    assert v < 0.8
    low, high = model.certificate_.variance_range
    assert low * v <= 1.0 <= high * v


@pytest.mark.parametrize("rank", [30, 45, 60])
def test_the_gap_says_how_far_predictions_can_be_off(rank):
    k = 1.5 * kl.Gaussian(sigma=2.0)
    model, whole = fitted(k, rank=rank), exact(k)
    (mean, v), (mean_, v_) = model.predict_f(Z), whole.predict_f(Z)
    proof = model.certificate_
    low, high = proof.variance_range
    assert 0 < low <= 1 <= high < 5
    assert (low * v <= v_ + 1e-9).all()
    assert (v_ <= high * v + 1e-9).all()
    assert (np.abs(mean - mean_) <= proof.mean_range * np.sqrt(v_) + 1e-7).all()


def test_a_gap_that_says_nothing():
    assert EvidenceBracket(primal=0.0, dual=-1e6).variance_range == (0.0, np.inf)
    assert EvidenceBracket(primal=1.0, dual=1.0).variance_range == pytest.approx((1, 1))


def test_far_from_the_landmarks_there_is_the_prior():
    close(fitted(rank=5).predict_f([[50.0, 50.0]])[1], 1.5)


# --- the gradient ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel",
    [
        K,
        kl.Gaussian(sigma=0.7) + 0.5 * kl.Linear(),
        2.0 * kl.Periodic(sigma=1.0, period=2.5) * kl.Exponential(sigma=3.0),
        kl.Polynomial(degree=3, c=0.7),
        kl.RationalQuadratic(sigma=1.3, alpha=2.0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("mean", [None, "constant"])
def test_the_gradient_is_that_of_differences(kernel, mean):
    model = fitted(kernel, X, T, mean=mean, landmarks=X[:15] + 0.1)
    theta = np.append(kernel.theta, np.log(0.1))
    value, gradient = model.lower_bound(X, T, gradient=True)
    assert value == pytest.approx(model.certificate_.lower)
    steps = 1e-5 * np.eye(len(theta))
    slopes = [
        model.lower_bound(X, T, theta + s) - model.lower_bound(X, T, theta - s)
        for s in steps
    ]
    close(gradient, np.array(slopes) / 2e-5, 1e-4)


def test_learning_finds_the_optimum_of_the_exact_process():
    """With every point a landmark the bound is the likelihood."""
    model = SparseGaussianProcess(1.0 * kl.Gaussian(), 0.1, "constant", landmarks=X)
    whole = GaussianProcess(1.0 * kl.Gaussian(), 0.1, "constant").fit(X, T)
    model.fit(X, T, restarts=0)
    assert model.report_.value == pytest.approx(whole.report_.value, abs=1e-2)
    assert "lower bound of the log evidence" in repr(model.report_)


def test_landmarks_follow_the_kernel_that_is_learned():
    line = np.linspace(0, 10, 400)[:, None]
    t = np.sin(line[:, 0]) + 0.1 * np.random.default_rng(2).normal(size=400)
    start = 1.0 * kl.Gaussian(sigma=0.05)
    model = SparseGaussianProcess(start, 0.1, rank=12).fit(line, t)
    whole = GaussianProcess(start, 0.1).fit(line, t)
    assert model.report_.value > whole.report_.value - 0.5
    assert model.certificate_.lower == pytest.approx(model.report_.value)
    assert model.pilot_.starts > 30
    assert np.abs(model.predict(line) - whole.predict(line)).max() < 0.02


def test_priors_and_bounds_are_those_of_the_exact_process():
    given = {"bounds": {"noise": (0.5, 0.5)}, "priors": {"scale.c": (4.0, 1.01)}}
    model = SparseGaussianProcess(1.0 * kl.Gaussian(), 0.1, landmarks=X)
    model.fit(X, T, restarts=0, **given)
    assert model.noise_ == pytest.approx(0.5)
    assert model.kernel_.c == pytest.approx(4.0, rel=0.05)


# --- many points ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def many():
    r = np.random.default_rng(3)
    points = r.uniform(-3, 3, size=(5000, 2))
    return points, np.sin(2 * points[:, 0]) * points[:, 1] + 0.1 * r.normal(size=5000)


def test_blocks_of_any_kind_give_the_same(many, tmp_path, monkeypatch):
    points, t = many
    model = fitted(kl.Gaussian(), points, t, mean="constant", rank=40)
    mapped = np.lib.format.open_memmap(
        tmp_path / "X.npy", mode="w+", dtype=float, shape=points.shape
    )
    mapped[:] = points
    lazy = da.from_array(points, chunks=(1300, 2)), da.from_array(t, chunks=700)
    monkeypatch.setattr("kernellab.lowrank.data_blocks.MAX_BLOCK_ROWS", 400)
    for given in ((points, t), (mapped, t), lazy):
        again = fitted(kl.Gaussian(), *given, mean="constant", rank=40)
        close(again.certificate_.lower, model.certificate_.lower, 1e-9)
        close(again.predict(points[:50]), model.predict(points[:50]))
        close(
            again.lower_bound(*given, gradient=True)[1],
            model.lower_bound(points, t, gradient=True)[1],
        )
    mean, variance = model.predict_f(lazy[0])
    close(mean.compute(), model.predict(points))
    close(variance.compute(), model.predict_f(points)[1])


def test_memory_does_not_grow_with_the_points():
    """A Gram matrix would take 80 GB; all features of 20 landmarks, 16 MB."""
    r = np.random.default_rng(4)
    points = r.uniform(-3, 3, size=(100_000, 1))
    t = np.sin(points[:, 0]) + 0.1 * r.normal(size=100_000)
    model = SparseGaussianProcess(kl.Gaussian(), 0.01, rank=20, candidates=2000)
    model.fit(points[:3000], t[:3000], optimize=False)  # imports, caches
    tracemalloc.start()
    try:
        model.fit(points, t, optimize=False)
        model.lower_bound(points, t, gradient=True)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8e6
    assert model.certificate_.relative_gap < 1e-5
    close(model.predict([[1.0]]), np.sin(1.0), 1e-2)


def test_the_hills_of_tennessee():
    """Blocks of 3 km are left out whole: there it agrees with the exact process."""
    land = elevation()
    held_out = land.groups % 7 == 0
    some = np.flatnonzero(~held_out)[::80]
    train, t = land.X[some], land.y[some]
    hills = land.X[held_out][::40], land.y[held_out][::40]
    kernel, noise = 2e4 * kl.Gaussian(sigma=2.4), 4600.0
    model = fitted(kernel, train, t, noise, mean="constant", rank=200)
    whole = exact(kernel, train, t, noise, mean="constant")
    proof = model.certificate_
    assert proof.lower <= whole.log_marginal_likelihood() <= proof.upper
    assert model.score(*hills) == pytest.approx(whole.score(*hills), abs=0.05)
    (mean, v), (mean_, v_) = model.predict_y(hills[0]), whole.predict_y(hills[0])
    assert np.abs(mean - mean_).mean() < 0.2 * np.sqrt(v_).mean()
    assert 0.8 < np.median(v / v_) < 1.25


# --- inputs ---------------------------------------------------------------------------


def test_objects_are_points_too():
    words = ["abab", "baba", "abba", "bbaa", "aabb"] * 3
    t = np.array([word.count("ab") for word in words], dtype=float)
    model = fitted(kl.Spectrum(2), words, t, landmarks=["abab", "bbaa", "aabb"])
    assert model.rank_ == 3
    assert model.predict(["ababab"])[0] > model.predict(["bbbb"])[0]


def test_it_can_be_sent_elsewhere():
    model = fitted(rank=12, mean=lambda P: P[:, 0])
    again = cloudpickle.loads(cloudpickle.dumps(model))
    close(again.predict(Z), model.predict(Z), 1e-12)
    assert len(pickle.dumps(fitted(rank=5))) < 5000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"noise": 0.0}, "noise must be one variance > 0"),
        ({"noise": np.ones(120)}, "use GaussianProcess"),
        ({"landmarks": "best"}, "landmarks must be one of"),
        (
            {"landmarks": [[1.0]], "kernel": kl.Gaussian()},
            "landmarks must be one point or more with 2 columns",
        ),
        ({"rank": 0}, "rank must be an integer ≥ 1"),
        ({"t": np.zeros(7)}, "y must have one row for each of the 120 points"),
        ({"t": np.zeros((120, 2))}, r"y must have shape \(q,\)"),
        ({"t": np.full(120, np.nan)}, "must be finite"),
    ],
)
def test_messages(given, message):
    with pytest.raises(InputError, match=message):
        fitted(**given)


def test_a_kernel_without_a_proof(monkeypatch):
    plain = kl.FromFunction(lambda x, z: float(np.exp(-np.sum((x - z) ** 2))))
    assert fitted(plain, rank=9).certificate_.assumes == ""
    monkeypatch.setattr("kernellab.estimator.TESTED_POINTS", 10)
    proof = fitted(plain, rank=9).certificate_
    assert str(proof).endswith("if K ⪰ 0, which 10 of 120 points were tested for")
    assert fitted(rank=9).certificate_.assumes == ""
    distance = kl.FromFunction(lambda x, z: float(np.sum((x - z) ** 2)), "distance")
    with pytest.raises(NotPositiveDefinite, match="not proven to be a kernel"):
        fitted(distance, rank=9)
