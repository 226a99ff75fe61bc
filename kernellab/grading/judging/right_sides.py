"""What a milestone asks of a right side: what it may use, and its form."""

from __future__ import annotations

from kernellab.grading.forms import asked, find_form
from kernellab.grading.judging.wording import quoted
from kernellab.grading.language.tree import Expr, sym
from kernellab.grading.problem import Milestone, Problem


def misfit(problem: Problem, milestone: Milestone, node: Expr) -> str:
    """Return what keeps an expression from being the right side; or nothing.

    It is said so that it can follow “line 2 has it, but”.
    """
    visible = _visible(problem, node)
    names = {n.data for n in visible if n.op == "sym"} - {*problem.sizes, "pi"}
    only = milestone.only
    if only is not None and not names <= only:
        strange = quoted(sorted(names - only))
        return f"with {strange}, where only {usable(problem, milestone)} may stand"
    calls = {n.data if n.op == "call" else n.op for n in visible}
    if milestone.without & calls:
        return f"with {quoted(sorted(milestone.without & calls))} still in it"
    if not milestone.needs <= calls:
        return f"without {quoted(sorted(milestone.needs - calls))}, which is asked for"
    if milestone.form and not find_form(milestone.form)(node):
        return f"in another form: it should {asked(milestone.form)}"
    return ""


def usable(problem: Problem, milestone: Milestone) -> str:
    """Return what a right side may use, with sizes and a loss if it needs them.

    These are free, but who is told “`v` and `y` alone” leaves out the N that is needed.
    """
    right = problem.parse(milestone.relation).sides[-1]
    named = {n.data for n in right.walk() if n.op in ("sym", "call")}
    free = named & {*problem.sizes, "loss"}
    return quoted([*sorted(milestone.only or ()), *sorted(free)])


def _visible(problem: Problem, node: Expr) -> list[Expr]:
    """Return all nodes; d(C) is another name of dC."""
    found, todo = [], [node]
    while todo:
        node = todo.pop()
        along = node.args[0].data if node.op == "call" and node.data == "d" else ""
        if along in problem.tangents:
            found.append(sym(problem.tangents[along], node.shape))
        else:
            found.append(node)
            todo += node.args
    return found
