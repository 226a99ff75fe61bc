"""The samples of CONTRIBUTING.md, followed as they stand."""

import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from kernellab.figures.drawing import draw
from tests.contract import test_contract as contract
from tests.contract.samples import NAMES, Sample, box
from tests.kernels import test_spectral as spectral
from tools import notebooks

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


def section(metadata):
    """A section as the recipe asks for: its own generator, a check, a figure."""
    code = (
        "import matplotlib.pyplot as plt\nimport numpy as np\n\n"
        "from kernellab import kernels as kl\n"
        "from kernellab.figures import use_style\n\n"
        "use_style()\nrng = np.random.default_rng(0)\nX = rng.normal(size=(5, 1))\n"
        "assert kl.Gaussian()(X).shape == (5, 5)\nplt.plot(X, X, 'o');"
    )
    cells = [new_markdown_cell("## Kernels that vanish"), new_code_cell(code)]
    cells[1].metadata.update(metadata)
    return new_notebook(cells=cells)


def test_the_sample_section_is_executed_and_stored(tmp_path):
    recipe = RECIPES.split("\n## A chapter, or a section of one\n")[1]
    metadata = json.loads(re.search(r"```json\n(.*?)```", recipe, re.S)[1])
    path = tmp_path / "section.ipynb"
    notebooks.store(path, section(metadata))
    notebooks.execute(path, timeout=60, renew=False)
    once = path.read_bytes()
    notebooks.execute(path, timeout=60, renew=False)
    assert path.read_bytes() == once
    shown = notebooks.as_text(nbformat.read(path, as_version=4))
    assert f"[figure: {metadata['mystnb']['image']['alt']}]" in shown
