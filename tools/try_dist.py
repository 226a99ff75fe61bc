"""Try the wheel and the source distribution as a stranger would: in a new environment.

    python tools/try_dist.py dist

Both archives hold the library and nothing else: no exercise, so no reference answer.
Each is installed into an empty environment of its own and runs a short program there.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ALLOWED = ("kernellab/", "kernellab-", "README.md", "LICENSE", "CHANGELOG.md")
ALSO_ALLOWED = ("CITATION.cff", "pyproject.toml", "PKG-INFO", ".gitignore")
"""How the names of files in the archives may begin; the folder of an sdist apart."""

ANSWERS = (b"```reference", b"```solution")
"""What only a question file has."""

PROGRAM = """
import kernellab, pathlib, sys
from kernellab import KernelRidge, SVC, kernels as kl
assert "site-packages" in kernellab.__file__, kernellab.__file__
X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0]
assert KernelRidge(kl.Gaussian(), lam=0.1).fit(X, y).certificate_.gap < 1e-12
machine = SVC(kl.Gaussian(), C=10.0).fit(X, ["a", "b", "a"])
assert machine.predict(X).tolist() == ["a", "b", "a"]
assert str((kl.Linear() + 1).verdict()) == "PROVEN"
import kernellab.grading, kernellab.testing
assert not {"sklearn", "matplotlib", "IPython"} & sys.modules.keys()
print(kernellab.__version__)
"""


def files_of(archive: Path) -> dict[str, bytes]:
    """Return the contents of an archive by name, without the folder of an sdist."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(archive) as source:
        members = [m for m in source.getmembers() if m.isfile()]
        return {
            m.name.partition("/")[2]: source.extractfile(m).read()  # type: ignore[union-attr]
            for m in members
        }


def require_clean(archive: Path) -> None:
    """Raise an error if the archive holds more than the library."""
    for name, content in files_of(archive).items():
        if not name.startswith(ALLOWED + ALSO_ALLOWED):
            raise SystemExit(f"{archive.name} holds {name}, which is no part of it")
        if any(answer in content for answer in ANSWERS) and name.endswith(".md"):
            raise SystemExit(f"{archive.name} holds {name}, which has answers in it")


def try_out(archive: Path) -> str:
    """Install an archive into a new environment; return the version that it says."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run = [str(python / "python"), "-I"]
        subprocess.run([*run, *install, str(archive.resolve())], check=True)
        done = subprocess.run(
            [*run, "-c", PROGRAM], check=True, cwd=folder, stdout=subprocess.PIPE
        )
    return done.stdout.decode().strip()


def main(folder: str) -> None:
    archives = sorted(Path(folder).glob("kernellab-*"))
    if [archive.suffix for archive in archives] != [".whl", ".gz"]:
        raise SystemExit(f"{folder} should hold one wheel and one sdist: {archives}")
    for archive in archives:
        require_clean(archive)
        size = archive.stat().st_size / 1e6
        print(f"{archive.name}: version {try_out(archive)} works, {size:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1])
