"""How the code answers of a class are kept apart: found out by trying, then said.

Strangers' code runs in bubblewrap or not at all. Those who trust every answer may say
so, and then what is not isolated says so as well, in the gradebook and in each report.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

from kernellab.grading.sandbox import Isolation, demand, run
from kernellab.grading.sandbox.bubblewrap import PROGRAM

PROBE = """
def f(path):
    try:
        open(path).close()
    except OSError:
        return 0
    return 1
"""
"""Returns 0 where the grader's own files are out of reach, as they must be."""


@dataclass(frozen=True)
class CodePolicy:
    """What is done with code answers.

    Parameters
    ----------
    isolation : how they are run; None if they are not.
    label : for the gradebook, "bubblewrap 0.8.0".
    words : a sentence for the terminal and the reports.
    """

    isolation: Isolation | None
    label: str
    words: str


def code_policy(*, trust: bool) -> CodePolicy:
    """Return how code answers are run here: isolated; or, if trusted, not; or not."""
    trouble = bubblewrap_trouble()
    if not trouble:
        label = _version()
        words = f"Code answers run isolated from everything else, by {label}."
        return CodePolicy(Isolation.BUBBLEWRAP, label, words)
    if trust:
        words = f"Code answers run without isolation, as --trust allows ({trouble})."
        return CodePolicy(Isolation.PROCESS, "none (--trust)", words)
    return CodePolicy(None, "code not run", refusal(trouble))


def refusal(trouble: str) -> str:
    """Return the one sentence that says why code is not run, and the ways out."""
    return (
        f"Code answers are not run, because they cannot be isolated here ({trouble}): "
        "install bubblewrap (and on Ubuntu 24.04 its AppArmor profile) or grade in the "
        "project's container, as SECURITY.md says, or add --trust if you trust every "
        "answer."
    )


@cache
def bubblewrap_trouble() -> str:
    """Return why bubblewrap does not isolate a program here; "" if it does."""
    if shutil.which(PROGRAM) is None:
        return "bubblewrap is not installed"
    with demand(Isolation.BUBBLEWRAP):
        result = run(PROBE, "f", [(__file__,)])
    if not result.returned or result.returned[0].values is None:
        said = " ".join(result.output.split())[-200:]
        return f"bubblewrap does not work: {said or 'it gave no reason'}"
    reached = int(result.returned[0].values[0])
    return "bubblewrap does not keep files apart" if reached else ""


def _version() -> str:
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
    return said.stdout.strip() or "bubblewrap"
