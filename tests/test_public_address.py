"""One setting holds the public address, and a release without it is refused."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from tools.public_address import ROOT, not_ready, public_address

SETTING = 'Homepage = "'


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """What a release looks at, copied."""
    (tmp_path / "kernellab").mkdir()
    for name in ("pyproject.toml", "CHANGELOG.md", "kernellab/__init__.py"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"))
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_no_other_file_names_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    host = settings["project"]["urls"]["Homepage"].split("/")[2]
    found = subprocess.run(
        ["git", "grep", "-l", "-F", host], cwd=ROOT, capture_output=True, text=True
    )
    assert found.stdout.split() == ["pyproject.toml"]


def test_an_address_that_is_nobodys_is_none(course: Path) -> None:
    name = "pyproject.toml"
    given = next(x for x in (course / name).read_text().split("\n") if SETTING in x)
    replace(course / name, given, SETTING + 'https://kernels.example/book"')
    assert public_address(course) is None
    replace(course / name, "kernels.example", "kernels.test")
    assert public_address(course) == "https://kernels.test/book/"


def test_a_release_has_an_address_its_version_and_a_date(course: Path) -> None:
    replace(course / "kernellab" / "__init__.py", '"0.1.0"', '"9.8.7"')
    assert len(not_ready("v0.1.0", course)) == 3
    (course / "pyproject.toml").write_text(
        f'[project.urls]\n{SETTING}https://kernels.test/"\n'
    )
    (course / "CHANGELOG.md").write_text("## [9.8.7] - 2030-01-31\n")
    assert not_ready("v9.8.7", course) == []
    assert len(not_ready("v9.8.6", course)) == 1
