"""Put Python into a built site: the runtime, kernellab, questions, and a list.

    python tools/python_pages.py _build/html/_static/python

The list, `manifest.js`, is a script, so that a page can read it without a server; it
names every file with its size and its hash. Without a runtime it says so.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kernellab.grading.authoring.source import without_answers
from tools import python_runtime
from tools.python_runtime import CACHE, PINNED, ROOT, NotAvailable, sha256

EXERCISES = "exercises"
PROGRAM = "\nkind: code\n"  # a question on code: its file holds the answer as code
EPOCH = (1980, 1, 1, 0, 0, 0)
NOTICE = """\
Python in the page: what is in this folder, and whose it is.

Pyodide {pyodide} (CPython for WebAssembly, Mozilla Public License 2.0): pyodide.mjs,
pyodide.asm.mjs, pyodide.asm.wasm, python_stdlib.zip, pyodide-lock.json. Its source is
at https://github.com/pyodide/pyodide. NumPy and SciPy (BSD licences, in the wheels).
They are unchanged. The archive of kernellab is the library of this site, MIT licence.
"""


def sources(root: Path = ROOT) -> dict[str, bytes]:
    """Return kernellab's files, and the questions, by their names below root."""
    parts = (p for p in (root / "kernellab").rglob("*") if p.suffix in (".py", ".css"))
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in parts}
    return dict(sorted((found | questions(root)).items()))


def questions(root: Path = ROOT) -> dict[str, bytes]:
    """Return the sheets and questions that a page can grade, without their answers."""
    found = {}
    for path in sorted((root / EXERCISES).glob("*/*")):
        if path.suffix not in (".md", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        if PROGRAM not in text:
            name = path.relative_to(root).as_posix()
            found[name] = without_answers(text).encode()
    return found


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of these files, the same for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            target.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def content_hash(files: Mapping[str, bytes]) -> str:
    """Twelve digits that change with any name or content."""
    total = hashlib.sha256()
    for name, data in files.items():
        total.update(f"{name}\0{sha256(data)}\n".encode())
    return total.hexdigest()[:12]


def version_of(files: Mapping[str, bytes]) -> str:
    """The version that kernellab gives itself."""
    source = files["kernellab/__init__.py"].decode()
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return found[1] if found else "unknown"


def manifest(
    runtime: Mapping[str, bytes],
    library: Mapping[str, bytes],
    packed: bytes,
    pinned: dict[str, Any],
) -> dict[str, Any]:
    """What a page needs to know: versions, and every file with size and hash."""
    version, mark = version_of(library), content_hash(library)
    name = f"kernellab-{version}-{mark}.zip"
    contents = {**runtime, name: packed}
    return {
        "available": True,
        "pyodide": pinned["pyodide"],
        "packages": pinned["packages"],
        "kernellab": {"version": version, "hash": mark, "archive": name},
        "files": {
            name: {"bytes": len(data), "sha256": sha256(data)}
            for name, data in contents.items()
        },
    }


def install(
    folder: Path,
    cache: Path = CACHE,
    library: Mapping[str, bytes] | None = None,
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
    packed = archive(library)
    told = manifest(runtime, library, packed, pinned)
    for name, data in {**runtime, told["kernellab"]["archive"]: packed}.items():
        (folder / name).write_bytes(data)
    (folder / "NOTICE.txt").write_text(NOTICE.format(**pinned), encoding="utf-8")
    return write_manifest(folder, told)


def write_manifest(folder: Path, told: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(told, indent=1)
    script = f"window.kernellabRuntime = {text};\n"
    (folder / "manifest.js").write_text(script, encoding="utf-8")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    told = install(parser.parse_args().folder)
    if not told["available"]:
        print(f"No Python for the pages: {told['why']}.")
        return
    size = sum(file["bytes"] for file in told["files"].values())
    print(f"Python for the pages: {size / 1e6:.1f} MB.")


if __name__ == "__main__":
    main()
