"""Why a line is false: a counterexample in small numbers, and the nearest repair."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernellab.grading.instances import clock
from kernellab.grading.instances.counterexamples import smallest
from kernellab.grading.instances.fields import OutOfTime, Undecided
from kernellab.grading.instances.repairs import Repair, repairs
from kernellab.grading.instances.truth import is_true
from kernellab.grading.judging.context import Context, Statement
from kernellab.grading.judging.truth import setting
from kernellab.grading.language.tree import Relation
from kernellab.grading.proving.knowledge import Link
from kernellab.grading.proving.prover import Prover

SECONDS = 0.8


@dataclass(frozen=True)
class Explanation:
    """Small numbers that show that a line is false, and what would be right."""

    counterexample: str = ""
    suggestion: str = ""


def explain(context: Context) -> Explanation:
    """Explain why the last line is false."""
    line = context.statements[-1]
    found = smallest(setting(context, context.stationary), line.relation, line.free)
    shown = "" if found is None else str(found)
    try:
        repair = _repair(context, line)
    except (OutOfTime, Undecided):
        repair = None
    return Explanation(shown, "" if repair is None else _words(line.number, repair))


def _words(number: int, repair: Repair) -> str:
    text = (
        f"line {number} would follow if `{repair.old}` were `{repair.new}`: {repair.what}"
    )
    return re.sub(r"\bI\(\w+\)", "I", text)


def _repair(context: Context, line: Statement) -> Repair | None:
    """Return the first single edit that makes the line true, and lets it follow."""
    end = clock.now() + SECONDS
    sides, signs = line.relation.sides, line.relation.signs
    if len(sides) != 2:
        return None
    for k in (1, 0):
        if k == 0 and sides[0].op in ("sym", "grad", "diff"):
            return None
        for repair in repairs(sides[k], context.symbols):
            if clock.now() > end:
                return None
            new = (sides[0], repair.side) if k else (repair.side, sides[1])
            relation = Relation(new, signs)
            if _is_true(context, relation, line) and _follows(context, relation, line):
                return repair
    return None


def _is_true(context: Context, relation: Relation, line: Statement) -> bool:
    return any(
        is_true(setting(context, at), relation, line.free, context.rng)
        for at in (frozenset[str](), context.stationary)
    )


def _follows(context: Context, relation: Relation, line: Statement) -> bool:
    """Return True if the mended line follows from the lines before it."""
    variables = frozenset(context.problem.variables)
    last = context.statements.pop()
    try:
        known = context.knowledge((), True, variables)
    finally:
        context.statements.append(last)
    link = Link(
        ("line", line.number, 0), relation.sides[0], relation.signs[0],
        relation.sides[1], line.free, True, line.number,
    )  # fmt: skip
    most = context.problem.max_facts
    proof = Prover(context.memory, known).prove(link, most)
    return proof is not None and proof.cost <= most
