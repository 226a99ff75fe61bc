"""Kernel logistic regression: several classes and weights, scikit-learn as a peer."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from kernellab import KernelLogisticRegression
from kernellab import kernels as kl
from kernellab.erm.softmax import (
    SoftmaxProblem,
    conjugate_gradient_step,
    newton_direction,
    solve_softmax,
)
from kernellab.errors import ConvergenceWarning, InputError, NotPositiveDefinite

IRIS = load_iris()
X, CODES = IRIS.data - IRIS.data.mean(axis=0), IRIS.target
NAMES = np.array(["setosa", "versicolor", "virginica"])[CODES]
S = np.random.default_rng(0).integers(1, 5, size=150).astype(float)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weights", [None, S])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_the_linear_kernel_is_scikit_learns_logistic_regression(
    classes, weights, class_weight
):
    lam, some = 0.01, (classes > CODES) & (np.arange(150) % 3 > 0)
    s = None if weights is None else weights[some]
    total = some.sum() if s is None else s.sum()
    model = KernelLogisticRegression(
        kl.Linear(), lam=lam, tol=1e-12, class_weight=class_weight
    ).fit(X[some], NAMES[some], s)
    peer = LogisticRegression(
        C=1 / (lam * total),
        fit_intercept=False,
        tol=1e-12,
        max_iter=10_000,
        class_weight=class_weight,
    ).fit(X[some], NAMES[some], s)
    np.testing.assert_array_equal(model.classes_, peer.classes_)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=2e-5)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    assert 0 <= model.certificate_.relative_gap <= 1e-12
    assert model.score(X[some], NAMES[some]) == peer.score(X[some], NAMES[some])


def test_a_gaussian_kernel_against_a_general_minimiser():
    """(P) in the coefficients, by L-BFGS, from scratch."""
    rows = np.arange(0, 150, 5)
    k, lam, Y = kl.Gaussian(sigma=1.0), 0.02, np.eye(3)[CODES[rows]]
    K, s = k(X[rows]), S[rows] / S[rows].mean()
    L = np.linalg.cholesky(K + 1e-10 * np.eye(30))

    def P(z):
        B = z.reshape(30, 3)
        U = L @ B
        return (
            s @ (logsumexp(U, axis=1) - (U * Y).sum(axis=1)) / 30
            + lam / 2 * (B**2).sum()
        )

    best = minimize(P, np.zeros(90), tol=1e-13, options={"maxiter": 2000})
    model = KernelLogisticRegression(k, lam=lam, tol=1e-11).fit(
        X[rows], CODES[rows], S[rows]
    )
    assert model.certificate_.primal == pytest.approx(best.fun, rel=1e-7)
    assert model.certificate_.dual <= best.fun + 1e-9
    U = L @ best.x.reshape(30, 3)
    np.testing.assert_allclose(model.decision_function(X[rows]), U, atol=2e-3)
    np.testing.assert_allclose(model.a_.sum(axis=1), 0, atol=1e-10)
    np.testing.assert_allclose(model.alpha_, model.a_, atol=1e-5)


def test_two_functions_with_twice_the_penalty_are_one():
    two = KernelLogisticRegression(kl.Gaussian(), lam=0.05, tol=1e-12)
    some = CODES > 0
    one = two.fit(X[some], CODES[some]).decision_function(X)
    Y = np.eye(2)[CODES[some] - 1]
    both = solve_softmax(
        SoftmaxProblem(kl.Gaussian()(X[some]), Y, np.ones(100), 0.1), 1e-12, 50
    )
    F = kl.Gaussian()(X, X[some]) @ both.A
    np.testing.assert_allclose(F[:, 1] - F[:, 0], one, atol=1e-6)
    assert both.certificate.primal == pytest.approx(two.certificate_.primal, rel=1e-10)


def test_every_dual_value_is_below_every_primal_value():
    rng = np.random.default_rng(1)
    problem = SoftmaxProblem(kl.Gaussian()(X), np.eye(3)[CODES], S, 0.1)
    for _ in range(20):
        A, Q = rng.normal(size=(150, 3)), rng.dirichlet(np.ones(3), size=150)
        assert problem.primal(A, problem.K @ A) > problem.dual(Q)
    one_hot = np.eye(3)[CODES]
    assert problem.dual(one_hot) == pytest.approx(0.0)  # no entropy, no residual


def test_the_newton_step_solves_the_linearised_condition():
    """λA + (1/n) ∂ loss = 0, to first order, against a dense solve of 3n equations."""
    rng, n = np.random.default_rng(2), 12
    rows = np.arange(0, 144, 12)
    K, s = kl.Gaussian()(X[rows]), S[rows]
    problem = SoftmaxProblem(K, np.eye(3)[CODES[rows]], s, 0.05)
    A = rng.normal(size=(n, 3))
    U = K @ A
    step, _ = newton_direction(problem, A, U)
    P = np.exp(U - logsumexp(U, axis=1, keepdims=True))
    blocks = s[:, None, None] * (np.eye(3) * P[:, None] - P[:, :, None] * P[:, None])
    W = np.einsum("ijk,il->ijlk", blocks, np.eye(n)).reshape(3 * n, 3 * n)
    KK = np.kron(K, np.eye(3))
    nlam = problem.nlam
    gradient = nlam * A - s[:, None] * (problem.Y - P)
    expected = np.linalg.solve(nlam * np.eye(3 * n) + W @ KK, -gradient.ravel())
    np.testing.assert_allclose(step.ravel(), expected, rtol=1e-6, atol=1e-8)
    iterated = conjugate_gradient_step(problem, A, U, 1e-9)
    np.testing.assert_allclose(K @ iterated, K @ step, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_weight_is_a_number_of_copies(classes):
    some = np.flatnonzero(classes > CODES)[::4]
    counts = np.random.default_rng(3).integers(0, 3, size=len(some))
    counts[:2] = 1
    k = kl.Gaussian(sigma=1.5)
    weighted = KernelLogisticRegression(k, lam=0.01, tol=1e-12).fit(
        X[some], NAMES[some], counts
    )
    copies = np.repeat(some, counts)
    copied = KernelLogisticRegression(k, lam=0.01, tol=1e-12).fit(
        X[copies], NAMES[copies]
    )
    np.testing.assert_allclose(
        weighted.predict_proba(X), copied.predict_proba(X), atol=1e-6
    )
    assert weighted.certificate_.primal == pytest.approx(copied.certificate_.primal)
    assert (weighted.a_[counts == 0] == 0).all()


def test_probabilities_are_calibrated_and_functions_are_given():
    model = KernelLogisticRegression(kl.Gaussian(sigma=1.0) + 1, lam=1e-3).fit(X, NAMES)
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    # the constant in the kernel is nearly an intercept: mean probabilities fit shares
    np.testing.assert_allclose(P.mean(axis=0), 1 / 3, atol=0.01)
    values = np.column_stack([f(X[:5]) for f in model.function_])
    np.testing.assert_allclose(values, model.decision_function(X[:5]), atol=1e-10)


def test_strings_and_precomputed():
    words = ["abab", "baba", "cccc", "ccac", "dd", "ddd"]
    y = [1, 1, 2, 2, 3, 3]
    k = kl.Spectrum(p=1) + 1
    model = KernelLogisticRegression(k, lam=0.01).fit(words, y)
    assert model.predict(["ab", "cc", "d"]).tolist() == [1, 2, 3]
    given = KernelLogisticRegression("precomputed", lam=0.01).fit(k(words), y)
    np.testing.assert_allclose(given.a_, model.a_, atol=1e-8)
    with pytest.raises(InputError, match="no points"):
        _ = given.function_


def test_extreme_penalties():
    weak = KernelLogisticRegression(kl.Gaussian(sigma=0.1), lam=1e-10).fit(X, CODES)
    assert weak.score(X, CODES) == 1
    strong = KernelLogisticRegression(kl.Gaussian(), lam=1e8).fit(X, CODES)
    np.testing.assert_allclose(strong.predict_proba(X), 1 / 3, atol=1e-6)


def test_wrong_input():
    k = kl.Linear()
    with pytest.raises(InputError, match="two classes or more"):
        KernelLogisticRegression(k).fit(X, np.zeros(150))
    with pytest.raises(InputError, match="two classes or more"):
        KernelLogisticRegression(k).fit(X, CODES, CODES == 0)
    with pytest.raises(InputError, match="lam must be positive"):
        KernelLogisticRegression(k, lam=0.0).fit(X, CODES)
    with pytest.raises(InputError, match="class_weight names 'rosa'"):
        KernelLogisticRegression(k, class_weight={"rosa": 2.0}).fit(X, NAMES)
    with pytest.raises(NotPositiveDefinite):
        KernelLogisticRegression(-k).fit(X, CODES)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 steps"):
        KernelLogisticRegression(k, lam=1e-6, max_iter=1).fit(X, CODES)
    with pytest.raises(ValueError, match="not fitted"):
        KernelLogisticRegression(k).predict_proba(X)
