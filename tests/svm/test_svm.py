"""Support vector machines: exact solutions, certificates, theorems, peers, messages."""

import math
import pickle
import sys
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csr_array
from sklearn import svm as peer
from sklearn.datasets import load_iris

from kernellab import kernels as kl
from kernellab.erm import KernelERM
from kernellab.errors import (
    ConvergenceWarning,
    InfiniteDimensional,
    InputError,
    NotFitted,
    NotPositiveDefinite,
)
from kernellab.estimator import Inputs
from kernellab.losses import Hinge
from kernellab.svm import SVC, SVR, NotSeparable, OneClassSVM
from kernellab.svm.certificate import classification
from kernellab.svm.inputs import checked_values, values_of
from kernellab.svm.machines import PairwiseSVMs
from kernellab.svm.penalties import class_weights

TIGHT = 1e-9
HARD_X = [[2, 2], [3, 0], [1, 3], [0, 0], [-1, 0.5], [0.5, -1]]
HARD_Y = [1, 1, 1, -1, -1, -1]
SOFT_X = [
    [2, 2],
    [1.5, 0.5],
    [0.2, 1],
    [-0.5, -0.3],
    [-1, -2],
    [-2, -1],
    [0.6, 0.4],
    [3, 1],
]
SOFT_Y = [1, 1, 1, -1, -1, -1, -1, 1]
IRIS = load_iris(return_X_y=True)
KERNELS = [kl.Linear(), kl.Polynomial(degree=2, c=1.0), kl.Gaussian(sigma=0.7)]
each_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


def moons(n=60, noise=0.3, seed=0):
    """Two classes that overlap a little."""
    r = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    X = r.normal(size=(n, 2)) * noise
    angle = r.uniform(0, math.pi, size=n)
    X += np.column_stack([np.cos(angle) * y + (y > 0), np.sin(angle) * y + 0.3])
    return X, y


def blobs(n=90, c=3, seed=1):
    """Several classes."""
    r = np.random.default_rng(seed)
    codes = np.arange(n) % c
    angle = 2 * np.pi * codes / c
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.6 * r.normal(size=(n, 2))
    return X, codes


def by_enumeration(K, y, C):
    """The optimum of (D), from every choice of which α are 0, free, or C. O(3ⁿ n³)."""
    n, best = len(y), (-math.inf, None)
    Q = y[:, None] * K * y
    for state in product((0, 1, 2), repeat=n):
        state = np.array(state)
        alpha, free = np.where(state == 2, C, 0.0), state == 1
        m = int(free.sum())
        A = np.zeros((m + 1, m + 1))
        A[:m, :m], A[:m, m], A[m, :m] = Q[np.ix_(free, free)], y[free], y[free]
        right = np.append(1 - Q[free] @ alpha, -y @ alpha)
        solved = np.linalg.lstsq(A, right, rcond=1e-12)[0]
        if np.abs(A @ solved - right).max() > 1e-9:
            continue
        alpha[free] = solved[:m]
        if alpha.min() < -1e-9 or (alpha - C).max() > 1e-9:
            continue
        best = max(best, (alpha.sum() - alpha @ Q @ alpha / 2, tuple(alpha)))
    return best[0]


# --- exact solutions ------------------------------------------------------------------


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-12])
def test_the_exact_hard_margin(tol):
    machine = SVC(kl.Linear(), C=np.inf, tol=tol).fit(HARD_X, HARD_Y)
    exact = [Fraction(a, 81) for a in (0, 14, 12, 26, 0, 0)]
    assert machine.alpha_ == pytest.approx(list(map(float, exact)), abs=1e-12)
    assert machine.w_ == pytest.approx([2 / 3, 4 / 9], abs=1e-12)
    assert machine.intercept_ == pytest.approx(-1, abs=1e-12)
    assert machine.margin_ == pytest.approx(9 / math.sqrt(52), abs=1e-12)
    c = machine.certificate_
    assert c.primal == pytest.approx(26 / 81, abs=1e-12)
    assert c.dual == pytest.approx(26 / 81, abs=1e-12)
    assert all(residual < 1e-12 for residual in c.kkt.values())
    assert machine.support_.tolist() == [1, 2, 3]
    assert machine.n_support_.tolist() == [1, 2]


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-12])
def test_the_exact_soft_margin(tol):
    machine = SVC(kl.Linear(), C=1.0, tol=tol).fit(SOFT_X, SOFT_Y)
    assert machine.alpha_ == pytest.approx([0, 0.5, 1, 0.5, 0, 0, 1, 0], abs=1e-12)
    assert machine.w_ == pytest.approx([0.6, 1], abs=1e-12)
    assert machine.intercept_ == pytest.approx(-0.4, abs=1e-12)
    assert machine.slacks_ == pytest.approx([0, 0, 0.28, 0, 0, 0, 1.36, 0], abs=1e-12)
    c = machine.certificate_
    assert (c.primal, c.dual) == pytest.approx((2.32, 2.32), abs=1e-12)
    assert all(residual < 1e-12 for residual in c.kkt.values())
    margins = machine.decision_function(SOFT_X) * SOFT_Y
    assert margins == pytest.approx([2.8, 1, 0.72, 1, 3, 2.6, -0.36, 2.4], abs=1e-13)


def test_two_points():
    """w = 2(x₁ − x₂)/‖x₁ − x₂‖², α = 2/‖x₁ − x₂‖² for both."""
    x = np.array([[1.0, 2.0], [4.0, 6.0]])
    machine = SVC(kl.Linear(), C=np.inf).fit(x, [1, -1])
    assert machine.alpha_ == pytest.approx([2 / 25, 2 / 25], rel=1e-13)
    assert machine.w_ == pytest.approx([-6 / 25, -8 / 25], rel=1e-13)
    assert machine.intercept_ == pytest.approx(47 / 25, rel=1e-13)
    assert machine.margin_ == pytest.approx(2.5, rel=1e-13)
    soft = SVC(kl.Linear(), C=0.05).fit(x, [1, -1])  # C < 2/25: both at the bound
    assert soft.alpha_.tolist() == [0.05, 0.05]
    low, high = soft.intercept_interval_
    assert soft.intercept_ == pytest.approx((low + high) / 2, rel=1e-13)
    assert soft.decision_function(x) == pytest.approx([0.625, -0.625], rel=1e-13)


