"""Pivoted Cholesky: projections in the feature space, exact errors, two rules."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.lowrank import PivotedCholesky, pivoted_cholesky
from kernellab.lowrank.pivoted import RANK_TOLERANCE, _Factoring

rng = np.random.default_rng(8)
X = rng.normal(size=(40, 2))
WORDS = ["abab", "baba", "abba", "cccc", "ccac", "accc", "abab", "bb"]
GRAPHS = [
    kl.Graph(3, [(0, 1), (1, 2)]),
    kl.Graph(3, [(0, 1), (1, 2), (0, 2)]),
    kl.Graph(4, [(0, 1), (2, 3)]),
    kl.Graph(3, [(0, 1), (1, 2)]),
]
CASES = [
    (kl.Gaussian(sigma=1.0), X),
    (kl.Exponential(sigma=0.5), X),
    (2 * kl.Linear() + kl.Gaussian(sigma=0.3), X),
    (kl.Polynomial(degree=3), X),
    (kl.Spectrum(p=2), WORDS),
    (kl.WeisfeilerLehman(h=2), GRAPHS),
]
each_case = pytest.mark.parametrize(("k", "points"), CASES, ids=lambda c: repr(c)[:24])


def close(A, B, tol=1e-9):
    np.testing.assert_allclose(A, B, atol=tol * max(1.0, np.abs(B).max()))


def plain(K, rank):
    """Cholesky's method with greedy pivoting, entry by entry, on a stored K."""
    n = len(K)
    L, d, pivots = np.zeros((n, rank)), K.diagonal().copy(), []
    for j in range(rank):
        p = max(range(n), key=lambda i: d[i])
        for i in range(n):
            e = K[i, p] - sum(L[i, m] * L[p, m] for m in range(j))
            L[i, j] = e / math.sqrt(d[p])
        for i in range(n):
            d[i] -= L[i, j] ** 2
        pivots.append(p)
    return L, pivots


# --- what it computes -----------------------------------------------------------------


@pytest.mark.parametrize(("k", "points"), CASES[:4], ids=repr)
def test_against_the_textbook(k, points):
    L, pivots = plain(k(points), 7)
    found = pivoted_cholesky(k, points, rank=7)
    assert found.pivots.tolist() == pivots
    close(found.L, L)
    assert found.rank == 7
    assert found.L.shape == (40, 7)


@each_case
@pytest.mark.parametrize("random", [False, True])
def test_it_is_nystroem_with_its_pivots(k, points, random):
    K = k(points)
    found = pivoted_cholesky(k, points, rank=4, random=random, random_state=3)
    p = found.pivots
    close(found.L @ found.L.T, K[:, p] @ np.linalg.pinv(K[np.ix_(p, p)]) @ K[p])


@each_case
@pytest.mark.parametrize("random", [False, True])
def test_errors_are_nuclear_norms(k, points, random):
    K = k(points)
    found = pivoted_cholesky(k, points, random=random)
    assert len(found.errors) == found.rank + 1
    for j, error in enumerate(found.errors):
        R = K - found.L[:, :j] @ found.L[:, :j].T
        nuclear = np.linalg.svd(R, compute_uv=False).sum()
        np.testing.assert_allclose(error, nuclear, atol=1e-10 * np.trace(K))
        assert np.linalg.eigvalsh(R)[0] > -1e-10 * np.trace(K)  # K̂ ⪯ K
    np.testing.assert_allclose(found.relative, found.errors[-1] / np.trace(K))
    assert (np.diff(found.errors) < 0).all()


@each_case
def test_residuals(k, points):
    found = pivoted_cholesky(k, points, rank=3)
    close(found.residuals, (k(points) - found.L @ found.L.T).diagonal())
    assert found.residuals.min() >= 0
    assert (found.residuals[found.pivots] == 0).all()
    np.testing.assert_allclose(found.residuals.sum(), found.errors[-1])


@each_case
@pytest.mark.parametrize("random", [False, True])
def test_with_all_columns_it_is_exact(k, points, random):
    K = k(points)
    found = pivoted_cholesky(k, points, random=random)
    close(found.L @ found.L.T, K, tol=1e-10)
    assert found.rank == np.linalg.matrix_rank(K, tol=1e-10 * np.trace(K))


