"""The lock file: what is installed, and that it fits what pyproject.toml asks for."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


@pytest.fixture
def install(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))  # it imports its neighbour
    from tools import install

    yield install
    sys.modules.pop("check_python", None)


def asked_for() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"].values()
    return [Requirement(r) for r in sum(extras, PROJECT["dependencies"])]


def locked(lock: str = LOCK) -> list[Requirement]:
    """The packages of a lock file, each with its version and its marker."""
    lines = re.findall(r"^([A-Za-z0-9].*?) \\$", lock, re.MULTILINE)
    return [Requirement(line) for line in lines]


def test_it_has_every_package_in_a_version_that_is_allowed():
    found = {canonicalize_name(r.name): r for r in locked()}
    for wanted in asked_for():
        (pin,) = found[canonicalize_name(wanted.name)].specifier
        assert wanted.specifier.contains(pin.version), wanted


def test_every_package_has_a_hash_and_no_address():
    assert LOCK.count("\n    --hash=sha256:") >= len(locked()) > 100
    assert "://" not in LOCK


def needs(pin: Requirement) -> set[str]:
    """What a package asks for here; nothing, if not that version of it is installed."""
    try:
        found = metadata.distribution(pin.name)
    except metadata.PackageNotFoundError:
        return set()
    same = found.version in pin.specifier
    asked_for = map(Requirement, (found.requires or []) if same else [])
    here = (r for r in asked_for if not r.marker or r.marker.evaluate({"extra": ""}))
    return {canonicalize_name(r.name) for r in here}


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_a_part_of_the_lock_has_all_that_its_packages_ask_for(install, extra):
    wanted = map(install.canonical, PROJECT["optional-dependencies"][extra])
    part = locked(install.with_dependencies(wanted, LOCK))
    names = {canonicalize_name(pin.name) for pin in part}
    for pin in part:
        assert needs(pin) <= names, pin


def test_a_part_of_the_lock_has_no_more(install):
    lock = (
        "a==1 \\\n    # via kernellab\nb-c==1 \\\n    # via a\nd==2 \\\n    # via e\n"
    )
    assert install.with_dependencies(["a"], lock) == lock[: lock.index("d==2")]
    assert (
        install.with_dependencies(["b-c"], lock)
        == lock[lock.index("b-c") : lock.index("d==2")]
    )


@pytest.mark.parametrize("heavy", ["jupyterlab", "playwright", "scikit-learn", "uv"])
def test_reading_the_book_takes_no_tool_of_those_who_write_it(install, heavy):
    wanted = map(install.canonical, PROJECT["optional-dependencies"]["book"])
    assert f"\n{heavy}==" in LOCK
    assert f"\n{heavy}==" not in install.with_dependencies(wanted, LOCK)


def test_the_lock_is_used_where_it_fits(install, monkeypatch, tmp_path):
    monkeypatch.setattr(install, "VENV", tmp_path)
    hashed, course = install.installs(["book"], locked=True)
    assert "--require-hashes" in hashed
    assert "jupyter-book==" in (tmp_path / "requirements.lock").read_text()
    assert course == ["--no-deps", "-e", "."]
    assert list(install.installs(["book"], locked=False)) == [["-e", ".[book]"]]


@pytest.mark.parametrize(
    ("there", "fails", "called"),
    [
        (True, [], ["uv"]),
        (True, ["uv"], ["uv", "pip"]),
        (False, [], ["pip", "uv"]),
        (False, ["uv"], ["pip", "uv", "pip"]),
    ],
)
def test_uv_is_fetched_and_pip_takes_over(install, monkeypatch, there, fails, called):
    made, ran = [there], []

    def run(installer, what):
        ran.append("pip" if "-m" in installer else "uv")
        return ran[-1] not in fails

    monkeypatch.setattr(install, "find_uv", lambda place: "uv" if made.pop(0) else None)
    monkeypatch.setattr(install.venv, "create", lambda f, with_pip: made.append(True))
    monkeypatch.setattr(install, "run", run)
    assert install.install(["book"], locked=False)
    assert ran == called
