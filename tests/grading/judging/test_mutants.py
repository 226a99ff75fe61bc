"""The judge against random mutants and random rewrites, with floats as the oracle."""

from __future__ import annotations

import pytest

from kernellab.grading import Report, check_derivation
from kernellab.grading.certificates import Certificate
from kernellab.grading.checking import signs as checking
from kernellab.grading.checking.names import names_of
from kernellab.grading.classroom.bank import open_bank
from tests.grading.lines import Lines
from tests.grading.mutant_figures import prove
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


def test_a_matrix_of_ones_is_not_its_entry():
    """N·11ᵀ has the normal form of N, which may be inverted; it may not."""
    problem = open_bank().questions["centred-gram"].problem
    text = """
        H@H - H = ones(N)@ones(N).T@ones(N)@ones(N).T/N**2 - ones(N)@ones(N).T/N
        2*(H@H) - H = ones(N)@ones(N).T/N - ones(N)@ones(N).T/N
        """
    first, second = prove(problem, text).lines
    assert first.ok
    assert not second.ok
    known = checking.Signs(names_of(Certificate(problem, (), ())))
    words = Lines(problem)
    assert known.invertible(words.side("N**2"))
    assert not known.invertible(words.side("ones(N)@ones(N).T@ones(N)@ones(N).T"))
