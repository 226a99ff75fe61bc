"""The judge: what passes, what does not, and what is said about it."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.problem import Milestone, Problem, Route

START = """
J = (t - K@a).T@(t - K@a) + lam*a.T@K@a       | substitute w; def K
grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a         | gradient
K@((K + lam*I)@a - t) = 0                     | set to zero; factor
"""


def last(text, problem="ridge-dual"):
    return check_derivation(problem, text, seed=1).lines[-1]


def test_a_problem_goes_by_the_name_of_its_question_too():
    report = check_derivation("interpolation", "f = Phi@w", seed=1)
    assert report.problem.id == "least-norm"
    with pytest.raises(KeyError, match=r"did you mean interpolation\?"):
        check_derivation("interpolatoin", "f = Phi@w")


def test_the_specification_s_example_is_accepted():
    report = check_derivation(
        "ridge-dual",
        "J = (t - Phi@w).T@(t - Phi@w) + lam*w.T@w | matrix form"
        + START
        + "(K + lam*I)@a = t | sufficient\na = inv(K + lam*I)@t | inverse K + lam*I",
    )
    assert report.accepted
    assert report.first_bad is None
    assert report.missing == ()
    assert report.score == 1.0
    assert [line.status for line in report.lines] == ["ok"] * 6


RIGHT_NEXT = [
    "(K + lam*I)@a = t | sufficient",
    "(K + lam*I)@a = t | assume K invertible; cancel K",
    "K@K@a + lam*K@a = K@t | expand",
    "K@a = inv(K + lam*I)@K@t | inverse K + lam*I",
    "not unique(a) | claim",
    "unique(y) | claim",
    "unique(w)",
    "2*K@(K + lam*I)@a = 2*K@t | multiply by 2",
    "lam*K@(K + lam*I)@a = lam*K@t",
    "K@K@((K + lam*I)@a - t) = 0 | multiply by K",
    "t.T@K@((K + lam*I)@a - t) = 0 | multiply by t.T",
    "invertible(K + lam*I)",
    "J >= 0",
    "K@K@a + lam*K@a = K@t | xyzzy",
    "anything at all, in words | remark",
]


@pytest.mark.parametrize("line", RIGHT_NEXT)
def test_what_may_come_next(line):
    assert last(START + line).ok


WRONG_NEXT = {
    "(K + lam*I)@a = t | cancel K": "",
    "(K + lam*I)@a = t | algebra": "",
    "(K + lam*I)@a = t": "",
    "(K - lam*I)@a = t | sufficient": "not true",
    "a = inv(K + lam*I)@t | inverse K + lam*I": "",
    "unique(a) | claim": "not true",
    "invertible(K) | claim": "not true",
    "a = inv(K)@t | inverse K": "may be singular",
    "K@a = t | cancel K + lam*I": "not true",
    "K@a = t | assume K invertible": "not true",
    "(K + lam*I)@a = t | assume a = 0": "",
    "(K + lam*I)@a = t | assume Phi invertible": "",
    "assume Phi is invertible": "cannot be assumed",
    "a = inv(K + lam*I)@t | let a": "name it before that",
    "let K = 2*I(N)": "has a meaning already",
    "K = 2*K | let K": "not true",
    "a/(lam - lam) = 0": "may be 0",
    "K@a = t | xyzzy": "not true",
    "J >= t.T@t": "not true",
}


@pytest.mark.parametrize(("line", "words"), WRONG_NEXT.items())
def test_what_may_not(line, words):
    judged = last(START + line)
    assert not judged.ok
    said = " ".join((judged.message, judged.counterexample, judged.suggestion))
    assert words in said


@pytest.mark.parametrize("cited", [4, 9])
def test_a_citation_of_no_line_costs_nothing_and_is_noted(cited):
    judged = last(START + f"K@K@a + lam*K@a = K@t | use {cited}")
    assert judged.ok
    assert f"no line {cited}" in judged.message


def test_an_evaluation_without_a_value_is_no_acceptance():
    problem = Problem(
        id="root", symbols="x : number", sizes=(), regimes=({}, {}),
        routes=(Route((Milestone("end", "x = 1"),)),),
    )  # fmt: skip
    assert not last("sqrt(-1) = sqrt(-1)", problem).ok
    assert not last("sqrt(x**2) = x", problem).ok
    assert last("sqrt(x**2)**2 = x**2", problem).ok


def test_no_underflow_is_taken_for_equality():
    assert not last("k = k + exp(-400*norm2(x)/s**2) | algebra", "gaussian-factors").ok


def test_a_literal_cannot_be_chosen_to_vanish_modulo_the_prime():
    for seed in range(20):
        text = "J = J + 999999937*t.T@t | algebra"
        assert not check_derivation("ridge-dual", text, seed=seed).lines[0].ok


def test_only_the_gradient_of_the_object_may_be_set_to_zero():
    text = "grad(a.T@a - 2*a.T@t, a) = 2*a - 2*t | gradient\na = t | set to zero"
    report = check_derivation("ridge-dual", text)
    assert [line.ok for line in report.lines] == [True, False]


def test_an_opaque_w_is_not_constant_in_a():
    text = "J = norm2(t - Phi@w) + lam*w.T@w\ngrad(J + a.T@a, a) = 2*a | gradient"
    assert not last(text).ok


def test_small_matrices_do_not_mislead():
    """Hall's identity holds for 2×2 matrices only, skew 3×3 matrices are singular."""
    problem = Problem(
        id="square", symbols="A : N x N\nB : N x N\nC : N x N",
        sizes=("N",), regimes=({"N": 3}, {"N": 4}),
        routes=(Route((Milestone("end", "A = A"),)),),
    )  # fmt: skip
    hall = "(A@B - B@A)**2@C = C@(A@B - B@A)**2"
    assert not last(hall, problem).ok
    assert not last("det(A - A.T) = 0", problem).ok
    assert last("trace(A@B) = trace(B@A)", problem).ok


