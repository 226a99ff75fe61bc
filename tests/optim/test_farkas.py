"""Farkas' lemma: exactly one of the two alternatives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.errors import InputError
from kernellab.optim import farkas


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_farkas_gives_exactly_one_of_the_two(seed):
    rng = np.random.default_rng(seed)
    k, d = rng.integers(1, 7, size=2)
    G = rng.integers(-3, 4, size=(k, d)).astype(float)
    b = G.T @ rng.exponential(size=k) if seed % 2 else rng.normal(size=d)
    found = farkas(G, b)
    assert (found.alpha >= 0).all()
    if seed % 2:
        assert found.in_cone
    if found.in_cone:
        assert np.allclose(G.T @ found.alpha, b, atol=1e-7)
    else:
        assert (G @ found.direction <= 1e-8).all()
        assert b @ found.direction > 0


def test_farkas_without_rows_and_with_wrong_ones():
    assert not farkas(np.zeros((0, 2)), [1.0, 0.0]).in_cone
    assert farkas(np.zeros((0, 2)), [0.0, 0.0]).in_cone
    with pytest.raises(InputError, match=r"G must have shape \(·, 2\)"):
        farkas([[1.0]], [1.0, 2.0])
