"""The conditions at a point: residuals, multipliers, qualification."""

import numpy as np
import pytest

from kernellab.optim import KKT, QuadraticProgram, examples, hard_margin


def test_kkt_residuals_one_by_one():
    p = examples.parabola().problem
    assert p.kkt([1.0], [2.0]) == KKT(0, 0, 0, 0)
    assert p.kkt([1.0], [1.0]).stationarity == 1
    assert p.kkt([0.5], [1.0]).primal == 0.5
    assert p.kkt([1.5], [-3.0]).dual == 3
    assert p.kkt([2.0], [4.0]).complementarity == 4
    assert p.kkt([2.0], [4.0]).worst == 4


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
