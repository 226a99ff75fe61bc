"""Hostile texts: none is accepted, none raises, none takes long."""

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.problems import PROBLEMS

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
}  # fmt: skip


FLOODS = ("100,000 lines", "slow", "reasons", "citations")


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
