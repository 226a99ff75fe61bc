"""Pre-images, against refits without a point and against explicit features."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.pca import KernelPCA
from kernellab.pca.preimage import learn_preimages
from kernellab.ridge import KernelRidge

rng = np.random.default_rng(0)
t = rng.uniform(0, 2, 60)
ARC = np.column_stack([np.cos(t), np.sin(t)]) + 0.02 * rng.normal(size=(60, 2))


def test_the_linear_kernel_inverts_ordinary_pca():
    X = rng.normal(size=(40, 4)) * [3.0, 2.0, 0.5, 0.1]
    model, peer = KernelPCA(kl.Linear(), 2).fit(X), PCA(2).fit(X)
    S = model.transform(X[:7])
    expected = peer.inverse_transform(peer.transform(X[:7]))
    np.testing.assert_allclose(model.inverse_transform(S), expected, atol=0.05)
    whole = KernelPCA(kl.Linear()).fit(X)
    np.testing.assert_allclose(
        whole.inverse_transform(whole.transform(X)), X, atol=1e-3
    )
    assert whole.preimage_report_.error < 0.01 * whole.preimage_report_.spread


def test_points_on_an_arc_come_back_to_it():
    model = KernelPCA(kl.Gaussian(sigma=0.7), 3).fit(ARC)
    s = np.linspace(0.2, 1.8, 9)
    clean = np.column_stack([np.cos(s), np.sin(s)])
    back, error = model.inverse_transform(model.transform(clean), return_error=True)
    assert np.abs(np.hypot(*back.T) - 1).max() < 0.05
    assert np.abs(back - clean).max() < 0.08
    assert (error >= 0).all()
    assert error.max() < 0.01
    assert model.preimage_report_.error < 0.01
    assert model.preimage_report_.spread == pytest.approx(
        np.sqrt(ARC.var(axis=0).sum())
    )


def test_the_report_is_the_error_of_refits():
    S = KernelPCA(kl.Gaussian(sigma=0.7), 3).fit_transform(ARC)
    found = learn_preimages(S, ARC)
    T, mean = ARC - ARC.mean(axis=0), ARC.mean(axis=0)
    ridge = KernelRidge(found.kernel, lam=found.report.lam).fit(S, T)
    Z = rng.normal(size=(5, 3)) * S.std(axis=0)
    np.testing.assert_allclose(found(Z), mean + ridge.predict(Z), atol=1e-6)
    misses = []
    for i in range(60):
        rest = np.arange(60) != i
        refit = KernelRidge(found.kernel, lam=found.report.lam).fit(S[rest], T[rest])
        misses.append(T[i] - refit.predict(S[[i]])[0])
    rms = np.sqrt(np.mean(np.sum(np.square(misses), axis=1)))
    assert found.report.error == pytest.approx(rms, rel=1e-5)


def test_the_error_is_a_distance_in_feature_space():
    k = kl.Polynomial(degree=2, c=1.0)
    model, phi = KernelPCA(k, 2).fit(ARC), k.features()
    centred = phi(ARC) - phi(ARC).mean(axis=0)
    directions = centred.T @ model.a_
    S = rng.normal(size=(6, 2))
    wanted = phi(ARC).mean(axis=0) + S @ directions.T
    points, error = model.inverse_transform(S, return_error=True)
    np.testing.assert_allclose(error, ((phi(points) - wanted) ** 2).sum(axis=1))


def test_what_has_no_preimage():
    k = kl.Gaussian()
    with pytest.raises(InputError, match="the points themselves"):
        KernelPCA("precomputed", 2).fit(k(ARC)).inverse_transform(np.zeros((1, 2)))
    with pytest.raises(InputError, match="kernel on vectors"):
        KernelPCA(kl.Spectrum(1), 1).fit(["ab", "b"]).inverse_transform([[0.0]])
    model = KernelPCA(k, 2).fit(ARC)
    for wrong in (np.zeros(2), np.zeros((1, 3))):
        with pytest.raises(InputError, match=r"scores must have shape \(q, 2\)"):
            model.inverse_transform(wrong)
    with pytest.raises(InputError, match="scores must be finite"):
        model.inverse_transform([[np.nan, 0.0]])
    with pytest.raises(ValueError, match="not fitted"):
        KernelPCA(k).inverse_transform([[0.0]])


def test_a_new_fit_forgets_the_old_map():
    model = KernelPCA(kl.Gaussian(), 2).fit(ARC)
    before = model.inverse_transform([[0.1, 0.0]])
    after = model.fit(ARC + 5.0).inverse_transform([[0.1, 0.0]])
    np.testing.assert_allclose(after, before + 5.0, atol=1e-6)
