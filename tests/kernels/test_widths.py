"""The median heuristic."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from kernellab import kernels as kl
from kernellab.errors import InputError


def test_the_median_of_all_distances():
    X = np.random.default_rng(0).normal(size=(200, 3))
    D = pairwise_distances(X)[np.triu_indices(200, 1)]
    assert np.isclose(kl.median_heuristic(X), np.median(D), rtol=1e-12)
    assert np.isclose(kl.median_heuristic(7 * X + 1), 7 * np.median(D), rtol=1e-12)


def test_many_points_are_sampled_with_a_seed():
    X = np.random.default_rng(0).normal(size=(5000, 2))
    first, other = kl.median_heuristic(X), kl.median_heuristic(X, random_state=1)
    assert first == kl.median_heuristic(X)
    assert first != other
    # of two normal points in the plane ‖x − x'‖²/2 has the median 2 log 2
    assert np.allclose([first, other], np.sqrt(4 * np.log(2)), rtol=0.04)


def test_equal_points_do_not_count():
    assert kl.median_heuristic([[0.0], [0.0], [0.0], [2.0]]) == 2.0
    for same in ([[1.0, 2.0]] * 3, [[1.0]]):
        with pytest.raises(InputError, match="two different points"):
            kl.median_heuristic(same)
    with pytest.raises(InputError, match=r"X\[1, 0\] is NaN"):
        kl.median_heuristic([[0.0], [np.nan]])
