"""Why a line is false: a counterexample in small numbers, and the nearest repair.

The lines after it may rest on its repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

from kernellab.grading.instances.counterexamples import smallest
from kernellab.grading.instances.fields import Undecided
from kernellab.grading.instances.repairs import Repair, repairs
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.gradients import misstates_gradient
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.truth import holds_at, setting
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.tree import Relation
from kernellab.grading.work import OutOfWork

MOST_EDITS = 200
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
    nowhere, optimum = frozenset[str](), context.stationary | line.at
    try:
        with context.work.limited(REPAIR):
            known = replace(context, statements=before).knowledge((), True, line.at)
            for repair, relation in islice(_edits(context, line.relation), MOST_EDITS):
                edited = replace(line, relation=relation)
                true = any(holds_at(context, edited, at) for at in (nowhere, optimum))
                if true and context.proof(edited.links()[0], known):
                    return repair, relation
    except (OutOfWork, Undecided):
        pass
    return None


def _edits(context: Context, line: Relation) -> Iterator[tuple[Repair, Relation]]:
    """Yield what single edits make of an equation or a bound, the right side first."""
    if len(line.sides) != 2:
        return
    left, right = line.sides
    found = ((r, (left, r.side)) for r in repairs(right, context.symbols))
    fixed = left.op in ("sym", "grad", "diff")
    others = () if fixed else repairs(left, context.symbols)
    for repair, sides in chain(found, ((r, (r.side, right)) for r in others)):
        if repair.side.op == "sym":
            continue  # K a = y for K a = t is no repair, but another line
        with suppress(ShapeError):
            yield repair, context.shaped(Relation(sides, line.signs))[0]


def explain(context: Context) -> tuple[str, str]:
    """Return small numbers for which the last line is false, and what would be right.

    Expressions stand between backticks.
    """
    line = context.statements[-1]
    found = smallest(setting(context, context.stationary), line.relation, line.free)
    repair = repair_of(context, line.number)
    mended = ""
    if repair:
        old, new = repair.difference()
        edit = f"if `{old}` were `{new}`: {repair.what}"
        mended = f"line {line.number} would follow {edit}"
    return str(found or ""), re.sub(r"\bI\(\w+\)", "I", mended)
