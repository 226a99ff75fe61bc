"""Cases of a number's sign, and induction along a recursion."""

import re

import pytest

from kernellab.grading import verify
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.judging.check import check_derivation
from kernellab.grading.problem import Milestone, Problem, Route


def problem(symbols, goal, **more):
    route = Route((Milestone("goal", goal),))
    sizes = {"sizes": (), "regimes": ({}, {})}
    return Problem("supposed", symbols, (route,), **{**sizes, **more})


ROOM = {"sizes": ("M",), "regimes": ({"M": 3}, {"M": 2})}
CANCEL = problem(
    "x : number\ny : number\nz : number", "x*z = y*z", givens=("z*z*(x - y) = 0",)
)
SCHWARZ = problem(
    "u : M\nv : M\ns : number = v.T@v\nc : number = u.T@v", "c**2 <= (u.T@u)*s", **ROOM
)
LENGTH = problem(
    "w : M\nx : M\ny : number\nm : nonneg\nR : positive\nv : M = w + y*x",
    "norm2(w) <= m*R**2",
    givens=("y*w.T@x <= 0", "norm2(x) <= R**2", "y**2 = 1"),
    recursions=("w = 0, then w + y*x", "m = 0, then m + 1"),
    **ROOM,
)


def report(problem, text):
    found = check_derivation(problem, text, seed=1)
    checked = verify(found.certificate())
    assert checked, checked
    return found


THREE_CASES = """
case z = 0
x*z = y*z          | both sides are 0
case z > 0
z*(x - y) = 0      | divide by z
x*z = y*z
case z < 0
x*z = y*z          | cancel z
x*z = y*z          | in all cases
"""
TWO_CASES = """
Case 1: $s = 0$
v = 0                                    | only 0 has length 0
c = 0                                    | def c
c**2 <= (u.T@u)*s
Case 2: $s > 0$
norm2(u - c/s*v) >= 0                    | a square
u.T@u - 2*c/s*u.T@v + c**2/s**2*s >= 0   | expand
u.T@u - c**2/s >= 0
(u.T@u)*s - c**2 >= 0                    | multiply by s > 0
c**2 <= (u.T@u)*s                        | so it holds in both cases
"""
INDUCTION = """
base: 0 <= 0                                          | w = 0, m = 0
norm2(w) <= m*R**2                                    | induction hypothesis
norm2(v) = norm2(w) + 2*y*w.T@x + y**2*norm2(x)       | expand
norm2(v) <= norm2(w) + y**2*norm2(x)                  | a mistake
norm2(v) <= norm2(w) + norm2(x)                       | y is 1 or -1
norm2(v) <= norm2(w) + R**2                           | points are short
norm2(v) <= (m + 1)*R**2                              | by the induction hypothesis
norm2(w) <= m*R**2                                    | by induction
"""


@pytest.mark.parametrize(
    ("problem", "text"),
    [(CANCEL, THREE_CASES), (SCHWARZ, TWO_CASES), (LENGTH, INDUCTION)],
    ids=["three cases", "two cases", "induction"],
)
def test_a_whole_argument_is_accepted(problem, text):
    found = report(problem, text)
    assert found.accepted, found
    assert len(found.lines) not in verify(found.certificate()).conditional


