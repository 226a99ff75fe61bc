"""Run strangers' programs, and see which of their processes are still there."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kernellab.grading.sandbox import Isolation, Limits, ProgramRun, demand, run


def run_stranger(
    source: str, *arguments: Any, limits: Limits | None = None
) -> ProgramRun:
    """Run a program with a function f in bubblewrap, and call it once."""
    with demand(Isolation.BUBBLEWRAP):
        return run(source, "f", [arguments], limits=limits)


def call_stranger(source: str, *arguments: Any, limits: Limits | None = None) -> Any:
    """The value of that call."""
    result = run_stranger(source, *arguments, limits=limits)
    assert result.returned, result
    assert result.returned[0].values is not None, result.returned[0]
    return result.returned[0].values[0]


def processes_of(mark: Path) -> list[str]:
    """The processes whose environment names a folder, for instance in their PATH."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if str(mark).encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether something comes true within ten seconds."""
    for _ in range(400):
        if condition():
            return True
        time.sleep(0.025)
    return False
