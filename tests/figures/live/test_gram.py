"""The figure of a Gram matrix against direct calls of the library."""

import numpy as np
import pytest

from kernellab.figures.families import FAMILIES
from kernellab.figures.live import FIGURES, gram
from kernellab.pca import KernelPCA
from tests.figures.live.conftest import marks


@pytest.mark.parametrize("kernel", gram.KERNELS)
def test_gram_agrees_with_the_library(kernel):
    X, _ = gram.data()
    k = FAMILIES[kernel](0.7)
    scene = FIGURES["gram"].scene(kernel=kernel, sigma=0.7)
    np.testing.assert_allclose(marks(scene, "k(xᵢ, xⱼ)").values, k(X))
    scores = np.array([row[3:] for row in scene.table.rows], dtype=float)
    model = KernelPCA(k, 2).fit(X)
    np.testing.assert_allclose(np.abs(scores), np.abs(model.scores_), atol=1e-9)
    dots = scene.panels[1].marks[1]
    assert np.all(np.diff(dots.y) <= 1e-12)
    assert np.sum(dots.y) <= 1 + 1e-9
