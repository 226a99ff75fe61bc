"""Which files a student's program needs: Python's library, NumPy and SciPy."""

from __future__ import annotations

import os
import sys
import sysconfig
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("numpy", "scipy")

_LIBRARIES = [f"{top}/lib{bits}" for top in ("", "/usr") for bits in ("", "64")]
_LIBRARIES += ["/usr/local/lib", "/nix/store", "/etc/ld.so.cache", "/etc/alternatives"]


@cache
def library() -> tuple[str, ...]:
    """Return the `sys.path` of the standard library alone."""
    paths = sysconfig.get_paths()
    found = [Path(paths[name]).resolve() for name in ("stdlib", "platstdlib")]
    # In a virtual environment "platstdlib" names the environment's own, which is bare.
    here = [path for path in found if (path / "os.py").exists()]
    compiled = [path / "lib-dynload" for path in found]
    compiled += [Path(sys.base_prefix) / "DLLs"]  # Windows
    return tuple(dict.fromkeys(map(str, here + [p for p in compiled if p.exists()])))


@cache
def packages() -> dict[str, str]:
    """Return the folders of NumPy and SciPy, by name; beside them may be `.libs`."""
    specs = {name: find_spec(name) for name in PACKAGES}
    return {
        name: str(Path(spec.origin).resolve().parent)
        for name, spec in specs.items()
        if spec is not None and spec.origin is not None
    }


def links() -> dict[str, str]:
    """Return the symbolic links among the system's libraries, such as /lib."""
    return {path: os.readlink(path) for path in _LIBRARIES if os.path.islink(path)}


@cache
def roots() -> tuple[Path, ...]:
    """Return the folders and files of all libraries, none of them inside another."""
    base = Path(sys.base_prefix).resolve()
    found = [base / "lib", base / "lib64", *map(Path, (*library(), *_LIBRARIES))]
    return _outermost([p for p in found if p.exists() and not p.is_symlink()])


def hidden(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return where other packages, and this one, are installed inside the roots."""
    patterns = ("python3*/site-packages", "python3*/dist-packages")
    places = [root for root in roots if root.is_dir()]
    candidates = [p for place in places for name in patterns for p in place.glob(name)]
    candidates += [Path(entry).resolve() for entry in sys.path if entry]
    candidates += [Path(__file__).resolve().parents[2]]
    own = set(map(Path, library()))
    inside = [p for p in candidates if p.is_dir() and p not in own]
    return _outermost([p for p in inside if any(q in p.parents for q in roots)])


def _outermost(paths: list[Path]) -> tuple[Path, ...]:
    unique = sorted(set(paths))
    return tuple(p for p in unique if not any(q in p.parents for q in unique))
