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

LARGEST_MEMORY = 4 << 30  # bytes of address space, where the system knows a limit


def main() -> None:
    """Serve requests until the input ends."""
    replies = _private_output()
    _limit_memory()
    # A worker that is told to stop leaves through its finally clauses, so that a
    # sandbox that it started is closed as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for line in sys.stdin:
        replies.write(json.dumps(reply(json.loads(line))) + "\n")
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
    return to_json(mark(question, request["answer"], exam=exam, seed=seed))


def _private_output() -> TextIO:
    """Take the standard output for the replies; prints go nowhere from now on."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return replies


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > LARGEST_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, hard))


if __name__ == "__main__":
    main()
