"""What is odd about a class is said, and nobody gains or loses by it unseen."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from kernellab.grading.classroom import grade as classroom
from kernellab.grading.classroom import isolation
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.cli import main
from kernellab.grading.classroom.files import owned
from kernellab.grading.classroom.grade import ClassError, GradingRun, grade_class
from kernellab.grading.classroom.isolation import bubblewrap_trouble, code_policy
from kernellab.grading.classroom.loading import VARIABLE
from kernellab.grading.classroom.students import find_entries
from tests.grading.fake_course import ISOLATED, LocalWorker, hand_in, make_course

RIGHT, OTHER = "%%answer one\nright", "%%answer three\nright"

CODE = """
from kernellab.grading.questions.base import Reference
from kernellab.grading.questions.code_questions import CodeQuestion

QUESTION = CodeQuestion(
    id="twice",
    title="Twice",
    statement="Return $2x$.",
    points=2,
    references=(Reference("def twice(x): return 2 * x"),),
    function="twice",
    signature="def twice(x):",
    reference=lambda x: 2 * x,
    inputs=lambda rng, size: (rng.integers(1, 9, size),),
    cases=2,
)
"""


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """Two sheets, of which the second also asks for a program."""
    monkeypatch.setattr(classroom, "Worker", LocalWorker)
    folder = make_course(tmp_path / "course")
    (folder / "02_second" / "twice.py").write_text(CODE)
    sheet = folder / "02_second" / "sheet.md"
    sheet.write_text(sheet.read_text() + "\n\n[](twice.py)\n")
    monkeypatch.setenv(VARIABLE, str(folder))
    monkeypatch.chdir(tmp_path)
    return Bank(folder)


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "bubblewrap_trouble", lambda: "it is not there")


def grade(bank: Bank, **more: Any) -> classroom.ClassGrades:
    run = GradingRun(bank, seed=7, jobs=1, code=more.pop("code", ISOLATED))
    return grade_class(Path("room"), Path("grades"), run, **more)


def test_answers_to_another_sheet_are_noticed(bank: Bank) -> None:
    for name in "abc":
        hand_in(Path("room", f"{name}.ipynb"), RIGHT)
    hand_in(Path("room", "wrong.ipynb"), OTHER)
    grades = grade(bank, sheets=(bank.sheet("01"),))
    note = "answers to another sheet, 02_second, which is not graded here: 1"
    assert grades.remarks == [f"wrong: {note}"]
    assert note in Path("grades", "reports", "wrong.html").read_text()
    assert grades.results[3].status == "graded"
    content = json.loads(Path("grades", "grades.json").read_text())
    assert content["students"][3]["notes"] == [note]
    # Without a choice of sheets, one student makes a sheet count for all.
    (said,) = grade(bank).remarks
    assert said.startswith("02_second counts for everybody, and 1 of 4 have answered")


def test_ids_that_look_alike_and_double_names_are_flagged(bank: Bank) -> None:
    names = ["alice", "аlice", "bob", "Jane Doe_1_assignsubmission_file_"]
    names += ["Jane  Doe_2_assignsubmission_file_", "s10", "slo", "müller"]
    for name in names:
        hand_in(Path("room", name, "a.ipynb"), RIGHT)
    notes = {entry.student: entry.notes for entry in find_entries(Path("room"))}
    assert notes["alice"] == (r"the id looks like another one: '\u0430lice'",)
    assert notes["аlice"] == ("the id looks like another one: 'alice'",)
    double = ("more than one submission has the name 'Jane Doe'",)
    assert notes["1"] == notes["2"] == double
    assert notes["s10"] == ("the id looks like another one: 'slo'",)
    assert notes["bob"] == notes["müller"] == ()
    assert [r.record.student for r in grade(bank).results] == sorted(notes)


def test_grades_are_for_their_owner_alone(bank: Bank) -> None:
    hand_in(Path("room", "alice.ipynb"), RIGHT)
    assert main(["grade", "room", "--jobs", "1"]) == 0
    assert main(["export", "grades", "--format", "moodle"]) == 0
    assert main(["export", "grades", "--format", "gradescope"]) == 0
    files = [path for path in Path("grades").rglob("*") if path.is_file()]
    assert len(files) >= 9
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(Path("grades").stat().st_mode) == 0o700


def test_one_run_at_a_time_and_what_a_killed_one_left(bank: Bank) -> None:
    hand_in(Path("room", "alice.ipynb"), RIGHT)
    left = Path("grades", "records", ".alice.json.123.456.new")
    left.parent.mkdir(parents=True)
    left.write_text("half of a rec")
    with (
        owned(Path("grades")),
        pytest.raises(ClassError, match="another run is grading into grades"),
    ):
        grade(bank)
    left.write_text("half of a rec")
    grade(bank)
    assert not left.exists()


TWICE = "%%answer twice\ndef twice(x):\n    open('/tmp/ran', 'w')\n    return 2 * x"


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_isolation_code_waits_and_nothing_else(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(Path("room", "alice.ipynb"), OTHER, TWICE)
    hand_in(Path("room", "bob.ipynb"), OTHER, "%%answer twice\n")
    asked = []
    real = LocalWorker._ask
    monkeypatch.setattr(
        LocalWorker, "_ask", lambda w, r: asked.append(r.get("question")) or real(w, r)
    )
    assert main(["grade", "room", "--jobs", "1"]) == 8
    said = capsys.readouterr().err
    sentence, *_ = said.splitlines()
    for words in ("it is not there", "install bubblewrap", "container", "--trust"):
        assert words in sentence
    assert sentence.count(". ") == 0  # one sentence
    assert "alice: waiting: code was not run" in said
    assert asked.count("twice") == 1  # bob's blank answer, which runs nothing
    book = Path("grades", "gradebook.csv").read_text().splitlines()
    assert book[1:] == [
        "alice,,2,0,2,4,waiting,code not run",
        "bob,,2,0,2,4,graded,code not run",
    ]
    for page in ("index.html", "reports/alice.html", "reports/bob.html"):
        assert "Code answers are not run" in Path("grades", page).read_text()
    assert main(["check", "room/alice.ipynb"]) == 8 + 1
    assert "… Twice (twice): 0 of 2 points" in capsys.readouterr().out


@pytest.mark.usefixtures("no_bubblewrap")
def test_trust_runs_it_and_everything_says_so(
    bank: Bank, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(Path("room", "alice.ipynb"), OTHER, TWICE.replace("/tmp/ran", "ran"))
    assert main(["grade", "room", "--jobs", "1"]) == 8
    assert main(["grade", "room", "--jobs", "1", "--trust"]) == 0  # graded afresh
    assert "Code answers run without isolation" in capsys.readouterr().err
    row = Path("grades", "gradebook.csv").read_text().splitlines()[1]
    assert row == "alice,,2,2,4,4,graded,none (--trust)"
    report = Path("grades", "reports", "alice.html").read_text()
    assert "Code answers run without isolation" in report


@pytest.mark.usefixtures("bubblewrap")
def test_with_bubblewrap_the_class_is_isolated(bank: Bank) -> None:
    hand_in(Path("room", "alice.ipynb"), OTHER, TWICE)
    policy = code_policy(trust=True)  # which changes nothing where it is not needed
    (result,) = grade(bank, code=policy).results
    assert result.marks[1].outcome.data["isolation"] == "bubblewrap"
    assert policy.label.startswith("bubblewrap ")
    assert policy.label in Path("grades", "gradebook.csv").read_text()
    assert "run isolated" in Path("grades", "reports", "alice.html").read_text()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("", "bubblewrap is not installed"),
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
         "bubblewrap does not work: bwrap: setting up uid map: Permission denied"),
        ("exit 1", "bubblewrap does not work: it gave no reason"),
        ('while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
         "bubblewrap does not"),
    ],
)  # fmt: skip
def test_trouble_is_found_by_trying(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, says: str
) -> None:
    """As on Ubuntu 24.04, or with something that only calls itself bwrap."""
    if script:
        (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap_trouble.cache_clear()
    assert bubblewrap_trouble().startswith(says)
    bubblewrap_trouble.cache_clear()
