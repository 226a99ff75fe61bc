"""The set Ω: boxes, regions, messages."""

import math

import numpy as np
import pytest

from kernellab.errors import InputError
from kernellab.optim import Box, Problem, Region


def test_box_and_region():
    box = Box([0.0, -np.inf], [1.0, 2.0])
    assert repr(box) == "[0, 1] × [-inf, 2]"
    assert not box.is_everything
    assert np.array_equal(box.project(np.array([3.0, 3.0])), [1, 2])
    rng = np.random.default_rng(0)
    half_line = Box([3.0], [np.inf])
    for _ in range(50):
        assert box.contains(box.sample(rng, 10.0))
        assert half_line.contains(half_line.sample(rng))
    disc = Region(lambda w: w @ w <= 1, 2, "disc")
    assert disc.contains([0.6, 0.7])
    assert not disc.contains([0.8, 0.7])
    assert repr(disc) == "disc"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Box([1.0], [0.0]), "low ≤ high"),
        (lambda: Box([math.nan], [0.0]), "low ≤ high"),
        (lambda: Box([0.0], [1.0, 1.0]), "vectors of the same length"),
        (lambda: Box(["a"], [0.0]), "must be numbers"),
        (lambda: Problem(sum, domain="R"), "not a Box or a Region"),
        (lambda: Problem(sum, domain=0), "not a Box or a Region"),
    ],
)
def test_domains_say_what_is_wrong(make, message):
    with pytest.raises(InputError, match=message):
        make()
