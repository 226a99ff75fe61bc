"""Packages that import their parts on first use: every name is there, little loads."""

import subprocess
import sys

import pytest

import kernellab
from kernellab import grading

LOADED = "import sys, {0}; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"


@pytest.mark.parametrize("package", [kernellab, grading], ids=lambda p: p.__name__)
def test_every_name_is_there(package):
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


def test_the_grader_is_imported_without_numpy_and_scipy():
    program = LOADED.format("kernellab.grading.page")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy"} & set(done.stdout.split())
    assert "kernellab" in done.stdout
