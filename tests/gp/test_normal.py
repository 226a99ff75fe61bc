"""Gaussian vectors: their rules against plain formulas and samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.gp import Normal, independent
from kernellab.gp.support import root_of

rng = np.random.default_rng(0)


def random_covariance(n, rank, seed):
    R = np.random.default_rng(seed).normal(size=(n, rank))
    return R @ R.T


def close(actual, expected, tol=1e-9):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def plain_conditional(mean, S, b, v):
    """The conditional law by its formula, with the pseudo-inverse."""
    a = [i for i in range(len(mean)) if i not in b]
    gain = S[np.ix_(a, b)] @ np.linalg.pinv(S[np.ix_(b, b)], rcond=1e-10)
    return mean[a] + gain @ (v - mean[b]), S[np.ix_(a, a)] - gain @ S[np.ix_(b, a)]


sizes = st.integers(1, 6)
seeds = st.integers(0, 10**6)


@given(sizes, sizes, seeds)
def test_the_root_is_a_root_and_has_the_rank(n, rank, seed):
    rank = min(n, rank)
    S = random_covariance(n, rank, seed)
    x = Normal(np.zeros(n), S)
    assert x.root.shape[0] == n
    close(x.root @ x.root.T, S, 1e-7)
    assert x.rank == rank


@given(sizes, sizes, seeds)
def test_affine_images_have_the_mean_and_covariance_of_the_formula(n, m, seed):
    r = np.random.default_rng(seed)
    mean, S = r.normal(size=n), random_covariance(n, n, seed)
    A, b, T = r.normal(size=(m, n)), r.normal(size=m), random_covariance(m, m, seed + 1)
    y = Normal(mean, S).affine(A, b, T)
    close(y.mean, A @ mean + b)
    close(y.covariance, A @ S @ A.T + T, 1e-7)
    same = A @ Normal(mean, S) + b
    close(same.mean, y.mean)
    close(same.covariance, A @ S @ A.T, 1e-7)
    close((b + A @ Normal(mean, S)).mean, y.mean)


@given(st.integers(2, 6), st.integers(1, 6), seeds)
def test_conditionals_agree_with_the_formula_also_for_a_singular_covariance(
    n, rank, seed
):
    r = np.random.default_rng(seed)
    S, mean = random_covariance(n, min(rank, n), seed), r.normal(size=n)
    x = Normal(mean, S)
    b = list(r.permutation(n)[: r.integers(1, n)])
    v = x.sample(random_state=seed)[b]  # a value that can occur
    y = x.conditional(b, v)
    expected, covariance = plain_conditional(mean, S, b, v)
    close(y.mean, expected, 1e-5)
    close(y.covariance, covariance, 1e-5)
    if rank >= n:
        close(x.marginal(b).covariance, S[np.ix_(b, b)], 1e-7)


@given(st.integers(1, 5), st.integers(1, 5), seeds)
def test_density_agrees_with_scipy_on_the_support(n, rank, seed):
    rank = min(n, rank)
    S, mean = random_covariance(n, rank, seed), np.arange(n) * 1.0
    x = Normal(mean, S)
    points = x.sample(3, random_state=seed)
    peer = multivariate_normal(mean, S, allow_singular=True)
    close(np.atleast_1d(x.log_density(points)), peer.logpdf(points), 1e-5)


def test_density_is_chained_by_conditioning():
    S, mean = random_covariance(4, 4, 3), np.ones(4)
    x, v = Normal(mean, S), np.array([0.3, -1.0, 2.0, 0.5])
    parts = x.marginal([1, 3]).log_density(v[[1, 3]])
    parts += x.conditional([1, 3], v[[1, 3]]).log_density(v[[0, 2]])
    close(parts, x.log_density(v))


def test_density_off_the_support_is_zero():
    line = Normal([0.0, 1.0], [[1.0, 1.0], [1.0, 1.0]])
    assert line.rank == 1
    assert line.log_density([5.0, 6.1]) == -np.inf
    close(line.log_density([5.0, 6.0]), -12.5 - 0.5 * np.log(2 * np.pi * 2))
    dot = Normal([1.0, 2.0], np.zeros((2, 2)))  # the whole mass at one point
    assert dot.rank == 0
    assert dot.log_density([1.0, 2.0]) == 0.0
    assert dot.log_density([1.0, 2.1]) == -np.inf
    assert repr(dot) == "N(mean [1. 2.], covariance [[0. 0.], [0. 0.]])"


def test_density_shapes():
    x = Normal(0.0, 1.0)
    assert isinstance(x.log_density(0.3), float)
    assert isinstance(x.log_density([0.3]), float)
    assert x.log_density([0.3, 0.4]).shape == (2,)
    assert x.log_density([[0.3], [0.4], [0.5]]).shape == (3,)
    y = Normal([0.0, 0.0], np.eye(2))
    assert isinstance(y.log_density([0.0, 0.0]), float)
    assert y.log_density([[0.0, 0.0]]).shape == (1,)


def test_posterior_is_bayes_rule():
    r = np.random.default_rng(5)
    S, mean, A = random_covariance(3, 3, 1), r.normal(size=3), r.normal(size=(4, 3))
    b, T, y = r.normal(size=4), random_covariance(4, 4, 2), r.normal(size=4)
    posterior = Normal(mean, S).posterior(y, A, b, T)
    precision = np.linalg.inv(S) + A.T @ np.linalg.solve(T, A)  # information form
    expected = np.linalg.inv(precision)
    close(posterior.covariance, expected)
    rhs = np.linalg.solve(S, mean) + A.T @ np.linalg.solve(T, y - b)
    close(posterior.mean, expected @ rhs)
    # log p(x) + log p(y|x) − log p(x|y) is log p(y), whatever x
    x = r.normal(size=3)
    likelihood = Normal(A @ x + b, T).log_density(y)
    prior = Normal(mean, S)
    total = prior.log_density(x) + likelihood - posterior.log_density(x)
    close(total, prior.affine(A, b, T).log_density(y))


def test_noise_may_be_a_number_or_none_or_singular():
    x = Normal([1.0, 2.0], np.eye(2))
    close(x.affine([[1.0, 1.0]], noise=0.5).covariance, [[2.5]])
    close(x.affine(np.eye(2), noise=np.diag([0.0, 3.0])).covariance, np.diag([1, 4.0]))
    exact = x.posterior([5.0], [[1.0, 1.0]])  # no noise: x1 + x2 = 5
    close(exact.mean, [2.0, 3.0])
    close(exact.covariance, [[0.5, -0.5], [-0.5, 0.5]])
    assert exact.rank == 1
    joint = x.joint([[1.0, 1.0]])
    assert joint.rank == 2
    close(joint.covariance, [[1, 0, 1], [0, 1, 1], [1, 1, 2]])


def test_sums_need_independence():
    x, y = (
        Normal([1.0, 0.0], 2 * np.eye(2)),
        Normal([3.0, 1.0], random_covariance(2, 2, 1)),
    )
    z = x.plus_independent(y)
    close(z.mean, [4.0, 1.0])
    close(z.covariance, x.covariance + y.covariance)
    close(z.covariance, (np.hstack([np.eye(2)] * 2) @ independent(x, y)).covariance)
    with pytest.raises(TypeError, match=r"plus_independent"):
        x + y
    # y = −x has the law of x, and x + y = 0
    pair = Normal(0.0, 1.0).joint([[-1.0]])
    zero = np.array([[1.0, 1.0]]) @ pair
    assert zero.rank == 0
    assert zero.variance[0] == 0
    with pytest.raises(TypeError, match=r"plus_independent"):
        x - y
    close((2 * x - 1.0).mean, 2 * x.mean - 1)
    close((2 * x - [1.0, 2.0]).covariance, 4 * x.covariance)
    with pytest.raises(InputError, match="have no sum"):
        x.plus_independent(Normal(0.0, 1.0))


def test_samples_have_the_moments():
    S = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 1.0]])
    draws = Normal([1.0, -1.0, 0.0], S).sample(40_000, random_state=1)
    assert draws.shape == (40_000, 3)
    close(draws.mean(axis=0), [1.0, -1.0, 0.0], 0.05)
    close(np.cov(draws.T), S, 0.08)
    assert Normal(0.0, 1.0).sample(random_state=np.random.default_rng(2)).shape == (1,)


def test_draws_do_not_depend_on_the_signs_of_eigenvectors(monkeypatch):
    S = random_covariance(5, 3, 6)
    before = Normal(np.zeros(5), S).sample(4, random_state=3)
    eigh = np.linalg.eigh

    def other(A):
        s, U = eigh(A)
        return s, U * np.array([1, -1, 1, -1, -1])

    monkeypatch.setattr(np.linalg, "eigh", other)
    close(Normal(np.zeros(5), S).sample(4, random_state=3), before)


def test_units_do_not_matter():
    S = np.diag([1.0, 1e-20]) + 0.0
    S[0, 1] = S[1, 0] = 0.6e-10
    x = Normal([0.0, 0.0], S)
    assert x.rank == 2
    y = x.conditional(1, 1e-10)
    close(y.mean, [0.6])
    close(y.variance, [0.64])
    close(
        x.log_density([1.0, 1e-10]) + np.log(1e-10),
        Normal([0.0, 0.0], [[1.0, 0.6], [0.6, 1.0]]).log_density([1.0, 1.0]),
    )


def test_a_determined_coordinate_has_variance_zero():
    x = Normal(np.zeros(3), random_covariance(3, 2, 8))
    rest = x.conditional([0, 1], x.sample(random_state=0)[:2])
    assert rest.variance[0] < 1e-12
    with pytest.raises(InputError, match=r"rank 2 of 3.*off its support"):
        Normal(np.zeros(4), np.pad(x.covariance, (0, 1))).conditional(
            [0, 1, 2], [1.0, 2.0, 100.0]
        )


def test_what_cancels_is_zero():
    """x3 = x1 + x2, so x1 + x2 − x3 = 0, not rounding errors with a rank."""
    B = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    x = Normal(np.zeros(3), B @ random_covariance(2, 2, 9) @ B.T)
    nothing = np.array([[1.0, 1.0, -1.0]]) @ x
    assert nothing.rank == 0
    assert nothing.log_density([0.0]) == 0.0


def test_chains_do_not_grow():
    x = Normal(np.zeros(2), np.eye(2))
    for _ in range(50):
        x = x.affine(np.eye(2), noise=1.0)
    assert x.root.shape == (2, 2)
    close(x.covariance, 51 * np.eye(2))
    with pytest.raises(ValueError, match="read-only"):
        x.mean[0] = 1.0


def test_large_vectors_print_short():
    assert repr(Normal(np.zeros(5), np.eye(5))) == "N(5 coordinates, rank 5)"
    assert len(Normal(np.zeros(5), np.eye(5))) == 5


def test_impossible_covariances_are_refused():
    with pytest.raises(NotPositiveDefinite, match=r"eigenvalue -1\. No random vector"):
        Normal([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(NotPositiveDefinite):
        Normal(0.0, -1e-12)
    with pytest.raises(NotPositiveDefinite):
        Normal([0.0, 0.0], [[0.0, 1.0], [1.0, 1.0]])
    with pytest.raises(InputError, match="must be symmetric"):
        Normal([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]])
    tiny = root_of(np.array([[-1e-18]]), scale=np.array([1.0]))  # rounding
    assert not tiny.any()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda x: Normal([0.0], np.eye(2)), r"must have shape \(1, 1\)"),
        (lambda x: Normal([np.nan], [[1.0]]), "finite"),
        (lambda x: x.affine(np.eye(3)), r"\(m, 2\)"),
        (lambda x: x.affine(np.eye(2), b=[1.0, 2.0, 3.0]), "b must be a number or a"),
        (lambda x: x.affine(np.eye(2), noise=-1.0), "≥ 0"),
        (lambda x: x.affine(np.eye(2), noise=np.eye(3)), r"\(2, 2\)"),
        (lambda x: x.marginal(2), "from 0 to 1"),
        (lambda x: x.marginal([0, 0]), "none twice"),
        (lambda x: x.marginal([]), "one coordinate or more"),
        (lambda x: x.conditional([0, 1], [0.0, 0.0]), "none is left"),
        (lambda x: x.conditional(0, [1.0, 2.0]), "1 coordinates are given 2 values"),
        (lambda x: x.log_density([1.0, 2.0, 3.0]), r"\(q, 2\)"),
        (lambda x: "a" * x, "number"),
        (lambda x: independent(), "one Gaussian vector or more"),
        (lambda x: Normal.image([0.0], np.ones((2, 1))), r"\(1, r\)"),
    ],
)
def test_errors_say_what_was_expected(action, message):
    with pytest.raises((InputError, TypeError), match=message):
        action(Normal([0.0, 0.0], np.eye(2)))
