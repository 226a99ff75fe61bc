"""Reasons that are wrong: what is noted, and what it costs where it counts."""

from dataclasses import replace

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.problems import PROBLEMS

DUAL = """J = norm2(t - K@a) + lam*a.T@K@a | substitute w; def K
grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a | gradient
K@((K + lam*I)@a - t) = 0 | set to zero; factor
(K + lam*I)@a = t | sufficient
a = inv(K + lam*I)@t | {}"""
NOTED = {
    "use 2": "line 2 is not needed here",
    "lines 2 and 3": "lines 2 and 3 are not needed here",
    "use 9": "there is no line 9",
    "def y": "`y` does not occur here",
}
FINE = [
    "",
    "(5)",
    "(5) from (4)",
    "line 4",
    "inverse K + lam*I",
    "def K",
    "definition of K",
    "xyzzy",
    "obvious",
]


def last(reasons, problem="ridge-dual"):
    report = check_derivation(problem, DUAL.format(reasons), seed=1)
    return report, report.lines[-1]


@pytest.mark.parametrize(("reasons", "words"), NOTED.items())
def test_a_wrong_reason_is_noted_and_costs_nothing(reasons, words):
    report, line = last(reasons)
    assert words in line.message
    assert report.accepted
    assert report.score == 1


@pytest.mark.parametrize("reasons", FINE)
def test_a_reason_that_is_right_or_unread_is_not_noted(reasons):
    assert last(reasons)[1].message == ""


def test_a_line_that_another_proof_would_use_is_no_wrong_reason():
    text = "w.T@w = a.T@K@a\nlam*w.T@w = lam*a.T@K@a\nw.T@w + 1 = a.T@K@a + 1 | line 1"
    assert check_derivation("ridge-dual", text, seed=1).lines[2].message == ""


def test_an_instructor_may_let_reasons_count():
    strict = replace(PROBLEMS["ridge-dual"], reasons=0.25)
    right, _ = last("inverse K + lam*I", strict)
    wrong, line = last("use 2", strict)
    assert right.score == 1
    assert wrong.accepted
    assert wrong.score == pytest.approx(1 - 0.25 / 3, abs=1e-3)
    assert "25%" in line.message
