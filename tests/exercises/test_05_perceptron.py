"""Sheet 5: its numbers in exact arithmetic, and its code."""

import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kernellab.grading.classroom.bank import Bank

BANK = Bank(Path(__file__).parents[2] / "exercises")
SHEET = BANK.sheet("05_perceptron")
QUESTIONS = {question.id: question for question in SHEET.questions}
XOR = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
SIGNS = [1, 1, -1, -1]


def answers(question_id):
    """The right values of a question, read from its first reference."""
    text = QUESTIONS[question_id].references[0].answer
    pairs = (line.split(" = ") for line in text.splitlines())
    return {name: _numbers(value) for name, value in pairs}


def _numbers(text):
    found = [Fraction(n) for n in re.findall(r"-?\d+(?:/\d+)?", text)]
    return found if text.startswith("[") else (found or [text])[0]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def primal(points, labels, start, rate=1, passes=1000, strict=False):
    """The algorithm of S2 in exact arithmetic: w after each pass, and the mistakes."""
    w, missed, after = [Fraction(s) for s in start], [], []
    for _ in range(passes):
        before = len(missed)
        for i, (x, y) in enumerate(zip(points, labels, strict=True), 1):
            score = y * dot(w, x)
            if score < 0 or (score == 0 and not strict):
                w = [a + Fraction(rate) * y * b for a, b in zip(w, x, strict=True)]
                missed.append(i)
        after.append(w)
        if len(missed) == before:
            return after, missed
    return after, missed


def dual(kernel, points, labels, passes=1000):
    """The same with a kernel: the counts after each pass, and the mistakes."""
    alpha, missed, after = [0] * len(points), [], []
    for _ in range(passes):
        before = len(missed)
        for i, (x, y) in enumerate(zip(points, labels, strict=True)):
            terms = zip(alpha, labels, points, strict=True)
            if y * sum(a * c * kernel(z, x) for a, c, z in terms) <= 0:
                alpha[i] += 1
                missed.append(i + 1)
        after.append(list(alpha))
        if len(missed) == before:
            return after, missed
    return after, missed


def counts(missed, n):
    return [missed.count(i) for i in range(1, n + 1)]


def test_the_size_of_the_sheet():
    assert 10 <= len(SHEET.questions) <= 15
    assert 55 <= SHEET.points <= 90


def test_a_run_by_hand():
    right = answers("perceptron-by-hand")
    X, y = [(2, 1), (0, 0), (1, 3), (3, 0)], [1, -1, -1, 1]
    with_bias = [(*x, 1) for x in X]
    after, missed = primal(with_bias, y, (0, 0, 0))
    assert missed == right["mistakes"]
    assert len(after) == right["passes"]
    assert after[-1] == [*right["w"], right["w0"]]
    assert counts(missed, 4) == right["alpha"]
    assert [dot(y, column) for column in zip(*X, strict=True)] == right["wrong_w"]
    assert primal(with_bias, y, (0, 0, 0), strict=True)[1] == []
    assert right["strict"] == 0
    assert len(primal(X, y, (0, 0), passes=50)[0]) == 50
    assert right["ends"] == "no"


def test_another_start():
    right = answers("rate-from-elsewhere")
    X, y, new = [(0, 3), (3, 2)], [1, -1], (1, 2)

    def last(start, rate):
        after, missed = primal(X, y, start, rate)
        return after[-1], missed

    one, two = last((3, 2), 1), last((3, 2), 2)
    assert (one[0], len(one[1])) == (right["w1"], right["m1"])
    assert (two[0], len(two[1])) == (right["w2"], right["m2"])
    assert len(last((3, 2), Fraction(1, 10))[1]) == right["m_tenth"]
    assert dot(one[0], new) < 0 < dot(two[0], new)
    assert (right["label1"], right["label2"]) == (-1, 1)
    assert last(right["start"], 1)[1] == two[1]
    assert last((0, 0), 2)[0] == right["zero2"]
    assert len(primal(X, y, (0, 0), -1, passes=50)[0]) == 50


def test_margins():
    right = answers("margin-and-mistakes")
    X, y = [(2, -1), (1, -3), (0, 3)], [1, -1, 1]
    Z = [[c * a for a in x] for x, c in zip(X, y, strict=True)]

    def margin2(u):
        """The squared margin of the direction u, or 0 if u does not separate."""
        worst = min(dot(u, z) for z in Z)
        return Fraction(max(worst, 0)) ** 2 / dot(u, u)

    R2 = max(dot(x, x) for x in X)
    assert right["R2"] == R2
    assert right["bound_diagonal"] == R2 / margin2((1, 1))
    assert margin2((1, 1)) == Fraction(1, 2)
    u = right["u"]
    assert dot(u, u) == 1
    assert right["gamma"] ** 2 == margin2(u)
    grid = [(a, b) for a in range(-40, 41) for b in range(-40, 41) if (a, b) != (0, 0)]
    assert max(map(margin2, grid)) == margin2(u)
    assert right["bound"] == right["bound_scaled"] == R2 / margin2(u)
    runs = {
        order: len(primal([X[i] for i in order], [y[i] for i in order], (0, 0))[1])
        for order in permutations(range(3))
    }
    assert runs[0, 1, 2] == right["made"]
    assert runs[0, 2, 1] == right["made_132"]
    assert max(runs.values()) <= right["bound"]
    far = [*X[:2], (0, 30)]
    assert right["bound_far"] == 900 / margin2(u)
    assert len(primal(far, y, (0, 0))[1]) == right["made_far"]


