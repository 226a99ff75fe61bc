"""A class is graded whatever some of its members hand in."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kernellab.grading.classroom import grade as classroom
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.exports import export_gradescope, export_moodle
from kernellab.grading.classroom.grade import (
    ClassError,
    ClassGrades,
    GradingRun,
    class_seed,
    grade_class,
)
from kernellab.grading.classroom.gradebook import OverrideError, Record, Result
from kernellab.grading.classroom.marking import seed_of
from kernellab.grading.classroom.workers import Worker
from tests.grading.fake_course import ISOLATED, LocalWorker, hand_in, make_course

HTML = "<script>alert(1)</script>"


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(make_course(tmp_path / "course"))


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No processes, except where they are what is tested."""
    if "attacks" not in request.node.name:
        monkeypatch.setattr(classroom, "Worker", LocalWorker)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Submissions of two honest students."""
    hand_in(tmp_path / "room" / "alice" / "01_first.ipynb", one("right"), two("half"))
    hand_in(tmp_path / "room" / "bob.ipynb", one("bad"))
    return tmp_path / "room"


def one(text: str) -> str:
    return f"%%answer one\n{text}"


def two(text: str) -> str:
    return f"%%answer two\n{text}"


def grade(room: Path, bank: Bank, *, timeout: float = 60.0, **more: Any) -> ClassGrades:
    jobs = more.pop("jobs", 1)
    run = GradingRun(bank, seed=7, timeout=timeout, jobs=jobs, code=ISOLATED)
    return grade_class(room, room.parent / "grades", run, **more)


def by_student(grades: ClassGrades) -> dict[str, Result]:
    return {result.record.student: result for result in grades.results}


def gradebook(room: Path) -> list[dict[str, str]]:
    with (room.parent / "grades" / "gradebook.csv").open(newline="") as file:
        return list(csv.DictReader(file))


class Outline(HTMLParser):
    """The tags of a page, and whether each is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_gradebook_json_and_reports(room: Path, bank: Bank) -> None:
    grades = grade(room, bank)
    assert gradebook(room) == [
        dict(student="alice", name="", one="2", two="2", total="4", out_of="6",
             status="graded", isolation="bubblewrap 1"),
        dict(student="bob", name="", one="0", two="0", total="0", out_of="6",
             status="graded", isolation="bubblewrap 1"),
    ]  # fmt: skip
    out = room.parent / "grades"
    content = json.loads((out / "grades.json").read_text())
    assert [s["total"] for s in content["students"]] == [4, 0]
    assert content["students"][0]["marks"][1]["outcome"]["status"] == "partial"
    assert str(7) not in {str(value) for value in content.values()}
    assert [result.total for result in grades.results] == [4.0, 0.0]
    assert "Title of one: you wrote bad" in (out / "reports" / "bob.html").read_text()
    index = (out / "index.html").read_text()
    assert 'href="reports/alice.html"' in index
    assert "1 right, 1 wrong" in index


def test_the_attacks_touch_nobody_else(room: Path, bank: Bank) -> None:
    """Hang, die, raise, forge, and hand in nonsense: each costs its author alone."""
    for word in ("hang", "die", "raise", "print", "nan", "much", "spin"):
        hand_in(room / word / "a.ipynb", one(word), two("right"))
    (room / "junk").mkdir()
    (room / "junk" / "a.ipynb").write_text("{")
    (room / "empty").mkdir()
    (room / "zoe").symlink_to(room / "alice")
    found = by_student(grade(room, bank, timeout=0.3, jobs=2))
    points = {name: [m.points for m in r.marks] for name, r in found.items()}
    assert points == {
        "alice": [2, 2], "bob": [0, 0], "die": [0, 4], "empty": [0, 0], "hang": [0, 4],
        "junk": [0, 0], "much": [0, 4], "nan": [0, 4], "print": [0, 4], "raise": [0, 4],
        "spin": [0, 4], "zoe": [0, 0],
    }  # fmt: skip
    states = {name: result.status for name, result in found.items()}
    for name in ("hang", "die", "raise", "nan", "much"):
        assert states[name] == "error"
        assert "a person has to look" in found[name].marks[0].outcome.summary
    assert {states[name] for name in ("junk", "empty", "zoe")} == {"unreadable"}
    # A slow text is wrong, and makes no work for anybody.
    assert {states[n] for n in ("alice", "bob", "print", "spin")} == {"graded"}
    assert "more than 0.3 s of computing" in found["spin"].marks[0].outcome.text
    why = {n: found[n].marks[0].outcome.data["error"] for n in ("hang", "die", "raise")}
    assert "no reply in 3 s" in why["hang"]
    assert "exit code 0" in why["die"]
    assert why["raise"] == "ZeroDivisionError: by a student"


