"""The builder of kernels against direct calls of the library."""

from itertools import product

import numpy as np
import pytest

from kernellab.figures.live import FIGURES, builder, compute
from kernellab.kernels.reader import read_kernel
from tests.figures.live.conftest import marks
from tests.sampling import always_if

CASES = [
    always_if(i % 3 == 0, *case)
    for i, case in enumerate(product(builder.EXPRESSIONS, builder.DOMAINS))
]


@pytest.mark.parametrize(("expression", "domain"), CASES)
def test_builder_agrees_with_the_library(expression, domain):
    scene = FIGURES["builder"].scene(expression=expression, domain=domain)
    kernel = read_kernel(expression)
    verdict = kernel.verdict(builder.DOMAINS[domain])
    assert dict(scene.notes)["verdict"] == f"{verdict} on {verdict.domain}"
    assert scene.panels[0].title.startswith(str(verdict))
    matrix = marks(scene, "k(x, x')").values
    if verdict == "REFUTED":
        w = verdict.witness
        np.testing.assert_allclose(matrix, w.K)
        assert w.c @ w.K @ w.c < 0
        assert len(marks(scene, "below zero", 1).x) >= 1
    elif verdict == "PROVEN":
        assert len(scene.lines) == len(verdict.proof.steps())
        assert min(scene.panels[1].marks[0].height) >= 0
        assert "below zero" not in [mark.label for mark in scene.panels[1].marks]


def test_builder_reads_expressions_of_the_reader():
    scene = FIGURES["builder"].scene(own="Linear() - 2*Linear()")
    assert dict(scene.notes)["verdict"].startswith("REFUTED")
    for wrong in ("Linear(", "open('x')", "1", "Linear().__class__", "x = "):
        found = compute("builder", {"own": wrong})
        assert found["message"]
        assert not found["panels"]
