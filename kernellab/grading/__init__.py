"""A grader that reads mathematics.

Derivations are checked line by line in exact arithmetic; kernel proofs, refutations,
puzzles, values and code have graders of their own. In a notebook,
``%load_ext kernellab.grading`` makes the cell magic ``%%answer`` available; in a shell,
``python -m kernellab.grading`` checks a notebook or a class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernellab.grading.classroom.magics import load_ipython_extension
from kernellab.lazy import on_request

if TYPE_CHECKING:
    from kernellab.grading.authoring import question
    from kernellab.grading.checking import Verification, verify
    from kernellab.grading.classroom.session import (
        another,
        answer,
        hint,
        score,
        solution,
    )
    from kernellab.grading.judging.report import Line, Report
    from kernellab.grading.problem import Milestone, Problem, Route
    from kernellab.grading.problems import check_derivation
    from kernellab.grading.questions.base import Mistake, Question, Reference, Sheet
    from kernellab.grading.questions.code_questions import Cases, CodeQuestion
    from kernellab.grading.questions.derivations import Derivation
    from kernellab.grading.questions.kernel_questions import (
        KernelClaim,
        KernelProof,
        KernelRefutation,
    )
    from kernellab.grading.questions.outcome import Outcome
    from kernellab.grading.questions.puzzles import Block, Puzzle
    from kernellab.grading.questions.values import Value, Values
else:
    __getattr__ = on_request(
        __name__,
        {
            "authoring": "question",
            "checking": "Verification verify",
            "classroom.session": "another answer hint score solution",
            "judging.report": "Line Report",
            "problem": "Milestone Problem Route",
            "problems": "check_derivation",
            "questions.base": "Mistake Question Reference Sheet",
            "questions.code_questions": "Cases CodeQuestion",
            "questions.derivations": "Derivation",
            "questions.kernel_questions": "KernelClaim KernelProof KernelRefutation",
            "questions.outcome": "Outcome",
            "questions.puzzles": "Block Puzzle",
            "questions.values": "Value Values",
        },
    )

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
    "Verification",
    "another",
    "answer",
    "check_derivation",
    "hint",
    "load_ipython_extension",
    "question",
    "score",
    "solution",
    "verify",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
