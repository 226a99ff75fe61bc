"""The process that grades for a class: one request a line, one reply a line.

It reads JSON from its standard input and replies in JSON; see `workers` for the other
side. What the answers print, or the graders, never reaches the replies.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, TextIO

from kernellab.grading.classroom.bank import stored_bank
from kernellab.grading.classroom.marking import mark, to_json
from kernellab.grading.classroom.submissions import read_submission
from kernellab.grading.sandbox import Isolation, demand

LARGEST_MEMORY = 4 << 30  # bytes of address space, where the system knows a limit
LARGEST_FILE = 64 << 20  # bytes that may be written to one file


def main() -> None:
    """Serve requests until the input ends, or the grader does."""
    replies = _private_output()
    if sys.platform != "win32":
        _end_with_the_grader(int(sys.argv[1]))
        _limit("AS", LARGEST_MEMORY)
        _limit("FSIZE", LARGEST_FILE)
    for line in sys.stdin:
        request = json.loads(line)
        _allow(request["seconds"])
        replies.write(json.dumps(reply(request)) + "\n")
        replies.flush()


def reply(request: dict[str, Any]) -> dict[str, Any]:
    """Do what a request asks for: get ready, read a submission, grade one answer."""
    bank = stored_bank(*(Path(f) if f else None for f in request["folders"]))
    if request["task"] == "start":
        return {"questions": len(bank.questions)}
    if request["task"] == "read":
        found = read_submission(map(Path, request["paths"]), bank)
        return {
            "answers": found.answers,
            "notes": found.notes,
            "problems": found.problems,
        }
    question = bank.question(request["question"])
    exam, seed = request["exam"], request["seed"]
    with demand(Isolation(request["isolation"])):
        return to_json(mark(question, request["answer"], exam=exam, seed=seed))


def _private_output() -> TextIO:
    """Take the standard output for the replies; prints go nowhere from now on."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return replies


def _end_with_the_grader(lifeline: int) -> None:
    """Be ended by the system as soon as the grader is gone, in the midst of anything.

    Nobody writes to the pipe; when its other end closes, the kernel sends SIGIO, which
    no Python code needs to see.
    """
    import fcntl

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | getattr(os, "O_ASYNC", 0))


def _allow(seconds: float) -> None:
    """Be ended by the system after so many seconds of computing, not of waiting."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit(what: str, bound: int) -> None:
    """Lower or move a limit of this process, as far as the system lets us."""
    import resource

    kind = getattr(resource, f"RLIMIT_{what}")
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY or hard > bound:
        resource.setrlimit(kind, (bound, hard))


if __name__ == "__main__":
    main()
