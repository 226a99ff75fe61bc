"""A grader that reads mathematics.

Derivations are checked line by line in exact arithmetic; kernel proofs, refutations,
puzzles, values and code have graders of their own. In a notebook, importing this package
makes the cell magic ``%%answer`` available; in a shell, ``python -m kernellab.grading``
checks a notebook or a class.
"""

from __future__ import annotations

from kernellab.grading.magics import register
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.report import Report, check_derivation
from kernellab.grading.session import answer, hint, score

__all__ = [
    "Milestone",
    "Problem",
    "Report",
    "Route",
    "answer",
    "check_derivation",
    "hint",
    "score",
]

register()