def test_three_points_on_a_line():
    machine = SVC(kl.Linear(), C=np.inf).fit([[0.0], [2.0], [3.0]], ["-", "+", "+"])
    assert machine.classes_.tolist() == ["+", "-"]  # "-" is larger, so y = +1 there
    assert machine.alpha_ == pytest.approx([0.5, 0.5, 0], abs=1e-12)
    assert (machine.w_[0], machine.intercept_) == pytest.approx((-1, 1), abs=1e-12)


@pytest.mark.parametrize("C", [0.05, 0.3, 1.0, 10.0])
@each_kernel
def test_against_every_choice_of_active_bounds(k, C):
    r = np.random.default_rng(5)
    X, y = r.normal(size=(6, 2)), np.array([1.0, -1, 1, -1, -1, 1])
    machine = SVC(k, C=C, tol=TIGHT).fit(X, y)
    best = by_enumeration(k(X), y, C)
    assert machine.certificate_.dual == pytest.approx(best, rel=1e-9)
    assert machine.certificate_.primal == pytest.approx(best, rel=1e-7)


# --- the certificate ------------------------------------------------------------------


@each_kernel
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
def test_a_fit_proves_itself(k, C, tol):
    X, y = moons()
    K = k(X)
    machine = SVC(k, C=C, tol=tol).fit(X, y)
    alpha, c = machine.alpha_, machine.certificate_
    f = K @ (y * alpha) + machine.intercept_
    square = (y * alpha) @ K @ (y * alpha)
    xi = np.maximum(0, 1 - y * f)
    assert c.primal == pytest.approx(square / 2 + C * xi.sum(), rel=1e-12)
    assert c.dual == pytest.approx(alpha.sum() - square / 2, rel=1e-12)
    assert machine.slacks_ == pytest.approx(xi, abs=1e-10)
    assert machine.margin_ == pytest.approx(1 / math.sqrt(square), rel=1e-9)
    assert -1e-10 * c.primal <= c.gap <= 1.001 * tol * C * len(y)
    terms = [alpha * (y * f - 1 + xi), (C - alpha) * xi]
    assert c.gap == pytest.approx(np.sum(terms), abs=1e-10 * c.primal)
    assert c.kkt["complementarity"] == pytest.approx(np.max(terms), abs=1e-10 * C)
    assert c.kkt["stationarity"] == pytest.approx(abs(alpha @ y), abs=1e-10 * C)
    assert c.kkt["primal feasibility"] == c.kkt["dual feasibility"] == 0


@each_kernel
def test_the_table_of_karush_kuhn_and_tucker(k):
    """α = 0, in between, C: y f ≥ 1, = 1, ≤ 1; and strictly the other way round."""
    X, y = moons(100)
    machine = SVC(k, C=1.0, tol=1e-8).fit(X, y)
    alpha, margin = machine.alpha_, y * machine.decision_function(X)
    assert (margin[alpha == 0] >= 1 - 1e-7).all()
    assert margin[(alpha > 0) & (alpha < 1)] == pytest.approx(1, abs=1e-7)
    assert (margin[alpha == 1] <= 1 + 1e-7).all()
    assert (alpha[margin > 1 + 1e-7] == 0).all()
    assert (alpha[margin < 1 - 1e-7] == 1).all()
    assert {0.0, 1.0} < set(alpha)  # the table was really put to the test


def test_alpha_need_not_be_unique():
    """E3-47: all four points are on the margin; which of them have α > 0 is open."""
    X, y = np.array([[1.0, 0], [1, 1], [1, -1], [-1, 0]]), np.array([1, 1, 1, -1])
    machine = SVC(kl.Linear(), C=np.inf).fit(X, y)
    assert machine.decision_function(X) == pytest.approx(y, abs=1e-13)
    assert machine.w_ == pytest.approx([1, 0], abs=1e-13)
    for alpha in (machine.alpha_, [0.5, 0, 0, 0.5], [0, 0.25, 0.25, 0.5]):
        w = (y * alpha) @ X
        assert np.sum(alpha) - w @ w / 2 == pytest.approx(0.5, abs=1e-13)


def test_a_hard_margin_that_is_not_met_is_scaled_until_it_is():
    K, y = kl.Linear()(np.array(HARD_X, dtype=float)), np.array(HARD_Y)
    beta = y * np.array([0, 14, 12, 26, 0, 0]) / 81
    c, xi = classification(y, beta, K @ beta, -0.9, np.full(6, np.inf))
    assert c.primal == pytest.approx(26 / 81 / 0.9**2)  # w/0.9 keeps all margins
    assert c.dual == pytest.approx(26 / 81)
    assert xi == pytest.approx([0, 0, 0, 0.1, 0, 0], abs=1e-12)
    assert c.kkt["primal feasibility"] == pytest.approx(0.1)
    c, _ = classification(y, beta, K @ beta, 0.5, np.full(6, np.inf))
    assert c.primal == math.inf  # on the wrong side


def test_a_loose_hard_margin_has_an_honest_primal():
    X, y = IRIS[0][:100], IRIS[1][:100]
    machine = SVC(kl.Gaussian(sigma=2.0), C=np.inf, tol=0.05).fit(X, y)
    c = machine.certificate_
    margins = np.where(y == 1, 1, -1) * machine.decision_function(X)
    scaled = 1 / machine.margin_**2 / 2 / margins.min() ** 2
    assert c.primal == pytest.approx(scaled, rel=1e-12)
    assert 0 <= c.relative_gap < 0.2
    assert c.kkt["primal feasibility"] == pytest.approx(max(0, 1 - margins.min()))
    exact = SVC(kl.Gaussian(sigma=2.0), C=np.inf, tol=TIGHT).fit(X, y).certificate_
    assert c.dual <= exact.primal * (1 + 1e-9)
    assert c.primal >= exact.dual * (1 - 1e-9)


@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM])
def test_the_certificate_does_not_believe_the_solver(monkeypatch, machine):
    from kernellab.svm import dual_program

    def lying(problem, **options):
        found = solve(problem, **options)
        object.__setattr__(found, "beta", found.beta * 0.5)  # another gradient
        return found

    X, y = moons(200)
    solve = dual_program.solve
    monkeypatch.setattr(dual_program, "solve", lying)
    with pytest.warns(ConvergenceWarning, match=r"stopped after \d+ steps with"):
        fit = machine(kl.Gaussian()).fit(X, y)
    beta = fit.alpha_ if machine is OneClassSVM else np.zeros(200)
    beta[fit.support_] = fit.dual_coef_
    square = beta @ kl.Gaussian()(X) @ beta
    gain = 0.0 if machine is OneClassSVM else y @ beta
    gain -= 0.1 * np.abs(beta).sum() if machine is SVR else 0.0
    assert fit.certificate_.dual == pytest.approx(gain - square / 2, rel=1e-12)
    assert fit.certificate_.gap > 1


