"""Processes that grade, and survive each other: a crash or a hang costs one answer.

Each thread of a class run owns one worker process and uses it again for the next
student, because starting one takes half a second. A worker that does not reply in time
is ended, a worker that died is replaced, and the request is tried once more.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.loading import PACKAGE
from kernellab.grading.classroom.marking import failed, from_json
from kernellab.grading.classroom.submissions import Submission
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome

START_TIMEOUT = 120.0  # seconds


class WorkerFailed(RuntimeError):
    """A worker gave no reply: it died, or was ended because it took too long."""


class Worker:
    """A grading process, started when it is first needed and again after a failure.

    Parameters
    ----------
    bank : where the questions come from.
    timeout : seconds that one answer may take.
    """

    def __init__(self, bank: Bank, timeout: float = 60.0) -> None:
        self.folders = [str(f) if f else None for f in (bank.folder, bank.tests)]
        self.timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._closed = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process; from then on every request fails at once."""
        self._closed = True
        self._stop()

    def read(self, paths: tuple[Path, ...]) -> Submission:
        """Return the answers in a student's notebooks."""
        request = {"task": "read", "paths": [str(path) for path in paths]}
        try:
            found = self._ask_twice(request)
        except WorkerFailed as error:
            return Submission({}, problems=(f"reading it failed: {error}",))
        notes, problems = tuple(found["notes"]), tuple(found["problems"])
        return Submission(found["answers"], notes, problems)

    def grade(
        self, question: Question, answer: str, *, exam: bool, seed: int, again: bool
    ) -> Outcome:
        """Return the outcome of one answer; `again` tries a second time after a
        failure.
        """
        request = {
            "task": "grade",
            "question": question.id,
            "answer": answer,
            "exam": exam,
            "seed": seed,
        }
        try:
            return from_json((self._ask_twice if again else self._ask)(request))
        except WorkerFailed as error:
            return failed(question, str(error))

    def _ask_twice(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._ask(request)
        except WorkerFailed:
            return self._ask(request)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._closed:
            raise WorkerFailed("the grading process was closed")
        if self._process is None:
            # Imports and sheets take their time, which is not the answer's.
            self._process = _start()
            self._exchange(self._process, {"task": "start"}, START_TIMEOUT)
        return self._exchange(self._process, request, self.timeout)

    def _exchange(
        self, process: subprocess.Popen[str], request: dict[str, Any], timeout: float
    ) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()
        timer = threading.Timer(timeout, _end, (process, late))
        timer.start()
        try:
            # A dead process breaks the pipe, and then its reply is the empty line.
            with contextlib.suppress(OSError):
                text = json.dumps(request | {"folders": self.folders})
                process.stdin.write(f"{text}\n")
                process.stdin.flush()
            line = process.stdout.readline()
        finally:
            timer.cancel()
        if line.endswith("\n") and not late.is_set():
            result: dict[str, Any] = json.loads(line)
            return result
        code = self._stop()
        why = f"no reply in {timeout:g} s" if late.is_set() else f"exit code {code}"
        raise WorkerFailed(f"the grading process failed ({why})")

    def _stop(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        _end(process)
        for pipe in (process.stdin, process.stdout):
            # What was not sent before the end cannot be flushed any more.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.returncode


def _start() -> subprocess.Popen[str]:
    # The package that runs here also runs there; and no module out of the current
    # folder, which may be full of students' files, is imported instead of ours.
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    path = os.pathsep.join(p for p in paths if p)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "kernellab.grading.classroom.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | one | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
        start_new_session=True,  # so that Ctrl-C reaches us alone
    )


def _end(process: subprocess.Popen[str], late: threading.Event | None = None) -> None:
    """Ask a process to leave, and end it if it does not."""
    if late is not None:
        late.set()
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
