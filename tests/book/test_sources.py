"""The map of the sources: no row is lost, and every link leads somewhere."""

import csv
import re
from pathlib import Path

import pytest

COUNTS = {"S0": 63, "S1": 52, "S2": 54, "S3": 161, "P": 65}
STATUS = {"taught", "planned", "exercise", "front matter"}


@pytest.fixture(scope="module")
def rows(root: Path) -> list[dict[str, str]]:
    with (root / "reference" / "sources.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        return list(csv.DictReader(file))


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
        assert bool(row["anchor"]) == (row["status"] in ("taught", "front matter"))


def test_what_is_planned_has_no_chapter_yet(rows, root):
    chapters = [path.stem for path in (root / "chapters").glob("*.ipynb")]
    for row in rows:
        if row["status"] == "planned":
            assert row["page"].removeprefix("chapters/") not in chapters, row["id"]


def test_every_anchor_exists_on_the_built_site(rows, site):
    found: dict[str, set[str]] = {}
    for row in rows:
        if not row["anchor"]:
            continue
        page = row["page"]
        if page not in found:
            html = (site / f"{page}.html").read_text(encoding="utf-8")
            found[page] = set(re.findall(r'\bid="([^"]+)"', html))
        anchor = row["anchor"]
        name = f"equation-{anchor}" if anchor.startswith("eq-") else anchor
        assert name in found[page], f"{row['id']}: no {name} on {page}"
