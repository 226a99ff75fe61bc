"""A milestone that is not reached says why, and what would reach it."""

import re

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.judging.document import Document
from kernellab.grading.judging.rendering import as_html, as_markdown, as_text

WRITTEN = "J = norm2(t - K@a) + lam*a.T@K@a"
IN_PHI = "J = norm2(t - Phi@w) + lam*norm2(w)"
GRADIENT = "grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a"
GOAL = "a = inv(K + lam*I)@t"
SLIP = WRITTEN.replace("t - K", "t + K")
SAID = {
    "a line fails": (
        "ridge-dual",
        f"{WRITTEN}\n{GRADIENT}\nK@a = t\n{GOAL}",
        "Line 4 has it, but does not pass.",
    ),
    "it rests on one": (
        "ridge-dual",
        f"{SLIP}\ngrad(J,w) = 1\nK@(K@a - t) + lam*K@a = 0 | set to zero",
        "Line 3 has it, but rests on a line that does not pass.",
    ),
    "a companion is missing": (
        "ridge-dual",
        f"{WRITTEN}\n(K + lam*I)@a = t | sufficient\n{GOAL}",
        "Line 3 says it, and counts once “the gradient by a” is reached, too.",
    ),
    "another symbol": (
        "ridge-dual",
        "J = norm2(t - K@a) + lam*w.T@w",
        "Line 1 has it, but with w, where only K, Phi, a, lam and t may stand.",
    ),
    "another form": (
        "sum-of-kernels",
        "q = v.T@(c*A@A.T + b*B@B.T)@v",
        "Line 1 has it, but in another form: it should be a sum of squares.",
    ),
    "a function is missing": (
        "centred-gram", "H@H = H", "has it, but without ones, which is asked for"
    ),
    "too large a step": (
        "ridge-expand",
        f"{IN_PHI}\n{WRITTEN}",
        "Line 2 says it, in too large a step: it uses the definitions of K and w; one "
        "fact may be used here beside the line before: first write J = ",
    ),
    "what is before it": (
        "horner-step",
        "q = c*(v.T@ones(N))**2 + v.T@had(E,K)@v\nq >= 0",
        "beside the line before: first show “q as a sum of squares”",
    ),
    "the gradient is not computed": (
        "least-squares-conjugate",
        "u = y + N*v | set to zero\nh = v.T@y + N/2*norm2(v)",
        "first write what grad(h, u) is",
    ),
    "only in a case": (
        "ridge-dual", f"case lam > 1\n{WRITTEN}", "Line 2 has it, but only in a case"
    ),
    "only supposed": (
        "one-more-variable",
        "c = d*(d + 1)/2 | induction hypothesis",
        "Line 1 has it, but it rests on the hypothesis, which is not concluded yet",
    ),
    "a name defined anew": (
        "ridge-dual",
        "let a = (t - Phi@w)/lam\nlam*a = t - Phi@w",
        "(w = Phi.T@a, given before, now has to be derived)",
    ),
    "nothing yet": (
        "ridge-dual",
        "K = K.T",
        "It asks for what J is, in terms of K, Phi, a, lam and t alone.",
    ),
    "a size is needed": (
        "least-squares-conjugate",
        "grad(h,u) = v + (y - u)/N",
        "It asks for what u is, in terms of v, y and N alone.",
    ),
    "a loss is needed": (
        "representer", "K = K.T", "in terms of K, Phi, a, lam, u and loss alone"
    ),
    "the nearest line": (
        "gap-as-a-square",
        "p - d = e + lam/2*(norm2(w) - 2*alpha.T@Phi@w + alpha.T@K@alpha)\n"
        "p - d = e + lam/2*(norm2(w) - 2*alpha.T@Phi@w + alpha.T@Phi@Phi.T@alpha)",
        "Line 2 has it, but in another form",
    ),
    "the solution says no gradient": (
        "ridge-map",
        "0 = w/tau - Phi.T@(t - Phi@w)/sigma\nw = inv(Phi.T@Phi + lam*I)@Phi.T@t",
        "the gradient by w (not reached yet) It asks for what grad(L, w) is",
    ),
}  # fmt: skip


def plain(report):
    return " ".join(as_text(Document(report)).split())


@pytest.mark.parametrize("why", SAID)
def test_the_remark_says_why(why):
    problem, text, words = SAID[why]
    report = check_derivation(problem, text, seed=1)
    assert not report.accepted
    assert words in plain(report), str(report)


OFFERED = {
    "ridge-expand": f"{IN_PHI}\n{WRITTEN}",
    "ridge-predictor": "y = w.T@phis\ny = k.T@a",
    "horner-step": "q = c*(ones(N).T@v)**2 + v.T@had(E,K)@v\n"
    "q = c*(ones(N).T@v)**2 + norm2(A.T@diag(v)@B)",
    "weighted-kernel": "r = norm2(Phi.T@diag(g)@v)",
    "ridge-dual": "grad(J,w) = 2*lam*w - 2*Phi.T@(t - Phi@w) = 0\n"
    "w = Phi.T@inv(K + lam*I)@t",
}


@pytest.mark.parametrize("problem", OFFERED)
def test_the_line_that_is_offered_reaches_the_milestone(problem):
    *above, last = OFFERED[problem].splitlines()
    report = check_derivation(problem, OFFERED[problem], seed=1)
    (name,) = report.progress.hurried
    first = re.search(r"first write `(.*?)`", report.remarks[name])
    assert first is not None, str(report)
    text = "\n".join([*above, first[1], last])
    after = check_derivation(problem, text, seed=1)
    assert all(line.ok for line in after.lines)
    assert name not in after.progress.hurried


def test_lines_that_fail_may_be_left_out():
    whole = f"{WRITTEN}\n{GRADIENT} = 0\n(K + lam*I)@a = t | sufficient\n{GOAL}"
    assert check_derivation("ridge-dual", whole, seed=1).accepted
    report = check_derivation("ridge-dual", f"{whole}\nK@a = t", seed=1)
    assert "all milestones are reached without it, which may be" in plain(report)
    report = check_derivation("ridge-dual", f"{WRITTEN}\nK@a = t", seed=1)
    assert "without it" not in plain(report)


def test_what_half_is_paid_for_is_said():
    goes_on = f"grad(J,a) = 2*K@(K@a + t) + 2*lam*K@a\n{GOAL} | sufficient"
    for text, words in {
        f"{SLIP}\nK@a = t\n{goes_on}": "since more than one line did not pass",
        f"{SLIP}\nJ = norm2(K@a + t) + lam*a.T@K@a": "beside a milestone with a ✓",
    }.items():
        report = check_derivation("ridge-dual", text, seed=1)
        assert report.lines[-1].status == "carried" or goes_on in text
        assert words in plain(report), str(report)


def test_formulas_are_typeset_and_names_are_not():
    report = check_derivation("sum-of-kernels", "q = v.T@S@v", seed=1)
    shown = Document(report)
    assert "“q as a sum of squares” and `q >= 0` are missing" in as_markdown(shown)
    assert "“q as a sum of squares” and <math" in as_html(shown)
    assert "`" not in as_html(shown).split("</style>")[1]


def test_an_exam_names_no_milestone():
    report = check_derivation("sum-of-kernels", "q = v.T@S@v", explanations=False)
    assert "sum of squares" not in as_text(Document(report, exam=True))
