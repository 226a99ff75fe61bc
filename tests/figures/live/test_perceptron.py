"""The figure of the perceptron against direct calls of the library."""

import numpy as np
import pytest

from kernellab.figures.live import FIGURES, perceptron
from kernellab.perceptron import KernelPerceptron


@pytest.mark.parametrize("kernel", perceptron.KERNELS)
def test_perceptron_agrees_with_the_library(kernel):
    steps, k = perceptron.run(kernel), perceptron.KERNELS[kernel]
    for mistakes in (0, 1, 7, 40):
        scene = FIGURES["perceptron"].scene(kernel=kernel, mistakes=mistakes)
        made = min(mistakes, len(steps.mistakes))
        alpha = np.bincount(steps.mistakes[:made], minlength=50)
        assert [row[3] for row in scene.table.rows] == alpha.tolist()
        g = k(steps.X) @ (alpha * steps.y)
        notes = dict(scene.notes)
        assert notes["points wrong now"] == f"{np.sum(steps.y * g <= 0)} of 50"
        assert notes["mistakes so far"] == str(made)
    if steps.converged:
        model = KernelPerceptron(k, perceptron.MAX_EPOCHS).fit(steps.X, steps.y)
        assert model.alpha_.sum() == len(steps.mistakes)
        assert notes["points wrong now"] == "0 of 50"
        assert "nothing more happens" in scene.message