def test_the_exclusive_or():
    right = answers("exclusive-or-by-hand")

    def quadratic(x, z):
        return (dot(x, z) + 1) ** 2

    def square(x, z):
        return dot(x, z) ** 2

    after, missed = dual(quadratic, XOR, SIGNS)
    assert [quadratic(XOR[0], x) for x in XOR] == right["row"]
    assert missed == right["mistakes"]
    assert (len(after), after[-1]) == (right["passes"], right["alpha"])
    for x in ((2, 3), (-1, 5)):
        g = sum(c * quadratic(z, x) for c, z in zip(SIGNS, XOR, strict=True))
        assert g == right["c"] * x[0] * x[1]
    K = np.array([[quadratic(x, z) for z in XOR] for x in XOR])
    y = np.array(SIGNS)
    assert right["R2"] == K.max()
    assert set(y * (K @ y)) == {8}
    assert right["gamma2"] == Fraction(64, int(y @ K @ y))
    assert right["most"] == right["R2"] // right["gamma2"] == len(missed)
    assert len(dual(square, XOR, SIGNS)[1]) == right["made_square"]
    assert right["most_square"] == 2
    linear = dual(lambda x, z: dot(x, z) + 1, XOR, SIGNS, passes=50)
    assert len(linear[0]) == 50


def test_going_round():
    right = answers("going-round")
    X, y = [(-1, 1), (0, 1), (1, 1)], [1, -1, 1]
    after, missed = primal(X, y, (0, 0), passes=101)
    assert after[:3] == [right["end1"], right["end2"], right["end3"]]
    assert after[2:] == after[:-2]
    assert after[0] != after[1]
    assert right["period"] == 2
    assert len(missed) == 3 + 100 * right["per_pass"]
    assert counts(missed, 3) == right["alpha101"]
    assert after[-1] == right["end101"]
    three = counts(primal(X, y, (0, 0), passes=3)[1], 3)
    one = counts(primal(X, y, (0, 0), passes=1)[1], 3)
    assert [a - b for a, b in zip(three, one, strict=True)] == right["added"]
    sums = [sum(z * c * v for z, c, v in zip(right["z"], y, column, strict=True))
            for column in zip(*X, strict=True)]  # fmt: skip
    assert sums == [0, 0]


def test_an_endless_run():
    e = np.e

    def additive(x, z):
        return np.exp(x[0] * z[0]) + np.exp(x[1] * z[1])

    def repaired(x, z):
        return additive(x, z) + x[0] * x[1] * z[0] * z[1]

    K = np.array([[additive(x, z) for z in XOR] for x in XOR])
    y = np.array(SIGNS)
    after, missed = dual(additive, XOR, SIGNS, passes=100)
    assert missed[:3] == [1, 3, 4]
    assert missed[3] == 1
    assert after[1] == [2, 1, 2, 2]
    assert after[99] == [100, 99, 100, 100]
    for alpha in (after[0], after[1], after[99]):
        signed = alpha * y
        expected = [-2 / e, -2 * e, -e - 1 / e, -e - 1 / e]
        assert K @ signed == pytest.approx(expected, abs=1e-9)
        assert signed @ K @ signed == pytest.approx(2 * e, abs=1e-9)
    again = dual(repaired, XOR, SIGNS)[1]
    assert len(again) == 4 <= repaired(XOR[0], XOR[0])
    assert repaired(XOR[0], XOR[0]) == pytest.approx(2 * e + 1)
    L = np.array([[repaired(x, z) for z in XOR] for x in XOR])
    a = np.linalg.solve(L, y)  # all points are on the margin of the widest separation
    assert (a * y > 0).all()
    assert 1 / (y @ a) == pytest.approx(1)


@pytest.mark.parametrize("group", range(4))
def test_the_trained_machine_is_the_algorithm(group):
    question = QUESTIONS["train-a-kernel-perceptron"]
    cases = question.groups[group]
    for size in range(cases.smallest, cases.smallest + cases.count):
        K, y, L, passes = cases.inputs(np.random.default_rng(size), size)
        points = range(len(y))
        kernel = K.astype(int) + 1
        after, _ = dual(lambda i, j, k=kernel: k[i, j], points, y.tolist(), passes)
        alpha, labels = question.reference(K, y, L, passes)
        assert alpha.tolist() == (after[-1] if after else [0] * len(y))
        scores = (L.astype(int) + 1) @ (alpha * y)
        assert labels.tolist() == [1 if s >= 0 else -1 for s in scores]


@pytest.mark.parametrize("group", range(3))
def test_the_bound_holds_for_every_order(group):
    question = QUESTIONS["mistakes-in-every-order"]
    cases = question.groups[group]
    for size in range(cases.smallest, cases.smallest + cases.count):
        K, y, orders = cases.inputs(np.random.default_rng(size), size)
        assert [sorted(order) for order in orders.tolist()] == [
            list(range(size)) for _ in orders
        ]
        found, bound = question.reference(K, y, orders)
        others = np.array(list(permutations(range(min(size, 5)))))
        assert (found <= bound + 1e-9).all()
        if size <= 5:
            assert (question.reference(K, y, others)[0] <= bound + 1e-9).all()
