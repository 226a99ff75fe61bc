"""A student's copies: made once, never overwritten, brought up to date with answers."""

import json
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode, v4
from nbformat.sign import NotebookNotary

from kernellab.grading.classroom.record import FILE
from tests.book.test_markup import LINK, markdown
from tests.conftest import ROOT
from tools import lab
from tools.work_folder import WorkFolder, digest, merge, read

SHEET = "exercises/01_duality.ipynb"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course of one chapter and one sheet."""
    folder = tmp_path / "course"
    for name in ("chapters/00_tour.ipynb", SHEET, "reference/errata.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.fixture
def work(course: Path, tmp_path: Path) -> WorkFolder:
    notary = NotebookNotary(db_file=":memory:", secret=b"of a test")
    work = WorkFolder(course, tmp_path / "work", notary)
    work.copy_missing()
    return work


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_copies_are_made_once(work: WorkFolder) -> None:
    copy = work.folder / SHEET
    assert (work.folder / "reference/errata.md").exists()
    assert (work.folder / FILE).exists()
    copy.write_text("mine")
    (work.folder / "chapters/00_tour.ipynb").unlink()
    assert work.copy_missing() == ["chapters/00_tour.ipynb"]
    assert copy.read_text() == "mine"


def test_copies_are_trusted_and_valid(work: WorkFolder) -> None:
    for name in work.files()[:2]:
        copy = read(work.folder / name)
        assert work.notary.check_signature(copy)
        nbformat.validate(copy)


def test_solutions_are_not_copied() -> None:
    files = WorkFolder(ROOT, ROOT / "work").files()
    assert SHEET in files
    assert not [name for name in files if "solutions" in name]


def test_every_link_of_a_copy_leads_to_a_copy() -> None:
    files = WorkFolder(ROOT, ROOT / "work").files()
    for name in (name for name in files if name.endswith(".ipynb")):
        for text in markdown(ROOT / name):
            for link, _ in LINK.findall(text):
                path = ((ROOT / name).parent / link).resolve() if link else ROOT / name
                assert path.relative_to(ROOT).as_posix() in files, (name, link)


def test_only_a_change_of_the_course_makes_a_copy_old(
    work: WorkFolder, course: Path
) -> None:
    copy = work.folder / SHEET
    change(copy, "# one step per line", "J = 1  # mine")
    assert work.outdated() == []
    sheet = nbformat.read(course / SHEET, as_version=4)
    sheet.cells[1].outputs = [v4.new_output("stream", text="an output")]
    nbformat.write(sheet, course / SHEET)
    assert work.outdated() == []
    change(course / SHEET, "# Exercises: duality", "# Exercises on duality")
    assert work.outdated() == [SHEET]
    copy.write_text("no notebook")
    assert work.outdated() == []


def test_an_update_brings_the_answers_along(work: WorkFolder, course: Path) -> None:
    copy = work.folder / SHEET
    before = copy.read_text(encoding="utf-8")
    change(copy, "# one step per line", "J = 1  # mine")
    work.notary.sign(read(copy))  # as JupyterLab does when it saves
    written = copy.read_text(encoding="utf-8")
    change(course / SHEET, "# Exercises: duality", "# Exercises on duality")
    kept = work.update(SHEET)
    text = copy.read_text(encoding="utf-8")
    assert kept.read_text(encoding="utf-8") == written != before
    assert "# Exercises on duality" in text
    assert text.count("J = 1  # mine") == written.count("J = 1  # mine")
    assert work.outdated() == []
    assert work.notary.check_signature(read(copy))
    assert work.update(SHEET) != kept  # nothing that was kept is overwritten


def test_what_nobody_trusts_stays_untrusted(work: WorkFolder) -> None:
    change(work.folder / SHEET, "# one step per line", "from a stranger")
    work.notary.unsign(read(work.folder / SHEET))
    work.update(SHEET)
    assert not work.notary.check_signature(read(work.folder / SHEET))


# --- cell by cell ---------------------------------------------------------------------


def code(name: str, source: str) -> NotebookNode:
    return v4.new_code_cell(source, id=name)


COURSE = [code("t", "text"), code("a-one", "%%answer one\n#"), code("end", "score")]


def merged(
    mine: list[NotebookNode],
    new: list[NotebookNode],
    old: list[NotebookNode] = COURSE,
) -> list[str]:
    cells = merge({cell.id: digest(cell) for cell in old}, mine, new)
    assert len({cell.id for cell in cells}) == len(cells)
    return [cell.source for cell in cells]


NEW = [code("t", "new"), code("a-one", "%%answer one\n# new"), code("end", "score")]


@pytest.mark.parametrize(
    ("mine", "expected"),
    [
        (COURSE, ["new", "%%answer one\n# new", "score"]),
        ([], ["new", "%%answer one\n# new", "score"]),
        (
            [COURSE[0], code("a-one", "%%answer one\nx"), COURSE[2]],
            ["new", "%%answer one\nx", "score"],
        ),
        (  # written twice, in cells of one's own, at the wrong place
            [code("x", "%%answer One\nx"), *COURSE, code("y", "%%answer one\ny")],
            ["new", "%%answer One\nx", "%%answer one\ny", "score"],
        ),
        (  # split
            [COURSE[0], code("a-one", "%%answer one\nx"), code("z", "rest"), COURSE[2]],
            ["new", "%%answer one\nx", "rest", "score"],
        ),
        (  # an answer to a question that is no longer asked
            [*COURSE[:2], code("x", "%%answer gone\nx"), COURSE[2]],
            ["new", "%%answer one\n# new", "%%answer gone\nx", "score"],
        ),
        (  # a text that both have changed, and a cell at the top
            [code("x", "top"), code("t", "mine"), *COURSE[1:]],
            ["top", "new", "mine", "%%answer one\n# new", "score"],
        ),
        (  # only the student has changed the last cell
            [*COURSE[:2], code("end", "my score")],
            ["new", "%%answer one\n# new", "my score"],
        ),
    ],
)
def test_nothing_that_was_written_is_lost(
    mine: list[NotebookNode], expected: list[str]
) -> None:
    assert merged(mine, NEW) == expected


def test_a_cell_that_the_course_removes_goes_unless_it_was_changed() -> None:
    gone = [NEW[0], NEW[2]]
    assert merged(COURSE, gone) == ["new", "score"]
    mine = [COURSE[0], code("a-one", "%%answer one\nx"), COURSE[2]]
    assert merged(mine, gone) == ["new", "%%answer one\nx", "score"]


def test_without_a_mark_all_that_differs_is_kept() -> None:
    mine = [code("t", "mine"), code("a-one", "%%answer one\nx"), COURSE[2]]
    assert merged(mine, NEW, old=[]) == ["new", "mine", "%%answer one\nx", "score"]


# --- the command ----------------------------------------------------------------------


@pytest.fixture
def command(work: WorkFolder, course: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lab, "ROOT", course)
    monkeypatch.setattr("tools.work_folder.NotebookNotary", lambda: work.notary)
    calls: list[list[str]] = []

    def run(*arguments: str) -> tuple[int, list[list[str]]]:
        where = ["--work", str(work.folder)]
        monkeypatch.setattr(sys, "argv", ["lab.py", *arguments, *where])
        return lab.main(), calls

    monkeypatch.setattr(lab.subprocess, "run", lambda c, check: calls.append(c) or DONE)
    return run


DONE = type("Done", (), {"returncode": 0})


def test_options_go_on_to_jupyterlab(command) -> None:
    code_, calls = command("--no-browser", "--port", "9000")
    assert code_ == 0
    assert calls[0][-3:] == ["--no-browser", "--port", "9000"]
    assert "--LabApp.default_url=/lab/tree/chapters/00_tour.ipynb" in calls[0]


def test_a_newer_course_is_announced_and_nothing_touched(
    command, work: WorkFolder, course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(course / SHEET, "# Exercises: duality", "# Exercises on duality")
    before = (work.folder / SHEET).read_bytes()
    assert command("--copy") == (0, [])
    said = capsys.readouterr().out
    assert f"newer version of {SHEET}" in said
    assert "make update" in said
    assert (work.folder / SHEET).read_bytes() == before
    assert command("--update")[0] == 0
    assert "up to date, with what you wrote" in capsys.readouterr().out
    assert command("--update")[0] == 0
    assert "All copies are up to date" in capsys.readouterr().out
    assert command("--update", "99")[0] == 2
    (work.folder / SHEET).write_text(json.dumps([]))
    assert command("--update", "01_duality")[0] == 1
    assert "left as it is" in capsys.readouterr().out
