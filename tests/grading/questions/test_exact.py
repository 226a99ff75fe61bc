"""Exact numbers: signs and equality are decided, never estimated."""

import math
from fractions import Fraction

import numpy as np
import pytest

from kernellab.grading.questions import exact
from kernellab.grading.questions.exact import Real, is_psd, quadratic_form
from kernellab.grading.questions.intervals import Interval, NoValue


def test_nested_roots_cancel_exactly():
    root2, root3 = exact.sqrt(2), exact.sqrt(3)
    assert ((root2 + root3) ** 2 - 5 - 2 * exact.sqrt(6)).sign() == 0
    assert (1 / (root2 + root3) - (root3 - root2)).sign() == 0


def test_root_of_a_fraction_is_simplified():
    assert str(exact.sqrt(Fraction(8, 9))) == "2√2/3"
    assert exact.sqrt(Fraction(9, 4)).rational == Fraction(3, 2)


def test_sign_of_a_difference_below_double_precision():
    tiny = exact.sqrt(10**8 + 1) - 10**4 - Fraction(1, 2 * 10**4)
    assert tiny.sign() == -1  # −1/(8·10¹²): floats lose most of its digits
    assert (tiny + Fraction(1, 8 * 10**12)).sign() == 1


@pytest.mark.parametrize("seed", range(5))
def test_arithmetic_agrees_with_floats(seed):
    rng = np.random.default_rng(seed)
    a, b = (Fraction(int(n), 7) for n in rng.integers(1, 40, size=2))
    value = exact.exp(-Real(a)) * exact.sqrt(b) / (1 + exact.cos(Real(a))) ** 2
    wanted = math.exp(-a) * math.sqrt(b) / (1 + math.cos(a)) ** 2
    assert float(value) == pytest.approx(wanted, rel=1e-12)
    assert not value.exact


@pytest.mark.parametrize(
    ("name", "x"), [("exp", 3), ("log", 3), ("cos", 5), ("sin", 5), ("sqrt", 3)]
)
def test_intervals_are_narrow_and_enclose(name, x):
    value = getattr(exact, name)(Real(x))
    width = value.interval.high - value.interval.low
    assert 0 < width < Fraction(1, 10**60)
    assert float(value) == pytest.approx(getattr(math, name)(x), rel=1e-14)


def test_interval_product_of_mixed_signs():
    x = Interval.of(-2) + Interval.of(Fraction(1, 3))
    assert (x * x).sign() == 1
    assert (x * Interval.of(3)).sign() == -1


def test_what_has_no_value():
    for compute in (
        lambda: 1 / Real(0),
        lambda: exact.sqrt(-1),
        lambda: exact.log(0),
        lambda: exact.exp(10**9),
        lambda: Real(9) ** (9**9),
        lambda: 1 / (exact.exp(1) - exact.exp(1)),
    ):
        with pytest.raises(NoValue):
            compute()


def test_floats_are_refused():
    with pytest.raises(TypeError):
        Real(0.5)


def test_large_exact_numbers_become_intervals():
    value = Real(10**50 + 1) ** 60
    assert not value.exact
    assert value.sign() == 1


@pytest.mark.parametrize("seed", range(20))
def test_psd_agrees_with_eigenvalues(seed):
    rng = np.random.default_rng(seed)
    B = rng.integers(-3, 4, size=(4, 3))
    K = B @ B.T  # singular
    if seed % 2:
        K[0, 0] -= 1
    exactly = is_psd([[Real(int(x)) for x in row] for row in K])
    assert exactly == (np.linalg.eigvalsh(K)[0] > -1e-9)


def test_zero_pivot_needs_a_row_of_zeros():
    zero, one = Real(0), Real(1)
    assert is_psd([[zero, one], [one, one]]) is False
    assert is_psd([[zero, zero], [zero, one]]) is True


def test_quadratic_form():
    K = [[1, 2], [2, 1]]
    assert quadratic_form([1, -1], K).rational == -2
