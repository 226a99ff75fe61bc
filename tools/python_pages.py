"""Put Python into a built site: the runtime, kernellab, questions, and a list.

    python tools/python_pages.py _build/html/_static/python

The standard library, NumPy, SciPy and kernellab are shipped as archives of what a page
can need, compiled to bytecode where that is possible (`tools/bytecode.py`), and so is
the memory of a Python that has imported them (`tools/snapshot.py`). The list,
`manifest.js`, is a script, so that a page can read it without a server; it names every
file with its size and its hash. Without a runtime it says so.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kernellab.grading.authoring.source import without_answers
from tools import bytecode, python_runtime, snapshot
from tools.archives import Files, content_hash, pack, pack_zip, unpack_zip
from tools.bytecode import NotCompiled, Part
from tools.python_runtime import CACHE, LOCK, PINNED, ROOT, NotAvailable, sha256

EXERCISES = "exercises"
DATA_SET = re.compile(rb"\bdata\.(\w+)\(")
SCRIPTS = ROOT / "_live" / "_static" / "live"
WORKER = ("worker.js", "interpreter.js")  # what a shared worker is made of
AHEAD = ("numpy",)  # what most calls need: in the memory, or downloaded at once
CODE = (".mjs", ".wasm")
STDLIB = "python_stdlib.zip"
UNUSED = re.compile(
    r"(^|/)tests/|\.(pyi|pxd|h|c|a|lib)$|\.dist-info/RECORD$"
    r"|^numpy/(f2py/src|_core/include|_pyinstaller|random/_examples)/"
)
"""What no page imports: tests, stubs for type checkers, headers for extensions."""

NOTICE = """\
Python in the page: what is in this folder, and whose it is.

Pyodide {pyodide} (CPython for WebAssembly, Mozilla Public License 2.0): pyodide.mjs,
pyodide.asm.mjs, pyodide.asm.wasm, unchanged, and python_stdlib. Its source is at
https://github.com/pyodide/pyodide. NumPy and SciPy (BSD licences, in the archives).
The archives hold the sources, or bytecode made from them, without the tests. That of
kernellab is the library of this site, MIT licence; that called snapshot, if there is
one, is the memory of a Python that has imported the others.
"""


def sources(root: Path = ROOT) -> dict[str, bytes]:
    """Return kernellab's files, and the questions, by their names below root."""
    asked = questions(root)
    parts = [p for p in (root / "kernellab").rglob("*") if p.suffix in (".py", ".css")]
    parts += measurements(root, asked)
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in parts}
    return dict(sorted((found | asked).items()))


def measurements(root: Path, asked: Mapping[str, bytes]) -> list[Path]:
    """Return the files of the data sets on which questions try a program."""
    used = {name.decode() for text in asked.values() for name in DATA_SET.findall(text)}
    files = sorted((root / "kernellab" / "data" / "files").iterdir())
    return [path for path in files if path.name.partition(".")[0] in used]


def questions(root: Path = ROOT) -> dict[str, bytes]:
    """Return the sheets and questions that a page can grade, without their answers."""
    found = {}
    for path in sorted((root / EXERCISES).glob("*/*")):
        if path.suffix not in (".md", ".py"):
            continue
        name = path.relative_to(root).as_posix()
        found[name] = without_answers(path.read_text(encoding="utf-8")).encode()
    return found


def parts_of(runtime: Files, library: Files, pinned: dict[str, Any]) -> dict[str, Part]:
    """Return what is packed into archives that Python imports from, by name."""
    locked = json.loads(runtime[LOCK])["packages"]
    wheels = {name: runtime[locked[name]["file_name"]] for name in pinned["packages"]}
    return {
        "python_stdlib": Part(unpack_zip(runtime[STDLIB]), "stdlib", pack_zip),
        **{name: Part(used(unpack_zip(wheel))) for name, wheel in wheels.items()},
        "kernellab": Part({n: d for n, d in library.items() if not is_question(n)}),
    }


def used(files: Files) -> dict[str, bytes]:
    """Return the files of a package that a page can need."""
    return {name: data for name, data in files.items() if not UNUSED.search(name)}


def is_question(name: str) -> bool:
    """Return whether a file of the library is an exercise, which is read as text."""
    return name.startswith(f"{EXERCISES}/")


