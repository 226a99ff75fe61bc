"""Sparse points: kernels of the inner product take them, others say what to do."""

import numpy as np
import pytest
import scipy.sparse as sp

from kernellab import SVC, GaussianProcess, KernelPCA, KernelRidge
from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.lowrank import LowRankRidge, Nystroem

RNG = np.random.default_rng(0)
X = RNG.normal(size=(250, 30)) * (RNG.random((250, 30)) < 0.1)
Y = np.where(X[:, 0] + X[:, 1] + 0.1 * RNG.normal(size=250) > 0, 1.0, -1.0)
FORMATS = [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_array]
TAKING = [
    kl.Linear(),
    kl.Linear(A=np.diag(np.arange(1.0, 31))),
    kl.Polynomial(degree=3, c=0.5),
    2 * kl.Linear() + (kl.Linear() + 1) ** 2 * kl.exp(0.1 * kl.Linear()),
    (kl.Linear() + 1).normalize(),
]


@pytest.mark.parametrize("k", TAKING, ids=lambda k: repr(k)[:20])
def test_values_gradients_and_the_diagonal_are_those_of_dense_points(k):
    G = np.random.default_rng(1).normal(size=(250, 250))
    S, close = sp.csr_array(X), {"rtol": 1e-12, "atol": 1e-12}
    np.testing.assert_allclose(k(S), k(X), **close)
    np.testing.assert_array_equal(k(S), k(S).T)
    np.testing.assert_allclose(k(S[:9], S), k(X)[:9], **close)
    np.testing.assert_allclose(k(S, X[:9]), k(X)[:, :9], **close)
    np.testing.assert_allclose(k(X[:9], S), k(X)[:9], **close)
    np.testing.assert_allclose(k.diag(S), k.diag(X), **close)
    np.testing.assert_allclose(k.vjp(S, G), k.vjp(X, G), rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.__name__)
def test_every_format_is_read_and_left_alone(form):
    S = form(X)
    np.testing.assert_allclose(kl.Linear()(S), X @ X.T, atol=1e-12)
    np.testing.assert_array_equal(S.toarray(), X)
    np.testing.assert_allclose(
        kl.Linear()(form(X.astype(int))), X.astype(int) @ X.astype(int).T
    )


@pytest.mark.parametrize(
    "model",
    [
        KernelRidge(kl.Polynomial(2)),
        SVC(kl.Linear()),
        KernelPCA(kl.Linear(), 3),
        LowRankRidge(Nystroem(kl.Polynomial(2), rank=40), lam=1.0),
    ],
    ids=lambda m: type(m).__name__,
)
def test_models_answer_as_for_dense_points(model):
    S = sp.csr_array(X)
    answer = "transform" if isinstance(model, KernelPCA) else "predict"
    targets = () if isinstance(model, KernelPCA) else (Y,)
    dense = getattr(model.fit(X, *targets), answer)(X[:20])
    sparse = getattr(model.fit(S, *targets), answer)(S[:20])
    np.testing.assert_allclose(sparse, dense, rtol=1e-6, atol=1e-8)


def test_a_gaussian_process_learns_from_more_sparse_points():
    S = sp.csr_array(X)
    gp = GaussianProcess(kl.Linear(), noise=0.5).fit(S[:200], Y[:200], optimize=False)
    gp.add(S[200:], Y[200:])
    whole = GaussianProcess(kl.Linear(), noise=0.5).fit(X, Y, optimize=False)
    np.testing.assert_allclose(gp.predict_f(S[:5])[0], whole.predict_f(X[:5])[0])


@pytest.mark.parametrize(
    "k", [kl.Gaussian(), kl.Laplacian(), kl.Linear().on(0), kl.Delta(), kl.Cosine()]
)
def test_other_kernels_say_what_to_do(k):
    wide = X[:, :1] if isinstance(k, kl.Cosine) else X
    with pytest.raises(InputError, match=r"X\.toarray\(\)"):
        k(sp.csr_array(wide))


def test_wrong_sparse_points():
    bad = sp.csr_array(X)
    place = np.argwhere(X)[3]
    bad.data[3] = np.nan
    with pytest.raises(InputError, match=rf"X\[{place[0]}, {place[1]}\] is nan"):
        kl.Linear()(bad)
    with pytest.raises(InputError, match="real numbers"):
        kl.Linear()(sp.csr_array(X * 1j))
    with pytest.raises(InputError, match="at least one column"):
        kl.Linear()(sp.csr_array((3, 0)))
    with pytest.raises(InputError, match="same number of columns"):
        kl.Linear()(bad[:2, :4], X)
