"""Why a line is false: a counterexample in small numbers, and the nearest repair."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernellab.grading.instances.counterexamples import (
    Counterexample,
    smallest,
    written,
)
from kernellab.grading.instances.repairs import Repair
from kernellab.grading.judging.context import Context
from kernellab.grading.judging.repairing import repair_of
from kernellab.grading.judging.truth import setting


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
