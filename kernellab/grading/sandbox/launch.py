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


def launch(request: Message, limits: Limits, isolation: Isolation) -> ProgramRun:
    """Run a request in a child process, kept apart as demanded."""
    request |= {"path": paths.library(), "packages": paths.packages(), "users": []}
    if isolation is Isolation.BUBBLEWRAP:
        request["users"] = bubblewrap.users()
        command = bubblewrap.command(limits)
        environment = _environment(bubblewrap.CODE, bubblewrap.WRITABLE)
        return _converse(command, request, limits, environment, "/", isolation)
    with _folder() as here:
        environment = _environment(str(Path(__file__).parent), here)
        command = [sys.executable]
        return _converse(command, request, limits, environment, here, isolation)


def _converse(
    command: list[str],
    request: Message,
    limits: Limits,
    environment: dict[str, str],
    cwd: str,
    isolation: Isolation,
) -> ProgramRun:
    """Send the request and read the answer, until the end, too much, or too late."""
    most = 2 * limits.answer + (1 << 20)
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as printed:
        stdin.write(pack(request))
        stdin.seek(0)
        process = subprocess.Popen(
            [*command, *FLAGS],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=printed,  # a file, which the limit on files bounds
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
        late = threading.Event()
        timer = threading.Timer(limits.seconds, _end, (process, late))
        timer.start()
        with process:
            assert process.stdout is not None
            answer = process.stdout.read(most + 1)
            if len(answer) > most:
                _end(process)
            code = process.wait()  # it may have closed the pipe and gone on
        timer.cancel()
        _end(process)
        printed.seek(0)
        output = printed.read(limits.output)
    code = OUT_OF_TIME if late.is_set() else code if code >= 0 else 128 - code
    full = len(answer) > most
    return read_run(answer, output, len(request["cases"]), code, full, isolation)


def _environment(code: str, home: str) -> dict[str, str]:
    """Return nothing of ours; one thread each, for a class is graded in parallel.

    Sets are printed in the same order each time, so that reports repeat themselves.
    """
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {name: "1" for name in names} | {"PYTHONPATH": code}
    environment |= {"LANG": "C.UTF-8", "HOME": home, "TMPDIR": home}
    environment |= {"PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", os.defpath)}
    if "SYSTEMROOT" in os.environ:  # without it Windows starts no Python
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return environment


def _end(process: subprocess.Popen[bytes], late: threading.Event | None = None) -> None:
    """Kill the child and its group; bubblewrap takes all that it started with it."""
    if late is not None:
        late.set()
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
    if sys.platform == "win32":  # where signal 0 is not a harmless one
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*"):
        owner = folder.name.removeprefix(FOLDER).partition("-")[0]
        try:
            os.kill(int(owner), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError, OverflowError):
            continue
