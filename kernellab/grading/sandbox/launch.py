"""Start the child, give it the request, collect what it says, and see it end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from . import bubblewrap, paths
from .child.messages import Message, pack
from .isolation import Isolation
from .limits import Limits
from .results import OUT_OF_TIME, ProgramRun, read_run

FLAGS = ("-s", "-S", "-P", "-B", "-X", "utf8", "-m", "child")
"""No site-packages, nothing of the user's or of the current folder, no cache."""

FOLDER = "kernellab-answer-"
START_SECONDS, LONGEST_LINE = 60.0, 1000
"""For the child to get ready: a busy machine is not the student's fault."""


def launch(request: Message, limits: Limits, isolation: Isolation) -> ProgramRun:
    """Run a request in a child process, kept apart as demanded."""
    request |= {"path": paths.library(), "packages": paths.packages()}
    cases = len(request["cases"])
    if isolation is Isolation.BUBBLEWRAP:
        command = bubblewrap.command(limits)
        environment = _environment(bubblewrap.CODE, bubblewrap.WRITABLE)
        came = _converse(command, pack(request), limits, environment, "/")
        return read_run(*came, cases, isolation)
    with _folder() as here:
        environment = _environment(str(Path(__file__).parent), here)
        came = _converse([sys.executable], pack(request), limits, environment, here)
    return read_run(*came, cases, isolation)


def _converse(
    command: list[str], request: bytes, limits: Limits, env: dict[str, str], cwd: str
) -> tuple[bytes, bytes, int, bool]:
    """Send the request and read the answer, until the end, too much, or too late.

    Return its messages, what it printed, its exit code (128 + n for signal n), and
    whether it sent more than it may.
    """
    most = 2 * limits.answer + (1 << 20)
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as printed:
        stdin.write(request)
        stdin.seek(0)
        process = subprocess.Popen(
            [*command, *FLAGS],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=printed,  # a file, which the limit on files bounds
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        assert process.stdout is not None
        with process.stdout as pipe:
            with _deadline(process, START_SECONDS):
                answer = pipe.readline(LONGEST_LINE)  # it is ready
            start = time.monotonic()
            with _deadline(process, limits.seconds):
                answer += pipe.read(most + 1)
                code = process.wait() if len(answer) <= most else 0
            late = time.monotonic() - start >= limits.seconds
        _end(process)
        process.wait()
        printed.seek(0)
        code = OUT_OF_TIME if late else code if code >= 0 else 128 - code
        return answer, printed.read(limits.output), code, len(answer) > most


def _environment(code: str, home: str) -> dict[str, str]:
    """Return nothing of ours; one thread each, and sets in the same order each time."""
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    own = {"PYTHONPATH": code, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}
    names = ("PATH", "SYSTEMROOT")  # without the latter Windows starts no Python
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return one | own | kept | {"PYTHONHASHSEED": "0"}


@contextlib.contextmanager
def _deadline(process: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    """End the child after so many seconds, or if we are interrupted."""
    timer = threading.Timer(seconds, _end, (process,))
    timer.start()
    try:
        yield
    except BaseException:
        _end(process)
        raise
    finally:
        timer.cancel()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the child and its group; bubblewrap takes all that it started with it."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    """Make a folder for a program that has no /tmp of its own, and remove it."""
    _sweep()
    folder = tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _sweep() -> None:
    """Remove, once, what graders that were killed have left behind."""
    left = Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*")
    for folder in left if sys.platform != "win32" else ():  # where signal 0 does harm
        with contextlib.suppress(OSError, ValueError, OverflowError):
            try:
                os.kill(int(folder.name.split("-")[2]), 0)
            except ProcessLookupError:
                shutil.rmtree(folder)