def test_values_are_those_of_the_gram_matrix():
    r = np.random.default_rng(0)
    X, beta = r.normal(size=(700, 3)), r.normal(size=700)
    beta[::2] = 0
    K, index = kl.Gaussian()(X), r.permutation(700)[:650].astype(np.intp)
    expected = K[np.ix_(index, index)] @ beta[:650]
    wrong = expected.copy()
    wrong[-1] += 1e-6
    for kernel, data in ((kl.Gaussian(), X), ("precomputed", K)):
        inputs = Inputs.read(kernel, data)
        assert values_of(inputs, index, beta[:650]) == pytest.approx(expected)
        for claimed in (expected, wrong):
            u = checked_values(inputs, index, beta[:650], claimed)
            assert u == pytest.approx(expected, abs=1e-9)
        assert checked_values(inputs, index, beta[:650], expected) is expected


def test_a_wrong_sum_is_said(monkeypatch):
    from kernellab.svm import dual_program

    def drifting(problem, **options):
        found = solve(problem, **options)
        found.beta[found.beta > 0] *= 1 - 1e-6
        return found

    solve = dual_program.solve
    monkeypatch.setattr(dual_program, "solve", drifting)
    with pytest.warns(ConvergenceWarning, match="sum of its coefficients off by"):
        SVC(kl.Gaussian(), tol=0.1).fit(*moons())


def test_too_few_steps_are_said():
    X, y = moons(200)
    with pytest.warns(
        ConvergenceWarning, match=r"after 3 steps .* proven to be within"
    ):
        machine = SVC(kl.Gaussian(sigma=0.3), C=10.0, max_iter=3).fit(X, y)
    assert machine.n_iter_ == 3
    assert machine.certificate_.gap > 1
    with pytest.warns(ConvergenceWarning, match="nothing is proven"):
        SVC(kl.Gaussian(sigma=0.3), C=np.inf, max_iter=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="SVR stopped after 2 steps"):
        SVR(kl.Gaussian(), max_iter=2).fit(X, X[:, 0])
    with pytest.warns(ConvergenceWarning, match="OneClassSVM stopped after 1 steps"):
        OneClassSVM(kl.Gaussian(), max_iter=1).fit(X)


# --- the hard margin ------------------------------------------------------------------


def test_hard_is_soft_with_a_large_C():
    hard = SVC(kl.Linear(), C=np.inf, tol=TIGHT).fit(HARD_X, HARD_Y)
    soft = SVC(kl.Linear(), C=0.33, tol=TIGHT).fit(HARD_X, HARD_Y)  # above max α
    assert soft.alpha_ == pytest.approx(hard.alpha_, abs=1e-12)
    softer = SVC(kl.Linear(), C=0.2, tol=TIGHT).fit(HARD_X, HARD_Y)  # below it
    expected = [0, 0.191136, 0.107479, 0.2, 0, 0.098615]
    assert softer.alpha_ == pytest.approx(expected, abs=1e-6)


@each_kernel
def test_the_square_of_the_norm_is_the_sum_of_alpha(k):
    X, y = IRIS[0][:100, 2:], IRIS[1][:100]
    machine = SVC(k, C=np.inf, tol=TIGHT).fit(X, y)
    assert 1 / machine.margin_**2 == pytest.approx(machine.alpha_.sum(), rel=1e-7)
    f = machine.decision_function(X) * np.where(y == 1, 1, -1)
    assert f.min() == pytest.approx(1, abs=1e-7)  # the canonical form (E3-26)


def check_witness(error, X, y, k):
    """The two combinations are one point of feature space."""
    p, y = error.witness.weights, np.asarray(y)
    classes = np.unique(y)
    assert p.min() >= 0
    for label in classes:
        assert p[y == label].sum() == pytest.approx(1)
    signed = np.where(y == classes[1], p, -p)
    K = k(np.asarray(X, dtype=float))
    assert signed @ K @ signed <= 1e-10 * np.abs(K).max()
    assert error.witness.distance <= 1e-5 * error.witness.size
    assert np.flatnonzero(p).tolist() == sorted(
        [*error.witness.positive, *error.witness.negative]
    )


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.0], [1.0], [2.0], [2.0]], [1, -1, 1, -1]),  # one place, two labels
        ([[0.0], [1.0], [2.0]], [1, -1, 1]),  # between
        ([[0, 0.0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]),  # XOR
        ([[0.0, 0], [3, 0], [0, 3], [1, 1]], ["a", "a", "a", "b"]),  # inside
    ],
)
def test_overlapping_classes_have_no_hard_margin(X, y):
    with pytest.raises(NotSeparable, match="overlap in feature space") as raised:
        SVC(kl.Linear(), C=np.inf).fit(X, y)
    check_witness(raised.value, X, y, kl.Linear())
    assert isinstance(raised.value, ValueError)
    for words in ("finite C", "strictly positive definite", "error.witness", "φ(x["):
        assert words in str(raised.value)


def test_a_random_overlap_is_found():
    X, y = moons(80, noise=0.5)
    with pytest.raises(NotSeparable) as raised:
        SVC(kl.Linear(), C=np.inf).fit(X, y)
    check_witness(raised.value, X, y, kl.Linear())
    copy = pickle.loads(pickle.dumps(raised.value))
    assert str(copy) == str(raised.value)
    assert copy.witness.weights == pytest.approx(raised.value.witness.weights)


def separable(X, y):
    """Whether some w, b have y_i (w·x_i + b) ≥ 1: a linear programme."""
    A = -y[:, None] * np.column_stack([X, np.ones(len(y))])
    found = linprog(np.zeros(A.shape[1]), A, -np.ones(len(y)), bounds=(None, None))
    return found.status == 0


