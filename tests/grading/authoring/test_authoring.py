"""Questions as text: what can be said, and what a slip in a file is answered with."""

from pathlib import Path

import pytest

from kernellab.grading import Derivation, KernelProof, Puzzle, Values, question
from kernellab.grading.authoring.source import SourceError, without_answers
from kernellab.grading.classroom.bank import Bank
from kernellab.grading.forms import find_form
from tests.conftest import ROOT

HALF = """\
---
kind: values
title: A half
points: 2
proofs: own, P-01
---

What is $1/2$?

```text
a picture
```

```values
h = 1/2
  exact: yes
  trap 2: turned
    over
word
  choices: yes, no
```

```hints
Cut it
in two.

Then count.
```

```reference
h = 1/2
```

```mistake on=reference at_most=0.5 says="not 'this'"
# turned
# over
1: h = 2
2: word = no
```
"""
SUM = """\
---
kind: derivation
title: A sum
points: 3
problem: total
---

Show it.

```symbols
A : N x P
x : P
s : number = x.T@x
```

```problem
sizes: N = 2, P = 3; N = 3, P = 2
object: s
givens:
  A@x = 0
covariances:
  cov(x, x) = A
```

```route by hand
the sum
  s = norm2(x)
  only: x
  form: one square
```
"""


def test_values_say_all_that_they_can():
    made = question("half.md", HALF)
    assert isinstance(made, Values)
    assert (made.id, made.points, made.proofs) == ("half", 2, ("own", "P-01"))
    assert made.statement == "What is $1/2$?\n\n```text\na picture\n```"
    assert made.hints == ("Cut it in two.", "Then count.")
    half, word = made.values
    assert (half.answer, half.exact, half.traps) == ("1/2", True, {"2": "turned over"})
    assert (word.answer, word.choices) == ("", ("yes", "no"))
    (mistake,) = made.mistakes
    assert mistake.answer == "h = 2\nword = no"
    assert (mistake.why, mistake.says) == ("turned over", "not 'this'")
    assert (mistake.at_most, mistake.first_bad) == (0.5, None)


def test_a_derivation_has_its_problem():
    made = question("sum.md", SUM)
    assert isinstance(made, Derivation)
    problem = made.problem
    assert (problem.id, problem.sizes) == ("total", ("N", "P"))
    assert problem.regimes == ({"N": 2, "P": 3}, {"N": 3, "P": 2})
    assert problem.givens == ("A@x = 0",)
    assert problem.covariances == {"x x": "A"}
    (route,) = problem.routes
    (milestone,) = route.milestones
    assert (route.name, milestone.name) == ("by hand", "the sum")
    assert (milestone.only, milestone.form) == (frozenset("x"), "one square")


def test_a_puzzle_has_blocks_that_do_not_belong():
    text = (
        "---\nkind: puzzle\ntitle: T\npoints: 1\n---\n\nOrder.\n\n```blocks\n"
        "one\n  First\n  this.\ntwo\n  needs: one\n  Then that.\n"
        "bad\n  why: it is\n    wrong\n  Or this.\n```\n"
    )
    made = question("order.md", text)
    assert isinstance(made, Puzzle)
    one, two, bad = made.blocks
    assert (one.text, two.needs) == ("First this.", ("one",))
    assert (bad.why, bad.text) == ("it is wrong", "Or this.")


def test_a_kernel_proof_has_a_domain():
    text = (
        "---\nkind: kernel proof\ntitle: T\npoints: 1\n---\n\nBuild.\n\n```kernel\n"
        "target:\n  f(x) = 1 + norm2(x)\n  k = Linear().weighted(f)\n"
        "domain: R^2\nleaves: none\nforbid: Power, Exp\n```\n"
    )
    made = question("build.md", text)
    assert isinstance(made, KernelProof)
    assert made.target == "f(x) = 1 + norm2(x)\nk = Linear().weighted(f)"
    assert (str(made.domain), made.leaves, made.forbid) == ("ℝ²", (), ("Power", "Exp"))


