"""The child: builds the walls, runs the worker behind them, and ends what it started.

    grader ── supervisor ── init of the process namespace ── worker (student's code)

The supervisor and init never run a line of the student's code and keep their rights,
so that the worker cannot signal or read them. When init ends, the kernel kills every
process in its namespace, whatever session it went to; without a namespace the
supervisor adopts the worker's orphans and kills them one by one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import traceback
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from .family import end_family, open_processes
from .frames import Header, pack, unpack_one, write
from .worker import work

if TYPE_CHECKING:
    from .walls import Walls

MOST_FILES = 256
"""More than we ever have open."""

TIMED_OUT = 124
FAILED = 70
"""Exit codes: out of time, and walls that could not be built."""


def main() -> int:
    """Read the request, serve it, exit as the worker did (128 + n for signal n)."""
    with os.fdopen(0, "rb", closefd=False) as stdin:
        request, payload = unpack_one(stdin.read())
    channel = _take_channel()
    if sys.platform == "win32" or "supervisor" in request["without"]:
        _work(request, payload, channel, {"session": "a process of its own"})
        return 0
    return _supervise(request, payload, channel)


def _take_channel() -> int:
    """Keep standard output for our frames; what is printed goes with the errors."""
    channel = os.dup(1)
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return channel


def _supervise(request: Header, payload: bytes, channel: int) -> int:
    from .walls import Walls

    walls = Walls(request, request["files"]["workdir"], {"session": "own session"})
    request["number"] = os.getpid()
    _prepare_to_stop()
    processes = open_processes() if sys.platform == "linux" else None
    deadline = time.monotonic() + request["limits"]["seconds"]
    walls.enter_namespaces()
    if "processes" in walls.layers:
        init = _fork_init(walls, payload, channel)
        os.close(channel)
        return _wait(init, deadline)
    if processes is not None:
        walls.layers["processes"] = "its orphans are killed"
    worker = _fork_worker(walls, payload, channel)
    os.close(channel)
    code = _wait(worker, deadline)
    _end_orphans(worker, processes)
    return code


def _prepare_to_stop() -> None:
    """The grader says SIGTERM when it has enough; if it dies, we end as well."""
    signal.signal(signal.SIGTERM, _stop)
    if sys.platform == "linux":
        from . import linux

        linux.adopt_orphans()
        linux.die_with_parent(signal.SIGTERM)


class _Stopped(BaseException):
    pass


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _Stopped


def _fork_init(walls: Walls, payload: bytes, channel: int) -> int:
    """Process 1 of the namespace: starts the worker, buries the dead, ends with it."""
    pid = os.fork()
    if pid:
        return pid
    from . import linux

    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        linux.die_with_parent(signal.SIGKILL)
        worker = _fork_worker(walls, payload, channel)
        os.close(channel)
        while True:
            ended, status = os.wait()
            if ended == worker:
                os._exit(_code(status))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(FAILED)


def _fork_worker(walls: Walls, payload: bytes, channel: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()  # signals to its own group reach nobody else
        os.closerange(3, channel)
        os.closerange(channel + 1, MOST_FILES)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.environ.update(HOME=walls.workdir, TMPDIR=walls.workdir)
        os.chdir(walls.workdir)  # before the change of user: its parents may be closed
        walls.lock()
        _work(walls.request, payload, channel, walls.layers)
        _flush()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(FAILED)


def _work(
    request: Header, payload: bytes, channel: int, layers: dict[str, str]
) -> None:
    """Say which walls stand, before any of the student's code; then run it."""
    vars(sys.modules[__package__])["__path__"] = []
    sys.path[:] = request["files"]["path"]
    sys.meta_path.append(_Packages(request["files"]["packages"]))

    def send(header: Header, data: bytes) -> None:
        _flush()
        write(channel, pack(header, data))

    import numpy  # noqa: F401  that it loads behind the walls is our part

    send({"frame": "isolation", "layers": layers}, b"")
    with contextlib.suppress(BaseException):  # the student broke our tools
        work(request, payload, send)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # closed, or the student's own
            stream.flush()


class _Packages:
    """Finds NumPy and SciPy where they are; nothing else that is installed there."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        """The specification of a package, as the import system asks for it."""
        from importlib.util import spec_from_file_location

        place = self.places.get(name)
        if place is None:
            return None
        return spec_from_file_location(
            name,
            os.path.join(place, "__init__.py"),
            submodule_search_locations=[place],
        )


def _code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _wait(worker: int, deadline: float) -> int:
    """Until the worker ends, the time is over, or the grader says stop."""
    pause = 0.001
    try:
        while True:
            ended, status = os.waitpid(worker, os.WNOHANG)
            if ended:
                return _code(status)
            if time.monotonic() > deadline:
                raise _Stopped
            time.sleep(pause)
            pause = min(1.5 * pause, 0.02)
    except _Stopped:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.kill(worker, signal.SIGKILL)  # nobody but us could have buried it
        os.waitpid(worker, 0)
        return TIMED_OUT


def _end_orphans(worker: int, processes: int | None) -> None:
    """Without a namespace: kill what the worker left, as far as we can name it."""
    if processes is not None:
        end_family(processes)
    else:
        with contextlib.suppress(OSError):  # those that stayed in its group
            os.killpg(worker, signal.SIGKILL)
