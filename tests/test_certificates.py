"""Certificates: the gap, and the one line that they print."""

import math
from dataclasses import FrozenInstanceError

import pytest

from kernellab.certificates import Certificate


def test_gap_is_primal_minus_dual():
    certificate = Certificate(primal=3.0, dual=-1.0)
    assert certificate.gap == 4.0
    assert certificate.relative_gap == pytest.approx(4 / 3)


def test_relative_gap_of_a_perfect_fit_is_zero():
    assert Certificate(primal=0.0, dual=0.0).relative_gap == 0.0


def test_a_gap_of_nan_stays_visible():
    assert math.isnan(Certificate(primal=math.nan, dual=0.0).gap)


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
