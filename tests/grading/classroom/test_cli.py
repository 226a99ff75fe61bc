"""The commands: what they print, what they write, and their exit codes."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from kernellab.grading.classroom import commands
from kernellab.grading.classroom import grade as classroom
from kernellab.grading.classroom.cli import main
from kernellab.grading.classroom.gradebook import Overrides, Record, results
from kernellab.grading.classroom.loading import VARIABLE
from kernellab.grading.classroom.notebook_files import STUDENT
from kernellab.grading.classroom.terminal import colour
from kernellab.progress import Progress
from tests.conftest import ROOT
from tests.grading.fake_course import (
    ISOLATED,
    LocalWorker,
    hand_in,
    make_course,
    write_sheet,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(make_course(tmp_path / "course")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No processes: they are tested with the class, and from the shell below."""
    monkeypatch.setattr(classroom, "Worker", LocalWorker)
    monkeypatch.setattr(commands, "code_policy", lambda trust: ISOLATED)


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        (("%%answer one\nright", "%%answer two\nright"), 0),
        (("%%answer one\nright", "%%answer two\nhalf"), 1),
        (("%%answer one\nright",), 1),
        ((), 1),
    ],
)
def test_check(here: Path, answers: tuple[str, ...], code: int) -> None:
    hand_in(here / "01_first.ipynb", *answers)
    assert main(["check", "01_first.ipynb"]) == code


def test_check_says_what_it_found(here: Path, capsys: Capture) -> None:
    hand_in(here / "mine.ipynb", "%%answer one\nhalf\x1b[2J", "%%answer thre\nA")
    assert main(["check", "mine.ipynb", "--html", "out/report.html"]) == 1
    printed = capsys.readouterr().out
    assert "note: cell 2 was not graded: there is no question 'thre'" in printed
    assert "✗ Title of one (one): 0 of 2 points\n    Title of one: you wrote" in printed
    assert "· Title of two (two): 0 of 4 points" in printed
    assert printed.endswith("Code runs isolated.\n0 of 6 points\n")
    assert "\x1b" not in printed
    assert "<h2>Title of one</h2>" in (here / "out" / "report.html").read_text()


def test_check_in_exam_mode(here: Path, capsys: Capture) -> None:
    hand_in(here / "mine.ipynb", "%%answer one\nbad")
    main(["check", "mine.ipynb", "--exam"])
    printed = capsys.readouterr().out
    assert "verdict only" in printed
    assert "you wrote" not in printed


def test_check_of_what_is_no_notebook(here: Path, capsys: Capture) -> None:
    (here / "x.ipynb").write_text("no")
    assert main(["check", "x.ipynb"]) == 4 + 1
    assert main(["check", "missing.ipynb"]) == 4 + 1
    printed = capsys.readouterr().out
    assert "not read: x.ipynb: not a notebook: the file is not JSON" in printed


def test_check_of_a_notebook_without_answers(here: Path, capsys: Capture) -> None:
    hand_in(here / "mine.ipynb", "x = 1")
    assert main(["check", "mine.ipynb"]) == 1
    assert "There is no answer cell" in capsys.readouterr().out


def test_grade_and_regrade(here: Path, capsys: Capture) -> None:
    hand_in(here / "room" / "alice.ipynb", "%%answer one\nright")
    hand_in(here / "room" / "bob.ipynb", "%%answer one\nhalf")
    assert main(["grade", "room", "--out", "grades", "--jobs", "1"]) == 0
    printed = capsys.readouterr()
    lines = ["Code runs isolated.", "1/2 alice: 2 of 6", "2/2 bob: 1 of 6"]
    assert printed.err.splitlines() == lines
    assert printed.out.startswith("2 submissions: grades/gradebook.csv")
    seed = (here / "grades" / "seed.txt").read_text()
    records = here / "grades" / "records"
    before = {p.name: p.stat().st_mtime_ns for p in records.iterdir()}
    assert main(["regrade", "room", "--student", "BOB", "--jobs", "1"]) == 0
    after = {p.name: p.stat().st_mtime_ns for p in records.iterdir()}
    assert after["alice.json"] == before["alice.json"]
    assert after["bob.json"] > before["bob.json"]
    assert main(["regrade", "room", "--jobs", "1"]) == 0
    again = {p.name: p.stat().st_mtime_ns for p in records.iterdir()}
    assert again["alice.json"] > before["alice.json"]
    assert (here / "grades" / "seed.txt").read_text() == seed


def test_grade_says_who_needs_a_person(here: Path, capsys: Capture) -> None:
    hand_in(here / "room" / "alice.ipynb", "%%answer one\nraise")
    assert main(["grade", "room"]) == 1
    assert "alice: error: the grader failed" in capsys.readouterr().err
    (here / "room" / "bob.ipynb").write_text("no")
    assert main(["grade", "room"]) == 4 + 1  # neither hides the other
    assert "bob: unreadable: bob.ipynb: not a notebook" in capsys.readouterr().err


def test_own_tests_decide(here: Path) -> None:
    write_sheet(
        here / "own" / "01_first", "# First\n\n[](one.py)", one='echo("one", points=50)'
    )
    hand_in(here / "room" / "alice.ipynb", "%%answer one\nright")
    assert main(["grade", "room", "--tests", "own"]) == 0
    assert (
        "alice,,50,0,50,54,graded,bubblewrap 1"
        in (here / "grades" / "gradebook.csv").read_text()
    )


