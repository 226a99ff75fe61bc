"""What a student's program may use."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True)
class Limits:
    """Bounds on one run of a student's program.

    Parameters
    ----------
    seconds : wall-clock time for all the calls together, on a busy machine too.
    cpu : seconds of processor time: an endless loop ends here.
    memory : bytes of address space.
    disk : bytes of a file, and of all files where /tmp is the program's own.
    files : open files.
    processes : processes and threads, the program's own included.
    answer : bytes of all the values returned.
    output : bytes of printed text that are kept.
    source : characters of the program.
    """

    seconds: float = 10.0
    cpu: int = 5
    memory: int = GIB
    disk: int = 32 * MIB
    files: int = 64
    processes: int = 1
    answer: int = 16 * MIB
    output: int = 16 * KIB
    source: int = 200_000
