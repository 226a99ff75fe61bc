"""Domains: membership, inclusion, intersection, names."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.errors import InputError
from kernellab.kernels import Box, FiniteSet, Interval, Objects, Orthant, Reals

INCLUSIONS = [
    (Reals(2), Reals(), True),
    (Reals(), Reals(2), False),
    (Reals(1), Reals(2), False),
    (Orthant(1), Reals(1), True),
    (Reals(1), Orthant(1), False),
    (Interval(0, 1), Orthant(1), True),
    (Interval(0, 1, closed=False), Interval(0, 1), True),
    (Interval(0, 1), Interval(0, 1, closed=False), False),
    (Interval(-1, 1), Orthant(1), False),
    (FiniteSet([[0.0], [2.0]]), Orthant(1), True),
    (FiniteSet([[0.0], [-2.0]]), Orthant(1), False),
    (Objects("strings"), Objects("strings"), True),
    (Objects("strings"), Objects("sets"), False),
    (Objects("strings"), Objects("anything"), True),
    (Reals(1), Objects("strings"), False),
]


@pytest.mark.parametrize(("small", "large", "expected"), INCLUSIONS, ids=str)
def test_inclusion(small, large, expected):
    assert small.within(large) is expected


def test_membership():
    assert Reals(2).contains([1.0, -3.0])
    assert not Reals(2).contains([1.0])
    assert not Reals(1).contains([np.nan])
    assert Orthant(1).contains(0.0)
    assert not Orthant(1).contains(-1e-300)
    assert Interval(0, 1).contains(1)
    assert not Interval(0, 1, closed=False).contains(1)
    assert FiniteSet([[1.0, 2.0]]).contains(np.array([1.0, 2.0]))
    assert not FiniteSet(["a"]).contains("b")


def test_common_part():
    assert Orthant().meet(Reals(2)) == Orthant(2)
    assert Reals(1).meet(Reals(2)) is None
    assert Interval(0, 2).meet(Interval(1, 3)) == Interval(1, 2)
    assert Interval(0, 1).meet(Interval(2, 3)) is None


def test_natural_domains():
    assert kl.Gaussian().natural_domain() == Reals()
    assert (kl.Gaussian() * kl.Brownian()).natural_domain() == Orthant(1)
    assert (kl.Brownian().on(0) * kl.Linear().on(1)).natural_domain() == Orthant()
    assert (kl.Delta() + 1).natural_domain() == Objects("anything")
    assert kl.Gaussian(sigma=(1, 2)).natural_domain() == Reals(2)


def test_wrong_domains_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        Reals(0)
    with pytest.raises(InputError, match="below"):
        Interval(1, 1)
    with pytest.raises(InputError, match="at least one point"):
        FiniteSet([])


def test_names():
    assert str(Box(12)) == "ℝ¹²"
    assert Reals(2).latex == r"\mathbb{R}^{2}"
    assert Orthant().latex == r"[0, \infty)^{d}"
    assert str(Objects("strings")) == "all strings"
