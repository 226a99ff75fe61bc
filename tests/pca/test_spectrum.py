"""A few of many directions: the same as from the whole spectrum, ties included."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as Peer

from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.pca import KernelPCA, centre, spectrum

rng = np.random.default_rng(0)
X = rng.normal(size=(400, 5))
CORNERS = np.tile(np.eye(20), (20, 1))  # 20 times each: 19 equal eigenvalues


def slowly(k, points, m):
    values, vectors = np.linalg.eigh(centre(k(points)))
    return values[::-1][:m], vectors[:, ::-1][:, :m]


@pytest.mark.parametrize("m", [1, 7, 20, 21, 150])
@pytest.mark.parametrize("k", [kl.Gaussian(sigma=0.7), kl.Gaussian(sigma=1.5)])
def test_the_leading_directions(k, m):
    model, (mu, _) = KernelPCA(k, m).fit(X), slowly(k, X, m)
    np.testing.assert_allclose(model.eigenvalues_, mu, rtol=1e-9)
    residual = centre(k(X)) @ model.eigenvectors_ - model.eigenvectors_ * mu
    np.testing.assert_allclose(residual, 0, atol=1e-10 * mu[0])
    np.testing.assert_allclose(
        model.eigenvectors_.T @ model.eigenvectors_, np.eye(m), atol=1e-10
    )
    assert model.rank_ is None
    total = np.trace(centre(k(X)))
    np.testing.assert_allclose(model.explained_variance_ratio_, mu / total)


@pytest.mark.parametrize("m", [1, 5, 19])
def test_equal_eigenvalues_are_all_found(m):
    model = KernelPCA(kl.Linear(), m).fit(CORNERS)
    np.testing.assert_allclose(model.eigenvalues_, 20.0, rtol=1e-10)
    V = model.eigenvectors_
    np.testing.assert_allclose(V.T @ V, np.eye(m), atol=1e-10)
    np.testing.assert_allclose(centre(CORNERS @ CORNERS.T) @ V, 20 * V, atol=1e-9)


def test_nearly_equal_eigenvalues():
    stretched = CORNERS * (1 + 1e-9 * np.arange(20))
    model = KernelPCA(kl.Linear(), 19).fit(stretched)
    mu, _ = slowly(kl.Linear(), stretched, 19)
    np.testing.assert_allclose(model.eigenvalues_, mu, rtol=1e-12)


def test_beyond_the_rank():
    with pytest.raises(InputError, match=r"n_components = 20.*19 directions only"):
        KernelPCA(kl.Linear(), 20).fit(CORNERS)


def test_a_missed_eigenvalue_is_noticed(monkeypatch):
    """A search that skips the second eigenvalue is not believed."""
    largest = spectrum._largest

    def forgetful(product, n, m, seed, tol=0.0):
        mu, V = largest(product, n, m + (seed == 0), seed, tol)
        return (np.delete(mu, 1), np.delete(V, 1, axis=1)) if seed == 0 else (mu, V)

    monkeypatch.setattr(spectrum, "_largest", forgetful)
    k = kl.Gaussian(sigma=2.0)
    mu, _ = slowly(k, X, 4)
    np.testing.assert_allclose(KernelPCA(k, 4).fit(X).eigenvalues_, mu, rtol=1e-10)


def test_the_same_at_every_fit_and_as_scikit_learn():
    k = kl.Gaussian(sigma=2.0)
    one, two = (KernelPCA(k, 5).fit(X) for _ in range(2))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    peer = Peer(5, kernel="rbf", gamma=1 / 8).fit(X)
    np.testing.assert_allclose(one.eigenvalues_, peer.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(
        np.abs(one.transform(X[:9])), np.abs(peer.transform(X[:9])), atol=1e-8
    )


def test_what_is_not_a_kernel_is_refused_however_few_directions_are_asked_for():
    K = kl.Gaussian(sigma=2.0)(X)
    indefinite = K - 0.5 * np.eye(400)
    with pytest.raises(NotPositiveDefinite, match=r"smallest eigenvalue is -0\.5"):
        KernelPCA("precomputed", 3).fit(indefinite)
    with pytest.raises(NotPositiveDefinite, match="not proven"):
        KernelPCA(kl.Gaussian(sigma=2.0) - 0.5 * kl.Delta(), 3).fit(X)
    KernelPCA("precomputed", 3).fit(K)
    with pytest.raises(NotPositiveDefinite):
        KernelPCA(kl.Brownian() - 1e-3 * kl.Delta(), 2).fit(np.abs(X[:, :1]))
