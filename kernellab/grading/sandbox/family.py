"""End a process and all that descend from it, where no namespace does it for us.

A fork bomb refills as fast as it is killed. Therefore all are stopped first: a stopped
process cannot fork, and those that are stopped still count against the limit. When a
look around finds nobody new, all are killed.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

LOOKS = 3000
"""How often to look around, at most: some seconds."""


def open_processes() -> int | None:
    """The system's list of processes; kept open, it outlasts a change of root."""
    me = os.getpid()
    try:
        processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        os.stat(f"{me}/task/{me}/children", dir_fd=processes)
    except OSError:
        return None
    return processes


def end_family(processes: int) -> None:
    """Kill all our descendants; orphans count, for we adopt them."""
    stopped: set[int] = set()
    for _ in range(LOOKS):
        family = descendants(processes, os.getpid())
        new = family - stopped
        _signal(new, signal.SIGSTOP)
        if not new:
            _signal(family, signal.SIGKILL)
            if _bury():
                return
            time.sleep(0.001)
        stopped |= family


def descendants(processes: int, parent: int) -> set[int]:
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = [parent]
    while waiting:
        children = _children(processes, waiting.pop()) - found
        found |= children
        waiting += children
    return found


def _children(processes: int, pid: int) -> set[int]:
    """Of all its threads: each has a list of its own."""
    found: set[int] = set()
    with suppress(OSError):  # it is gone
        tasks = os.open(f"{pid}/task", os.O_RDONLY, dir_fd=processes)
        try:
            for thread in os.listdir(tasks):
                found |= _listed(tasks, f"{thread}/children")
        finally:
            os.close(tasks)
    return found


def _listed(folder: int, name: str) -> set[int]:
    def opener(path: str, flags: int) -> int:
        return os.open(path, flags, dir_fd=folder)

    with suppress(OSError), open(name, opener=opener) as file:
        return {int(word) for word in file.read().split()}
    return set()


def _signal(pids: set[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, number)


def _bury() -> bool:
    """Wait for those that have ended; whether nobody is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False
