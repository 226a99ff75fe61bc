"""The figure of a support vector machine against direct calls of the library."""

import numpy as np
import pytest

from kernellab.figures.families import FAMILIES
from kernellab.figures.live import FIGURES, svm
from kernellab.svm import SVC
from tests.figures.live.conftest import marks


@pytest.mark.parametrize("kernel", svm.KERNELS)
def test_svm_agrees_with_the_library(kernel):
    X, y = svm.data()
    scene = FIGURES["svm"].scene(kernel=kernel, C=3.0, sigma=0.5)
    machine = SVC(FAMILIES[kernel](0.5), C=3.0, tol=1e-6).fit(X, y)
    notes = dict(scene.notes)
    assert notes["support vectors"] == f"{len(machine.support_)} of 60"
    assert float(notes["primal"]) == pytest.approx(
        machine.certificate_.primal, rel=1e-4
    )
    assert float(notes["margin 1/‖w‖"]) == pytest.approx(machine.margin_, rel=5e-3)
    alpha = np.array([row[3] for row in scene.table.rows], dtype=float)
    np.testing.assert_allclose(alpha, machine.alpha_, atol=1e-9)
    rings = marks(scene, "0 < α < C"), marks(scene, "α = C")
    assert sum(len(ring.x) for ring in rings) == len(machine.support_)
    boundary = marks(scene, "f = 0")
    known = ~np.isnan(boundary.x)
    f = machine.decision_function(np.column_stack([boundary.x, boundary.y])[known])
    assert np.abs(f).max() < 0.05 * max(1.0, np.abs(machine.decision_function(X)).max())


def test_svm_without_a_machine():
    scene = FIGURES["svm"].scene(kernel="linear", margin="hard")
    assert scene.message == "no hard margin: the classes overlap"
    assert len(marks(scene, "hulls meet").x) >= 3
    assert dict(scene.notes)["relative gap"] == "–"


def test_svm_with_points_of_the_reader():
    far = [(2.0, -1.9, "+1"), (-2.0, 1.9, "−1")]
    before, after = FIGURES["svm"].scene(), FIGURES["svm"].scene(points=far)
    assert len(after.table.rows) == len(before.table.rows) + 2
    assert [row[2] for row in after.table.rows[-2:]] == ["+1", "−1"]
