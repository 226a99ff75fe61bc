"""Nyström: a projection in the feature space; its errors; every kind of points."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.kernel_approximation import Nystroem as Peer

from kernellab import kernels as kl
from kernellab.errors import InputError, NotFitted, NotPositiveDefinite, UndefinedValue
from kernellab.kernels.points import Points
from kernellab.lowrank import ApproximationError, LowRank, Nystroem, pivoted_cholesky
from kernellab.lowrank.landmarks import RULES
from kernellab.lowrank.nystroem import DEPENDENCE_TOLERANCE, independent

rng = np.random.default_rng(6)
X = rng.normal(size=(60, 3))
Z = rng.normal(size=(25, 3))
GAUSSIAN = kl.Gaussian(sigma=2.0)
WORDS = ["abab", "baba", "abba", "cccc", "ccac", "accc", "abab", "bb"]
GRAPHS = [
    kl.Graph(3, [(0, 1), (1, 2)]),
    kl.Graph(3, [(0, 1), (1, 2), (0, 2)]),
    kl.Graph(4, [(0, 1), (2, 3)]),
    kl.Graph(3, [(0, 1), (1, 2)]),
]
KERNELS = [
    GAUSSIAN,
    kl.Exponential(sigma=1.0),
    kl.Polynomial(degree=2),
    2 * kl.Linear() + kl.Matern(nu=1.5),
]
each_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)
each_rule = pytest.mark.parametrize("how", RULES)


def close(A, B, tol=1e-8):
    np.testing.assert_allclose(A, B, atol=tol * max(1.0, np.abs(B).max()))


def on_disk(folder, array):
    file = np.memmap(folder / "X", dtype=array.dtype, mode="w+", shape=array.shape)
    file[:] = array
    file.flush()
    return np.memmap(folder / "X", dtype=array.dtype, mode="r", shape=array.shape)


# --- what it computes -----------------------------------------------------------------


@each_kernel
@each_rule
def test_the_formula(k, how):
    """K̂ = K_nr K_rr⁻¹ K_rn, with a pseudo-inverse and new points too."""
    model = Nystroem(k, 8, how).fit(X)
    L = model.landmarks_
    inverse = np.linalg.pinv(k(L), rcond=1e-11)
    close(model.approximate(X), k(X, L) @ inverse @ k(L, X), tol=1e-7)
    close(model.approximate(Z, X), k(Z, L) @ inverse @ k(L, X), tol=1e-7)
    assert model.rank_ == len(L) == model.transform(Z).shape[1] <= 8
    np.testing.assert_array_equal(X[model.indices_], L)


@each_rule
def test_it_is_a_projection_of_the_features(how):
    k = kl.Polynomial(degree=2)
    phi = k.features()
    model = Nystroem(k, 6, how).fit(X)
    basis = phi(model.landmarks_).T

    def projected(points):
        coefficients = np.linalg.lstsq(basis, phi(points).T, rcond=None)[0]
        return (basis @ coefficients).T

    close(model.approximate(Z), projected(Z) @ projected(Z).T)
    lost = ((phi(Z) - projected(Z)) ** 2).sum()
    np.testing.assert_allclose(model.error(Z).trace, lost)


@each_kernel
def test_with_all_points_it_is_exact(k):
    model = Nystroem(k, 60).fit(X)
    close(model.approximate(X), k(X))
    assert model.error(X).relative < 1e-9
    assert model.error(X).entry < 1e-9 * k.diag(X).max()


@each_kernel
@each_rule
def test_it_is_exact_at_the_landmarks(k, how):
    model = Nystroem(k, 8, how).fit(X)
    L = model.landmarks_
    close(model.approximate(L, Z), k(L, Z))


@each_kernel
@each_rule
def test_it_lies_below(k, how):
    model = Nystroem(k, 8, how).fit(X)
    R = k(Z) - model.approximate(Z)
    assert np.linalg.eigvalsh(R)[0] > -1e-9 * np.trace(k(Z))


def test_pivoted_landmarks_give_the_pivoted_factor():
    factor = pivoted_cholesky(GAUSSIAN, X, 12)
    model = Nystroem(GAUSSIAN, 12, "pivoted").fit(X)
    np.testing.assert_array_equal(model.indices_, factor.pivots)
    close(model.transform(X), factor.L)
    np.testing.assert_allclose(model.error(X).trace, factor.errors[-1], rtol=1e-8)


def test_against_scikit_learn():
    peer = Peer("rbf", gamma=1 / 8, n_components=10, random_state=0).fit(X)
    model = Nystroem(GAUSSIAN, landmarks=X[peer.component_indices_]).fit(X)
    A = peer.transform(Z)
    close(model.approximate(Z), A @ A.T)
    assert model.rank_ == 10


@given(st.integers(1, 15), st.integers(1, 20), st.sampled_from(list(RULES)))
def test_properties(n, rank, how):
    points = np.random.default_rng(n).integers(-2, 3, size=(n, 2)).astype(float)
    k = kl.Gaussian(sigma=1.5)
    model = Nystroem(k, rank, how, random_state=rank).fit(points)
    error = model.error(points)
    assert 1 <= model.rank_ <= min(rank, len(np.unique(points, axis=0)))
    R = k(points) - model.approximate(points)
    np.testing.assert_allclose(error.trace, np.trace(R), atol=1e-10)
    assert np.linalg.norm(R, 2) <= error.trace + 1e-10


# --- the order of the landmarks -------------------------------------------------------


@each_rule
def test_the_first_columns_are_the_map_of_the_first_landmarks(how):
    model = Nystroem(GAUSSIAN, 10, how).fit(X)
    fewer = Nystroem(GAUSSIAN, landmarks=model.landmarks_[:4]).fit(X)
    close(fewer.transform(Z), model.transform(Z)[:, :4])


@each_rule
def test_more_landmarks_less_error(how):
    model = Nystroem(GAUSSIAN, 20, how).fit(X)
    nested = [
        Nystroem(GAUSSIAN, landmarks=model.landmarks_[:j]).fit(X).error(X)
        for j in range(1, 21)
    ]
    traces, entries = [e.trace for e in nested], [e.entry for e in nested]
    assert (np.diff(traces) < 0).all()
    assert (np.diff(entries) <= 1e-12).all()


def test_the_farthest_come_first():
    L = Nystroem(GAUSSIAN, 20, "uniform").fit(X)._L
    assert (np.diff(L.diagonal()) <= 0).all()


# --- dependent landmarks --------------------------------------------------------------


@each_rule
def test_duplicates(how):
    twice = np.concatenate([X[:5], X[:5], X[:5]])
    model = Nystroem(kl.Exponential(), 12, how).fit(twice)
    assert model.rank_ <= 5
    pivots = "pivoted" in how  # they never come twice
    assert model.rank_ + model.dropped_ == (5 if pivots else 12)
    close(model.approximate(model.landmarks_), kl.Exponential()(model.landmarks_))


def test_more_landmarks_than_features():
    model = Nystroem(kl.Polynomial(degree=2), 30, "uniform").fit(X)
    assert (model.rank_, model.dropped_) == (10, 20)
    close(model.approximate(Z), kl.Polynomial(degree=2)(Z))


def test_more_landmarks_than_points():
    model = Nystroem(kl.Exponential(), 100).fit(X[:7])
    assert model.rank_ == 7
    assert model.dropped_ == 0


def test_more_landmarks_than_digits():
    """K_zz has a condition number beyond all floats; the projection stays good."""
    line = np.linspace(-1, 1, 300)[:, None]
    k = kl.Gaussian(sigma=1.0)
    model = Nystroem(k, 200, "uniform").fit(line)
    assert model.rank_ < 20
    assert model.dropped_ == 200 - model.rank_
    assert np.abs(model.approximate(line) - k(line)).max() < 1e-9
    pivots = model._L.diagonal() ** 2
    assert pivots.min() > DEPENDENCE_TOLERANCE * pivots.max()


@pytest.mark.parametrize("k", [kl.Constant(0.0), 0 * kl.Gaussian()], ids=repr)
@each_rule
def test_the_zero_kernel(k, how):
    model = Nystroem(k, 5, how).fit(X)
    np.testing.assert_array_equal(model.transform(Z), np.zeros((25, 1)))
    assert model.rank_ == len(model.landmarks_) == 1
    assert model.error(Z).trace == 0
    assert model.error(Z).relative == 0


def test_one_point():
    model = Nystroem(kl.Linear()).fit([[3.0, 4.0]])
    assert model.landmarks_.tolist() == [[3.0, 4.0]]
    assert model.transform([[3.0, 4.0], [4.0, -3.0]]).tolist() == [[5.0], [0.0]]


@pytest.mark.parametrize("c", [1e-200, 1e200])
def test_the_scale_of_the_kernel(c):
    one, other = (Nystroem(k, 8).fit(X) for k in (GAUSSIAN, c * GAUSSIAN))
    np.testing.assert_array_equal(one.indices_, other.indices_)
    np.testing.assert_allclose(other.transform(Z), np.sqrt(c) * one.transform(Z))
    np.testing.assert_allclose(other.error(Z).relative, one.error(Z).relative)


def test_independent_rows():
    A = rng.normal(size=(6, 3))
    K = A @ A.T
    L, kept = independent(K, None)
    assert len(kept) == 3
    close(L @ L.T, K[np.ix_(kept, kept)])
    np.testing.assert_array_equal(L, np.tril(L))


# --- given landmarks ------------------------------------------------------------------


def test_given_landmarks():
    given_ = rng.normal(size=(5, 3))
    model = Nystroem(GAUSSIAN, landmarks=given_, rank=2).fit(X)
    assert model.rank_ == 5  # the rank does not matter
    assert model.indices_ is None
    assert sorted(model.landmarks_.tolist()) == sorted(given_.tolist())


def test_given_landmarks_are_copied():
    given_ = X[:5].copy()
    model = Nystroem(GAUSSIAN, landmarks=given_).fit(X)
    before = model.transform(Z)
    given_ += 1
    np.testing.assert_array_equal(model.transform(Z), before)


@pytest.mark.parametrize(
    ("landmarks", "message"),
    [
        (np.zeros((2, 4)), "with 3 columns, as X; got 2 with 4 columns"),
        (np.zeros((0, 3)), "landmarks must be one point or more"),
        ([[np.nan] * 3], r"landmarks\[0, 0\] is NaN"),
        ("random", "landmarks must be one of 'uniform'"),
    ],
)
def test_wrong_landmarks(landmarks, message):
    with pytest.raises(InputError, match=message):
        Nystroem(GAUSSIAN, landmarks=landmarks).fit(X)


# --- errors ---------------------------------------------------------------------------


@each_kernel
@each_rule
def test_the_error_is_the_nuclear_norm(k, how):
    model = Nystroem(k, 8, how).fit(X)
    for points in (X, Z):
        R = k(points) - model.approximate(points)
        error = model.error(points)
        scale = np.trace(k(points))
        singular = np.linalg.svd(R, compute_uv=False)
        np.testing.assert_allclose(error.trace, singular.sum(), atol=1e-9 * scale)
        np.testing.assert_allclose(error.entry, np.abs(R).max(), atol=1e-9 * scale)
        np.testing.assert_allclose(error.total, scale)
        assert error.relative == error.trace / error.total
        assert singular[0] <= error.trace + 1e-9 * scale
        assert np.linalg.norm(R) / len(R) <= error.rms + 1e-9 * scale
        assert error.bound
        assert error.n == len(points)


def test_how_an_error_prints():
    exact = ApproximationError(n=10, trace=0.5, total=10.0, entry=0.2, rms=0.05)
    assert str(exact) == repr(exact)
    assert str(exact) == (
        "10 points: tr(K − K̂) = 0.5, 0.05 of tr K; |k − k̂| ≤ 0.2, rms ≤ 0.05"
    )
    seen = ApproximationError(10, 0.0, 10.0, 0.2, 0.05, pairs=100, spread=0.01)
    assert not seen.bound
    assert "over 100 pairs: rms 0.05 ± 0.01, at most 0.2" in str(seen)


def test_no_points_no_error():
    error = Nystroem(GAUSSIAN, 5).fit(X).error(np.empty((0, 3)))
    assert (error.n, error.trace, error.relative) == (0, 0.0, 0.0)


class Shrunken(Nystroem):
    """φ̂ that is no projection: 0.9 times one."""

    _projects = False

    def _columns(self, points):
        return 0.9 * super()._columns(points)


def test_an_estimated_error():
    model = Shrunken(GAUSSIAN, 60).fit(X)
    error = model.error(X)
    R = GAUSSIAN(X) - model.approximate(X)
    assert not error.bound
    assert error.pairs == 2**14
    assert abs(error.rms - np.sqrt(np.mean(R**2))) < 4 * error.spread
    assert error.spread < 0.02 * error.rms
    assert error.entry <= np.abs(R).max() + 1e-12
    np.testing.assert_allclose(error.trace, np.trace(R))
    assert model.error(X) == error


def test_a_function_that_is_no_kernel():
    k = kl.FromFunction(lambda x, z: float(1 - (x[0] - z[0]) ** 2), "parabola")
    with pytest.raises(NotPositiveDefinite, match="Gram matrix of the landmarks"):
        Nystroem(k, landmarks=[[0.0], [3.0]]).fit([[0.0]])
    model = Nystroem(k, landmarks=[[0.0]]).fit([[0.0]])
    with pytest.raises(NotPositiveDefinite, match=r"= 1 .*length 64.*refute"):
        model.error([[0.0], [3.0]])
    hollow = kl.FromFunction(lambda x, z: float(abs(x[0] - z[0])))
    with pytest.raises(NotPositiveDefinite, match="after 0 steps"):
        Nystroem(hollow, 2).fit([[0.0], [1.0]])


def test_a_function_that_is_not_symmetric():
    k = kl.FromFunction(lambda x, z: 5.0 * (x[0] == z[0]) + x[0])
    with pytest.raises(InputError, match="must be symmetric"):
        Nystroem(k, 2).fit([[0.0], [1.0]])


# --- all kinds of points --------------------------------------------------------------


@each_rule
def test_words(how):
    k = kl.Spectrum(p=2)
    model = Nystroem(k, 8, how).fit(WORDS)
    close(model.approximate(WORDS), k(WORDS))
    assert set(model.landmarks_) <= set(WORDS)
    assert [WORDS[i] for i in model.indices_] == list(model.landmarks_)
    assert Nystroem(k, landmarks=["abab", "cc"]).fit(WORDS).rank_ == 2
    # A word without anything in common with the others has an image of 0.
    assert model.error(["xyxy"]).relative == 1


@each_rule
def test_graphs(how):
    k = kl.WeisfeilerLehman(h=2)
    model = Nystroem(k, 4, how).fit(GRAPHS)
    assert model.rank_ == 3
    close(model.approximate(GRAPHS), k(GRAPHS))


def test_many_rows_are_cut_into_blocks():
    many = np.random.default_rng(0).normal(size=(4500, 3))
    model = Nystroem(GAUSSIAN, 15).fit(many)
    Phi = model.transform(many)
    rows = [0, 1999, 2000, 4499]
    np.testing.assert_allclose(Phi[rows], model.transform(many[rows]), atol=1e-12)
    own = np.maximum(0, 1 - (Phi**2).sum(axis=1))
    error = model.error(many)
    np.testing.assert_allclose(error.trace, own.sum())
    np.testing.assert_allclose(error.entry, own.max())


@each_rule
def test_memory_maps(how, tmp_path):
    file = on_disk(tmp_path, X)
    here, there = (Nystroem(GAUSSIAN, 8, how).fit(data) for data in (X, file))
    np.testing.assert_array_equal(here.landmarks_, there.landmarks_)
    np.testing.assert_array_equal(here.transform(X), there.transform(file))
    assert here.error(X) == there.error(file)
    assert not isinstance(there.landmarks_, np.memmap)


@each_rule
def test_dask(how):
    da = pytest.importorskip("dask.array")
    array = da.from_array(X, chunks=(17, 2))
    here, there = (Nystroem(GAUSSIAN, 8, how).fit(data) for data in (X, array))
    np.testing.assert_array_equal(here.landmarks_, there.landmarks_)
    lazy = there.transform(array)
    assert isinstance(lazy, da.Array)
    assert lazy.shape == (60, 8)
    np.testing.assert_allclose(lazy.compute(), here.transform(X), atol=1e-13)
    close(there.approximate(array).compute(), here.approximate(X))
    error, same = here.error(X), there.error(array)
    np.testing.assert_allclose(error.trace, same.trace)
    np.testing.assert_allclose(error.entry, same.entry)


def test_other_layouts():
    model = Nystroem(GAUSSIAN, 8).fit(np.asfortranarray(X))
    same = Nystroem(GAUSSIAN, 8).fit(X.tolist())
    np.testing.assert_array_equal(model.landmarks_, same.landmarks_)
    close(model.transform(Z[::2]), model.transform(Z)[::2])
    single = Nystroem(GAUSSIAN, 8).fit(X.astype(np.float32))
    assert single.transform(X.astype(np.float32)).dtype == np.float64


def test_a_fit_travels():
    model = Nystroem(GAUSSIAN, 8).fit(X)
    before = model.transform(Z)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.transform(Z), before)


# --- the hooks for sums over points ---------------------------------------------------


def test_columns_before_they_are_whitened():
    model = Nystroem(GAUSSIAN, 8).fit(X)
    C, Phi = model._raw(Points(Z)), model.transform(Z)
    np.testing.assert_array_equal(C, GAUSSIAN(Z, model.landmarks_))
    close(model._whiten(C.T.copy()).T, Phi)
    once = model._whiten(C.T @ C)
    close(model._whiten(once.T.copy()), Phi.T @ Phi)


def test_columns_are_a_new_array_in_C_order():
    model = Nystroem(GAUSSIAN, 8).fit(X)
    Phi = model._columns(Points(Z))
    assert Phi.flags.c_contiguous
    assert Phi.flags.writeable
    np.testing.assert_array_equal(Phi, model.transform(Z))
    assert model._columns(Points(np.empty((0, 3)))).shape == (0, 8)


# --- an estimator like the others -----------------------------------------------------


def test_the_same_seed_the_same_map():
    a, b, c = (
        Nystroem(GAUSSIAN, 8, "random-pivoted", random_state=seed).fit(X)
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(a.transform(Z), b.transform(Z))
    assert a.indices_.tolist() != c.indices_.tolist()


def test_candidates():
    model = Nystroem(GAUSSIAN, 5, "pivoted", candidates=10, random_state=3).fit(X)
    allowed = np.random.default_rng(3).choice(60, 10, replace=False)
    assert set(model.indices_.tolist()) <= set(allowed.tolist())


def test_parameters():
    model = Nystroem(GAUSSIAN, 8)
    assert model.get_params(deep=False) == {
        "kernel": GAUSSIAN,
        "rank": 8,
        "landmarks": "random-pivoted",
        "candidates": None,
        "random_state": 0,
    }
    assert model.set_params(rank=3).fit(X).rank_ == 3
    with pytest.raises(InputError, match="no parameter gamma"):
        model.set_params(gamma=1)


def test_fit_transform_and_targets_that_are_ignored():
    model = Nystroem(GAUSSIAN, 8)
    Phi = model.fit_transform(X, np.zeros(60))
    np.testing.assert_array_equal(Phi, model.transform(X))
    assert model.fit(X) is model
    assert isinstance(model, LowRank)


def test_a_changed_parameter_waits_for_the_next_fit():
    model = Nystroem(GAUSSIAN, 8).fit(X)
    before = model.transform(Z)
    model.set_params(kernel=kl.Linear(), rank=2)
    np.testing.assert_array_equal(model.transform(Z), before)
    assert model.fit(X).rank_ == 2


def test_a_fit_that_fails_leaves_none():
    model = Nystroem(GAUSSIAN, 8).fit(X)
    with pytest.raises(InputError):
        model.set_params(rank=0).fit(X)
    with pytest.raises(NotFitted):
        model.transform(X)


def test_the_data_may_change_afterwards():
    points = X.copy()
    model = Nystroem(GAUSSIAN, 60).fit(points)
    before = model.transform(Z)
    points[:] = 0
    np.testing.assert_array_equal(model.transform(Z), before)


@pytest.mark.parametrize("method", ["transform", "error", "approximate"])
def test_not_fitted(method):
    with pytest.raises(NotFitted, match="this Nystroem is not fitted yet"):
        getattr(Nystroem(GAUSSIAN), method)(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank": 0}, "rank must be an integer ≥ 1"),
        ({"rank": 1.5}, "rank must be an integer ≥ 1"),
        ({"random_state": -1}, "random_state.* must be an integer ≥ 0"),
        ({"candidates": 3}, "at least as many candidates as landmarks"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(InputError, match=message):
        Nystroem(GAUSSIAN, **options).fit(X)


def test_wrong_points():
    model = Nystroem(GAUSSIAN, 5).fit(X)
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 3"):
        model.transform(X[:, :2])
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 3"):
        model.error(X[:, :2])
    with pytest.raises(InputError, match="must be finite"):
        model.transform([[0.0, np.inf, 0.0]])
    with pytest.raises(InputError, match="one point or more, got none"):
        Nystroem(GAUSSIAN).fit(np.empty((0, 3)))
    with pytest.raises(InputError, match="must be finite"):
        Nystroem(GAUSSIAN, 60).fit(np.where(X > 2, np.nan, X))


def test_no_points_to_transform():
    assert Nystroem(GAUSSIAN, 5).fit(X).transform(np.empty((0, 3))).shape == (0, 5)


def test_a_value_that_is_not_defined():
    k = kl.Linear() ** 0.5
    model = Nystroem(k, landmarks=[[1.0]]).fit([[1.0]])
    with pytest.raises(UndefinedValue, match="no finite value"):
        model.transform([[-1.0]])


@pytest.mark.parametrize(("k", "hint"), [(kl.Gaussian, "parentheses"), ("rbf", "str")])
def test_not_a_kernel(k, hint):
    with pytest.raises(TypeError, match=f"kernel must be a Kernel.*{hint}"):
        Nystroem(k).fit(X)
