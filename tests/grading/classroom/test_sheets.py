"""A sheet gives two notebooks, the same ones every time."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from kernellab.grading.classroom.assignments import (
    HasAnswers,
    outdated,
    write_assignments,
)
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.classroom.notebook_files import read_cells, source_of
from kernellab.grading.classroom.sheets import notebook, starter, statement
from kernellab.grading.classroom.submissions import read_submission
from kernellab.grading.questions.base import Sheet
from tests.conftest import ROOT
from tests.grading.fake_course import make_course


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(make_course(tmp_path / "course"))


@pytest.fixture
def sheet(bank: Bank) -> Sheet:
    return bank.sheet("01_first")


def sources(content: dict[str, Any]) -> dict[str, str]:
    return {cell["id"]: source_of(cell) for cell in content["cells"]}


def test_the_students_notebook(sheet: Sheet) -> None:
    cells = sources(notebook(sheet))
    assert list(cells) == [
        "intro", "install", "setup",
        "q-one", "a-one", "text-1", "q-two", "a-two", "score",
    ]  # fmt: skip
    assert cells["intro"].startswith("# First sheet\n\nHello.")
    assert cells["setup"].startswith("from kernellab import grading")
    assert cells["q-one"].startswith("(ex-one)=\n## Title of one\n\n*2 points · P-01*")
    assert cells["a-one"] == "%%answer one\n# your answer"
    assert cells["a-two"] == "%%answer two\ndef f():\n    pass  # here"
    assert cells["score"] == 'grading.score("01_first")'


def test_only_proofs_of_the_documents_are_named(bank: Bank) -> None:
    own = replace(bank.question("one"), proofs=("own",))
    assert "*2 points*" in statement(own)


def test_the_solved_notebook_has_answers_and_targets_of_its_own(sheet: Sheet) -> None:
    cells = sources(notebook(sheet, solved=True))
    assert cells["a-one"] == "%%answer one\nright"
    assert cells["q-one"].startswith("(sol-one)=")


@pytest.mark.parametrize("solved", [False, True])
def test_jupyter_accepts_them(sheet: Sheet, solved: bool) -> None:
    nbformat.validate(notebook(sheet, solved=solved))


def test_the_starter_is_unanswered_and_the_reference_full_marks(bank: Bank) -> None:
    for question in bank.questions.values():
        assert question.grade(starter(question)).status == "unanswered"
        assert question.grade(question.references[0].answer).status == "right"


def test_what_is_written_is_what_is_read(bank: Bank, tmp_path: Path) -> None:
    written = write_assignments(bank.sheets, tmp_path / "out", solved=True)
    found = read_submission(written, bank)
    assert found.answers == dict.fromkeys(("one", "two", "three"), "right")
    assert found.notes == found.problems == ()


def execute(path: Path) -> None:
    content = json.loads(path.read_text())
    for number, cell in enumerate(content["cells"], start=1):
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]
            cell["execution_count"] = number
    path.write_text(json.dumps(content))


def test_outputs_of_unchanged_cells_stay(bank: Bank, tmp_path: Path) -> None:
    (path,) = write_assignments([bank.sheet("02")], tmp_path)
    execute(path)
    before = read_cells(path)
    write_assignments([bank.sheet("02")], tmp_path)
    assert read_cells(path) == before
    write_assignments([bank.sheet("02")], tmp_path, solved=True)
    outputs = {c["id"]: c["outputs"] for c in read_cells(path) if "outputs" in c}
    assert outputs["setup"]
    assert not outputs["a-three"]


def test_answers_are_not_overwritten_unless_told(bank: Bank, tmp_path: Path) -> None:
    (path,) = write_assignments([bank.sheet("01")], tmp_path)
    path.write_text(path.read_text().replace("# your answer", "my answer"))
    with pytest.raises(HasAnswers, match="01_first"):
        write_assignments([bank.sheet("01")], tmp_path)
    assert "my answer" in path.read_text()
    write_assignments([bank.sheet("01")], tmp_path, force=True)
    assert "my answer" not in path.read_text()


def test_a_check_compares_sources_only(bank: Bank, tmp_path: Path) -> None:
    assert outdated(bank.sheets, tmp_path) == [
        tmp_path / "01_first.ipynb",
        tmp_path / "02_second.ipynb",
    ]
    first, _ = write_assignments(bank.sheets, tmp_path)
    execute(first)
    assert outdated(bank.sheets, tmp_path) == []
    first.write_text(first.read_text().replace("Hello", "Hallo"))
    assert outdated(bank.sheets, tmp_path) == [first]


@pytest.mark.parametrize("solved", [False, True])
def test_the_notebooks_of_this_course_are_current(solved: bool) -> None:
    source = ROOT / "exercises"
    folder = source / "solutions" if solved else source
    assert outdated(Bank(source).sheets, folder, solved=solved) == [], (
        "run `python -m kernellab.grading new-assignment`, with and without --solutions"
    )