SLIPS = [
    (HALF, "---\nkind", "kind", r"line 1: expected a line ---"),
    (HALF, "own, P-01\n---", "own", r"line 6: expected the line --- after the fields"),
    (HALF, "kind: values", "kind: value", r"line 2: “value” is not a kind.*“values”"),
    (HALF, "title: A half", "titel: A half", r"line 3: “titel”.*was “title” meant"),
    (HALF, "title: A half\n", "", r"line 1: the field “title: …” is missing"),
    (HALF, "points: 2", "points: two", r"line 4: points is a whole number"),
    (HALF, "points: 2", "points: 2\npoints: 3", r"line 5: .*each key once"),
    (HALF, "```values", "```valeus", r"line 14: “valeus” is not.*“values” meant"),
    (HALF, "```hints", "```route", r"line 23: “route” is not a block of this kind"),
    (HALF, "h = 1/2\n  exact", "h : 1/2\n  exact", r"line 15: expected “name = value”"),
    (HALF, "exact: yes", "exakt: yes", r"line 16: “exakt”.*“exact” meant"),
    (HALF, "exact: yes", "exact: perhaps", r"line 16: “perhaps” is not yes or no"),
    (HALF, "\n```reference", "\nStray.\n\n```reference", r"line 30: .*“Stray.”"),
    (HALF, "2: word = no\n```", "2: word = no", r"line 34: this block is not closed"),
    (HALF, "at_most=0.5", "at_most=half", r"line 34: at_most is a number"),
    (HALF, "at_most=0.5", "atmost=0.5", r"line 34: “atmost”.*“at_most” meant"),
    (HALF, "on=reference", "on=other", r"line 34: “other” is not a reference"),
    (HALF, "1: h = 2", "h = 2", r"line 34: expected “number: the line instead”"),
    (HALF, "# turned\n# over\n", "", r"line 34: a mistake begins with a line “# …”"),
    (SUM, "x : P", "x = P", r"line 12: “x = P” is not “name : rows"),
    (SUM, "A : N x P", "A : N x P, small", r"line 11: “small” is not a kind"),
    (SUM, "x.T@x", "x.T@z", r"line 10: the definition of s: I do not know “z”"),
    (SUM, "object: s", "objekt: s", r"line 18: “objekt”.*“object” meant"),
    (SUM, "N = 3, P = 2", "N = 3", r"line 17: each set of sizes names the same"),
    (SUM, "N = 3, P = 2", "N, P", r"line 17: expected “N = 5, M = 3; N = 4"),
    (SUM, "cov(x, x) = A", "x x = A", r"line 22: expected “cov\(x, y\) = …”"),
    (SUM, "  s = norm2(x)\n", "", r"line 26: “the sum” is not a relation: "),
    (SUM, "s = norm2(x)", "s = norm2(z)", r"line 27: “s = norm2\(z\)” is not a rel"),
    (SUM, "one square", "one cube", r"line 27: “one cube” is not a form; the forms"),
    (SUM, "only: x", "only x", r"line 28: expected “key: value”, found “only x”"),
    (
        SUM,
        "```route by hand",
        "```text",
        r"line 25: the statement ends before the first block",
    ),
]


@pytest.mark.parametrize(("text", "old", "new", "says"), SLIPS)
def test_a_slip_is_named_with_its_line(text, old, new, says):
    assert text.count(old) == 1
    with pytest.raises(SourceError, match=rf"^sheets/slip.md, {says}"):
        question(Path("sheets/slip.md"), text.replace(old, new))


def test_python_adds_what_a_text_cannot_say():
    made = question("half.py", HALF, check=lambda data: [], check_weight=2.0)
    assert made.check_weight == 2.0
    with pytest.raises(SourceError, match=r"half.py, line 1: .*unexpected keyword"):
        question("half.py", HALF, chekc=None)


def test_a_form_is_a_phrase_of_the_vocabulary():
    assert find_form("inverses N x M") is find_form("inverses N x M")
    with pytest.raises(ValueError, match="multiplied out"):
        find_form("pretty")


TEXTS = [p for p in Bank(ROOT / "exercises").files.values() if p.suffix == ".md"]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_student_can_be_given_a_question_without_its_answers(path):
    whole, bare = (
        question(path, text)
        for text in (path.read_text(), without_answers(path.read_text()))
    )
    assert bare.references == bare.mistakes == ()
    assert (bare.statement, bare.hints) == (whole.statement, whole.hints)
    assert getattr(bare, "problem", None) == getattr(whole, "problem", None)


def test_only_known_questions_are_on_no_sheet():
    bank = Bank(ROOT / "exercises")
    alone = {"closure", "gaussian-factors", "lml-gradient"}
    assert set(bank.files) - set(bank.questions) == alone
