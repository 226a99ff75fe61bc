"""The exercise sheets: references earn full marks, mistakes get their verdicts."""

from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import Bank

SOLUTIONS = Path(__file__).parents[2] / "exercises" / "solutions"
QUESTIONS = list(Bank(SOLUTIONS).questions.values())


def cases(kind):
    return [
        pytest.param(question, case, id=f"{question.id}-{i}")
        for question in QUESTIONS
        for i, case in enumerate(getattr(question, kind), 1)
    ]


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize(("question", "reference"), cases("references"))
def test_references_earn_full_marks(question, reference, seed):
    outcome = question.grade(reference.answer, seed=seed)
    assert outcome.status == "right", outcome
    assert outcome.points == outcome.out_of == question.points


@pytest.mark.parametrize(("question", "mistake"), cases("mistakes"))
def test_mistakes_get_their_verdict(question, mistake):
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
@pytest.mark.parametrize(
    "text", ["?", "x = 1", "<script>", "1\n" * 100_000, "((" * 999]
)
def test_no_text_breaks_a_question_or_earns_points(question, text):
    outcome = question.grade(text)
    assert outcome.points == 0
    assert "<script>" not in outcome.html
