"""Claims of uniqueness: what is proved, by what, and what is said if it is not."""

import pytest

from kernellab.grading import check_derivation, verify
from kernellab.grading.problem import Milestone, Problem, Route

DUAL = """
J = (t - K@a).T@(t - K@a) + lam*a.T@K@a       | substitute w; def K
grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a         | gradient
K@((K + lam*I)@a - t) = 0                     | set to zero; factor
"""
CHOSEN = DUAL + "(K + lam*I)@a = t | sufficient\na = inv(K + lam*I)@t\n"


def judged(problem, text):
    report = check_derivation(problem, text, seed=1)
    assert verify(report.certificate()), verify(report.certificate())
    return report.lines[-1]


PROVED = [
    ("ridge-dual", "", "unique(w)"),  # J is strictly convex in w
    ("ridge-dual", "", "unique(y)"),
    ("ridge-dual", "", "not unique(a)"),
    ("ridge-dual", DUAL, "unique(K@a)"),
    ("ridge-dual", DUAL, "unique(t)"),
    ("ridge-dual", DUAL + "invertible(K) | assume K invertible\n", "unique(a)"),
    ("ridge-dual", CHOSEN, "not unique(a)"),
    ("ridge-dual", CHOSEN, "unique(w)"),
    ("svm-dual", "", "not unique(b)"),
    ("svm-dual", "", "unique(w)"),
    ("ridge-predictor", "", "unique(y)"),
    ("small-system", "", "unique(z)"),
]


@pytest.mark.parametrize(("problem", "before", "line"), PROVED)
def test_a_claim_that_is_proved(problem, before, line):
    found = judged(problem, before + line)
    assert found.ok, found.message
    assert "solution" in found.used


REFUSED = [
    ("svm-dual", "", "unique(alpha)", "free here: the gradient is taken by"),
    ("ridge-dual", CHOSEN, "unique(a)", "if 0 is chosen for `Phi`"),
    ("ridge-dual", DUAL, "not unique(w)", "every solution gives the same value"),
    ("svm-dual", "", "unique(b)", "every value is a solution"),
]


@pytest.mark.parametrize(("problem", "before", "line", "words"), REFUSED)
def test_a_false_claim_is_refused_with_the_reason(problem, before, line, words):
    found = judged(problem, before + line)
    assert not found.ok
    assert "is not true" in found.message
    assert words in found.message


def along(kind):
    """Return a problem in which K maps some u to 0; `kind` says more about ‖u‖²."""
    symbols = f"""K : N x N, psd
    t : N
    a : N
    u : N
    r : {kind} = u.T@u
    lam : positive
    J : number = norm2(t - K@a) + lam*a.T@K@a"""
    goal = Route((Milestone("goal", "K@(K@a - t + lam*a) = 0", unknown="a"),))
    return Problem("along", symbols, (goal,), object="J", variables=("a",),
                   unknowns=("a",), givens=("K@u = 0",))  # fmt: skip


GRAM = Problem(
    "gram", """Phi : N x M
    K : N x N, psd = Phi@Phi.T
    t : N
    a : N
    y : N = K@a
    J : number = norm2(t - K@a)""",
    (Route((Milestone("goal", "K@(K@a - t) = 0", unknown="a"),)),),
    object="J", variables=("a",), unknowns=("a",),
)  # fmt: skip
NORMAL = "grad(J,a) = 2*K@(K@a - t)\nK@(K@a - t) = 0 | set to zero\n"


@pytest.mark.parametrize("claim", ["unique(y)", "unique(K@K@a)", "unique(norm2(y))"])
def test_two_solutions_are_compared_where_there_is_no_formula(claim):
    assert judged(GRAM, NORMAL + claim).ok
    assert not judged(GRAM, claim).ok


def test_a_case_may_not_hold_at_another_solution():
    assert not judged(GRAM, NORMAL + "case a.T@a = 0\na = 0\nunique(a)").ok


def test_a_solution_is_moved_by_a_direction_that_is_given():
    found = judged(along("positive"), "norm2(u) > 0\nnot unique(a)")
    assert found.ok
    assert "moved" in found.used


def test_what_holds_in_instances_alone_is_not_proved():
    """If u may be 0, it moves nothing; and nothing here may be set to 0."""
    found = judged(along("nonneg"), "not unique(a)")
    assert not found.ok
    assert "found no proof" in found.message


def test_an_equation_that_determines_it_is_asked_for():
    before = judged(along("positive"), "unique(K@a)")
    assert "first write the equation that determines `K@a`" in before.message