@each_case
def test_rows_of_pivots_are_a_triangle(k, points):
    found = pivoted_cholesky(k, points, rank=4)
    T = found.L[found.pivots]
    np.testing.assert_array_equal(T, np.tril(T))
    close(T @ T.T, k(points)[np.ix_(found.pivots, found.pivots)])


def test_it_projects_the_features():
    k = kl.Polynomial(degree=2)
    phi = k.features()(X)
    found = pivoted_cholesky(k, X, rank=4)
    basis = phi[found.pivots].T
    coefficients = np.linalg.lstsq(basis, phi.T, rcond=None)[0]
    projected = (basis @ coefficients).T
    close(found.L @ found.L.T, projected @ projected.T)
    close(found.residuals, ((phi - projected) ** 2).sum(axis=1))


def test_projecting_the_columns_of_K_is_something_else():
    """E1-30: QQᵀK is not symmetric."""
    K = kl.Gaussian(sigma=1.0)(X)
    found = pivoted_cholesky(kl.Gaussian(sigma=1.0), X, rank=5)
    Q = np.linalg.qr(K[:, found.pivots])[0]
    other = Q @ (Q.T @ K)
    assert np.abs(other - other.T).max() > 1e-3
    assert np.abs(other - found.L @ found.L.T).max() > 1e-3


def test_greedy_takes_the_farthest():
    k = kl.Gaussian(sigma=1.0)
    for j in range(6):
        before = pivoted_cholesky(k, X, rank=j).residuals if j else k.diag(X)
        assert pivoted_cholesky(k, X, rank=j + 1).pivots[j] == np.argmax(before)


# --- when it stops --------------------------------------------------------------------


@pytest.mark.parametrize("tol", [0.5, 1e-2, 1e-6])
def test_it_stops_at_the_tolerance(tol):
    found = pivoted_cholesky(kl.Gaussian(sigma=1.0), X, tol=tol)
    assert found.errors[-1] <= tol * found.errors[0] < found.errors[-2]
    assert found.relative <= tol


def test_whichever_comes_first():
    k = kl.Gaussian(sigma=1.0)
    assert pivoted_cholesky(k, X, rank=3, tol=1e-6).rank == 3
    assert pivoted_cholesky(k, X, rank=40, tol=0.5).rank < 10
    assert pivoted_cholesky(k, X, rank=3, tol=0.0).rank == 3


def test_more_columns_than_there_was_room_for():
    k = kl.Exponential(sigma=0.1)
    many = np.random.default_rng(0).normal(size=(200, 2))
    found = pivoted_cholesky(k, many, tol=1e-3)
    assert found.rank > 128
    once = pivoted_cholesky(k, many, rank=found.rank)
    np.testing.assert_array_equal(found.L, once.L)


def test_more_columns_than_points():
    assert pivoted_cholesky(kl.Exponential(), X, rank=100).rank == 40


@pytest.mark.parametrize("random", [False, True])
def test_duplicates_are_taken_once(random):
    twice = np.concatenate([X[:5], X[:5]])
    found = pivoted_cholesky(kl.Exponential(), twice, random=random)
    assert found.rank == 5
    assert len(set((found.pivots % 5).tolist())) == 5
    close(found.L @ found.L.T, kl.Exponential()(twice))


def test_not_more_columns_than_features():
    assert pivoted_cholesky(kl.Linear(), X).rank == 2
    assert pivoted_cholesky(kl.Polynomial(degree=2), X, rank=30).rank == 6


@pytest.mark.parametrize("k", [kl.Constant(0.0), 0 * kl.Gaussian()], ids=repr)
def test_the_zero_kernel(k):
    found = pivoted_cholesky(k, X, rank=3)
    assert found.L.shape == (40, 0)
    assert found.errors.tolist() == [0.0]
    assert found.relative == 0


def test_zero_among_the_points():
    found = pivoted_cholesky(kl.Linear(), [[0.0], [2.0], [0.0]])
    assert found.pivots.tolist() == [1]
    assert found.L.ravel().tolist() == [0.0, 2.0, 0.0]


