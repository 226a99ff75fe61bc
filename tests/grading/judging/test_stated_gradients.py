"""A line ∇J = E says what the gradient is, everywhere: it must be so everywhere."""

import pytest

from kernellab.grading import check_derivation, verify

WRITTEN = "J = norm2(t - K@a) + lam*a.T@K@a"
END = """
(K + lam*I)@a = t | sufficient
a = inv(K + lam*I)@t | inverse
"""

RIGHT = {
    "as it is": "grad(J,a) = 2*K@(K@a + lam*a - t) = 0",
    "zero first": "0 = grad(J,a) = 2*K@(K@a + lam*a - t)",
    "zero first, and said": "0 = grad(J,a) = 2*K@(K@a + lam*a - t) | set to zero",
    "the gradient last": "0 = 2*K@(K@a + lam*a - t) = grad(J,a)",
    "the gradient between": "2*K@(K@a + lam*a - t) = grad(J,a) = 0",
    "both vanish": "2*K@(K@a + lam*a - t) = 0 = grad(J,a)",
    "half of it": "1/2*grad(J,a) = K@(K@a + lam*a - t) = 0",
}
LOST = "2 times this: a factor 2 was lost"
WRONG = {
    "half": ("grad(J,a) = -K@(t - K@a) + lam*K@a", LOST),
    "half, and said": ("grad(J,a) = -K@(t - K@a) + lam*K@a | set to zero", LOST),
    "half, and zero": ("grad(J,a) = -K@(t - K@a) + lam*K@a = 0", LOST),
    "half, zero first": ("0 = grad(J,a) = K@(K@a + lam*a - t)", LOST),
    "half, the gradient last": ("0 = K@(K@a + lam*a - t) = grad(J,a)", LOST),
    "five": ("grad(J,a) = 5*K@(K@a + lam*a - t) = 0", "2/5 times this"),
    "twice": ("grad(J,a) = 4*K@(K@a + lam*a - t) = 0", "a factor 2 is too many"),
    "minus": ("grad(J,a) = 2*K@(t - K@a - lam*a) = 0", "the sign is wrong"),
    "times λ": ("grad(J,a) = lam*K@(K@a + lam*a - t) = 0", "not true"),
    "a later side": ("grad(J,a) = 2*K@(K@a - t) + 2*lam*K@a = K@a - K@t = 0", "true"),
}


def check(lines, seed=3):
    text = f"{WRITTEN}\n{lines}\n{END}"
    return check_derivation("ridge-dual", text, explanations=False, seed=seed)


@pytest.mark.parametrize("way", RIGHT)
def test_the_order_of_a_chain_does_not_matter(way):
    report = check(RIGHT[way])
    assert report.accepted, str(report)
    assert verify(report.certificate())
    assert "cancelled" not in report.lines[1].used


@pytest.mark.parametrize("way", WRONG)
def test_a_multiple_of_the_gradient_is_not_the_gradient(way):
    line, words = WRONG[way]
    report = check(line)
    assert report.first_bad == 2, str(report)
    assert words in report.lines[1].message
    assert "say so" not in report.lines[1].message
    assert report.score <= 0.5


def test_a_gradient_is_not_stated_after_it_vanished():
    for line in ("grad(J,a) = 5*K@(K@a + lam*a - t)", "grad(J,a) = K@a - K@a"):
        report = check(f"{RIGHT['as it is']}\n{line}")
        assert report.first_bad == 3, str(report)


def test_a_chain_goes_on_with_the_gradient():
    report = check(
        "grad(J,a) = 2*K@(K@a + lam*a - t)\n= 5*K@(K@a + lam*a - t) | set to zero"
    )
    assert report.first_bad == 3, str(report)


def test_what_follows_a_wrong_gradient_is_carried():
    said = "grad(J,a) = -K@(t - K@a) + lam*K@a | set to zero"
    report = check(f"{said}\nK@((K + lam*I)@a - t) = 0")
    statuses = [line.status for line in report.lines]
    assert statuses == ["ok", "wrong", "carried", "ok", "ok"]


def test_a_repair_is_the_gradient_everywhere():
    line = "grad(J,a) = -K@(t - K@a) + lam*K@a | set to zero"
    report = check_derivation("ridge-dual", f"{WRITTEN}\n{line}", seed=3)
    assert "the factor" not in report.lines[1].suggestion
    assert report.lines[1].counterexample
