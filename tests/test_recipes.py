"""The samples of CONTRIBUTING.md, followed as they stand."""

import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest

from kernellab.figures.drawing import draw
from tests.contract import test_contract as contract
from tests.contract.samples import NAMES, Sample, box
from tests.kernels import test_spectral as spectral

RECIPES = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def sample_of(heading, tmp_path, name):
    """Write the first Python sample of a section as a module, and import it."""
    section = RECIPES.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    code = re.search(r"```python\n(.*?)```", section, re.S)[1]
    path = tmp_path / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that its classes can be pickled
    spec.loader.exec_module(module)
    return module


def promises():
    """What the contract asks of a sample, and what is asked of its frequencies."""
    found = [test for name, test in vars(contract).items() if name.startswith("test_")]
    wanted = ({"sample"}, {"sample", "n"})
    asked = [
        test for test in found if set(inspect.signature(test).parameters) in wanted
    ]
    return [*asked, spectral.test_none_is_missed_and_none_is_invented]


@pytest.mark.parametrize("promise", promises(), ids=lambda test: test.__name__)
def test_the_sample_kernel_keeps_every_promise(promise, tmp_path):
    triangle = sample_of("A kernel", tmp_path, "triangle_kernel").Triangle
    names = NAMES | {"Triangle": triangle}
    sample = Sample(triangle(sigma=0.8), box(1), names=names)
    points = {"n": 7} if "n" in inspect.signature(promise).parameters else {}
    promise(sample, **points)


def test_there_are_promises_to_keep():
    assert len(promises()) > 15


def test_the_sample_figure_moves(tmp_path):
    figure = sample_of("A figure that moves", tmp_path, "triangle_figure").FIGURE
    narrow, wide = (figure.scene(sigma=sigma) for sigma in (0.5, 2.0))
    assert narrow.to_data() != wide.to_data()
    assert draw(narrow).axes
    assert len(list(figure.scenes())) == 3