def test_export(here: Path, capsys: Capture) -> None:
    hand_in(here / "room" / "alice.ipynb", "%%answer one\nright")
    main(["grade", "room"])
    assert main(["export", "grades", "--format", "gradescope"]) == 0
    path = here / "grades" / "gradescope" / "alice" / "results.json"
    assert json.loads(path.read_text())["score"] == 2
    assert main(["export", "grades", "--format", "moodle", "--out", "m.csv"]) == 0
    assert "alice" in (here / "m.csv").read_text()
    assert main(["export", "nowhere", "--format", "moodle"]) == 2


def test_new_assignment(here: Path, capsys: Capture) -> None:
    assert main(["new-assignment", "--check"]) == 1
    assert main(["new-assignment"]) == 0
    assert main(["new-assignment", "01", "--solutions"]) == 0
    written = sorted(str(p.relative_to(here)) for p in here.rglob("*.ipynb"))
    assert written == [
        "course/01_first.ipynb",
        "course/02_second.ipynb",
        "course/solutions/01_first.ipynb",
    ]
    assert main(["new-assignment", "--check"]) == 0
    assert main(["new-assignment", "--check", "--solutions"]) == 1
    assert main(["check", "course/01_first.ipynb"]) == 1
    assert main(["check", "course/solutions/01_first.ipynb"]) == 0


def test_new_assignment_keeps_answers(here: Path, capsys: Capture) -> None:
    hand_in(here / "course" / "01_first.ipynb", "%%answer one\nmine")
    assert main(["new-assignment"]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["new-assignment", "--force"]) == 0


def test_a_students_own_copy_is_never_overwritten(here: Path, capsys: Capture) -> None:
    main(["new-assignment"])
    path = here / "course" / "01_first.ipynb"
    copy = json.loads(path.read_text())
    copy["metadata"][STUDENT] = {"cells": {}}
    path.write_text(json.dumps(copy))
    before = path.read_bytes()
    assert main(["new-assignment", "--force"]) == 2
    assert "a student's own copy" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(("answer", "code"), [("my try", 0), ("", 1), ("# my try", 1)])
def test_a_solution_wants_an_attempt(
    here: Path, capsys: Capture, answer: str, code: int
) -> None:
    hand_in(here / "mine.ipynb", f"%%answer one\n{answer}")
    assert main(["solution", "one", "mine.ipynb"]) == code
    shown = capsys.readouterr().out
    assert ("\nright\n" in shown) is (code == 0)


def test_the_starter_is_no_attempt(here: Path, capsys: Capture) -> None:
    hand_in(here / "mine.ipynb", "%%answer two\ndef f():\n    pass  # here")
    assert main(["solution", "two", "mine.ipynb"]) == 1
    assert main(["solution", "two"]) == 1
    assert main(["solution", "two", "--reveal"]) == 0
    assert capsys.readouterr().out.endswith("# Title of two (reference)\nright\n\n")


def test_list(capsys: Capture) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "01_first: First sheet (6 points)",
        "  one    2  echo             Title of one",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("", "COMMAND"),
        ("nonsense", "invalid choice"),
        ("grade missing", "expected a folder of submissions"),
        ("grade room --out room/grades", "among the submissions"),
        ("grade room --sheet 09", "no sheet '09'"),
        ("grade room --jobs -1", "jobs"),
        ("grade room --timeout never", "expected seconds"),
        ("grade room --tests nowhere", "--tests names nowhere"),
        ("solution thre", "did you mean three"),
        ("export x --format pdf", "invalid choice"),
    ],
)
def test_wrong_use(here: Path, capsys: Capture, arguments: str, says: str) -> None:
    (here / "room").mkdir()
    assert main(arguments.split()) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "check", "grade", "regrade", "solution"])
def test_help_tells_the_exit_codes(command: str, capsys: Capture) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert "could not be read" in capsys.readouterr().out


def test_from_the_shell(here: Path) -> None:
    hand_in(here / "01_first.ipynb", "%%answer one\nright", "%%answer two\nright")
    done = subprocess.run(
        [sys.executable, "-m", "kernellab.grading", "check", "01_first.ipynb"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"? Title of one (one): 2 of 2 points" in done.stdout


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colour("x", "right", Terminal()) == "\x1b[32mx\x1b[0m"
    assert colour("x", "right", StringIO()) == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour("x", "right", Terminal()) == "x"


def test_a_terminal_gets_a_bar(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    hand_in(here / "room" / "alice.ipynb", "%%answer one\nright")
    hand_in(here / "room" / "bob.ipynb", "%%answer one\nhalf")
    assert main(["grade", "room", "--jobs", "1"]) == 0
    *_, last = screen.getvalue().split("\r")
    assert last.startswith("grading [########################] 100%  2/2")
    assert last.rstrip().endswith("bob: 1 of 6")
    assert last.endswith("\n")


def test_a_name_cannot_command_the_terminal() -> None:
    record = Record("al\x1bice")
    bar = Progress("grading", show=False)
    commands._advance(bar, results([record], [], Overrides())[0])
    assert bar.note.startswith("al\ufffdice: ")
