"""Why a line is false: a counterexample in small numbers, and the nearest repair.

The lines after it may rest on its repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernellab.grading.instances import clock
from kernellab.grading.instances.counterexamples import (
    Counterexample,
    smallest,
    written,
)
from kernellab.grading.instances.fields import OutOfTime, Undecided
from kernellab.grading.instances.repairs import Repair, repairs
from kernellab.grading.instances.truth import is_true
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.statements import Statement
from kernellab.grading.judging.truth import setting
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.tree import Relation
from kernellab.grading.proving.knowledge import Knowledge, Link

SECONDS = 0.6
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
    try:
        known = _known(context, before, line.at)
        end = clock.now() + min(SECONDS, context.left())
        for repair, relation in _edits(context, line.relation):
            if clock.now() > end:
                return None
            true = _is_true(context, relation, line)
            if true and _follows(context, relation, line, known):
                return repair, relation
    except (OutOfTime, Undecided):
        pass
    return None


def _edits(context: Context, line: Relation) -> Iterator[tuple[Repair, Relation]]:
    """Yield what single edits make of an equation or a bound, the right side first."""
    if len(line.sides) != 2:
        return
    left, right = line.sides
    found = [(r, (left, r.side)) for r in repairs(right, context.symbols)]
    if left.op not in ("sym", "grad", "diff"):
        found += [(r, (r.side, right)) for r in repairs(left, context.symbols)]
    for repair, sides in found:
        if repair.side.op == "sym":
            continue  # K a = y for K a = t is no repair, but another line
        try:
            yield repair, context.shaped(Relation(sides, line.signs))[0]
        except ShapeError:
            continue


def _is_true(context: Context, relation: Relation, line: Statement) -> bool:
    return any(
        is_true(setting(context, at), relation, line.free, context.rng)
        for at in (frozenset[str](), context.stationary | line.at)
    )


def _known(context: Context, before: list[Statement], at: frozenset[str]) -> Knowledge:
    """Return what a line could be proved from, with what it says itself."""
    later, context.statements = context.statements, before
    try:
        return context.knowledge((), True, at)
    finally:
        context.statements = later


def _follows(
    context: Context, relation: Relation, line: Statement, known: Knowledge
) -> bool:
    link = Link(
        ("line", line.number, 0), relation.sides[0], relation.signs[0],
        relation.sides[1], line.free, True, line.number,
    )  # fmt: skip
    return context.proof(link, known) is not None


@dataclass(frozen=True)
class Explanation:
    """Small numbers that show that a line is false, and what would be right."""

    counterexample: str = ""
    suggestion: str = ""


def explain(context: Context) -> Explanation:
    """Explain why the last line is false; expressions stand between backticks."""
    line = context.statements[-1]
    found = smallest(setting(context, context.stationary), line.relation, line.free)
    repair = repair_of(context, line.number)
    return Explanation(
        "" if found is None else _in_numbers(found),
        "" if repair is None else _in_words(line.number, repair),
    )


def _in_numbers(found: Counterexample) -> str:
    given = ", ".join(f"`{name} = {written(v)}`" for name, v in found.values.items())
    left, right = written(found.left), written(found.right)
    with_these = f"for {given} " if given else ""
    return f"{with_these}the left side is `{left}`, the right side is `{right}`"


def _in_words(number: int, repair: Repair) -> str:
    edit = f"if `{repair.old}` were `{repair.new}`"
    text = f"line {number} would follow {edit}: {repair.what}"
    return re.sub(r"\bI\(\w+\)", "I", text)
