"""The picture of a perceptron at work: its data, and the panel made of it."""

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.data import moons
from kernellab.errors import InputError
from kernellab.figures.perceptron import perceptron_steps, step_panel
from kernellab.perceptron import KernelPerceptron

XOR = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1.0]])
XOR_LABELS = np.array([1, 1, -1, -1])


def test_steps_are_the_decision_functions_after_each_mistake():
    X, y = moons(20, noise=0.1, random_state=3)
    k = kl.Gaussian(sigma=0.8)
    steps = perceptron_steps(k, X, y, resolution=7)
    model = KernelPerceptron(k, 100).fit(X, y)
    assert steps.mistakes.tolist() == model.mistakes_.tolist()
    assert len(steps) == len(model.mistakes_) + 1
    assert steps.converged
    places = np.array([[a, b] for b in steps.up for a in steps.across])
    assert steps.values[-1].ravel() == pytest.approx(model.decision_function(places))
    for m in (0, 1, 5):
        g = k(places, X) @ (steps.alpha(m) * y)
        assert steps.values[m].ravel() == pytest.approx(g, abs=1e-12)
    assert steps.epochs[0] == 1
    assert steps.across[0] < X[:, 0].min() < X[:, 0].max() < steps.across[-1]


def test_the_panel_shows_counts_and_the_last_mistake():
    steps = perceptron_steps(kl.Linear() + 1, XOR, XOR_LABELS, resolution=5)
    assert not steps.converged
    for moment in (0, 1, 4):
        marks = {mark.label: mark for mark in step_panel(steps, moment).marks}
        for sign, label in ((1, "y = +1"), (-1, "y = −1")):
            mine = steps.y == sign
            assert list(marks[label].x) == XOR[mine, 0].tolist()
            areas = 26 + 16 * np.minimum(steps.alpha(moment)[mine], 8)
            assert marks[label].size ** 2 == pytest.approx(areas)
        last = marks["last mistake"]
        expected = XOR[steps.mistakes[moment - 1]].tolist() if moment else []
        assert [*last.x, *last.y] == expected
    assert len(marks["g > 0"].x) > 3


def test_steps_need_the_plane():
    with pytest.raises(InputError, match="points of the plane"):
        perceptron_steps(kl.Linear(), [[1.0], [2.0]], [1, -1])
    with pytest.raises(InputError, match="resolution must be an integer ≥ 2"):
        perceptron_steps(kl.Linear(), XOR, XOR_LABELS, resolution=1)
