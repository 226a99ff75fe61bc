"""The derivation problems of the course by their names, read from its questions.

The problems live in the question files; nothing is read before a problem is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.judging import check
from kernellab.grading.judging.report import Report
from kernellab.grading.problem import Problem
from kernellab.grading.questions.derivations import Derivation


class _Problems(Mapping[str, Problem]):
    """The problems of the bank that is found from the current folder."""

    def __getitem__(self, name: str) -> Problem:
        return open_bank().problem(name)

    def __iter__(self) -> Iterator[str]:
        return iter(open_bank().problem_names)

    def __len__(self) -> int:
        return len(open_bank().problem_names)


PROBLEMS: Mapping[str, Problem] = _Problems()


def find(problem: str | Problem) -> Problem:
    """Return the problem of that name, or of the question of that name.

    A `Problem` is returned as it is.
    """
    if isinstance(problem, Problem):
        return problem
    if problem in PROBLEMS:
        return PROBLEMS[problem]
    bank = open_bank()
    asked = bank.question(problem) if problem in bank.files else None
    if isinstance(asked, Derivation):
        return asked.problem
    close = get_close_matches(problem, [*PROBLEMS, *bank.files], 1)
    hint = f"; did you mean {close[0]}?" if close else "."
    known = ", ".join(sorted(PROBLEMS)) or "none; start in the folder of the exercises"
    raise KeyError(f"there is no problem “{problem}”{hint} The problems are: {known}")


def check_derivation(
    problem: str | Problem,
    text: str,
    *,
    explanations: bool = True,
    seed: int | None = None,
) -> Report:
    """Check a derivation line by line.

    Parameters
    ----------
    problem : the name of a problem or of a question, such as "ridge-dual", or a
        `Problem`.
    text : one step per line, ``relation | reasons``.
    explanations : whether to look for counterexamples and repairs.
    seed : of the random instances; drawn afresh if None.

    Examples
    --------
    >>> r = check_derivation("push-through", "A@(A.T@A + I) = (A@A.T + I)@A | expand")
    >>> r.lines[0].ok, r.accepted, r.missing
    (True, False, ('the identity',))
    """
    return check.check_derivation(
        find(problem), text, explanations=explanations, seed=seed
    )
