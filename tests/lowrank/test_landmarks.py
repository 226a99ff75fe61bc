"""Landmarks: leverage scores, the four rules, candidates, where the points are kept."""

import numpy as np
import pytest

from kernellab import KernelRidge
from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.kernels.points import vectors
from kernellab.lowrank import Nystroem, leverage_scores, pivoted_cholesky
from kernellab.lowrank.data_blocks import read_blocks
from kernellab.lowrank.landmarks import (
    MIN_RELATIVE_LAMBDA,
    RULES,
    choose,
    how_many,
    penalty_for,
)

rng = np.random.default_rng(4)
X = rng.normal(size=(120, 2))
GAUSSIAN = kl.Gaussian(sigma=1.0)
WORDS = ["abab", "baba", "abba", "cccc", "ccac", "accc", "abab", "bb"]
each_rule = pytest.mark.parametrize("how", RULES)


def exact(K, lam):
    return np.diag(K @ np.linalg.inv(K + lam * np.eye(len(K))))


def chosen(how, X, rank, candidates=None, seed=0, k=GAUSSIAN):
    generator = np.random.default_rng(seed)
    return choose(how, k, read_blocks(X, k.read_points), rank, candidates, generator)


# --- leverage scores ------------------------------------------------------------------


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("k", [GAUSSIAN, kl.Polynomial(degree=2), kl.Exponential()])
def test_exact_scores(k, lam):
    scores = leverage_scores(k, X, lam)
    np.testing.assert_allclose(scores, exact(k(X), lam), atol=1e-8)
    dof = KernelRidge(k, lam=lam).fit(X, np.zeros(120)).dof_
    np.testing.assert_allclose(scores.sum(), dof, rtol=1e-6)


def test_scores_of_words():
    k = kl.Spectrum(p=2)
    scores = leverage_scores(k, WORDS, 0.5)
    np.testing.assert_allclose(scores, exact(k(WORDS), 0.5), atol=1e-12)


def test_the_formula_from_a_sample_is_that_of_the_feature_space():
    """ℓ̃ = φ⊤(Σ̂ + λ)⁻¹φ with Σ̂ = (n/s) Σ φφ⊤ over the sample."""
    k, lam, s = kl.Polynomial(degree=2), 0.3, 30
    sample = np.sort(np.random.default_rng(7).permutation(120)[:s])
    phi = k.features()(X)
    moment = 120 / s * phi[sample].T @ phi[sample] + lam * np.eye(6)
    expected = np.einsum("ij,ij->i", phi, np.linalg.solve(moment, phi.T).T)
    found = leverage_scores(k, X, lam, sample=s, random_state=7)
    np.testing.assert_allclose(found, np.minimum(expected, 1.0), rtol=1e-6)


def test_scores_from_a_sample_are_close():
    truth = exact(GAUSSIAN(X), 1.0)

    def off(s):
        runs = [leverage_scores(GAUSSIAN, X, 1.0, s, seed) for seed in range(20)]
        return np.abs(np.log(np.array(runs) / truth)).mean()

    assert off(30) > off(60) > off(90)
    assert off(60) < 0.3
    assert off(120) < 1e-8


def test_many_points_are_scored_in_blocks():
    many = np.random.default_rng(0).normal(size=(4100, 2))
    scores = leverage_scores(GAUSSIAN, many, 5.0, sample=60, random_state=1)
    some = np.sort(np.random.default_rng(1).permutation(4100)[:60])
    C = GAUSSIAN(many, many[some])
    inner = np.linalg.inv(C[some] + 5.0 * 60 / 4100 * np.eye(60))
    np.testing.assert_allclose(scores, (1 - ((C @ inner) * C).sum(axis=1)) / 5.0)


def test_one_alone_and_many_alike():
    points = np.concatenate([np.zeros((50, 1)), [[30.0]]])
    scores = leverage_scores(GAUSSIAN, points, 1.0)
    np.testing.assert_allclose(scores, [1 / 51] * 50 + [1 / 2])


@pytest.mark.parametrize("lam", [1e-300, 1e-15, 1e-8])
def test_scores_stay_in_their_bounds(lam):
    scores = leverage_scores(kl.Gaussian(sigma=5.0), X, lam, sample=40)
    assert scores.min() > 0
    assert scores.max() <= 1


def test_a_point_without_features_has_no_leverage():
    scores = leverage_scores(kl.Linear(), [[0.0], [1.0]], 1.0)
    np.testing.assert_allclose(scores, [0.0, 0.5])


