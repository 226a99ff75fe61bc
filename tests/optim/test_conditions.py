"""The conditions at a point: residuals, multipliers, qualification, Farkas' lemma."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.errors import InputError
from kernellab.optim import KKT, QuadraticProgram, examples, farkas, hard_margin


def test_kkt_residuals_one_by_one():
    p = examples.parabola().problem
    assert p.kkt([1.0], [2.0]) == KKT(0, 0, 0, 0)
    assert p.kkt([1.0], [1.0]).stationarity == 1
    assert p.kkt([0.5], [1.0]).primal == 0.5
    assert p.kkt([1.5], [-3.0]).dual == 3
    assert p.kkt([2.0], [4.0]).complementarity == 4
    assert p.kkt([2.0], [4.0]).holds(4.0)
    assert not p.kkt([2.0], [4.0]).holds(3.9)


def test_multiple_multipliers_are_counted_and_measured():
    data = examples.degenerate_data()
    solution = hard_margin(data.X, data.y).solve()
    assert solution.w == pytest.approx([1, 0, 0], abs=1e-12)
    prices = solution.multipliers
    assert not prices.unique
    assert prices.low == pytest.approx([0, 0, 0, 0.5], abs=1e-9)
    assert prices.high == pytest.approx([0.5, 0.25, 0.25, 0.5], abs=1e-9)
    assert "one of many" in repr(prices)
    quality = hard_margin(data.X, data.y).qualification(solution.w)
    assert (quality.gradients, quality.rank, quality.all_affine) == (4, 3, True)


def test_multipliers_without_end():
    """w ≤ 0 and −w ≤ 0: α can grow on both sides."""
    p = QuadraticProgram([[2.0]], [0.0], [[1.0], [-1.0]], [0.0, 0.0])
    assert np.isinf(p.solve().multipliers.high).all()


def test_the_edge_of_omega_explains_a_gradient():
    p = examples.end_of_an_interval().problem
    assert p.kkt([1.0]).stationarity == 0
    assert p.kkt([1.5]).stationarity > 0
    assert p.multipliers([1.0]).exist
    assert p.solve().w == pytest.approx([1.0])


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
