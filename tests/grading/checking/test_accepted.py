"""What the judge accepts is checked a second time: the certificates of its proofs."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.checking import verify
from kernellab.grading.classroom.bank import open_bank
from tests.grading.exceptions import REFUSED
from tests.grading.texts import collected, read, written_by

ALWAYS = 2  # so many derivations of each problem are checked in every run
STUDENTS = [e for e in written_by("students") if f"{e.problem}/{e.name}" not in REFUSED]
EVERY = 40  # one of so many by students


def faults(entries):
    """Return the faults in the certificates of some derivations."""
    found = []
    for entry in entries:
        question = open_bank().questions.get(entry.problem)
        problem = entry.problem if question is None else question.problem
        report = check_derivation(problem, entry.text, explanations=False, seed=1)
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


def test_certificates_of_what_students_wrote_add_up():
    assert faults(STUDENTS[::EVERY]) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(1, EVERY))
def test_all_certificates_of_what_students_wrote_add_up(start):
    assert faults(STUDENTS[start::EVERY]) == []


@pytest.mark.parametrize("line", ["q.T >= 0", "2*q.T >= 0", "0 <= q.T"])
def test_a_number_and_its_transpose_have_one_sign(line):
    report = check_derivation("one-mistake", line, seed=1)
    assert report.lines[0].ok
    assert verify(report.certificate())
