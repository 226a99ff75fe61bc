"""The grader as the page calls it: any text in, plain data out."""

import json
from xml.etree import ElementTree

import pytest

from kernellab.grading.classroom.bank import UnknownQuestion, open_bank
from kernellab.grading.language.steps import MAX_STEPS, steps
from kernellab.grading.page import judge, preview, rows

# One of each sheet: all others are graded by the tests of the exercises.
DERIVATIONS = [
    next(q for q in sheet.questions if q.kind == "derivation")
    for sheet in open_bank().sheets
]


@pytest.mark.parametrize("question", DERIVATIONS, ids=lambda q: q.id)
def test_derivations_of_every_sheet_can_be_answered(question):
    found = judge(question.id, question.references[0].answer)
    assert found["status"] == "right"
    assert found["points"] == found["out_of"] == question.points
    assert found["first_bad"] is None
    assert found["missing"] == []
    assert {line["status"] for line in found["lines"]} == {"ok"}
    assert found["html"].startswith('<section class="kl-report">')
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_slip_is_named_where_it_stands():
    text = "# so\n\nA = A | algebra\r\n\nA = 2*A | algebra\n"
    found = judge("push-through", text)
    assert found["status"] == "wrong"
    assert found["first_bad"] == 2
    assert [line["row"] for line in found["lines"]] == [2, 4]
    bad = found["lines"][1]
    assert bad["status"] == "wrong"
    assert bad["counterexample"]
    assert "not there" not in found["summary"]


@pytest.mark.parametrize(
    "text",
    ["a\nb", "\n a \n#b\nc", "a\x0cb\nc", "a\u2028#b\u2028c\n\nd", "a\r\nb", "", "#\n"],
)
def test_there_is_a_row_for_each_step(text):
    found = rows(text)
    assert len(found) == len(steps(text))
    assert found == sorted(found)
    assert all(text.split("\n")[row].strip() for row in found)


@pytest.mark.parametrize("text", ["", "  \n\n", "# only a remark"])
def test_nothing_is_not_wrong(text):
    found = judge("ridge-dual", text)
    assert (found["status"], found["points"], found["lines"]) == ("unanswered", 0, [])


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 | \udfff",
        "<script>alert(1)</script> | <b>",
        "(" * 5000,
        "a = t | given\n" * (MAX_STEPS + 50),
        "a = " + "a + " * 3000 + "a | algebra",
        "K**99999999 = 0 | algebra",
        "\x00\x1b[2J | \u202e",
    ],
)
def test_any_text_gets_an_answer(text):
    found = judge("ridge-dual", text)
    assert found["status"] in ("wrong", "partial")
    assert 0 < len(found["lines"]) <= MAX_STEPS
    assert "<script>" not in found["html"]
    json.dumps(found, allow_nan=False).encode()


def test_other_kinds_that_need_no_process_can_be_judged():
    other = next(q for q in open_bank().questions.values() if q.kind == "values")
    found = judge(other.id, other.references[0].answer)
    assert found["status"] == "right"
    assert found["lines"] == []
    assert set(found["marks"].values()) <= {True, None}


def test_a_program_is_judged_like_any_answer():
    code = next(q for q in open_bank().questions.values() if q.kind == "code")
    assert judge(code.id, code.references[0].answer)["status"] == "right"
    assert judge(code.id, code.mistakes[0].answer)["status"] in ("wrong", "partial")


KERNELS = [q for q in open_bank().questions.values() if q.kind == "kernel proof"]


@pytest.mark.parametrize("question", KERNELS, ids=lambda q: q.id)
def test_a_kernel_is_shown_while_it_is_written(question):
    for reference in question.references:
        shown = preview(question.id, reference.answer)
        assert shown["verdict"].startswith("PROVEN on ")
        ElementTree.fromstring(shown["mathml"])  # it is well-formed
        assert "\\" not in shown["mathml"]


def test_what_is_no_kernel_yet_is_told_why():
    assert "not an expression" in preview("days-of-the-year", "k = Gaus(")["message"]
    assert preview("days-of-the-year", "")["message"]
    claim = preview("positive-entries", "valid\nk = Linear(A=[[1, 3], [3, 4]])")
    assert claim["verdict"].startswith("REFUTED")
    assert preview("positive-entries", "invalid")["message"]


def test_a_question_that_is_not_there():
    with pytest.raises(UnknownQuestion, match="ridge-dual"):
        judge("ridge-duel", "a = t")
