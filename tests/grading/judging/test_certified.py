"""What is proved is true: the prover alone, without the test of truth before it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from kernellab.grading.instances.fields import Undecided
from kernellab.grading.judging import judge as judging
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Rejected
from kernellab.grading.judging.truth import holds
from kernellab.grading.language.steps import steps
from kernellab.grading.problems import PROBLEMS
from kernellab.grading.proving.networks import (
    TooLarge,
    Untranslatable,
)
from kernellab.grading.work import OutOfWork
from tests.grading import texts
from tests.grading.mutation import EDITS, edit_relation

PER_LINE = 3  # mutants of each line
CHUNKS = 25
MIN_MUTANTS = 50  # of a chunk; all together are more than 2,000
REFUSALS = (ValueError, Undecided, OutOfWork, Untranslatable, TooLarge, ArithmeticError)


@dataclass
class Ungated:
    """Judges mutants of the lines of a right derivation by the prover alone.

    Every line passes the test of truth, whose verdict is kept.
    """

    entry: texts.Entry
    rng: random.Random
    truth: bool | None = None

    def holds(self, *given) -> bool:
        self.truth = holds(*given)
        return True

    def mutants(self) -> Iterator[tuple[str, bool, bool | None]]:
        """Yield mutants of each line: whether they are certified, and their truth."""
        context = Context.of(PROBLEMS[self.entry.problem], self.rng)
        for number, step in enumerate(texts.steps(self.entry.text), 1):
            for _ in range(PER_LINE):
                edited = edit_relation(step, self.rng.choice(EDITS), self.rng)
                if edited is None or edited.whole == step.whole or step.names:
                    continue
                certified = self.judge(trial(context), number, str(edited))
                yield str(edited), certified, self.truth
            self.judge(context, number, str(step))

    def judge(self, context: Context, number: int, line: str) -> bool:
        self.truth = None
        try:
            verdict = judging.judge(context, number, steps(line)[0])
        except (Rejected, *REFUSALS):
            return False
        return verdict.sound


def unexplained(*_: object) -> Rejected:
    """Refuse without a search for what to say."""
    return Rejected("this is not proved", "unproved")


def trial(context: Context) -> Context:
    """Return a context in which a line can be judged without a trace."""
    return replace(
        context,
        statements=list(context.statements),
        symbols=dict(context.symbols),
        _memory=None,
    )


def chunk(seed: int, chunks: int) -> list[texts.Entry]:
    """Every so many-th plain derivation of the collection."""
    found = [
        entry
        for problem in texts.collected()
        for entry in texts.read("right", problem)
        if texts.is_plain(entry.text)
    ]
    return found[seed::chunks]


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(i, marks=[pytest.mark.exhaustive] if i else [])
        for i in range(CHUNKS)
    ],
)
def test_no_certified_mutant_is_false(seed, monkeypatch):
    rng = random.Random(seed)
    tried, false = 0, []
    for entry in chunk(seed, CHUNKS):
        ungated = Ungated(entry, rng)
        monkeypatch.setattr(judging, "holds", ungated.holds)
        monkeypatch.setattr(judging, "refusal", unexplained)
        for line, certified, truth in ungated.mutants():
            tried += 1
            if certified and truth is False:
                false.append(f"{entry.problem}/{entry.name}: {line}")
    assert not false, "\n".join(false)
    assert tried > MIN_MUTANTS
