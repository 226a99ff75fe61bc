"""The container for grading: it names what exists, and works where an engine is."""

import re
import shutil
import subprocess

import pytest

from tests.conftest import ROOT

FOLDER = ROOT / "container"
LINES = re.sub(r"\\\n", " ", (FOLDER / "Containerfile").read_text()).splitlines()
STEPS = [line.split() for line in LINES if line and line[0].isupper()]


def test_what_is_copied_exists():
    copied = [word for step in STEPS if step[0] == "COPY" for word in step[1:-1]]
    assert "kernellab" in copied
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_the_image_is_what_the_readme_says():
    names = [step[0] for step in STEPS]
    assert names[:2] == ["ARG", "FROM"]
    assert STEPS[names.index("USER")][1] not in ("root", "0")
    assert names.index("USER") > max(i for i, name in enumerate(names) if name == "RUN")
    installed = next(step for step in STEPS if "apt-get" in step)
    assert "bubblewrap" in installed
    known = {
        "ARG",
        "FROM",
        "RUN",
        "WORKDIR",
        "COPY",
        "ENV",
        "USER",
        "ENTRYPOINT",
        "CMD",
    }
    assert set(names) <= known
    assert "container/Containerfile" in (FOLDER / "README.md").read_text()


@pytest.fixture
def engine():
    """Podman or docker, if one of them works and has the base image."""
    base = STEPS[0][1].removeprefix("BASE=")
    for name in ("podman", "docker"):
        if shutil.which(name) and quiet(name, "info") == 0:
            if quiet(name, "pull", base) == 0:
                return name
            pytest.skip(f"{name} cannot get the image {base}")
    pytest.skip("there is neither podman nor docker here")


def quiet(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.exhaustive
def test_the_container_lists_the_sheets(engine):
    tag = "kernellab-grader-test"
    build = [engine, "build", "-t", tag, "-f", str(FOLDER / "Containerfile"), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    run = [engine, "run", "--rm", "--network", "none", tag, "list"]
    listed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    assert "01_duality" in listed
