"""Certificates: the gap, and the one line that they print."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from kernellab.certificates import Certificate, rounding_error


def test_gap_is_primal_minus_dual():
    certificate = Certificate(primal=3.0, dual=-1.0)
    assert certificate.gap == 4.0
    assert certificate.relative_gap == pytest.approx(4 / 3)


def test_relative_gap_of_a_perfect_fit_is_zero():
    assert Certificate(primal=0.0, dual=0.0).relative_gap == 0.0


def test_a_gap_that_rounding_explains_is_zero():
    within = Certificate(primal=1.0, dual=1.0 + 3e-15, rounding=4e-15)
    assert within.gap == within.relative_gap == 0.0
    assert "gap 0 (relative 0)" in str(within)
    assert Certificate(primal=1.0, dual=math.nextafter(1.0, 2.0)).gap == 0.0
    for dual in (1.0 - 5e-15, 1.0 + 5e-15):  # beyond rounding: either sign is shown
        beyond = Certificate(primal=1.0, dual=dual, rounding=4e-15)
        assert beyond.gap == 1.0 - dual


def test_a_gap_is_not_hidden_where_rounding_takes_half_of_the_digits():
    assert Certificate(primal=1.0, dual=1.5, rounding=2.0).gap == -0.5


@pytest.mark.parametrize("n", [10, 1000])
def test_rounding_covers_every_order_of_summation(n):
    """The same sum in other orders: what another processor may do."""
    rng = np.random.default_rng(n)
    terms = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4, size=n)
    exact, most = math.fsum(terms), rounding_error(n, float(np.abs(terms).sum()))
    for _ in range(20):
        in_order = float(np.cumsum(rng.permutation(terms))[-1])
        assert abs(in_order - exact) <= most


def test_a_gap_without_bound_or_meaning_stays_visible():
    assert math.isnan(Certificate(primal=math.nan, dual=0.0).gap)
    assert Certificate(primal=math.inf, dual=0.0).gap == math.inf
    assert Certificate(primal=0.0, dual=-math.inf, rounding=math.inf).gap == math.inf


def test_prints_in_one_line_what_is_known_and_no_more():
    assert str(Certificate(2.5, 2.0)) == "primal 2.5, dual 2, gap 0.5 (relative 0.2)"
    full = Certificate(2.5, 2.0, 0.125, jitter=1e-9, kkt={"complementarity": 0.5})
    assert str(full) == (
        "primal 2.5, dual 2, gap 0.5 (relative 0.2), gradient norm 0.12, "
        "complementarity 0.5, jitter 1e-09"
    )
    assert repr(full) == str(full)
    assert "\n" not in str(full)


def test_cannot_be_edited():
    with pytest.raises(FrozenInstanceError):
        Certificate(1.0, 1.0).primal = 0.0  # type: ignore[misc]
