"""Weak duality: held, violated, or not decided."""

import math

import numpy as np

from kernellab.optim import Problem, Smooth, WeakDuality, affine


def test_weak_duality_reports_a_violation():
    """Of what is proved: nothing but a false declaration can bring it about."""
    assert WeakDuality(1, 2.0, 2.0, 1.0).holds is False
    assert "violated" in repr(WeakDuality(1, 2.0, 2.0, 1.0))
    assert WeakDuality(1, 1.0, 1.0, 2.0).holds is True
    assert "≤" in repr(WeakDuality(1, 1.0, 1.0, 2.0))


def test_an_upper_bound_below_f_is_enough():
    assert WeakDuality(1, 1.0, -math.inf, 2.0).holds is True


def test_an_uncertified_value_decides_nothing():
    """The only admissible point has f = 1; the search finds 2.9·10⁹ at the nearest."""
    f = Smooth(lambda w: np.hypot(w[0] - 3e9, 1))
    p = Problem(f, equalities=[affine([1e-9], 3.0)])
    found = p.theta_D([], [0.0])
    trial = WeakDuality(1, found, found.lower, p.theta_P([3e9]))
    assert trial.best_primal == 1
    assert trial.holds is None
    assert "not certified (an upper bound); the least f is 1" in repr(trial)
