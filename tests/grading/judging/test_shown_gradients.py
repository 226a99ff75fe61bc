"""A gradient may be shown in the line that sets it to zero, term by term."""

import pytest

from kernellab.grading import check_derivation, verify

WRITTEN = "J = (t - K@a).T@(t - K@a) + lam*a.T@K@a"
END = """
(K + lam*I)@a = t | sufficient
a = inv(K + lam*I)@t | inverse
"""
STATIONARITY = "the gradient by a"

SHOWN = {
    "as it is": "-2*K@(t - K@a) + 2*lam*K@a = 0 | set to zero",
    "half of it": "K@(K@a - t) + lam*K@a = 0 | the gradient vanishes",
    "on two sides": "2*K@(t - K@a) = 2*lam*K@a | stationary in a",
    "in another order": "0 = lam*K@a - K@(t - K@a) | first-order condition",
    "a number before the sum": "2*(K@(K@a - t) + lam*K@a) = 0 | set to zero",
}
HIDDEN = {
    "factored": "K@((K + lam*I)@a - t) = 0 | gradient; set to zero",
    "other terms": "K@(K + lam*I)@a = K@t | gradient; set to zero",
    "times a symbol": "lam*(K@((K + lam*I)@a - t)) = 0 | set to zero",
    "with terms that cancel": "K@((K + lam*I)@a - t) + a - a = 0 | set to zero",
}


def check(line, written=WRITTEN):
    return check_derivation(
        "ridge-dual", f"{written}\n{line}\n{END}", explanations=False, seed=2
    )


@pytest.mark.parametrize("way", SHOWN)
def test_a_gradient_that_is_shown_counts_as_written(way):
    report = check(SHOWN[way])
    assert report.accepted, str(report)
    assert verify(report.certificate())


@pytest.mark.parametrize("way", HIDDEN)
def test_where_it_vanishes_does_not_show_the_gradient(way):
    report = check(HIDDEN[way])
    assert not report.accepted, str(report)
    assert STATIONARITY in report.missing


def test_a_number_before_the_object_makes_no_term_of_it():
    written = "J = 2*(1/2*((t - K@a).T@(t - K@a) + lam*a.T@K@a))"
    assert check(SHOWN["half of it"], written).accepted
    assert STATIONARITY in check(HIDDEN["factored"], written).missing


def test_the_object_must_be_written_by_a_line_that_stands():
    report = check(SHOWN["as it is"], written="J = norm2(t - K@a) + lam*a.T@a")
    assert not report.accepted
    missing = check(SHOWN["as it is"], written="K = Phi@Phi.T").missing
    assert STATIONARITY in missing


def test_each_term_has_the_same_factor():
    report = check("-K@(t - K@a) + 2*lam*K@a = 0 | set to zero")
    assert report.first_bad == 2


def test_that_it_vanishes_must_be_said():
    report = check("-2*K@(t - K@a) + 2*lam*K@a = 0")
    assert not report.accepted


def test_a_wrong_gradient_is_not_mended_by_a_right_line_after_it():
    wrong = "grad(J,a) = -2*(t - K@a) + 2*lam*K@a | gradient"
    report = check(f"{wrong}\n{SHOWN['as it is']}")
    assert report.first_bad == 2
    assert STATIONARITY in report.missing
