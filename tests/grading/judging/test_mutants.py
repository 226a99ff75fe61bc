"""The judge against collected derivations, random mutants and random rewrites."""

from __future__ import annotations

import pytest

from kernellab.grading import Report, check_derivation
from tests.grading.oracle import (
    NEEDED,
    random_mutants,
    random_rewrites,
    reason_mutants,
)
from tests.grading.texts import Entry, collected, read, read_known

RIGHT = [entry for problem in collected() for entry in read("right", problem)]
WRONG = [entry for problem in collected() for entry in read("wrong", problem)]
REFUSED = list(read_known("refused", "rewrites"))
ACCEPTED = list(read_known("accepted", "reasons"))
KNOWN = {entry.text for entry in (*REFUSED, *ACCEPTED)}
CHUNK = 15  # random texts per test, so that tests can run side by side


def sampled(cases):
    """Every fifth case for each run, the others for `make test-all`."""
    rest = pytest.mark.exhaustive
    return [pytest.param(c, marks=[rest] if i % 5 else []) for i, c in enumerate(cases)]


chunks = pytest.mark.parametrize("seed", sampled(range(1, 11)))


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


@chunks
def test_no_false_mutant_is_accepted(seed):
    accepted = [
        f"{name(entry)} step {mutant.number} ({mutant.edit}): {mutant.edited}"
        for entry, mutant in random_mutants(CHUNK, seed)
        if check(entry.problem, mutant.text).accepted
    ]
    assert not accepted, "\n".join(accepted)


@pytest.mark.parametrize("derivation", sampled(NEEDED), ids="/".join)
def test_no_missing_or_wrong_reason_is_accepted(derivation):
    accepted = [
        f"step {mutant.number}: {mutant.edited}"
        for entry, mutant in reason_mutants(derivation, seed=1)
        if mutant.text not in KNOWN and check(entry.problem, mutant.text).accepted
    ]
    assert not accepted, "\n".join(accepted)


@chunks
def test_right_rewrites_are_accepted(seed):
    rejected = []
    for entry, text in random_rewrites(CHUNK, seed):
        result = check(entry.problem, text)
        if not result.accepted and text not in KNOWN:
            rejected.append(f"{name(entry)}, step {result.first_bad}:\n{text}")
    assert not rejected, "\n".join(rejected)


@pytest.mark.xfail(reason="right, and refused: what the judge is known not to see")
@pytest.mark.parametrize("entry", REFUSED, ids=name)
def test_a_right_rewrite_that_is_refused(entry):
    assert check(entry.problem, entry.text).accepted


@pytest.mark.xfail(reason="a wrong reason for a true line, and accepted")
@pytest.mark.parametrize("entry", ACCEPTED, ids=name)
def test_a_wrong_reason_that_is_accepted(entry):
    assert not check(entry.problem, entry.text).accepted
