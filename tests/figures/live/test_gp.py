"""The figure of a Gaussian process against direct calls of the library."""

import numpy as np
import pytest

from kernellab import GaussianProcess
from kernellab.figures.families import FAMILIES, STATIONARY
from kernellab.figures.gp import likelihood_surface
from kernellab.figures.live import FIGURES, gp
from tests.figures.live.conftest import marks


@pytest.mark.parametrize("kernel", STATIONARY)
def test_gp_agrees_with_the_library(kernel):
    x, t = gp.data()
    k = FAMILIES[kernel](0.3)
    process = GaussianProcess(k, noise=0.05).fit(x[:, None], t, optimize=False)
    scene = FIGURES["gp"].scene(kernel=kernel, sigma=0.3, noise=0.05)
    mean, band = marks(scene, "mean"), marks(scene, "± 2 sd of f")
    m, v = process.predict_f(np.asarray(mean.x)[:, None])
    np.testing.assert_allclose(mean.y, m, atol=1e-10)
    np.testing.assert_allclose(band.high - band.low, 4 * np.sqrt(v), atol=1e-8)
    shown = dict(scene.notes)["log likelihood L"].replace("−", "-")
    assert float(shown) == pytest.approx(process.log_marginal_likelihood(), rel=5e-3)


@pytest.mark.parametrize("kernel", STATIONARY)
def test_the_map_of_the_likelihood(kernel):
    x, t = gp.data()
    process = GaussianProcess(FAMILIES[kernel](0.3), noise=0.1)
    process.fit(x[:, None], t, optimize=False)
    columns, rows = gp.SIGMAS[::6], gp.NOISES[::6]
    slow = likelihood_surface(process, process.theta_names, columns, rows)
    fast = gp.likelihoods(kernel, tuple(x), tuple(t))
    np.testing.assert_allclose(fast[::6, ::6], slow.values, rtol=1e-8)


def test_an_observation_pulls_the_process():
    scene = FIGURES["gp"].scene(points=[(0.9, 2.0, "observation")], noise=0.001)
    mean = marks(scene, "mean")
    assert np.interp(0.9, mean.x, mean.y) == pytest.approx(2.0, abs=0.05)
    assert dict(scene.notes)["observations"] == "8"
