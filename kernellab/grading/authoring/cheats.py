"""Texts that prove nothing, made from what a problem says of itself.

A problem whose goal is one step away pays for such a text, and no judge can mend that.
`kernellab.grading.authoring.linting` tries them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from kernellab.grading.language.printing import plain
from kernellab.grading.language.tree import NUMBER
from kernellab.grading.problem import Milestone, Problem, Route

_SIGN = re.compile(r"\s*(>=|<=|=)\s*")
_TURNED = {">=": "<=", "<=": ">="}
_INERT = "given; claim; remark; assume"  # reserved words that change nothing


@dataclass(frozen=True)
class Cheat:
    """A text that proves nothing, and what it does, in words."""

    name: str
    text: str


def said_words(problem: Problem) -> tuple[str, ...]:
    """Return the reasons that may change what a line of this problem can use."""
    words = [""]
    words += ["set to zero"] * bool(problem.variables)
    words += ["sufficient"] * problem.sufficient
    words += ["independent"] * bool(problem.conditional)
    return tuple(words)


def goals(problem: Problem) -> tuple[Milestone, ...]:
    """Return the last milestone of each route, each statement once."""
    last = (route.milestones[-1] for route in problem.routes)
    return tuple({goal.relation: goal for goal in last}.values())


def milestone_lists(route: Route) -> Iterator[tuple[str, ...]]:
    """Yield the relations of a route's milestones, as they are and in their variants.

    Variant k takes the k-th statement after ``or:``, or the relation if there is none.
    """
    lists = zip_longest(*((m.relation, *m.others) for m in route.milestones))
    for chosen in lists:
        pairs = zip(chosen, route.milestones, strict=True)
        yield tuple(text or m.relation for text, m in pairs)


def scalars(problem: Problem) -> list[str]:
    """Return the names of positive numbers: symbols, then sizes."""
    positive = [n for n, s in problem.table.items() if s.kind == "positive"]
    return [*positive, *problem.sizes]


def lists_with_multiples(problem: Problem, route: Route) -> Iterator[tuple[str, ...]]:
    """Yield the milestones; before one with a `step`, the same times something.

    Once it is a number, once a vector or a matrix.
    """
    for factor_of in (_number, _array):
        found: list[str] = []
        for milestone in route.milestones:
            left, sign, right = _SIGN.split(milestone.relation, 1)
            times = factor_of(problem, milestone)
            if milestone.step is not None and times:
                found.append(f"{times}({left}) {sign} {times}({right})")
            found.append(milestone.relation)
        if len(found) > len(route.milestones):
            yield tuple(found)


def _number(problem: Problem, milestone: Milestone) -> str:
    return next((f"{name}*" for name in scalars(problem)), "")


def _array(problem: Problem, milestone: Milestone) -> str:
    """Return a vector for a number, else a matrix that can stand on the left."""
    relation = problem.parse(milestone.relation)
    if set(relation.signs) != {"="}:
        return ""
    rows, _ = shape = relation.sides[0].shape or NUMBER
    of_number = shape == NUMBER
    for name, symbol in problem.table.items():
        fits = symbol.shape[1] == ("1" if of_number else rows)
        if fits and symbol.shape != NUMBER:
            return f"{name}*" if of_number else f"{name}@"
    return ""


def restatements(problem: Problem) -> Iterator[Cheat]:
    """Yield texts that say nothing: they repeat definitions and givens, or x = x."""
    defined = [
        (name, plain(symbol.definition))
        for name, symbol in problem.table.items()
        if symbol.definition is not None
    ]
    lines = [f"{name} = {text}" for name, text in defined]
    lines += [f"{text} = {name}" for name, text in defined]
    lines += [f"{name} - ({text}) = 0" for name, text in defined]
    yield Cheat("the definitions and givens, restated", _text(*lines, *problem.givens))
    J = problem.object
    grads = [f"grad({J},{v}) = grad({J},{v})" for v in problem.variables if J]
    same = [f"{name} = {name}" for name in problem.table]
    yield Cheat("identities such as 0 = 0", _text(*grads, *same, "0 = 0"))


def cheats(problem: Problem, goal: str) -> Iterator[Cheat]:
    """Yield texts that end with the goal, and have not derived it."""
    left, sign, right = _SIGN.split(goal, 1)
    zeros = [f"{name} = 0 | assume" for name in _free(problem)]
    product = f"o*({left} - ({right})) {sign} 0"
    false = (
        "let o = 0",
        product,
        "0 = 1 | assume",
        *zeros,
        f"{goal} | {_INERT}; use 2",
    )
    yield Cheat("the goal, from 0 times it and false assumptions", _text(*false))
    for changed in _changed(problem, left, sign, right):
        yield Cheat(
            "the goal, scaled or shifted before", _text(changed, f"{goal} | use 1")
        )
    names = (*problem.sizes, "I", "pi", "inv", *problem.table)
    taken = [f"let {name} = 0" for name in names if name not in problem.definable]
    yield Cheat("the goal, with names of the problem redefined", _text(*taken, goal))
    named = _text(f"let zz = {right}", f"{left} {sign} zz", goal)
    yield Cheat("the goal, its right side as a name", named)
    if left in problem.definable:
        defined = _text(f"let {left} = {right}", f"{goal} | def {left}")
        yield Cheat("the goal as a definition", defined)
    if sign != "=":
        chain = f"{left} {sign} {_beyond(left, sign, right)} {_TURNED[sign]} {right}"
        opposite = _text(chain, f"{goal} | use 1")
        yield Cheat("a chain whose links point in opposite directions", opposite)


def _beyond(left: str, sign: str, right: str) -> str:
    """Return what is below, or above, both sides of a bound whatever they are."""
    squares = f"(({left})**2 + ({right})**2 + 2)"
    return f"-{squares}" if sign == ">=" else squares


def _text(*lines: str) -> str:
    return "\n".join(lines)


def _free(problem: Problem) -> list[str]:
    """Return the symbols without a definition."""
    return [name for name, s in problem.table.items() if s.definition is None]


def _changed(problem: Problem, left: str, sign: str, right: str) -> Iterator[str]:
    """Yield the goal times a number, times a positive symbol, and plus a term.

    Each is a text of its own: one that is seen through would hide the others.
    """
    for factor in ("2", *scalars(problem)[:1]):
        yield f"{factor}*({left}) {sign} {factor}*({right})"
    yield f"({left}) + ({left}) {sign} ({right}) + ({left})"
