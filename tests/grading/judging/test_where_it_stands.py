"""A report on an unfinished derivation says where it stands, and on which route."""

import pytest

from kernellab.grading import check_derivation

PRIMAL = """
grad(J,w) = -2*Phi.T@(t - Phi@w) + 2*lam*w = 0
(Phi.T@Phi + lam*I)@w = Phi.T@t
"""
PUSHED = """
w = inv(Phi.T@Phi + lam*I)@Phi.T@t
inv(Phi.T@Phi + lam*I)@Phi.T = Phi.T@inv(Phi@Phi.T + lam*I)
"""
GOAL = "w = Phi.T@inv(K + lam*I)@t"
WRITTEN = "J = norm2(t - K@a) + lam*a.T@K@a"


def check(text):
    return check_derivation("ridge-dual", text, explanations=False, seed=4)


def test_a_name_is_put_in_beside_lines_that_are_cited():
    report = check(f"{PRIMAL}{PUSHED}{GOAL}")
    assert report.accepted, str(report)


@pytest.mark.parametrize("between", ["", "K = Phi@Phi.T\n", "Phi.T@w = Phi.T@w\n"])
def test_a_name_does_not_hide_that_nothing_was_shown(between):
    report = check(f"{PRIMAL}{between}{GOAL}")
    assert not report.accepted, str(report)
    assert report.progress.route.name == "through w and push-through"


def test_a_goal_without_its_companion_is_seen():
    text = f"{WRITTEN}\n(K + lam*I)@a = t | sufficient\na = inv(K + lam*I)@t"
    words = "Line 3 says it, and counts once “the gradient by a” is reached, too."
    assert words in " ".join(str(check(text)).split())


def test_the_route_is_that_of_the_text():
    wrong = "grad(J,w) = 2*Phi.T@(t - Phi@w) + 2*lam*w"
    assert "the gradient by w" in check(wrong).missing
    assert GOAL in check(GOAL).missing
    assert "the gradient by a" in check("J = norm2(t)").missing


def test_the_goal_alone_is_told_where_to_begin():
    (line,) = check("a = inv(K + lam*I)@t").lines
    assert not line.ok
    assert "begin with J in terms of a" in line.message
    (line,) = check("a = t").lines
    assert line.message == "this is not true"


def test_an_assumption_is_offered_in_its_words():
    gradient = f"{WRITTEN}\ngrad(J,a) = 2*K@(K@a + lam*a - t) = 0"
    for line in ("(K + lam*I)@a = t", "invertible(K)"):
        report = check(f"{gradient}\n{line}")
        assert "write “assume K invertible”" in report.lines[2].message
    assert check(f"{gradient}\nassume K invertible\n(K + lam*I)@a = t").lines[3].ok
