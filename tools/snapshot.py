"""The memory of the pages' Python, with NumPy and the grader imported.

To start Python and import the grader takes more than half of what a reader waits for.
When the site is built, Pyodide does that once, in Node.js, and its memory is written
down; a page restores it (`_live/_static/live/interpreter.js`), and starts in the usual
way where that fails.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from tools.archives import Files, content_hash, pack, unpack
from tools.bytecode import CACHE, forget_old, run_node, write

NAME = "snapshot"
PROGRAM = Path(__file__).with_suffix(".mjs")
LINKED = ("numpy/_core/_multiarray_umath.", "numpy/linalg/_umath_linalg.")
"""The libraries that NumPy links when it is imported; the page links them, too."""


def take(
    packed: Files,
    packages: Iterable[str],
    interpreter: Path,
    runtime: Path,
    cache: Path = CACHE,
) -> bytes:
    """Return an archive of the memory, and after it the libraries that it refers to.

    Parameters
    ----------
    packed : the archives of the standard library, of kernellab, and of the packages
        that are imported, by name.
    packages : the names of all packages that a page can load.
    interpreter : the script that restores the memory.
    runtime : the folder of Pyodide.
    cache : memories that were written down before.

    Raises
    ------
    NotCompiled
        Without Node.js, or if it fails.
    """
    programs = {p.name: p.read_bytes() for p in (PROGRAM, interpreter)}
    place = cache / f"{NAME}-{content_hash({**packed, **programs})}"
    if not place.exists():
        cache.mkdir(parents=True, exist_ok=True)
        write(place, _taken(packed, packages, interpreter, runtime.resolve()))
    place.touch()
    forget_old(cache.glob(f"{NAME}-*"))
    return place.read_bytes()


def _taken(
    packed: Files, packages: Iterable[str], interpreter: Path, runtime: Path
) -> bytes:
    libraries = {
        name: data
        for part in packages
        if part in packed
        for name, data in unpack(packed[part]).items()
        if name.startswith(LINKED) and name.endswith(".so")
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part, data in {**packed, "libraries": pack(libraries)}.items():
            (folder / part).write_bytes(data)
        run_node(PROGRAM, str(runtime), name, str(interpreter), *packages)
        return pack({"memory": (folder / "memory").read_bytes(), **libraries})
