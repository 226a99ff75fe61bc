"""Rows of a Gram matrix: the same numbers, however few of them are kept."""

import tracemalloc

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError, UndefinedValue
from kernellab.kernels.gram import RowRequest
from kernellab.kernels.points import Points, objects
from kernellab.kernels.row_cache import (
    FAST_ROWS_MIN_POINTS,
    ROW_TOLERANCE,
    WHOLE_MAX_POINTS,
    GramRows,
    RowCache,
    expand_rows,
)

FAST = [
    kl.Gaussian(sigma=2.0),
    kl.Gaussian(sigma=(1.0, 0.5, 3.0, 2.0)),
    3.0 * kl.Gaussian(sigma=2.0),
    kl.Gaussian(sigma=2.0) + 1,
    2 * kl.Gaussian(sigma=0.7) - 0.5 * kl.Gaussian(sigma=2.0) + 3,
]
SLOW = [kl.Laplacian(sigma=2.0), kl.Gaussian(sigma=2.0) + kl.Laplacian(sigma=2.0)]


class Recorded(GramRows):
    """Rows that note which of them were computed."""

    def writer(self, columns, dtype):
        self.written = []
        write = super().writer(columns, dtype)
        return lambda p, out: (self.written.append(p), write(p, out))


def cloud(n, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def three_rows(n):
    """Megabytes that hold three rows in float64."""
    return 3 * n * 8 / 1e6


# --- where rows come from -------------------------------------------------------------


@pytest.mark.parametrize("k", FAST, ids=repr)
@pytest.mark.parametrize("columns", [None, np.array([5, 3, 29])])
def test_a_row_writer_writes_k(k, columns):
    X = cloud(30)
    K = k(X) if columns is None else k(X)[:, columns]
    for dtype, tolerance, error in (
        (np.float64, ROW_TOLERANCE, 1e-14),
        (np.float32, 1e-6, 1e-6),
    ):
        write = k.row_writer(RowRequest(Points(X), columns, dtype, tolerance))
        one, several = np.empty(K.shape[1], dtype), np.empty((3, K.shape[1]), dtype)
        write(7, one)
        write(np.array([2, 7, 1]), several)
        size = np.abs(K).max()
        assert one == pytest.approx(K[7], abs=5 * error * size)
        assert several == pytest.approx(K[[2, 7, 1]], abs=5 * error * size)


@pytest.mark.parametrize("k", SLOW, ids=repr)
def test_other_kernels_have_no_row_writer(k):
    assert k.row_writer(RowRequest(Points(cloud(5)), None, np.float64, 1.0)) is None


def test_a_row_writer_keeps_its_tolerance_or_there_is_none():
    """½‖x/σ‖² is about 5·10⁷: eight digits of the exponent are lost."""
    X = np.concatenate([cloud(20), cloud(20, seed=1) + 1e4])
    k = kl.Gaussian(sigma=1.0)
    for scaled in (k, 2 * k, k + 1):
        assert scaled.row_writer(RowRequest(Points(X), None, np.float64, 1e-9)) is None
    for dtype in (np.float32, np.float64):
        write = k.row_writer(RowRequest(Points(X), None, dtype, 1e-6))
        out = np.empty(40, dtype)
        write(0, out)
        assert out == pytest.approx(k(X)[0], abs=2e-6)


def test_points_too_far_apart_for_squares():
    X = np.array([[1e200], [-1e200], [0.0]])
    request = RowRequest(Points(X), None, np.float64, 1e-6)
    assert kl.Gaussian().row_writer(request) is None


@pytest.mark.parametrize("k", [FAST[0], SLOW[0]], ids=repr)
def test_few_points_are_computed_at_once(k):
    limit = FAST_ROWS_MIN_POINTS if k is FAST[0] else WHOLE_MAX_POINTS
    X = cloud(limit + 1, d=1)
    K = GramRows(k, Points(X[:limit])).whole
    np.testing.assert_allclose(K, k(X[:limit]), rtol=0, atol=ROW_TOLERANCE)
    assert GramRows(k, Points(X)).whole is None


def test_a_symmetric_matrix_is_not_copied():
    K = kl.Linear()(cloud(5))
    assert GramRows(None, K).whole is K
    almost = K.copy()
    almost[0, 1] *= 1 + 1e-15
    mended = GramRows(None, almost).whole
    np.testing.assert_array_equal(mended, mended.T)


@pytest.mark.parametrize(
    ("K", "message"),
    [
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "must be symmetric"),
        (np.ones((2, 3)), "must be a square array"),
        (np.array([[1.0, np.inf], [np.inf, 1.0]]), "must be finite"),
    ],
)
def test_bad_matrices(K, message):
    with pytest.raises(InputError, match=message):
        GramRows(None, K)


def test_a_pair_of_points_without_a_value_is_named(rows_on_demand):
    k = kl.FromDistance(lambda r: np.log(1.5 - r))
    gram = GramRows(k, Points(np.array([[0.0], [1.0], [2.0]])))
    with pytest.raises(UndefinedValue, match="has no finite value"):
        RowCache(gram).row(0)


