"""The pages that count, list and index say what is there."""

import importlib.util
import json
import re
import sys

import pytest


def words_of(root, name):
    """The text of a notebook."""
    cells = json.loads((root / name).read_text(encoding="utf-8"))["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    return "\n".join(texts)


@pytest.mark.parametrize("number", range(4))
def test_the_errata_are_counted(root, number):
    text = words_of(root, f"reference/errata_s{number}.ipynb")
    entry = rf"E{number}-\d+"
    kinds = dict(
        re.findall(r"^\| (wrong \w+|imprecise) \| (.*) \|$", text, re.MULTILINE)
    )
    counts = [
        len(re.findall(rf"\[{entry}\]", kinds[kind]))
        for kind in ("wrong result", "wrong constant", "imprecise")
    ]
    counts.append(len(set(re.findall(entry, text))))
    page = (root / "reference/errata.md").read_text(encoding="utf-8")
    (counted,) = re.findall(rf"^\| \[S{number}\].*$", page, re.MULTILINE)
    assert [int(cell) for cell in counted.split("|")[2:-1]] == counts


def test_the_letters_of_the_glossary_lead_to_their_first_terms(root):
    text = (root / "reference/glossary.md").read_text(encoding="utf-8")
    block = text.split("```{glossary}")[1].split("\n```")[0]
    first = {}
    for line in block.splitlines():
        if line and not line.startswith(" "):
            first.setdefault(line[0].upper(), line)
    letters = re.findall(r"\{term\}`([A-Z]) <([^>]+)>`", text)
    assert letters == sorted(first.items())


def test_the_index_of_the_library_lists_every_page(root):
    index = (root / "reference/api.md").read_text(encoding="utf-8")
    for page in (root / "reference/api").glob("*.md"):
        modules = re.findall(r"automodule:: (\S+)", page.read_text(encoding="utf-8"))
        assert any(f"   {module}\n" in index for module in modules), page.name


@pytest.fixture
def docstrings(root):
    path = root / "_ext" / "plain_docstrings.py"
    spec = importlib.util.spec_from_file_location("plain_docstrings", path)
    module = sys.modules["plain_docstrings"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_formulas_stay_lines(docstrings):
    text = [
        "The problem:",
        "",
        "    minimise a",
        "    over b",
        "",
        "Then",
        "- x",
        "",
        "    y",
    ]
    lines = list(text)
    docstrings.keep_formulas(None, "module", "name", None, None, lines)
    assert lines == [*text[:2], ".. code-block:: text", "", *text[2:]]


def test_what_is_said_of_a_parameter_stays_in_one_piece(docstrings):
    lines = [
        "Solve it.",
        "",
        "Note : this is a sentence.",
        "",
        "Parameters",
        "----------",
        "C, tol : how much an error",
        "    costs.",
        "kernel : any.",
    ]
    docstrings.join_sentences(None, "class", "name", None, None, lines)
    assert lines[2] == "Note : this is a sentence."
    assert lines[6:] == [
        "C, tol",
        "    how much an error",
        "    costs.",
        "kernel",
        "    any.",
    ]
