"""What a question must say of its own references and mistakes."""

from kernellab.grading import Mistake, Question, Reference


def check_reference(question: Question, reference: Reference, seed: int) -> None:
    """A reference earns full marks."""
    outcome = question.grade(reference.answer, seed=seed)
    assert outcome.status == "right", outcome
    assert outcome.points == outcome.out_of == question.points


def check_mistake(question: Question, mistake: Mistake) -> None:
    """A mistake gets the verdict that it declares."""
    outcome = question.grade(mistake.answer)
    assert outcome.status in ("wrong", "partial"), outcome
    assert outcome.points <= mistake.at_most * question.points + 1e-9, outcome
    assert mistake.says in " ".join(str(outcome).split()), outcome
    if mistake.first_bad is not None:
        assert outcome.data["first_bad"] == mistake.first_bad, outcome


def check_complete(question: Question) -> None:
    """A question has answers, mistakes and hints, and a starter that is no answer."""
    assert len(question.references) >= 2
    assert len(question.mistakes) >= 3
    assert len(question.hints) >= 2
    assert question.proofs
    assert question.grade(question.starter).status == "unanswered"