# --- the cache ------------------------------------------------------------------------


@pytest.mark.parametrize("k", FAST[:3] + SLOW, ids=repr)
def test_a_cache_of_three_rows_gives_the_same_rows_as_one_of_all(k, rows_on_demand):
    X, r = cloud(60), np.random.default_rng(0)
    gram, K = GramRows(k, Points(X)), k(X)
    assert gram.whole is None
    np.testing.assert_allclose(gram.diagonal, K.diagonal())
    V, w = r.permutation(60)[:20], r.normal(size=20)
    small = RowCache(gram, megabytes=three_rows(60))
    assert small.capacity == 3
    for cache in (small, RowCache(gram), RowCache(GramRows(None, K))):
        for v in r.integers(0, 60, 200).tolist():
            assert cache.row(v) == pytest.approx(K[v], abs=1e-13)
        assert cache.block(V) == pytest.approx(K[np.ix_(V, V)], abs=1e-13)
        assert cache.combine(V, w) == pytest.approx(w @ K[V], abs=1e-12)
        keep = np.sort(V)
        narrow = cache.narrowed(keep).narrowed(np.arange(0, 20, 2))
        for v in range(10):
            assert narrow.row(v) == pytest.approx(K[keep[2 * v], keep[::2]], abs=1e-13)


@pytest.mark.parametrize("k", [FAST[0], SLOW[0]], ids=repr)
def test_points_may_be_repeated_and_in_any_order(k, rows_on_demand):
    X, points = cloud(30), np.array([7, 3, 3, 20, 7, 0])
    K = k(X)[np.ix_(points, points)]
    on_demand, given = GramRows(k, Points(X)), GramRows(None, k(X))
    for gram, megabytes in ((on_demand, 1.0), (given, 1.0), (given, three_rows(6))):
        cache = RowCache(gram, np.float64, megabytes, points)
        for v in range(6):
            assert cache.row(v) == pytest.approx(K[v], abs=1e-14)
        keep = np.array([1, 3, 4])
        assert cache.narrowed(keep).row(2) == pytest.approx(K[4, keep], abs=1e-14)


def test_the_least_recently_used_row_makes_room(rows_on_demand):
    gram = Recorded(kl.Gaussian(), Points(cloud(20)))
    cache = RowCache(gram, megabytes=three_rows(20))
    for v in (0, 1, 2, 0, 3, 0, 1):
        cache.row(v)
    assert gram.written == [0, 1, 2, 3, 1]  # 3 took the place of 1, and 1 that of 2


def test_a_narrowed_cache_computes_no_row_again(rows_on_demand):
    gram = Recorded(kl.Gaussian(), Points(cloud(20)))
    cache = RowCache(gram)
    for v in (4, 8):
        cache.row(v)
    narrow = cache.narrowed(np.array([4, 6, 8]))
    for v in range(3):
        narrow.row(v)
    assert gram.written == [6]


def test_two_rows_can_be_read_at_a_time(rows_on_demand):
    k, X = kl.Gaussian(), cloud(20)
    cache = RowCache(GramRows(k, Points(X)), megabytes=0.0)
    assert cache.capacity == 2
    for v in range(19):
        first, second = cache.row(v), cache.row(v + 1)
        assert first == pytest.approx(k(X)[v], abs=1e-14)
        assert second == pytest.approx(k(X)[v + 1], abs=1e-14)


def test_memory_is_bounded():
    gram = GramRows(kl.Gaussian(sigma=2.0), Points(cloud(1000)))
    tracemalloc.start()
    cache = RowCache(gram, np.float32, megabytes=1.0)
    for v in range(1000):
        cache.row(v)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert cache.capacity == 250
    assert 1.0e6 <= kept <= peak < 1.2e6  # with the factors of the row writer


def test_rows_of_objects(rows_on_demand):
    words, k = ["ab", "ba", "aab", "bba", "cd"], kl.Spectrum(1)
    cache = RowCache(GramRows(k, objects(words)), points=np.array([4, 2, 0]))
    np.testing.assert_array_equal(cache.row(1), k(words)[2, [4, 2, 0]])


@pytest.mark.parametrize("n", [1, 50, 450])
def test_an_expansion_by_row_writers(n, monkeypatch):
    """Tiles on both sides, whole ones and the rest."""
    monkeypatch.setattr("kernellab.kernels.row_cache.COORDINATES_PER_SUM", 1)
    X, k = cloud(n), 2 * kl.Gaussian(sigma=2.0)
    support = np.arange(0, n, 2)
    a = np.linspace(-1, 1, len(support))
    found = expand_rows(k, Points(X), support, a)
    assert found == pytest.approx(a @ k(X)[support], abs=1e-12)
    assert expand_rows(k, Points(X), support[:0], a[:0]).tolist() == [0.0] * n
    assert expand_rows(SLOW[0], Points(X), support, a) is None
