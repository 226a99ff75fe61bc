"""Sheet 1: its numbers in exact arithmetic, and the example of its introduction."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from kernellab.grading import check_derivation
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.language.said import MUST_BE_SAID
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.ridge import KernelRidge

BANK = Bank(Path(__file__).parents[2] / "exercises")
SHEET = BANK.sheet("01_duality")
QUESTIONS = {question.id: question for question in SHEET.questions}

EXAMPLE = Problem(
    id="example",
    symbols="""
x   : N
u   : N
lam : positive
E   : number = norm2(x - u) + lam*norm2(x)
""",
    sizes=("N",),
    object="E",
    variables=("x",),
    unknowns=("x",),
    regimes=({"N": 4}, {"N": 5}),
    routes=(Route((Milestone("x", "x = u/(1 + lam)", only=frozenset({"u", "lam"})),)),),
)


def answers(question_id):
    """The right values of a question, read from its first reference."""
    text = QUESTIONS[question_id].references[0].answer
    pairs = (line.split(" = ") for line in text.splitlines())
    return {name: _numbers(value) for name, value in pairs}


def _numbers(text):
    found = [Fraction(n) for n in re.findall(r"-?\d+(?:/\d+)?", text)]
    return found if text.startswith("[") else (found or [text])[0]


def times(K, v):
    return [sum(x * y for x, y in zip(row, v, strict=True)) for row in K]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def test_the_example_of_the_introduction_is_accepted():
    text = re.search(r"```text\n(.*?)```", SHEET.introduction, re.DOTALL)[1]
    assert check_derivation(EXAMPLE, text).accepted


def test_what_must_be_said_is_in_the_introduction():
    assert all(f"`{words}`" in SHEET.introduction for words in MUST_BE_SAID)


def test_the_points_and_the_flagship():
    assert 60 <= SHEET.points <= 120
    flagship = QUESTIONS["ridge-dual"]
    assert len(flagship.references) >= 6
    assert len(flagship.mistakes) >= 40
    assert sum(bool(mistake.says) for mistake in flagship.mistakes) >= 20


def test_singular_gram():
    right = answers("singular-gram")
    Phi, t, lam = [1, 1, 2], [3, -1, 3], 2
    K = [[x * y for y in Phi] for x in Phi]
    a, b, w = right["a"], right["b"], right["w"]
    Ka = times(K, a)
    assert [x + lam * y for x, y in zip(Ka, a, strict=True)] == t
    assert dot(Phi, a) == w == dot(Phi, b)
    assert a != b
    residual = [x - y for x, y in zip(t, Ka, strict=True)]
    assert right["J"] == dot(residual, residual) + lam * w**2 == lam * dot(t, a)
    assert right["dim"] == 3 - np.linalg.matrix_rank(np.array(K, float))


def test_the_converse():
    right = answers("primal-not-dual")
    Phi, y, lam, n = [1, 2], [4, 3], Fraction(5, 2), 2
    K = [[p * q for q in Phi] for p in Phi]
    alpha, b = right["alpha"], right["b"]

    def primal(a):
        rest = [p - q for p, q in zip(y, times(K, a), strict=True)]
        return dot(rest, rest) / (2 * n) + lam / 2 * dot(a, times(K, a))

    def dual(a):
        quadratic = n * lam**2 / 2 * dot(a, a) + lam / 2 * dot(a, times(K, a))
        return lam * dot(a, y) - quadratic

    system = [p + n * lam * q for p, q in zip(times(K, alpha), alpha, strict=True)]
    assert system == y
    assert times(K, right["z"]) == [0, 0]
    assert primal(alpha) == dual(alpha) == right["value"] == primal(b) == right["P_b"]
    assert dual(b) == right["D_b"] < right["value"]


def test_the_lasso():
    right = answers("lasso-leaves-the-span")
    x, y, lam = [2, 1], 2, Fraction(1, 2)

    def value(w):
        return (y - dot(w, x)) ** 2 / 2 + lam * sum(map(abs, w))

    w, c = right["w"], right["c"]
    residual = y - dot(w, x)
    assert x[0] * residual == lam  # the zero of the slope in w₁ > 0
    assert abs(x[1] * residual) <= lam  # 0 is in the subdifferential in w₂ = 0
    assert value(w) == right["F"] < right["F_span"] == value([c * e for e in x])
    steps = [Fraction(k, 1000) for k in (-1, 1)]
    for one, two in product(steps, steps):
        assert value([w[0] + one, w[1] + two]) > right["F"]
        assert value([(c + one) * e for e in x]) > right["F_span"]


@pytest.mark.parametrize("case", ["gram", "singular", "scaled"])
def test_the_references_of_the_code_agree_with_the_library(case):
    ridge, loo = QUESTIONS["code-dual-ridge"], QUESTIONS["code-leave-one-out"]
    groups = {"gram": 0, "singular": 1, "scaled": 3}
    draw = ridge.groups[groups[case]].inputs
    for size in (1, 4, 5):
        K, t, lam = draw(np.random.default_rng(size), size)
        model = KernelRidge("precomputed", lam=lam).fit(K, t)
        assert np.allclose(ridge.reference(K, t, lam), model.a_, rtol=1e-8)
        assert np.allclose(loo.reference(K, t, lam), model.loo_residuals_, rtol=1e-8)


@pytest.mark.parametrize(
    "answer",
    [
        "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, -1]\nb = 1\nP_b = 15/4\nD_b = 1",
        "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, -1]\nb = [1]\nP_b = 1\nD_b = 1",
        "alpha = [3/5, 1/5]\nvalue = 15/4\nz = [2, -1]\nb = [[1, 0]]\nP_b = 1\nD_b = 1",
    ],
)
def test_a_b_of_another_shape_costs_its_points_only(answer):
    outcome = QUESTIONS["primal-not-dual"].grade(answer)
    assert outcome.status == "partial"
    assert outcome.points == pytest.approx(3)
