"""Notebook files as data from a stranger: their cells, or why they have none.

Nothing is executed and no link is followed; a file that is too large, no notebook, or
no plain file is a `SubmissionError` with the reason.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

LARGEST = 20_000_000  # bytes


class SubmissionError(ValueError):
    """A file that cannot be read as a notebook, and why."""


STUDENT = "kernellab"  # in the metadata of a student's own copy


def read_cells(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook file; anything else is a `SubmissionError`."""
    return [cell for cell in read_notebook(path)["cells"] if isinstance(cell, dict)]


def is_students(path: Path) -> bool:
    """Return whether a file is a student's own copy, made by `make lab`."""
    try:
        metadata = read_notebook(path).get("metadata")
    except SubmissionError:
        return False
    return isinstance(metadata, dict) and STUDENT in metadata


def read_notebook(path: Path) -> dict[str, Any]:
    """Return the content of a notebook file, in which `cells` is a list."""
    data = _read(path)
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise SubmissionError("not a notebook: the file is not UTF-8 text") from None
    except RecursionError:
        raise SubmissionError("not a notebook: its JSON is nested too deeply") from None
    except ValueError:
        raise SubmissionError("not a notebook: the file is not JSON") from None
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        raise SubmissionError("not a notebook: the JSON has no nbformat")
    if content["nbformat"] != 4:
        raise SubmissionError(
            f"nbformat {content['nbformat']}, expected 4: open the notebook in a "
            "current Jupyter and save it again"
        )
    if not isinstance(content.get("cells"), list):
        raise SubmissionError("not a notebook: it has no list of cells")
    return content


def _read(path: Path) -> bytes:
    try:
        kind = path.lstat()
        if stat.S_ISLNK(kind.st_mode):
            raise SubmissionError("a symbolic link, which is not followed")
        if not stat.S_ISREG(kind.st_mode):
            raise SubmissionError("not a file")
        if kind.st_size > LARGEST:
            raise SubmissionError(
                f"{kind.st_size / 1e6:.0f} MB, more than {LARGEST / 1e6:.0f} MB: clear "
                "the outputs and save it again"
            )
        # Between the look and the opening the file may have become something else.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags | getattr(os, "O_NONBLOCK", 0)), "rb") as f:
            return f.read(LARGEST + 1)
    except OSError as error:
        raise SubmissionError(f"cannot be opened: {error.strerror}") from None


def source_of(cell: dict[str, Any]) -> str:
    """Return the text of a cell, which nbformat keeps as a string or as a list of
    lines.
    """
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return valid(source) if isinstance(source, str) else ""


def valid(text: str) -> str:
    """Return a text that UTF-8 can hold."""
    # JSON can spell halves of characters, which no file and no terminal can hold.
    return text.encode("utf-8", "replace").decode()


def fingerprint(path: Path) -> str:
    """Return a hash of a file's bytes, or why it has none."""
    try:
        return hashlib.sha256(_read(path)).hexdigest()
    except SubmissionError as error:
        return str(error)
