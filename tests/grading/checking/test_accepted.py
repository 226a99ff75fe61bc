"""What the judge accepts is checked a second time: the certificates of its proofs."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.checking import verify
from kernellab.grading.judging.certify import certificate
from kernellab.grading.judging.check import judge_text
from kernellab.grading.problems import PROBLEMS
from tests.grading.texts import collected, read

ALWAYS = 2  # so many derivations of each problem are checked in every run


def faults(entries):
    """Return the faults in the certificates of some derivations."""
    found = []
    for entry in entries:
        judged = judge_text(PROBLEMS[entry.problem], entry.text, seed=1)
        sound = {n: passed for n, passed in judged.passed.items() if passed.sound}
        made = certificate(judged.context, sound)
        assert made.proven, entry.name
        found += [f"{entry.name}: {fault}" for fault in verify(made).faults]
    return found


@pytest.mark.parametrize("problem", collected())
def test_certificates_of_accepted_lines_add_up(problem):
    assert faults(list(read("right", problem))[:ALWAYS]) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("problem", collected())
def test_all_certificates_add_up(problem):
    assert faults(list(read("right", problem))[ALWAYS:]) == []


@pytest.mark.parametrize("line", ["q.T >= 0", "2*q.T >= 0", "0 <= q.T"])
def test_a_number_and_its_transpose_have_one_sign(line):
    report = check_derivation("one-mistake", line, seed=1)
    assert report.lines[0].ok
    assert verify(report.certificate())
