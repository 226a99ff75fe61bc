"""The ridge figure against direct calls of the library."""

import numpy as np
import pytest

from kernellab import KernelRidge
from kernellab import kernels as kl
from kernellab.figures.live import FIGURES, ridge
from tests.figures.live.conftest import marks


def test_ridge_agrees_with_the_library():
    x, t = ridge.data()
    for lam, sigma, added in ((0.1, 0.2, []), (3.7, 0.05, [(0.5, -1.0, "point")])):
        X = np.append(x, [p[0] for p in added])[:, None]
        T = np.append(t, [p[1] for p in added])
        model = KernelRidge(kl.Gaussian(sigma=sigma), lam=lam).fit(X, T)
        scene = FIGURES["ridge"].scene(lam=lam, sigma=sigma, points=added)
        fit = marks(scene, "fit f")
        np.testing.assert_allclose(fit.y, model.predict(np.asarray(fit.x)[:, None]))
        rows = np.array(scene.table.rows, dtype=float)
        np.testing.assert_allclose(rows[:, 3], model.a_)
        notes = dict(scene.notes)
        loo = np.sqrt(np.mean(model.loo_residuals_**2))
        assert float(notes["leave-one-out error"]) == pytest.approx(loo, rel=5e-3)
        norm = np.sqrt(model.a_ @ kl.Gaussian(sigma=sigma)(X) @ model.a_)
        assert float(notes["‖f‖"]) == pytest.approx(norm, rel=5e-3)
        (here,) = marks(scene, "this λ", 1).y
        assert here == pytest.approx(loo)
        assert ("added" in [m.label for m in scene.panels[0].marks]) == bool(added)