def test_one_point():
    found = pivoted_cholesky(kl.Linear(), [[3.0, 4.0]])
    assert found.L.tolist() == [[5.0]]
    assert found.errors.tolist() == [25.0, 0.0]


@pytest.mark.parametrize("c", [1e-150, 1e-20, 1e20, 1e150])
def test_the_scale_of_the_kernel(c):
    k = kl.Gaussian(sigma=1.0)
    one, other = pivoted_cholesky(k, X, tol=1e-4), pivoted_cholesky(c * k, X, tol=1e-4)
    np.testing.assert_array_equal(one.pivots, other.pivots)
    np.testing.assert_allclose(other.L, math.sqrt(c) * one.L, atol=math.sqrt(c) * 1e-9)


def test_what_is_left_at_the_end_is_rounding():
    k = kl.Gaussian(sigma=3.0)  # forty points, but far fewer eigenvalues that matter
    found = pivoted_cholesky(k, X)
    assert found.rank < 40
    assert found.residuals.max() <= RANK_TOLERANCE
    np.testing.assert_allclose(found.L @ found.L.T, k(X), atol=1e-12)


@given(st.integers(1, 12), st.integers(1, 4), st.integers(0, 100), st.booleans())
def test_properties(n, d, seed, random):
    points = np.random.default_rng(seed).integers(-2, 3, size=(n, d)).astype(float)
    k = kl.Polynomial(degree=2) + kl.Gaussian(sigma=2.0)
    found = pivoted_cholesky(k, points, random=random, random_state=seed)
    K = k(points)
    close(found.L @ found.L.T, K, tol=1e-9)
    assert len(set(found.pivots.tolist())) == found.rank
    assert found.rank <= len(np.unique(points, axis=0))


