"""The exercise sheets: references earn full marks, mistakes get their verdicts."""

from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import Bank

SOLUTIONS = Path(__file__).parents[2] / "exercises" / "solutions"
QUESTIONS = list(Bank(SOLUTIONS).questions.values())


ONE_OF_EACH_KIND = {question.kind: question for question in QUESTIONS}.values()


def cases(kind):
    return [
        pytest.param(question, case, i, id=f"{question.id}-{i}")
        for question in QUESTIONS
        for i, case in enumerate(getattr(question, kind))
    ]


@pytest.mark.parametrize(("question", "reference", "seed"), cases("references"))
def test_references_earn_full_marks(question, reference, seed):
    outcome = question.grade(reference.answer, seed=seed)
    assert outcome.status == "right", outcome
    assert outcome.points == outcome.out_of == question.points


@pytest.mark.parametrize(("question", "mistake", "number"), cases("mistakes"))
def test_mistakes_get_their_verdict(question, mistake, number):
    outcome = question.grade(mistake.answer)
    assert outcome.status in ("wrong", "partial"), outcome
    assert outcome.points <= mistake.at_most * question.points + 1e-9, outcome
    assert mistake.says in " ".join(str(outcome).split()), outcome
    if mistake.first_bad is not None:
        assert outcome.data["first_bad"] == mistake.first_bad, outcome


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_is_complete(question):
    assert len(question.references) >= 2
    assert len(question.mistakes) >= 3
    assert len(question.hints) >= 2
    assert question.proofs
    assert question.grade(question.starter).status == "unanswered"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
@pytest.mark.parametrize("text", ["x = 1", "<script>"])
def test_no_text_breaks_a_question_or_earns_points(question, text):
    outcome = question.grade(text)
    assert outcome.points == 0
    assert "<script>" not in outcome.html


@pytest.mark.parametrize("question", ONE_OF_EACH_KIND, ids=lambda question: question.id)
@pytest.mark.parametrize("text", ["?", "1\n" * 100_000, "((" * 999])
def test_no_flood_of_text_breaks_a_kind_of_question(question, text):
    assert question.grade(text).points == 0
