"""The figure of Nyström's approximation against direct calls of the library."""

import numpy as np
import pytest

from kernellab import kernels as kl
from kernellab.figures.live import FIGURES, nystroem
from kernellab.lowrank.nystroem import Nystroem
from tests.figures.live.conftest import marks


@pytest.mark.parametrize("landmarks", nystroem.LANDMARKS)
def test_nystroem_agrees_with_the_library(landmarks):
    X, k = nystroem.data(), kl.Gaussian(sigma=0.5)
    scene = FIGURES["nystroem"].scene(rank=10, sigma=0.5, landmarks=landmarks)
    fitted = Nystroem(k, rank=10, landmarks=landmarks).fit(X)
    K, Z = k(X), np.asarray(fitted.landmarks_)
    shown = marks(scene, "landmarks")
    np.testing.assert_allclose(np.column_stack([shown.x, shown.y]), Z)
    projected = k(X, Z) @ np.linalg.solve(k(Z), k(Z, X))
    left_out = np.trace(K - projected) / np.trace(K)
    assert marks(scene, "this rank", 1).y[0] == pytest.approx(left_out, rel=1e-6)
    best = marks(scene, "eigenvectors leave out", 1).y
    mu = np.linalg.eigvalsh(K)[::-1] / np.trace(K)
    np.testing.assert_allclose(best[:9], [mu[r:].sum() for r in nystroem.RANKS[:9]])
    assert np.all(best <= np.asarray(marks(scene, "landmarks leave out", 1).y) + 1e-12)
