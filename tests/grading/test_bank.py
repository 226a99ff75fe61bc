"""Sheets are found where they should be, and questions by their ids."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernellab.grading.classroom import loading
from kernellab.grading.classroom.bank import (
    Bank,
    UnknownQuestion,
    normal_id,
    open_bank,
    question,
    sheets,
)
from kernellab.grading.classroom.loading import SheetError, find_folder
from tests.grading.fake_course import make_course, write_sheet


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return make_course(tmp_path / "course").resolve()


@pytest.fixture(autouse=True)
def nowhere(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A current folder without sheets in or above it, and no variable."""
    folder = tmp_path_factory.mktemp("nowhere")
    monkeypatch.chdir(folder)
    monkeypatch.delenv(loading.VARIABLE, raising=False)
    return folder


def test_the_environment_comes_first(
    course: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_course(nowhere / "solutions")
    monkeypatch.setenv(loading.VARIABLE, str(course))
    assert find_folder() == course
    assert [sheet.name for sheet in sheets()] == ["01_first", "02_second"]
    assert question("two").points == 4


@pytest.mark.parametrize("place", ["exercises/solutions", "solutions"])
@pytest.mark.parametrize("depth", ["", "deep/down"])
def test_folders_above_the_current_one_are_searched(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, place: str, depth: str
) -> None:
    folder = make_course(nowhere / place)
    (nowhere / depth).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(nowhere / depth)
    assert find_folder() == folder.resolve()


def test_sheets_inside_the_package_come_before_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "root" / "kernellab"
    monkeypatch.setattr(loading, "PACKAGE", package)
    assert find_folder() is None
    beside = make_course(tmp_path / "root" / "exercises" / "solutions")
    assert find_folder() == beside.resolve()
    inside = make_course(package / "exercises")
    assert find_folder() == inside.resolve()


def test_a_named_folder_without_sheets_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(loading.VARIABLE, str(tmp_path / "missing"))
    with pytest.raises(SheetError, match=r"KERNELLAB_EXERCISES names .*missing"):
        find_folder()
    with pytest.raises(SheetError, match="--tests names"):
        open_bank(make_course(tmp_path / "course"), tests=tmp_path)


def test_a_module_that_is_no_sheet_is_never_executed(course: Path) -> None:
    (course / "03_other.py").write_text("raise SystemExit('executed')")
    (course / "helpers.py").write_text("raise SystemExit('executed')")
    assert len(Bank(course).sheets) == 2


def test_a_sheet_may_be_a_package(course: Path) -> None:
    package = course / "03_third"
    write_sheet(
        package / "__init__.py", "from .part import SHEET as THIRD\nSHEET = THIRD\n"
    )
    write_sheet(
        package / "part.py",
        'SHEET = Sheet(name="03_third", title="", introduction="", items=(echo("x"),))',
    )
    assert Bank(course).question("x").id == "x"


def test_loading_happens_once_and_late(course: Path) -> None:
    counter = course / "count"
    with (course / "01_first.py").open("a") as file:
        file.write(f"\nwith open({str(counter)!r}, 'a') as f:\n    f.write('x')\n")
    bank = open_bank(course)
    assert not counter.exists()
    assert bank.question("one") is open_bank(course).question("one")
    assert counter.read_text() == "x"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("SHEET = 3", "must be a Sheet, not int"),
        ("SHEET = nonsense", "03_bad.py: NameError"),
        ("SHEET = (", "03_bad.py: SyntaxError"),
        (
            'SHEET = Sheet(name="b", title="", introduction="", items=(echo("one"),))',
            "more than one question has the id one",
        ),
        (
            'SHEET = Sheet(name="b", title="", introduction="", items=(echo("A b"),))',
            "lower-case letters",
        ),
        ('SHEET = Sheet(name="01_first", title="", introduction="")', "same name"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_said(course: Path, code: str, says: str) -> None:
    write_sheet(course / "03_bad.py", code)
    with pytest.raises(SheetError, match=says):
        Bank(course).question("one")


def test_an_unknown_id_names_the_near_ones(course: Path) -> None:
    with pytest.raises(UnknownQuestion, match="'thre'; did you mean three"):
        Bank(course).question("thre")
    with pytest.raises(UnknownQuestion, match="no exercise sheets were found"):
        Bank(None).question("zzzzzzzz")


@pytest.mark.parametrize("spelled", [" one ", "'one'", "ONE", "“One”", "`one`"])
def test_ids_are_understood_as_they_were_meant(course: Path, spelled: str) -> None:
    assert Bank(course).question(spelled).id == "one"


def test_other_hyphens_are_hyphens() -> None:
    assert normal_id("ridge‑dual") == normal_id("Ridge_dual") == "ridge-dual"


def test_own_tests_replace_and_add(course: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    write_sheet(
        own / "01_first.py",
        'SHEET = Sheet(name="01_first", title="x", introduction="", items=('
        'echo("two", points=9), echo("new")))',
    )
    write_sheet(
        own / "07_mine.py",
        'SHEET = Sheet(name="07_mine", title="Mine", introduction="", items=('
        '"A text.", echo("three", points=5), echo("secret")))',
    )
    bank = Bank(course, own)
    points = {q.id: q.points for q in bank.questions.values()}
    assert points == {"one": 2, "two": 9, "new": 2, "three": 5, "secret": 2}
    first, second, mine = bank.sheets
    assert [q.id for q in first.questions] == ["one", "two", "new"]
    assert first.title == "First sheet"
    assert [q.id for q in second.questions] == ["three"]
    assert [q.id for q in mine.questions] == ["secret"]
    assert bank.sheet_of("secret") is mine


def test_a_sheet_is_found_by_number_name_or_file(course: Path) -> None:
    bank = Bank(course)
    names = ["01", "01_first", "exercises/01_first.ipynb"]
    assert {bank.sheet(name).title for name in names} == {"First sheet"}
    with pytest.raises(SheetError, match="01_first, 02_second"):
        bank.sheet("09")


def test_the_digest_changes_with_a_sheet(course: Path) -> None:
    before = Bank(course).digest
    with (course / "02_second.py").open("a") as file:
        file.write("# another remark\n")
    assert Bank(course).digest != before


def test_a_problem_without_a_sheet_is_a_question(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = type(Bank(course).question("one"))

    def derivation(*, problem: str, **fields: Any) -> object:
        return echo(**fields, starter=problem)

    fake = SimpleNamespace(Derivation=derivation)
    monkeypatch.setitem(sys.modules, "kernellab.grading.questions.derivations", fake)
    found = Bank(course).question("Push-Through")
    assert (found.id, found.starter) == ("push-through", "push-through")
    assert Bank(course).near("push-trough") == ["push-through"]
