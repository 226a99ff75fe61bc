"""Start the child, give it the request, collect what it says, and see it end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from itertools import islice
from pathlib import Path
from typing import IO

from .frames import Header, Malformed, pack, unpack
from .isolation import Isolation
from .limits import Limits
from .paths import layout
from .results import ProgramRun, Trouble, read_frames

GRACE = 5.0
"""Seconds that the supervisor has to end its processes when the time is over."""

_TIMED_OUT = 124
_OUT_OF_CPU = 128 + 24


def launch(request: Header, payload: bytes, limits: Limits) -> ProgramRun:
    """Run a request in a child, with a temporary folder that is removed afterwards."""
    workdir = tempfile.mkdtemp(prefix="answer-")
    try:
        grader = str(Path(__file__).resolve())
        files = {"workdir": os.path.realpath(workdir), "grader": grader, **layout()}
        message = pack({**request, "files": files}, payload)
        return _converse(message, len(request["cases"]), limits, workdir)
    finally:
        _remove(workdir)


def _converse(request: bytes, cases: int, limits: Limits, workdir: str) -> ProgramRun:
    with tempfile.TemporaryFile() as stdin:
        stdin.write(request)
        stdin.seek(0)
        process = subprocess.Popen(
            _command(),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=workdir,
            env=_environment(workdir),
            start_new_session=True,
        )
    answer = _Reader(process.stdout, limits.answer + 64 * cases + (1 << 20), process)
    output = _Reader(process.stderr, limits.output, None)
    code = _wait(process, limits)
    return _result(code, answer.collect(), output.collect(), cases, answer.full)


def _command() -> list[str]:
    """Python without site-packages, the user's own, or the folder it starts in."""
    start = Path(__file__).with_name("start.py")
    return [sys.executable, "-s", "-S", "-P", "-B", "-X", "utf8", str(start)]


def _environment(workdir: str) -> dict[str, str]:
    """Nothing of ours; one thread each, for a class is graded in parallel.

    Sets are printed in the same order each time, so that reports repeat themselves.
    """
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {name: "1" for name in names}
    environment |= {"LANG": "C.UTF-8", "HOME": workdir, "TMPDIR": workdir}
    environment |= {"PYTHONHASHSEED": "0"}
    if "SYSTEMROOT" in os.environ:  # without it Windows starts no Python
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return environment


class _Reader(threading.Thread):
    """Reads a pipe to its end, keeps as much as it may, and drops the rest.

    Parameters
    ----------
    pipe : what to read.
    most : how many bytes to keep.
    stop : the process to stop when there are more; None to read on.
    """

    def __init__(
        self, pipe: IO[bytes] | None, most: int, stop: subprocess.Popen[bytes] | None
    ) -> None:
        super().__init__(daemon=True)
        self.pipe, self.most, self.stop = pipe, most, stop
        self.data, self.full = bytearray(), False
        self.start()

    def run(self) -> None:
        """Until the last process that holds the other end has closed it."""
        assert self.pipe is not None
        while chunk := os.read(self.pipe.fileno(), 1 << 16):
            self.full = self.full or len(self.data) + len(chunk) > self.most
            self.data += chunk[: self.most - len(self.data)]
            if self.full and self.stop is not None:
                self.stop.terminate()

    def collect(self) -> bytes:
        """What was read; a process that kept the pipe open is not waited for long."""
        self.join(GRACE)
        if not self.is_alive() and self.pipe is not None:
            self.pipe.close()
        return bytes(self.data)


def _wait(process: subprocess.Popen[bytes], limits: Limits) -> int:
    """Its exit code; the supervisor keeps the time, and we mind the supervisor."""
    patience = GRACE if sys.platform != "win32" else 0.0
    try:
        return process.wait(limits.seconds + patience)
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        _kill_group(process)
        process.wait()
    return _TIMED_OUT


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """The last resort; not yet waited for, the number is still the group's own."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _result(
    code: int, answer: bytes, output: bytes, cases: int, full: bool
) -> ProgramRun:
    printed = output.decode("utf-8", "replace")
    frames = unpack(answer)
    try:
        first = [header for header, _ in islice(frames, 1)]
    except Malformed:
        first = []
    if not first or first[0].get("frame") != "isolation":
        return ProgramRun(end="start", output=printed)
    loaded, failed, returned, end = read_frames(frames, cases)
    return ProgramRun(
        returned=tuple(returned),
        failed=failed,
        loaded=loaded,
        end=_end(code, end, full, failed),
        output=printed,
        isolation=Isolation.of(first[0]["layers"]),
    )


def _end(code: int, frames: str, full: bool, failed: Trouble | None) -> str:
    if full:
        return "answer"
    if frames == "forged":
        return "forged"
    if code in (_TIMED_OUT, _OUT_OF_CPU):
        return "time"
    if frames == "done" or failed is not None:
        return ""
    return "crash" if code > 128 or code < 0 else "exit"


def _remove(folder: str) -> None:
    """Remove what the student left, whatever rights and depth they gave it."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        subprocess.run(["rm", "-rf", "--", folder], check=False, capture_output=True)
