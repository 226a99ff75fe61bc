"""Exercise sheets in the file system: where they lie, and how one is loaded.

A sheet is a Python module ``NN_name.py`` (or a package of that name) that assigns
``SHEET`` at its top level. A folder of sheets is looked for in this order:

1. the environment variable ``KERNELLAB_EXERCISES``,
2. ``exercises/solutions`` or ``solutions``, in the current folder, then in each folder
   above it,
3. ``kernellab/exercises``, inside the installed package,
4. ``exercises/solutions`` beside the package: a checkout.

Sheets are programs of the instructor and are executed. A file is executed only if its
name has the form and its source assigns ``SHEET``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from kernellab.grading.questions.base import Sheet

VARIABLE = "KERNELLAB_EXERCISES"
PACKAGE = Path(__file__).resolve().parents[2]


class SheetError(ValueError):
    """A sheet that cannot be used: it says which file, and what is wrong with it."""


def find_folder() -> Path | None:
    """The first folder with sheets, in the order above; None if there is none."""
    named = os.environ.get(VARIABLE)
    if named:
        return check_folder(Path(named), f"the environment variable {VARIABLE}")
    return next((f.resolve() for f in candidates() if sheet_files(f)), None)


def check_folder(folder: Path, who: str) -> Path:
    """The folder as a full path, or an error if `who` named one without sheets."""
    if not sheet_files(folder):
        raise SheetError(
            f"{who} names {folder}: expected a folder with sheets, that is files "
            "NN_name.py that assign SHEET, and found none"
        )
    return folder.resolve()


def candidates() -> Iterator[Path]:
    """The places where a folder of sheets may be, without the environment's."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield folder / "exercises" / "solutions"
        yield folder / "solutions"
    yield PACKAGE / "exercises"
    yield PACKAGE.parent / "exercises" / "solutions"


def sheet_files(folder: Path) -> list[Path]:
    """The modules and packages of a folder that define a sheet, sorted by name."""
    try:
        modules = sorted(folder.glob("[0-9][0-9]_*.py"))
        packages = sorted(folder.glob("[0-9][0-9]_*/__init__.py"))
        return [path for path in modules + packages if _assigns_sheet(path)]
    except OSError:  # a folder above that we may not read
        return []


def _assigns_sheet(path: Path) -> bool:
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError):
        # A sheet with a slip must be reported, and by its loading; not overlooked.
        return b"SHEET" in path.read_bytes()
    targets = (_targets(statement) for statement in body)
    return any(
        isinstance(t, ast.Name) and t.id == "SHEET" for ts in targets for t in ts
    )


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, ast.AnnAssign) else []


@cache
def load_folder(folder: Path) -> tuple[Sheet, ...]:
    """The sheets of a folder in the order of their names; each is loaded once."""
    return tuple(load_sheet(path) for path in sheet_files(folder))


@cache
def load_sheet(path: Path) -> Sheet:
    """Execute a sheet's module and return its SHEET."""
    try:
        sheet = getattr(_execute(path), "SHEET", None)
    except Exception as error:
        raise SheetError(f"{path}: {type(error).__name__}: {error}") from error
    if not isinstance(sheet, Sheet):
        raise SheetError(f"{path}: SHEET must be a Sheet, not {type(sheet).__name__}")
    return sheet


def _execute(path: Path) -> ModuleType:
    package = path.name == "__init__.py"
    label = path.parent.name if package else path.stem
    # Two folders may hold sheets of the same name: the path tells them apart.
    mark = hashlib.sha256(str(path).encode("utf-8", "replace")).hexdigest()[:12]
    name = f"kernellab_sheet_{mark}_{label}"
    places = [str(path.parent)] if package else None
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=places
    )
    if spec is None or spec.loader is None:
        raise SheetError(f"{path}: not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses of the sheet look themselves up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def digest(folders: tuple[Path, ...]) -> str:
    """A hash of all that decides grades: these folders' sources, and kernellab's."""
    total = hashlib.sha256()
    for folder in (PACKAGE, *folders):
        for path in sorted(folder.rglob("*.py")):
            total.update(str(path.relative_to(folder)).encode("utf-8", "replace"))
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
