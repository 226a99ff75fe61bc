"""The judge against random mutants and random rewrites, with floats as the oracle."""

from __future__ import annotations

import pytest

from kernellab.grading import Report, check_derivation
from tests.grading.oracle import NEEDED, random_mutants, random_rewrites, unsaid

CHUNK = 15  # random texts per test, so that tests can run side by side


def sampled(cases):
    """The first case for each run, the others for `make test-all`."""
    rest = pytest.mark.exhaustive
    return [pytest.param(c, marks=[rest] if i else []) for i, c in enumerate(cases)]


chunks = pytest.mark.parametrize("seed", sampled(range(1, 11)))


def check(problem: str, text: str) -> Report:
    return check_derivation(problem, text, explanations=False, seed=5)


@chunks
def test_no_false_mutant_is_accepted(seed):
    accepted = [
        f"{entry.problem}/{entry.name} step {mutant.number}: {mutant.edited}"
        for entry, mutant in random_mutants(CHUNK, seed)
        if check(entry.problem, mutant.text).accepted
    ]
    assert not accepted, "\n".join(accepted)


@pytest.mark.parametrize("derivation", NEEDED, ids="/".join)
def test_what_must_be_said_is_missed(derivation):
    assert not check(derivation[0], unsaid(derivation)).accepted


@chunks
def test_right_rewrites_are_accepted(seed):
    rejected = []
    for entry, text in random_rewrites(CHUNK, seed):
        result = check(entry.problem, text)
        if not result.accepted:
            step = result.first_bad
            rejected.append(f"{entry.problem}/{entry.name}, step {step}:\n{text}")
    assert not rejected, "\n".join(rejected)
