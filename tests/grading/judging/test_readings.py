"""Milestones are reached by what any teacher would take for the same statement."""

import pytest

from kernellab.grading import Milestone, Problem, Route, check_derivation

SYMBOLS = """
A : N x M
C : N x M
H : N x N, symmetric = I - ones(N)@ones(N).T/N
u : N
v : N
J : number = u.T@u + 2*u.T@v + v.T@v
x : number
lam : positive
"""


def reached(milestone, text, **form):
    """Whether a text reaches a milestone."""
    goal = Milestone("goal", milestone, **form)
    problem = Problem("test", SYMBOLS, (Route((goal,)),), object="J", max_facts=3)
    report = check_derivation(problem, text, explanations=False, seed=1)
    assert all(line.ok for line in report.lines), str(report)
    return report.accepted


@pytest.mark.parametrize(
    "line",
    [
        "J = norm2(u + v)", "norm2(u + v) = J", "J - norm2(u + v) = 0",
        "0 = norm2(u + v) - J", "-J = -norm2(u + v)", "x - J = x - norm2(u + v)",
        "2*J + x = x + 2*norm2(u + v)", "J/2 - norm2(u + v)/2 = 0",
    ],
)  # fmt: skip
def test_terms_may_be_moved(line):
    assert reached("J = norm2(u + v)", line, form="one square")


@pytest.mark.parametrize("line", ["J >= 0", "0 <= J", "-J <= 0", "2*J + x >= x"])
def test_bounds_too(line):
    assert reached("J >= 0", f"J = norm2(u + v)\n{line}")


@pytest.mark.parametrize(
    "line", ["J = u.T@(u + 2*v) + v.T@v", "J - u.T@(u + 2*v) = v.T@v"]
)
def test_the_form_is_still_asked_for(line):
    assert not reached("J = norm2(u + v)", line, form="one square")


@pytest.mark.parametrize(
    "line",
    [
        "J = u.T@u + 2*u.T@v + v.T@v", "J - v.T@v = u.T@u + 2*u.T@v",
        "J + J = u.T@u + 2*u.T@v + v.T@v + J", "J + x = x + v.T@v + 2*u.T@v + u.T@u",
        "J = u.T@u + 2*u.T@v + v.T@v + u.T@v - v.T@u",
    ],
)  # fmt: skip
def test_a_definition_that_is_repeated_reaches_nothing(line):
    assert not reached("J = norm2(u + v)", line)


@pytest.mark.parametrize("line", ["H@H = H", "H@H - H = 0", "H - H@H = 0"])
def test_that_a_difference_vanishes(line):
    steps = f"H@H = I - ones(N)@ones(N).T/N\n{line}"
    assert reached("H@H = H", steps, only=frozenset("H"), form="mentions H")


@pytest.mark.parametrize("over", ["1/lam", "lam**-1", r"\lambda^{-1}"])
def test_to_invert_a_number_is_to_divide(over):
    """So that only inverses R x R are in this answer, as the milestone asks."""
    text = f"""
        lam*z = v - L@u
        S@u = L.T@v
        u = inv(S)@L.T@v
        z = {over}*(v - L@inv(S)@L.T@v)
        """
    assert check_derivation("small-system", text, seed=1).accepted


def test_an_equation_may_be_transposed():
    goal = "inv(A@A.T + I)@A = A@inv(A.T@A + I)"
    steps = """
        A.T@(A@A.T + I) = (A.T@A + I)@A.T
        A.T = (A.T@A + I)@A.T@inv(A@A.T + I)
        """
    assert reached(goal, f"{steps}\ninv(A.T@A + I)@A.T = A.T@inv(A@A.T + I)")
    assert not reached(goal, steps)