def test_carried_lines_earn_half():
    slip = START.replace("2*lam*K@a         | gradient", "lam*K@a | gradient").replace(
        "K@((K + lam*I)@a - t) = 0", "K@(2*K@a + lam*a - 2*t) = 0"
    )
    report = check_derivation("ridge-dual", slip)
    assert report.first_bad == 2
    assert report.lines[2].status == "carried"
    assert 0 < report.score < 1


def test_one_slip_that_is_followed_to_the_end_earns_half():
    slip = """J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a | substitute w; def K
        grad(J,a) = -K@t + 2*K@K@a + 2*lam*K@a | gradient
        K@(2*(K + lam*I)@a - t) = 0 | set to zero; factor
        2*(K + lam*I)@a = t | sufficient
        a = 1/2*inv(K + lam*I)@t | inverse K + lam*I"""
    report = check_derivation("ridge-dual", slip, explanations=False)
    assert [line.status for line in report.lines] == ["wrong", *["carried"] * 4]
    assert report.score == 0.5


def test_what_does_not_suffice_for_a_wrong_gradient_is_not_carried():
    slip = """J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a | substitute w; def K
        grad(J,a) = -K@t + 2*K@K@a + 2*lam*K@a | gradient
        K@(2*(K + lam*I)@a - t) = 0 | set to zero; factor
        5*(K + lam*I)@a = t | sufficient"""
    report = check_derivation("ridge-dual", slip, explanations=False)
    assert report.lines[3].status == "wrong"


NONSENSE = [
    "J = a.T@a\ngrad(J,a) = 2*a | gradient\n2*a = 0 | set to zero\na = 0",
    "J = a.T@a\ngrad(J,a) = 2*a | gradient\n2*a = 0 | set to zero\n"
    "a = inv(K + 2*lam*I)@a",
]


