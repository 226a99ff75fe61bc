"""Hostile texts: none is accepted, none raises, none takes unbounded work."""

import ast
import random
import re
from pathlib import Path

import pytest

from kernellab import grading
from kernellab.grading import check_derivation
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.judging import advice, check, verdicts
from kernellab.grading.language.said import MAX_CHARACTERS, said
from kernellab.grading.language.steps import MAX_STEPS, steps
from kernellab.grading.problems import PROBLEMS
from kernellab.grading.proving import prover

TEXTS = {
    "nothing": "",
    "100,000 lines": "a = t | algebra\n" * 100_000,
    "brackets": "(" * 3000 + "a" + ")" * 3000 + " = t",
    "minus signs": "-" * 3000 + "a = t",
    "towers": "a = t**8**8**8 | algebra",
    "null": "a\x00 = t",
    "HTML": "<script>alert(1)</script> = a | <b onclick=alert(1)>",
    "bars": "|" * 2000,
    "long": "a = " + "+".join(["t"] * 5000),
    "nested sums": "J = " + "sum(" * 8 + "t[n]" + " for b in N)" * 8,
    "direction": "\u202ea = t",
    "lets": "\n".join(f"let B{i} = K + lam*I" for i in range(300)),
    "inverses": "a = " + "inv(" * 30 + "K" + ")" * 30 + "@t",
    "chain": " = ".join(["a"] * 300),
    "powers": "J = " + "**8".join(["(t.T@t)"] * 3) + " | use 1; use 2; def K",
    "citations": "a = t | " + "; ".join(f"use {i}" for i in range(500)),
    "reasons": "J = J | " + "substitute w; def K; gradient; " * 200,
    "slow": "J = sum((t[n] - sum(K[n,m]*a[m]*K[i,j] for m in N for i in N "
    "for j in N))**2 for n in N) | def K; substitute w\n" * 30,
    "zero": "1 = 0",
    "itself": "J = J | use 1\nlet B = B + K",
    "claim and spaces": "claim" + " " * 800 + "x is",
    "more spaces": "claim" + " " * 30_000 + "x is",
    "set": "J = J | " + "set " * 30_000,
    "both sides": "J = J | " + "multiply both sides " * 5000,
    "continued": "J = J\n" + "= J\n" * 5000,
    "expanded": "J = (t.T@t + a.T@t + a.T@K@a + w.T@w + a.T@a)**8\n" * 20,
    "matched": "\n".join(
        f"(a.T@K@a)**{k % 8 + 1}*(a.T@t)**{k % 7 + 1} = (a.T@K@t)**{k % 5 + 1} + {k}*J"
        for k in range(60)
    ),
    "terms": ("J = " + " + ".join(["t.T@K@K@K@a"] * 60) + "\n") * 60,
    "functions": "\n".join(
        f"exp({k}+a.T@K@a)*exp(t.T@t) >= exp(log({k} + w.T@w + t.T@t))"
        for k in range(1, 60)
    ),
    "many inverses": "\n".join(
        f"inv(K + {k}*I)@inv(K + lam*I)@t = inv(K + lam*I)@inv(K + {k}*I)@t"
        for k in range(1, 60)
    ),
    "a chain of chains": "J = J\n" + f"= {' = '.join(['J/1', 'J + 0'] * 5)}\n" * 48,
    "fractions": "\n".join(
        " + ".join(
            f"{977 * k + 131 * i}/{891 * i + 71 * k}*{square}"
            for i, square in enumerate(("a.T@a", "t.T@t", "a.T@t", "w.T@w", "a.T@K@t"))
        )
        + " = 0"
        for k in range(1, 60)
    ),
}  # fmt: skip
BOUND = verdicts.TEXT + check.ROUTES + advice.ADVICE  # of work
FLOODS = (
    "100,000 lines", "slow", "reasons", "citations", "continued", "expanded", "matched",
    "terms", "functions", "many inverses", "fractions",
)  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] if name in FLOODS else [])
        for name in TEXTS
    ],
)
def test_hostile_texts(name):
    report = check_derivation("ridge-dual", TEXTS[name])
    assert not report.accepted
    assert report.context.work.done < 1.1 * BOUND
    text, html = str(report), report._repr_html_()
    assert "<script" not in html
    assert "<b onclick" not in html
    assert len(text) < 200_000


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_survives_words(problem):
    for text in ("hello", "a = b | why not", "0 = 0", "= 1", "not", "| |"):
        assert not check_derivation(problem, text).accepted


