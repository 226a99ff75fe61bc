"""Following: the choices of facts and lines from which a relation may follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kernellab.grading.judging_old.facts import Choice, Fact, Statement, choices
from kernellab.grading.judging_old.trials import Trials
from kernellab.grading.judging_old.verdicts import Pair
from kernellab.grading.language.reasons import Action, is_free
from kernellab.grading.worlds.fields import Undecided
from kernellab.grading.worlds.instances import holds, impose
from kernellab.grading.worlds.world import Opened


class Following(Trials):
    """Looks for facts, and lines that need not be named, that carry a relation."""

    vanishing = False  # whether the line that is judged ends with = 0

    def derivation(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement], sound: bool
    ) -> Choice | None:
        """The first choice of facts and lines from which the relation follows."""
        around = self.before(sound)
        names = around.relation.symbols() if around else set()
        facts = self.library.facts(actions, pair.relation, names, sound)
        factors = [a.expression for a in actions if a.kind == "multiply"]
        labelled = any(not is_free(a) and a.kind != "unknown" for a in actions)
        bases = self.bases(pair, actions, chain, sound)
        for opened, cost in self.flags(actions, pair):
            room = self.problem.max_facts - cost
            for choice in choices(facts, room, opened, self.scene):
                spare = room - len(choice.facts)
                chosen = [f.expression for f in choice.facts if f.kind == "inverse"]
                named = [X for X in chosen + factors if X is not None]
                for base in bases:
                    full = replace(choice, cited=choice.cited + base)
                    short = self.shortened(pair, base)
                    if short and self.tries(short, choice, (), labelled, spare, named):
                        return full
                    if self.tries(pair, full, base, labelled, spare, named):
                        return full
        if any(action.kind == "sufficient" for action in actions):
            return self.suffices(pair, actions, facts, sound)
        return None

    def shortened(self, pair: Pair, base: tuple[Statement, ...]) -> Pair | None:
        """X = A stands and X = B is to be shown: then it is enough that A = B."""
        if len(base) != 1 or set(base[0].relation.signs) != {"="}:
            return None
        sides = base[0].relation.sides
        if str(pair.left) in map(str, sides[:-1]):
            return Pair(sides[-1], "=", pair.right, {**base[0].free, **pair.free})
        return None

    def flags(self, actions: list[Action], pair: Pair) -> Iterator[tuple[Opened, int]]:
        """What “gradient” and “set to zero” open, each as one more fact."""
        kinds = self.kinds(actions, pair)
        if "linearity" in kinds and self.problem.tangents:
            kinds.add("gradient")  # of the derivative
        yield Opened(), 0
        if "gradient" in kinds:
            yield Opened(gradient=True, derivative=True), 1
        if "zero" in kinds:
            for variable in self.stationary(actions, pair):
                zero = frozenset({variable})
                yield Opened(stationary=zero), 1
                if "gradient" in kinds:
                    yield Opened(gradient=True, derivative=True, stationary=zero), 2

    def kinds(self, actions: list[Action], pair: Pair) -> set[str]:
        """The kinds of the reasons; “stationarity” is enough for grad(J,a) = … = 0."""
        kinds = {action.kind for action in actions}
        if "zero" in kinds and self.vanishing and self.gradients(pair.relation):
            kinds.add("gradient")
        return kinds

    def stationary(self, actions: list[Action], pair: Pair) -> list[str]:
        """By which variable the gradient is zero: the one named, or any allowed."""
        named = [n for a in actions if a.kind == "zero" for n in a.names]
        named = [n for n in named if n != self.problem.object]
        if named:
            return [n for n in named if n in self.problem.variables]
        return list(self.problem.variables)

    def bases(
        self, pair: Pair, actions: list[Action], chain: Sequence[Statement], sound: bool
    ) -> list[tuple[Statement, ...]]:
        """The lines that count as cited without being named, as choices."""
        options: list[tuple[Statement, ...]] = [()]

        def offer(*statements: Statement | None) -> None:
            kept = tuple(s for s in statements if s is not None)
            if kept and kept not in options:
                options.append(kept)

        if chain:
            offer(*chain)
            offer(chain[-1])
        offer(self.library.latest(str(pair.left), sound))
        offer(self.library.containing(str(pair.left), sound))
        for statement in self.statements:
            if statement.kind == "object" and statement.left == str(pair.left):
                offer(statement)
        before = self.before(sound)
        offer(before)
        kinds = self.kinds(actions, pair)
        if "gradient" in kinds and self.problem.object:
            offer(self.library.latest(self.problem.object, sound))
        if "zero" in kinds:
            for statement in self.gradient_lines(sound):
                offer(statement)
        offer(self.before(sound, ("let", "given")))
        return options

    def suffices(
        self, pair: Pair, actions: list[Action], facts: list[Fact], sound: bool
    ) -> Choice | None:
        """Whether the new equation implies an old one, and has solutions at all."""
        for opened, cost in self.flags(actions, pair):
            room = self.problem.max_facts - cost - 1
            for choice in choices(facts, room, opened, self.scene):
                named = [(statement,) for statement in choice.cited]
                for base in [*named, *self.bases(pair, actions, (), sound)]:
                    if self.all_imply(pair, base, choice.opened):
                        return replace(choice, cited=base)
        return None

    def all_imply(
        self, pair: Pair, base: tuple[Statement, ...], opened: Opened
    ) -> bool:
        if len(base) != 1 or base[0].name:
            return False
        try:
            return all(
                self.implies(pair, base[0], opened, sizes, low)
                and (not base[0].sound or self.stationary_there(pair, sizes, low))
                for sizes, low in self.regimes((pair.left, pair.right))
            )
        except Undecided:
            return False

    def stationary_there(self, pair: Pair, sizes: dict[str, int], low: bool) -> bool:
        """Whether the object's gradient vanishes where the equation holds."""
        variable = self.problem.variables[-1 if self.hidden else 0]
        zero = self.true_zero(variable)
        world = self.world(sizes, low, self.everything())
        self.prepare(world, [pair.equation, zero])
        impose(world, [pair.equation], self.problem.unknowns, only=True)
        return holds(world, zero)

    def implies(
        self,
        pair: Pair,
        before: Statement,
        opened: Opened,
        sizes: dict[str, int],
        low: bool,
    ) -> bool:
        world = self.world(sizes, low, opened)
        old = [(x, y, before.free) for x, y in before.equations]
        self.prepare(world, [pair.equation, *old])
        if all(holds(world, equation) for equation in old):
            return False  # sufficient for something that says nothing
        impose(world, [pair.equation], self.problem.unknowns, only=True)
        return all(holds(world, equation) for equation in old)
