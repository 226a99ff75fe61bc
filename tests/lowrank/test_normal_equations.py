"""The normal equations add up, keep their digits, and certify what they solve."""

import pickle
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.linalg import cholesky
from kernellab.lowrank.normal_equations import (
    FullProblemCertificate,
    NormalEquations,
    refined_solution,
)

rng = np.random.default_rng(0)
n, r, m = 60, 5, 2
PHI, T = rng.normal(size=(n, r)) + 3, rng.normal(size=(n, m)) + 50
S = rng.uniform(0, 2, size=n)
S[::7] = 0
OWN = (PHI**2).sum(axis=1) + rng.uniform(0.1, 1, size=n)
centring = pytest.mark.parametrize("centred", [False, True], ids=["plain", "centred"])


def equations(rows=slice(None), centred=False, T=T, s=S, Phi=PHI):
    return NormalEquations.of(Phi[rows].copy(), T[rows], s[rows], OWN[rows], centred)


def close(actual, expected, tol=1e-11):
    np.testing.assert_allclose(actual, expected, rtol=tol, atol=tol)


def plainly(centred):
    """The same sums, as they are written on paper."""
    c = S @ PHI / S.sum() if centred else np.zeros(r)
    u = S @ T / S.sum() if centred else np.zeros(m)
    A = sum(s * np.outer(x - c, x - c) for s, x in zip(S, PHI, strict=True))
    B = sum(s * np.outer(x - c, y - u) for s, x, y in zip(S, PHI, T, strict=True))
    return A, B, S @ (T - u) ** 2, c, u


def same(one, other, tol=1e-11):
    for name in ("n", "S", "A", "B", "Q", "c", "u", "trace"):
        close(getattr(one, name), getattr(other, name), tol)


@centring
def test_a_block_is_what_the_paper_says(centred):
    found, (A, B, Q, c, u) = equations(centred=centred), plainly(centred)
    close(np.tril(found.A), np.tril(A))
    close(found.B, B)
    close(found.Q, Q)
    close(found.c, c)
    close(found.u, u)
    assert (found.n, found.S, found.trace) == (n, S.sum(), pytest.approx(S @ OWN))


@centring
@given(cuts=st.lists(st.integers(0, n), max_size=6), data=st.data())
def test_a_monoid(centred, cuts, data):
    """However the points are cut, and in whatever order the sums are added."""
    places = [0, *sorted(cuts), n]
    parts = [equations(slice(a, b), centred) for a, b in pairwise(places)]
    order = data.draw(st.permutations(parts))
    same(reduce(add, order), equations(centred=centred))


@centring
def test_addition_is_associative_and_has_a_neutral_element(centred):
    a, b, c = (equations(slice(i, i + 20), centred) for i in (0, 20, 40))
    same((a + b) + c, a + (b + c))
    nothing = equations(slice(0, 0), centred)
    same(a + nothing, a)
    same(nothing + a, a)


def test_addition_leaves_its_summands_alone():
    a, b = equations(slice(0, 30), True), equations(slice(30, n), True)
    before = a.A.copy(), b.A.copy(), a.B.copy(), b.B.copy()
    _ = a + b
    for was, now in zip(before, (a.A, b.A, a.B, b.B), strict=True):
        np.testing.assert_array_equal(was, now)


def test_points_without_weight_do_not_count():
    kept = S > 0
    found = NormalEquations.of(PHI[kept], T[kept], S[kept], OWN[kept], True)
    for name in ("A", "B", "Q", "c", "u", "trace"):
        close(getattr(found, name), getattr(equations(centred=True), name))


def test_targets_far_from_zero_keep_their_digits():
    """10⁸ + noise: Σt² − (Σt)²/n would have no digit left."""
    noise = rng.normal(size=(n, 1))
    parts = [equations(slice(i, i + 6), True, noise + 1e8) for i in range(0, n, 6)]
    exact = equations(centred=True, T=noise)
    total = reduce(add, parts)
    np.testing.assert_allclose(total.Q, exact.Q, rtol=1e-6)
    np.testing.assert_allclose(total.B, exact.B, rtol=1e-5, atol=1e-6)


@centring
@pytest.mark.parametrize("lam", [1e-6, 0.3, 1e4])
def test_the_solution_is_that_of_least_squares(centred, lam):
    found = equations(centred=centred).solve(lam)
    root = np.sqrt(S)[:, None]
    top = root * np.hstack([PHI, np.full((n, 1), float(centred))])
    left = np.vstack([top, np.sqrt(lam) * np.eye(r, r + 1)])
    right = np.vstack([root * T, np.zeros((r, m))])
    solution = np.linalg.lstsq(left, right, rcond=None)[0]
    close(found.w, solution[:-1], 1e-7)
    close(found.b, solution[-1] if centred else np.zeros(m), 1e-7)
    residual = T - PHI @ found.w - found.b
    close(found.R, S @ residual**2, 1e-8)