def test_an_entry_for_every_step():
    report = check_derivation("ridge-dual", "# comment\n\na = t\n?\n= 1\n" * 3)
    assert [line.number for line in report.lines] == list(range(1, 10))


# Bounds of work


def test_what_is_read_is_bounded():
    assert len(said("set " * 30_000, frozenset()).text) == MAX_CHARACTERS
    found = steps("= J\n" * (MAX_STEPS + 50))
    assert [step.relation for step in found[MAX_STEPS:]] == [""] * 50


def test_no_line_is_begun_when_the_work_is_done(monkeypatch):
    monkeypatch.setattr(verdicts, "TEXT", 30_000)
    report = check_derivation("ridge-dual", "t = t + t\n" * 150, explanations=False)
    assert report.lines[0].status == "wrong"
    assert {line.status for line in report.lines[-10:]} == {"skipped"}
    assert "too much work" in report.lines[-1].message


def test_a_search_ends_when_its_work_is_done(monkeypatch):
    """Nothing is proved without work, and nothing is accepted."""
    monkeypatch.setattr(prover, "CLAIM", 100)
    report = check_derivation("ridge-dual", "J = norm2(t - K@a) + lam*a.T@K@a")
    assert [line.status for line in report.lines] == ["wrong"]


@pytest.mark.parametrize("package", ["language", "instances", "proving", "judging"])
def test_no_clock_decides(package):
    """What a text is worth depends on no machine: nothing here reads the time."""
    folder = Path(grading.__file__).parent / package
    for path in (folder.parent / "work.py", *folder.glob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        names |= {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
        assert names.isdisjoint({"time", "datetime", "timeit", "signal", "threading"})


# Random texts


def shuffled(text: str, rng: random.Random) -> str:
    lines = text.splitlines()
    rng.shuffle(lines)
    return "\n".join(lines)


def exchanged(text: str, rng: random.Random) -> str:
    """Some tokens in the place of others."""
    tokens = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(max(1, len(tokens) // 10)):
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def cut(text: str, rng: random.Random) -> str:
    """A text without some of its characters."""
    return "".join(c for c in text if rng.random() > 0.03)


def answers(problem: str, own: bool) -> list[str]:
    """The reference derivations of a problem, or those of all others."""
    questions = [q for q in open_bank().questions.values() if q.kind == "derivation"]
    return [
        reference.answer
        for question in questions
        if (question.problem is PROBLEMS[problem]) is own
        for reference in question.references
    ]


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(p, marks=[pytest.mark.exhaustive] if i % 6 else [])
        for i, p in enumerate(PROBLEMS)
    ],
)
def test_random_texts_are_answered(problem):
    """Texts of other problems, lines shuffled, tokens exchanged: an entry per step."""
    rng = random.Random(problem)
    others = answers(problem, own=False)
    own = answers(problem, own=True) or others
    texts = [
        rng.choice(others),
        shuffled(rng.choice(own), rng),
        exchanged(rng.choice(own), rng),
        cut(rng.choice(own), rng),
        exchanged(shuffled(rng.choice(others), rng), rng),
    ]
    for text in texts:
        report = check_derivation(problem, text)
        assert len(report.lines) == len(steps(text))
        assert 0 <= report.score <= 1
        assert str(report)
        assert report._repr_html_()
