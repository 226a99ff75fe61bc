"""Sheets are found where they should be, and questions by their ids."""

from pathlib import Path

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
from tests.conftest import ROOT
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
    make_course(nowhere / "exercises")
    monkeypatch.setenv(loading.VARIABLE, str(course))
    assert find_folder() == course
    assert [sheet.name for sheet in sheets()] == ["01_first", "02_second"]
    assert question("two").points == 4


@pytest.mark.parametrize("place", ["exercises", "."])
@pytest.mark.parametrize("depth", ["", "deep/down"])
def test_folders_above_the_current_one_are_searched(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, place: str, depth: str
) -> None:
    folder = nowhere / place
    make_course(folder / "made")
    for sheet in (folder / "made").iterdir():
        sheet.rename(folder / sheet.name)
    (nowhere / depth).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(nowhere / depth)
    assert find_folder() == folder.resolve()


def test_sheets_beside_the_package_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PACKAGE", tmp_path / "root" / "kernellab")
    assert find_folder() is None
    beside = make_course(tmp_path / "root" / "exercises")
    assert find_folder() == beside.resolve()


def test_a_named_folder_without_sheets_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(loading.VARIABLE, str(tmp_path / "missing"))
    with pytest.raises(SheetError, match=r"KERNELLAB_EXERCISES names .*missing"):
        find_folder()
    with pytest.raises(SheetError, match="--tests names"):
        open_bank(make_course(tmp_path / "course"), tests=tmp_path)


def test_a_module_that_no_sheet_links_to_is_never_executed(course: Path) -> None:
    (course / "03_other.py").write_text("raise SystemExit('executed')")
    (course / "01_first" / "_helpers.py").write_text("raise SystemExit('executed')")
    assert len(Bank(course).sheets) == 2


def test_one_question_is_read_once_and_no_other(course: Path) -> None:
    counter = course / "count"
    for path in course.glob("*/*.py"):
        with path.open("a") as file:
            file.write(f"\nwith open({str(counter)!r}, 'a') as f: f.write('x')\n")
    bank = open_bank(course)
    assert not counter.exists()
    assert bank.question("one") is open_bank(course).question("one")
    assert counter.read_text() == "x"


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("bad", "3", "bad.py: QUESTION must be a Question, not int"),
        ("bad", "nonsense", "bad.py: NameError"),
        ("bad", "(", "bad.py: SyntaxError"),
        ("bad", 'echo("good")', "the id good must be the name of the file"),
        ("one", 'echo("one")', "more than one question has the id one"),
        ("A_b", 'echo("A_b")', "lower-case letters"),
    ],
)
def test_what_is_wrong_with_a_question_is_said(
    course: Path, name: str, code: str, says: str
) -> None:
    write_sheet(course / "03_bad", f"# Bad\n\n[]({name}.py)", **{name: code})
    with pytest.raises(SheetError, match=says):
        Bank(course).sheets  # noqa: B018


def test_a_sheet_has_a_title(course: Path) -> None:
    write_sheet(course / "03_bad", "[](three.py)")
    with pytest.raises(SheetError, match="line 1: expected a line “# Title”"):
        loading.load_sheet(course / "03_bad")


def test_a_question_is_not_forgotten(course: Path) -> None:
    (course / "02_second" / "four.md").write_text("---\nkind: values\n---\n")
    with pytest.raises(SheetError, match=r"put a line \[four\]\(four.md\)"):
        Bank(course).sheets  # noqa: B018


def test_a_link_to_nothing_is_an_error(course: Path) -> None:
    write_sheet(course / "03_bad", "# Bad\n\n[](four.md)")
    with pytest.raises(SheetError, match=r"four.md.*FileNotFoundError|No such file"):
        Bank(course).question("four")


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
        own / "01_first",
        "# x\n\n[](two.py)\n[](new.py)",
        two='echo("two", points=9)',
        new='echo("new")',
    )
    write_sheet(
        own / "07_mine",
        "# Mine\n\n## A text\n\n[](three.py)\n[](secret.py)",
        three='echo("three", points=5)',
        secret='echo("secret")',
    )
    bank = Bank(course, own)
    points = {q.id: q.points for q in bank.questions.values()}
    assert points == {"one": 2, "two": 9, "new": 2, "three": 5, "secret": 2}
    assert bank.question("two").points == 9
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


@pytest.mark.parametrize("file", ["sheet.md", "three.py"])
def test_the_digest_changes_with_a_sheet(course: Path, file: str) -> None:
    before = Bank(course).digest
    with (course / "02_second" / file).open("a") as opened:
        opened.write("# another remark\n")
    assert Bank(course).digest != before


def test_a_question_that_no_sheet_asks_can_be_answered(course: Path) -> None:
    (course / "more").mkdir()
    text = (ROOT / "exercises" / "more" / "closure.md").read_text()
    (course / "more" / "loose.md").write_text(text)
    bank = Bank(course)
    assert bank.question("loose").kind == "derivation"
    assert "loose" not in bank.questions
    assert bank.near("lose") == ["loose"]


def test_a_problem_is_found_by_its_name() -> None:
    bank = Bank(ROOT / "exercises")
    found = bank.question("Polynomial-Features")
    assert found.id == "quadratic-features"
    assert bank.problem("polynomial-features") is found.problem  # type: ignore[attr-defined]
    assert bank.near("polynomial-featurs")[0] == "polynomial-features"


def test_two_problems_have_two_names(course: Path) -> None:
    (course / "more").mkdir()
    text = "---\nkind: derivation\nproblem: same\n---\n"
    for name in ("a", "b"):
        (course / "more" / f"{name}.md").write_text(text)
    with pytest.raises(SheetError, match=r"the name same: .*a.md and .*b.md"):
        Bank(course).question("same")
