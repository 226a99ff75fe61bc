"""Explanations: the counterexample is one, the repair mends the line."""

import re

import pytest

from kernellab.grading import Milestone, Problem, Route, check_derivation

FIRST = "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a | substitute w; def K\n"
SLIPS = {
    "grad(J,a) = 2*K@(K@a - t) + lam*K@a | gradient": (
        "`lam*K@a` were `2*lam*K@a`",
        "a factor 2 was lost",
    ),
    "grad(J,a) = 2*K@(t - K@a) + 2*lam*K@a | gradient": (
        "`2*K@(t - K@a)` were `-2*K@(t - K@a)`",
        "a sign is wrong",
    ),
    "J = t.T@t - a.T@K@t + a.T@K@K@a + lam*a.T@K@a | expand": (
        "`-a.T@K@t` were `-2*a.T@K@t`",
        "a factor 2 was lost",
    ),
    "J = t.T@t - 2*a.T@K@t + a.T@K@a + lam*a.T@K@a | expand": (
        "",
        "the factor `K` was lost",
    ),
}


@pytest.mark.parametrize(("line", "repair"), SLIPS.items())
def test_the_nearest_repair_is_named(line, repair):
    judged = check_derivation("ridge-dual", FIRST + line, seed=1).lines[1]
    assert judged.status == "wrong"
    for words in repair:
        assert words in judged.suggestion


@pytest.mark.parametrize("line", SLIPS)
def test_the_counterexample_can_be_checked_by_hand(line):
    """For N = M = 1 the two sides are evaluated again, by ordinary arithmetic."""
    judged = check_derivation("ridge-dual", FIRST + line, seed=1).lines[1]
    given = dict(re.findall(r"(\w+) = (-?\d+)", judged.counterexample))
    sides = re.search(r"left side is `(-?\d+)`, the right side is `(-?\d+)`",
                      judged.counterexample)  # fmt: skip
    assert sides is not None
    Phi, t, a, lam = (float(given[name]) for name in ("Phi", "t", "a", "lam"))
    K = Phi * Phi
    J = (t - K * a) ** 2 + lam * a * K * a
    left = J if line.startswith("J") else 2 * K * (K * a - t) + 2 * lam * K * a
    right = line.split("=")[1].split("|")[0].replace(".T", "").replace("@", "*")
    value = eval(right, {"K": K, "t": t, "a": a, "lam": lam})
    assert float(sides[1]) == left
    assert float(sides[2]) == value
    assert left != value


SAID = {
    ("push-through", "inv(A@A.T + I)@A = A@inv(A.T@A + I)"): (
        "I found no proof in one step",
        "first write `A = (A@A.T + I)@A@inv(A.T@A + I)`",
    ),
    ("ridge-dual", "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | set to zero"): (
        "a line may use two facts beside the line before, this one needs three: the "
        "gradient, the inverse of `Phi.T@Phi + lam*I` and that the",
        "first write `(Phi.T@Phi + lam*I)@w = Phi.T@t`, with “set to zero”",
    ),
    ("ridge-dual", "lam*w = Phi.T@(t - Phi@w)"): (
        "where the gradient of `J` by `w` vanishes: say so",
    ),
    ("ridge-dual", "(K + lam*I)@a = t"): ("if you mean that it is sufficient, say so",),
    ("ridge-dual", "a = t"): ("this is not true",),
}


THROUGH_W = """
grad(J,w) = -2*Phi.T@(t - Phi@w) + 2*lam*w                  | gradient
(Phi.T@Phi + lam*I)@w = Phi.T@t                             | set to zero
w = inv(Phi.T@Phi + lam*I)@Phi.T@t                          | inverse
Phi.T@inv(Phi@Phi.T + lam*I) = inv(Phi.T@Phi + lam*I)@Phi.T | push-through
w = Phi.T@inv(K + lam*I)@t                                  | substitute
a = inv(K + lam*I)@t                                        | sufficient
"""


def test_what_is_sufficient_in_more_than_one_step_is_not_called_untrue():
    line = check_derivation("ridge-dual", THROUGH_W, seed=1).lines[-1]
    assert "this is enough" in line.message
    assert "compute it first" in line.message
    assert not line.counterexample
    first = "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a | gradient\na = inv"
    computed = check_derivation(
        "ridge-dual", THROUGH_W.replace("a = inv", first), seed=1
    )
    assert computed.lines[-1].ok


