"""Factorisations: against NumPy, in place, and honest about jitter."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab import kernels as kl
from kernellab.errors import InputError, NotPositiveDefinite
from kernellab.kernels.proving.advice import advice_on
from kernellab.linalg import (
    EPS,
    JITTERS,
    TILE,
    cholesky,
    spectrum,
    symmetric,
)

rng = np.random.default_rng(0)


def definite(n: int, rank: int | None = None, seed: int = 0) -> np.ndarray:
    """A random positive (semi-)definite matrix, exactly symmetric."""
    A = np.random.default_rng(seed).normal(size=(n, rank or n))
    K = A @ A.T
    return (K + K.T) / 2


@pytest.fixture(params=[1, 2, 30, 2 * TILE + 7])
def K(request):
    return definite(request.param)


@pytest.fixture(params=["number", "vector"])
def ridge(request, K):
    return 0.7 if request.param == "number" else np.linspace(0.1, 2.0, len(K))


def add(K, ridge):
    return K + np.diag(np.broadcast_to(ridge, len(K)))


# --- Cholesky -----------------------------------------------------------------------


def test_factor(K, ridge):
    L = cholesky(K, ridge=ridge).L
    assert not np.triu(L, 1).any()
    np.testing.assert_allclose(L @ L.T, add(K, ridge), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (12,)], ids=str)
def test_solve_and_multiply(K, ridge, shape):
    B = rng.normal(size=(len(K), *shape))
    C = cholesky(K, ridge=ridge)
    np.testing.assert_allclose(C.solve(B), np.linalg.solve(add(K, ridge), B), rtol=1e-7)
    np.testing.assert_allclose(C.multiply(B), K @ B, rtol=1e-9, atol=1e-10)
    assert C.solve(B).shape == C.multiply(B).shape == B.shape


def test_multiply_leaves_the_factor_alone(K):
    C, b = cholesky(K, ridge=1.0), np.ones(len(K))
    before = C.solve(b)
    C.multiply(b)
    assert (C.solve(b) == before).all()


def test_logdet(K, ridge):
    expected = np.linalg.slogdet(add(K, ridge))[1]
    assert cholesky(K, ridge=ridge).logdet() == pytest.approx(expected)


@pytest.mark.parametrize("overwrite", [False, True])
def test_inverse(K, ridge, overwrite):
    C, expected = cholesky(K, ridge=ridge), np.linalg.inv(add(K, ridge))
    inverse = C.inverse()
    assert (inverse == inverse.T).all()
    np.testing.assert_allclose(inverse, expected, rtol=1e-6, atol=1e-9)
    diagonal = C.inverse_diagonal(overwrite=overwrite)
    np.testing.assert_allclose(diagonal, expected.diagonal(), rtol=1e-7)


def test_the_input_is_left_alone_unless_it_may_be_overwritten(K):
    before = K.copy()
    cholesky(K, ridge=1.0)
    spectrum(K)
    assert (before == K).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_in_place(order):
    n = 600
    K = np.array(definite(n), order=order)
    tracemalloc.start()
    C = cholesky(K, ridge=1.0, overwrite=True)
    C.multiply(C.solve(np.ones(n)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.shares_memory(C.packed, K)
    assert peak < 0.1 * K.nbytes


def test_overwriting_a_read_only_matrix_makes_a_copy():
    K = definite(5)
    K.flags.writeable = False
    assert cholesky(K, ridge=1.0, overwrite=True).jitter == 0


# --- jitter -------------------------------------------------------------------------


def test_no_jitter_unless_needed(K):
    assert cholesky(K, ridge=1e-3).jitter == 0


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("n", [2, 50, TILE + 50])
def test_jitter_is_relative_and_recorded(n, scale):
    K = scale * np.ones((n, n))
    C = cholesky(K)
    assert np.isclose(C.jitter, JITTERS * scale, atol=0).any()
    np.testing.assert_allclose(C.L @ C.L.T, K + C.jitter * np.eye(n), rtol=1e-12)
    np.testing.assert_allclose(C.multiply(np.eye(n)), K)


def test_jitter_leaves_the_matrix_itself_exact():
    n = 2 * TILE + 11
    x = np.linspace(0, 1, n)[:, None]
    K = kl.Gaussian(sigma=1.0)(x)
    C = cholesky(K, overwrite=False)
    assert 0 < C.jitter < 1e-8
    b = np.random.default_rng(1).normal(size=n)
    np.testing.assert_allclose(C.multiply(b), K @ b, rtol=1e-9, atol=1e-9)


def test_an_indefinite_matrix_fails_for_good():
    with pytest.raises(NotPositiveDefinite, match=r"minor of order 2.*k\.refute\(\)"):
        cholesky([[1.0, 2.0], [2.0, 1.0]])


def test_the_message_depends_on_the_proof():
    bad = -np.eye(3)
    with pytest.raises(ValueError, match=r"is proven.*ill-conditioned: raise lam"):
        cholesky(bad, advice=advice_on(kl.Gaussian()))
    with pytest.raises(ValueError, match=r"is not proven.*try k\.refute\(\)"):
        cholesky(bad, advice=advice_on(kl.Gaussian() - kl.Linear()))
    with pytest.raises(ValueError, match=r"ill-conditioned.*try k\.refute\(\)"):
        cholesky(bad)


def test_zero_matrix():
    with pytest.raises(NotPositiveDefinite):
        cholesky(np.zeros((2, 2)))
    L = cholesky(np.zeros((2, 2)), ridge=4.0).L
    np.testing.assert_array_equal(L, 2 * np.eye(2))


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 1000))
def test_every_gram_matrix_can_be_factorised(n, rank, seed):
    C = cholesky(definite(n, rank, seed))
    assert C.jitter <= 1e3 * EPS * C.diagonal.mean()


# --- wrong input ----------------------------------------------------------------------


@pytest.mark.parametrize("K", [np.ones((2, 3)), np.ones(3), np.ones((0, 0)), 1.0])
@pytest.mark.parametrize("function", [cholesky, spectrum, symmetric])
def test_not_square(function, K):
    with pytest.raises(InputError, match="K must be a square array, got shape"):
        function(K)


def test_wrong_right_hand_side():
    with pytest.raises(InputError, match=r"shape \(2,\) or \(2, m\), got \(3,\)"):
        cholesky(np.eye(2)).solve(np.ones(3))


def test_wrong_ridge():
    with pytest.raises(InputError, match=r"a number or have shape \(2,\), got \(3,\)"):
        cholesky(np.eye(2), ridge=np.ones(3))
    with pytest.raises(InputError, match="finite"):
        cholesky(np.eye(2), ridge=np.nan)


def test_a_spent_factor_refuses_to_work():
    C = cholesky(np.eye(2))
    C.inverse_diagonal(overwrite=True)
    with pytest.raises(InputError, match="used up"):
        C.solve(np.ones(2))


def test_symmetric():
    K = definite(TILE + 3)
    noisy = K * (1 + 1e-14 * rng.normal(size=K.shape))
    result = symmetric(noisy)
    assert (result == result.T).all()
    np.testing.assert_allclose(result, K, rtol=1e-12)
    K[TILE + 1, 2] += 1
    with pytest.raises(InputError, match=rf"K\[2, {TILE + 1}\] is"):
        symmetric(K)
    with pytest.raises(InputError, match=r"must be finite; G\[0, 1\] is nan"):
        symmetric([[1.0, np.nan], [0.0, 1.0]], "G")


# --- spectrum -------------------------------------------------------------------------


def test_spectrum(K):
    S = spectrum(K)
    np.testing.assert_allclose((S.vectors * S.values) @ S.vectors.T, K, atol=1e-9)
    lams = [0.1, 3.0]
    for lam, diagonal in zip(lams, S.inverse_diagonal(lams).T, strict=True):
        inverse = np.linalg.inv(K + lam * np.eye(len(K)))
        np.testing.assert_allclose(diagonal, inverse.diagonal(), rtol=1e-7)


def test_spectrum_of_a_singular_matrix_is_not_negative():
    S = spectrum(definite(40, rank=3))
    assert (S.values >= 0).all()
    assert 0 <= S.clipped < 1e-12


def test_spectrum_of_an_indefinite_matrix():
    with pytest.raises(NotPositiveDefinite, match=r"eigenvalue is -1.*k\.refute\(\)"):
        spectrum([[1.0, 2.0], [2.0, 1.0]])
