"""Kernel PCA: HKH, scores, new points; ordinary PCA and scikit-learn as peers."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as Peer

from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.pca import KernelPCA, centre

rng = np.random.default_rng(5)
X = rng.normal(size=(30, 3)) * [3.0, 1.0, 0.3] + [1.0, -2.0, 0.0]
T = rng.normal(size=(7, 3))
WORDS = ["abab", "baba", "abba", "cccc", "ccac", "accc"]
POLYNOMIAL, GAUSSIAN = kl.Polynomial(degree=2), kl.Gaussian(sigma=2.0)
KERNELS = [kl.Linear(), POLYNOMIAL, GAUSSIAN]
each_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


def same_up_to_sign(A, B, tol=1e-8):
    signs = np.sign((A * B).sum(axis=0))
    np.testing.assert_allclose(A, B * signs, atol=tol * np.abs(B).max())


@each_kernel
def test_centring(k):
    K, H = k(X), np.eye(30) - 1 / 30
    G = centre(K)
    np.testing.assert_allclose(G, H @ K @ H, atol=1e-10 * np.abs(K).max())
    np.testing.assert_array_equal(G, G.T)
    np.testing.assert_allclose(G.sum(axis=0), 0, atol=1e-10 * np.abs(K).max())


def test_centring_leaves_its_argument_alone():
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    centre(K)
    np.testing.assert_array_equal(K, [[2.0, 1.0], [1.0, 2.0]])


def test_the_linear_kernel_gives_ordinary_pca():
    model, peer = KernelPCA(kl.Linear()).fit(X), PCA().fit(X)
    assert model.rank_ == 3
    np.testing.assert_allclose(model.eigenvalues_ / 29, peer.explained_variance_)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, peer.explained_variance_ratio_
    )
    same_up_to_sign(model.transform(T), peer.transform(T))
    same_up_to_sign(model.scores_, peer.transform(X))


@pytest.mark.parametrize("k", [POLYNOMIAL], ids=repr)
def test_finite_features_give_ordinary_pca_of_the_features(k):
    phi = k.features()
    model = KernelPCA(k, 4).fit(X)
    peer = PCA(4).fit(phi(X))
    same_up_to_sign(model.transform(T), peer.transform(phi(T)), tol=1e-6)
    residual = phi(T) - peer.inverse_transform(peer.transform(phi(T)))
    np.testing.assert_allclose(
        model.reconstruction_error(T), (residual**2).sum(axis=1), rtol=1e-6
    )


@each_kernel
def test_against_scikit_learn(k):
    model = KernelPCA(k, 3).fit(X)
    peer = Peer(3, kernel="precomputed").fit(k(X))
    np.testing.assert_allclose(model.eigenvalues_, peer.eigenvalues_)
    same_up_to_sign(model.transform(T), peer.transform(k(T, X)))
    same_up_to_sign(model.scores_, peer.transform(k(X)))


@each_kernel
def test_eigenvectors(k):
    model = KernelPCA(k).fit(X)
    G, V, mu = centre(k(X)), model.eigenvectors_, model.eigenvalues_
    assert (np.diff(mu) <= 0).all()
    assert V.shape == (30, model.rank_)
    np.testing.assert_allclose(V.T @ V, np.eye(model.rank_), atol=1e-10)
    np.testing.assert_allclose(G @ V, V * mu, atol=1e-10 * mu[0])
    np.testing.assert_allclose((V * mu) @ V.T, G, atol=1e-10 * mu[0])
    np.testing.assert_allclose(model.explained_variance_ratio_.sum(), 1)


@each_kernel
def test_directions_are_unit_vectors(k):
    """⟨w_j, w_l⟩ = (aᵀ HKH a)_jl = δ_jl."""
    model = KernelPCA(k, 3).fit(X)
    W = model.a_.T @ centre(k(X)) @ model.a_
    np.testing.assert_allclose(W, np.eye(3), atol=1e-10)


@each_kernel
def test_scores_of_the_training_points(k):
    model = KernelPCA(k, 3)
    scores = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), scores, atol=1e-9)
    np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-10)
    covariance = scores.T @ scores / 30
    np.testing.assert_allclose(
        covariance, np.diag(model.eigenvalues_ / 30), atol=1e-10 * covariance.max()
    )


@each_kernel
def test_reconstruction_error(k):
    model, everything = KernelPCA(k, 2).fit(X), KernelPCA(k).fit(X)
    left_out = everything.eigenvalues_[2:].sum()
    errors = model.reconstruction_error(X)
    assert errors.min() >= 0
    assert errors.sum() == pytest.approx(left_out, rel=1e-8)
    scale = everything.eigenvalues_[0]
    np.testing.assert_allclose(
        everything.reconstruction_error(X), 0, atol=1e-10 * scale
    )


def test_signs_are_fixed():
    """Whatever the order of the points, and when several scores are equally large."""
    model = KernelPCA(GAUSSIAN, 3).fit(X)
    V = model.eigenvectors_
    assert (V[np.abs(V).argmax(axis=0), range(3)] > 0).all()
    order = rng.permutation(30)
    shuffled = KernelPCA(GAUSSIAN, 3).fit(X[order])
    np.testing.assert_allclose(shuffled.scores_, model.scores_[order], atol=1e-9)
    for n in range(2, 20):
        line = np.linspace(1, -1, n)[:, None]
        scores = KernelPCA(kl.Linear()).fit(line).scores_
        np.testing.assert_allclose(scores, line, atol=1e-12)


def test_strings():
    model = KernelPCA(kl.Spectrum(p=2), 1).fit(WORDS)
    assert np.ptp(np.sign(model.scores_[:3])) == 0
    assert np.sign(model.scores_[0]) == -np.sign(model.scores_[3])
    assert model.transform(["babab"]).shape == (1, 1)


def test_precomputed():
    one = KernelPCA(GAUSSIAN, 2).fit(X)
    two = KernelPCA("precomputed", 2).fit(GAUSSIAN(X))
    block = GAUSSIAN(T, X)
    np.testing.assert_allclose(one.transform(T), two.transform(block), atol=1e-12)
    np.testing.assert_allclose(
        one.reconstruction_error(T),
        two.reconstruction_error(block, diagonal=GAUSSIAN.diag(T)),
        atol=1e-12,
    )
    with pytest.raises(InputError, match=r"diagonal, an array of shape \(7,\)"):
        two.reconstruction_error(block)
    with pytest.raises(InputError, match="is expecting 30 features"):
        two.transform(T)


def test_rank():
    line = np.outer(np.arange(5.0), [1.0, 2.0])
    assert KernelPCA(kl.Linear()).fit(line).rank_ == 1
    assert KernelPCA(kl.Gaussian()).fit(line).rank_ == 4
    twice = np.vstack([line, line])
    assert KernelPCA(kl.Gaussian()).fit(twice).rank_ == 4
    with pytest.raises(InputError, match=r"n_components = 2.*1 directions only"):
        KernelPCA(kl.Linear(), 2).fit(line)


def test_a_constant_added_to_the_kernel_changes_nothing():
    """Its feature does not vary; far from the origin only precision is lost."""
    plain, shifted = (KernelPCA(k, 3).fit(X) for k in (GAUSSIAN, GAUSSIAN + 1e4))
    np.testing.assert_allclose(plain.scores_, shifted.scores_, atol=1e-8)
    far = KernelPCA(kl.Linear(), 2).fit(X + 1e4)
    near = KernelPCA(kl.Linear(), 2).fit(X)
    np.testing.assert_allclose(far.scores_, near.scores_, atol=1e-4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: KernelPCA(GAUSSIAN).fit([[1.0]]), InputError, "give two points"),
        (lambda: KernelPCA(GAUSSIAN).fit(np.ones((4, 2))), InputError, "same features"),
        (
            lambda: KernelPCA(kl.Linear()).fit(1e5 + np.zeros((4, 2))),
            InputError,
            "same features",
        ),
        (lambda: KernelPCA(GAUSSIAN, 0).fit(X), InputError, "integer ≥ 1, got 0"),
        (lambda: KernelPCA(GAUSSIAN, 1.5).fit(X), InputError, "integer ≥ 1"),
        (lambda: KernelPCA(GAUSSIAN, "2").fit(X), InputError, "n_components"),
        (lambda: KernelPCA(GAUSSIAN, 31).fit(X), InputError, "ask for at most 29"),
        (lambda: KernelPCA(GAUSSIAN).transform(X), ValueError, "not fitted"),
        (
            lambda: KernelPCA(GAUSSIAN).explained_variance_ratio_,
            ValueError,
            "not fitted",
        ),
        (lambda: KernelPCA("rbf").fit(X), TypeError, "'precomputed'"),
        (lambda: KernelPCA(GAUSSIAN).fit([[np.nan]]), InputError, "finite"),
        (
            lambda: KernelPCA(-kl.Linear()).fit(X),
            NotPositiveDefinite,
            r"smallest eigenvalue.*-Linear\(\) is not proven",
        ),
        (
            lambda: KernelPCA("precomputed").fit([[1.0, 2.0], [0.0, 1.0]]),
            InputError,
            "symmetric",
        ),
    ],
)
def test_wrong_inputs(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_parameters():
    model = KernelPCA(GAUSSIAN, 2)
    assert model.get_params(deep=False) == {"kernel": GAUSSIAN, "n_components": 2}
    assert model.set_params(n_components=3).n_components == 3
