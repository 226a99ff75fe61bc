"""An oracle for the judge of derivations: random mutants and rewrites, in floats.

Run it by hand for thousands of them:

    python -m tests.grading.oracle --mutants 3000 --rewrites 2000 --seed 7
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tests.grading.exceptions import REFUSED
from tests.grading.float_instances import PROBLEMS, worlds
from tests.grading.floats import Misfit, Unknown, holds
from tests.grading.mutation import Mutant, mutants
from tests.grading.rewriting import rewrites
from tests.grading.texts import Entry, is_plain, read, steps, write

__all__ = [
    "mutants",
    "random_mutants",
    "random_rewrites",
    "rewrites",
    "truth",
    "unsaid",
]


@cache
def rank(problem: str, relation: str) -> int | None:
    """How special the worlds are where a relation holds: 0 is an identity.

    The number of modes if it holds in none of them; None if floats cannot tell.
    """
    modes = worlds(problem)
    ranks = {mode: GENERALITY.get(mode, 0) for mode in modes}
    try:
        for mode in sorted(modes, key=ranks.__getitem__):
            if all(holds(relation, world) for world in modes[mode]):
                return ranks[mode]
    except (Unknown, np.linalg.LinAlgError, OverflowError):
        return None
    except Misfit:
        return NOWHERE
    return NOWHERE


GENERALITY = {"stationary": 1, "optimum": 2}
NOWHERE = 3


def truth(
    problem: str, original: str, edited: str, assumed: bool = False
) -> bool | None:
    """Whether an edited line is still true; None if floats cannot tell.

    An identity must stay one; an equation must still hold at all stationary points,
    or at the optimum where the original one did only there.
    """
    before, after = rank(problem, original), rank(problem, edited)
    if before is None or after is None or before == NOWHERE:
        return None
    if after == NOWHERE:
        return False
    if assumed and before > 0:
        return None
    return True if after == before else None if after < before else False


def plain_texts() -> list[Entry]:
    """The right derivations in the Python-like syntax."""
    found = [entry for problem in PROBLEMS for entry in read("right", problem)]
    return [entry for entry in found if is_plain(entry.text)]


def random_mutants(count: int, seed: int) -> Iterator[tuple[Entry, Mutant]]:
    """Mutants whose edited line is false, so that they must not be accepted."""
    rng = random.Random(seed)
    entries = plain_texts()
    made = 0
    while made < count:
        entry = rng.choice(entries)
        mutant = next(mutants(entry.text, rng), None)
        if mutant is None:
            continue
        old, new = mutant.original.whole, mutant.edited.whole
        if truth(entry.problem, old, new, "assume" in entry.text) is False:
            made += 1
            yield entry, mutant


# What must be said, in derivations that need it: it changes what is known.
NEEDED: dict[tuple[str, str], str] = {
    ("ridge-dual", "matrix"): "suff",
    ("ridge-dual", "expanded"): "suff",
    ("ridge-dual", "assume-line"): "assume",
    ("gp-predictive", "small"): "independence",
    ("svm-dual", "sums"): "set",
}


def unsaid(derivation: tuple[str, str]) -> str:
    """Return a derivation of NEEDED without the words that it needs."""
    (problem, name), needed = derivation, NEEDED[derivation]
    entry = next(entry for entry in read("right", problem) if entry.name == name)
    return write(
        [
            replace(
                step,
                reasons=tuple(
                    "algebra" if reason.startswith(needed) else reason
                    for reason in step.reasons
                ),
            )
            for step in steps(entry.text)
        ]
    )


def random_rewrites(count: int, seed: int) -> Iterator[tuple[Entry, str]]:
    """Rewrites that are as right as the derivation they come from."""
    rng = random.Random(seed)
    entries = [e for e in plain_texts() if f"{e.problem}/{e.name}" not in REFUSED]
    for _ in range(count):
        entry = rng.choice(entries)
        yield entry, rewrites(entry.text, rng, entry.problem, rng.randint(1, 4))


def judged(problem: str, text: str) -> Any:
    """The judge's result, or None if it failed, which it never should."""
    from kernellab.grading import check_derivation

    try:
        return check_derivation(problem, text, explanations=False)
    except Exception as error:
        print(f"RAISED {error!r} in {problem}:\n{text}")
        return None


def run_mutants(count: int, seed: int) -> int:
    """Print the false mutants that are accepted, and count them."""
    accepted = 0
    for entry, mutant in random_mutants(count, seed):
        result = judged(entry.problem, mutant.text)
        if result is None or result.accepted:
            accepted += 1
            print(f"ACCEPTED {entry.problem}/{entry.name}, step {mutant.number}:")
            print(f"    {mutant.original}\n    {mutant.edited}   ({mutant.edit})")
    return accepted


def run_rewrites(count: int, seed: int) -> int:
    """Print the right rewrites that are rejected, and count them."""
    rejected = 0
    for entry, text in random_rewrites(count, seed):
        result = judged(entry.problem, text)
        if result is None or not result.accepted:
            rejected += 1
            print(f"REJECTED {entry.problem}/{entry.name}:\n{result}")
    return rejected


def main() -> None:
    """Run many, and print every disagreement."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--rewrites", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    accepted = run_mutants(options.mutants, options.seed)
    print(f"{accepted} of {options.mutants} false mutants accepted")
    rejected = run_rewrites(options.rewrites, options.seed)
    print(f"{rejected} of {options.rewrites} right rewrites rejected")
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
