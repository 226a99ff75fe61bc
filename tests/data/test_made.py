"""Made data: the shapes they promise, and what the text is like."""

import numpy as np
import pytest

from kernellab.data import made, moons, rings, sparse_text, xor
from kernellab.errors import InputError

PLANE = (moons, rings, xor)


@pytest.mark.parametrize("make", PLANE)
@pytest.mark.parametrize("n", [1, 2, 3, 101])
def test_shapes_and_labels(make, n):
    X, y = make(n, 0.2, np.random.default_rng(0))
    assert X.shape == (n, 2)
    assert y.shape == (n,)
    assert set(y) <= {-1.0, 1.0}
    assert np.isfinite(X).all()


@pytest.mark.parametrize("make", [*PLANE, sparse_text])
def test_a_seed_and_a_generator_give_the_same(make):
    first, second = (
        make(30, random_state=7),
        make(30, random_state=np.random.default_rng(7)),
    )
    other = make(30, random_state=8)
    assert abs(first[0] - second[0]).max() == 0
    assert np.array_equal(first[1], second[1])
    assert abs(first[0] - other[0]).max() > 0


@pytest.mark.parametrize("make", [moons, rings])
def test_the_classes_are_equally_large(make):
    assert make(100)[1].sum() == 0
    assert make(101)[1].sum() == -1


def test_moons_lie_on_their_half_circles():
    X, y = moons(200, noise=0.0)
    upper, lower = X[y < 0], X[y > 0]
    assert np.allclose(np.hypot(*upper.T), 1)
    assert (upper[:, 1] >= -1e-12).all()
    assert np.allclose(np.hypot(*(lower - [1, 0.5]).T), 1)
    assert (lower[:, 1] <= 0.5 + 1e-12).all()


def test_rings_have_their_radii_and_noise():
    X, y = rings(200, noise=0.0, radii=(0.5, 3.0))
    assert np.allclose(np.hypot(*X.T), np.where(y < 0, 0.5, 3.0))
    noisy, y = rings(4000, noise=0.3)
    # The noise adds 2σ² to the mean squared radius.
    added = (noisy[y < 0] ** 2).sum(axis=1).mean() - 1
    assert added == pytest.approx(2 * 0.3**2, rel=0.2)


def test_xor_keeps_its_distance():
    X, y = xor(500, gap=0.25)
    assert np.array_equal(np.sign(X.prod(axis=1)), y)
    assert np.abs(X).min() >= 0.25
    assert np.abs(X).max() <= 1
    assert abs(y.mean()) < 0.2


def test_text_is_a_clean_csr_array_of_unit_rows():
    X, y = sparse_text(300, 2000, random_state=1)
    assert X.format == "csr"
    assert X.shape == (300, 2000)
    assert X.has_sorted_indices
    assert X.has_canonical_format
    assert X.indices.dtype == np.int32  # what scikit-learn asks for
    assert np.allclose(np.sqrt((X**2).sum(axis=1)), 1)
    assert (X.data > 0).all()
    assert set(y) == {-1.0, 1.0}


def test_text_has_the_statistics_that_it_promises():
    rng = np.random.default_rng(3)
    X, _ = sparse_text(4000, random_state=rng)
    assert 70 < X.nnz / 4000 < 80
    often = np.bincount(X.indices, minlength=47_000)
    # Word 990 is rarer than word 90 by (90 + 10)/(990 + 10), but for leaning words.
    ratio = often[940:1040].mean() / often[85:96].mean()
    assert ratio == pytest.approx(0.1, rel=0.35)


def test_weights_are_tf_idf():
    X, _ = sparse_text(40, 30, random_state=2, length=15)
    rng = np.random.default_rng(2)
    y = rng.choice([-1.0, 1.0], size=40)
    N = made._counts(y, made._topics(30, 1.45, 0.1, rng), 15.0, rng).toarray()
    rarity = 1 + np.log(41 / (1 + (N > 0).sum(axis=0)))
    plain = np.where(N > 0, 1 + np.log(np.maximum(N, 1)), 0) * rarity
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    assert np.abs(X.toarray() - plain).max() < 1e-14


def test_the_best_classifier_errs_in_about_six_per_cent():
    """Words are independent given the topic, so that naive Bayes is exact."""
    errors = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        P = made._topics(47_000, 1.45, 0.1, rng)
        y = rng.choice([-1.0, 1.0], size=4000)
        overlap = np.mean(
            np.sign(made._counts(y, P, 75.0, rng) @ np.log(P[1] / P[0])) != y
        )
        errors.append(0.97 * overlap + 0.03 * (1 - overlap))
    assert 0.05 < np.mean(errors) < 0.07


def test_no_strength_no_topics_and_flips():
    P = made._topics(50, 0.0, 0.5, np.random.default_rng(0))
    assert np.allclose(P[0], P[1])
    _, right = sparse_text(500, 100, random_state=5, flipped=0.0)
    _, wrong = sparse_text(500, 100, random_state=5, flipped=1.0)
    assert np.array_equal(right, -wrong)
    _, mixed = sparse_text(500, 100, random_state=5, flipped=0.2)
    assert np.mean(mixed != right) == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: moons(0), "n must be an integer ≥ 1, got 0"),
        (lambda: moons(2.5), "n must be an integer ≥ 1, got 2.5"),
        (lambda: rings(3, noise=-1), "noise must not be negative, got -1"),
        (lambda: rings(3, radii=(0, 1)), "a radius must be positive, got 0"),
        (lambda: xor(3, gap=1.0), "gap must be at least 0 and below 1, got 1"),
        (
            lambda: xor(3, random_state=-1),
            "random_state, if it is neither None nor a generator, must be",
        ),
        (lambda: sparse_text(3, 0), "words must be an integer ≥ 1, got 0"),
        (lambda: sparse_text(3, length=0), "length must be positive, got 0"),
        (lambda: sparse_text(3, strength=-1), "strength must not be negative"),
        (lambda: sparse_text(3, topical=2), "topical must be a share between 0 and 1"),
        (lambda: sparse_text(3, flipped=-0.1), "flipped must be a share"),
    ],
)
def test_errors(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_one_document_one_word():
    X, _ = sparse_text(1, 1)
    assert X.toarray() == 1.0
