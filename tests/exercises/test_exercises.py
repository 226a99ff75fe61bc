"""The exercise sheets: references earn full marks, mistakes get their verdicts."""

from pathlib import Path

import pytest

from kernellab.grading.classroom.bank import Bank
from tests.grading.verdicts import check_complete, check_mistake, check_reference
from tests.sampling import always_if

EXERCISES = Path(__file__).parents[2] / "exercises"
QUESTIONS = list(Bank(EXERCISES).questions.values())


ONE_OF_EACH_KIND = {question.kind: question for question in QUESTIONS}.values()
SAMPLE_IDS = {question.id for question in ONE_OF_EACH_KIND}


ENDLESS = {("code-subsequence", 0), ("train-a-kernel-perceptron", 4)}
"""Mistakes that only the limit of ten seconds ends."""


def cases(kind, every, left_out=frozenset()):
    """All of a kind; of each question one of so many, and the first, in every run."""
    return [
        always_if(
            i % every == 0 and (question.id, i) not in left_out,
            *(question, case, i),
            id=f"{question.id}-{i}",
        )
        for question in QUESTIONS
        for i, case in enumerate(getattr(question, kind))
    ]


@pytest.mark.parametrize(("question", "reference", "seed"), cases("references", 3))
def test_references_earn_full_marks(question, reference, seed):
    check_reference(question, reference, seed)


@pytest.mark.parametrize(
    ("question", "mistake", "number"), cases("mistakes", 4, ENDLESS)
)
def test_mistakes_get_their_verdict(question, mistake, number):
    check_mistake(question, mistake)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_is_complete(question):
    check_complete(question)


@pytest.mark.parametrize(
    "question",
    [always_if(q.id in SAMPLE_IDS, q, id=q.id) for q in QUESTIONS],
)
@pytest.mark.parametrize("text", ["x = 1", "<script>"])
def test_no_text_breaks_a_question_or_earns_points(question, text):
    outcome = question.grade(text)
    assert outcome.points == 0
    assert "<script>" not in outcome.html


@pytest.mark.parametrize("question", ONE_OF_EACH_KIND, ids=lambda question: question.id)
@pytest.mark.parametrize("text", ["?", "1\n" * 10_000, "((" * 999])
def test_no_flood_of_text_breaks_a_kind_of_question(question, text):
    assert question.grade(text).points == 0
