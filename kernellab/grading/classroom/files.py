"""Files that are written whole or not at all, in a folder of one run at a time."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

NEW = ".new"


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Write a text; `private` lets only its owner read it, as with all grades."""
    write_with(path, lambda file: file.write(text), private=private)


def write_with(
    path: Path, writer: Callable[[TextIO], object], *, private: bool = False
) -> None:
    """Let `writer` fill a new file, which then takes the place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
    new = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}{NEW}")
    try:
        # newline="": the csv module ends its lines itself.
        with open(new, "w", encoding="utf-8", newline="", opener=_opener(private)) as f:
            writer(f)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Have a folder for oneself, cleared of files that a killed run left unfinished.

    Raises
    ------
    BlockingIOError
        If another process has it.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / ".lock", "w", opener=_opener(private=True)) as lock:
        with contextlib.suppress(ImportError):  # Windows
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the process
        for left in folder.rglob(f".*{NEW}"):
            left.unlink(missing_ok=True)
        yield


def _opener(private: bool) -> Callable[[str, int], int]:
    mode = 0o600 if private else 0o666  # less what the user's umask takes away
    return lambda name, flags: os.open(name, flags, mode)
