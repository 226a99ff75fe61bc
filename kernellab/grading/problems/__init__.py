"""The problems of the course, by their ids."""

from __future__ import annotations

from difflib import get_close_matches

from kernellab.grading.problem import Problem
from kernellab.grading.problems import (
    duality,
    gaussian,
    kernels,
    lowrank,
    optimisation,
    perceptron,
    processes,
    ridge,
    rkhs,
    svm,
    trick,
)

PROBLEMS: dict[str, Problem] = {
    problem.id: problem
    for module in (
        ridge,
        duality,
        trick,
        kernels,
        rkhs,
        perceptron,
        processes,
        optimisation,
        svm,
        gaussian,
        lowrank,
    )
    for problem in module.PROBLEMS
}


def find(problem: str | Problem) -> Problem:
    """The problem of that id; a `Problem` is returned as it is."""
    if isinstance(problem, Problem):
        return problem
    if problem in PROBLEMS:
        return PROBLEMS[problem]
    close = get_close_matches(problem, PROBLEMS, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    known = ", ".join(sorted(PROBLEMS))
    raise KeyError(f"there is no problem “{problem}”{hint} The problems are: {known}")
