"""Questions find their place: on the pages of sheets, and inside chapters."""

import json
import re
from pathlib import Path

import pytest

from _ext.question_fields import kind, setup_of
from _ext.question_places import HERE, sheet_page, with_components
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.questions.values import Value

PLACED = """Before.

:::{admonition} Your turn
:class: question
[The dual of ridge regression](../exercises/01_duality.ipynb#ex-ridge-dual)
:::

:::{admonition} A remark
:class: tip
[Another](../exercises/01_duality.ipynb#ex-ridge-map)
:::
"""


def test_an_admonition_becomes_the_question_that_it_links_to() -> None:
    text = with_components(PLACED)
    assert ":::{question} ridge-dual\n:::\n" in text
    assert text.startswith("Before.\n\n:::{question}")
    assert text.endswith(PLACED[PLACED.index(":::{admonition} A remark") :])


def test_several_questions_stay_apart() -> None:
    twice = with_components(PLACED + "\n" + PLACED.replace("dual of", "other"))
    assert twice.count(":::{question} ridge-dual\n:::") == 2


def test_an_admonition_without_a_question_is_an_error() -> None:
    with pytest.raises(ValueError, match="#ex-ID"):
        with_components(PLACED.replace("#ex-ridge-dual", "#sec-ridge"))


@pytest.mark.parametrize("sheet", open_bank().sheets, ids=lambda sheet: sheet.name)
def test_the_page_of_a_sheet_asks_all_its_questions(sheet, root: Path) -> None:
    path = root / "exercises" / f"{sheet.name}.ipynb"
    cells = sheet_page(json.loads(path.read_text())["cells"], sheet.name)
    text = "\n".join("".join(cell["source"]) for cell in cells)
    for question in sheet.questions:
        label = f"(ex-{question.id})=\n"
        assert label in text
        asked = text[text.index(label) :].partition(f"{{question}} {question.id}\n")
        assert question.title in asked[0]
        assert asked[1]
    assert HERE in text
    assert "%%answer" not in text
    assert f":::{{question-sheet}} {sheet.name}\n" in text


@pytest.mark.parametrize("sheet", open_bank().sheets, ids=lambda sheet: sheet.name)
def test_a_sheet_comes_after_its_chapter_and_has_no_number(sheet, site: Path) -> None:
    page = (site / "exercises" / f"{sheet.name}.html").read_text()
    article = page[page.index("<article") : page.index("</article>")]
    assert "section-number" not in article
    further = site / "chapters" / f"{sheet.name[:2]}_further.html"
    before = further if further.exists() else site / "chapters" / f"{sheet.name}.html"
    following = re.search(r'class="right-next"\s+href="([^"]+)"', before.read_text())
    assert following is not None
    assert following[1] == f"../exercises/{sheet.name}.html"


def test_a_field_tells_the_kind_of_value_and_nothing_else() -> None:
    kinds = {
        "1/2": "number",
        "[1, 2]": "vector",
        "[[1, 2], [3, 4]]": "matrix",
        "{0, 1}": "set",
        "": "any",
    }
    assert {answer: kind(Value("v", answer)) for answer in kinds} == kinds
    assert kind(Value("v", "no", choices=("yes", "no"))) == "choice"
    infinite = Value("v", "infinite", choices=("infinite",))
    assert kind(infinite) == "number"  # what else would the only choice be


@pytest.mark.parametrize("question", open_bank().questions.values(), ids=lambda q: q.id)
def test_what_a_page_knows_of_a_question_is_not_its_answer(question) -> None:
    told = json.dumps(setup_of(question), ensure_ascii=False)
    for reference in question.references:
        assert len(reference.answer) < 30 or reference.answer not in told


@pytest.mark.parametrize(
    ("name", "names", "operations"),
    [
        ("polynomial-of-a-kernel", ["k1", "Constant"], []),
        ("quotient-put-right", ["Brownian"], ["Exp", "Power", "Normalized"]),
    ],
)
def test_the_keys_are_those_that_may_be_used(name, names, operations) -> None:
    setup = setup_of(open_bank().question(name))
    assert setup["names"][: len(names)] == names
    assert ("Linear" in setup["names"]) == ("Brownian" in names)
    assert setup["operations"] == operations
