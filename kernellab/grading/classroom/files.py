"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TextIO


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Write a text; `private` lets only its owner read it."""
    write_with(path, lambda file: file.write(text), private=private)


def write_with(
    path: Path, writer: Callable[[TextIO], object], *, private: bool = False
) -> None:
    """Let `writer` fill a new file, which then takes the place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    try:
        # newline="": the csv module ends its lines itself.
        with open(new, "w", encoding="utf-8", newline="", opener=_opener(private)) as f:
            writer(f)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _opener(private: bool) -> Callable[[str, int], int]:
    mode = 0o600 if private else 0o666  # less what the user's umask takes away
    return lambda name, flags: os.open(name, flags, mode)
