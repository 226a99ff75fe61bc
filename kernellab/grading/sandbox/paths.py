"""Which files a student's program may read: Python's library, NumPy and SciPy."""

from __future__ import annotations

import os
import sys
import sysconfig
from functools import cache
from pathlib import Path

PACKAGES = ("numpy", "scipy")

_LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/alternatives",
)
_DEVICES = ("/dev/null", "/dev/urandom")


@cache
def layout() -> dict[str, object]:
    """All that the child must know about files, as JSON can hold it.

    - path: its `sys.path`, the standard library alone;
    - packages: where NumPy and SciPy are;
    - roots: folders and files to read; hidden: folders in them to leave out;
    - links: symbolic links such as /lib → usr/lib;
    - devices: the harmless ones.
    """
    packages = _packages()
    below = [path for place in packages.values() for path in _with_libraries(place)]
    roots = _outermost([p for p in _roots() if not p.is_symlink()])
    return {
        "path": [str(path) for path in _library()],
        "packages": {name: str(place) for name, place in packages.items()},
        "roots": [str(path) for path in roots],
        "hidden": [str(path) for path in _hidden(roots)],
        "below": [str(path) for path in below],
        "links": {p: os.readlink(p) for p in _LIBRARIES if os.path.islink(p)},
        "devices": [path for path in _DEVICES if os.path.exists(path)],
    }


def expand(root: str, hidden: list[str]) -> list[str]:
    """The parts of `root` that together leave the hidden folders out."""
    if root in hidden:
        return []
    if not any(path.startswith(root.rstrip("/") + "/") for path in hidden):
        return [root]
    with os.scandir(root) as entries:
        names = sorted(entry.path for entry in entries)
    return [part for name in names for part in expand(name, hidden)]


def _library() -> list[Path]:
    """Where the standard library is: Python, and its compiled modules."""
    paths = sysconfig.get_paths()
    found = [Path(paths["stdlib"]).resolve(), Path(paths["platstdlib"]).resolve()]
    compiled = [path / "lib-dynload" for path in found]
    windows = [Path(sys.base_prefix) / "DLLs"] if sys.platform == "win32" else []
    # In a virtual environment "platstdlib" names the environment's own, which is bare.
    here = [path for path in found if (path / "os.py").exists()]
    return list(dict.fromkeys(here + [p for p in compiled + windows if p.exists()]))


def _packages() -> dict[str, Path]:
    from importlib.util import find_spec

    found = {}
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            found[name] = Path(spec.origin).resolve().parent
    return found


def _with_libraries(place: Path) -> list[Path]:
    """A package, and the shared libraries that its wheel puts beside it."""
    beside = place.with_name(place.name + ".libs")
    return [place, beside] if beside.exists() else [place]


def _roots() -> list[Path]:
    base = Path(sys.base_prefix).resolve()
    own = [base / "lib", base / "lib64"] if sys.platform != "win32" else []
    return [p for p in (*_library(), *own, *map(Path, _LIBRARIES)) if p.exists()]


def _outermost(paths: list[Path]) -> list[Path]:
    unique = sorted(set(paths))
    return [p for p in unique if not any(q in p.parents for q in unique)]


def _hidden(roots: list[Path]) -> list[Path]:
    """Where other packages are installed, and this one: no root may show them."""
    patterns = ("python3*/site-packages", "python3*/dist-packages")
    places = [root for root in roots if root.is_dir()]
    candidates = [p for place in places for name in patterns for p in place.glob(name)]
    candidates += [Path(entry).resolve() for entry in sys.path if entry]
    candidates += [Path(__file__).resolve().parents[2]]
    inside = [p for p in candidates if p.is_dir() and p not in _library()]
    return _outermost([p for p in inside if any(q in p.parents for q in roots)])
