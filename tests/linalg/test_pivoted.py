"""Pivoted Cholesky, column by column."""

import numpy as np
import pytest

from kernellab.linalg import PivotedFactor


def factor_of(K: np.ndarray, pivots: list[int], room: int = 64) -> PivotedFactor:
    """The factor of K with these pivots."""
    factor = PivotedFactor(K.diagonal(), len(K), room)
    for p in pivots:
        factor.append(p, factor.remainder(p, K[p]))
    return factor


@pytest.mark.parametrize("room", [1, 2, 64])
def test_it_projects_on_the_pivots(room):
    F = np.random.default_rng(0).normal(size=(7, 5))
    K, pivots = F @ F.T, [4, 0, 6]
    factor = factor_of(K, pivots, room)
    nystroem = K[:, pivots] @ np.linalg.solve(K[np.ix_(pivots, pivots)], K[pivots])
    np.testing.assert_allclose(factor.Lt.T @ factor.Lt, nystroem)
    np.testing.assert_allclose(factor.d, (K - nystroem).diagonal(), atol=1e-12)
    np.testing.assert_array_equal(factor.Lt.T[pivots], np.tril(factor.Lt.T[pivots]))


def test_nothing_is_left_of_a_whole_matrix():
    F = np.random.default_rng(1).normal(size=(6, 6))
    K = F @ F.T
    factor = factor_of(K, [5, 1, 0, 2, 4, 3])
    np.testing.assert_allclose(factor.Lt.T @ factor.Lt, K)
    assert factor.d.max() < 1e-12


def test_the_diagonal_is_a_copy():
    K = np.eye(2)
    factor_of(K, [0, 1])
    np.testing.assert_array_equal(K, np.eye(2))
