"""Questions with other numbers: what an author writes, and what a student gets."""

from pathlib import Path

import pytest

from kernellab.grading import Values, question
from kernellab.grading.authoring.source import SourceError
from kernellab.grading.classroom.bank import Bank, UnknownQuestion
from tests.conftest import ROOT

ROOTS = """\
---
kind: values
title: A root
points: 2
---

Solve $x + {{ p }} = {{q}}$.

```draw
p in 2, -1, 1/2
q in 5, 1
s = q - p
where p < q
```

```values
x = {{s}}
  trap {{q}} + {{p}}: the sign of {{p}}
```

```hints
Subtract {{p}}.
```

```reference
x = 3
```

```mistake at_most=0 says="the sign"
# turned
x = 7
```
"""
COURSE = Bank(ROOT / "exercises").questions.values()
DRAWN = [asked for asked in COURSE if asked.others]


def test_the_first_numbers_are_those_of_the_question():
    found = question("root.md", ROOTS)
    assert found.statement == "Solve $x + 2 = 5$."
    assert found.hints == ("Subtract 2.",)
    assert found.grade("x = 3").points == 2
    assert "the sign" in str(found.grade("x = 7"))


def test_the_others_are_all_that_fit_each_once():
    others = [make() for make in question("root.md", ROOTS).others]
    assert [other.id for other in others] == [f"root/{n}" for n in range(1, 5)]
    texts = {other.statement for other in others}
    assert texts == {
        "Solve $x + -1 = 5$.",
        "Solve $x + -1 = 1$.",
        "Solve $x + 1/2 = 5$.",
        "Solve $x + 1/2 = 1$.",
    }
    for other in others:
        assert other.mistakes == ()
        assert other.grade(other.references[0].answer).status == "right"


def test_their_order_is_always_the_same():
    first, second = (question("root.md", ROOTS).others for _ in range(2))
    assert [make().statement for make in first] == [make().statement for make in second]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("p in 2", "p of 2", "line 10: expected “p in 1, 2, 3”"),
        ("where p < q", "where p ~ q", "line 13: expected"),
        ("where p < q", "where p < r", "line 13: `r` is not a number"),
        ("where p < q", "where 9 < p", "0 choice of numbers fits; at least 2"),
        ("= {{q}}$", "= {{qq}}$", "“qq” is not a number that is drawn"),
        ("x = {{s}}\n", "x = {{t}}\n", "line 17: “t” is not a number that is drawn"),
    ],
)
def test_a_slip_is_told_with_its_line(old, new, words):
    with pytest.raises(SourceError, match=r"root\.md") as error:
        question("root.md", ROOTS.replace(old, new))
    assert words in str(error.value)


def test_a_check_in_python_knows_no_drawn_numbers():
    with pytest.raises(SourceError, match="not beside check"):
        question("root.md", ROOTS, check=lambda data: [])


def test_the_bank_knows_them_by_number(tmp_path: Path):
    sheet = tmp_path / "01_roots"
    sheet.mkdir()
    (sheet / "sheet.md").write_text("# Roots\n\n## One\n\n[root](root.md)\n")
    (sheet / "root.md").write_text(ROOTS)
    bank = Bank(tmp_path)
    assert bank.question("Root/4").id == "root/4"
    for name in ("root/0", "root/5", "root/x"):
        with pytest.raises(UnknownQuestion, match="4 others are like root"):
            bank.question(name)


def test_the_course_has_such_questions():
    assert len(DRAWN) >= 2


@pytest.mark.parametrize("asked", DRAWN, ids=lambda asked: asked.id)
def test_every_question_like_it_can_be_answered(asked):
    for make in asked.others[:20]:
        other = make()
        assert isinstance(other, Values)
        assert "{{" not in other.statement
        assert other.grade(other.references[0].answer).points == other.points
        assert other.statement != asked.statement