@pytest.mark.parametrize("seed", range(60))
def test_separability_is_decided_right(seed):
    r = np.random.default_rng(seed)
    n, d = int(r.integers(2, 40)), int(r.integers(1, 8))
    X = r.normal(size=(n, d)) if seed % 2 else r.integers(-3, 4, size=(n, d)) * 1.0
    noise = 0.3 * (seed % 3) * r.normal(size=n)
    y = np.where(X @ r.normal(size=d) + noise > 0, 1, -1)
    y[0], y[-1] = 1, -1
    if separable(X, y):
        c = SVC(kl.Linear(), C=np.inf).fit(X, y).certificate_
        assert abs(c.relative_gap) < 1e-6
        assert c.kkt["stationarity"] <= 1e-9 * c.dual
    else:
        with pytest.raises(NotSeparable) as raised:
            SVC(kl.Linear(), C=np.inf).fit(X, y)
        check_witness(raised.value, X, y, kl.Linear())


def test_an_overlap_of_a_precomputed_matrix_and_of_one_pair_of_three():
    X, y = np.array([[0.0], [1.0], [2.0], [9.0], [10.0]]), list("abacc")
    with pytest.raises(NotSeparable, match="classes 'a' and 'b'") as raised:
        SVC("precomputed", C=np.inf).fit(kl.Linear()(X) + 1, y)
    assert raised.value.witness.weights == pytest.approx([0.5, 1, 0.5, 0, 0])
    assert "0.5·φ(x[0]) + 0.5·φ(x[2]) = 1·φ(x[1])" in str(raised.value)


def test_a_strictly_positive_definite_kernel_separates_any_points():
    r = np.random.default_rng(4)
    X, y = r.normal(size=(40, 2)), r.choice([-1, 1], size=40)
    machine = SVC(kl.Gaussian(sigma=0.3), C=np.inf).fit(X, y)
    assert machine.score(X, y) == 1.0
    assert machine.certificate_.relative_gap < 0.01


# --- invariances ----------------------------------------------------------------------


@each_kernel
def test_the_order_of_the_points_does_not_matter(k):
    X, y = moons()
    order = np.random.default_rng(0).permutation(len(y))
    one = SVC(k, tol=TIGHT).fit(X, y)
    other = SVC(k, tol=TIGHT).fit(X[order], y[order])
    Z = X + 0.1
    assert other.decision_function(Z) == pytest.approx(
        one.decision_function(Z), abs=1e-6
    )


def test_the_scale_of_the_data_moves_C():
    """k → c²k is w → w/c: C → C/c² leaves f as it is."""
    X, y = moons()
    one = SVC(kl.Linear(), C=1.0, tol=TIGHT).fit(X, y)
    other = SVC(kl.Linear(), C=0.01, tol=TIGHT).fit(10 * X, y)
    f, g = one.decision_function(X), other.decision_function(10 * X)
    assert g == pytest.approx(f, abs=1e-7)
    assert other.alpha_ == pytest.approx(one.alpha_ / 100, abs=1e-8)


def test_a_point_of_weight_two_is_two_points():
    X, y = moons()
    s = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    one = SVC(kl.Gaussian(), tol=TIGHT).fit(X, y, sample_weight=s)
    twice = np.repeat(np.arange(len(y)), s.astype(int))
    other = SVC(kl.Gaussian(), tol=TIGHT).fit(X[twice], y[twice])
    assert one.decision_function(X) == pytest.approx(
        other.decision_function(X), abs=1e-7
    )
    assert one.certificate_.dual == pytest.approx(other.certificate_.dual, rel=1e-9)
    balanced = [
        SVC(kl.Gaussian(), tol=TIGHT, class_weight="balanced").fit(*data)
        for data in ((X, y, s), (X[twice], y[twice]))
    ]
    assert balanced[0].certificate_.dual == pytest.approx(
        balanced[1].certificate_.dual, rel=1e-9
    )


def test_a_point_of_weight_zero_is_not_there():
    X, y = blobs()
    s = np.where(np.arange(len(y)) % 4 == 0, 0.0, 1.5)
    y = np.where(s == 0, 9, y)  # a class that has no weight does not exist
    one = SVC(kl.Gaussian(), tol=TIGHT).fit(X, y, s)
    other = SVC(kl.Gaussian(), C=1.5, tol=TIGHT).fit(X[s > 0], y[s > 0])
    assert one.classes_.tolist() == [0, 1, 2]
    assert (one.alpha_[s == 0] == 0).all()
    assert (one.slacks_[s == 0] == 0).all()
    assert one.alpha_[s > 0] == pytest.approx(other.alpha_, abs=1e-7)
    assert one.n_support_.tolist() == other.n_support_.tolist()
    Z = X[::5]
    assert one.decision_function(Z) == pytest.approx(
        other.decision_function(Z), abs=1e-6
    )


@pytest.mark.parametrize(
    "y",
    [
        ["no", "yes"] * 30,
        np.array(["no", "yes"] * 30, dtype=object),
        [False, True] * 30,
        [0, 1] * 30,
        [-7.0, 3.0] * 30,
    ],
    ids=["words", "objects", "booleans", "integers", "floats"],
)
def test_labels_of_any_type(y):
    X, signs = moons()
    plain = SVC(kl.Gaussian()).fit(X, signs)
    machine = SVC(kl.Gaussian()).fit(X, y)
    assert machine.alpha_.tolist() == plain.alpha_.tolist()
    assert machine.decision_function(X).tolist() == plain.decision_function(X).tolist()
    expected = np.asarray(y)[:2][(plain.predict(X) > 0).astype(int)]
    assert machine.predict(X).tolist() == expected.tolist()
    assert machine.predict(X).dtype == np.asarray(y).dtype
    assert machine.score(X, y) == plain.score(X, signs)


def test_precomputed_is_the_same():
    X, y = blobs()
    k = kl.Gaussian(sigma=0.8)
    machine = SVC(k).fit(X, y)
    given = SVC("precomputed").fit(k(X), y)
    assert given.alpha_ == pytest.approx(machine.alpha_, abs=1e-3)
    Z = X[:7] + 0.2
    f = given.decision_function(k(Z, X))
    assert f == pytest.approx(machine.decision_function(Z), abs=1e-2)
    assert given.predict(k(Z, X)).tolist() == machine.predict(Z).tolist()