def test_reproducible_scores():
    a, b, c = (leverage_scores(GAUSSIAN, X, 1.0, 30, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert np.abs(a - c).max() > 1e-3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lam": 0.0}, "lam must be positive"),
        ({"lam": 1.0, "sample": 0}, "sample must be an integer ≥ 1"),
        ({"lam": 1.0, "random_state": 0.5}, "random_state.* must be an integer ≥ 0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(InputError, match=message):
        leverage_scores(GAUSSIAN, X, **options)


def test_wrong_points_and_kernels():
    with pytest.raises(InputError, match="one point or more"):
        leverage_scores(GAUSSIAN, np.empty((0, 2)), 1.0)
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        leverage_scores("rbf", X, 1.0)
    with pytest.raises(NotPositiveDefinite, match="not proven to be a kernel"):
        leverage_scores(-1 * GAUSSIAN, X, 0.1)


def test_the_penalty_for_a_dimension():
    K = GAUSSIAN(X)
    for dimension in (0.5, 3.0, 10.0):
        lam = penalty_for(dimension, K, 120)
        np.testing.assert_allclose(exact(K, lam).sum(), dimension, rtol=1e-4)
    np.testing.assert_allclose(penalty_for(3.0, K, 240), 2 * penalty_for(3.0, K, 120))


def test_a_dimension_that_is_not_there():
    K = kl.Linear()(X)  # of rank two
    assert penalty_for(30.0, K, 120) == pytest.approx(MIN_RELATIVE_LAMBDA * np.trace(K))
    assert penalty_for(3.0, np.zeros((4, 4)), 10) > 0


# --- the rules ------------------------------------------------------------------------


@each_rule
def test_they_are_as_many_as_asked_for_and_different(how):
    index = chosen(how, X, 20)
    assert len(set(index.tolist())) == 20
    assert index.min() >= 0
    assert index.max() < 120


@each_rule
def test_the_same_seed_the_same_landmarks(how):
    a, b, c = (chosen(how, X, 20, candidates=60, seed=s).tolist() for s in (0, 0, 1))
    assert a == b != c


@each_rule
def test_fewer_points_than_landmarks(how):
    assert sorted(chosen(how, X[:5], 20).tolist()) == [0, 1, 2, 3, 4]
    assert chosen(how, X[:1], 1).tolist() == [0]


@each_rule
def test_they_work_on_words(how):
    k = kl.Spectrum(p=2)
    index = chosen(how, WORDS, 3, k=k)
    assert len(set(index.tolist())) == 3
    assert Nystroem(k, 3, how).fit(WORDS).rank_ <= 3


@each_rule
def test_it_does_not_matter_where_the_points_are(how, tmp_path):
    index = chosen(how, X, 10, candidates=50)
    file = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    file[:] = X
    assert chosen(how, file, 10, candidates=50).tolist() == index.tolist()
    array = pytest.importorskip("dask.array").from_array(X, chunks=(37, 2))
    assert chosen(how, array, 10, candidates=50).tolist() == index.tolist()


def test_pivoted_is_pivoted_cholesky():
    expected = pivoted_cholesky(GAUSSIAN, X, 15).pivots
    np.testing.assert_array_equal(chosen("pivoted", X, 15), expected)


def test_candidates_are_a_uniform_sample():
    counts = np.zeros(120)
    for seed in range(300):
        counts[chosen("uniform", X, 20, seed=seed)] += 1
    # Each point with probability 1/6: a mean of 50, a standard deviation of 6.5.
    assert abs(counts.mean() - 50) < 1e-9
    assert 4.5 < counts.std() < 8.5


@pytest.mark.parametrize("how", ["leverage", "pivoted", "random-pivoted"])
def test_no_group_is_missed(how):
    """Four points far away: 20 landmarks of 404 points by chance find one of them."""
    crowd = 0.1 * np.random.default_rng(0).normal(size=(400, 2))
    lone = np.array([[20.0, 0.0], [0.0, 20.0], [-20.0, 0.0], [0.0, -20.0]])
    points = np.concatenate([crowd, lone])
    hits = [(chosen(how, points, 20, seed=s) >= 400).sum() for s in range(10)]
    assert np.mean(hits) > 3
    by_chance = [
        (chosen("uniform", points, 20, seed=s) >= 400).sum() for s in range(10)
    ]
    assert np.mean(by_chance) < 1


def test_leverage_prefers_what_stands_alone():
    crowd = 0.3 * np.random.default_rng(0).normal(size=(200, 1))
    points = np.concatenate([crowd, np.linspace(5, 50, 10)[:, None]])
    hits = [(chosen("leverage", points, 20, seed=s) >= 200).mean() for s in range(20)]
    assert np.mean(hits) > 0.3  # by chance: 10/210


def test_leverage_where_there_is_nothing():
    assert len(chosen("leverage", X, 5, k=kl.Constant(0.0))) == 1
    points = np.concatenate([np.zeros((50, 1)), [[1.0]]])
    assert chosen("leverage", points, 5, k=kl.Linear()).tolist() == [50]


def test_leverage_of_a_kernel_with_few_features():
    index = chosen("leverage", X, 20, k=kl.Linear())
    assert len(set(index.tolist())) == 20


# --- candidates -----------------------------------------------------------------------


def test_how_many_candidates():
    assert how_many(None, 1000, 100) == 1000
    assert how_many(None, 10**9, 500) == 2**22 // 500
    assert how_many(None, 10**9, 10**4) == 10**4  # never fewer than landmarks
    assert how_many(300, 1000, 100) == 300
    assert how_many(300, 200, 100) == 200


@pytest.mark.parametrize("how", ["leverage", "pivoted", "random-pivoted"])
def test_only_candidates_are_looked_at(how):
    k = kl.FromFunction(lambda x, z: float(np.exp(-((x - z) ** 2).sum())))
    seen = []

    class Watched:
        n, width = 120, 2

        def take(self, index):
            seen.extend(np.asarray(index).tolist())
            return vectors(X[index])

    index = choose(how, k, Watched(), 5, 12, np.random.default_rng(0))
    assert len(seen) == 12
    assert set(index.tolist()) <= set(seen)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (0, "candidates must be an integer ≥ 1"),
        (2.5, "candidates must be an integer ≥ 1"),
        (4, "at least as many candidates as landmarks, 5; got candidates=4"),
    ],
)
def test_wrong_candidates(candidates, message):
    with pytest.raises(InputError, match=message):
        chosen("pivoted", X, 5, candidates=candidates)


def test_an_unknown_rule():
    with pytest.raises(
        InputError, match=r"'uniform', .*'random-pivoted', or the points"
    ):
        chosen("kmeans", X, 5)
