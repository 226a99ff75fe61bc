"""Introductions: which names a student may define, and by what."""

from __future__ import annotations

from collections.abc import Iterator

from kernellab.grading.certificates import Certificate, Proven
from kernellab.grading.checking.atoms import Refused
from kernellab.grading.checking.expansion import Expansion
from kernellab.grading.checking.names import Names
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr
from kernellab.grading.language.vocabulary import reserved
from kernellab.grading.problem import Problem


def faults_of_names(certificate: Certificate, names: Names) -> Iterator[str]:
    """Yield what is wrong with the student's own symbols."""
    problem = names.problem
    seen: set[str] = set()
    for name, definition in certificate.own:
        if name in seen:
            yield f"{name} is defined twice"
        elif why := _refusal(names, name, definition):
            yield f"{name} cannot be defined: {why}"
        elif unknown := definition.symbols() - _meant(names):
            yield f"{name} is defined by {', '.join(sorted(unknown))}, not known"
        elif name in names.below(name):
            yield f"{name} is defined by itself"
        elif name in problem.table and _is_goal(names, name, definition):
            yield f"{name} is defined as the goal"
        seen.add(name)


def _refusal(names: Names, name: str, definition: Expr) -> str | None:
    """Return why a name cannot be defined, or None."""
    problem = names.problem
    if name in problem.sizes:
        return None if _may_shadow(problem, name, definition) else "it is a size"
    words = problem.words(frozenset(problem.table))
    fixed = ["e"] * problem.uses_exp + ["d"] * bool(problem.tangents)
    return reserved(name, words, problem.definable, fixed)


def _may_shadow(problem: Problem, name: str, definition: Expr) -> bool:
    """Return True for a matrix called like a size that no expression mentions."""
    trees = [s.definition for s in problem.table.values() if s.definition is not None]
    trees += [side for relation in problem.equations for side in relation.sides]
    mentioned = set().union(*(tree.symbols() for tree in trees))
    return definition.shape != NUMBER and name not in mentioned


def _meant(names: Names) -> set[str]:
    """Return the names that a definition may use."""
    return {*names.table, *names.problem.sizes, "pi"}


def _is_goal(names: Names, name: str, definition: Expr) -> bool:
    """Return True if a definition is what is to be derived."""
    e = Expansion(names, names.defined)
    for route in names.problem.routes:
        goal = names.problem.parse(route.milestones[-1].relation)
        left, right = goal.sides[0], goal.sides[-1]
        if left.op == "sym" and left.data == name and e(definition) == e(right):
            return True
    return False


def check_let(proven: Proven, names: Names) -> None:
    """Refuse a line that does not say what one of the student's symbols means."""
    name = proven.left.data if proven.left.op == "sym" else None
    if name not in names.own or proven.sign != "=":
        raise Refused("this line defines none of the student's symbols")
    e = Expansion(names)
    if e(proven.left) != e(proven.right):
        raise Refused(f"{name} was defined otherwise")
