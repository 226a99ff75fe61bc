"""Trials: does a relation hold wherever chosen facts and cited lines do?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kernellab.grading.judging_old.facts import Choice, Fact, Statement, choose
from kernellab.grading.judging_old.scaling import Scaling
from kernellab.grading.judging_old.setting import SIGNS, has_root
from kernellab.grading.judging_old.verdicts import Pair
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import ZERO, Expr
from kernellab.grading.worlds.fields import Undecided
from kernellab.grading.worlds.instances import Equation, holds, impose, residual
from kernellab.grading.worlds.world import Opened, Scene, Symbol, World

RETRIES = 40


class Trials(Scaling):
    """Tries a relation in random worlds in which the cited lines hold."""

    def tries(
        self,
        pair: Pair,
        choice: Choice,
        base: tuple[Statement, ...],
        labelled: bool,
        spare: int,
        named: Sequence[Expr],
    ) -> bool:
        """Whether the relation holds wherever the chosen facts do.

        An equation between opaque objects may have no solutions to draw from, although
        it was rightly proved; then the facts that proved it are opened as well.
        """
        verdict: bool | None = None
        if choice.cited and self.as_stated(pair, choice, rewrite=True):
            return True
        if choice.cited and self.proportional(pair, *self.cited(choice)):
            return True
        inherited = _inherit(choice, base, self.problem.table, self.scene)
        for attempt in (choice, *inherited):
            verdict = self.as_stated(pair, attempt)
            if verdict is not None:
                break
        if not verdict:
            return False
        implicit = self.cited(replace(attempt, cited=base))[1]
        opened, equations = self.cited(attempt)
        if equations and not self.true_too(pair, attempt):
            return False
        if not implicit or self.proportional(pair, opened, equations):
            return True
        if not labelled:
            return self.multiplied(pair, opened, equations)
        return spare > 0 or self.explained(pair, opened, equations, named)

    def true_too(self, pair: Pair, choice: Choice) -> bool:
        """Whether it also holds in the problem as it is, with everything opened.

        Equations between opaque objects may have solutions that the true objects have
        not, such as a = 0; there a false line could hold.
        """
        if not all(statement.sound for statement in choice.cited):
            return True  # it rests on a false line: then nothing is true
        stationary = choice.opened.stationary
        whole = self.everything(stationary=stationary)
        hidden = None if stationary else self.problem.object  # or it has no gradient
        free = {n: d for n, d in whole.definitions.items() if n != hidden}
        mine = {**free, **choice.opened.definitions}
        return bool(
            self.as_stated(
                pair, replace(choice, opened=replace(whole, definitions=mine))
            )
        )

    def as_stated(
        self, pair: Pair, choice: Choice, rewrite: bool = False
    ) -> bool | None:
        """Whether the relation holds; None if the cited lines cannot be imposed."""
        opened, equations = self.cited(choice, rewrite)
        if rewrite and (equations or not opened.results):
            return None
        if not equations and _hopeless(pair, opened):
            return False
        try:
            return all(
                self.decided(pair, opened, equations, sizes, low)
                for sizes, low in self.regimes((pair.left, pair.right))
                for _ in range(SIGNS if has_root(pair.left, pair.right) else 1)
            )
        except Undecided:
            return None

    def decided(
        self,
        pair: Pair,
        opened: Opened,
        equations: list[Equation],
        sizes: dict[str, int],
        low: bool,
    ) -> bool:
        """Whether the relation holds in one world; one without a value is redrawn."""
        for attempt in range(RETRIES):
            try:
                world = self.world(sizes, low, opened)
                residual(world, pair.equation)
                if equations:
                    self.prepare(world, equations)
                    impose(world, equations, self.problem.unknowns)
                    self.refuse_trivial(world, equations)
                return holds(world, pair.equation)
            except Undecided as why:
                if "negative" not in str(why) or attempt == RETRIES - 1:
                    raise
        return False

    def refuse_trivial(self, world: World, equations: list[Equation]) -> None:
        """A given such as G v = μ v must not be met by v = 0 alone."""
        given = {id(r.sides[0]) for r in self.problem.equations}
        if any(id(equation[0]) in given for equation in equations):
            for name in self.problem.unknowns:
                value = world.atoms.get(name)
                if isinstance(value, np.ndarray) and not value.any():
                    raise Undecided("a given has the solution 0 only")

    def prepare(self, world: World, equations: list[Equation]) -> None:
        """Make the world draw everything that the equations speak of."""
        for equation in equations:
            residual(world, equation)

    def cited(
        self, choice: Choice, rewrite: bool = False
    ) -> tuple[Opened, list[Equation]]:
        """Cited lines as definitions, where they have that form, or as equations.

        With `rewrite`, the left side of any other cited equation is replaced by its
        right side wherever it is written, which needs no solving.
        """
        opened = choice.opened
        definitions = dict(opened.definitions)
        equations: list[Equation] = []
        results: dict[str, Expr] = {}
        for statement in choice.cited:
            name, last = statement.solved or ("", statement.relation.sides[-1])
            if (
                name
                and name not in definitions
                and not self.circular(name, last, definitions)
            ):
                definitions[name] = last
                continue
            atom = self.result_of(statement, opened, rewrite)
            if atom is not None and atom not in results:
                results[atom] = statement.relation.sides[1]
                pairs = statement.equations[1:]
                equations += [(x, y, statement.free) for x, y in pairs]
                continue
            equations += [(x, y, statement.free) for x, y in statement.equations]
        opened = replace(opened, definitions=definitions, results=results)
        if opened.stationary and opened.gradient:
            equations += [self.true_zero(v) for v in sorted(opened.stationary)]
            opened = replace(opened, stationary=frozenset())
        return opened, equations

    def result_of(
        self, statement: Statement, opened: Opened, rewrite: bool
    ) -> str | None:
        """The gradient or derivative that a line gives a value to, if it is opaque."""
        left = statement.relation.sides[0]
        if set(statement.relation.signs) != {"="} or statement.free:
            return None
        if rewrite and left.op not in ("sym", "num"):
            return str(left)
        if left.op == "grad" and not opened.gradient and not opened.stationary:
            return str(left)
        if left.op == "call" and left.data == "d" and not opened.derivative:
            return str(left)
        return None

    def true_zero(self, variable: str) -> Equation:
        """grad(J, a) = 0, with the gradient computed."""
        shape = self.symbols[variable].shape
        of = Expr("sym", data=variable, shape=shape)
        thing = Expr("sym", data=self.problem.object, shape=NUMBER)
        gradient = Expr("grad", (thing, of), shape=shape)
        return gradient, replace(ZERO, shape=shape), {}

    def circular(self, name: str, node: Expr, definitions: dict[str, Expr]) -> bool:
        """Whether an expression leads back to the name."""
        seen: set[str] = set()
        waiting = set(node.symbols())
        while waiting:
            one = waiting.pop()
            if one == name:
                return True
            if one not in seen and one in definitions:
                waiting |= definitions[one].symbols()
            seen.add(one)
        return False


def _inherit(
    choice: Choice,
    base: tuple[Statement, ...],
    given: Mapping[str, Symbol],
    scene: Scene,
) -> Iterator[Choice]:
    """The facts behind the cited lines opened too: the problem's own, then all.

    The line before was not cited by name; its facts count only if it is a relation
    between matrices, which cannot be solved for a column.
    """
    named = [s for s in choice.cited if s not in base or _between_matrices(s)]
    facts = {f.key: f for s in named for f in s.used}
    own = {
        key: fact for key, fact in facts.items() if not fact.name or _given(given, fact)
    }
    for more in (own, facts):
        if more:
            chosen = choose(list(more.values()), choice.opened, scene)
            yield replace(
                choice, opened=chosen.opened, cited=choice.cited + chosen.cited
            )


def _hopeless(pair: Pair, opened: Opened) -> bool:
    """A symbol alone on one side, opaque, cannot equal what does not mention it."""
    if opened.covariance or opened.results:
        return False
    for one, two in ((pair.left, pair.right), (pair.right, pair.left)):
        if one.op == "sym" and one.data not in opened.definitions:
            below = [
                opened.definitions[n] for n in two.symbols() & set(opened.definitions)
            ]
            if not below and one.data not in two.symbols():
                return True
    return False


def _between_matrices(statement: Statement) -> bool:
    return "1" not in (statement.relation.sides[0].shape or NUMBER)


def _given(given: Mapping[str, Symbol], fact: Fact) -> bool:
    """Whether a definition is the problem's own, not the student's."""
    return fact.name in given and given[fact.name].definition is fact.expression