def archives(
    runtime: Files, library: Files, pinned: dict[str, Any], cache: Path
) -> tuple[dict[str, bytes], str]:
    """Return the archives by name, and why they start slowly, or an empty text."""
    parts = parts_of(runtime, library, pinned)
    exercises = {EXERCISES: pack({n: d for n, d in library.items() if is_question(n)})}
    try:
        packed = bytecode.compile_parts(parts, cache)
    except NotCompiled as reason:
        sources = {name: part.pack(part.files) for name, part in parts.items()}
        return sources | exercises, str(reason)
    try:
        return packed | exercises | memory(packed, pinned, cache), ""
    except NotCompiled as reason:
        return packed | exercises, f"its memory could not be kept: {reason}"


def memory(packed: Files, pinned: dict[str, Any], cache: Path) -> dict[str, bytes]:
    """Return the archive from which a page can restore Python's memory."""
    later = {part for part in pinned["packages"] if part not in AHEAD}
    imported = {part: data for part, data in packed.items() if part not in later}
    script = SCRIPTS / "interpreter.js"
    return {snapshot.NAME: snapshot.take(imported, pinned["packages"], script, cache)}


def manifest(
    runtime: Files, library: Files, packed: Files, pinned: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return what a page needs to know, and the files that it names."""
    lock = json.loads(runtime[LOCK])
    names = {part: f"{part}-{sha256(data)[:12]}.pack" for part, data in packed.items()}
    files = {name: runtime[name] for name in pinned["core"] if name.endswith(CODE)}
    files |= {names[part]: data for part, data in packed.items()}
    at_once = () if snapshot.NAME in names else AHEAD
    later = {names[part] for part in pinned["packages"] if part not in at_once}
    sizes = {name: len(data) for name, data in files.items()}
    told = {
        "available": True,
        "build": content_hash({**files, **scripts()}),
        "pyodide": pinned["pyodide"],
        "lock": lock["info"],
        "archives": names,
        "ahead": [names[part] for part in AHEAD if part in names],
        "bytes": sum(sizes[name] for name in files if name not in later),
        "packages": {p: lock["packages"][p]["version"] for p in pinned["packages"]},
        "kernellab": {"version": version_of(library), "hash": content_hash(library)},
        "files": {
            name: {"bytes": sizes[name], "sha256": sha256(data)}
            for name, data in files.items()
        },
    }
    return told, files


def scripts() -> dict[str, bytes]:
    """Return the scripts of the worker: another script is another worker."""
    return {name: (SCRIPTS / name).read_bytes() for name in WORKER}


def version_of(files: Files) -> str:
    """Return the version that kernellab gives itself."""
    source = files["kernellab/__init__.py"].decode()
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return found[1] if found else "unknown"


def install(
    folder: Path,
    cache: Path = CACHE,
    library: Files | None = None,
    pinned: dict[str, Any] = PINNED,
) -> dict[str, Any]:
    """Write everything into a folder of the site, and return the manifest.

    Parameters
    ----------
    folder : where; by convention `_static/python` of the site.
    cache : where the runtime is.
    library : the files of kernellab; by default those of this checkout.
    pinned : what the runtime must be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    library = sources() if library is None else library
    try:
        runtime = python_runtime.cached(cache, pinned)
    except NotAvailable as reason:
        return write_manifest(folder, {"available": False, "why": str(reason)})
    packed, slow = archives(runtime, library, pinned, cache)
    told, files = manifest(runtime, library, packed, pinned)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    notice = NOTICE.format(pyodide=pinned["pyodide"])
    (folder / "NOTICE.txt").write_text(notice, encoding="utf-8")
    return write_manifest(folder, {**told, "slow": slow})


def write_manifest(folder: Path, told: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(told, indent=1)
    script = f"window.kernellabRuntime = {text};\n"
    (folder / "manifest.js").write_text(script, encoding="utf-8")
    return told


def summary(told: Mapping[str, Any]) -> str:
    """Return one line about what was installed."""
    if not told["available"]:
        return f"No Python for the pages: {told['why']}."
    size = sum(file["bytes"] for file in told["files"].values()) / 1e6
    slow = f"; it starts more slowly: {told['slow']}" if told["slow"] else ""
    return f"Python for the pages: {size:.0f} MB{slow}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    print(summary(install(parser.parse_args().folder)))


if __name__ == "__main__":
    main()
