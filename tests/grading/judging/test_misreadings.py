"""What is said of a line that cannot be read: true, and what it offers is accepted."""

import re

import pytest

from kernellab.grading import check_derivation

OFFERED = {
    r"J = \|t - \Phi w\|^2 + \lamda \|w\|^2": r"did you mean \lambda?",
    "J = norm2(t - Pi@w) + lam*norm2(w)": "did you mean Phi?",
    "J = norm2(t - Phi@w) + lam*w.T@wu": "did you mean w?",
    "w = transposed(Phi)@a": "did you mean transpose?",
    "w = Phi^t@a": "did you mean w = Phi.T@a?",
    r"w = \Phi^t a": r"did you mean w = \Phi.T a?",
    "J => 0": "did you mean J >= 0?",
    "J = norm2(t - Phi@w) + lam*wTw": "did you mean J = norm2(t - Phi@w) + lam*w.T@w?",
    "K = Phi@Phi.T definition of K": (
        "words stand behind a bar: K = Phi@Phi.T | definition of K"
    ),
    "Gram matrix K = Phi@Phi.T": (
        "words stand behind a bar: K = Phi@Phi.T | Gram matrix"
    ),
    "K = Phi@Phi.T => w = Phi.T@a": (
        "one relation a line: write K = Phi@Phi.T and, below it, w = Phi.T@a"
    ),
    "K = Phi@Phi.T, w = Phi.T@a": (
        "one relation a line: write K = Phi@Phi.T and, below it, w = Phi.T@a"
    ),
    "J = norm2(t - Phi@w) + lam*w**2": "norm2(w) was meant?",
    "inv(K + lam)@(K + lam*I) = I": "K is N×N, lam is a number: lam*I was meant?",
    "w = Phi@a": "their product has no meaning; Phi.T@a was meant?",
    "J = (t - Phi.T@w).T@(t - Phi@w) + lam*w.T@w": "Phi@w was meant?",
    "a = t/(K + lam*I)": "one divides by numbers only; inv(K + lam*I)@t was meant?",
    "w = (Phi.T*a)": "Phi.T@a was meant?",
}  # fmt: skip


@pytest.mark.parametrize(("line", "words"), OFFERED.items())
def test_what_was_probably_meant_is_offered(line, words):
    (judged,) = check_derivation("ridge-dual", line, seed=1).lines
    assert not judged.ok
    assert words in judged.message.replace("`", "")


UNREADABLE = {
    "a = inv(K + lam*I@t": "the bracket in “(K + lam*I@t” is never closed",
    "a = inv(K + lam*I))@t": "the bracket in “…inv(K + lam*I))” closes nothing",
    "a = (K + λI]t": "is closed by one of another kind",
    r"a = \cdot t": "“·”",
    "a ≈ t": "a line is an equation, or a bound",
    "a = K@": "ends where an expression is needed",
    "J = norm2(t": "never closed",
}


@pytest.mark.parametrize(("line", "words"), UNREADABLE.items())
def test_the_place_is_named(line, words):
    (judged,) = check_derivation("ridge-dual", line, seed=1).lines
    assert words in judged.message


NOT_OFFERED = {
    "J = Phi@t": "was meant",  # Phi.T@t is no number
    "K >= 0": "was meant",
    "exp(K) = 1": "was meant",
    "a = (K + lam)@w": "was meant",  # the rest does not fit either
    "J = (t - Phi@w).T@(t - Phi@w) + lmbda": "did you mean",  # lam alone is not true
    "a = t/K": "inv(K)",  # K may be singular
}


@pytest.mark.parametrize(("line", "words"), NOT_OFFERED.items())
def test_what_would_be_refused_is_not_offered(line, words):
    (judged,) = check_derivation("ridge-dual", line, seed=1).lines
    assert not judged.ok
    assert judged.message
    assert words not in judged.message


@pytest.mark.parametrize("line", OFFERED)
def test_what_is_offered_can_be_read(line):
    """The new line, or the new name in the old one, is no longer misread."""
    (judged,) = check_derivation("ridge-dual", line, seed=1).lines
    lines = re.findall(r"`([^`]*=[^`]*)`", judged.message)
    for new in lines:
        (again,) = check_derivation("ridge-dual", new, seed=1).lines
        assert again.about not in ("read", "shape")


COMPONENTS = [
    "x_0*z_0 = x.T@z - x_1*z_1\nx_1*z_1 = x[1]*z[1]",
    "x_1*z_1 = x[0]*z[0]\nx_2*z_2 = x[1]*z[1]",
    "x_2*z_2 = x.T@z - x_1*z_1\nx_1*z_1 = x[0]*z[0]",
    "x₁z₁ = xᵀz − x₂z₂\nx₂z₂ = x[1]z[1]",
    "let f_0 = c\nx_1*z_1 = x[0]*z[0]",
]


@pytest.mark.parametrize("text", COMPONENTS)
def test_a_component_means_the_same_in_all_lines(text):
    report = check_derivation("polynomial-features", text, seed=1)
    assert [line.message for line in report.lines] == ["", ""]


def test_a_name_that_was_a_component_stays_one():
    text = "x_1*z_1 = x.T@z - x_2*z_2\nlet x_1 = c"
    report = check_derivation("polynomial-features", text, seed=1)
    assert "in use already" in report.lines[1].message