def test_strings():
    words = ["abab", "baba", "abba", "cdcd", "dcdc", "ccdd", "xyxy", "yxyx", "xxyy"]
    y = np.repeat(["ab", "cd", "xy"], 3)
    machine = SVC(kl.Spectrum(p=2), C=10.0).fit(words, y)
    assert machine.predict(["babab", "cdd", "yyxy"]).tolist() == ["ab", "cd", "xy"]
    assert machine.score(words, y) == 1.0
    two = SVC(kl.Spectrum(p=2), C=np.inf).fit(words[:6], y[:6])
    assert (two.decision_function(words[:6]) > 0).tolist() == [False] * 3 + [True] * 3


# --- relatives ------------------------------------------------------------------------


def test_without_intercept_it_is_the_representer_problem():
    """C = 1/(nλ). Data that are symmetric about 0 have b = 0, so both agree (N7)."""
    r = np.random.default_rng(2)
    half = r.normal(size=(20, 2)) + 0.3
    X, y = np.vstack([half, -half]), np.repeat([1.0, -1.0], 20)
    lam = 0.02
    machine = SVC(kl.Linear(), C=1 / (40 * lam), tol=TIGHT).fit(X, y)
    risk = KernelERM(kl.Linear(), Hinge(), lam=lam, tol=1e-10).fit(X, y)
    assert machine.intercept_ == pytest.approx(0, abs=1e-8)
    assert machine.decision_function(X) == pytest.approx(
        risk.decision_function(X), abs=1e-6
    )
    ratio = machine.certificate_.primal / risk.certificate_.primal
    assert ratio == pytest.approx(1 / lam, rel=1e-8)


def test_a_large_constant_in_the_kernel_is_an_intercept():
    """k + c makes a constant that costs b²/(2c): almost free, if c is large."""
    X, y = moons()
    machine = SVC(kl.Gaussian(), C=1.0, tol=TIGHT).fit(X, y)
    n, gaps = len(y), []
    for c in (0.0, 1.0, 1e3):
        k = kl.Gaussian() + c if c else kl.Gaussian()
        risk = KernelERM(k, Hinge(), lam=1 / n, tol=1e-9).fit(X, y)
        gaps.append(abs(risk.decision_function(X) - machine.decision_function(X)).max())
        assert n * risk.certificate_.primal <= np.nextafter(n, n + 1)  # f = 0 costs n
        assert n * risk.certificate_.dual >= machine.certificate_.dual * (1 - 1e-9)
    assert gaps[0] > 0.01 > 1e-3 > gaps[2]


@each_kernel
def test_it_is_a_function_of_the_rkhs(k):
    X, y = moons()
    machine = SVC(k).fit(X, y)
    f = machine.function_
    assert f.norm() == pytest.approx(1 / machine.margin_, rel=1e-9)
    assert f(X) + machine.intercept_ == pytest.approx(
        machine.decision_function(X), abs=1e-9
    )


def test_the_weights_of_finite_features():
    X, y = moons()
    k = kl.Polynomial(degree=2, c=1.0)
    machine = SVC(k).fit(X, y)
    f = k.features()(X) @ machine.w_ + machine.intercept_
    assert f == pytest.approx(machine.decision_function(X), abs=1e-9)
    assert np.linalg.norm(machine.w_) == pytest.approx(1 / machine.margin_)
    several = SVC(kl.Linear()).fit(*blobs())
    assert len(several.w_) == len(several.function_) == 3
    assert np.linalg.norm(several.w_, axis=1) == pytest.approx(1 / several.margin_)
    with pytest.raises(InfiniteDimensional):
        _ = SVC(kl.Gaussian()).fit(X, y).w_


# --- peers ----------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
@pytest.mark.parametrize("weight", [None, "balanced", {0: 3.0, 2: 0.5}], ids=repr)
def test_several_classes_as_in_libsvm(C, weight):
    X, y = IRIS
    s = None if weight == "balanced" else np.linspace(0.5, 1.5, len(y))
    ours = SVC(kl.Gaussian(sigma=1.0), C=C, tol=1e-8, class_weight=weight)
    theirs = peer.SVC(C=C, gamma=0.5, tol=1e-8, class_weight=weight)
    ours.fit(X, y, s)
    theirs.fit(X, y, s)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)
    assert ours.n_support_.tolist() == theirs.n_support_.tolist()
    assert ours.support_.tolist() == sorted(theirs.support_)
    assert ours.pairs_ == [(0, 1), (0, 2), (1, 2)]
    Z = X + 0.2 * np.random.default_rng(0).normal(size=X.shape)
    assert ours.predict(Z).tolist() == theirs.predict(Z).tolist()
    for shape in ("ovr", "ovo"):
        ours.set_params(decision_function_shape=shape)
        theirs.set_params(decision_function_shape=shape)
        expected = theirs.decision_function(Z)
        assert ours.decision_function(Z) == pytest.approx(expected, abs=1e-5)
    assert ours.score(X, y, s) == pytest.approx(theirs.score(X, y, s))


@pytest.mark.parametrize("c", [4, 7])
def test_votes_of_many_classes(c):
    X, y = blobs(140, c)
    ours = SVC(kl.Gaussian(sigma=1.0), tol=1e-8).fit(X, y)
    theirs = peer.SVC(gamma=0.5, tol=1e-8).fit(X, y)
    Z = 2 * np.random.default_rng(0).normal(size=(200, 2))
    assert ours.predict(Z).tolist() == theirs.predict(Z).tolist()
    expected = theirs.decision_function(Z)
    assert ours.decision_function(Z) == pytest.approx(expected, abs=1e-5)


def test_very_many_classes_are_kept_in_sparse_form(monkeypatch):
    X, y = blobs(84, 7)
    dense = SVC(kl.Gaussian(sigma=1.0)).fit(X, y)
    monkeypatch.setattr(sys.modules[PairwiseSVMs.__module__], "SPARSE_MIN_CLASSES", 6)
    sparse = SVC(kl.Gaussian(sigma=1.0)).fit(X, y)
    assert isinstance(sparse._A, csr_array)
    assert sparse.dual_coef_.tolist() == dense.dual_coef_.tolist()
    assert sparse.dual_coef_.shape == (21, len(sparse.support_))
    f = dense.decision_function(X)
    assert sparse.decision_function(X) == pytest.approx(f, abs=1e-12)
    assert sparse.predict(X).tolist() == dense.predict(X).tolist()


