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
import tempfile
import threading
from pathlib import Path
from typing import Any

from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.loading import PACKAGE
from kernellab.grading.classroom.marking import failed, from_json, not_judged
from kernellab.grading.classroom.submissions import Submission
from kernellab.grading.questions.base import Question
from kernellab.grading.questions.outcome import Outcome
from kernellab.grading.sandbox import Isolation

START_TIMEOUT = 120.0  # seconds
PATIENCE = 10
"""Seconds of waiting for a second of computing: on a busy machine, time is scarce."""

LONGEST_COMPLAINT = 500  # bytes
OUT_OF_TIME = -27  # the exit code of a process that has used up its seconds (SIGPROF)


class WorkerFailed(RuntimeError):
    """A worker gave no reply: it died, or was ended because it took too long."""


class TooSlow(WorkerFailed):
    """A worker spent all the seconds of computing that an answer may take."""


class Worker:
    """A grading process, started when it is first needed and again after a failure.

    Parameters
    ----------
    bank : where the questions come from.
    timeout : seconds of computing that one answer may take.
    isolation : how code answers are kept apart.
    """

    def __init__(
        self,
        bank: Bank,
        timeout: float = 60.0,
        isolation: Isolation = Isolation.BUBBLEWRAP,
    ) -> None:
        self.folders = [str(f) if f else None for f in (bank.folder, bank.tests)]
        self.timeout = timeout
        self.isolation = isolation
        self._process: _Process | None = None
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
            "isolation": self.isolation.value,
        }
        try:
            return from_json((self._ask_twice if again else self._ask)(request))
        except TooSlow as error:
            return not_judged(question, str(error))
        except WorkerFailed as error:
            return failed(question, str(error))

    def _ask_twice(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._ask(request)
        except TooSlow:
            raise
        except WorkerFailed:
            return self._ask(request)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._closed:
            raise WorkerFailed("the grading process was closed")
        if self._process is None:
            # Imports and sheets take their time, which is not the answer's.
            self._process = _Process()
            self._exchange(self._process, {"task": "start"}, START_TIMEOUT)
        return self._exchange(self._process, request, self.timeout)

    def _exchange(
        self, process: _Process, request: dict[str, Any], seconds: float
    ) -> dict[str, Any]:
        line = process.ask(
            request | {"folders": self.folders, "seconds": seconds}, PATIENCE * seconds
        )
        if line.endswith("\n") and not process.late.is_set():
            result: dict[str, Any] = json.loads(line)
            return result
        code, said = self._stop(patience=2.0)
        if code == OUT_OF_TIME:
            raise TooSlow(f"it took more than {seconds:g} s of computing")
        late = f"no reply in {PATIENCE * seconds:g} s"
        why = late if process.late.is_set() else f"exit code {code} {said}".strip()
        raise WorkerFailed(f"the grading process failed ({why})")

    def _stop(self, patience: float = 0.0) -> tuple[int | None, str]:
        process, self._process = self._process, None
        return process.stop(patience) if process else (None, "")


class _Process:
    """A running `worker`; what it says on its standard error is kept for a report."""

    def __init__(self) -> None:
        # The package that runs here also runs there; and no module out of the current
        # folder, which may be full of students' files, is imported instead of ours.
        paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        path = os.pathsep.join(p for p in paths if p)
        end, self._lifeline = os.pipe()  # closes with us, and the worker ends
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed in `stop`
        self.late = threading.Event()
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.worker", str(end)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=os.environ | one | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
            encoding="utf-8",
            start_new_session=True,  # so that Ctrl-C reaches us alone
            pass_fds=() if sys.platform == "win32" else (end,),
        )
        os.close(end)

    def ask(self, request: dict[str, Any], patience: float) -> str:
        """Send a request and return the reply; without a newline if there is none."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        timer = threading.Timer(patience, self._give_up)
        timer.start()
        try:
            # A dead process breaks the pipe, and then its reply is the empty line.
            with contextlib.suppress(OSError):
                self._popen.stdin.write(json.dumps(request) + "\n")
                self._popen.stdin.flush()
            return self._popen.stdout.readline()
        finally:
            timer.cancel()

    def _give_up(self) -> None:
        self.late.set()
        self._popen.kill()

    def stop(self, patience: float) -> tuple[int, str]:
        """End the process, after waiting for it to end by itself; return its exit code
        and the last line of its complaints.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(patience)
        self._popen.kill()
        code = self._popen.wait()
        os.close(self._lifeline)
        for pipe in (self._popen.stdin, self._popen.stdout):
            # What was not sent before the end cannot be flushed any more.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with self._errors as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_COMPLAINT))
            lines = file.read().decode("utf-8", "replace").split("\n")
        return code, next((line for line in reversed(lines) if line.strip()), "")
