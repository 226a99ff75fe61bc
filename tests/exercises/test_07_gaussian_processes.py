"""Sheet 7: its numbers in exact arithmetic, and its code."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from kernellab.grading.classroom.bank import Bank

BANK = Bank(Path(__file__).parents[2] / "exercises")
SHEET = BANK.sheet("07_gaussian_processes")
QUESTIONS = {question.id: question for question in SHEET.questions}


def answers(question_id):
    """The right values of a question, read from its first reference."""
    text = QUESTIONS[question_id].references[0].answer
    pairs = (line.split(" = ") for line in text.splitlines())
    return {name: _numbers(value) for name, value in pairs}


def _numbers(text):
    if text.startswith("[["):
        return [_numbers(f"[{row}]") for row in re.findall(r"\[([^\[\]]+)\]", text)]
    found = [Fraction(n) for n in re.findall(r"-?\d+(?:/\d+)?", text)]
    return found if text.startswith("[") else (found or [text])[0]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def solve2(C, y):
    """The solution of a system with two unknowns."""
    (a, b), (c, d) = C
    det = a * d - b * c
    return [(d * y[0] - b * y[1]) / det, (a * y[1] - c * y[0]) / det]


def test_the_size_of_the_sheet():
    assert 10 <= len(SHEET.questions) <= 20
    assert 55 <= SHEET.points <= 135


def test_sums():
    right = answers("sums-of-gaussians")
    assert right["cov"] == Fraction(1, 2) * 2 * 3
    assert right["var_sum"] == 4 + 9 + 2 * right["cov"]
    assert right["var_difference"] == 4 + 9 - 2 * right["cov"]
    rng = np.random.default_rng(0)
    x, s = rng.standard_normal(400_000), rng.choice([-1, 1], 400_000)
    total = x + s * x
    assert np.mean(x * s * x) == pytest.approx(float(right["cov_sign"]), abs=0.02)
    assert np.mean(total == 0) == pytest.approx(float(right["zero"]), abs=0.01)
    assert np.mean(total**4) == pytest.approx(float(right["fourth"]), rel=0.05)
    assert 3 * np.var(total) ** 2 == pytest.approx(
        float(right["fourth_gaussian"]), rel=0.05
    )
    squares = np.cov(x**2, (s * x) ** 2)[0, 1]
    assert squares == pytest.approx(float(right["cov_squares"]), rel=0.05)


def test_no_density():
    right = answers("no-density")
    K = [[Fraction(1 + x * z, 4) for z in (0, 1, 2)] for x in (0, 1, 2)]
    assert right["K"] == K
    assert right["var_w"] == Fraction(1, 4)
    assert float(K[0][2]) ** 2 / float(K[0][0] * K[2][2]) == pytest.approx(1 / 5)
    assert np.linalg.matrix_rank(np.array(K, float)) == right["rank"]
    for w in ((1, 0), (0, 1)):
        assert dot(right["z"], [w[0] + w[1] * x for x in (0, 1, 2)]) == 0
    known, k = [row[:2] for row in K[:2]], [K[0][2], K[1][2]]
    assert dot(k, solve2(known, [1, 3])) == right["mean"]
    assert K[2][2] - dot(k, solve2(known, k)) == right["var"]
    noisy = np.array(K, float) + 0.01 * np.eye(3)
    assert np.linalg.matrix_rank(noisy) == right["noisy"]


def test_a_prediction():
    right = answers("prediction-by-hand")
    half = Fraction(1, 2)

    def kernel(x, z):
        return max(Fraction(0), 1 - abs(x - z) / 2)

    X, y, new = [Fraction(0), Fraction(1)], [2, 0], half

    def covariance(noise):
        return [[kernel(x, z) + noise * (x == z) for z in X] for x in X]

    def mean(at, y, noise=half):
        return dot([kernel(x, at) for x in X], solve2(covariance(noise), y))

    def variance(at):
        k = [kernel(x, at) for x in X]
        return kernel(at, at) - dot(k, solve2(covariance(half), k))

    assert right["C"] == covariance(half)
    assert right["a"] == solve2(covariance(half), y)
    assert right["mean"] == mean(new, y)
    assert right["var_f"] == variance(new) == right["var_double"]
    assert right["var_y"] == variance(new) + half
    assert (right["mean_far"], right["var_far"]) == (mean(10, y), variance(10))
    assert right["fit"] == mean(X[0], y)
    assert right["residual"] == (y[0] - right["fit"]) / half == right["a"][0]
    assert right["mean_double"] == mean(new, [4, 0])
    assert right["mean_printed"] == mean(new, y, 1 / half)
    grid = np.linspace(-3, 3, 25)
    hat = np.maximum(0, 1 - np.abs(grid[:, None] - grid) / 2)
    assert np.linalg.eigvalsh(hat).min() > -1e-12  # it is a kernel


def test_the_best_scale():
    right = answers("scale-by-hand")
    M, y = [[2, 1], [1, 2]], [3, 0]
    alpha = solve2([[Fraction(m) for m in row] for row in M], y)
    assert right["alpha"] == alpha
    assert right["fit"] == dot(alpha, y)
    assert right["slope"] == (right["fit"] - right["trace"]) / 2

    def slope(theta):
        return right["fit"] / (2 * theta**2) - 1 / theta

    assert right["slope"] == slope(Fraction(1)) > 0
    assert slope(right["best"]) == 0
    assert right["slope10"] == slope(Fraction(10))
    ten = Fraction(10)
    assert right["curve10"] == -right["fit"] / ten**3 + 1 / ten**2 > 0

    def value(theta):
        return multivariate_normal([0, 0], theta * np.array(M)).logpdf(y)

    for theta in (1.0, 10.0):
        numeric = (value(theta + 1e-5) - value(theta - 1e-5)) / 2e-5
        assert numeric == pytest.approx(float(slope(Fraction(theta))), abs=1e-7)


@pytest.mark.parametrize("group", range(4))
def test_the_prediction_conditions_the_joint_distribution(group):
    question = QUESTIONS["predict-a-process"]
    cases = question.groups[group]
    for size in range(cases.smallest, cases.smallest + cases.count):
        K, L, v, y, m, s2 = cases.inputs(np.random.default_rng(size), size)
        mean, variance = question.reference(K, L, v, y, m, s2)
        C = K + s2 * np.eye(len(y))
        assert mean == pytest.approx(m + L @ np.linalg.solve(C, y - m), abs=1e-8)
        for i, k in enumerate(L):  # the Schur complement, as a quotient of two volumes
            joint = np.block([[C, k[:, None]], [k[None], np.array([[v[i] + s2]])]])
            logs = [np.linalg.slogdet(A)[1] for A in (joint, C)]
            assert variance[i] == pytest.approx(np.exp(logs[0] - logs[1]), rel=1e-6)


@pytest.mark.parametrize("group", range(4))
def test_the_likelihood_is_the_density_and_its_gradient_the_slope(group):
    question = QUESTIONS["likelihood-and-gradient"]
    cases = question.groups[group]
    for size in range(cases.smallest, cases.smallest + cases.count):
        C, D, y = cases.inputs(np.random.default_rng(size), size)
        value, gradient = question.reference(C, D, y)
        density = multivariate_normal(np.zeros(len(y)), C).logpdf(y)
        assert value == pytest.approx(density, rel=1e-9)
        for slope, direction in zip(gradient, D, strict=True):
            step = 1e-5 * C.max()
            ends = [question.reference(C + e * direction, D, y)[0]
                    for e in (step, -step)]  # fmt: skip
            numeric = (ends[0] - ends[1]) / (2 * step)
            assert slope == pytest.approx(numeric, rel=1e-4, abs=1e-7)