OPENINGS = [
    "suppose z > 0",
    "assume that z > 0",
    "case (i): z > 0",
    "Second case: z > 0",
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_a_case_is_opened_in_many_words(opening):
    found = report(CANCEL, f"{opening}\nx*z = y*z")
    assert all(line.ok for line in found.lines)
    assert not found.accepted
    assert found.missing == ("goal",)


REFUSED = {
    "the cases leave out `z < 0`": "case z = 0\nx*z = y*z\ncase z > 0\nx*z = y*z\n"
    "x*z = y*z | in both cases",
    "the cases leave out `z = 0`": "case z < 0\nx*z = y*z\ncase z > 0\nx*z = y*z\n"
    "x*z = y*z | in both cases",
    "is not true in the case `z = 0`": "case z = 0\nx*z = 0\ncase z > 0\nx = y\n"
    "case z < 0\nx = y\nx = y | in all cases",
    "the cases above are about `z`": "case z = 0\nx*z = y*z\ncase x > 0",
    "one relation between two numbers": "case x > y > z",
}


@pytest.mark.parametrize(("words", "text"), REFUSED.items())
def test_cases_that_prove_nothing(words, text):
    last = report(CANCEL, text).lines[-1]
    assert not last.ok
    assert words in last.message


def test_a_line_of_one_case_is_not_used_in_another():
    text = "case z > 0\nz*(x - y) = 0\nx = y | cancel z\ncase z = 0\nx = y"
    assert not report(CANCEL, text).lines[-1].ok


def test_a_line_of_a_case_is_false_only_where_the_case_holds():
    line = report(CANCEL, "case x > 0\nx >= 0\nx >= 3").lines
    assert [one.ok for one in line] == [True, True, False]
    assert line[2].counterexample


def test_what_is_not_zero_in_a_case_divides_there_only():
    text = "case z > 0\nx = x*z/z\ncase z <= 0\nx = x*z/z"
    found = report(CANCEL, text).lines
    assert [line.ok for line in found] == [True, True, True, False]
    assert "may be 0" in found[3].message


def test_a_conclusion_does_not_continue_a_line_of_a_case():
    text = "case z = 0\nx*z = 0\ncase z > 0\nx*z = x*z\ncase z < 0\nx*z = y*z\n"
    last = report(CANCEL, text + "= y*z | in all cases").lines[-1]
    assert not last.ok
    assert "a line of its own" in last.message


def test_a_name_that_a_case_licenses_would_outlive_it():
    found = report(CANCEL, "case z > 0\nlet r = x/z\nr = x/z").lines
    assert not found[1].ok
    assert "`z` may be 0" in found[1].message


def test_one_case_that_says_nothing_proves_nothing():
    last = report(CANCEL, "case 1 = 0\nx = y\nx = y | in all cases").lines[-1]
    assert not last.ok
    last = report(CANCEL, "case 1 > 0\nx = y | in all cases").lines[-1]
    assert not last.ok


def test_open_cases_are_named():
    assert "the cases are open" in str(report(CANCEL, "case z > 0\nx*z = y*z"))


MISSING = {
    "the base is missing: write `norm2(0) <= 0`": INDUCTION.replace(
        "base: 0 <= 0", "R > 0"
    ),
    "the base does not hold: for `w = 0` and `m = 0` this says `norm2(0) <= -1`": ""
    "base: 0 <= 0\nnorm2(w) <= -1 | hypothesis\nnorm2(w) <= -1 | by induction",
    "the step does not hold: it would be `m + 1 <= 0`": ""
    "base: 0 <= 0\nm <= 0 | hypothesis\nm <= 0 | by induction",
    "with `w = 0` and `m = 0` put in": "base: norm2(w) <= 0",
    "of every `m` and `w`; if it is meant of the sequence": "norm2(w) <= m*R**2",
    "what the hypothesis says, and that is `norm2(w) <= m*R**2`": "base: 0 <= 0\n"
    "norm2(w) <= m*R**2 | hypothesis\nnorm2(w) <= m*R**2 - 1 | by induction",
    "the step is missing: show `norm2(w + y*x) <= (m + 1)*R**2`": "base: 0 <= 0\n"
    "suppose norm2(w) <= m*R**2\nnorm2(w) <= m*R**2 | by induction",
    "`x` changes from step to step": "norm2(w) <= norm2(x) | induction hypothesis",
    "`v` changes from step to step": "norm2(v) <= m*R**2 | induction hypothesis",
}


@pytest.mark.parametrize(("words", "text"), MISSING.items())
def test_an_induction_that_lacks_something(words, text):
    last = report(LENGTH, text).lines[-1]
    assert not last.ok
    assert words in last.message


def test_one_induction_at_a_time():
    """To cite the hypothesis is not to suppose another one."""
    two = open_bank().question("one-more-variable").problem
    text = "base: 0 = 0\nc = d*(d + 1)/2 | induction hypothesis\n"
    cited = report(two, text + "u = d*(d + 1)/2 + d + 1 | the hypothesis").lines[-1]
    assert cited.ok
    last = report(two, text + "t = d*(d + 1)*(d + 2)/6 | hypothesis").lines[-1]
    assert "one induction at a time: first conclude `c = d*(d + 1)/2`" in last.message


def test_the_base_and_the_step_that_are_offered_pass():
    parts = ["norm2(w) <= m*R**2 | hypothesis", "norm2(w) <= m*R**2 | by induction"]
    message = report(LENGTH, "\n".join(parts)).lines[-1].message
    base = re.search(r"write `(.*?)`", message)[1]
    found = report(LENGTH, f"base: {base}\n" + "\n".join(parts)).lines
    assert found[0].ok
    assert "the step is missing" in found[-1].message
    step = re.search(r"show `(.*?)`", found[-1].message)[1]
    assert report(LENGTH, INDUCTION.replace("norm2(v) <= (m + 1)*R**2", step)).accepted


def test_each_induction_states_its_own_base():
    """That of the counts of degree 2 is 0 = 0, as is that of degree 3."""
    two = open_bank().question("one-more-variable")
    first, base, second = two.references[0].answer.rpartition("base: 0 = 0\n")
    assert report(two.problem, first + base + second).accepted
    found = report(two.problem, first + second)
    assert not found.accepted
    assert "the base is missing" in found.lines[-1].message


def test_a_hypothesis_alone_is_worth_nothing():
    text = "norm2(w) <= m*R**2 | hypothesis\nnorm2(w) - m*R**2 <= 0"
    found = report(LENGTH, text)
    assert found.score == 0
    assert "the induction is open" in str(found)
    assert verify(found.certificate()).conditional == (1, 2)


def test_a_hypothesis_licenses_nothing():
    text = "norm2(w) > 0 | hypothesis\nx = norm2(w)/norm2(w)*x"
    last = report(LENGTH, text).lines[-1]
    assert not last.ok
    assert "may be 0" in last.message


def test_a_false_hypothesis_has_no_step():
    text = "base: 0 <= 0\nnorm2(w) <= 0 | hypothesis\nnorm2(w) <= 0 | by induction"
    assert not report(LENGTH, text).lines[-1].ok


def test_what_the_checker_does_not_confirm_is_not_accepted(monkeypatch):
    assert check_derivation(CANCEL, THREE_CASES).accepted
    monkeypatch.setattr("kernellab.grading.judging.report.verify", lambda found: False)
    refused = check_derivation(CANCEL, THREE_CASES)
    assert all(line.ok for line in refused.lines)
    assert not refused.accepted
    assert refused.score < 1
    assert "does not confirm" in str(refused)


def test_a_square_that_vanishes_is_0_in_real_numbers():
    square = problem("v : M\nh : number = norm2(v)", "h >= 0", **ROOM)
    lines = check_derivation(square, "assume h = 0\nnorm2(v) = 0\nv = 0", seed=1).lines
    assert [line.ok for line in lines] == [True, True, True]
    gap = problem(
        "v : M\ne : nonneg\nlam : positive\nh : number = e + lam*norm2(v)",
        "h >= 0",
        **ROOM,
    )
    line = check_derivation(gap, "case h = 0\nv = 0", seed=1).lines[-1]
    assert "not true" not in line.message
