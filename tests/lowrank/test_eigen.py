"""The best approximation of rank r; what the largest eigenvectors cost."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.linalg import ArpackNoConvergence

from kernellab import kernels as kl
from kernellab.errors import ConvergenceWarning, InputError, NotPositiveDefinite
from kernellab.lowrank import (
    Nystroem,
    TruncatedEigen,
    eigen,
    power_method,
    subspace_iteration,
)
from kernellab.lowrank.landmarks import RULES

rng = np.random.default_rng(9)
X = rng.normal(size=(60, 3))
Z = rng.normal(size=(25, 3))
GAUSSIAN = kl.Gaussian(sigma=2.0)
KERNELS = [
    GAUSSIAN,
    kl.Exponential(sigma=1.0),
    kl.Polynomial(degree=2),
    2 * kl.Linear() + kl.Matern(nu=1.5),
]
each_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)
WORDS = ["abab", "baba", "abba", "cccc", "ccac", "accc", "abab", "bb"]


def close(A, B, tol=1e-8):
    np.testing.assert_allclose(A, B, atol=tol * max(1.0, np.abs(B).max()))


def with_eigenvalues(mu, seed=0):
    """A symmetric matrix with these eigenvalues, and its eigenvectors."""
    n = len(mu)
    U = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]
    return U @ np.diag(mu) @ U.T, U


@pytest.fixture(params=["LAPACK", "Lanczos, K stored", "Lanczos, K not stored"])
def method(request, monkeypatch):
    """Each way to find the eigenvectors, whatever n is."""
    if request.param != "LAPACK":
        monkeypatch.setattr(eigen, "DENSE_MAX_POINTS", 1)
    if request.param.endswith("not stored"):
        monkeypatch.setattr(eigen, "STORED_MAX_POINTS", 1)
    return request.param


# --- the best approximation -----------------------------------------------------------


@each_kernel
@pytest.mark.parametrize("r", [1, 5])
def test_eckart_and_young(k, r, method):
    K = k(X)
    mu, U = np.linalg.eigh(K)
    mu, U = mu[::-1], U[:, ::-1]
    model = TruncatedEigen(k, r).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, mu[:r])
    close(model.approximate(X), (U[:, :r] * mu[:r]) @ U[:, :r].T)
    R = K - model.approximate(X)
    np.testing.assert_allclose(np.linalg.norm(R, 2), mu[r], rtol=1e-6)
    np.testing.assert_allclose(model.error(X).trace, mu[r:].sum(), rtol=1e-6)
    assert model.rank_ == r


def test_eigenvectors(method):
    model = TruncatedEigen(GAUSSIAN, 6).fit(X)
    U, mu = model.eigenvectors_, model.eigenvalues_
    assert U.shape == (60, 6)
    close(U.T @ U, np.eye(6))
    close(GAUSSIAN(X) @ U, U * mu)
    assert (np.diff(mu) <= 0).all()


@pytest.mark.parametrize("how", RULES)
def test_no_landmarks_do_better(how):
    best = TruncatedEigen(GAUSSIAN, 8).fit(X).error(X).trace
    assert best < Nystroem(GAUSSIAN, 8, how).fit(X).error(X).trace


def test_it_projects_the_features_on_their_principal_directions(method):
    k = kl.Polynomial(degree=2)
    phi = k.features()
    W = np.linalg.svd(phi(X), full_matrices=False)[2][:4].T
    model = TruncatedEigen(k, 4).fit(X)
    images = phi(Z) @ W
    close(model.approximate(Z), images @ images.T)
    lost = ((phi(Z) - images @ W.T) ** 2).sum(axis=1)
    np.testing.assert_allclose(model.error(Z).trace, lost.sum())
    np.testing.assert_allclose(model.error(Z).entry, lost.max())


@each_kernel
def test_it_lies_below_at_new_points(k):
    model = TruncatedEigen(k, 5).fit(X)
    R = k(Z) - model.approximate(Z)
    assert np.linalg.eigvalsh(R)[0] > -1e-9 * np.trace(k(Z))
    np.testing.assert_allclose(model.error(Z).trace, np.trace(R))


@each_kernel
def test_with_all_eigenvectors_it_is_exact(k):
    model = TruncatedEigen(k, 60).fit(X)
    close(model.approximate(X), k(X))


def test_new_points_that_are_old():
    model = TruncatedEigen(GAUSSIAN, 5).fit(X)
    expected = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    close(model.transform(X), expected)
    close(model.transform(X[3:4]), expected[3:4])


def test_fewer_eigenvalues_than_asked_for(method):
    model = TruncatedEigen(kl.Polynomial(degree=2), 14).fit(X)
    assert model.rank_ == 10
    close(model.approximate(Z), kl.Polynomial(degree=2)(Z))


def test_a_smooth_kernel_on_a_line(method):
    """Of the numerical rank 15 or so: beyond, there is only rounding."""
    line = np.linspace(-1, 1, 200)[:, None]
    k = kl.Gaussian(sigma=1.0)
    model = TruncatedEigen(k, 40).fit(line)
    assert 8 < model.rank_ < 20
    assert np.abs(model.approximate(line) - k(line)).max() < 1e-11


def test_rounding_is_no_eigenvalue():
    mu, U = eigen._above_rounding(np.array([1.0, 0.5, 1e-16, -1e-16]), np.eye(4), 3)
    assert mu.tolist() == [1.0, 0.5]
    assert U.shape == (4, 2)


def test_large_n_with_K_never_stored(monkeypatch):
    monkeypatch.setattr(eigen, "STORED_MAX_POINTS", 500)
    many = np.random.default_rng(0).normal(size=(1100, 4))
    model = TruncatedEigen(GAUSSIAN, 5).fit(many)
    mu = np.linalg.eigvalsh(GAUSSIAN(many))[::-1]
    np.testing.assert_allclose(model.eigenvalues_, mu[:5], rtol=1e-10)
    np.testing.assert_allclose(model.error(many).trace, mu[5:].sum(), rtol=1e-8)


@pytest.mark.parametrize("k", [kl.Constant(0.0), 0 * kl.Gaussian()], ids=repr)
def test_the_zero_kernel(k, method):
    model = TruncatedEigen(k, 5).fit(X)
    assert model.rank_ == 1
    assert model.eigenvalues_.tolist() == [0.0]
    np.testing.assert_array_equal(model.transform(Z), np.zeros((25, 1)))
    assert model.error(Z).trace == 0


def test_one_point():
    model = TruncatedEigen(kl.Linear()).fit([[3.0, 4.0]])
    np.testing.assert_allclose(model.eigenvalues_, [25.0])
    np.testing.assert_allclose(np.abs(model.transform([[3.0, 4.0]])), [[5.0]])


def test_words():
    k = kl.Spectrum(p=2)
    model = TruncatedEigen(k, 8).fit(WORDS)
    assert model.rank_ == np.linalg.matrix_rank(k(WORDS))
    close(model.approximate(WORDS), k(WORDS))


def test_all_kinds_of_points(tmp_path):
    here = TruncatedEigen(GAUSSIAN, 5).fit(X)
    file = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    file[:] = X
    close(TruncatedEigen(GAUSSIAN, 5).fit(file).approximate(file), here.approximate(X))
    array = pytest.importorskip("dask.array").from_array(X, chunks=(17, 3))
    there = TruncatedEigen(GAUSSIAN, 5).fit(array)
    close(there.approximate(array).compute(), here.approximate(X))
    np.testing.assert_allclose(there.error(array).trace, here.error(X).trace)


def test_a_fit_travels():
    model = TruncatedEigen(GAUSSIAN, 5).fit(X)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.transform(Z), model.transform(Z))


def test_the_data_may_change_afterwards():
    points = X.copy()
    model = TruncatedEigen(GAUSSIAN, 5).fit(points)
    before = model.transform(Z)
    points[:] = 0
    np.testing.assert_array_equal(model.transform(Z), before)


def test_the_same_seed_the_same_map(method):
    a, b = (
        TruncatedEigen(GAUSSIAN, 5, random_state=2).fit(X).transform(Z)
        for _ in range(2)
    )
    np.testing.assert_array_equal(a, b)


def test_a_function_that_is_no_kernel(method):
    k = kl.FromFunction(lambda x, z: float(1 - ((x - z) ** 2).sum()), "parabola")
    with pytest.raises(NotPositiveDefinite, match="refute"):
        TruncatedEigen(k, 5).fit(X)


@pytest.mark.parametrize("options", [{"rank": 0}, {"rank": 2.5}, {"random_state": -1}])
def test_wrong_parameters(options):
    with pytest.raises(InputError, match="must be an integer"):
        TruncatedEigen(GAUSSIAN, **options).fit(X)


def test_lanczos_that_stops_early(monkeypatch):
    def stops(K, rank, **options):
        mu, U = np.linalg.eigh(K)
        raise ArpackNoConvergence("no", mu[-2:], U[:, -2:])

    monkeypatch.setattr(eigen, "DENSE_MAX_POINTS", 1)
    monkeypatch.setattr("scipy.sparse.linalg.eigsh", stops)
    with pytest.warns(ConvergenceWarning, match="2 of 5 eigenvectors"):
        model = TruncatedEigen(GAUSSIAN, 5).fit(X)
    assert model.rank_ == 2
    np.testing.assert_allclose(
        model.eigenvalues_, np.linalg.eigvalsh(GAUSSIAN(X))[:-3:-1]
    )


# --- the power method -----------------------------------------------------------------


def test_the_largest_eigenvalue():
    K = GAUSSIAN(X)
    mu, U = np.linalg.eigh(K)
    run = power_method(K, tol=1e-10)
    np.testing.assert_allclose(run.value, mu[-1], rtol=1e-12)
    np.testing.assert_allclose(abs(run.vector @ U[:, -1]), 1.0)
    assert run.converged
    assert run.iterations == len(run.history) == len(run.residuals)
    np.testing.assert_allclose(np.linalg.norm(run.vector), 1.0)


@pytest.mark.parametrize("ratio", [0.5, 0.9, 0.99])
def test_how_many_steps(ratio):
    """E1-28: ln(1/ε)/ln(μ_1/μ_2), not one."""
    K, _ = with_eigenvalues([1.0, ratio, *np.linspace(0, 0.4, 28)])
    run = power_method(K, tol=1e-6)
    # The residual is 1 − μ_2/μ_1 times the angle.
    expected = math.log(1e6 * (1 - ratio)) / math.log(1 / ratio)
    assert 0.7 * expected < run.iterations < 1.3 * expected + 10
    np.testing.assert_allclose(run.residuals[-1] / run.residuals[-2], ratio, rtol=0.01)


def test_the_angle_shrinks_by_the_ratio():
    K, U = with_eigenvalues([1.0, 0.8, 0.5, 0.1])
    tangents = []
    for steps in range(1, 20):
        with pytest.warns(ConvergenceWarning):
            v = power_method(K, tol=1e-15, max_iter=steps).vector
        c = np.abs(U.T @ v)
        tangents.append(np.linalg.norm(c[1:]) / c[0])
    ratios = np.array(tangents[1:]) / tangents[:-1]
    assert (ratios <= 0.8 + 1e-9).all()
    np.testing.assert_allclose(ratios[-1], 0.8, rtol=1e-3)


def test_a_residual_is_a_certificate():
    K, _ = with_eigenvalues(np.linspace(0, 1, 30) ** 2)
    mu = np.linalg.eigvalsh(K)
    run = power_method(K, tol=1e-3)
    for value, residual in zip(run.history[:, 0], run.residuals[:, 0], strict=True):
        assert np.abs(mu - value).min() <= residual + 1e-12
    last = run.residuals[-1, 0]
    np.testing.assert_allclose(
        last, np.linalg.norm(K @ run.vector - run.value * run.vector), rtol=1e-6
    )
    # The quotient's error is of second order (μ_1 − μ_2 = 0.068).
    assert abs(run.value - 1.0) <= last**2 / (0.068 - last)


def test_rayleigh_quotients_grow():
    run = power_method(GAUSSIAN(X))
    assert (np.diff(run.history[:, 0]) > -1e-12).all()


def test_equal_eigenvalues():
    run = power_method(np.diag([2.0, 2.0, 1.0]))
    assert run.value == pytest.approx(2.0)


def test_signs_that_never_settle():
    with pytest.warns(ConvergenceWarning, match="after 50 iterations the residual is"):
        run = power_method(np.diag([1.0, -1.0]), max_iter=50)
    assert not run.converged
    assert "not converged" in repr(run)


@pytest.mark.parametrize("n", [1, 3])
def test_nothing_to_find(n):
    run = power_method(np.zeros((n, n)))
    assert (run.value, run.iterations) == (0.0, 1)


def test_one_number():
    assert power_method([[3.0]]).values.tolist() == [3.0]


# --- subspace iteration ---------------------------------------------------------------


def test_the_largest_eigenvalues():
    K = GAUSSIAN(X)
    mu, U = np.linalg.eigh(K)
    run = subspace_iteration(K, 5, tol=1e-9)
    np.testing.assert_allclose(run.values, mu[:-6:-1])
    np.testing.assert_allclose(np.abs((run.vectors * U[:, :-6:-1]).sum(axis=0)), 1.0)
    close(run.vectors.T @ run.vectors, np.eye(5))
    assert run.residuals[-1].max() <= 1e-9 * mu[-1]


@pytest.mark.parametrize("ratio", [0.5, 0.9, 0.99])
def test_how_many_sweeps(ratio):
    """E1-29: O(n²r) each, and ln(1/ε)/ln(μ_r/μ_{r+1}) of them."""
    K, _ = with_eigenvalues([*np.linspace(2, 1, 5), ratio, *np.linspace(0, 0.4, 24)])
    run = subspace_iteration(K, 5, tol=1e-6)
    expected = math.log(1e6 * (1 - ratio)) / math.log(1 / ratio)
    assert 0.7 * expected < run.iterations < 1.3 * expected + 5
    for rho, mu in zip(run.residuals.T, np.linspace(2, 1, 5), strict=True):
        rho = rho[rho > 1e-12]  # those that are above rounding
        np.testing.assert_allclose(rho[-1] / rho[-2], ratio / mu, rtol=0.05)


def test_a_few_columns_more_help():
    K, _ = with_eigenvalues([1.0, 0.99, 0.98, 0.3, *np.linspace(0, 0.1, 26)])
    assert subspace_iteration(K, 3).iterations < power_method(K).iterations / 20


def test_one_column_is_the_power_method():
    K = GAUSSIAN(X)
    one, other = (
        power_method(K, random_state=4),
        subspace_iteration(K, 1, random_state=4),
    )
    np.testing.assert_array_equal(one.history, other.history)
    np.testing.assert_array_equal(one.vectors, other.vectors)


@given(st.integers(1, 8), st.integers(0, 50))
def test_properties(n, seed):
    A = np.random.default_rng(seed).normal(size=(n, 3))
    K, r = A @ A.T, min(n, 3)
    run = subspace_iteration(K, r, tol=1e-7, max_iter=100_000, random_state=seed)
    np.testing.assert_allclose(
        run.values, np.linalg.eigvalsh(K)[::-1][:r], atol=1e-6 * np.trace(K)
    )


def test_all_columns():
    run = subspace_iteration(np.diag([3.0, 1.0]), 2)
    np.testing.assert_allclose(run.values, [3.0, 1.0])
    assert run.iterations == 1


def test_reproducible():
    K = GAUSSIAN(X)
    a, b, c = (subspace_iteration(K, 3, random_state=s).history for s in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert np.abs(a[0] - c[0]).max() > 1e-3


def test_how_it_prints():
    run = subspace_iteration(np.diag([6.0, 5.0, 4.0, 3.0, 2.0, 1.0]), 6)
    assert repr(run).startswith("6, 5, 4, 3, 2, … after 1 iterations, residual ")


def test_the_matrix_is_left_alone():
    K = GAUSSIAN(X)
    before = K.copy()
    subspace_iteration(K, 2)
    np.testing.assert_array_equal(K, before)


@pytest.mark.parametrize(
    ("K", "options", "message"),
    [
        (np.eye(2), {"rank": 3}, "K has 2 eigenvalues only; got rank=3"),
        (np.eye(2), {"rank": 0}, "rank must be an integer ≥ 1"),
        (np.eye(2), {"rank": 1, "tol": 0.0}, "tol must be positive"),
        (np.eye(2), {"rank": 1, "max_iter": 0}, "max_iter must be an integer ≥ 1"),
        (
            np.eye(2),
            {"rank": 1, "random_state": -1},
            "random_state.* must be an integer ≥ 0",
        ),
        ([[1.0, 2.0], [0.0, 1.0]], {"rank": 1}, "K must be symmetric"),
        ([[1.0, 2.0]], {"rank": 1}, "K must be a square array"),
        ([[math.nan]], {"rank": 1}, "K must be finite"),
    ],
)
def test_wrong_input(K, options, message):
    with pytest.raises(InputError, match=message):
        subspace_iteration(K, **options)
