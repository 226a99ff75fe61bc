"""Claims of uniqueness: one value wherever the gradients vanish, or any at all."""

from __future__ import annotations

from dataclasses import replace

from kernellab.grading.certificates import OTHER, Proven
from kernellab.grading.checking.derivatives import derivative
from kernellab.grading.checking.expansion import Expansion
from kernellab.grading.checking.facts import Known
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.names import Names
from kernellab.grading.checking.sums import Sum, opened
from kernellab.grading.language.tree import Expr, is_zero
from kernellab.grading.problem import moved_gradient, others, replaced


def check_unique(link: Proven, names: Names) -> None:
    """Refuse a claim if its parts do not give everything unknown in it one value."""
    if link.left.op != "unique":
        raise Refused("this is no claim of uniqueness")
    new, _ = others(names.problem, names.table)
    for part in link.parts:
        if part.sign != "=" or part.free or _is_unknown(names, part.right):
            raise Refused("a part does not tell a value that is free of the unknowns")
        there = replaced(names.table, part.left, new)
        known = {*names.table, *names.problem.sizes, "pi"}
        if part.right.symbols() - known and part.right != there:
            raise Refused("a part compares different things at two solutions")
    if not _has_one_value(names, link.left.args[0], {str(p.left) for p in link.parts}):
        raise Refused(f"the parts do not determine {link.left.args[0]}")


def with_others(names: Names) -> Names:
    """Return the names with those of another solution."""
    return replace(
        names, table={**names.table, **others(names.problem, names.table)[1]}
    )


def of_two_solutions(known: Known) -> Known:
    """Return what may be cited of a solution, and of another one."""
    names, (new, _) = (
        with_others(known.names),
        others(known.names.problem, known.names.table),
    )
    links, behind = dict(known.links), dict(known.behind)
    for (line, link), stated in known.links.items():
        supposed = any(kind == "supposed" for kind, _ in known.behind[line, link])
        if stated.sign and not supposed:
            sides = (
                replaced(known.names.table, x, new) for x in (stated.left, stated.right)
            )
            left, right = map(names.shaped, sides)
            links[OTHER - line, link] = replace(stated, left=left, right=right)
            behind[OTHER - line, link] = known.behind[line, link]
    return replace(known, names=names, links=links, behind=behind)


def _is_unknown(names: Names, x: Expr) -> bool:
    used = x.symbols().union(*map(names.below, x.symbols()))
    return bool(used & set(names.problem.sought))


def _has_one_value(names: Names, x: Expr, known: set[str]) -> bool:
    if str(x) in known or not _is_unknown(names, x):
        return True
    definition = names.definition(x.data) if x.op == "sym" else None
    parts = x.args if definition is None else (definition,)
    return bool(parts) and all(_has_one_value(names, part, known) for part in parts)


def check_moved(link: Proven, names: Names) -> None:
    """Refuse a claim unless x + u, with u ≠ 0, makes the gradients vanish as well."""
    problem, x = names.problem, _free_variable(link, names)
    long, *gradients = link.parts
    u = long.left.args[0] if long.left.op == "call" else long.left
    is_long = str(long.left) == f"norm2({u})" and long.sign == ">"
    if u.op != "sym" or not (is_long and is_zero(long.right)) or _is_unknown(names, u):
        raise Refused("no part says that the direction is not 0")
    if any(names.definition(v) is not None for v in problem.variables):
        raise Refused("a variable is determined by another")
    aims = [moved_gradient(problem, names.table, x, u, v) for v in problem.variables]
    said = [(part.left, part.sign, is_zero(part.right)) for part in gradients]
    if said != [(aim, "=", True) for aim in aims]:
        raise Refused("the parts do not say that the moved gradients vanish")


def _free_variable(link: Proven, names: Names) -> Expr:
    """Return the variable of a claim, on which nothing else is imposed."""
    if link.left.op != "not" or link.left.args[0].op != "unique":
        raise Refused("this is no claim that something is not unique")
    (x,) = link.left.args[0].args
    if x.op != "sym" or x.data not in names.problem.variables:
        raise Refused("this is no claim about a variable")
    if names.definition(x.data) is not None:
        raise Refused(f"{x} is determined")
    return x


def check_not_unique(link: Proven, names: Names, assumed: bool) -> None:
    """Refuse a claim unless with the witnesses 0 all gradients vanish, whatever x is.

    The witnesses are data that may be 0, or other variables.
    """
    problem, zero = names.problem, set(link.witness)
    if assumed or _free_variable(link, names).data in zero:
        raise Refused("what is assumed, or claimed to be free, may not be 0")
    free = {v for v in problem.variables if names.definition(v) is None}
    if not zero <= free | set(problem.free_data) or problem.object is None:
        raise Refused("the witnesses may not all be 0")
    J = names.symbol(problem.object)
    for v in problem.variables:
        gradient = derivative(names, Expansion(names, names.defined - {v})(J), v)
        if not _vanishes(names, gradient, zero):
            raise Refused(f"the gradient by {v} need not vanish")


def _vanishes(names: Names, one: Sum, zero: set[str]) -> bool:
    """Return True if every term has a factor that is 0 with the witnesses."""
    for term in one.terms:
        powers, factors = opened(term, nets=True)
        atoms = [a for a, _ in factors] + [a for a, p in powers.items() if p > 0]
        mentioned = [a.data for a in atoms if a.kind == "symbol"]
        if not any(_is_zero(names, name, zero) for name in mentioned):
            return False
    return True


def _is_zero(names: Names, name: str, zero: set[str]) -> bool:
    definition = names.definition(name)
    if definition is None:
        return name in zero
    return _vanishes(names, Expansion(names)(definition), zero)