def test_a_failure_is_tried_once_more(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    with Worker(bank) as worker:
        real = worker._exchange

        def exchange(process: Any, request: dict[str, Any], timeout: float) -> Any:
            asked.append(request["task"])
            return real(process, request, timeout)

        monkeypatch.setattr(worker, "_exchange", exchange)
        question = bank.question("one")
        grade = {"exam": False, "seed": 0}
        assert worker.grade(question, "die", again=True, **grade).status == "error"
        assert worker.grade(question, "right", again=False, **grade).status == "right"
    assert asked == ["start", "grade"] * 3


def test_html_in_ids_and_answers_is_text(room: Path, bank: Bank) -> None:
    evil = "<b onclick=x>Eve & Co"
    hand_in(room / evil / "a.ipynb", one(HTML), two('"><img src=x>'))
    hand_in(room / "=cmd()" / "a.ipynb", one("right"))
    found = by_student(grade(room, bank))
    out = room.parent / "grades"
    pages = [p.read_text() for p in (out / "index.html", *out.glob("reports/*.html"))]
    assert len(pages) == 5
    for page in pages:
        outline = Outline(page)
        assert outline.open == []
        assert not {"script", "img", "b"} & set(outline.tags)
    assert found[evil].record.key.startswith("b-onclick-x-eve-co-")
    assert {path.parent for path in out.rglob("*.html")} == {out, out / "reports"}
    assert {row["student"] for row in gradebook(room)} >= {"'=cmd()", evil}


def test_reports_are_accessible_and_self_contained(room: Path, bank: Bank) -> None:
    grade(room, bank)
    out = room.parent / "grades"
    for path in (out / "index.html", out / "reports" / "alice.html"):
        page = path.read_text()
        assert page.startswith('<!doctype html>\n<html lang="en">')
        assert re.search(r"<title>.+</title>", page)
        assert page.count("<h1>") == 1
        assert "prefers-color-scheme" in page
        assert 'scope="col"' in page
        assert 'scope="row"' in page
        assert not re.search(r"https?:|<script|<link|url\(", page)


def test_two_students_of_one_id_are_both_graded(room: Path, bank: Bank) -> None:
    hand_in(room / "BOB" / "a.ipynb", one("right"))
    found = grade(room, bank).results
    totals = sorted(
        r.total for r in found if r.record.student.lower().startswith("bob")
    )
    assert totals == [0, 2]
    assert len(gradebook(room)) == 3


def graded_now(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows with each student who is really graded."""
    seen: list[str] = []
    real = classroom.grade_entry

    def grade_entry(entry: Any, *rest: Any) -> Record:
        seen.append(entry.student)
        return real(entry, *rest)

    monkeypatch.setattr(classroom, "grade_entry", grade_entry)
    return seen


def test_a_second_run_grades_only_what_changed(
    room: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = graded_now(monkeypatch)
    grade(room, bank)
    assert sorted(seen) == ["alice", "bob"]
    before = gradebook(room)
    seen.clear()
    grade(room, bank)
    assert seen == []
    assert gradebook(room) == before
    hand_in(room / "bob.ipynb", one("right"))
    (room.parent / "grades" / "records" / "alice.json").write_text("{damaged")
    grade(room, bank)
    assert sorted(seen) == ["alice", "bob"]
    assert [row["total"] for row in gradebook(room)] == ["4", "2"]
    seen.clear()
    grade(room, bank, force=lambda student: student == "bob")
    assert seen == ["bob"]


def test_a_changed_sheet_is_graded_again(
    room: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(room, bank)
    seen = graded_now(monkeypatch)
    assert bank.folder
    with (bank.folder / "01_first" / "one.py").open("a") as file:
        file.write("# changed\n")
    grade(room, Bank(bank.folder))
    assert len(seen) == 2


def test_an_interrupted_run_goes_on_where_it_stopped(
    room: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(result: Result) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(room, bank, done=stop)
    out = room.parent / "grades"
    assert len(list(out.glob("records/*.json"))) == 1
    assert not (out / "gradebook.csv").exists()
    seen = graded_now(monkeypatch)
    grade(room, bank)
    assert len(seen) == 1
    assert len(gradebook(room)) == 2


def test_decisions_survive_a_regrade(room: Path, bank: Bank) -> None:
    grade(room, bank)
    out = room.parent / "grades"
    assert (out / "overrides.csv").read_text().startswith("student,question,points")
    path = out / "overrides.csv"
    path.write_text(
        "\ufeffstudent,question,points,comment,by\n"
        'Bob,one,"1,5",nearly <right>,Prof\nbob,two,1,,\nnobody,one,1,,\n'
    )
    for _ in range(2):
        grades = grade(room, bank, force=lambda student: True)
        assert grades.remarks == [f"{path}: nobody and nothing fits nobody, one"]
        assert gradebook(room)[1]["total"] == "2.5"
    report = (out / "reports" / "bob.html").read_text()
    assert (
        "Decided by Prof, 1.5 points: nearly &lt;right&gt; (the grader gave 0)"
        in report
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("student,points\nbob,1\n", "no column question"),
        ("student,question,points\nbob,one,many\n", "line 2: points must be a number"),
        ("student,question,points\nbob,one,nan\n", "points must be a number"),
        ("student,question,points\nbob,one,-1\n", "points must be a number"),
        ("student,question,points\nbob\n", "points must be a number"),
        ("student,question,points\nbob,one,2.5\n", "2.5 points are too many: one is"),
        ("student,question,points\nbob,one,99999\n", "one is worth 2"),
    ],
)
def test_a_slip_in_a_decision_is_said(
    room: Path, bank: Bank, text: str, says: str
) -> None:
    (room.parent / "grades").mkdir()
    (room.parent / "grades" / "overrides.csv").write_text(text)
    with pytest.raises(OverrideError, match=says):
        grade(room, bank)


def test_a_decision_settles_an_error(room: Path, bank: Bank) -> None:
    hand_in(room / "carl.ipynb", one("raise"))
    assert by_student(grade(room, bank))["carl"].status == "error"
    overrides = "student,question,points\ncarl,one,2\n"
    (room.parent / "grades" / "overrides.csv").write_text(overrides)
    assert by_student(grade(room, bank))["carl"].status == "graded"


def test_sheets_can_be_chosen(room: Path, bank: Bank) -> None:
    grade(room, bank, sheets=(bank.sheet("02"),))
    assert list(gradebook(room)[0])[2:4] == ["three", "total"]


def test_sheets_among_the_submissions_are_refused(room: Path) -> None:
    bank = Bank(make_course(room / "solutions").resolve())
    with pytest.raises(ClassError, match="lie among the submissions"):
        grade(room, bank)


def test_the_seed_is_secret_and_stays(tmp_path: Path) -> None:
    seed = class_seed(tmp_path)
    assert class_seed(tmp_path) == seed != class_seed(tmp_path / "other")
    assert (tmp_path / "seed.txt").stat().st_mode & 0o77 == 0
    assert class_seed(tmp_path, given=5) == class_seed(tmp_path) == 5


def test_the_seed_of_an_answer(room: Path, bank: Bank) -> None:
    hand_in(room / "alice" / "01_first.ipynb", one("seed"))
    hand_in(room / "bob.ipynb", one("seed"))
    found = grade(room, bank).results
    seeds = {result.marks[0].outcome.summary for result in found}
    assert seeds == {str(seed_of(7, "one", "seed"))}
    assert seed_of(7, "one", "seed") != seed_of(8, "one", "seed")
    assert seed_of(7, "one", "seed") != seed_of(7, "one", "seed ")


def test_gradescope_and_moodle(room: Path, bank: Bank, tmp_path: Path) -> None:
    hand_in(room / "Jane Doe_12_assignsubmission_file_" / "a.ipynb", one("right"))
    hand_in(room / "joe@example.org" / "a.ipynb", one("half"))
    grade(room, bank)
    grades = json.loads((tmp_path / "grades" / "grades.json").read_text())
    paths = export_gradescope(grades, tmp_path / "gradescope")
    assert [path.name for path in paths] == ["results.json"] * 4
    results = json.loads(
        (tmp_path / "gradescope" / "alice" / "results.json").read_text()
    )
    assert results["score"] == 4
    assert [(t["score"], t["max_score"], t["status"]) for t in results["tests"]] == [
        (2, 2, "passed"),
        (2, 4, "failed"),
    ]
    with export_moodle(grades, tmp_path / "moodle.csv").open(newline="") as file:
        jane, alice, _, joe = csv.DictReader(file)
    assert (jane["Identifier"], jane["Full name"]) == ("Participant 12", "Jane Doe")
    assert (alice["ID number"], alice["Grade"], alice["two"]) == ("alice", "4", "2")
    assert (joe["Email address"], joe["ID number"]) == ("joe@example.org", "")
