"""No derivation is one step from its goal: to write down its end earns nothing."""

from pathlib import Path

import pytest

from kernellab.grading import check_derivation
from kernellab.grading.classroom.bank import Bank

BANK = Bank(Path(__file__).parents[2] / "exercises")
ROUTES = [
    pytest.param(question.problem, route, id=f"{question.id} {route.name}".strip())
    for question in BANK.questions.values()
    if question.kind == "derivation"
    for route in question.problem.routes
]

# Two or three lines of algebra, or one fact in each: the milestones are the derivation.
SHORT = {
    "break-even",
    "gaussian-factors",
    "kernel-cauchy-schwarz",
    "least-squares-conjugate by completing the square",
    "likelihood-gradient",
    "next-degree",
    "sum-of-kernels the sum",
}


def checked(problem, lines):
    text = "\n".join(f"{line} | at the optimum" for line in lines)
    return check_derivation(problem, text, seed=1, explanations=False)


def definitions(problem):
    known = {problem.object, *problem.objects}
    return [
        f"{name} = {symbol.definition}"
        for name, symbol in problem.table.items()
        if symbol.definition is not None and name not in known
    ]


@pytest.mark.parametrize(("problem", "route"), ROUTES)
def test_the_goal_alone_earns_nothing(problem, route):
    goal = route.milestones[-1].relation
    assert checked(problem, [goal]).score <= 0.1
    assert checked(problem, [*definitions(problem), goal]).score <= 0.1


@pytest.mark.parametrize(("problem", "route"), ROUTES)
def test_a_list_of_milestones_is_no_derivation(problem, route):
    if f"{problem.id} {route.name}".strip() in SHORT:
        pytest.skip("its milestones are its steps")
    lines = [m.relation for m in route.milestones if not m.optional]
    assert not checked(problem, lines).accepted