def test_machines_may_share_the_gram_matrix(monkeypatch):
    X, y = blobs(60, 4)
    shared = SVC(kl.Gaussian(sigma=1.0)).fit(X, y)
    monkeypatch.setattr(sys.modules[SVC.__module__], "SHARED_GRAM_MAX_POINTS", (0, 0))
    alone = SVC(kl.Gaussian(sigma=1.0)).fit(X, y)
    assert shared.dual_coef_ == pytest.approx(alone.dual_coef_, abs=1e-9)
    assert shared._inputs.kernel == alone._inputs.kernel == kl.Gaussian(sigma=1.0)


@each_kernel
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_two_classes_as_in_libsvm(k, C):
    X, y = moons(120)
    ours = SVC(k, C=C, tol=1e-8).fit(X, y)
    theirs = peer.SVC(kernel="precomputed", C=C, tol=1e-8).fit(k(X), y)
    assert ours.decision_function(X) == pytest.approx(
        theirs.decision_function(k(X)), abs=1e-4
    )
    assert ours.predict(X).tolist() == theirs.predict(k(X)).tolist()
    if k == kl.Gaussian(sigma=0.7):  # else α need not be unique
        assert ours.dual_coef_ == pytest.approx(
            theirs.dual_coef_[0][np.argsort(theirs.support_)], abs=1e-4
        )


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_regression_as_in_libsvm(epsilon, C):
    X, t = IRIS[0][:, :3], IRIS[0][:, 3]
    s = np.linspace(0.5, 1.5, len(t))
    ours = SVR(kl.Gaussian(sigma=1.0), C=C, epsilon=epsilon, tol=1e-7).fit(X, t, s)
    theirs = peer.SVR(gamma=0.5, C=C, epsilon=epsilon, tol=1e-7).fit(X, t, s)
    assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=1e-5)
    assert ours.score(X, t, s) == pytest.approx(theirs.score(X, t, s), abs=1e-5)
    c = ours.certificate_
    assert -1e-12 <= c.gap <= 1e-5 * c.primal
    f = ours.predict(X)
    assert (ours.beta_[np.abs(t - f) < epsilon - 1e-5] == 0).all()
    bound = np.abs(t - f) > epsilon + 1e-5
    assert ours.beta_[bound] == pytest.approx((C * s * np.sign(t - f))[bound])
    assert ours.slacks_ == pytest.approx(np.maximum(0, abs(t - f) - epsilon), abs=1e-9)


@pytest.mark.parametrize("nu", [0.03, 0.3, 0.8])
def test_one_class_as_in_libsvm(nu):
    X = IRIS[0]
    s = np.linspace(0.5, 1.5, len(X))
    for weights in (None, s):
        ours = OneClassSVM(kl.Gaussian(sigma=1.0), nu=nu, tol=1e-7)
        ours.fit(X, sample_weight=weights)
        theirs = peer.OneClassSVM(gamma=0.5, nu=nu, tol=1e-7)
        theirs.fit(X, sample_weight=weights)
        assert ours.offset_ == pytest.approx(theirs.offset_[0], abs=1e-5)
        assert ours.intercept_ == -ours.offset_
        f = theirs.decision_function(X)
        assert ours.decision_function(X) == pytest.approx(f, abs=1e-5)
        assert ours.score_samples(X) == pytest.approx(theirs.score_samples(X), abs=1e-5)
        clear = np.abs(f) > 1e-4
        assert (ours.predict(X) == theirs.predict(X))[clear].all()
        assert abs(ours.certificate_.relative_gap) < 1e-5


# --- regression -----------------------------------------------------------------------


def test_the_flattest_line_in_the_tube():
    X, t = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    machine = SVR(kl.Linear(), C=10.0, epsilon=0.3, tol=1e-12).fit(X, t)
    slope = (3 - 2 * 0.3) / 3
    assert machine.predict(X) == pytest.approx(0.3 + slope * np.arange(4), abs=1e-12)
    assert machine.beta_ == pytest.approx([-slope / 3, 0, 0, slope / 3], abs=1e-12)
    assert machine.certificate_.primal == pytest.approx(slope**2 / 2, abs=1e-12)
    assert machine.support_.tolist() == [0, 3]
    assert machine.n_support_ == 2
    assert machine.function_.norm() == pytest.approx(slope, abs=1e-12)


def test_a_tube_that_holds_all_targets_needs_no_support():
    machine = SVR(kl.Gaussian(), epsilon=2.0).fit(
        [[0.0], [1.0], [5.0]], [1.0, 2.0, 4.0]
    )
    assert machine.n_support_ == 0
    assert machine.predict([[7.0], [0.0]]).tolist() == [2.5, 2.5]
    assert machine.certificate_.gap == 0
    assert SVR(kl.Gaussian()).fit([[0.0]], [3.0]).predict([[9.0]]) == pytest.approx(3)
    given = SVR("precomputed", epsilon=2.0).fit(np.eye(2), [1.0, 2.0])
    assert given.predict(np.ones((3, 2))).tolist() == [1.5] * 3


def test_the_objective_of_regression():
    r = np.random.default_rng(0)
    X, t, C, epsilon = r.normal(size=(50, 2)), r.normal(size=50), 2.0, 0.2
    K = kl.Gaussian()(X)
    machine = SVR(kl.Gaussian(), C=C, epsilon=epsilon).fit(X, t)
    beta, f = machine.beta_, K @ machine.beta_ + machine.intercept_
    primal = beta @ K @ beta / 2 + C * np.maximum(0, abs(t - f) - epsilon).sum()
    dual = t @ beta - epsilon * abs(beta).sum() - beta @ K @ beta / 2
    c = machine.certificate_
    assert (c.primal, c.dual) == pytest.approx((primal, dual), rel=1e-12)
    assert -1e-12 <= c.gap <= 1e-3 * C * 50
    assert c.kkt["stationarity"] < 1e-12
    assert c.kkt["complementarity"] <= 1.001e-3 * C
    for _ in range(20):  # nothing near it is better than the dual says
        other, b = beta + 0.1 * r.normal(size=50), r.normal()
        g = K @ other + b
        value = other @ K @ other / 2 + C * np.maximum(0, abs(t - g) - epsilon).sum()
        assert value >= dual


