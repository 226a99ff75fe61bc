"""Why a line fails."""
from __future__ import annotations
from collections.abc import Sequence
from kernellab.grading.check import Line
from kernellab.grading.problem import Problem
from kernellab.grading.steps import Step

def explain(problem: Problem, found: Sequence[Step], lines: Sequence[Line], seed: int, until: float) -> list[Line]:
    return list(lines)
