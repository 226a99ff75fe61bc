"""Why a line is false: a counterexample in small numbers, and the nearest repair.

The lines after it may rest on its repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

from kernellab.grading.instances.counterexamples import smallest
from kernellab.grading.instances.fields import Undecided
from kernellab.grading.instances.repairs import Repair, repairs
from kernellab.grading.judging.cancelling import cancelled
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.gradients import misstates_gradient
from kernellab.grading.judging.licences import check_licences
from kernellab.grading.judging.statements import Rejected, Statement
from kernellab.grading.judging.truth import holds_at, setting
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.tidying import tidied
from kernellab.grading.language.tree import Expr, Relation, is_zero
from kernellab.grading.proving.knowledge import Knowledge
from kernellab.grading.work import OutOfWork

MOST_EDITS = 400
REPAIR = 2_000_000  # units of work for one repair
MOST_LINES = 3  # so many false lines may be mended


def repair_lines(context: Context) -> bool:
    """Look for the repairs of all false lines; return True if there is one."""
    wrong = [line.number for line in context.statements if line.false]
    for number in wrong[:MOST_LINES]:
        repair_of(context, number)
    return any(line.repaired for line in context.statements)


def repair_of(context: Context, number: int) -> Repair | None:
    """Return the first single edit that makes a line true, and lets it follow.

    It is kept, and the line remembers what it makes of it.
    """
    if number not in context.repairs:
        place = [s.number for s in context.statements].index(number)
        line = context.statements[place]
        found = _searched(context, line, context.statements[:place])
        context.repairs[number] = found and found[0]
        context.statements[place] = replace(line, repaired=found and found[1])
    return context.repairs[number]


def _searched(
    context: Context, line: Statement, before: list[Statement]
) -> tuple[Repair, Relation] | None:
    if misstates_gradient(context, line):
        line = replace(line, at=frozenset())  # a repair must be the gradient anywhere
    back = None
    try:
        with context.work.limited(REPAIR):
            there = replace(context, statements=before)
            known = there.knowledge((), True, line.at)
            for repair, relation in islice(_edits(context, line.relation), MOST_EDITS):
                edited = replace(line, relation=relation)
                if _is_empty(there, edited) or not _passes(there, edited, known):
                    continue
                if not _takes_back(there, repair, edited):
                    return repair, relation
                back = back or (repair, relation)
    except (OutOfWork, Undecided):
        pass
    return back


def _passes(context: Context, line: Statement, known: Knowledge) -> bool:
    """Return True if an edited line is true, and follows from what stands before it."""
    points = (frozenset[str](), context.stationary | line.at)
    for most in (1, None):  # for most edits a first look is enough
        if not any(holds_at(context, line, at, most) for at in points):
            return False
    with suppress(Rejected):
        check_licences(context, line.relation.sides)
        return context.proof(line.links()[0], known) is not None
    return False


def _is_empty(context: Context, line: Statement) -> bool:
    """Return True if an edited line is 0 = 0 or A = A."""
    sides, poly = line.relation.sides, context.signs().poly
    made = any(poly(side) == {} and not is_zero(side) for side in sides)
    return made or len({str(tidied(side)) for side in sides}) == 1


def _takes_back(context: Context, repair: Repair, line: Statement) -> bool:
    """Return True if an edited line only says what was said before it."""
    sides = line.relation.sides
    said = [s.relation.sides for s in context.steps(sound=False)]
    said += [(link.left, link.right) for link in context.givens]
    known = [{str(tidied(side)) for side in other} for other in said]
    return _multiplies_both(repair, sides) or {str(tidied(s)) for s in sides} in known


def _edits(context: Context, line: Relation) -> Iterator[tuple[Repair, Relation]]:
    """Yield what single edits make of an equation or a bound, the right side first."""
    if len(line.sides) != 2:
        return
    left, right = line.sides
    near = [n for side in line.sides for n in side.walk() if n.op == "inv"]
    found = ((r, (left, r.side)) for r in repairs(right, context.symbols, near))
    fixed = left.op in ("sym", "grad", "diff")
    others = () if fixed else repairs(left, context.symbols, near)
    for repair, sides in chain(found, ((r, (r.side, right)) for r in others)):
        if repair.side.op == "sym":
            continue  # K a = y for K a = t is no repair, but another line
        with suppress(ShapeError):
            yield repair, context.shaped(Relation(sides, line.signs))[0]


def _multiplies_both(repair: Repair, sides: Sequence[Expr]) -> bool:
    """Return True for K E = 0 or K E = K F, made of E: that takes back a step."""
    whole = repair.node is repair.before and repair.side.op == "mul"
    ends = map(_ends, sides)
    alike = any(a == b for a, b in zip(*ends, strict=True))
    return whole and (alike or any(map(is_zero, sides)))


def _ends(node: Expr) -> tuple[Expr, Expr]:
    """Return the first and the last factor of a product."""
    first = last = node
    while first.op == "mul":
        first = first.args[0]
    while last.op == "mul":
        last = last.args[1]
    return first, last


def explain(context: Context, mends: bool) -> tuple[str, str]:
    """Return small numbers for which the last line is false, and what would be right.

    Expressions stand between backticks.

    Parameters
    ----------
    mends : whether to look for a repair, which takes time.
    """
    line = context.statements[-1]
    goes_on = line.chain != line.number
    there = setting(context, context.stationary)
    found = smallest(there, line.relation, line.free, goes_on)
    if not mends:
        return str(found or ""), ""
    repair, mended = repair_of(context, line.number), ""
    *before, line = context.statements  # with its repair
    above = replace(context, statements=before)
    taken = repair and _takes_back(above, repair, line.mended())
    if repair and not taken and cancelled(above, line) is None:
        old, new = repair.difference()
        edit = f"if `{old}` were `{new}`: {repair.what}"
        mended = f"line {line.number} would follow {edit}"
    return str(found or ""), re.sub(r"\bI\(\w+\)", "I", mended)