def test_weights_of_regression_are_copies():
    r = np.random.default_rng(1)
    X, t = r.normal(size=(30, 1)), r.normal(size=30)
    s = np.arange(30) % 3
    one = SVR(kl.Gaussian(), tol=TIGHT).fit(X, t, s)
    other = SVR(kl.Gaussian(), tol=TIGHT).fit(np.repeat(X, s, axis=0), np.repeat(t, s))
    assert one.predict(X) == pytest.approx(other.predict(X), abs=1e-7)
    assert (one.beta_[s == 0] == 0).all()


# --- one class ------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.floats(0.01, 0.99), st.integers(0, 5))
def test_nu_bounds_outliers_and_support_vectors(nu, seed):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    machine = OneClassSVM(kl.Gaussian(sigma=1.0), nu=nu, tol=1e-10).fit(X)
    outliers = int((machine.decision_function(X) < -1e-7).sum())
    assert outliers <= nu * 40 + 1e-9
    assert machine.n_support_ >= nu * 40 - 1e-9
    assert machine.alpha_.sum() == pytest.approx(nu * 40)


def test_with_nu_one_it_is_a_density_estimate():
    X = np.random.default_rng(0).normal(size=(25, 1))
    k = kl.Gaussian(sigma=0.5)
    machine = OneClassSVM(k, nu=1.0).fit(X)
    assert machine.alpha_.tolist() == [1.0] * 25
    assert machine.score_samples(X) == pytest.approx(k(X).sum(axis=0))
    assert machine.offset_ == pytest.approx(k(X).sum(axis=0).max())
    assert machine.certificate_.gap == pytest.approx(0, abs=1e-9)
    alone = OneClassSVM(k, nu=0.3).fit([[2.0]])
    assert alone.offset_ == pytest.approx(0.3)
    assert OneClassSVM(k).fit_predict([[0.0], [0.1], [9.0]]).shape == (3,)


def test_the_objective_of_one_class():
    X = np.random.default_rng(0).normal(size=(40, 2))
    K, nu = kl.Gaussian()(X), 0.4
    machine = OneClassSVM(kl.Gaussian(), nu=nu).fit(X)
    a, rho = machine.alpha_, machine.offset_
    primal = a @ K @ a / 2 + np.maximum(0, rho - K @ a).sum() - nu * 40 * rho
    c = machine.certificate_
    assert (c.primal, c.dual) == pytest.approx((primal, -a @ K @ a / 2), rel=1e-12)
    assert -1e-12 <= c.gap <= 1e-3 * 40


# --- an estimator ---------------------------------------------------------------------

ALL = [SVC(kl.Gaussian()), SVR(kl.Gaussian()), OneClassSVM(kl.Gaussian())]
each = pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)


def fitted(model, X, y):
    return type(model)(**model.get_params(deep=False)).fit(X, y)


@each
def test_parameters_by_name(model):
    copy = type(model)(**model.get_params(deep=False))
    assert copy.get_params(deep=False) == model.get_params(deep=False)
    assert copy.set_params(tol=0.5).tol == 0.5
    with pytest.raises(InputError, match="has no parameter gamma"):
        copy.set_params(gamma=1)
    assert repr(model).startswith(f"{type(model).__name__}(kernel=Gaussian(sigma=1.0)")


@each
def test_pickle(model):
    X, y = moons(30)
    machine = fitted(model, X, y)
    copy = pickle.loads(pickle.dumps(machine))
    assert copy.predict(X).tolist() == machine.predict(X).tolist()
    assert copy.certificate_ == machine.certificate_


@each
def test_not_fitted(model):
    unfitted = type(model)(**model.get_params(deep=False))
    with pytest.raises(NotFitted, match="call fit first"):
        unfitted.predict([[0.0, 0.0]])
    with pytest.raises(NotFitted):
        _ = unfitted.function_
    assert not hasattr(unfitted, "dual_coef_")
    assert not hasattr(unfitted, "certificate_")


@each
def test_it_keeps_only_the_support_vectors(model):
    X, y = moons(300, noise=0.1)
    machine = type(model)(
        **{**model.get_params(deep=False), "kernel": kl.Gaussian(sigma=0.8)}
    )
    machine.fit(X, y)
    assert len(machine._inputs.X) == len(machine.support_) < 300
    X += 5  # the caller's array is not ours
    f = machine.predict(X[:5] - 5)
    assert f.shape == (5,)
    kept = machine.function_.points.X
    assert kept == pytest.approx(X[machine.support_] - 5)


@each
def test_wrong_input(model):
    X, y = moons(20)
    for bad, message in (
        (X[:0], "one point or more"),
        (np.where(np.arange(40).reshape(20, 2) == 7, np.nan, X), "must be finite"),
        (X[:, 0], "must have shape"),
    ):
        with pytest.raises(InputError, match=message):
            fitted(model, bad, y[: len(bad)])
    with pytest.raises(InputError, match=r"X has 3 features, but .* is expecting 2"):
        fitted(model, X, y).predict(np.ones((2, 3)))
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        type(model)("rbf").fit(X, y)
    for name, value, message in (
        ("tol", 0.0, "tol must be positive"),
        ("max_iter", 0, "max_iter must be an integer ≥ 1"),
        ("max_iter", 1.5, "max_iter must be an integer"),
    ):
        with pytest.raises(InputError, match=message):
            fitted(type(model)(**{**model.get_params(deep=False), name: value}), X, y)
    for weights, message in (
        (np.ones(3), r"shape \(20,\)"),
        (-np.ones(20), "nowhere negative"),
        (np.zeros(20), "zero for every point"),
    ):
        with pytest.raises(InputError, match=message):
            type(model)(kl.Gaussian()).fit(X, y, sample_weight=weights)


@each
def test_a_precomputed_matrix_is_checked(model):
    machine = type(model)("precomputed")
    y = [1, -1, 1]
    with pytest.raises(InputError, match="must be symmetric"):
        machine.fit(np.arange(9.0).reshape(3, 3), y)
    with pytest.raises(InputError, match="must be a square array"):
        machine.fit(np.ones((3, 2)), y)
    with pytest.raises(NotPositiveDefinite, match="not positive definite"):
        machine.fit([[1.0, 2, 0], [2, 1, 0], [0, 0, 1]], y)
    machine.fit(np.eye(3), y)
    with pytest.raises(InputError, match=r"has 2 features, but .* is expecting 3"):
        machine.predict(np.ones((2, 2)))
    with pytest.raises(InputError, match="has no points: use dual_coef_"):
        _ = machine.function_


