"""Work is shared out: slow lines leave enough for those after them."""

from kernellab.grading import check_derivation
from kernellab.grading.judging import verdicts
from kernellab.grading.language.steps import steps
from kernellab.grading.problems import find

SLOW = "J = (t.T@t + a.T@t + a.T@K@a + w.T@w + a.T@a)**8\n"
FALSE = "J = norm2(t - K@a) + lam*a.T@a\n"
RIGHT = "J = norm2(t - K@a) + lam*a.T@K@a\ngrad(J,a) = 2*K@(K@a - t) + 2*lam*K@a"


def judged(text, most, explained=0):
    problem, seed = find("ridge-dual"), 1
    return verdicts.judged(problem, steps(text), seed, explained, most).lines


def test_slow_lines_do_not_stop_the_next():
    report = check_derivation("ridge-dual", SLOW * 4 + RIGHT, seed=1)
    *slow, first, second = report.lines
    assert not any(line.ok for line in slow)
    assert first.ok, str(report)
    assert second.ok, str(report)
    assert list(report.progress.reached) == ["J in terms of a", "the gradient by a"]


def test_an_explanation_leaves_half_of_the_work():
    most = 60_000
    *_, first, second = judged(FALSE * 2 + RIGHT, most, explained=3)
    assert first.ok
    assert second.ok


def test_the_line_that_takes_too_much_work_is_named():
    most = 60_000
    alone, after = judged(f"{SLOW}{RIGHT}", most)[0], judged(SLOW + RIGHT * 20, most)
    assert alone.status == "skipped"
    assert "to check this line is too much work: write it" in alone.message
    late = next(line for line in after[1:] if line.status == "skipped")
    assert "most of it went into line 1; write that one" in late.message
