"""The judge against collected derivations: right ones, wrong ones, cheats."""

from __future__ import annotations

import pytest

from kernellab.grading import Report, check_derivation
from kernellab.grading.classroom.bank import open_bank
from tests.grading.exceptions import MISJUDGED, PAID, REFUSED
from tests.grading.texts import Entry, collected, read, written_by

RIGHT = [entry for problem in collected() for entry in read("right", problem)]
WRONG = [entry for problem in collected() for entry in read("wrong", problem)]
STUDENTS = list(written_by("students"))
CHEATS = list(written_by("cheats"))
WORTHLESS_PAYS_AT_MOST = 0.1


def name(entry: Entry) -> str:
    return f"{entry.problem}/{entry.name}"


def cases(entries: list[Entry], known: dict[str, str], every: int) -> list[object]:
    """All entries; one of so many for each run, the others for `make test-all`."""
    found = []
    for i, entry in enumerate(entries):
        marks = [pytest.mark.exhaustive] if i % every else []
        if name(entry) in known:
            marks.append(pytest.mark.xfail(reason=known[name(entry)]))
        found.append(pytest.param(entry, marks=marks, id=name(entry)))
    return found


def check(entry: Entry) -> Report:
    problem = open_bank().questions.get(entry.problem)
    known = entry.problem if problem is None else problem.problem
    return check_derivation(known, entry.text, explanations=False, seed=5)


def test_names_are_unique():
    for entries in (RIGHT, WRONG, STUDENTS, CHEATS):
        names = [name(entry) for entry in entries]
        assert len(set(names)) == len(names)


def test_known_exceptions_exist():
    assert REFUSED.keys() <= {name(entry) for entry in (*RIGHT, *STUDENTS)}
    assert MISJUDGED.keys() <= {name(entry) for entry in WRONG}
    assert PAID.keys() <= {name(entry) for entry in CHEATS}


@pytest.mark.parametrize("entry", cases([*RIGHT, *STUDENTS], REFUSED, 10))
def test_a_right_derivation_is_accepted(entry):
    result = check(entry)
    assert result.accepted, f"\n{result}"
    assert result.first_bad is None
    assert not result.missing


@pytest.mark.parametrize("entry", cases(WRONG, MISJUDGED, 10))
def test_a_wrong_derivation_fails_at_the_right_step(entry):
    result = check(entry)
    assert not result.accepted, f"\n{result}"
    if entry.first_bad == "none":
        assert result.first_bad is None, f"\n{result}"
        assert result.missing
    elif entry.first_bad != "any":
        assert result.first_bad == int(entry.first_bad), f"\n{result}"


@pytest.mark.parametrize("entry", cases(CHEATS, PAID, 7))
def test_a_cheat_is_not_paid(entry):
    result = check(entry)
    assert not result.accepted, f"\n{result}"
    if entry.about.endswith("worthless"):
        assert result.score <= WORTHLESS_PAYS_AT_MOST, f"\n{result}"