@pytest.mark.parametrize(("where", "words"), SAID.items())
def test_what_is_missing_is_named(where, words):
    problem, line = where
    message = check_derivation(problem, line, seed=1).lines[0].message
    assert all(part in message for part in words)


OFFERED = {
    ("ridge-dual", "lam*w = Phi.T@(t - Phi@w)"): " | set to zero",
    ("ridge-dual", "(K + lam*I)@a = t"): " | sufficient",
}


@pytest.mark.parametrize(("where", "word"), OFFERED.items())
def test_the_word_that_is_offered_lets_the_line_pass(where, word):
    problem, line = where
    assert not check_derivation(problem, line, seed=1).lines[0].ok
    assert check_derivation(problem, line + word, seed=1).lines[0].ok


@pytest.mark.parametrize("where", [w for w in SAID if "first write" in SAID[w][-1]])
def test_the_line_that_is_offered_splits_the_step(where):
    problem, line = where
    message = check_derivation(problem, line, seed=1).lines[0].message
    between, words = re.search(
        r"first write `(.*?)`(?:, with “(.*?)”)?", message
    ).groups()
    judged = check_derivation(problem, f"{between} | {words}\n{line}", seed=1)
    assert [step.ok for step in judged.lines] == [True, True]


def test_lines_after_a_slip_may_rest_on_its_repair():
    text = "(Phi.T@Phi + 2*lam*I)@w = Phi.T@t | set to zero\n"
    text += "w = inv(Phi.T@Phi + lam*I)@Phi.T@t | set to zero"
    lines = check_derivation("ridge-dual", text, seed=1).lines
    assert [line.status for line in lines] == ["wrong", "carried"]
    assert "were `(Phi.T@Phi + lam*I)@w`" in lines[0].suggestion


def test_explanations_repeat():
    text = FIRST + next(iter(SLIPS))
    reports = {str(check_derivation("ridge-dual", text, seed=7)) for _ in range(3)}
    assert len(reports) == 1


def test_an_exam_explains_nothing():
    text = FIRST + next(iter(SLIPS))
    line = check_derivation("ridge-dual", text, explanations=False).lines[1]
    assert line.counterexample == line.suggestion == ""


GRADIENT = "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a\n"
USED = {
    "J = norm2(t - Phi@w) + lam*w.T@w": "by the definition of `J`",
    "J = norm2(t - K@a) + lam*a.T@K@a": "by the definitions of `J`, `K` and `w`",
    "K@a + K@a = 2*K@a": "algebra",
    GRADIENT + "K@(K@a - t) + lam*K@a = 0 | set to zero": (
        "from the line before, since the gradient by `a` vanishes"
    ),
    "(K + lam*I)@a = t | sufficient": "where it holds, the gradient vanishes",
    "(K + lam*I)@a = t | sufficient\na = inv(K + lam*I)@t": (
        "from the line before, by the inverse of `K + lam*I`"
    ),
    "t.T@K@t >= 0": "since squares are not negative",
}


@pytest.mark.parametrize(("text", "words"), USED.items())
def test_a_line_says_what_it_uses(text, words):
    line = check_derivation("ridge-dual", text, seed=1).lines[-1]
    assert (line.status, line.used) == ("ok", words)


GRAM = Problem(
    id="gram",
    symbols="""
        Phi : N x M
        K   : N x N, psd = Phi@Phi.T
        t   : N
        a   : N
        J   : number = norm2(t - K@a)
    """,
    object="J",
    variables=("a",),
    unknowns=("a",),
    assumable=("K",),
    routes=(Route((Milestone("normal equations", "K@K@a = K@t", unknown="a"),)),),
)


def test_what_would_have_to_be_assumed_is_named():
    text = "K@(K@a - t) = 0 | set the gradient to zero\nK@a = t"
    line = check_derivation(GRAM, text, seed=1).lines[1]
    assert "`K` may be singular; assume that it is invertible" in line.message
    assert line.counterexample
    assert not line.suggestion
    assert check_derivation(GRAM, f"{text} | assume K invertible", seed=1).lines[1].ok


def test_what_comes_after_the_end_is_skipped(monkeypatch):
    monkeypatch.setattr("kernellab.grading.judging.verdicts.TEXT", -1)
    lines = check_derivation("ridge-dual", FIRST * 3, seed=1).lines
    assert {line.status for line in lines} == {"skipped"}
    assert "too much work" in lines[0].message
