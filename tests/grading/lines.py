"""Settings of the course's problems, and the lines of derivations read in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kernellab.grading.instances.setting import Setting, stationarity
from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.language.shapes import ShapeError, elaborate
from kernellab.grading.language.steps import Step, steps
from kernellab.grading.language.tree import NUMBER, Expr, Relation
from kernellab.grading.problem import Problem
from kernellab.grading.problems import PROBLEMS
from kernellab.grading.symbols import Symbol

EXERCISES = Path(__file__).parents[2] / "exercises"
SUFFICIENT = re.compile(r"suffic|it suffices")


class Lines:
    """Reads lines of a problem, and keeps the setting in which they are judged.

    Parameters
    ----------
    optimal : whether the object is stationary by all variables from the beginning.
    """

    def __init__(self, problem: str | Problem, optimal: bool = False) -> None:
        self.problem = PROBLEMS[problem] if isinstance(problem, str) else problem
        self.setting = Setting(self.problem, dict(self.problem.table))
        for text in self.problem.givens:
            self.impose(text)
        self.givens = self.setting.equations
        self.optimal = optimal
        if optimal:
            by = stationarity(self.problem, self.problem.variables)
            self.change(equations=self.setting.equations + by)

    def change(self, **fields: object) -> None:
        """Replace parts of the setting."""
        self.setting = replace(self.setting, **fields)  # type: ignore[arg-type]

    def declare(self, **fields: object) -> None:
        """Replace parts of the problem."""
        self.problem = replace(self.problem, **fields)  # type: ignore[arg-type]
        self.change(problem=self.problem)

    def read(self, text: str) -> tuple[Relation, dict[str, str]]:
        """Read a relation; also the sizes of its free indices."""
        symbols = self.setting.symbols
        relation = read(text, self.problem.words(frozenset(symbols)))
        shapes = {name: symbol.shape for name, symbol in symbols.items()}
        return elaborate(relation, shapes, frozenset(self.problem.sizes))

    def side(self, text: str) -> Expr:
        """Read an expression."""
        return self.read(text)[0].sides[0]

    def impose(self, text: str) -> None:
        """Let a relation hold in all instances."""
        relation, free = self.read(text)
        equations, bounds = list(self.setting.equations), list(self.setting.bounds)
        sides = relation.sides
        for left, sign, right in zip(sides, relation.signs, sides[1:], strict=False):
            if sign == "=":
                equations.append((left, right, free))
            else:
                bounds.append((left, sign, right, free))
        self.change(equations=tuple(equations), bounds=tuple(bounds))

    def let(self, text: str) -> None:
        """Define a symbol; a problem's symbol loses the definition through it."""
        name, right = re.match(r"\s*(\w+)\s*=(.*)", text).groups()
        definition = self.side(right)
        random = {n for n, s in self.setting.symbols.items() if s.kind == "random"}
        kind = "random" if random & definition.symbols() else "any"
        symbols = {
            n: replace(s, definition=None) if name in self.setting.reach([n]) else s
            for n, s in self.setting.symbols.items()
            if n != self.problem.object
        }
        if self.problem.object:
            symbols[self.problem.object] = self.setting.symbols[self.problem.object]
        shape = definition.shape or NUMBER
        symbols[name] = Symbol(name, shape, kind, definition)
        self.change(symbols=symbols)
        if self.optimal:  # what is stationary is a function of what is not defined
            free = [v for v in self.problem.variables if v != name]
            self.change(equations=self.givens + stationarity(self.problem, free))

    def follow(self, text: str) -> Iterator[tuple[Step, Relation, dict[str, str]]]:
        """Yield the relations of a derivation that can be read, its `let`s in force."""
        start = ""
        for step in steps(text):
            whole = f"{start} {step.relation}" if step.continues else step.relation
            start = re.split(r"(?<![<>])=|>=|<=|≥|≤|\\ge", whole)[0]
            if re.search(r"\b(let|define)\b", step.reasons):
                self.let(whole)
                continue
            try:
                relation, free = self.read(whole)
            except (ReadError, ShapeError):
                continue
            if SUFFICIENT.search(step.reasons) and self.optimal:
                self.change(
                    equations=(*self.setting.equations, (*relation.sides, free))
                )
            yield step, relation, free