@pytest.mark.parametrize("seed", range(10))
def test_rounding_is_never_a_pivot(seed):
    """Even by a rule that takes the smallest d that it is offered."""
    few = np.random.default_rng(seed).normal(size=(5, 2))
    k = kl.Gaussian(sigma=0.7) + kl.Polynomial(degree=2)
    run = _Factoring(k, k.read_points(np.repeat(few, 20, axis=0), "X"), 100)
    run.go(0.0, lambda d: int(np.where(d > 0, d, np.inf).argmin()))
    assert sorted(p // 20 for p in run.factor.pivots) == [0, 1, 2, 3, 4]


# --- random pivots --------------------------------------------------------------------


def test_the_same_seed_the_same_pivots():
    k = kl.Gaussian(sigma=1.0)
    runs = [
        pivoted_cholesky(k, X, 10, random=True, random_state=seed).pivots.tolist()
        for seed in (0, 0, 1)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_the_chances_of_a_pivot():
    """Four orthogonal features with squared lengths 1, 4, 0 and 15."""
    points = np.diag([1.0, 2.0, 0.0, math.sqrt(15.0)])
    first = [
        pivoted_cholesky(kl.Linear(), points, 1, random=True, random_state=s).pivots[0]
        for s in range(800)
    ]
    share = np.bincount(first, minlength=4) / 800
    assert share[2] == 0
    np.testing.assert_allclose(share, [0.05, 0.2, 0, 0.75], atol=0.045)  # 3 sigma


def test_the_expected_error_after_one_step():
    """E tr(K − ll⊤) = tr K − tr K²/tr K."""
    k = kl.Gaussian(sigma=1.0)
    K = k(X)
    errors = [
        pivoted_cholesky(k, X, 1, random=True, random_state=s).errors[1]
        for s in range(500)
    ]
    expected = np.trace(K) - np.trace(K @ K) / np.trace(K)
    spread = np.std(errors) / math.sqrt(500)
    assert abs(np.mean(errors) - expected) < 4 * spread
    assert spread < 0.01 * expected


@pytest.mark.parametrize(("s", "eps"), [(2, 0.5), (4, 1.0)])
def test_the_bound_of_chen_epperly_tropp_webber(s, eps):
    k = kl.Gaussian(sigma=1.0)
    mu = np.linalg.eigvalsh(k(X))[::-1]
    eta = mu[s:].sum() / mu.sum()
    r = math.ceil(s / eps + s * math.log(1 / (eps * eta)))
    errors = [
        pivoted_cholesky(k, X, r, random=True, random_state=i).errors[-1]
        for i in range(50)
    ]
    assert r < 40
    assert np.mean(errors) <= (1 + eps) * mu[s:].sum()


# --- cost -----------------------------------------------------------------------------


def test_it_never_looks_at_all_of_K():
    calls = []

    def counted(x, z):
        calls.append(1)
        return math.exp(-((x[0] - z[0]) ** 2))

    points = np.linspace(0, 5, 100)[:, None]
    found = pivoted_cholesky(kl.FromFunction(counted), points, rank=6)
    assert found.rank == 6
    # The diagonal, six columns, and 6×6 values to see that k is symmetric.
    assert len(calls) == 100 + 6 * 100 + 36


def test_the_points_are_left_alone():
    points = X.copy()
    pivoted_cholesky(kl.Gaussian(), points, rank=5)
    np.testing.assert_array_equal(points, X)


def test_it_prints():
    found = pivoted_cholesky(kl.Linear(), [[3.0, 4.0]])
    assert isinstance(found, PivotedCholesky)
    assert repr(found) == (
        "Pivoted Cholesky factor of 1 points: 1 columns, tr(K − LLᵀ) = 0, 0 of tr K"
    )


# --- what is no kernel ----------------------------------------------------------------


def parabola(x, z):
    return 1 - (x[0] - z[0]) ** 2


@pytest.mark.parametrize(
    ("k", "points", "message"),
    [
        (
            kl.FromFunction(parabola),
            [[0.0], [3.0]],
            r"1 steps.*diagonal is -63.*refute",
        ),
        (-1 * kl.Gaussian(), X, r"after 0 steps.*diagonal is -1\..*not proven"),
        (
            kl.FromFunction(lambda x, z: float(abs(x[0] - z[0]))),  # 0 on the diagonal
            [[0.0], [1.0]],
            "after 0 steps .* the diagonal is 0, but column 0 has 1",
        ),
    ],
)
def test_not_positive_definite(k, points, message):
    with pytest.raises(NotPositiveDefinite, match=message):
        pivoted_cholesky(k, points)


def lopsided(x, z):
    return 5.0 * (x[0] == z[0]) + x[0]


def test_not_symmetric():
    with pytest.raises(InputError, match="Gram matrix must be symmetric"):
        pivoted_cholesky(kl.FromFunction(lopsided), [[0.0], [1.0]])


def test_a_proven_kernel_is_not_blamed():
    with pytest.raises(NotPositiveDefinite) as caught:
        pivoted_cholesky(kl.Linear() - 3, X)
    assert "is not proven to be a kernel" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank": 0}, "rank must be an integer ≥ 1, got 0"),
        ({"rank": 2.5}, "rank must be an integer ≥ 1, got 2.5"),
        ({"rank": "3"}, "rank must be"),
        ({"tol": -0.1}, "tol must be a share of tr K.*got -0.1"),
        ({"tol": 1.0}, "tol must be a share of tr K"),
        ({"tol": math.nan}, "tol must be a finite number"),
        ({"random_state": -1, "random": True}, "random_state.* must be an integer ≥ 0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(InputError, match=message):
        pivoted_cholesky(kl.Gaussian(), X, **options)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (np.empty((0, 2)), "one point or more, got none"),
        ([1.0, 2.0], r"shape \(n, d\)"),
        ([[math.nan]], "must be finite"),
    ],
)
def test_wrong_points(points, message):
    with pytest.raises(InputError, match=message):
        pivoted_cholesky(kl.Gaussian(), points)


def test_values_that_are_too_large():
    with pytest.raises(InputError, match=r"tr K is too large.*1e\+308"):
        pivoted_cholesky(1e308 * kl.Gaussian(), X)


@pytest.mark.parametrize(("k", "hint"), [(kl.Gaussian, "parentheses"), ("rbf", "str")])
def test_not_a_kernel(k, hint):
    with pytest.raises(TypeError, match=f"kernel must be a Kernel.*{hint}"):
        pivoted_cholesky(k, X)
