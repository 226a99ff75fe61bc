"""The judge against collected derivations, random mutants and random rewrites."""

from __future__ import annotations

import pytest

from kernellab.grading import Report, check_derivation
from tests.grading.oracle import random_mutants, random_rewrites, reason_mutants
from tests.grading.texts import Entry, collected, read

RIGHT = [entry for problem in collected() for entry in read("right", problem)]
WRONG = [entry for problem in collected() for entry in read("wrong", problem)]
MUTANTS = 150
REWRITES = 150


def check(problem: str, text: str) -> Report:
    return check_derivation(problem, text, explanations=False, seed=5)


def name(entry: Entry) -> str:
    return f"{entry.problem}/{entry.name}"


def test_names_are_unique():
    for entries in (RIGHT, WRONG):
        names = [name(entry) for entry in entries]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("entry", RIGHT, ids=name)
def test_a_right_derivation_is_accepted(entry):
    result = check(entry.problem, entry.text)
    assert result.accepted, f"\n{result}"
    assert result.first_bad is None
    assert not result.missing


@pytest.mark.parametrize("entry", WRONG, ids=name)
def test_a_wrong_derivation_fails_at_the_right_step(entry):
    result = check(entry.problem, entry.text)
    assert not result.accepted, f"\n{result}"
    if entry.first_bad == "none":
        assert result.first_bad is None, f"\n{result}"
        assert result.missing
    elif entry.first_bad != "any":
        assert result.first_bad == int(entry.first_bad), f"\n{result}"


def test_no_false_mutant_is_accepted():
    accepted = [
        f"{name(entry)} step {mutant.number} ({mutant.edit}): {mutant.edited}"
        for entry, mutant in random_mutants(MUTANTS, seed=1)
        if check(entry.problem, mutant.text).accepted
    ]
    assert not accepted, "\n".join(accepted)


def test_no_missing_or_wrong_reason_is_accepted():
    accepted = [
        f"{name(entry)} step {mutant.number}: {mutant.edited}"
        for entry, mutant in reason_mutants(seed=1)
        if check(entry.problem, mutant.text).accepted
    ]
    assert not accepted, "\n".join(accepted)


def test_right_rewrites_are_accepted():
    rejected = []
    for entry, text in random_rewrites(REWRITES, seed=1):
        result = check(entry.problem, text)
        if not result.accepted:
            rejected.append(f"{name(entry)}, step {result.first_bad}:\n{text}")
    assert len(rejected) < REWRITES * 0.02, "\n".join(rejected)
