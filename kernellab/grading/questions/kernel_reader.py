"""Kernels as students write them: `k1 = Linear()*Linear()`, `k = exp(k1) + 1`.

Expressions are read by `kernellab.kernels.reader`; here are the lines that define
names, and functions of a point.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from kernellab.grading.questions.answers import Line
from kernellab.grading.questions.point_functions import PointFunction
from kernellab.kernels import Kernel, Map
from kernellab.kernels.reader import LEAVES, Thing, read_expression
from kernellab.syntax import Unreadable


@dataclass
class KernelReader:
    """Reads the lines of an answer, with the names that the question gives.

    Parameters
    ----------
    leaves : the kernels that may be named.
    names : kernels (k1) and functions (f) that are given.

    Examples
    --------
    >>> from kernellab.grading.questions.answers import split_lines
    >>> KernelReader().read(split_lines("a = Linear() + 1; k = exp(a/2)"))
    exp(0.5 * (Linear() + 1.0))
    """

    leaves: Mapping[str, type[Kernel]] = field(default_factory=lambda: LEAVES)
    names: Mapping[str, Kernel | Map] = field(default_factory=dict)

    def read(self, lines: list[Line]) -> Kernel:
        """Return the kernel called k, or else the last one."""
        known: dict[str, Thing] = dict(self.names)
        last: Thing | None = None
        for line in lines:
            try:
                last = self._line(line, known)
            except Unreadable as error:
                # No number: a page has a field for each part of an answer.
                where = f"`{line.name}`: " if line.name and len(lines) > 1 else ""
                raise Unreadable(f"{where}{error}") from error
            except RecursionError as error:
                raise Unreadable("this expression is nested too deep") from error
        own = known.get("k") if "k" not in self.names else None
        answer = own if isinstance(own, Kernel) else last
        if not isinstance(answer, Kernel):
            raise Unreadable("the last line is not a kernel: write `k = …`")
        return answer

    def _line(self, line: Line, known: dict[str, Thing]) -> Thing:
        if line.name in self.names or line.name in self.leaves:
            raise Unreadable(f"`{line.name}` is given already; choose another name")
        if line.name == "k" and line.argument and "," not in line.argument:
            raise Unreadable("a kernel has two points: write `k = …` or `k(x, x') = …`")
        if line.argument and "," not in line.argument:
            function = PointFunction(line.argument, line.body)
            thing: Thing = Map(function, line.name)
        else:
            points = _points(line.argument)
            thing = read_expression(line.body, known, self.leaves, points)
        if line.name:
            known[line.name] = thing
        return thing


def _points(argument: str) -> tuple[str, ...]:
    """Return the names of the two points in ``k(x, x') = …``; none without them."""
    names = tuple(re.sub("[′’]", "'", name.strip()) for name in argument.split(","))
    different = len(names) == len(set(names)) == 2
    return names if different and names != ("x", "z") else ()