def objective(w, b, lam):
    return (S @ (T - PHI @ w - b) ** 2).sum() + lam * (w**2).sum()


@centring
def test_the_gap_is_the_squared_gradient(centred):
    """For any w, not only the best one: J(w) − J* ≤ ‖g‖²/λ, with A as it is."""
    lam, E = 0.3, equations(centred=centred)
    best = E.solve(lam)
    assert best.certificate.gap <= 1e-12 * best.certificate.primal
    A = np.tril(E.A) + np.tril(E.A, -1).T
    for size in (1e-3, 1e-2, 1.0):
        w = best.w + size * rng.normal(size=(r, m))
        g = (A + lam * np.eye(r)) @ w - E.B
        b = E.u - E.c @ w
        a = S[:, None] * (T - PHI @ w - b) / lam
        if centred:
            close(a.sum(axis=0), 0, 1e-9 * np.abs(a).sum())
        K, missed = PHI @ PHI.T, T - PHI @ w - b
        penalty = (S @ missed**2).sum() / lam**2  # Σ a²/s
        dual = lam * (2 * (a * T).sum() - (a * (K @ a)).sum() - lam * penalty)
        gap = objective(w, b, lam) - dual
        np.testing.assert_allclose(gap, (g**2).sum() / lam, rtol=1e-4)
        assert objective(w, b, lam) - objective(best.w, best.b, lam) <= gap


def test_rounding_of_a_enters_the_gap():
    E = equations()
    known = NormalEquations(**{**vars(E), "error": 1e-3})
    w = known.solve(0.5).w
    expected = (1e-3**2) * (w**2).sum() / 0.5
    np.testing.assert_allclose(known.solve(0.5).certificate.gap, expected, rtol=1e-3)
    assert known.lost > E.lost


def test_whitening_afterwards_is_whitening_before():
    L = np.tril(rng.normal(size=(r, r))) + 3 * np.eye(r)
    W = np.linalg.inv(L)
    before = equations(centred=True, Phi=PHI @ W.T)
    after = equations(centred=True).whitened(lambda M: W @ M, error=0.25)
    for name in ("A", "B", "Q", "c", "u"):
        close(getattr(after, name), getattr(before, name), 1e-10)
    assert after.error == 0.25


def of_rank_three(sizes, features=40):
    """Three points with features of these singular values, and their targets."""
    U, V = (np.linalg.qr(rng.normal(size=(k, 3)))[0] for k in (3, features))
    Phi, t = U * sizes @ V.T, rng.normal(size=(3, 1))
    return NormalEquations.of(Phi.copy(), t, np.ones(3), (Phi**2).sum(axis=1)), Phi, t


def test_a_singular_system_needs_jitter_and_is_solved():
    """37 pivots are rounding errors: one of them is negative. λ is below them all."""
    E, Phi, t = of_rank_three((1.0, 1e-2, 1e-3))
    found = E.solve(1e-20)
    assert found.jitter > 0
    assert found.certificate.jitter == found.jitter
    close(Phi @ found.w, t, 1e-4)


def test_refinement_undoes_jitter():
    """Jitter j loses the part j/σ² of the solution, a refined solution its square."""
    E, Phi, t = of_rank_three((1.0, 1e-1, 1e-3))
    system = cholesky(E.A + np.tril(E.A, -1).T, ridge=1e-10)
    w, _, _ = refined_solution(system, E.B, 0.0)
    assert np.abs(Phi @ w - t).max() < 1e-2 * np.abs(Phi @ system.solve(E.B) - t).max()


def test_all_targets_zero():
    zero = equations(T=np.zeros((n, 1))).solve(1.0)
    assert zero.certificate.primal == zero.certificate.dual == 0
    full = zero.full_problem
    assert (full.primal, full.dual, full.gap, full.relative_gap) == (0, 0, 0, 0)


def test_what_is_lost_is_never_negative():
    E = NormalEquations.of(PHI.copy(), T, S, (PHI**2).sum(axis=1), True)
    assert 0 <= E.lost < 1e-12 * E.trace
    close(equations(centred=True).lost, S @ (OWN - (PHI**2).sum(axis=1)))


def test_it_can_be_sent_to_another_process():
    E = equations(centred=True)
    same(pickle.loads(pickle.dumps(E)), E, 0)


def test_how_they_print():
    assert repr(equations()) == "Normal equations of 60 points: 5 features, 2 outputs"
    full = FullProblemCertificate(2.0, 1.0, lam=4.0, lost=1.0, trace=8.0)
    assert full.distance == 0.5
    assert full.relative == 0.125
    assert "optimum from 1 to 2" in str(full)
    assert FullProblemCertificate(0.0, 0.0).relative == 0
