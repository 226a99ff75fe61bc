"""Make .venv, and install into it what is needed.

    python tools/install.py            everything
    python tools/install.py book       what it takes to build the site, no more
    python tools/install.py notebooks  what it takes to run the notebooks, no more
    python tools/install.py --newest   the newest versions that pyproject.toml allows

The names are those of the extras in pyproject.toml. The lock file holds the versions
with which the tests have passed, for all systems, with the hash of every file; nothing
else is installed. A Python that it was not made for gets the newest versions. `make
lock` renews it.

uv installs, because it is several times faster than pip; if it is not on the path it is
fetched for this one time. Where uv cannot be had, or does not reach its registry, pip
takes over. For each extra that has been installed `.venv/.NAME` is touched, and for all
of them `.venv/.installed`: that is how make knows.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import check_python  # noqa: F401  # says what is missing, and ends

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
PYTHON = VENV / SCRIPTS / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "requirements.lock"
LOCKED_BEFORE = (3, 15)
"""The first Python for which the lock file was not made."""

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def canonical(requirement: str) -> str:
    """Return the name of the package in a requirement, as the lock file spells it."""
    name = re.match(r"[\w.-]+", requirement)
    assert name is not None, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def with_dependencies(names: Iterable[str], lock: str) -> str:
    """Return the part of the lock file that these packages need.

    Every entry ends with the packages that ask for it: `# via sphinx, jupyter-book`.
    """
    entries = re.split(r"^(?=\w)", lock, flags=re.MULTILINE)[1:]
    parents = [set(re.findall(r"[\w-]+", e.partition("# via")[2])) for e in entries]
    needed, found = set(names), set[str]()
    while needed != found:
        found = set(needed)
        asked_for = (e for e, by in zip(entries, parents, strict=True) if by & needed)
        needed |= {canonical(entry) for entry in asked_for}
    return "".join(entry for entry in entries if canonical(entry) in needed)


def locked_packages(requirements: Iterable[str]) -> list[str]:
    """Return the arguments that install these, and what they need, as the lock says."""
    part = VENV / "requirements.lock"
    lock = LOCK.read_text("utf-8")
    part.write_text(with_dependencies(map(canonical, requirements), lock), "utf-8")
    return ["--no-deps", "--require-hashes", "-r", str(part)]


def installs(extras: list[str], locked: bool) -> Iterator[list[str]]:
    """Yield the arguments of the installer, one call after the other."""
    if locked:
        wanted = chain(PROJECT["dependencies"], *(EXTRAS[name] for name in extras))
        yield locked_packages(wanted)
        yield ["--no-deps", "-e", "."]
    else:
        yield ["-e", f".[{','.join(extras)}]"]


def run(installer: list[str], what: list[str]) -> bool:
    """Return whether the installer succeeded; it shows by itself how far it is."""
    return subprocess.run([*installer, *what], cwd=ROOT, check=False).returncode == 0


def find_uv(environment: Path) -> str | None:
    """Return where uv is: in an environment, on the path, or nowhere."""
    places = [str(environment / SCRIPTS), os.environ.get("PATH", "")]
    return shutil.which("uv", path=os.pathsep.join(places))


def installers(folder: Path, locked: bool) -> Iterator[list[str]]:
    """Yield what installs into .venv: uv, and pip for where uv fails.

    Neither is needed afterwards: what is not there yet comes into an empty folder.
    """
    into = ["--python", str(PYTHON)]
    uv = find_uv(VENV)
    if uv:
        yield [uv, "pip", "install", *into]
    venv.create(folder, with_pip=True)
    pip = [str(folder / PYTHON.relative_to(VENV)), "-m", "pip"]
    pip += ["--disable-pip-version-check"]
    if not uv:
        wanted = locked_packages(["uv"]) if locked else ["uv"]
        run([*pip, "install", "--quiet"], wanted)
        uv = find_uv(folder)
        if uv:
            yield [uv, "pip", "install", *into]
    yield [*pip, *into, "install", "--no-compile"]


def install(extras: list[str], locked: bool) -> bool:
    """Return whether the extras could be installed."""
    with tempfile.TemporaryDirectory() as folder:
        return any(
            all(run(installer, what) for what in installs(extras, locked))
            for installer in installers(Path(folder), locked)
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Make .venv, and install into it.")
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help=", ".join(EXTRAS))
    parser.add_argument("--newest", action="store_true", help="not the locked versions")
    options = parser.parse_args()
    unknown = set(options.extras) - set(EXTRAS)
    if unknown:
        parser.error(f"no extra {', '.join(unknown)}; there are {', '.join(EXTRAS)}")
    extras = options.extras or list(EXTRAS)
    print(f"Setting up .venv, once: {', '.join(extras)}.", flush=True)
    if not PYTHON.exists():
        venv.create(VENV)
    if not install(extras, not options.newest and sys.version_info < LOCKED_BEFORE):
        return 1
    for stamp in extras if options.extras else [*extras, "installed"]:
        (VENV / f".{stamp}").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
