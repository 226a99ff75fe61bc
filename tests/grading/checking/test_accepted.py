"""What the judge accepts is checked a second time: the certificates of its proofs."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.checking import verify
from tests.grading.texts import collected, read

ALWAYS = 2  # so many derivations of each problem are checked in every run


def faults(entries):
    """Return the faults in the certificates of some derivations."""
    found = []
    for entry in entries:
        text = entry.text
        report = check_derivation(entry.problem, text, explanations=False, seed=1)
        made = report.certificate()
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
