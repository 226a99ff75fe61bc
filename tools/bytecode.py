"""Compile what the pages' Python imports, so that no reader's browser has to.

Bytecode belongs to one version of Python, so Pyodide itself compiles, in Node.js: the
one that comes with Playwright, or one that is installed. Whoever has neither gets the
sources into the site, which are as correct and start more slowly. What was compiled is
kept in `.cache/python-compiled`, by the hash of what it was made of.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.archives import Files, content_hash, pack, tar, unpack

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "python-compiled"
PROGRAM = Path(__file__).with_suffix(".mjs")
SECONDS = 600
"""How long compiling may take; a quiet machine needs 20 seconds for everything."""
KEPT = 3
"""How many versions of a part the cache keeps."""


class NotCompiled(Exception):
    """Nothing could be compiled; the message says why."""


@dataclass(frozen=True)
class Part:
    """What is packed into one archive.

    Parameters
    ----------
    files : the contents by their names.
    root : where the browser's Python will find them, among its packages or in its
        standard library ("stdlib"); it stands in tracebacks.
    pack : makes the archive.
    """

    files: Files
    root: str = "packages"
    pack: Callable[[Files], bytes] = pack


def find_node() -> str | None:
    """Return the path of Node.js: Playwright's own, or the one installed, or None."""
    found = importlib.util.find_spec("playwright")
    if found and found.origin:
        name = "node.exe" if os.name == "nt" else "node"
        own = Path(found.origin).parent / "driver" / name
        if own.exists():
            return str(own)
    return shutil.which("node")


def compile_parts(
    parts: Mapping[str, Part], runtime: Path, cache: Path = CACHE
) -> dict[str, bytes]:
    """Return an archive of each part, with bytecode, ``a.pyc``, instead of ``a.py``.

    Parameters
    ----------
    parts : by name.
    runtime : the folder of Pyodide.
    cache : what was compiled before.

    Raises
    ------
    NotCompiled
        Without Node.js, or if it fails.
    """
    places = {name: cache / f"{name}-{key(part)}" for name, part in parts.items()}
    missing = {name: parts[name] for name in parts if not places[name].exists()}
    cache.mkdir(parents=True, exist_ok=True)
    if missing:
        for name, data in run(missing, runtime.resolve()).items():
            write(places[name], parts[name].pack(unpack(data)))
    for name, path in places.items():
        path.touch()
        forget_old(cache.glob(f"{name}-*"))
    return {name: path.read_bytes() for name, path in places.items()}


def forget_old(paths: Iterable[Path]) -> None:
    """Remove all but those that were used last."""
    for path in sorted(paths, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        path.unlink(missing_ok=True)


def key(part: Part) -> str:
    """Return a hash of all that decides what is compiled."""
    program = {"program": PROGRAM.read_bytes(), "root": part.root.encode()}
    return content_hash({**part.files, **program})


def write(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever reads half of it."""
    half = path.with_name(f"half-{os.getpid()}")
    half.write_bytes(data)
    half.replace(path)


def run(parts: Mapping[str, Part], runtime: Path) -> dict[str, bytes]:
    """Compile, and return the archives."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in parts:
            (folder / part).write_bytes(tar(parts[part].files))
        jobs = [f"{part}={parts[part].root}" for part in parts]
        run_node(PROGRAM, str(runtime), name, *jobs)
        return {p: (folder / f"{p}.compiled").read_bytes() for p in parts}


def run_node(program: Path, *arguments: str) -> None:
    """Run a program of Node.js; `NotCompiled` says why it failed."""
    node = find_node()
    if node is None:
        raise NotCompiled("there is no Node.js and no Playwright")
    command = [node, str(program), *arguments]
    try:
        subprocess.run(
            command, check=True, timeout=SECONDS, capture_output=True, text=True
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip().splitlines() or ["no message"]
        raise NotCompiled(f"Node.js failed: {said[-1]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotCompiled(f"Node.js failed: {error}") from error
