"""The explainer: why a line fails, the smallest counterexample, the nearest repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kernellab.grading.judging_old.counterexamples import Counterexample, smallest
from kernellab.grading.judging_old.facts import Choice, Statement, inverses_in
from kernellab.grading.judging_old.judge import Judge
from kernellab.grading.judging_old.repairs import Repair, repairs
from kernellab.grading.judging_old.verdicts import Pair, Rejected
from kernellab.grading.language.reasons import Action
from kernellab.grading.language.steps import Step
from kernellab.grading.language.tree import Expr
from kernellab.grading.worlds import clock
from kernellab.grading.worlds.fields import OutOfTime, Undecided
from kernellab.grading.worlds.instances import Equation, holds, impose, residual
from kernellab.grading.worlds.world import Opened, World

SECONDS = 2.0


@dataclass(frozen=True)
class Explanation:
    """Words for the student; empty where there is nothing to say."""

    message: str
    counterexample: str = ""
    suggestion: str = ""


def explain(judge: Judge, number: int, step: Step) -> Explanation:
    """Why the line that was just rejected does not follow."""
    failed = judge.statements and judge.statements[-1].number == number
    own = judge.statements.pop() if failed else None
    end, judge.end = judge.end, min(judge.end, clock.now() + SECONDS)
    try:
        return _Explainer(judge, step).explain()
    except (OutOfTime, Undecided, Rejected, ValueError, ArithmeticError):
        return Explanation("this line does not follow from the lines before it")
    finally:
        judge.end = end
        if own is not None:
            judge.statements.append(own)


class _Explainer:
    def __init__(self, judge: Judge, step: Step) -> None:
        self.judge = judge
        self.actions = judge.reasons(step.reasons)
        relation, free = judge.relation(step)
        self.chain: list[Statement] = []
        self.pair = self.failing(relation.sides, relation.signs, free, step)

    def failing(
        self,
        sides: tuple[Expr, ...],
        signs: tuple[str, ...],
        free: dict[str, str],
        step: Step,
    ) -> Pair:
        """The first relation of the chain that does not follow."""
        if step.continues:
            before = self.judge.before(sound=False)
            self.chain = [before] if before else []
        pair = Pair(sides[0], signs[0], sides[1], free)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False):
            pair = Pair(left, sign, right, free)
            try:
                passed = self.judge.pair(pair, self.actions, self.chain)
            except Rejected:
                return pair
            link = Statement(-1, pair.relation, free, used=passed.used)
            self.chain.append(link)
        return pair

    def explain(self) -> Explanation:
        """Try the explanations one after the other, the mildest first."""
        if self.pair.sign != "=":
            return self.inequality()
        attempts = (
            self.no_gradient,
            self.too_large,
            self.only_sufficient,
            self.unlicensed,
            self.missing_reason,
        )
        for attempt in attempts:
            found = attempt()
            if found is not None:
                return found
        truth = self.true_base()
        if truth is not None:
            return Explanation(
                "this is true, but the reasons given do not lead to it from the lines "
                "before; say which definition, inverse or line you use, or split it"
            )
        return self.false()

    # True, but not by these reasons

    def no_gradient(self) -> Explanation | None:
        """“set to zero” with nothing to set to zero."""
        kinds = {action.kind for action in self.actions}
        if "zero" not in kinds or "gradient" in kinds:
            return None
        if self.judge.gradient_lines(sound=False) or not self.judge.problem.variables:
            return None
        variable, thing = self.judge.problem.variables[0], self.judge.problem.object
        return Explanation(
            f"there is no gradient above that could be set to zero; compute "
            f"grad({thing}, {variable}) first"
        )

    def passes(self, actions: Sequence[Action]) -> bool:
        return (
            self.judge.derivation(self.pair, list(actions), self.chain, True)
            is not None
        )

    def too_large(self) -> Explanation | None:
        judge = self.judge
        problem, most = judge.problem, judge.problem.max_facts
        try:
            judge.problem = replace(problem, max_facts=6)
            if not self.passes(self.actions):
                return None
        finally:
            judge.problem = problem
        facts = "one fact" if most == 1 else f"{most} facts"
        return Explanation(
            f"this is true, but too much at once: a line may open {facts}; split it"
        )

    def missing_reason(self) -> Explanation | None:
        """One more reason would do: say which kind."""
        for words, action in self.offers():
            if self.passes([*self.actions, action]):
                return Explanation(f"this is true, but it needs a reason: {words}")
        return None

    def offers(self) -> Iterator[tuple[str, Action]]:
        judge = self.judge
        around = judge.before(sound=True)
        names = self.pair.relation.symbols() | (
            around.relation.symbols() if around else set()
        )
        for name in sorted(names):
            if judge.library.definition(name) is not None:
                yield f"def {name}", Action("define", (name,))
        yield from self.missing_givens()
        for X in inverses_in(self.pair.relation.sides):
            yield f"inverse {X}", Action("inverse", expression=X)
        if judge.gradients(self.pair.relation) or "d(" in str(self.pair.relation):
            yield "gradient", Action("gradient")
        if judge.problem.variables and not judge.gradients(self.pair.relation):
            yield "set to zero", Action("zero")
        yield from self.lines()
        yield "the factor that is cancelled (cancel …)", Action("cancel")

    def missing_givens(self) -> Iterator[tuple[str, Action]]:
        """Each given by itself, unless all of them were offered already."""
        problem = self.judge.problem
        if any(a.kind == "given" and a.expression is None for a in self.actions):
            return
        for text, equation in zip(problem.givens, problem.equations, strict=True):
            names = tuple(sorted(equation.symbols()))
            yield f"given ({text})", Action("given", names, equation.sides[0])

    def lines(self) -> Iterator[tuple[str, Action]]:
        for statement in self.judge.statements:
            if statement.number > 0 and statement.sound:
                yield (
                    f"use {statement.number}",
                    Action("use", lines=(statement.number,)),
                )

    def only_sufficient(self) -> Explanation | None:
        """It implies the line before, but does not follow from it."""
        if not self.judge.problem.sufficient or not self.passes(
            [*self.actions, Action("sufficient")]
        ):
            return None
        singular = " or ".join(f"{name} may be singular" for name in
                               self.judge.problem.assumable)  # fmt: skip
        return Explanation(
            f"this implies the line before, but does not follow from it ({singular}); "
            "argue that it is sufficient, or assume more, and say so",
            self.example(self.base_options()[-1:]),
        )

    def unlicensed(self) -> Explanation | None:
        """It would follow if K were invertible."""
        judge = self.judge
        for name in judge.problem.assumable:
            X = Expr("sym", data=name, shape=judge.symbols[name].shape)
            held, judge.invertible = judge.invertible, (X,)
            try:
                if held or not self.passes([*self.actions, Action("cancel")]):
                    continue
            finally:
                judge.invertible = held
            ways = "assume it and say so"
            if judge.problem.sufficient:
                ways += ", or argue that this is sufficient"
            return Explanation(
                f"this follows only if {name} is invertible, and {name} may be "
                f"singular: {ways}",
                self.example(self.base_options()[-1:]),
            )
        return None

    # Not true

    def base_options(self) -> list[tuple[Statement, ...]]:
        return self.judge.bases(self.pair, self.actions, self.chain, False)

    def worlds_opened(self) -> list[Opened]:
        """Everything opened; where the gradient is set to zero, that too."""
        whole = self.judge.everything()
        kinds = {action.kind for action in self.actions}
        if "zero" not in kinds:
            return [whole]
        variables = self.judge.stationary(self.actions, self.pair)
        return [replace(whole, stationary=frozenset({v})) for v in variables]

    def true_base(self) -> tuple[Statement, ...] | None:
        """Lines from which the relation follows once everything is opened."""
        for opened in self.worlds_opened():
            for base in self.base_options():
                whole = Choice(opened, base + self.givens(), ())
                if self.judge.as_stated(self.pair, whole):
                    return base
        return None

    def with_cited(self, base: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Lines, and those that the reasons name, each once; the object stays open."""
        numbers = [n for action in self.actions for n in action.lines]
        lines = [self.judge.library.by_number(number) for number in numbers]
        named = [s for s in lines if s is not None and s.left != str(self.pair.left)]
        return base + tuple(s for s in named if s not in base)

    def givens(self) -> tuple[Statement, ...]:
        return tuple(self.judge.library.givens)

    def false(self) -> Explanation:
        bases = self.base_options()
        repair = self.repair(bases)
        suggestion = ""
        if repair is not None:
            suggestion = (
                f"it would follow if {repair.old} were {repair.new}: {repair.what}"
            )
        return Explanation(self.verdict(), self.example(bases), suggestion)

    def verdict(self) -> str:
        before = self.judge.before(sound=False)
        if before is not None and before.number > 0 and self.mentions_unknown():
            return f"this does not follow from line {before.number}"
        left = self.pair.left
        if left.op == "sym" and left.data in self.judge.problem.unknowns:
            return "nothing that stands above leads to this"
        return "this is not true"

    def mentions_unknown(self) -> bool:
        return self.pair.left.op != "sym" and not self.judge.gradients(
            self.pair.relation
        )

    def example(self, bases: Sequence[tuple[Statement, ...]]) -> str:
        """Small numbers for which the lines before hold and this one does not."""
        judge = self.judge
        latest = judge.library.latest(str(self.pair.left), True)
        for opened in self.worlds_opened():
            if latest is not None and latest.number > 0:
                found = self.smallest(opened, (latest,))
                if found is not None:
                    return str(found)
            for base in sorted(bases, key=len):
                found = self.smallest(opened, base)
                if found is None:
                    return ""
                if base == bases[-1] or not self.needs_base(base):
                    return str(found)
        return ""

    def smallest(
        self, opened: Opened, base: tuple[Statement, ...]
    ) -> Counterexample | None:
        judge = self.judge
        whole = Choice(opened, self.with_cited(base) + self.givens(), ())
        stated, equations = judge.cited(whole)
        return smallest(
            judge.problem, judge.scene, stated, self.pair.equation, equations,
            self.pair.sign, bool(judge.invertible),
        )  # fmt: skip

    def needs_base(self, base: tuple[Statement, ...]) -> bool:
        """Without the line before, an equation in the unknown says nothing."""
        return not base and self.mentions_unknown()

    def repair(self, bases: Sequence[tuple[Statement, ...]]) -> Repair | None:
        """The first single edit after which the line follows by its own reasons."""
        judge = self.judge
        tests = [t for t in self.test_worlds(bases)]
        for left in (False, True):
            side = self.pair.left if left else self.pair.right
            if left and side.op in ("sym", "grad", "diff"):
                return None
            for candidate in repairs(side, judge.symbols):
                new = candidate.side
                pair = (
                    replace(self.pair, left=new)
                    if left
                    else replace(self.pair, right=new)
                )
                if self.survives(tests, pair) and self.judged(pair):
                    return candidate
        return None

    def judged(self, pair: Pair) -> bool:
        found = self.judge.derivation(pair, self.actions, self.chain, False)
        return found is not None

    def survives(self, tests: Sequence[World], pair: Pair) -> bool:
        """A quick look in worlds where everything is opened, before the real check."""
        if clock.now() > self.judge.end:
            raise OutOfTime
        for world in tests:
            try:
                if holds(world, pair.equation):
                    return True
            except (Undecided, ValueError):
                continue  # no value there, or an edit whose shapes do not fit
        return not tests

    def test_worlds(self, bases: Sequence[tuple[Statement, ...]]) -> Iterator[World]:
        judge = self.judge
        sizes, low = judge.regimes((self.pair.left, self.pair.right))[-1]
        for opened in self.worlds_opened():
            for base in bases:
                stated, equations = judge.cited(
                    Choice(opened, self.with_cited(base), ())
                )
                world = judge.world(sizes, low, stated)
                try:
                    self.draw_all(world, equations)
                    impose(world, equations, judge.problem.unknowns)
                    yield world
                except Undecided:
                    continue

    def draw_all(self, world: World, equations: Sequence[Equation]) -> None:
        for equation in (self.pair.equation, *equations):
            residual(world, equation)

    # Inequalities

    def inequality(self) -> Explanation:
        counter = self.example([()])
        if counter:
            return Explanation("this is not true", counter)
        return Explanation(
            "I cannot see why: write the left side as a sum of squares, or of "
            "quadratic forms of matrices that are known to be positive semi-definite"
        )
