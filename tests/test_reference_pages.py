"""The programs on the pages for practitioners and in the README, run as they stand."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

import kernellab
from kernellab import kernels

ROOT = Path(__file__).parents[1]


def text_of(name: str) -> str:
    return (ROOT / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README", "reference/choosing", "reference/dask"])
def test_its_programs_run(name: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", text_of(name), re.DOTALL)
    assert blocks
    with contextlib.redirect_stdout(io.StringIO()):
        exec("\n".join(blocks), {"__name__": name})


def test_the_first_kernel_of_the_guide_is_one() -> None:
    (session,) = re.findall(r"```pycon\n(.*?)```", text_of("CONTRIBUTING"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest(session, {}, "guide", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_what_it_recommends_is_there() -> None:
    named = set(re.findall(r"`(?:kl\.)?([A-Z]\w+)", text_of("reference/choosing")))
    others = {"Pipeline", "GridSearchCV"}
    missing = {word for word in named - others if not hasattr(kernels, word)}
    assert {word for word in missing if not hasattr(kernellab, word)} == set()
    assert len(named) > 30
