"""Exercise sheets in the file system: where they lie, and how they are read.

A sheet is a folder ``NN_name`` with a file ``sheet.md``: its title, and its texts and
questions in their order, a question as a line ``[id](id.md)`` that is a link to the
question's file. Questions that no sheet asks lie in a folder ``more``. The folder of
all sheets is looked for in this order:

1. the environment variable ``KERNELLAB_EXERCISES``,
2. the current folder, or ``exercises`` in it; then the same in each folder above it,
3. ``exercises`` beside the package: a checkout, or the archive of a page.

A question in Python is a program of the instructor and is executed; only files to which
a ``sheet.md`` links are.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from kernellab.grading.authoring import question
from kernellab.grading.questions.base import Question, Sheet

VARIABLE = "KERNELLAB_EXERCISES"
PACKAGE = Path(__file__).resolve().parents[2]
MORE = "more"
SOURCES = (".md", ".py")

_LINK = re.compile(r"\[[^\]]*\]\((?P<file>[^/()]+\.(?:md|py))\)\s*")


class SheetError(ValueError):
    """A sheet that cannot be used: it says which file, and what is wrong with it."""


def find_folder() -> Path | None:
    """Return the first folder with sheets, in the order above; None without any."""
    named = os.environ.get(VARIABLE)
    if named:
        return check_folder(Path(named), f"the environment variable {VARIABLE}")
    return next((f.resolve() for f in candidates() if sheet_folders(f)), None)


def check_folder(folder: Path, who: str) -> Path:
    """Return a folder as a full path, or raise an error if it has no sheets."""
    if not sheet_folders(folder):
        raise SheetError(
            f"{who} names {folder}: expected a folder with sheets, that is folders "
            "NN_name with a file sheet.md, and found none"
        )
    return folder.resolve()


def candidates() -> Iterator[Path]:
    """Yield the places where sheets may be, without the environment's."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield folder
        yield folder / "exercises"
    yield PACKAGE.parent / "exercises"


def sheet_folders(folder: Path) -> list[Path]:
    """Return the folders of the sheets, sorted by name."""
    try:
        return sorted(path.parent for path in folder.glob("[0-9][0-9]_*/sheet.md"))
    except OSError:  # a folder above that we may not read
        return []


# --- a sheet --------------------------------------------------------------------------


def question_files(folder: Path) -> dict[str, list[Path]]:
    """Return the files of the questions of each id, without reading any of them."""
    found: dict[str, list[Path]] = {}
    for sheet in sheet_folders(folder):
        for item in sheet_items(sheet):
            if isinstance(item, Path):
                found.setdefault(item.stem, []).append(item)
    for path in sorted((folder / MORE).glob("*.md")):
        found.setdefault(path.stem, []).append(path)
    return found


@cache
def sheet_items(folder: Path) -> tuple[str | Path, ...]:
    """Return the texts and the questions' files of a sheet, in their order.

    The first text holds the title and the introduction. A heading of the second level,
    or a question, begins another text.
    """
    lines = (folder / "sheet.md").read_text(encoding="utf-8").splitlines()
    parts: list[list[str] | Path] = [[]]
    for line in lines:
        last = parts[-1]
        if link := _LINK.fullmatch(line):
            parts.append(folder / link["file"])
        elif isinstance(last, Path) or line.startswith("## "):
            parts.append([line])
        else:
            last.append(line)
    texts = ("\n".join(p).strip() if isinstance(p, list) else p for p in parts)
    return tuple(text for text in texts if text)


@cache
def load_sheet(folder: Path) -> Sheet:
    """Read a sheet with all its questions."""
    first, *items = sheet_items(folder) or ("",)
    head, _, introduction = str(first).partition("\n")
    if isinstance(first, Path) or not head.startswith("# "):
        words = "expected a line “# Title” at the top"
        raise SheetError(f"{folder / 'sheet.md'}, line 1: {words}")
    _check_listed(folder, [item for item in items if isinstance(item, Path)])
    return Sheet(
        name=folder.name,
        title=head.removeprefix("# ").strip(),
        introduction=introduction,
        items=tuple(load_question(i) if isinstance(i, Path) else i for i in items),
    )


def _check_listed(folder: Path, listed: list[Path]) -> None:
    files = {p for p in folder.iterdir() if p.suffix in SOURCES and p.name[0] != "_"}
    forgotten = sorted(files - {folder / "sheet.md"} - set(listed))
    if forgotten:
        link = f"[{forgotten[0].stem}]({forgotten[0].name})"
        raise SheetError(
            f"{forgotten[0]} is not in {folder / 'sheet.md'}: put a line {link} where "
            "the question belongs, or move the file away"
        )


@cache
def load_question(path: Path) -> Question:
    """Read the question of a file; a Python file is executed for its QUESTION."""
    try:
        found = _read(path)
    except Exception as error:
        known = str(path) in str(error)
        said = str(error) if known else f"{path}: {type(error).__name__}: {error}"
        raise SheetError(said) from error
    if not isinstance(found, Question):
        kind = type(found).__name__
        raise SheetError(f"{path}: QUESTION must be a Question, not {kind}")
    if found.id != path.stem:
        raise SheetError(f"{path}: the id {found.id} must be the name of the file")
    return found


def _read(path: Path) -> object:
    if path.suffix == ".md":
        return question(path, path.read_text(encoding="utf-8"))
    return getattr(_execute(path), "QUESTION", None)


def _execute(path: Path) -> ModuleType:
    # Two folders may hold questions of the same name: the path tells them apart.
    mark = hashlib.sha256(str(path).encode("utf-8", "replace")).hexdigest()[:12]
    name = f"kernellab_question_{mark}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SheetError(f"{path}: not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses of the module look themselves up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def digest(folders: tuple[Path, ...]) -> str:
    """Return a hash of all that decides grades: these folders' sources, kernellab's."""
    total = hashlib.sha256()
    sources = [(PACKAGE, sorted(PACKAGE.rglob("*.py")))]
    for folder in folders:
        inside = [*sheet_folders(folder), folder / MORE]
        files = (p for place in inside for p in place.glob("*"))
        sources += [(folder, sorted(p for p in files if p.suffix in SOURCES))]
    for folder, paths in sources:
        for path in paths:
            total.update(str(path.relative_to(folder)).encode("utf-8", "replace"))
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
