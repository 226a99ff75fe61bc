"""The map of the sources, and the chapters' exercises: no row is lost, no link dead."""

import csv
import re
from pathlib import Path

import nbformat
import pytest

from kernellab.grading.classroom.bank import Bank, open_bank

COUNTS = {"S0": 63, "S1": 52, "S2": 54, "S3": 161, "P": 65}
STATUS = {"taught", "exercise", "front matter"}
SHEETS = (
    "01_duality",
    "02_kernel_trick",
    "03_constructing_kernels",
    "04_rkhs",
    "05_perceptron",
    "06_svm",
    "07_gaussian_processes",
    "08_scaling",
)
LINK = re.compile(r"\bex-(?!ch\d)[a-z0-9-]+")  # ex-ch4-… is an example in the text
ASKED = re.compile(
    r"^:::\{admonition\} Your turn\n:class: question\n"
    r"\[(.+)\]\(\.\./exercises/(\w+)\.ipynb#ex-([a-z0-9-]+)\)\n:::$",
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def rows(root: Path) -> list[dict[str, str]]:
    with (root / "reference" / "sources.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def bank(root: Path) -> Bank:
    return open_bank(root / "exercises")


def chapter_text(root: Path, name: str) -> str:
    cells = nbformat.read(root / "chapters" / f"{name}.ipynb", as_version=4).cells
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


def test_every_row_of_every_document_is_there_once(rows):
    ids = [row["id"] for row in rows]
    for document, count in COUNTS.items():
        digits = 3 if document == "S3" else 2
        expected = [f"{document}-{i:0{digits}d}" for i in range(1, count + 1)]
        assert [i for i in ids if i.startswith(f"{document}-")] == expected
    assert len(ids) == sum(COUNTS.values())


def test_every_row_is_assigned(rows):
    for row in rows:
        assert row["status"] in STATUS, row["id"]
        assert row["page"], row["id"]
        assert row["anchor"], row["id"]


def test_an_exercise_names_all_questions_that_ask_for_it(rows, bank):
    for row in rows:
        if row["status"] == "exercise":
            asked = [
                (f"exercises/{sheet.name}", f"ex-{q.id}")
                for sheet in bank.sheets
                for q in sheet.questions
                if row["id"] in q.proofs
            ]
            assert row["page"].split() == list(dict.fromkeys(p for p, _ in asked))
            assert row["anchor"].split() == [label for _, label in asked] != []


def test_what_a_question_asks_for_is_an_exercise_of_the_map(rows, bank):
    status = {row["id"]: row["status"] for row in rows}
    asked = {p: q.id for q in bank.questions.values() for p in q.proofs if p != "own"}
    assert {p: q for p, q in asked.items() if status.get(p) != "exercise"} == {}


def test_every_sheet_has_its_chapter(bank):
    assert tuple(sheet.name for sheet in bank.sheets) == SHEETS


@pytest.mark.parametrize("name", SHEETS)
def test_a_chapter_ends_with_the_questions_of_its_sheet(root, bank, name):
    section = chapter_text(root, name).split("\n## Exercises\n")[1].split("\n## ")[0]
    listed = [line for line in section.splitlines() if line.startswith("- [")]
    assert listed == [
        f"- [{q.title}](../exercises/{name}.ipynb#ex-{q.id}), "
        f"{q.points} point{'s' * (q.points > 1)}"
        for q in bank.sheet(name).questions
    ]
    assert f"(../exercises/{name}.ipynb)" in section


@pytest.mark.parametrize("name", SHEETS)
def test_a_chapter_links_to_questions_that_exist(root, bank, name):
    linked = {
        label.removeprefix("ex-") for label in LINK.findall(chapter_text(root, name))
    }
    assert linked - set(bank.questions) == set()


@pytest.mark.parametrize("name", ["00_tour", *SHEETS])
def test_a_chapter_asks_questions_on_the_way(root, bank, name):
    text = chapter_text(root, name)
    asked = ASKED.findall(text)
    assert len({id for _, _, id in asked}) == text.count("\n:class: question\n") >= 2
    for title, sheet, id in asked:
        assert (title, sheet) == (bank.questions[id].title, bank.sheet_of(id).name)


def test_every_anchor_exists_on_the_built_site(rows, site):
    found: dict[str, set[str]] = {}
    for row in rows:
        pages = row["page"].split()
        for page in set(pages) - set(found):
            html = (site / f"{page}.html").read_text(encoding="utf-8")
            found[page] = set(re.findall(r'\bid="([^"]+)"', html))
        for anchor in row["anchor"].split():
            name = f"equation-{anchor}" if anchor.startswith("eq-") else anchor
            assert any(name in found[page] for page in pages), (row["id"], name)
