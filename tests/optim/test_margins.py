"""Support vector machines as quadratic programs, to machine precision."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import Infeasible, examples, hard_margin, soft_margin


def exact(values):
    return np.array([float(v) for v in values])


def test_hard_margin_to_machine_precision():
    data = examples.separable_data()
    solution = hard_margin(data.X, data.y).solve()
    assert np.allclose(solution.w, [*exact(data.w), float(data.b)], rtol=0, atol=1e-12)
    assert np.allclose(solution.alpha, exact(data.alpha), rtol=0, atol=1e-12)
    assert solution.value == pytest.approx(25 / 32, rel=1e-12)
    assert solution.multipliers.unique
    dual = hard_margin(data.X, data.y).theta_D(solution.alpha)
    assert abs(solution.value - dual) < 1e-12


def test_the_data_of_the_errata():
    """81 α = (0, 14, 12, 26, 0, 0), w = (2/3, 4/9), b = −1; and a soft margin."""
    X = [[2, 2], [3, 0], [1, 3], [0, 0], [-1, 0.5], [0.5, -1]]
    hard = hard_margin(X, [1, 1, 1, -1, -1, -1]).solve()
    assert np.allclose(81 * hard.alpha, [0, 14, 12, 26, 0, 0], rtol=0, atol=1e-12)
    assert np.allclose(hard.w, [2 / 3, 4 / 9, -1], rtol=0, atol=1e-12)
    X = [[2, 2], [1.5, 0.5], [0.2, 1], [-0.5, -0.3], [-1, -2], [-2, -1], [0.6, 0.4]]
    soft = soft_margin([*X, [3, 1]], [1, 1, 1, -1, -1, -1, -1, 1], 1.0).solve()
    assert np.allclose(soft.w[:3], [0.6, 1, -0.4], rtol=0, atol=1e-13)
    assert np.allclose(soft.alpha[:8], [0, 0.5, 1, 0.5, 0, 0, 1, 0], atol=1e-13)
    assert soft.value == pytest.approx(2.32, rel=1e-13)


def test_exact_data_satisfy_kkt_in_fractions():
    for data in (examples.separable_data(), examples.overlapping_data()):
        X = [[round(v * 10) for v in row] for row in data.X.tolist()]  # in tenths
        f = [
            sum(w * x for w, x in zip(data.w, row, strict=True)) / 10 + data.b
            for row in X
        ]
        margins = [int(label) * value for label, value in zip(data.y, f, strict=True)]
        for m, a in zip(margins, data.alpha, strict=True):
            assert m >= 1 or a == data.C
            assert m <= 1 or a == 0
        assert sum(int(t) * a for t, a in zip(data.y, data.alpha, strict=True)) == 0
        for j, w in enumerate(data.w):
            terms = zip(data.y, data.alpha, X, strict=True)
            assert w == sum(int(t) * a * row[j] for t, a, row in terms) / 10


def test_soft_margin_to_machine_precision():
    data = examples.overlapping_data()
    solution = soft_margin(data.X, data.y, data.C).solve()
    n = len(data.y)
    assert np.allclose(solution.w[:3], [*exact(data.w), float(data.b)], atol=1e-13)
    assert np.allclose(solution.alpha[:n], exact(data.alpha), atol=1e-13)
    assert np.allclose(solution.alpha[n:], data.C - exact(data.alpha), atol=1e-13)
    assert solution.value == pytest.approx(2.875, rel=1e-13)


def test_a_large_c_is_the_hard_margin():
    data = examples.separable_data()
    for C, same in ((0.79, True), (0.7, False)):
        w = soft_margin(data.X, data.y, C).solve().w[:3]
        assert np.allclose(w, [*exact(data.w), float(data.b)], atol=1e-9) == same


def test_inseparable_data_have_no_hard_margin():
    X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
    with pytest.raises(Infeasible, match="no point satisfies"):
        hard_margin(X, y).solve()
    assert hard_margin(X, y).solve_dual().value == math.inf


@pytest.mark.parametrize(
    ("y", "message"), [([1, -1], "one label for each"), ([1, 1, 1], "two classes")]
)
def test_labels_are_checked(y, message):
    with pytest.raises(InputError, match=message):
        hard_margin([[0.0], [1.0], [2.0]], y)


def test_soft_margin_against_a_peer():
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 3))
    y = np.sign(X[:, 0] + 0.5 * rng.normal(size=30))
    ours = soft_margin(X, y, 0.7).solve()
    peer = svm.SVC(kernel="linear", C=0.7, tol=1e-9).fit(X, y)
    assert np.allclose(ours.w[:3], peer.coef_[0], atol=1e-6)
    assert ours.w[3] == pytest.approx(peer.intercept_[0], abs=1e-6)
