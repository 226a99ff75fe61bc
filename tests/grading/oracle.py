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

from tests.grading.float_instances import PROBLEMS, worlds
from tests.grading.floats import Misfit, Unknown, holds
from tests.grading.mutation import Mutant, mutants
from tests.grading.rewriting import rewrites
from tests.grading.texts import Entry, is_plain, read, steps, write

__all__ = [
    "mutants",
    "random_mutants",
    "random_rewrites",
    "reason_mutants",
    "rewrites",
    "truth",
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


# Derivations whose reasons, other than algebra, are all needed where they stand.
NEEDED: dict[tuple[str, str], tuple[str, ...]] = {
    ("ridge-dual", "matrix"): ("substitute", "def", "grad", "set", "suff", "inverse"),
    ("ridge-dual", "expanded"): ("substitute", "def", "grad", "set", "suff", "inverse"),
    ("ridge-dual", "assume-line"): ("cancel", "assume", "inverse"),
    ("ridge-dual", "residual"): ("let", "def", "grad", "set", "inverse"),
    ("ridge-dual", "push"): ("def", "grad", "set", "inverse"),
    ("ridge-predictor", "matrix"): ("substitute", "def"),
    ("svm-dual", "sums"): ("gradient", "derivative", "set", "def"),
    ("push-through", "right-first"): ("inverse",),
    ("push-through", "left-first"): ("inverse",),
    ("gp-predictive", "small"): ("let", "def", "inverse", "independence"),
    ("lml-gradient", "proved"): ("derivative", "inverse", "Jacobi"),
    ("product-kernel", "short"): ("def", "a sum of squares"),
    ("closure", "sum"): ("def", "psd"),
    ("closure", "diag"): ("def", "nonneg"),
    ("representer", "direct"): ("substitute", "def", "given", "nonneg"),
}


# Reasons that may do the work of another one, so that they replace none.
VAGUE = {"given", "gradient", "derivative", "Jacobi", "assume K invertible"}


def unlike(one: str, two: str) -> bool:
    """Whether two reasons are different ones, not two names of the same."""
    one, two = (reason.replace("let ", "def ") for reason in (one, two))
    return not one.startswith(two) and not two.startswith(one)


def reason_mutants(
    derivation: tuple[str, str], seed: int
) -> Iterator[tuple[Entry, Mutant]]:
    """Yield a derivation of NEEDED with one needed reason lost or exchanged."""
    rng = random.Random(seed)
    (problem, name), needed = derivation, NEEDED[derivation]
    entry = next(entry for entry in read("right", problem) if entry.name == name)
    found = steps(entry.text)
    pool = sorted({r for step in found for r in step.reasons} - VAGUE)
    for at, step in enumerate(found):
        for i, reason in enumerate(step.reasons):
            if not reason.startswith(needed):
                continue
            others = [r for r in pool if r.startswith(needed) and unlike(r, reason)]
            new = rng.choice(["algebra", "rearrange", *others])
            reasons = (*step.reasons[:i], new, *step.reasons[i + 1 :])
            edited = replace(step, reasons=reasons)
            text = write([*found[:at], edited, *found[at + 1 :]])
            yield entry, Mutant(text, at + 1, step, edited, "reason")


def random_rewrites(count: int, seed: int) -> Iterator[tuple[Entry, str]]:
    """Rewrites that are as right as the derivation they come from."""
    rng = random.Random(seed)
    entries = plain_texts()
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
    reasons = (mutant for key in NEEDED for mutant in reason_mutants(key, seed))
    for entry, mutant in (*random_mutants(count, seed), *reasons):
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