@pytest.mark.parametrize("text", NONSENSE)
def test_what_follows_from_nonsense_earns_nothing(text):
    report = check_derivation("ridge-dual", text, explanations=False)
    assert [line.status for line in report.lines] == ["wrong", *["carried"] * 3]
    assert report.score <= 0.1


NO_WAY = [
    "(K + lam*I)@a = t | algebra\na = inv(K + lam*I)@t | inverse K + lam*I",
    "t = t\nK = K\nlam = lam\n(K + 2*lam*I)@a = t | algebra\n"
    "a = inv(K + 2*lam*I)@t | inverse K + 2*lam*I",
]


@pytest.mark.parametrize("text", NO_WAY)
def test_an_end_without_a_way_to_it_earns_nothing(text):
    assert check_derivation("ridge-dual", text, explanations=False).score == 0


@pytest.mark.parametrize(
    "reason", ["algebra", "given", "claim", "let a", "def a", "use 1", "sufficient", ""]
)
def test_asserting_the_goal_earns_nothing(reason):
    text = f"a = inv(K + lam*I)@t | {reason}\na = inv(K + lam*I)@t | use 1"
    report = check_derivation("ridge-dual", text)
    assert not report.accepted
    assert report.score == 0


def test_homogeneous_givens_do_not_make_everything_zero():
    problem = Problem(
        id="pca", givens=("G@v = mu*v",), unknowns=("v",),
        symbols="C : N x M\nG : N x N, psd = C@C.T\nv : N\nmu : positive",
        routes=(Route((Milestone("end", "v = 0"),)),),
    )  # fmt: skip
    assert not last("v = 0 | given", problem).ok


def test_a_false_line_is_not_true_because_a_could_be_zero():
    identity = "K@a = Phi@w | def K; substitute w\n"
    for false in ("a.T@t = 3*w.T@w", "a.T@a = w.T@w", "t.T@K@a = w.T@w"):
        assert not last(identity + f"{false} | def K; substitute w").ok


def test_verdicts_do_not_depend_on_the_seed():
    for seed in range(12):
        good = check_derivation("ridge-dual", START, seed=seed, explanations=False)
        assert all(line.ok for line in good.lines)
        bad = START.replace("2*lam*K@a ", "lam*K@a ")
        judged = check_derivation("ridge-dual", bad, seed=seed, explanations=False)
        assert judged.first_bad == 2


SHORTCUTS = {
    "closure": [
        "q >= 0 | psd",
        "q = v.T@S@v >= 0 | psd",
        "let B = S\nq = v.T@B@v | def B\nq >= 0 | psd",
    ],
    "product-kernel": [
        "q >= 0 | psd",
        "q = v.T@had(E,F)@v | def K\nq >= 0 | psd",
        "let B = had(E,F)\nq = v.T@B@v | def K; def B\nq >= 0 | psd",
    ],
}


@pytest.mark.parametrize(
    ("problem", "text"),
    [(p, t) for p, texts in SHORTCUTS.items() for t in texts],
)
def test_what_is_to_be_shown_is_not_a_rule(problem, text):
    assert not check_derivation(problem, text, explanations=False).accepted


@pytest.mark.parametrize("above", ["", "w.T@z = -s\n", "z.T@z <= R2\n"])
def test_a_sign_that_is_given_is_seen_whatever_stands_above(above):
    report = check_derivation("one-mistake", f"{above}w.T@z <= 0", seed=1)
    assert report.lines[-1].ok
    assert not check_derivation("one-mistake", f"{above}w.T@z < 0").lines[-1].ok


def test_an_index_runs_where_it_ran_before():
    text = "J = (1/N) ∑_i ξᵢ + (λ/2) wᵀw\nJ0 = (1/N) ∑_i 1"
    assert check_derivation("price-of-slack", text, seed=1).lines[-1].ok
    alone = check_derivation("price-of-slack", "J0 = (1/N) ∑_i 1", seed=1).lines[-1]
    assert "where does the index i run?" in alone.message
