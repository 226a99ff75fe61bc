"""Lint: no derivation of the course pays for what proves nothing."""

from dataclasses import replace
from typing import Any

import pytest

from kernellab.grading.authoring.cheats import cheats, goals, milestone_lists
from kernellab.grading.authoring.linting import lint
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.judging.report import check_derivation
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.questions.base import Mistake, Reference
from kernellab.grading.questions.derivations import Derivation

WITH_FAULTS: tuple[str, ...] = (
    "ridge-expand",
    "ridge-dual",
    "least-squares-conjugate",
    "polynomial-features",
    "gaussian-factors",
    "break-even",
    "centred-gram",
    "sum-of-kernels",
    "kernel-cauchy-schwarz",
    "lagrange-sufficient",
    "weight-space",
    "likelihood-gradient",
    "gap-is-residual",
    "next-degree",
    "one-update",
    "lagrange-convex",
    "slack-by-products",
    "price-of-slack",
    "derivative-of-the-inverse",
)
"""Problems of the course that still pay for what proves nothing."""


def cases() -> list[object]:
    marked = pytest.mark.xfail(strict=True, raises=AssertionError)
    return [
        pytest.param(name, marks=[marked] if name in WITH_FAULTS else [])
        for name in open_bank().problem_names
    ]


@pytest.mark.parametrize("name", cases())
def test_no_problem_of_the_course_pays_for_what_proves_nothing(name: str) -> None:
    question = open_bank().question(name)
    assert isinstance(question, Derivation)
    found = lint(replace(question, mistakes=()))  # those have a test of their own
    assert not found.faults, "\n".join(found.faults)


SYMBOLS = """
A : N x M
E : N x N, psd = A@A.T
F : N x N, psd = E + I
H : N x N, psd = F + I
v : N
q : number = v.T@H@v
"""
LINES = (
    "q = v.T@F@v + v.T@v | def H",
    "q = v.T@E@v + 2*v.T@v | def F",
    "q = norm2(A.T@v) + 2*norm2(v) | def E",
)
MIDDLE = Milestone("q in F", "q = v.T@F@v + v.T@v", only=frozenset("Fv"), step=1)
GOAL = Milestone("two squares", LINES[-1].partition(" |")[0], frozenset("Av"), step=1)
FREE = replace(GOAL, step=None)


def quadratic(
    *milestones: Milestone,
    lines: tuple[str, ...] = LINES,
    mistake: str = "q = 0",
    **settings: Any,
) -> Derivation:
    route = Route(milestones)
    return Derivation(
        id="quadratic",
        title="Two squares",
        statement="",
        points=2,
        references=(Reference("\n".join(lines), "step by step"),),
        mistakes=(Mistake(mistake, "nothing is left", first_bad=1),),
        problem=Problem("quadratic", SYMBOLS, (route,), object="q", **settings),
    )


def test_a_problem_without_fault() -> None:
    found = lint(quadratic(MIDDLE, GOAL))
    assert found.faults == ()
    assert (found.goal_cost, found.goal_step, found.list_costs) == (3, 1, (1, 2))
    assert (found.steps, found.reference_cost, found.max_facts) == (3, 1, 2)


def test_the_goal_alone() -> None:
    fault = lint(quadratic(MIDDLE, FREE, max_facts=3)).faults[0]
    assert fault.startswith("the goal alone: paid 50%. It needs 3 facts only.")
    assert "Give “two squares” `step: 2`" in fault


def test_the_goal_alone_is_all_there_is() -> None:
    (fault,) = lint(quadratic(FREE, max_facts=3)).faults
    assert fault.startswith("the goal alone: accepted.")


def test_the_goal_in_other_words() -> None:
    goal = replace(FREE, only=None, others=("q = v.T@E@v + 2*v.T@v",))
    fault = lint(quadratic(MIDDLE, goal)).faults[0]
    assert fault.startswith("the goal alone: paid 50%. It needs 2 facts only.")


def test_the_bare_list_of_milestones() -> None:
    (fault,) = lint(quadratic(MIDDLE, FREE)).faults
    assert fault.startswith("the bare list of milestones: accepted. The largest step, ")
    assert "to “two squares”, needs 2 facts" in fault


def test_a_factor_hides_the_step() -> None:
    """One text for each change: 2*q is seen through, and must not hide the others."""
    problem = quadratic(MIDDLE, GOAL).problem
    problem = replace(problem, symbols=f"{SYMBOLS}c : positive\n")
    texts = [
        cheat.text for cheat in cheats(problem, "q = v.T@v") if "scaled" in cheat.name
    ]
    assert [text.partition("\n")[0] for text in texts] == [
        "2*(q) = 2*(v.T@v)",
        "c*(q) = c*(v.T@v)",
        "(q) + (q) = (v.T@v) + (q)",
    ]


def test_what_restated_givens_earn() -> None:
    fault = lint(quadratic(MIDDLE, GOAL, givens=(MIDDLE.relation,))).faults[0]
    assert fault.startswith(
        "the definitions and givens, restated: paid 50%, for “q in F”."
    )


def test_a_reference_that_is_refused() -> None:
    faults = lint(quadratic(MIDDLE, GOAL, lines=("q = v.T@v", *LINES))).faults
    (fault,) = [f for f in faults if "reference" in f]
    assert fault.startswith("the reference “step by step” is not accepted; line 1: ")


def test_a_reference_that_is_short() -> None:
    question = quadratic(MIDDLE, FREE, lines=(LINES[0], LINES[2]))
    assert any("than 3 proved lines (2)" in fault for fault in lint(question).faults)


def test_a_mistake_that_is_none() -> None:
    (fault,) = lint(quadratic(MIDDLE, GOAL, mistake="\n".join(LINES))).faults
    assert fault == "the mistake “nothing is left”: line 1 should fail, none does"


def test_lists_take_each_statement_once() -> None:
    route = Route((MIDDLE, replace(GOAL, others=("q = 0",))))
    assert list(milestone_lists(route)) == [
        (MIDDLE.relation, GOAL.relation),
        (MIDDLE.relation, "q = 0"),
    ]


@pytest.mark.parametrize("relation", ["q >= 0", "q = v.T@E@v + v.T@v"])
def test_every_line_of_a_cheat_can_be_read(relation: str) -> None:
    problem = quadratic(Milestone("goal", relation)).problem
    for cheat in cheats(problem, goals(problem)[0].relation):
        report = check_derivation(problem, cheat.text, explanations=False)
        assert all(line.status != "unreadable" for line in report.lines), cheat
