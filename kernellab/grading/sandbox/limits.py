"""What a student's program may use."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True)
class Limits:
    """Bounds on one run of a student's program.

    Parameters
    ----------
    seconds : wall-clock time for all the calls together.
    cpu : seconds of processor time: an endless loop ends here, while an honest program
        on a busy machine has the wall-clock time.
    memory : bytes of address space.
    file_size : bytes of the largest file that may be written.
    disk : bytes of the temporary directory, where it is a file system of its own.
    files : open files.
    processes : processes and threads, the program's own included.
    answer : bytes of all the values returned.
    output : bytes of printed text that are kept.
    source : characters of the program.
    """

    seconds: float = 10.0
    cpu: int = 5
    memory: int = GIB
    file_size: int = 16 * MIB
    disk: int = 32 * MIB
    files: int = 64
    processes: int = 1
    answer: int = 16 * MIB
    output: int = 16 * KIB
    source: int = 200_000


def size_in_words(size: int) -> str:
    """A number of bytes, rounded down: "1 GiB", "64 MiB".

    Examples
    --------
    >>> size_in_words(3 << 29)
    '1.5 GiB'
    """
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{int(10 * size / unit) / 10:g} {name}"
    return f"{size} bytes"
