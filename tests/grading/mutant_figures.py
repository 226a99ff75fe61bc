"""Random mutants of right derivations, before the prover and the checker alone.

python -m tests.grading.mutant_figures --mutants 2000 --seed 1

The test of truth is switched off, so that a false line is certified if a proof of it is
found; only then its truth is asked for. Every mutant that is certified is put to the
checker, too.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from unittest import mock

from kernellab.grading import verify
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging import judge as judging
from kernellab.grading.judging.check import check_derivation
from kernellab.grading.judging.report import Report
from kernellab.grading.judging.statements import Rejected
from kernellab.grading.judging.truth import holds
from kernellab.grading.problem import Problem
from kernellab.grading.problems import PROBLEMS
from kernellab.grading.questions.derivations import Derivation
from kernellab.grading.work import OutOfWork
from tests.grading import texts
from tests.grading.mutation import EDITS, edit_relation

Right = tuple[Problem, str]
PICKS = 20  # most of the random edits do not fit where they are tried


def derivations() -> list[list[Right]]:
    """Return the plain right derivations of each problem, wherever they stand."""
    found: dict[str, list[Right]] = {}
    for question in open_bank().questions.values():
        if isinstance(question, Derivation):
            for reference in question.references:
                add(found, question.problem, reference.answer)
    for problem in texts.collected():
        for entry in texts.read("right", problem):
            add(found, PROBLEMS[problem], entry.text)
    for entry in texts.written_by("students"):
        known = open_bank().questions.get(entry.problem)
        add(found, known.problem if known else PROBLEMS[entry.problem], entry.text)
    return [found[name] for name in sorted(found)]


def add(found: dict[str, list[Right]], problem: Problem, text: str) -> None:
    """Keep a derivation that the mutations can read."""
    if texts.is_plain(text) and texts.steps(text):
        found.setdefault(problem.id, []).append((problem, text))


def random_mutants(count: int, rng: random.Random) -> Iterator[tuple[Problem, str]]:
    """Yield mutants up to the line that was edited, of each problem in turn."""
    problems = derivations()
    made = 0
    for i in range(PICKS * count):
        problem, text = rng.choice(problems[i % len(problems)])
        steps = texts.steps(text)
        at = rng.randrange(len(steps))
        edited = edit_relation(steps[at], rng.choice(EDITS), rng)
        if steps[at].states or edited is None or edited.whole == steps[at].whole:
            continue
        made += 1
        yield problem, texts.write([*steps[:at], edited])
        if made == count:
            return


def unexplained(*_: object) -> Rejected:
    """Refuse without a search for what to say."""
    return Rejected("this is not proved", "unproved")


def prove(problem: Problem, text: str) -> Report:
    """Judge a text by proofs alone."""
    proofs_alone = {"holds": lambda *_: True, "refusal": unexplained}
    with mock.patch.multiple(judging, **proofs_alone):
        return check_derivation(problem, text, explanations=False, seed=5)


def truth(judged: Report) -> bool | None:
    """Return whether the last line is true in random exact instances."""
    try:
        return holds(judged.context, judged.context.statements[-1])
    except (Undecided, OutOfWork):
        return None


def verdict(problem: Problem, text: str) -> str:
    """Return what becomes of a mutant, in a word or two."""
    judged = prove(problem, text)
    if not judged.lines or not judged.lines[-1].ok or not judged.context.statements:
        return "refused"
    checked = bool(verify(judged.certificate()))
    kind = {True: "true", False: "FALSE", None: "undecided"}[truth(judged)]
    return f"certified, {kind}, checker {'agrees' if checked else 'refuses'}"


def main() -> None:
    """Print how many mutants are certified, and each that is false."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start, counts = time.process_time(), Counter[str]()
    for problem, text in random_mutants(options.mutants, random.Random(options.seed)):
        found = verdict(problem, text)
        counts[found] += 1
        if found not in ("refused", "certified, true, checker agrees"):
            print(f"{found} in {problem.id}:\n{text}", flush=True)
    for found, count in counts.most_common():
        print(f"{count:6} {found}")
    print(f"{time.process_time() - start:.0f} s of CPU")


if __name__ == "__main__":
    main()