@each
def test_what_is_no_kernel_is_refused(model):
    X, y = moons(40)
    with pytest.raises(NotPositiveDefinite, match="is not proven to be a kernel"):
        type(model)(kl.Gaussian() - 2 * kl.Linear()).fit(X, y)
    single = kl.Gaussian(sigma=2.0)(X).astype(np.float32)  # rounding is forgiven
    type(model)("precomputed").fit(single, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"C": 0.0}, r"C must be positive; C=np.inf is the hard margin; got 0.0"),
        ({"C": -math.inf}, "C must be a finite number"),
        ({"C": math.nan}, "C must be a finite number"),
        ({"C": "1"}, "C must be one number"),
        ({"class_weight": "even"}, "class_weight must be a mapping"),
        (
            {"class_weight": {3: 1.0}},
            "names 3, which is no label of y; these are -1, 1",
        ),
        ({"class_weight": {1: 0.0}}, r"class_weight\[1\] must be positive"),
        ({"class_weight": {1: 1e-320}, "C": 1e-10}, "stay above 0"),
        ({"decision_function_shape": "both"}, "must be 'ovr' or 'ovo', got 'both'"),
    ],
    ids=str,
)
def test_wrong_parameters_of_svc(change, message):
    X, y = moons(20)
    with pytest.raises(InputError, match=message):
        SVC(kl.Gaussian(), **change).fit(X, y)


def test_wrong_labels():
    X, y = moons(20)
    with pytest.raises(InputError, match="two classes or more; all 20 labels"):
        SVC(kl.Gaussian()).fit(X, np.ones(20))
    with pytest.raises(InputError, match="two classes or more; all 10 labels are -1"):
        SVC(kl.Gaussian()).fit(X, y, sample_weight=(y < 0).astype(float))
    with pytest.raises(InputError, match="regression"):
        SVC(kl.Gaussian()).fit(X, X[:, 0])
    with pytest.raises(InputError, match="shape"):
        SVC(kl.Gaussian()).fit(X, y[:5])
    with pytest.raises(InputError, match="as in fit"):
        SVC(kl.Gaussian()).fit(X, y).score(X, ["a"] * 20)


def test_wrong_parameters_of_the_others():
    X = np.arange(4.0)[:, None]
    for nu in (0.0, 1.1, -0.5):
        with pytest.raises(InputError, match=r"nu must lie in \(0, 1\]"):
            OneClassSVM(kl.Gaussian(), nu=nu).fit(X)
    with pytest.raises(InputError, match="epsilon must be 0 or more"):
        SVR(kl.Gaussian(), epsilon=-1).fit(X, [0.0, 1, 2, 3])
    with pytest.raises(InputError, match="C must be positive and finite; got inf"):
        SVR(kl.Gaussian(), C=np.inf).fit(X, [0.0, 1, 2, 3])
    with pytest.raises(InputError, match="one machine for each output"):
        SVR(kl.Gaussian()).fit(X, np.ones((4, 2)))
    with pytest.raises(InputError, match="y must be finite"):
        SVR(kl.Gaussian()).fit(X, [0.0, np.nan, 2, 3])
    with pytest.raises(InputError, match="has no features"):
        _ = SVC("precomputed").fit(np.eye(2), [0, 1]).w_


def test_balanced_weights():
    from kernellab.labels import Labels

    labels = Labels.read(["a", "b", "b", "b"], 4)
    assert class_weights("balanced", labels, np.ones(4)) == pytest.approx([2, 2 / 3])
    s = np.array([3.0, 1, 1, 1])
    assert class_weights("balanced", labels, s) == pytest.approx([1, 1])


def test_a_refit_forgets_the_first_fit():
    machine = SVC(kl.Gaussian()).fit(*blobs())
    assert machine.alpha_.shape == (90, 3)
    X, y = moons()
    machine.fit(X, y)
    assert machine.alpha_.shape == (60,)
    assert machine.decision_function(X).shape == (60,)
    assert isinstance(machine.intercept_, float)


def test_several_machines_add_up():
    machine = SVC(kl.Gaussian(), decision_function_shape="ovo").fit(*blobs())
    proofs = list(machine.certificates_.values())
    c = machine.certificate_
    assert c.primal == pytest.approx(sum(p.primal for p in proofs))
    assert c.gap == pytest.approx(sum(p.gap for p in proofs))
    worst = max(p.kkt["complementarity"] for p in proofs)
    assert c.kkt["complementarity"] == worst
    X, codes = blobs()
    assert machine.alpha_.shape == machine.slacks_.shape == (90, 3)
    for column, (i, j) in enumerate(machine.pairs_):
        seen = np.isin(codes, (i, j))
        assert (machine.alpha_[~seen, column] == 0).all()
        y = np.where(codes == i, 1.0, -1.0)[seen]
        alone = SVC(kl.Gaussian()).fit(X[seen], y)
        assert alone.alpha_ == pytest.approx(machine.alpha_[seen, column], abs=1e-6)
        assert alone.decision_function(X) == pytest.approx(
            machine.decision_function(X)[:, column], abs=1e-5
        )
    assert machine.margin_.shape == machine.n_iter_.shape == (3,)
    assert machine.intercept_interval_.shape == (3, 2)


def test_extreme_scales():
    X, y = moons(40)
    for scale in (1e-6, 1e6):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            C = 1 / scale**2
            machine = SVC(kl.Linear(), C=C).fit(scale * X, y)
        assert machine.certificate_.relative_gap < 0.01
    same = SVC(kl.Gaussian()).fit(np.ones((4, 2)), [0, 1, 0, 1])  # w = 0, all at C
    assert same.alpha_.tolist() == [1.0] * 4
    assert same.margin_ == math.inf
    assert same.certificate_.primal == pytest.approx(4)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([0.05, 1.0, 30.0]))
def test_any_small_problem(seed, C):
    r = np.random.default_rng(seed)
    n = int(r.integers(2, 6))
    X = r.integers(-2, 3, size=(n, 2)).astype(float)  # many ties and duplicates
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    k = KERNELS[seed % 3]
    machine = SVC(k, C=C, tol=1e-8).fit(X, y)
    c = machine.certificate_
    best = by_enumeration(k(X), y, C)
    allowed = 1e-8 * C * n  # what the tolerance promises
    assert c.dual == pytest.approx(best, abs=allowed + 1e-9 * best)
    assert c.primal == pytest.approx(best, abs=allowed + 1e-9 * best)
