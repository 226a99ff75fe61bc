"""Names of the student's own: what they may stand for, and what they then owe."""

import pytest

from kernellab.grading import check_derivation

RESIDUAL = "let a = (t - Phi@w)/lam"
STATIONARY = "lam*w = Phi.T@(t - Phi@w) | set to zero"
SAID = {
    "let C = K + lam*I\nlet C = K": "`C` is named in line 1: take another name",
    "let C = t[n] - w.T@phi[n]": "bound by no sum: write `C[n]` = … to define",
    "K@a = K@a\nlet a = (t - Phi@w)/lam": "`a` occurs in line 1, as the problem means",
    "let a = lam": "`a` is N×1, and this is a number",
    "let a = inv(K + 2*lam*I)@t": "it may stand for something that holds",
}


def check(text):
    return check_derivation("ridge-dual", text, seed=1)


@pytest.mark.parametrize("text", SAID)
def test_what_is_wrong_with_a_name_is_said(text):
    *_, line = check(text).lines
    assert not line.ok
    assert SAID[text] in line.message


def test_the_index_that_is_offered_defines_a_column():
    assert check("let C[n] = t[n] - w.T@phi[n]").lines[0].ok


@pytest.mark.parametrize("above", [(RESIDUAL, STATIONARY), (STATIONARY, RESIDUAL)])
def test_a_name_may_come_before_the_gradient_is_set_to_zero(above):
    rest = "lam*w = lam*Phi.T@a\nw = Phi.T@a\nlam*a = t - K@a\n(K + lam*I)@a = t"
    report = check("\n".join([*above, rest, "a = inv(K + lam*I)@t"]))
    assert report.accepted, str(report)


def test_a_name_says_what_it_owes():
    report = check(f"{RESIDUAL}\nlam*a = t - Phi@w")
    assert report.lines[0].used == "`w = Phi.T@a`, given before, now has to be derived"
    assert report.lines[1].used == "algebra"
