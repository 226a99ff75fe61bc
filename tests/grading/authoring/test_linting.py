"""Lint: no derivation of the course pays for what proves nothing."""

from dataclasses import replace

import pytest

from kernellab.grading.authoring.cheats import (
    cheats,
    goals,
    lists_with_multiples,
    milestone_lists,
)
from kernellab.grading.authoring.linting import lint
from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.judging.check import check_derivation
from kernellab.grading.problem import Milestone, Problem, Route
from kernellab.grading.questions.base import Mistake, Reference
from kernellab.grading.questions.derivations import Derivation
from tests.sampling import one_in

NAMES = open_bank().problem_names


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_no_problem_of_the_course_pays_for_what_proves_nothing(name: str) -> None:
    question = open_bank().question(name)
    assert isinstance(question, Derivation)
    found = lint(replace(question, mistakes=()))  # those have a test of their own
    assert not found.faults, "\n".join(found.faults)


SYMBOLS = """
A : N x M
E : N x N, psd = A@A.T
F : N x N, psd = E + I
v : N
q : number = v.T@F@v
"""
LINES = (
    "q = v.T@(E + I)@v | def F",
    "q = v.T@(A@A.T + I)@v | def E",
    "q = norm2(A.T@v) + norm2(v) | expand",
)
GOAL = Milestone(
    "two squares",
    "q = norm2(A.T@v) + norm2(v)",
    needs=frozenset({"norm2"}),
    step=0,
)
MIDDLE = Milestone("q in E", "q = v.T@E@v + v.T@v", only=frozenset({"E", "v"}), step=1)


def quadratic(
    *milestones: Milestone, lines: tuple[str, ...] = LINES, mistake: str = "q = 0"
) -> Derivation:
    problem = Problem("quadratic", SYMBOLS, (Route(milestones),), object="q")
    return Derivation(
        id="quadratic",
        title="Two squares",
        statement="",
        points=2,
        references=(Reference("\n".join(lines), "in three steps"),),
        mistakes=(Mistake(mistake, "nothing is left", first_bad=1),),
        problem=problem,
    )


def test_a_problem_without_fault() -> None:
    found = lint(quadratic(MIDDLE, GOAL))
    assert found.faults == ()
    assert (found.goal_cost, found.goal_step, found.list_costs) == (2, 0, (1, 1))
    assert (found.steps, found.reference_cost, found.max_facts) == (3, 1, 2)


def test_the_goal_alone() -> None:
    (fault,) = lint(quadratic(MIDDLE, replace(GOAL, step=None))).faults[:1]
    assert fault.startswith("the goal alone: paid 50%. It needs 2 facts only.")
    assert "Give “two squares” `step: 1`" in fault


def test_the_goal_alone_is_all_there_is() -> None:
    (fault,) = lint(quadratic(replace(GOAL, step=None))).faults
    assert fault.startswith("the goal alone: accepted.")


def test_the_goal_in_other_words() -> None:
    goal = replace(GOAL, step=1, others=("q = v.T@E@v + norm2(v)",))
    fault = lint(quadratic(MIDDLE, goal)).faults[0]
    assert fault.startswith("the goal alone: accepted. It needs 1 fact only.")


def test_the_bare_list_of_milestones() -> None:
    (fault,) = lint(quadratic(MIDDLE, replace(GOAL, step=1))).faults
    assert fault.startswith("the bare list of milestones: accepted.")
    assert "“q in E”" in fault


def test_a_multiple_of_a_milestone_does_not_get_round_its_step() -> None:
    problem = quadratic(MIDDLE, GOAL).problem
    goal = "q = norm2(A.T@v) + norm2(v)"
    text = f"N*q = N*(norm2(A.T@v) + norm2(v))\n{goal}"
    report = check_derivation(problem, text, explanations=False)
    assert report.first_bad is None
    assert report.score == 0
    lists = list(lists_with_multiples(problem, problem.routes[0]))
    assert lists[0][0] == "N*(q) = N*(v.T@E@v + v.T@v)"
    assert lists[1][0] == "v*(q) = v*(v.T@E@v + v.T@v)"
    for listed in lists:
        assert not check_derivation(problem, "\n".join(listed)).accepted


@pytest.mark.parametrize("first", ["let zz = {0}\nq = zz", "{0} = norm2(v) + {1}"])
def test_a_line_about_the_right_side_does_not_get_round_a_step(first: str) -> None:
    problem = quadratic(MIDDLE, replace(GOAL, step=1)).problem
    squares = "norm2(A.T@v) + norm2(v)"
    text = first.format(squares, "norm2(A.T@v)") + f"\nq = {squares}"
    assert check_derivation(problem, text, explanations=False).score == 0


def test_what_a_restated_definition_earns() -> None:
    question = quadratic(MIDDLE, GOAL)
    problem = replace(question.problem, givens=(MIDDLE.relation,))
    (fault, *_) = lint(replace(question, problem=problem)).faults
    start = "the definitions and givens, restated: paid 50%, for “q in E”."
    assert fault.startswith(start)


def test_a_reference_that_is_refused() -> None:
    faults = lint(quadratic(MIDDLE, GOAL, lines=("q = v.T@v", *LINES))).faults
    (fault,) = [f for f in faults if "reference" in f]
    assert fault == (
        "the reference “in three steps” is not accepted; line 1: this is not true"
    )


def test_a_reference_that_is_short() -> None:
    middle = replace(MIDDLE, only=None, step=2, without=frozenset({"norm2"}))
    (fault,) = lint(quadratic(middle, GOAL, lines=LINES[1:])).faults
    assert "fewer than 3 proved lines (2)" in fault


def test_mistakes_that_are_none() -> None:
    (fault,) = lint(quadratic(MIDDLE, GOAL, mistake="\n".join(LINES))).faults
    assert fault == "the mistake “nothing is left”: line 1 should fail, none does"


def test_lists_take_each_statement_once() -> None:
    route = Route((MIDDLE, replace(GOAL, others=("q = norm2(v) + norm2(A.T@v)",))))
    assert list(milestone_lists(route)) == [
        (MIDDLE.relation, GOAL.relation),
        (MIDDLE.relation, "q = norm2(v) + norm2(A.T@v)"),
    ]


@pytest.mark.parametrize("relation", ["q >= 0", "q = v.T@E@v + v.T@v"])
def test_every_line_of_a_cheat_can_be_read(relation: str) -> None:
    problem = quadratic(Milestone("goal", relation)).problem
    for cheat in cheats(problem, goals(problem)[0].relation):
        report = check_derivation(problem, cheat.text, explanations=False)
        assert all(line.status != "unreadable" for line in report.lines), cheat
