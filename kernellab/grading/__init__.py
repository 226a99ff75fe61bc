"""A grader that reads mathematics.

Derivations are checked line by line in exact arithmetic; kernel proofs, refutations,
puzzles, values and code have graders of their own. In a notebook, importing this
package makes the cell magic ``%%answer`` available; in a shell,
``python -m kernellab.grading`` checks a notebook or a class.
"""

from __future__ import annotations

from kernellab.grading.check import Line
from kernellab.grading.code_questions import Cases, CodeQuestion
from kernellab.grading.derivations import Derivation
from kernellab.grading.kernel_questions import (
    KernelClaim,
    KernelProof,
    KernelRefutation,
)
from kernellab.grading.magics import register
from kernellab.grading.outcome import Outcome
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.puzzles import Block, Puzzle
from kernellab.grading.questions import Mistake, Question, Reference, Sheet
from kernellab.grading.report import Report, check_derivation
from kernellab.grading.session import answer, hint, score
from kernellab.grading.values import Value, Values

__all__ = [
    "Block",
    "Cases",
    "CodeQuestion",
    "Derivation",
    "KernelClaim",
    "KernelProof",
    "KernelRefutation",
    "Line",
    "Milestone",
    "Mistake",
    "Outcome",
    "Problem",
    "Puzzle",
    "Question",
    "Reference",
    "Report",
    "Route",
    "Sheet",
    "Value",
    "Values",
    "answer",
    "check_derivation",
    "hint",
    "score",
]

register()
